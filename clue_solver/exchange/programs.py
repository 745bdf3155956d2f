"""
What other programs keep of a game, each found by its own shape, as a record.

- jambolo/ClueSolver: a line with the players' names, then a JSON object for each event.
- LetsGetIntoIt/effect-clue: a session as one JSON object, with `setup` and `suggestions`.
- Agade09/Cluedo_Sheet: its list of events, lists of 3 or 5 numbers.
- gregstoll/cluesolver: its saved state, a line of digits and letters.
- AArnott/ClueBuddy: a deck (`.clueVariety`), which becomes an edition.

The shapes are those that the programs' public sources read and write.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from xml.etree import ElementTree

from msgspec import DecodeError, json
from msgspec.structs import replace

from clue_solver.errors import NotationError, RecordError, SetupError, printable
from clue_solver.exchange.grid import Grid
from clue_solver.exchange.imports import Imported, ImportOptions, Unclear, Unsaid
from clue_solver.exchange.naming import NameFinder, edition_of
from clue_solver.notation import lexicon_of
from clue_solver.notation.names import Names, joined
from clue_solver.record import Record
from clue_solver.rules.edition import Edition, load_edition
from clue_solver.rules.observations import (
    Accusation,
    Answer,
    Hand,
    Knowing,
    Observation,
    Suggestion,
)
from clue_solver.rules.table import ENVELOPE, Table

_EVENTS = {"hand", "suggest", "show", "accuse"}
_STATE = re.compile(r"([2-9])((?:\d[A-U]*-[A-U]*(?:-[A-U]*)*\.)+)")
_LIST = re.compile(r"(?:Event_List\s*=\s*)?(\[\s*\[.*\]\s*\])\s*", re.DOTALL)

_NUMBERED = (
    *("Plum", "Mustard", "Green", "Scarlett", "White", "Peacock"),
    *("Knife", "Candlestick", "Revolver", "Lead Pipe", "Rope", "Wrench"),
    *("Hall", "Conservatory", "Dining Room", "Kitchen", "Study", "Library", "Ballroom"),
    *("Lounge", "Billiard Room"),
)
"""The cards in the order of cluesolver's letters; Cluedo_Sheet's numbers have Orchid for White."""


class ForeignLog(NamedTuple):
    """What a program's log tells: whose, of what, in what order, and what is left aside."""

    program: str
    table: Table
    told: Sequence[Observation]
    how: Sequence[str] = ()
    aside: Sequence[str] = ()


def read_program(text: str, *, name: str, options: ImportOptions) -> Imported | None:
    """
    Return what another program's log tells; `None` if it is no log of a program that is known.

    Raises:
        RecordError: If something in it cannot be read, with its place.
        Unclear: If something has to be said besides: the players, the viewer, the edition.
    """
    body = text.removeprefix("\ufeff").strip()
    if _STATE.fullmatch(body):
        return _imported(_solver_state(body, name, options), name, options)
    if _LIST.fullmatch(body) and (events := _numbers(body)) is not None:
        return _imported(_sheet_events(events, name, options), name, options)
    if body.startswith("["):
        first, _, rest = body.partition("\n")
        players = _decoded(first)
        lines = [*map(_decoded, filter(str.strip, rest.split("\n")))]
        named = isinstance(players, list) and all(isinstance(player, str) for player in players)
        if named and lines and all(isinstance(line, dict) and {*line} & _EVENTS for line in lines):
            return _imported(_ClueSolver(players, lines, name, options).log(), name, options)
    if body.startswith("{"):
        whole = _decoded(body)
        if isinstance(whole, dict) and {"setup", "suggestions"} <= {*whole}:
            return _imported(_Session(whole, name, options).log(), name, options)
    return None


