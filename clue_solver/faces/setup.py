"""Setting up a new game: the questions that every interface asks, and the record they give."""

import os
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from clue_solver.errors import ClueError, NotationError, counted, listed, printable
from clue_solver.faces.prompt import Prompt
from clue_solver.notation import card_names, lexicon_of, parse_names
from clue_solver.notation.names import Names, seats_in
from clue_solver.record import Record, header
from clue_solver.record.files import edition_from
from clue_solver.rules.edition import Edition
from clue_solver.rules.edition_files import TEMPLATE, load_edition, shipped_editions
from clue_solver.rules.table import SPECTATOR, Slot, Table


def own_editions(*folders: Path) -> tuple[Edition, ...]:
    """Return the editions in the files of some folders, each named by its absolute path."""
    editions: dict[str, Edition] = {}
    for file in sorted(file for folder in folders for file in folder.glob("*.toml")):
        with suppress(ClueError):
            name = os.path.realpath(file)
            editions.setdefault(name, load_edition(name))
    return tuple(editions.values())


def offered_editions(*folders: Path) -> tuple[Edition, ...]:
    """
    Return the editions to choose from: the shipped ones, then the user's own.

    Args:
        folders: Where the user's own are; by default the working folder and the folder of games.
    """
    from clue_solver.faces.games import games_folder

    shipped = (load_edition(name) for name in shipped_editions() if name != TEMPLATE)
    return (*shipped, *own_editions(*(folders or (Path(), games_folder()))))


def edition_line(edition: Edition, *, note: bool = True) -> str:
    """Return an edition as a line: its name, players and cards, with `note` also its note."""
    low, high = edition.players
    cards = "+".join(str(len(kind.cards)) for kind in edition.category)
    line = f"{Path(edition.name).stem}: {edition.title}, {low}-{high} players, {cards} cards"
    return f"{line}. {edition.note}".strip() if note else line


USUAL = "clue-classic"
"""The edition that is played by default."""


Typed = dict[str, str]
"""The typed values of the fields, by the fields' names."""


