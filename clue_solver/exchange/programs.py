"""
What other programs keep of a game, each found by its own shape, as a record.

- jambolo/ClueSolver: a line with the players' names, then a JSON object for each event.
- LetsGetIntoIt/effect-clue: a session as one JSON object, with `setup` and `suggestions`.

The shapes are those that the programs' public sources read and write.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import DecodeError, json
from msgspec.structs import replace

from clue_solver.errors import NotationError, RecordError, printable
from clue_solver.exchange.grid import Grid
from clue_solver.exchange.imports import Imported, ImportOptions, Unclear, Unsaid, table_lines
from clue_solver.exchange.naming import NameFinder, edition_of
from clue_solver.notation import lexicon_of
from clue_solver.notation.names import Names, joined
from clue_solver.record import Record
from clue_solver.rules.edition import Edition
from clue_solver.rules.observations import (
    Accusation,
    Answer,
    Hand,
    Knowing,
    Observation,
    Suggestion,
)
from clue_solver.rules.table import Table

_EVENTS = {"hand", "suggest", "show", "accuse"}


def read_program(text: str, *, name: str, options: ImportOptions) -> Imported | None:
    """
    Return what another program's log tells; `None` if it is no log of a program that is known.

    Raises:
        RecordError: If something in it cannot be read, with its place.
        Unclear: If something has to be said besides: the players, the viewer, the edition.
    """
    body = text.removeprefix("\ufeff").strip()
    if body.startswith("["):
        first, _, rest = body.partition("\n")
        players = _decoded(first)
        lines = [*map(_decoded, filter(str.strip, rest.split("\n")))]
        named = isinstance(players, list) and all(isinstance(each, str) for each in players)
        if named and lines and all(isinstance(x, dict) and {*x} & _EVENTS for x in lines):
            return _ClueSolver(players, lines, name, options).imported()
    if body.startswith("{"):
        whole = _decoded(body)
        if isinstance(whole, dict) and {"setup", "suggestions"} <= {*whole}:
            return _Session(whole, name, options).imported()
    return None


def _decoded(text: str) -> Any:
    try:
        return json.decode(text)
    except (DecodeError, RecursionError):
        return None


class _Reader:
    """
    What readers of JSON share: fields with their places, and names at the table.

    Attributes:
        program: The program whose log it is.
        edition_how: How the edition was found, in words.
        how: What else the log was taken for.
        aside: What is left aside.
    """

    program = ""

    def __init__(self, name: str, options: ImportOptions) -> None:
        if options.hand:
            reason = f"{self.program} says the hands itself: leave the hand out"
            raise RecordError(reason, argument="hand")
        self.name = name
        self.options = options
        self.finding = NameFinder(Grid(name=name, rows=()), mend=options.mend)
        self.table: Table
        self.edition_how = ""
        self.how: list[str] = []
        self.aside: list[str] = []

    def told(self) -> Sequence[Observation]:
        """Return what the log tells, in order."""
        raise NotImplementedError

    def imported(self) -> Imported:
        """Return the record of the log; refuse what has no meaning, by its number."""
        record = Record(table=self.table)
        told = self.told()
        for number, observation in enumerate(told, 1):
            try:
                record = record.append(observation)
            except NotationError as error:
                raise RecordError(f"event {number}: {error.reason}", path=self.name) from None
        understood = (
            f"a game of {self.program}, {len(told)} events",
            *table_lines(self.table, edition=self.edition_how, players="as the log has them"),
            *self.how,
        )
        return Imported(record=record, kind="log", understood=understood, aside=(*self.aside,))

    def edition(self, labels: Iterable[str]) -> Edition:
        """Return the edition that has the cards of the log."""
        found = edition_of(list(dict.fromkeys(labels)), self.options)
        if found.question:
            raise Unclear((), [found.question], path=self.name)
        self.edition_how = found.how
        return found.edition

    def field(self, told: Mapping[str, Any], key: str, kind: type, place: str) -> Any:
        """Return a field of an object; refuse it if it is of another kind or not there."""
        value = told.get(key)
        if not isinstance(value, kind):
            words = {str: "a text", list: "a list", dict: "an object", bool: "true or false"}[kind]
            found = "nothing" if value is None else f"'{printable(str(value))}'"
            reason = f"{place}: expected {words} under '{key}'; found {found}"
            raise RecordError(reason, path=self.name)
        return value

    def texts(self, told: Mapping[str, Any], key: str, place: str) -> list[str]:
        """Return a list of texts in an object."""
        values = self.field(told, key, list, place)
        if not all(isinstance(each, str) for each in values):
            raise RecordError(f"{place}: expected texts under '{key}'", path=self.name)
        return list(values)

    def find(self, names: Names, text: str, place: str) -> str:
        """Return the one name that a text stands for, or its one proposal."""
        try:
            return self.finding.named(names, text)
        except NotationError as error:
            raise RecordError(f"{place}: {error.reason}", path=self.name) from None

    def seat(self, text: str, place: str) -> str:
        return self.find(lexicon_of(self.table).seats, text, place)

    def cards(self, texts: Sequence[str], place: str) -> tuple[str, ...]:
        """Return the cards in the order of their categories."""
        names = lexicon_of(self.table).cards
        edition = self.table.edition
        kinds = [kind.name for kind in edition.category]
        found = [self.find(names, each, place) for each in texts]
        return tuple(sorted(found, key=lambda card: kinds.index(edition.category_of[card])))

    def asked(self, by: str, cards: Sequence[str], heard: Mapping[str, Answer]) -> Suggestion:
        """Return a suggestion with the answers that were heard, in the order of answering."""
        order = self.table.answering(by)
        answers = sorted(heard.values(), key=lambda each: order.index(each.seat or ""))
        return Suggestion(by=by, cards=tuple(cards), answers=tuple(answers))


class _ClueSolver(_Reader):
    """Reads jambolo's log: `showed` are those who answered, or under other rules all who showed."""

    program = "jambolo/ClueSolver"

    def __init__(
        self,
        players: Sequence[str],
        lines: Sequence[dict[str, Any]],
        name: str,
        options: ImportOptions,
    ) -> None:
        super().__init__(name, options)
        self.lines = [(f"line {number}", line) for number, line in enumerate(lines, 2)]
        for place, line in self.lines:
            told = [each for kind, each in line.items() if kind in _EVENTS]
            if len(line) != 1 or not told or not isinstance(told[0], dict):
                known = joined(sorted(_EVENTS))
                raise RecordError(f"{place}: expected one event, {known}", path=name)
        labels = [
            card
            for place, line in self.lines
            for each in line.values()
            for card in ([each["card"]] if "card" in each else self.texts(each, "cards", place))
        ]
        edition = self.edition(map(str, labels))
        hands = [str(each["hand"].get("player")) for _, each in self.lines if "hand" in each]
        whose = hands[0] if len({*hands}) == 1 else None
        seats = options.players or tuple(players)
        table = options.table(edition, seats, ImportOptions(viewer=whose))
        self.table = table
        everyone = self._everyone() if options.answers is None else options.answers == "all"
        self.everyone = everyone
        self.table = replace(table, answers="all") if everyone else table

    def told(self) -> Sequence[Observation]:
        told: list[Observation] = []
        shown: dict[str, Answer] = {}
        for place, line in self.lines:
            ((kind, each),) = line.items()
            by = self.seat(self.field(each, "player", str, place), place)
            if kind == "show":
                before = told[-1] if told else None
                showed = by in shown and shown[by].answer == "shows"
                if not isinstance(before, Suggestion) or not showed:
                    raise RecordError(
                        f"{place}: expected a suggestion that {by} answered", path=self.name
                    )
                (card,) = self.cards([self.field(each, "card", str, place)], place)
                shown[by] = Answer(seat=by, answer="shows", card=card)
                told[-1] = self.asked(before.by, before.cards, shown)
                continue
            cards = self.cards(self.texts(each, "cards", place), place)
            if kind == "hand":
                told.append(Hand(seat=by, cards=cards))
            elif kind == "accuse":
                right = self.field(each, "correct", bool, place)
                told.append(Accusation(by=by, cards=cards, right=right))
            else:
                shown = self._heard(by, each, place)
                told.append(self.asked(by, cards, shown))
        self.how = ["everyone who can shows" if self.everyone else "the first who can shows"]
        return told

    def _listed(self, each: Mapping[str, Any], place: str) -> list[str]:
        key = "showed" if "showed" in each else "holders"
        return [self.seat(name, place) for name in self.texts(each, key, place)]

    def _everyone(self) -> bool:
        """Whether everyone shows: some list is not of those who are asked first."""
        lists = []
        for place, line in self.lines:
            if "suggest" in line:
                each = line["suggest"]
                if "holders" in each:
                    return True
                by = self.seat(self.field(each, "player", str, place), place)
                named = self._listed(each, place)
                lists.append(named)
                if named != list(self.table.answering(by)[: len(named)]):
                    return True
        if any(len(named) > 1 for named in lists):
            text = "say who shows a card, the first who can or all: the log does not tell"
            raise Unclear((), [Unsaid("answers", text, ("first", "all"))], path=self.name)
        return False

    def _heard(self, by: str, each: Mapping[str, Any], place: str) -> dict[str, Answer]:
        named = self._listed(each, place)
        order = self.table.answering(by)
        if by in named:
            raise RecordError(f"{place}: {by} cannot answer their own suggestion", path=self.name)
        if self.everyone:
            return {
                seat: Answer(seat=seat, answer="shows" if seat in named else "passes")
                for seat in order
            }
        if not named:
            return {seat: Answer(seat=seat, answer="passes") for seat in order}
        last = named[-1]
        return {
            seat: Answer(seat=seat, answer="shows" if seat == last else "passes") for seat in named
        }