def deck_of(text: str, *, name: str) -> str | None:
    """
    Return the edition file that a deck of ClueBuddy is; `None` if a text is no such deck.

    Raises:
        RecordError: If it is one and cannot be read.
    """
    if "<GameVariety" not in text:
        return None
    if "<!" in re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL):
        raise RecordError("expected a deck without a document type of its own", path=name)
    try:
        root = ElementTree.fromstring(text.removeprefix("\ufeff").encode())
    except (ElementTree.ParseError, ValueError) as error:
        raise RecordError(f"expected XML; {printable(str(error))}", path=name) from None
    space = root.tag.partition("}")[0] + "}" if root.tag.startswith("{") else ""
    rules = {
        rule.tag.removeprefix(space): (rule.text or "").strip()
        for rule in root.iterfind(f"{space}Rules/*")
    }
    looks = '"looks", ' if rules.get("HasSpyglass") == "true" else ""
    lines = [
        f"title = {json.encode(root.get('Name') or 'Clue').decode()}",
        f'answers = "{"all" if rules.get("DisprovalEndsTurn") == "false" else "first"}"',
        f'observes = ["suggests", {looks}"accuses", "holds", "knows"]',
    ]
    for kind, group in (("suspect", "Suspects"), ("weapon", "Weapons"), ("room", "Places")):
        item = group.removesuffix("s")
        names = [card.get("Name") or "" for card in root.iterfind(f"{space}{group}/{space}{item}")]
        if not names:
            raise RecordError(f"expected cards under {group}; found none", path=name)
        cards = ", ".join(f"{{ name = {json.encode(name).decode()} }}" for name in names)
        plural = "Rooms" if group == "Places" else group
        lines += [
            "",
            "[[category]]",
            f'name = "{kind}"',
            f'plural = "{plural}"',
            f"cards = [{cards}]",
        ]
    return "\n".join(lines) + "\n"


def _decoded(text: str) -> Any:
    try:
        return json.decode(text)
    except (DecodeError, RecursionError):
        return None


def _imported(log: ForeignLog, name: str, options: ImportOptions) -> Imported:
    """Return the record of a log; refuse what has no meaning, by its number."""
    record = Record(table=log.table)
    if options.hand:
        raise RecordError(
            f"{log.program} says the hands itself: leave the hand out", argument="hand"
        )
    for number, observation in enumerate(log.told, 1):
        try:
            record = record.append(observation)
        except NotationError as error:
            raise RecordError(f"event {number}: {error.reason}", path=name) from None
    viewer = log.table.viewer
    understood = (
        f"a game of {log.program}, {len(log.told)} events",
        f"edition {log.table.edition.name}",
        f"players {', '.join(log.table.seats)}",
        f"the notes of {viewer}" if viewer else "nobody's notes: a spectator's",
        *log.how,
    )
    return Imported(record=record, kind="log", understood=understood, aside=tuple(log.aside))


def _edition(labels: Sequence[str], options: ImportOptions, name: str) -> tuple[Edition, str]:
    """Return the edition that has the cards of a log, and how it was found."""
    fit = edition_of(labels, options)
    if fit.question:
        raise Unclear((), [fit.question], path=name)
    return fit.edition, fit.how


def _asked(name: str, questions: Sequence[Unsaid]) -> None:
    if questions:
        raise Unclear((), questions, path=name)


class _Reader:
    """What readers of JSON share: fields with their places, and names at the table."""

    def __init__(self, name: str, options: ImportOptions) -> None:
        self.name = name
        self.options = options
        self.finding = NameFinder(Grid(name=name, rows=()), mend=options.mend)
        self.table: Table

    def field(self, fields: Mapping[str, Any], key: str, kind: type, place: str) -> Any:
        """Return a field of an object; refuse it if it is of another kind or not there."""
        value = fields.get(key)
        if not isinstance(value, kind):
            words = {str: "a text", list: "a list", dict: "an object", bool: "true or false"}[kind]
            instead = "nothing" if value is None else f"'{printable(str(value))}'"
            reason = f"{place}: expected {words} under '{key}'; found {instead}"
            raise RecordError(reason, path=self.name)
        return value

    def texts(self, fields: Mapping[str, Any], key: str, place: str) -> list[str]:
        """Return a list of texts in an object."""
        values = self.field(fields, key, list, place)
        if not all(isinstance(value, str) for value in values):
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
        named = [self.find(names, text, place) for text in texts]
        return tuple(sorted(named, key=lambda card: kinds.index(edition.category_of[card])))

    def asked(self, by: str, cards: Sequence[str], heard: Mapping[str, Answer]) -> Suggestion:
        """Return a suggestion with the answers that were heard, in the order of answering."""
        order = self.table.answering(by)
        answers = sorted(heard.values(), key=lambda answer: order.index(answer.seat or ""))
        return Suggestion(by=by, cards=tuple(cards), answers=tuple(answers))


