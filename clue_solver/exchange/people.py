"""The players that imported notes name, and the table at which they sit."""

from collections.abc import Sequence
from typing import Any

from clue_solver.errors import ArgumentError, NotationError, printable
from clue_solver.exchange import terms
from clue_solver.exchange.deck import Deck
from clue_solver.exchange.findings import ImportHints
from clue_solver.notation.names import Names
from clue_solver.record.header import NEEDED, key_of, with_key
from clue_solver.rules.observations import Nobody, Reveal
from clue_solver.rules.table import ENVELOPE, SPECTATOR, Table

NOT_PUBLIC = "which a spectator's notes cannot state"
"""Why facts about cards are left out where the notes are nobody's."""


class People:
    """
    Finds the player that a text in the notes stands for.

    Args:
        seats: The names of the players.
        viewer: Whose notes these are; `None` if that is not known.
        hints: What the user states, such as other names of players.

    >>> people = People(("Ann", "Ben"), "Ann", ImportHints())
    >>> people.find("me"), people.find("B*"), people.find("Soln"), people.find("Cat")
    ('Ann', 'Ben', 'envelope', None)
    """

    def __init__(self, seats: Sequence[str], viewer: str | None, hints: ImportHints) -> None:
        self.names = Names("player", seats)
        self.viewer = viewer
        self.hints = hints

    def find(self, text: str) -> str | None:
        """Return the player or the envelope that a text stands for; `None` if it is unclear."""
        text = self.hints.meant(text)
        plain, inside = terms.without_brackets(text)
        for name in (text, plain, inside):
            if len(found := self.names.exact(name)) == 1:
                return found[0]
        initials = [seat for seat in self.names.names if seat[0] == plain]
        if len(initials) == 1:  # `I` is Irene where she plays
            return initials[0]
        word = terms.fold_text(plain)
        if word in terms.WRITERS:  # unless one of several calls themselves so
            several = word != "mine" and terms.fold_text(self.viewer or "") in terms.WRITERS
            return None if several else self.viewer
        if terms.is_envelope(plain) or (plain and not terms.plain(plain)):
            return ENVELOPE
        readings = self.names.candidates(plain)
        return readings[0] if len(readings) == 1 else None

    def seat(self, text: str) -> str:
        """Return the player that a text stands for; empty if there is none."""
        found = self.find(text) if text else None
        return found if found and found != ENVELOPE else ""

    def find_certain(self, text: str) -> str:
        """
        Return the player that a text names, or the envelope; empty unless it certainly means one of
        them.

        Words that may mean the envelope or something else, such as `killer`, do not count.
        """
        known = ENVELOPE if terms.is_envelope(text, sure=True) else ""
        return self.seat(text) or known

    def seats_in(self, text: str) -> list[str]:
        """
        Return the players that a text lists by names or initials; empty if any is unknown.

        >>> People(("Ann", "Ben", "Cat"), None, ImportHints()).seats_in("B+C")
        ['Ben', 'Cat']
        """
        parts = [text] if self.find(text) else [part for part in terms.PARTING.split(text) if part]
        if len(parts) == 1 and not self.find(text):
            letters = text.replace(" ", "")
            initials = letters.isupper() and terms.fold_text(text) not in ("no", "yes")
            parts = [*letters] if initials or letters.isdecimal() else text.split()
        seats = [*map(self.seat, parts)]
        return seats if all(seats) else []


def public_fact(table: Table, holder: str, card: str) -> Reveal | Nobody | None:
    """Return the entry that says to everybody who has a card; `None` if no entry can."""
    if holder in table.seats:
        return Reveal(seat=holder, card=card)
    return Nobody(card=card) if holder == ENVELOPE and not table.slots else None


def table_of(
    deck: Deck,
    players: Sequence[str],
    hints: ImportHints,
    *,
    viewer: str | None = None,
    **facts: Any,
) -> Table:
    """
    Return the table at which the game of the notes was played.

    What the user states takes precedence over the notes.

    Args:
        deck: The edition, and the language of the cards.
        players: The seats, clockwise.
        hints: What the user states.
        viewer: Whose notes these are, as far as the notes say.
        facts: What else the notes say about the table, as attributes of a `Table`.

    Raises:
        SetupError: If such a table is impossible.
        NotationError: If the stated viewer is not one of the players.
        ArgumentError: If a stated header line is invalid.
    """
    themselves = [seat for seat in players if seat.casefold() in terms.WRITERS]
    if hints.viewer:
        viewer = Names("player", (*players, SPECTATOR)).find(hints.viewer)
    elif viewer is None and len(themselves) == 1:
        viewer = themselves[0]
    table = Table(
        edition=deck.edition,
        seats=tuple(players),
        viewer=None if viewer == SPECTATOR else viewer,
        language=deck.language,
        **facts,
    )
    for line in hints.header:
        name, _, text = line.partition(":")
        key = key_of(name)
        if key is None or key in NEEDED or not text:
            reason = f"expected a line such as 'hands: 5, 5, ?'; found '{printable(line)}'"
            raise ArgumentError(reason, argument="header")
        try:
            table = with_key(table, key, text)
        except NotationError as error:
            raise ArgumentError(error.reason, argument="header") from None
    return table