class _Session(_Reader):
    """Reads a session of effect-clue."""

    program = "LetsGetIntoIt/effect-clue"

    def __init__(self, whole: dict[str, Any], name: str, options: ImportOptions) -> None:
        super().__init__(name, options)
        self.whole = whole
        setup = self.field(whole, "setup", dict, "the session")
        players = tuple(self.texts(setup, "players", "setup"))
        self.called: dict[str, str] = {}
        for kind in self.field(setup, "categories", list, "setup"):
            for card in self.field(kind, "cards", list, "setup, categories"):
                name_of = self.field(card, "name", str, "setup, cards")
                self.called[self.field(card, "id", str, "setup, cards")] = name_of
        edition = self.edition(self.called.values())
        sizes = {str(each.get("player")): each.get("size") for each in self._list("handSizes")}
        hands = tuple(map(sizes.get, players))
        if not all(each is None or isinstance(each, int) for each in hands):
            raise RecordError("handSizes: expected whole numbers", path=name)
        whose = whole.get("selfPlayerId")
        known = [str(each.get("player")) for each in self._list("hands")]
        viewer = whose if whose in players else known[0] if len({*known}) == 1 else None
        told = ImportOptions(viewer=viewer, hands=() if {*hands} == {None} else hands)
        self.table = options.table(edition, options.players or players, told)

    def _list(self, key: str) -> list[dict[str, Any]]:
        values = self.whole.get(key) or []
        if not isinstance(values, list) or not all(isinstance(each, dict) for each in values):
            raise RecordError(f"expected a list of objects under '{key}'", path=self.name)
        return values

    def _named(self, each: Mapping[str, Any], place: str) -> tuple[str, ...]:
        ids = self.texts(each, "cards", place)
        return self.cards([self.called.get(one, one) for one in ids], place)

    def told(self) -> Sequence[Observation]:
        timed: list[tuple[float, Observation]] = []
        for number, each in enumerate(self._list("suggestions"), 1):
            timed.append((self._time(each), self._suggestion(each, f"suggestion {number}")))
        for number, each in enumerate(self._list("accusations"), 1):
            place = f"accusation {number}"
            by = self.seat(self.field(each, "accuser", str, place), place)
            wrong = Accusation(by=by, cards=self._named(each, place), right=False)
            timed.append((self._time(each), wrong))
        if all(time for time, _ in timed):
            timed.sort(key=lambda pair: pair[0])
        for key in ("hypotheses", "userDeductions"):
            if self.whole.get(key):
                self.aside.append(f"{len(self.whole[key])} {key}")
        if self.whole.get("pendingSuggestion"):
            self.aside.append("a suggestion that is not finished")
        told = [*self._hands(), *(each for _, each in timed)]
        self.how = [*self.finding.understood()]
        return told

    def _time(self, each: Mapping[str, Any]) -> float:
        time = each.get("loggedAt")
        return float(time) if isinstance(time, int | float) else 0.0

    def _hands(self) -> Iterator[Observation]:
        bounds = self.table.size_bounds()
        for number, each in enumerate(self._list("hands"), 1):
            place = f"hand {number}"
            seat = self.seat(self.field(each, "player", str, place), place)
            cards = self._named(each, place)
            if len(cards) >= bounds[self.table.seats.index(seat)][1]:
                yield Hand(seat=seat, cards=cards)
            else:
                yield from (Knowing(by=seat, holder=seat, has=(card,)) for card in cards)

    def _suggestion(self, each: Mapping[str, Any], place: str) -> Suggestion:
        by = self.seat(self.field(each, "suggester", str, place), place)
        cards = self._named(each, place)
        passed = [self.seat(one, place) for one in self.texts(each, "nonRefuters", place)]
        heard = {seat: Answer(seat=seat, answer="passes") for seat in passed}
        if each.get("refuter") is not None:
            seat = self.seat(self.field(each, "refuter", str, place), place)
            card = None
            if each.get("seenCard") is not None:
                seen = self.field(each, "seenCard", str, place)
                (card,) = self.cards([self.called.get(seen, seen)], place)
            if seat in heard:
                raise RecordError(f"{place}: {seat} both refutes and does not", path=self.name)
            heard[seat] = Answer(seat=seat, answer="shows", card=card)
        elif each.get("seenCard") is not None:
            raise RecordError(f"{place}: expected who showed this card as well", path=self.name)
        if by in heard:
            raise RecordError(f"{place}: {by} cannot answer their own suggestion", path=self.name)
        return self.asked(by, cards, heard)