class _ClueSolver(_Reader):
    """Reads jambolo's log: `showed` are those who answered, or under other rules all who showed."""

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
            events = [event for kind, event in line.items() if kind in _EVENTS]
            if len(line) != 1 or not events or not isinstance(events[0], dict):
                known = joined(sorted(_EVENTS))
                raise RecordError(f"{place}: expected one event, {known}", path=name)
        labels = [
            card
            for place, line in self.lines
            for event in line.values()
            for card in ([event["card"]] if "card" in event else self.texts(event, "cards", place))
        ]
        edition, self.how = _edition(list(dict.fromkeys(map(str, labels))), options, name)
        hands = [str(line["hand"].get("player")) for _, line in self.lines if "hand" in line]
        whose = hands[0] if len({*hands}) == 1 else None
        seats = options.players or tuple(players)
        table = options.table(edition, seats, ImportOptions(viewer=whose))
        self.table = table
        everyone = self._everyone() if options.answers is None else options.answers == "all"
        self.everyone = everyone
        self.table = replace(table, answers="all") if everyone else table

    def log(self) -> ForeignLog:
        observations: list[Observation] = []
        shown: dict[str, Answer] = {}
        for place, line in self.lines:
            ((kind, event),) = line.items()
            by = self.seat(self.field(event, "player", str, place), place)
            if kind == "show":
                before = observations[-1] if observations else None
                showed = by in shown and shown[by].answer == "shows"
                if not isinstance(before, Suggestion) or not showed:
                    raise RecordError(
                        f"{place}: expected a suggestion that {by} answered", path=self.name
                    )
                (card,) = self.cards([self.field(event, "card", str, place)], place)
                shown[by] = Answer(seat=by, answer="shows", card=card)
                observations[-1] = self.asked(before.by, before.cards, shown)
                continue
            cards = self.cards(self.texts(event, "cards", place), place)
            if kind == "hand":
                observations.append(Hand(seat=by, cards=cards))
            elif kind == "accuse":
                right = self.field(event, "correct", bool, place)
                observations.append(Accusation(by=by, cards=cards, right=right))
            else:
                shown = self._heard(by, event, place)
                observations.append(self.asked(by, cards, shown))
        how = "everyone who can shows" if self.everyone else "the first who can shows"
        return ForeignLog(
            "jambolo/ClueSolver", self.table, observations, (f"edition {self.how}", how)
        )

    def _listed(self, event: Mapping[str, Any], place: str) -> list[str]:
        key = "showed" if "showed" in event else "holders"
        return [self.seat(name, place) for name in self.texts(event, key, place)]

    def _everyone(self) -> bool:
        """Whether everyone shows: some list is not of those who are asked first."""
        lists = []
        for place, line in self.lines:
            if "suggest" in line:
                event = line["suggest"]
                if "holders" in event:
                    return True
                by = self.seat(self.field(event, "player", str, place), place)
                named = self._listed(event, place)
                lists.append(named)
                if named != list(self.table.answering(by)[: len(named)]):
                    return True
        if any(len(named) > 1 for named in lists):
            question = "say who shows a card, the first who can or all: the log does not say"
            _asked(self.name, [Unsaid("answers", question, ("first", "all"))])
        return False

    def _heard(self, by: str, event: Mapping[str, Any], place: str) -> dict[str, Answer]:
        named = self._listed(event, place)
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
        edition, self.how = _edition(list(self.called.values()), options, name)
        sizes = {str(size.get("player")): size.get("size") for size in self._list("handSizes")}
        hands = tuple(map(sizes.get, players))
        if not all(size is None or isinstance(size, int) for size in hands):
            raise RecordError("handSizes: expected whole numbers", path=name)
        whose = whole.get("selfPlayerId")
        known = [str(hand.get("player")) for hand in self._list("hands")]
        viewer = whose if whose in players else known[0] if len({*known}) == 1 else None
        notes = ImportOptions(viewer=viewer, hands=() if {*hands} == {None} else hands)
        self.table = options.table(edition, options.players or players, notes)

    def _list(self, key: str) -> list[dict[str, Any]]:
        values = self.whole.get(key) or []
        if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
            raise RecordError(f"expected a list of objects under '{key}'", path=self.name)
        return values

    def _named(self, event: Mapping[str, Any], place: str) -> tuple[str, ...]:
        ids = self.texts(event, "cards", place)
        return self.cards([self.called.get(one, one) for one in ids], place)

    def log(self) -> ForeignLog:
        events = [*self._hands()]
        timed: list[tuple[float, Observation]] = []
        for number, suggestion in enumerate(self._list("suggestions"), 1):
            timed.append(
                (self._time(suggestion), self._suggestion(suggestion, f"suggestion {number}"))
            )
        for number, accusation in enumerate(self._list("accusations"), 1):
            place = f"accusation {number}"
            by = self.seat(self.field(accusation, "accuser", str, place), place)
            wrong = Accusation(by=by, cards=self._named(accusation, place), right=False)
            timed.append((self._time(accusation), wrong))
        if all(time for time, _ in timed):
            timed.sort(key=lambda pair: pair[0])
        aside = [
            f"{len(self.whole[key])} {key}"
            for key in ("hypotheses", "userDeductions")
            if self.whole.get(key)
        ]
        aside += (
            ["a suggestion that is not finished"] if self.whole.get("pendingSuggestion") else []
        )
        observations = [*events, *(observation for _, observation in timed)]
        how = (f"edition {self.how}", *self.finding.understood())
        return ForeignLog("LetsGetIntoIt/effect-clue", self.table, observations, how, aside)

    def _time(self, event: Mapping[str, Any]) -> float:
        time = event.get("loggedAt")
        return float(time) if isinstance(time, int | float) else 0.0

    def _hands(self) -> Iterator[Observation]:
        bounds = self.table.size_bounds()
        for number, hand in enumerate(self._list("hands"), 1):
            place = f"hand {number}"
            seat = self.seat(self.field(hand, "player", str, place), place)
            cards = self._named(hand, place)
            if len(cards) >= bounds[self.table.seats.index(seat)][1]:
                yield Hand(seat=seat, cards=cards)
            else:
                yield from (Knowing(by=seat, holder=seat, has=(card,)) for card in cards)

    def _suggestion(self, suggestion: Mapping[str, Any], place: str) -> Suggestion:
        by = self.seat(self.field(suggestion, "suggester", str, place), place)
        cards = self._named(suggestion, place)
        passed = [self.seat(one, place) for one in self.texts(suggestion, "nonRefuters", place)]
        heard = {seat: Answer(seat=seat, answer="passes") for seat in passed}
        if suggestion.get("refuter") is not None:
            seat = self.seat(self.field(suggestion, "refuter", str, place), place)
            card = None
            if suggestion.get("seenCard") is not None:
                seen = self.field(suggestion, "seenCard", str, place)
                (card,) = self.cards([self.called.get(seen, seen)], place)
            if seat in heard:
                raise RecordError(f"{place}: {seat} both refutes and does not", path=self.name)
            heard[seat] = Answer(seat=seat, answer="shows", card=card)
        elif suggestion.get("seenCard") is not None:
            raise RecordError(f"{place}: expected who showed this card as well", path=self.name)
        if by in heard:
            raise RecordError(f"{place}: {by} cannot answer their own suggestion", path=self.name)
        return self.asked(by, cards, heard)


