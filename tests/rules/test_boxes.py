"""Each rule of the boxes holds as its transcript tells it; `boxes/README.md` is their language."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from clue_solver import Session, parse_record
from clue_solver.answers.advice import Advice
from clue_solver.answers.own_turn import OwnTurn
from clue_solver.conversation.meaning import read
from clue_solver.errors import NotationError, RecordError
from clue_solver.faces.setup import table_warnings
from clue_solver.record.clue import format_record
from clue_solver.record.jsonl import from_jsonl, to_jsonl
from clue_solver.rules.play import Play
from tests.conversation.test_session import ask_about
from tests.enforcer import Referee as Enforcer
from tests.rows import blocks
from tests.rules import dealt_games

HERE = Path(__file__).parent


def rules() -> dict[str, tuple[str, dict[str, str]]]:
    """Return every rule of the table by its code, and what each column says of it."""
    table = tomllib.loads((HERE / "boxes.toml").read_text("utf-8"))
    return {
        code: (rule, dict(zip(table["columns"], cells, strict=True)))
        for box in table["box"]
        for code, (rule, *cells) in box["rules"].items()
    }


def transcripts() -> Iterator[tuple[str, str, list[str], list[str]]]:
    """Yield the code of each transcript, its rule, its lines, and the header of its table."""
    for path in sorted((HERE / "boxes").glob("*.txt")):
        header, *parts = path.read_text("utf-8").split("### ")
        for part in parts:
            heading, *lines = part.rstrip().splitlines()
            code, _, rule = heading.partition(" ")
            yield code, rule, lines, header.split("\n")


ROWS = rules()
TOLD = [*transcripts()]
OUTSIDE = {"W16": "special squares and cards are yet to come: the box announces them only"}
"""Rules that may be unknown, and why."""

SIGNS = {".": "line", ">": "asked", "=": "sheet"}
COLUMNS = {
    "record": {"line"},
    "deduction": {"sheet"},
    "play": {"turn", "can", "may", "may_not", "moves_to", "stand"},
    "doubt": {"asked", "set_up"},
    "advice": {"advice", "asks_in", "offers", "never_offers", "answers", "rivals"},
    "arena": {"arena"},
}
"""The marks that look at each column, by the names of the methods that read them."""


def test_every_rule_has_a_transcript_and_every_transcript_a_rule() -> None:
    assert sorted(code for code, *_ in TOLD) == sorted(ROWS.keys() - OUTSIDE.keys())
    assert len(ROWS) == 65


@pytest.mark.parametrize("code", ROWS)
def test_every_cell_says_that_it_holds_or_why_not(code: str) -> None:
    rule, cells = ROWS[code]
    for column, cell in cells.items():
        word, _, why = cell.partition(": ")
        assert word in (("no",) if code in OUTSIDE else ("yes", "-", "partly")), (code, column)
        assert bool(why) == (word in ("partly", "no")), (code, column)
    assert rule.endswith(".")


@pytest.mark.parametrize("told", TOLD, ids=lambda told: told[0])
def test_every_rule_holds_as_it_is_told(told: tuple[str, str, list[str], list[str]]) -> None:
    code, rule, lines, header = told
    reader = Reader(header)
    read_through(reader, lines)
    held = {column for column, cell in ROWS[code][1].items() if cell[:3] in ("yes", "par")}
    assert (rule, reader.proved) == (ROWS[code][0], held), "what the table says, and what is told"


PLAYS = blocks(HERE / "plays.txt")


@pytest.mark.parametrize("play", PLAYS.values(), ids=PLAYS)
def test_what_a_state_of_play_tells_of_single_games(play: str) -> None:
    read_through(Reader([]), play.splitlines())


def read_through(reader: Reader, lines: list[str]) -> None:
    """Hold lines to be true, and the record to lose nothing."""
    true = [each for line in lines if line[:2] != "  " for each in reader.true(line)]
    assert [*map(shortened, true, lines), *true[len(lines) :]] == lines
    reader.keep()


def shortened(true: str, told: str) -> str:
    """What is told, if it is true with anything in place of its dots; else what is true."""
    pattern = ".*".join(re.escape(each) for each in told.split("..."))
    return told if re.fullmatch(pattern, true) else true


class Reader:
    """Reads a transcript and says each of its lines as it is true."""

    def __init__(self, header: list[str]) -> None:
        self.header = header
        self.other: list[str] = []
        self.begun: Session | None = None
        self.proved: set[str] = set()

    def true(self, line: str) -> Iterator[str]:
        """Yield a line as it is true, and under it what the program says to it."""
        if line.startswith("@"):
            self.keep()
            self.other.append(line)
            yield line
            return
        found = re.fullmatch(r"([.>=]) (.*)()|([a-z -]+?)(?: \((.*?)\))?: (.*)", line)
        assert found, line
        sign, told, _, mark, of, said = found.groups("")
        name = SIGNS.get(sign) or re.sub(r"\W", "_", mark)
        true = [*getattr(self, name)(told or said, of)]
        columns = {column for column, marks in COLUMNS.items() if name in marks}
        self.proved |= {"record"} if "refused: " in true[-1] else columns
        yield from true

    def keep(self) -> None:
        """Hold the record to lose nothing in either form, and go on with another table."""
        if self.begun is not None:
            record = self.begun.record
            assert parse_record(format_record(record)) == record == from_jsonl(to_jsonl(record))
            self.begun, self.other = None, []

    @property
    def session(self) -> Session:
        """The game so far; it begins with the first line after the header."""
        if self.begun is None:
            lines = (line[1:].strip().partition(":") for line in [*self.header, *self.other])
            header = {key: value for key, _, value in lines}
            head = "".join(f"{key}:{value}\n" for key, value in header.items() if value)
            self.begun = Session(parse_record(f"{head}\n"))
        return self.begun

    @property
    def play(self) -> Play:
        record = self.session.record
        return Play.of(record.table, record.observations, exact="@ all told" in self.other)

    @property
    def advised(self) -> Advice:
        return self.session.game.advice(quick=True)

    @property
    def offered(self) -> dict[tuple[str, ...], float]:
        """The suggestions that advice weighs, each with the chance to be in its room."""
        game = self.session.game
        return OwnTurn(game.table, game.observations, str(game.table.viewer)).suggestions()

    # How each mark is read: a method yields the line as it is true.

    def line(self, said: str, of: str) -> Iterator[str]:
        self.session.tell(said)
        yield f". {said}"
        if self.session.lines[-1] != said:
            yield f"  {self.session.lines[-1]}"

    def asked(self, said: str, of: str) -> Iterator[str]:
        yield f"> {said}"
        try:
            doubts = ask_about(self.session, said)
        except NotationError as error:
            yield f"  refused: {error.reason}"
            return
        questions = [f"  {each.kind} {each.text}" for each in doubts]
        yield from questions or ["  taken"]

    def sheet(self, said: str, of: str) -> Iterator[str]:
        holder, _, cards = re.split(" (holds|lacks|may hold) ", said)
        report = self.session.game.report()
        verdicts = {str(report.verdict(card, holder)) for card in cards.split(", ")}
        yield f"= {holder} {' or '.join(verdicts).replace('open', 'may hold')} {cards}"

    def set_up(self, said: str, of: str) -> Iterator[str]:
        try:
            table = self.session.record.table
        except RecordError as error:
            yield f"set-up: refused: {error}"
            return
        yield f"set-up: {[*table_warnings(table), 'taken'][0]}"

    def turn(self, said: str, of: str) -> Iterator[str]:
        over = f"over, {self.play.turns.winner or 'nobody'} won"
        yield f"turn: {over if self.play.over else self.play.due}"

    def can(self, said: str, of: str) -> Iterator[str]:
        verbs = dict.fromkeys(each.form.verb for each in self.play.legal())
        yield f"can: {', '.join(verbs)}"

    def may(self, said: str, of: str) -> Iterator[str]:
        observation = read(self.session.game, said).whole
        breach = self.play.check(observation)
        rule = breach.rule if breach else ""
        if "@ all told" in self.other:
            enforcer = Enforcer(self.session.record.table)
            for each in self.session.record.observations:
                enforcer.tell(each)
            assert enforcer.legal(observation) == (not rule), f"by the enforcer: {said}"
            self.proved.add("arena")
        yield f"may not ({rule}): {said}" if rule else f"may: {said}"

    may_not = may

    def moves_to(self, said: str, of: str) -> Iterator[str]:
        yield f"moves to: {', '.join(self.play.destinations) or 'nowhere'}"

    def stand(self, said: str, of: str) -> Iterator[str]:
        names = [each.partition(" at ")[0] for each in said.split(", ")]
        seats = self.session.record.table.seats
        for number, name in enumerate(names):
            place = self.play.place(name) if name in seats else self.play.where_is(name)
            names[number] += f" at {place or '?'}"
        yield f"stand: {', '.join(names)}"

    def advice(self, said: str, of: str) -> Iterator[str]:
        yield f"advice: {self.advised.text}"

    def asks_in(self, said: str, of: str) -> Iterator[str]:
        chances = {cards[-1]: chance for cards, chance in self.offered.items()}
        rooms = [each.rpartition(" ")[0] for each in said.split(", ")]
        chances["others"] = max([0.0, *(chances[room] for room in {*chances} - {*rooms})])
        for number, room in enumerate(rooms):
            rooms[number] += f" {Fraction(chances.get(room, 0.0)).limit_denominator(36)}"
        yield f"asks in: {', '.join(rooms)}"

    def offers(self, said: str, of: str) -> Iterator[str]:
        offered = [", ".join(cards) for cards in self.offered]
        assert offered
        found = {any(name in cards for cards in offered) for name in said.split(" | ")}
        mark = "offers" if all(found) else "partly offers" if any(found) else "never offers"
        yield f"{mark}: {said}"

    never_offers = offers

    def answers(self, said: str, of: str) -> Iterator[str]:
        shown = set[str]()
        for each in self.advised.suggestions:
            if not of or of in each.cards:
                assert sum(answer.probability for answer in each.answers) == pytest.approx(1)
                seats = ([seat for seat, _ in answer.shows] for answer in each.answers)
                shown |= {" and ".join(each) or "nobody" for each in seats}
        yield f"answers{f' ({of})' if of else ''}: {', '.join(sorted(shown))}"

    def rivals(self, said: str, of: str) -> Iterator[str]:
        rivals = [each.seat for each in self.session.game.advice().opponents if not each.out]
        yield f"rivals: {', '.join(rivals)}"

    def arena(self, said: str, of: str) -> Iterator[str]:
        sentence, _, names = said.partition(": ")
        table = self.session.record.table
        games = dealt_games.Games(table.edition.name, len(table.seats))
        holds = getattr(dealt_games, sentence.replace(" ", "_"))
        holds(games, *(names.split(", ") if names else ()))
        yield f"arena: {said}"