def doubtful_players(table: Table) -> Iterator[tuple[str, str]]:
    """
    Yield the doubts about the players' names: a question, and what to do if the answer is no.

    Doubtful are one name of several words among single words, the name of a weapon or a room, and a
    number of players that the edition is not made for. Names of suspects are normal.
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


def parse_face_down(text: str, edition: Edition) -> tuple[Slot, ...]:
    """
    Return the face-down slots in a list; rooms may be abbreviated.

    Raises:
        NotationError: If the list has cards that are not rooms: it is probably a hand.
    """
    names = card_names(edition).subset("room", edition.rooms)
    cards: tuple[str, ...] = ()
    with suppress(NotationError):
        cards = parse_names(text, card_names(edition))
    if {*cards} <= {*edition.rooms} and cards:
        return tuple(Slot(name=room) for room in cards)
    if len(cards) > 1:
        raise NotationError(
            f"expected places in which cards lie face-down, such as Pool 3; found {listed(cards)}: "
            "cards of your own go into your hand"
        )

    def whole(slot: Slot) -> Slot:
        readings = names.candidates(slot.name)
        return replace(slot, name=readings[0]) if len(readings) == 1 else slot

    return tuple(map(whole, header.slots_in(text)))


def piece_order_warning(table: Table) -> str:
    """Return a sentence if some players cannot have the piece that starts nearest; else empty."""
    suspects = table.edition.suspects
    around = [suspects.index(piece) for piece in table.pieces if piece is not None]
    first = around.index(min(around)) if around else 0
    clockwise = [*around[first:], *around[:first]]
    if table.edition.adopts != "nearest" or clockwise == sorted(around):
        return ""
    order = listed([suspects[place] for place in sorted(around)])
    title = table.edition.title
    return f"in {title}, each player takes the nearest piece, so clockwise they are {order}"


def table_warnings(table: Table) -> tuple[str, ...]:
    """Return warnings about a table."""
    return tuple(filter(None, (table.beyond_limits, piece_order_warning(table))))


def find_edition(text: str, offered: Iterable[Edition] | None = None) -> Edition:
    """
    Return the edition that a text means: by its name or year, or the path of its file.

    Raises:
        ClueError: If there is no such edition.
    """
    called = {Path(edition.name).stem: edition for edition in offered or offered_editions()}
    for edition in called.values():
        if edition.name == text:
            return edition
    of_year = [edition for name, edition in called.items() if name.endswith(f"-{text}")]
    if text.isdecimal() and len(of_year) == 1:  # 2015 for clue-2015
        return of_year[0]
    try:
        return called[Names("edition", called).find(text)]
    except NotationError as error:
        if error.nearest:
            raise
    whole = text in shipped_editions() or "\0" in text  # which no path has
    return load_edition(text if whole else os.path.realpath(text))


def viewer_in(text: str, seats: Sequence[str]) -> str | None:
    """
    Return the viewer that a text names; `None` for a spectator, which is `-`.

    An empty text means the first player.

    Raises:
        NotationError: If there is no such player.
    """
    said = text.strip()
    if said == "-" or (said.casefold() == SPECTATOR and said not in seats):
        return None
    names = Names("player", seats)
    own = not said or (said.casefold() in ("me", "i") and not names.candidates(said))
    return seats[0] if own else names.find(said)


def sizes_of(table: Table) -> str:
    """Return the hand sizes as the field shows them; `?` if the cards do not divide evenly."""
    return ", ".join(str(low) if low == most else "?" for low, most in table.size_bounds())


class Field(NamedTuple):
    """A field of the form: its name, its label, a hint, and the question to a person."""

    name: str
    label: str
    hint: str
    question: str = ""


FIELDS = (
    Field(
        "players", "Players, clockwise", "The players as they sit, clockwise, with commas between."
    ),
    Field("viewer", "You are", "Which of them you are; - if you only watch."),
    Field(
        "hands",
        "Cards in each hand",
        "In player order, with ? for any you don't know; or just the player who was dealt the "
        "first card.",
        "Who was dealt the first card?",
    ),
    Field(
        "hand",
        "Your cards",
        "The first few letters of each will do. You can also enter them later.",
    ),
    Field(
        "pieces",
        "Which piece is yours?",
        "Just yours, or everybody's in player order, with ? for any you don't know.",
    ),
    Field(
        "face_down",
        "Face-down, in rooms",
        "Nobody has the cards there: whoever enters may look.",
        "Which rooms have cards in them?",
    ),
    Field("first", "Who begins", "Who has the first turn, if you know.", "Who begins?"),
    Field(
        "face_up",
        "Face-up on the table",
        "Cards left over that everybody sees, if there are any.",
    ),
)
"""The fields of the form."""

FIELD = {"edition": Field("edition", "Edition", "", "Which edition?")}
FIELD |= {field.name: field for field in FIELDS}

ORDER = ("edition", "players", "viewer", "face_down", "hand", "hands", "pieces", "first", "face_up")
"""The fields in the order in which a person is asked."""


class NewGame(NamedTuple):
    """
    A new game while it is being set up.

    Its properties raise a `ClueError`, which names the field at fault, if no such game is possible.

    Attributes:
        edition: The edition.
        typed: The typed values of the fields.
        last: The table of the last game, whose house rules are kept if the same people play;
            `None` if there is none.
    """

    edition: Edition
    typed: Typed
    last: Table | None = None

    @property
    def table(self) -> Table:
        """The table, without hand sizes."""
        typed, edition, last = self.typed, self.edition, self.last
        with header.at_fault("players"):
            names = seats_in(typed["players"])
            seats = tuple(name.title() if name.islower() else name for name in names)
            same = last if last and (last.edition, last.seats) == (edition, seats) else None
            begun = same or Table(edition=edition, seats=seats)
        table = replace(begun, viewer=None, hands=(), face_up=(), slots=(), pieces=(), first=None)
        with header.at_fault("viewer"):
            table = replace(table, viewer=viewer_in(typed["viewer"], seats))
        table = header.with_key(table, "face-up", typed["face_up"])
        with header.at_fault("face-down"):
            rooms = typed["face_down"].strip() or _rooms_by_rule(table)
            if rooms and rooms != "-":
                slots = parse_face_down(rooms, edition)
                table = replace(table, slots=_in_rooms(slots, table))
        if edition.board is not None:
            table = header.with_key(table, "pieces", _pieces_value(typed["pieces"], table))
        return header.with_key(table, "first", typed["first"])

    @property
    def record(self) -> Record:
        """The record with which the game begins."""
        from clue_solver.exchange.imports import with_hand

        table = self._sized
        hand = self.typed["hand"].strip(" ,") if table.viewer else ""
        with header.at_fault("hand"):
            return with_hand(Record(table=table), hand)

    @property
    def _sized(self) -> Table:
        return header.with_key(self.table, "hands", self.typed["hands"])

    def record_in(self, folder: Path) -> Record:
        """Return that record for a file in a folder, with a relative path of an own edition."""
        edition = self.edition
        if Path(edition.name).is_absolute():
            edition = edition_from(edition, folder)
        return self._replace(edition=edition).record

    def asks(self, name: str, *, person: bool) -> bool:
        """
        Return whether to ask for a field, given the fields so far.

        Args:
            name: The field.
            person: Whether a person answers, not a script.
        """
        match name:
            case "face_down":
                return self.edition.undealt(len(self.table.seats)) > 0
            case "hand":
                return self.table.viewer is not None
            case "pieces":
                return person and self.edition.board is not None
            case "first":
                return person and replace(self.table, first=None).begins is None
            case "hands":
                return "?" in self._guesses["hands"]
            case "face_up":  # where nobody has a card more, they may lie open
                return person and not self.typed["hands"] and "?" in self._guesses["hands"]
        return True

    def with_answer(self, name: str, text: str, editions: Iterable[Edition]) -> "NewGame":
        """
        Return the game with a new value for a field.

        Args:
            name: The field.
            text: The typed value.
            editions: The editions to choose from.

        Raises:
            ClueError: If no such game is possible.
        """
        if name == "edition":
            return self._replace(edition=find_edition(text, editions))
        new = self._replace(typed=self.typed | {name: text})
        if name == "hand" and (missing := new.whole.missing):
            raise NotationError(missing)
        _ = new.whole.record
        return new

    @property
    def whole(self) -> "NewGame":
        """The game with the fields filled in that follow from the others."""
        guesses = self._guesses.items()
        sure = {name: text for name, text in guesses if "?" not in text and not self.typed[name]}
        return self._replace(typed=self.typed | sure)

    @property
    def _guesses(self) -> Typed:
        """The default values of the fields that have one."""
        with suppress(ClueError):
            return {"face_down": _rooms_by_rule(self.table), "hands": self._sizes}
        return dict.fromkeys(("face_down", "hands"), "")

    @property
    def _held(self) -> tuple[str, ...]:
        """The cards of the typed hand."""
        text = self.typed["hand"].strip(" ,") if self.table.viewer else ""
        return parse_names(text, lexicon_of(self.table).cards) if text else ()

    @property
    def _sizes(self) -> str:
        """The hand sizes as far as they follow from the rules and from the typed hand."""
        table, own = self.table, len(self._held)
        least, over = divmod(table.dealt, len(table.seats))
        # One player has a card more, or one a card less: then it may be the viewer.
        if own != (least + 1 if over == 1 else least) or over not in (1, len(table.seats) - 1):
            return sizes_of(table)
        each = least if over == 1 else least + 1
        return ", ".join(str(own if seat == table.viewer else each) for seat in table.seats)

    @property
    def missing(self) -> str:
        """A message with the cards of an incomplete hand, and its size; empty if it is complete."""
        table, held = self._sized, self._held
        if table.viewer is None or not held:
            return ""
        least, _ = table.size_bounds()[table.seats.index(table.viewer)]
        expected = f"expected {counted(least, 'card')}"
        return f"so far: {', '.join(held)}; {expected}" if len(held) < least else ""

    def question(
        self, name: str, editions: Sequence[Edition], fault: str = "", typed: str | None = None
    ) -> Prompt:
        """
        Return the question for a field.

        Args:
            name: The field.
            editions: The editions to choose from.
            fault: What was wrong with the last answer.
            typed: The last answer, if it was refused.
        """
        field, hint = FIELD[name], FIELD[name].hint
        told = self.typed.get(name, "")
        seats = (
            [] if name in ("edition", "players") else [(each, each) for each in self.table.seats]
        )
        choices: list[tuple[str, str]] = []
        example = ""
        match name:
            case "edition":
                choices = [(edition_line(each, note=False), each.name) for each in editions]
                told = self.edition.name
            case "viewer":
                choices = [*seats, ("nobody: I only watch", "-")]
            case "first":
                choices = [*seats, ("not known", "")]
            case "pieces":
                choices = [*((each, each) for each in self.edition.suspects), ("not known", "")]
            case "face_down":
                example = self._guesses["face_down"]
            case "hands":
                choices = [*seats, ("not known", "")]
                least, more = divmod(self.table.dealt, len(seats))
                have = "1 player has" if more == 1 else f"{more} players have"
                hint += f" {have} {least + 1} cards, the others {least}." if more else ""
        values = [value for _, value in choices]
        told = told if typed is None else typed
        usual = told if told or not values or "" in values else values[0]
        return Prompt(
            title=field.question or field.label,
            choices=tuple(choices),
            hint=hint,
            fault=fault,
            usual=usual,
            typed="" if usual in values else told,
            example=example,
        )


_LOST = "Esc once more goes back: what is typed here is lost."


Asking = Generator[tuple[Prompt, "NewGame"], str | None, NewGame | None]
"""Yields a question and the game so far, receives the answer, and returns the game."""


def questions(typed: Typed, last: Table | None = None, *, person: bool) -> Asking:
    """
    Ask for the unknown fields of a new game, question by question.

    A wrong answer is asked for again; the answer `None` goes back one question.

    Args:
        typed: The known values, which are not asked for.
        last: The table to play at again, whose edition and players are known.
        person: Whether a person answers. A person is also asked about doubtful names and optional
            fields.

    Returns:
        The game; `None` if the person went back from the first question.

    Raises:
        ClueError: If there is no such edition.
    """
    editions = [*offered_editions()]
    known = {*typed}
    if last is None:
        edition = find_edition(typed.get("edition") or USUAL, editions)
    else:
        edition, known = last.edition, {"edition", "players", "viewer"}
        as_before = ("players", "viewer", "face_down", "pieces", "first")
        typed = {
            name: header.format_value(last, name.replace("_", "-")) or "" for name in as_before
        }
    if edition.name not in [each.name for each in editions]:
        editions.append(edition)
    new = NewGame(edition, dict.fromkeys(ORDER, "") | typed, last)
    doubted: set[str] = set()  # nobody is asked twice
    fault = ""
    refused: str | None = None

    def following(place: int) -> str | None:
        left = (name for name in ORDER[place:] if name not in known)
        return next((name for name in left if new.asks(name, person=person)), None)

    name = following(0)
    while name is not None:
        place = ORDER.index(name)
        text = yield new.question(name, editions, fault, refused), new
        fault, refused = "", None
        if text is None:
            before = [each for each in ORDER[:place] if new.asks(each, person=person)]
            if not before and (not new.typed["players"] or _LOST in doubted):
                return None
            if before:
                name = before[-1]
            else:
                fault = _LOST
                doubted.add(_LOST)
            continue
        try:
            answered = new.with_answer(name, text, editions)
            if person and name == "players":
                for asked, otherwise in doubtful_players(answered.table):
                    if asked not in doubted:
                        doubted.add(asked)
                        raise NotationError(f"{asked} Enter again if so; if not, {otherwise}.")
        except ClueError as error:
            fault, refused = f"✗ {error}", text
        else:
            new = answered
            name = following(place + 1)
    return new.whole


def _rooms_by_rule(table: Table) -> str:
    """Return the rooms where the rules put the cards that are left over with so many players."""
    return ", ".join(table.edition.face_down_rooms(len(table.seats)))


def _in_rooms(slots: tuple[Slot, ...], table: Table) -> tuple[Slot, ...]:
    """
    Return face-down slots unchanged.

    Raises:
        NotationError: If the rules put cards into some rooms, and the slots differ from that.
    """
    edition, count = table.edition, table.edition.undealt(len(table.seats))
    rooms = [slot for slot in slots if slot.name in edition.rooms and slot.count == 1]
    if count and not len(rooms) == len(slots) == count:
        other = next((slot.name for slot in slots if slot not in rooms), f"{len(rooms)} rooms")
        example = _rooms_by_rule(table)
        such = f", such as {example}" if example else ""
        raise NotationError(f"expected {count} rooms{such}; found {printable(other)}")
    return slots


def _pieces_value(text: str, table: Table) -> str:
    """Return typed pieces as a header writes them; a single piece is the viewer's."""
    if table.viewer is None or len(lexicon_of(table).suspects.candidates(text)) != 1:
        return text
    return ", ".join(text if seat == table.viewer else "?" for seat in table.seats)