def _numbers(body: str) -> list[list[int]] | None:
    """Return lists of 3 or 5 numbers; `None` if a text is anything else."""
    listed = _LIST.fullmatch(body)
    events = _decoded(listed[1]) if listed else None
    if not isinstance(events, list):
        return None
    plain = all(
        isinstance(event, list) and len(event) in (3, 5) and all(type(one) is int for one in event)
        for event in events
    )
    return events if plain else None


def _nameless(
    name: str, options: ImportOptions, most: int, edition: str, *, exactly: bool = False
) -> Table:
    """Return the table of a log that numbers its players; ask for their names and the viewer."""
    questions = []
    if len(options.players) < most or (exactly and len(options.players) != most):
        question = f"the log numbers its players, 1 to {most}: give their names in that order"
        questions.append(Unsaid("players", question))
    if options.viewer is None:
        question = "say whose notes these are: the log does not say"
        questions.append(Unsaid("viewer", question, options.players))
    _asked(name, questions)
    return options.table(options.edition or load_edition(edition), options.players)


def _sheet_events(events: Sequence[Sequence[int]], name: str, options: ImportOptions) -> ForeignLog:
    """Return a list of events of Cluedo_Sheet: who has a card or has it not; who refuted what."""
    seats = [event[0] for event in events] + [event[4] for event in events if len(event) == 5]
    table = _nameless(name, options, max([2, *(seat + 1 for seat in seats)]), "clue-2015")
    orchid = {"White": "Orchid"} if "Orchid" in table.edition.names else {}
    cards = [orchid.get(card, card) for card in _NUMBERED]
    observations: list[Observation] = []
    for number, event in enumerate(events, 1):
        asked = event[1:4] if len(event) == 5 else event[1:2]
        seen = [event[0], *event[4:]]
        if not all(0 <= card < len(cards) for card in asked) or min(seen) < 0:
            raise RecordError(f"event {number}: expected numbers of cards and players", path=name)
        if len(event) == 3:
            if event[2] not in (0, 1):
                raise RecordError(f"event {number}: expected 0 or 1 at its end", path=name)
            has = (cards[event[1]],)
            fact = {"has": has} if event[2] else {"lacks": has}
            observations.append(
                Knowing(by=table.viewer or "", holder=table.seats[event[0]], **fact)
            )
            continue
        by, refuter = table.seats[event[4]], table.seats[event[0]]
        order = [
            table.seats[(event[4] + step) % len(table.seats)] for step in range(1, len(table.seats))
        ]
        passed = order if refuter == by else order[: order.index(refuter)]
        answers = [Answer(seat=seat, answer="passes") for seat in passed]
        answers += [] if refuter == by else [Answer(seat=refuter, answer="shows")]
        named = tuple(cards[card] for card in asked)
        observations.append(Suggestion(by=by, cards=named, answers=tuple(answers)))
    return ForeignLog(
        "Agade09/Cluedo_Sheet", table, observations, ("cards in the order of its English list",)
    )


