"""What is said about notes from elsewhere besides the notes: edition, seats, sizes, viewer."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from clue_solver.errors import ArgumentError, escape
from clue_solver.notation import card_names, parse_told
from clue_solver.notation.names import Names, joined, words_of
from clue_solver.record import Record
from clue_solver.rules.edition import Answering, Edition, Side, load_edition, shipped_editions
from clue_solver.rules.observations import Hand
from clue_solver.rules.table import SPECTATOR, Slot, Table

_ASKED = {"who", "what", "where", "cards", "card", "persons", "people", "characters", "places"}


class Setting(Struct, frozen=True, kw_only=True):
    """
    What a person says about the game; `None` or empty where nothing was said.

    Attributes:
        edition: The edition played.
        players: The seats, clockwise.
        viewer: Whose notes these are: a name, in short as in a record, or `spectator`.
        hands: Hand sizes in the order of the players.
        face_up: Cards that lie open, in short as in a record.
        slots: Places of face-down cards.
        order, answers: What overrides the edition's order of answering.
        hand: The viewer's own cards, as a line of a record lists them.
    """

    edition: Edition | None = None
    players: tuple[str, ...] = ()
    viewer: str | None = None
    hands: tuple[int | None, ...] = ()
    face_up: tuple[str, ...] = ()
    slots: tuple[Slot, ...] = ()
    order: Side | None = None
    answers: Answering | None = None
    hand: str = ""

    def table(
        self,
        edition: Edition,
        seats: tuple[str, ...],
        *,
        viewer: str | None = None,
        hands: tuple[int | None, ...] = (),
        face_up: tuple[str, ...] = (),
        slots: tuple[Slot, ...] = (),
    ) -> Table:
        """
        Return the table, with what the notes themselves tell where nothing was said.

        Raises:
            NotationError, SetupError: If there can be no such table.
        """
        cards = card_names(edition)
        said = self.viewer or viewer
        if said is not None:
            said = Names("player", (*seats, SPECTATOR)).find(said)
        return Table(
            edition=edition,
            seats=seats,
            hands=self.hands or hands,
            viewer=None if said == SPECTATOR else said,
            face_up=tuple(map(cards.find, self.face_up)) or face_up,
            slots=self.slots or slots,
            order=self.order,
            answers=self.answers,
        )


def known_editions(setting: Setting) -> tuple[Edition, ...]:
    """Return the editions that notes may be of: the one that was said, or all that are shipped."""
    return (setting.edition,) if setting.edition else tuple(map(load_edition, shipped_editions()))


def is_heading(text: str, edition: Edition) -> bool:
    """Whether a text is the heading of a category rather than a card."""
    titles = {name for kind in edition.category for name in (kind.name, kind.plural)}
    words = words_of(text)
    return words in {words_of(title) for title in titles if title} or set(words) <= _ASKED


def edition_of(labels: Sequence[str], setting: Setting) -> tuple[Edition, str]:
    """
    Return the edition that has all the cards, and how it was found, in words.

    Args:
        labels: The names of cards, as somebody wrote them; headings of categories may be among
            them.
        setting: What was said; an edition that was said is the answer.

    Raises:
        ArgumentError: If no shipped edition has them all, or more than one does. Where a whole pad
            fits several, one that has the very names or titles is preferred to other names.
    """
    if setting.edition:
        return setting.edition, "as given"
    editions = known_editions(setting)
    missing = {edition.name: _missing(labels, edition) for edition in editions}
    fits = [edition for edition in editions if not missing[edition.name]]
    whole = [each for each in fits if len(_named(labels, each)) == len(each.names)]
    spelt = [each for each in whole if _spelt(labels, each) == len(each.names)]
    found = spelt or whole or fits
    if len(found) == 1:
        return found[0], "the only one whose cards these are"
    if found:
        names = joined((edition.name for edition in found), "and")
        raise ArgumentError(
            f"these cards are in {names}: say which edition it is", argument="edition"
        )
    nearest = min(editions, key=lambda edition: len(missing[edition.name]))
    some = ", ".join(f"'{escape(label)}'" for label in missing[nearest.name][:5])
    raise ArgumentError(
        f"no shipped edition has all these cards: {nearest.name} has no {some}; "
        "mend the names, or say which edition it is",
        argument="edition",
    )


def _missing(labels: Sequence[str], edition: Edition) -> list[str]:
    names = card_names(edition)
    return [
        label
        for label in labels
        if len(names.readings(label)) != 1 and not is_heading(label, edition)
    ]


def _spelt(labels: Sequence[str], edition: Edition) -> int:
    """How many of the labels are a card's name or title, not another name for it."""
    names = {words_of(name) for card in edition.cards for name in (card.name, card.title) if name}
    return sum(words_of(label) in names for label in labels)


def _named(labels: Sequence[str], edition: Edition) -> set[str]:
    names = card_names(edition)
    return {card for label in labels for card in names.readings(label)}


def with_hand(record: Record, hand: str) -> Record:
    """
    Return the record with the viewer's own hand, as a line lists it; as it is if none was said.

    Raises:
        NotationError: If the hand cannot be read.
        ArgumentError: If nobody is the viewer.
    """
    if not hand:
        return record
    if record.table.viewer is None:
        raise ArgumentError("nothing says so: expected whose hand this is", argument="viewer")
    return record.append(parse_told(Hand, hand, record.table, subject=record.table.viewer))
