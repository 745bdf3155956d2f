"""Setting up a new game: the questions that every interface asks, and the record that they make."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, NotationError, listed, printable
from clue_solver.faces.games import games_folder
from clue_solver.faces.prompt import Prompt
from clue_solver.notation.lexicon import card_names, lexicon_of
from clue_solver.notation.names import Names, parse_names, seats_in
from clue_solver.record import header
from clue_solver.record.clue import format_record
from clue_solver.record.contents import Record
from clue_solver.record.files import RecordFile, relocated
from clue_solver.rules.edition import Edition
from clue_solver.rules.edition_files import TEMPLATE, load_edition, shipped_editions
from clue_solver.rules.observations import Hand
from clue_solver.rules.table import SPECTATOR, Slot, Table

USUAL = "clue-classic"
"""The edition that is played by default."""

Typed = dict[str, str]
"""What was typed for the fields of a new game, by the names in `FIELDS`."""


def offered_editions(*folders: Path) -> tuple[Edition, ...]:
    """
    Return the editions to choose from: the shipped ones, then the user's own.

    Args:
        folders: Where to look for the user's own; by default in the working folder and in the
            folder of games.
    """
    editions = {name: load_edition(name) for name in shipped_editions() if name != TEMPLATE}
    for folder in folders or (Path(), games_folder()):
        for file in sorted(folder.glob("*.toml")):
            with suppress(ClueError):
                name = os.path.realpath(file)
                editions.setdefault(name, load_edition(name))
    return tuple(editions.values())


def find_edition(text: str) -> Edition:
    """
    Return the edition with this title, name or path; a part of a title or a name is enough.

    Raises:
        ClueError: If there is no such edition.
    """
    if os.path.isfile(text):  # noqa: PTH113 (a text with a NUL is no path)
        return load_edition(os.path.realpath(text))
    named = {Path(edition.name).stem: edition for edition in offered_editions()}
    aliases = {name: (edition.title,) for name, edition in named.items()}
    try:
        return named[Names("edition", named, aliases=aliases).find(text)]
    except NotationError as error:
        if error.nearest:
            raise
    return load_edition(text)


def doubtful_players(table: Table) -> Iterator[tuple[str, str]]:
    """
    Yield doubts about the players: a question, and what to do if the answer is no.

    Doubtful are a name of several words if others are single words, the name of a weapon or a
    room, and a number of players that the edition is not made for. Names of suspects are normal.
    """
    several = [name for name in table.seats if " " in name]
    if 0 < len(several) < len(table.seats):
        asked = f"Is '{printable(several[0])}' one player?"
        yield asked, "put commas between all the names, or use no commas at all"
    suspects = [card.name for card in table.edition.category[0].cards]
    cards = card_names(table.edition)
    for name in table.seats:
        if (named := cards.exact(name)) and named[0] not in suspects:
            asked = f"Is a player really called {printable(name)}, like the card?"
            yield asked, "the hand comes later"
    if beyond := table.beyond_limits:
        yield f"{beyond}: is that right?", "choose another edition or other players"


def piece_order_warning(table: Table) -> str:
    """
    Return a warning if the players' pieces do not fit the order in which they sit.

    In some editions each player takes the nearest piece, which fixes the order. The text is empty
    if all is well.
    """
    suspects = table.edition.suspects
    around = [suspects.index(piece) for piece in table.pieces if piece is not None]
    first = around.index(min(around)) if around else 0
    clockwise = [*around[first:], *around[:first]]
    if table.edition.adopts != "nearest" or clockwise == sorted(around):
        return ""
    order = listed([suspects[place] for place in sorted(around)])
    title = table.edition.title
    return f"in {title}, each player takes the nearest piece, so clockwise they are {order}"


def slots_in(text: str, table: Table) -> tuple[Slot, ...]:
    """
    Return the places of face-down cards that a text lists. Rooms may be abbreviated.

    An empty text means the rooms where the rules put the cards that are left over; `-` means none.

    Raises:
        NotationError: If the text lists other cards, so that it is probably a hand, or if the rules
            put cards into another number of rooms.
    """
    edition = table.edition
    cards = edition.face_down_rooms(len(table.seats))
    such = f", such as {', '.join(cards)}" if cards else ""
    if text == "-":
        return ()
    if text:
        cards = ()
        with suppress(NotationError):
            cards = parse_names(text, card_names(edition))
    if not {*cards} <= {*edition.rooms}:
        such = such or ", such as Pool 3"
        expected = f"expected places in which cards lie face down{such}"
        hand = "your own cards belong in your hand"
        raise NotationError(f"{expected}; found {listed(cards)}: {hand}")
    wanted = edition.undealt(len(table.seats))
    if wanted and text and len(cards) != wanted:
        raise NotationError(f"expected {wanted} rooms{such}; found '{printable(text)}'")
    return tuple(Slot(name=room) for room in cards) or header.slots_in(text)


class NewGame(NamedTuple):
    """
    A new game that is being set up.

    Its properties raise a `ClueError`, which names the field at fault, if no such game is possible.

    Attributes:
        edition: The edition.
        typed: The typed values of the fields; empty for those that are not known.
        last: The table of the last game, whose house rules are kept if the players and the
            edition are the same; `None` if there is none.
    """

    edition: Edition
    typed: Typed
    last: Table | None = None

    @property
    def table(self) -> Table:
        """The table, without hand sizes."""
        edition, typed, last = self.edition, self.typed, self.last
        with header.at_fault("players"):
            names = seats_in(typed["players"])
            seats = tuple(name.title() if name.islower() else name for name in names)
            table = Table(edition=edition, seats=seats)
        if last is not None and (last.edition, last.seats) == (edition, seats):
            table = replace(
                last, hands=(), viewer=None, face_up=(), slots=(), pieces=(), first=None
            )
        viewer = typed["viewer"].strip() or seats[0]
        table = header.with_key(table, "viewer", SPECTATOR if viewer == "-" else viewer)
        table = header.with_key(table, "face-up", typed["face_up"])
        with header.at_fault("face-down"):
            table = replace(table, slots=slots_in(typed["face_down"].strip(), table))
        if edition.board is not None:
            pieces = typed["pieces"]
            if table.viewer and len(lexicon_of(table).suspects.candidates(pieces)) == 1:
                pieces = ", ".join(pieces if seat == table.viewer else "?" for seat in seats)
            table = header.with_key(table, "pieces", pieces)
        return header.with_key(table, "first", typed["first"])

    @property
    def record(self) -> Record:
        """The record with which the game begins."""
        table = header.with_key(self.table, "hands", self.typed["hands"])
        record, hand = Record(table=table), self.hand
        if table.viewer is None or not hand:
            return record
        with header.at_fault("hand"):
            return record.append(Hand(seat=table.viewer, cards=hand))

    def begin(self, path: Path) -> Session:
        """Write the game to a new file and open it; raise a `RecordError` if it is open already."""
        record = relocated(self.record, Path(), path.parent)
        session = Session(record, keeper=RecordFile(path))
        session.write_out()
        return session

    @property
    def hand(self) -> tuple[str, ...]:
        """The cards of the typed hand."""
        table, text = self.table, self.typed["hand"].strip(" ,")
        with header.at_fault("hand"):
            if table.viewer is None:
                return ()
            roles = [kind.name for kind in table.edition.category] if table.edition.features else ()
            return parse_names(text, lexicon_of(table).cards, roles)

    @property
    def dealings(self) -> dict[str, tuple[int, ...]]:
        """The possible hand sizes in seat order, by the seat that got the first card."""
        table, hand = self.table, self.hand
        dealt = {seat: table.dealt_from(place) for place, seat in enumerate(table.seats)}
        if not hand:
            return dealt
        own = table.seats.index(str(table.viewer))
        return {seat: sizes for seat, sizes in dealt.items() if sizes[own] == len(hand)}

    @property
    def sizes(self) -> str:
        """The hand sizes as a text, if only one dealing is possible; empty if several are."""
        sizes = {*self.dealings.values()}
        return ", ".join(map(str, sizes.pop())) if len(sizes) == 1 else ""

    @property
    def whole(self) -> "NewGame":
        """
        The game with hand sizes: those that were typed, or else those of the only possible dealing.
        """
        return self._replace(typed=self.typed | {"hands": self.typed["hands"] or self.sizes})

    @property
    def text(self) -> str:
        """The beginning of the game's file, as far as it is known."""
        if not self.typed["players"]:
            return f"edition: {self.edition.name}"
        seen = self.typed | {"viewer": self.typed["viewer"] or "-"}
        return format_record(self._replace(typed=seen).whole.record)

    def question(self, name: str, *, person: bool) -> Prompt | None:
        """
        Return the question for a field; `None` if it need not be asked, given the known values.

        Args:
            name: The field.
            person: Whether a person is asked. Only a person is asked for what can be left out.
        """
        # Without an edition and players, there is no table to ask about yet.
        if name == "edition":
            choices = tuple((_edition_line(each), each.name) for each in offered_editions())
            return Prompt("Which edition?", choices)
        if name == "players":
            hint = "The players as they sit, clockwise, separated by commas."
            return Prompt("Players, clockwise", hint=hint)
        # Each other field is asked for only if it matters at this table.
        table, edition = self.table, self.edition
        seats = [(seat, seat) for seat in table.seats]
        match name:
            case "viewer":
                hint = "Which player you are, or - if you are only watching."
                return Prompt("You are", (*seats, ("nobody: I'm only watching", "-")), hint=hint)
            case "face_down" if edition.undealt(len(seats)):
                hint = (
                    "Nobody holds these cards: a player who enters the room may look at its card."
                )
                rooms = ", ".join(edition.face_down_rooms(len(seats)))
                return Prompt("Which rooms have cards in them?", hint=hint, example=rooms)
            case "hand" if table.viewer:
                hint = "The first few letters of each will do. You can also enter them later."
                if edition.features:  # several cards have the same suspect
                    roles = [each.name.casefold() for each in edition.category]
                    hint += f" Say the role before the cards that have it: {' or '.join(roles)}."
                return Prompt("Your cards", hint=hint)
            case "hands" if not self.sizes:
                least, more = divmod(table.dealt, len(seats))
                have = "1 player has" if more == 1 else f"{more} players have"
                hint = f"{have} {least + 1} cards, the others {least}. You may also type how many "
                hint += "each has, in player order, with ? for any you don't know."
                if len(self.dealings) < len(seats):
                    hint += " With your number of cards it is one of these."
                first = [(seat, seat) for seat in self.dealings]
                return Prompt("Who was dealt the first card?", (*first, _UNKNOWN), hint=hint)
            case "pieces" if person and edition.board:
                hint = "Just yours, or everybody's in player order, with ? for any you don't know."
                suspects = ((suspect, suspect) for suspect in edition.suspects)
                return Prompt("Which piece is yours?", (*suspects, _UNKNOWN), hint=hint)
            case "first" if person and table.begins is None:
                hint = "Who has the first turn, if you know."
                return Prompt("Who begins?", (*seats, _UNKNOWN), hint=hint)
            case "face_up" if person and not (self.typed["hands"] or self.sizes):
                if len(self.hand) > table.dealt // len(seats):  # others have fewer: all are dealt
                    return None
                hint = "Cards left over that everybody sees, if there are any."
                return Prompt("Face up on the table", hint=hint)
        return None

    def with_answer(self, name: str, text: str) -> "NewGame":
        """Return the game with a new value for a field; raise a `ClueError` if it is impossible."""
        if name == "edition":
            return self._replace(edition=find_edition(text))
        new = self._replace(typed=self.typed | {name: text})
        if name == "hand" and new.hand and not new.dealings:
            sizes = sorted({size for sizes in self.dealings.values() for size in sizes})
            expected = f"expected {' or '.join(map(str, sizes))} cards"
            raise NotationError(f"{expected}; found {len(new.hand)}: {', '.join(new.hand)}")
        _ = new.whole.record
        return new


FIELDS = (
    "edition",
    "players",
    "viewer",
    "face_down",
    "hand",
    "hands",
    "pieces",
    "first",
    "face_up",
)
"""
The fields of a new game, in the order of their questions. All but `hand` are keys of the record's
header, with `_` for `-`.
"""

_UNKNOWN = ("not known", "")


def table_warnings(table: Table) -> tuple[str, ...]:
    """Return warnings about a table: an unusual number of players, or pieces out of order."""
    return tuple(filter(None, (table.beyond_limits, piece_order_warning(table))))


def _edition_line(edition: Edition) -> str:
    """Return an edition as a line: its title, players, cards and name."""
    low, high = edition.players
    cards = "+".join(str(len(kind.cards)) for kind in edition.category)
    return f"{edition.title}, {low}-{high} players, {cards} cards ({Path(edition.name).stem})"