def _solver_state(body: str, name: str, options: ImportOptions) -> ForeignLog:
    """Return a saved state of cluesolver: of each player cards held, cards not held, either-ors."""
    count = int(body[0])
    parts = body[1:].removesuffix(".").split(".")
    if len(parts) != count + 1:
        raise RecordError(
            f"expected {count} players and the solution; found {len(parts)}", path=name
        )
    table = _nameless(name, options, count, "clue-classic", exactly=True)
    sizes = tuple(int(part[0]) or None for part in parts[:-1])
    if not table.hands and {*sizes} != {None}:
        try:
            table = replace(table, hands=sizes)
        except SetupError as error:
            raise RecordError(str(error), path=name) from None
    by = table.viewer or ""
    observations = list[Observation]()
    card: Callable[[str], str] = lambda letter: _NUMBERED[ord(letter) - ord("A")]  # noqa: E731
    for holder, part in zip((*table.seats, ENVELOPE), parts, strict=True):
        has, lacks, *clauses = part[1:].split("-")
        own = tuple(map(card, has))
        if holder == by and own and len(own) == int(part[0]):
            observations.append(Hand(seat=by, cards=own))
            continue
        observations += [Knowing(by=by, holder=holder, has=(held,)) for held in own]
        if lacks:
            observations.append(Knowing(by=by, holder=holder, lacks=tuple(map(card, lacks))))
        observations += [
            Knowing(by=by, holder=holder, has=tuple(map(card, clause)))
            for clause in clauses
            if clause
        ]
    return ForeignLog("gregstoll/cluesolver", table, observations)
