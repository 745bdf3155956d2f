"""
A line and its observation: each is the other's, and whatever is typed is read or refused.

What may be typed next, and what is typed so far.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from clue_solver.errors import NotationError, RecordError
from clue_solver.notation import patterns
from clue_solver.notation.canonical import format_line, parse_canonical
from clue_solver.notation.checks import InvalidObservation, normalise
from clue_solver.notation.completion import TypedLine
from clue_solver.notation.reader import LineReader, parse_line, readings
from clue_solver.notation.reading import reading_of
from clue_solver.notation.scan import Way
from clue_solver.record.clue import format_record
from clue_solver.record.contents import Record
from clue_solver.record.files import parse_record
from clue_solver.record.jsonl import from_jsonl, to_jsonl
from clue_solver.rules import observations as observed
from clue_solver.rules.edition_files import load_edition
from clue_solver.rules.observations import Answer, Observation
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState
from tests.counting import counted
from tests.observing import (
    CLUE,
    DICED,
    EVERYONE,
    MASTER,
    ORCHID,
    ROOMS,
    SEATS,
    observations,
    tables,
)
from tests.rows import rows_in

TABLES = (CLUE, DICED, MASTER, ORCHID, ROOMS, EVERYONE)
VERBS = {kind.form.verb for kind in observed.kinds()}
ASKED = ("Plum", "Rope", "Hall")


NOTATION = (Path(__file__).parents[2] / "docs" / "reference" / "notation.md").read_text("utf-8")


def examples(heading: str) -> list[str]:
    """The code in the first column of the table under a heading of the notation's page."""
    part = NOTATION.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    cells = [row.split("|")[1] for row in part.splitlines() if row.startswith("| `")]
    return [code for cell in cells for code in re.findall(r"`([^`]+)`", cell)]


@pytest.mark.parametrize("line", examples("The lines"))
def test_a_line_of_the_page_is_written_back_as_it_stands_as_text_and_as_json(line: str) -> None:
    def written(table: Table) -> str:
        with suppress(NotationError):
            (reading,) = readings(line, table)
            observation = parse_line(line, table)
            record = Record(table=table).append(observation)
            assert from_jsonl(to_jsonl(record)).observations == (observation,)
            return reading.line
        return ""

    assert line in map(written, TABLES)


@pytest.mark.parametrize("line", examples("The header"))
def test_a_header_line_of_the_page_is_written_back_as_it_stands(line: str) -> None:
    def written(edition: str, seats: str) -> str:
        key, _, value = line.partition(": ")
        head = {"edition": edition, "players": seats, key: value}
        told = "".join(f"{key}: {value}\n" for key, value in head.items())
        with suppress(RecordError):
            record = parse_record(told)
            assert from_jsonl(to_jsonl(record)) == record
            return format_record(record)
        return ""

    tables = [("clue-classic", "Ann, Ben, Cat"), ("clue-2015", "Ann, Ben")]
    assert any(f"{line}\n" in written(*each) for each in tables)


def test_a_card_left_unseen_is_marked_for_its_seat_alone() -> None:
    table = replace(EVERYONE, seats=("Ben", "Ann", "Mary Ann"), viewer=None)
    answers = (Answer(seat="Ann", answer="shows"), Answer(seat="Mary Ann", answer="shows"))
    told = observed.Suggestion(by="Ben", cards=ASKED, answers=answers)
    line = "Ben suggests Plum, Rope, Hall: Ann shows ?, Mary Ann shows"
    assert reading_of(told, table, unseen=frozenset({"Ann"})).line == line


@given(st.data())
def test_an_observation_survives_being_written_and_read(data: st.DataObject) -> None:
    table = data.draw(tables())
    observation = data.draw(observations(table))
    assert normalise(observation, table) == observation
    line = format_line(observation, table)
    assert parse_line(line, table) == observation
    found = parse_canonical(line, table, TurnState())
    seats = {word for seat in table.seats for word in seat.split()}
    if seats & VERBS or "Do or Die" in table.cards:  # then the reader may have to look at it
        assert found in (observation, None)
    else:
        assert found == observation


@given(st.text(st.sampled_from("ab cmpw:>,?-.#' ") | st.characters(), max_size=40))
def test_whatever_is_typed_is_read_or_refused_in_one_printable_line(typed: str) -> None:
    try:
        observation = parse_line(typed, CLUE)
    except NotationError as error:
        reason = error.reason
    else:
        reason = ""
        assert parse_line(format_line(observation, CLUE), CLUE) == observation
    assert reason == "" or reason.isprintable()


@pytest.mark.parametrize(
    "typed",
    [
        *("a " * 9_000, "x" * 100_000, "ann " + "p " * 9_000, "ann holds " + "plum " * 5_000),
        *("ann knows ben has " + "p or " * 9_000, "ann mus wr lo: " + "c p " * 2_000),
    ],
    ids=lambda typed: typed[:24],
)
def test_noise_is_refused_soon_and_briefly(typed: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_line(typed, CLUE)
    assert len(caught.value.reason) < 300


ODD_ANSWERS = (Answer(answer="shows"), Answer(seat="Ben", answer="passes", card="Rope"))


@pytest.mark.parametrize(
    "observation",
    [
        observed.Look(by="ann", holder="Ben"),
        observed.Look(by="Ann", holder="Ann"),
        observed.Look(by="Ann", holder="Ben", card="plum"),
        *(observed.Suggestion(by="Ann", cards=ASKED, answers=(odd,)) for odd in ODD_ANSWERS),
        observed.Question(by="Ann", seat="Ben", about=()),
        observed.Question(by="Ann", seat="Ben", about=("Plum", "Plum")),
        observed.Question(by="Ann", seat="Ben", about=("Plum",), answer="passes", card="Plum"),
        observed.Knowing(by="Ann", holder="Ben"),
        observed.Knowing(by="Ann", holder="Ben", has=("Plum",), lacks=("Rope",)),
        observed.Hand(seat="Ann", cards=()),
        observed.Reveal(seat="Ann"),
        observed.Nobody(card="Plmu"),
        observed.Roll(by="Ann"),
        observed.Roll(by="Ann", total=7, dice=("Plum",)),
        observed.Roll(by="Ann", total=0),
        observed.Roll(by="Ann", dice=("Plum",) * 7),
    ],
)
def test_an_observation_without_meaning_is_refused(observation: Observation) -> None:
    with pytest.raises(InvalidObservation):
        normalise(observation, CLUE)


@pytest.mark.parametrize("table", [patterns.LINES, patterns.CLAUSES], ids=["lines", "clauses"])
def test_what_people_say_is_said_by_its_example(table: str) -> None:
    for row in patterns.rows(table):
        ways: list[Way] = []
        matched = False
        for there in TABLES:
            with suppress(NotationError):  # a card of another box
                ways += LineReader(row.example, there).ways()
        pattern = patterns.pattern(row.text)
        for way in ways:
            if not row.roles or row.roles & {part.role for part in way.parts}:
                matched |= any(found[0] for found in pattern.finditer(way.letters))
        assert matched, row


@pytest.mark.parametrize("row", [*patterns.rows(patterns.DROPPED)], ids=lambda row: row.example)
def test_a_word_that_says_nothing_is_left_out_where_it_stands(row: patterns.PatternRow) -> None:
    line = LineReader(row.example, CLUE)
    role = row.name
    assert any(role in token.roles for token in line.tokens)
    assert any(role not in {part.role for part in way.parts} for way in line.ways())


@pytest.mark.parametrize("place", patterns.ORDER)
def test_every_clause_has_a_place(place: str) -> None:
    every = [*patterns.rows(patterns.CLAUSES)]
    assert {row.means for row in every} == {"asks", "passes", "shows", "unheard", "nothing"}
    names = {row.name for row in every}
    assert {*patterns.ORDER[place]} <= names
    assert {*patterns.ORDER[place].values()} <= patterns.ORDER.keys()
    assert names == {name for follow in patterns.ORDER.values() for name in follow}


@pytest.mark.parametrize(
    ("line", "reason"), rows_in(Path(__file__).with_name("refused.txt"))["lines"]
)
def test_a_refusal_names_the_first_word_that_does_not_fit_and_what_would(
    line: str, reason: str
) -> None:
    with pytest.raises(NotationError) as caught:
        parse_line(line, CLUE)
    assert caught.value.reason == reason


@pytest.mark.parametrize("line", ["shows ?", "ben shows ?", "he showed one ?"])
def test_a_question_is_answered_by_a_card_that_nobody_saw(line: str) -> None:
    asked = observed.Question(by="Ann", seat="Ben", about=("Plum",))
    (told,) = readings(line, DICED, open=asked)
    assert format_line(told.whole, DICED) == "Ann asks Ben about Plum: shows"
    assert told.unseen == {"Ben"}


def test_a_line_is_read_in_a_few_hundred_calls_one_that_lacks_something_in_twice_as_many() -> None:
    state = TurnState.of((parse_line("ann gr kn st: ben", CLUE),))
    assert calls("ben mus wr lou: cat pas, dan shows", state) < 1_200
    assert calls("ben mus wr: cat pas, dan shows", state) < 2_400


def calls(line: str, state: TurnState) -> int:
    """How many functions are called to read a line once table and patterns are known."""
    readings("ben plum rope hall: cat passes, dan shows", CLUE, state)
    with counted() as count:
        readings(line, CLUE, state)
    return count.total()


PLAIN = [CLUE, EVERYONE, DICED, MASTER, ROOMS]


@pytest.mark.parametrize(
    ("edition", "verbs"),
    [
        ("clue-classic", "suggests accuses holds knows skips leaves rolls moves~to stays"),
        (
            "clue-2015",
            "suggests looks~at draws reveals accuses holds knows skips leaves rolls moves~to stays",
        ),
        (
            "clue-diced",
            "suggests asks looks~at peeks accuses holds knows skips leaves rolls points~at",
        ),
    ],
)
def test_what_the_rules_bring_about_is_offered(edition: str, verbs: str) -> None:
    table = Table(edition=load_edition(edition), seats=SEATS)
    offered = {one.label for one in TypedLine("ann ", table).completions(100)}
    assert offered - {*table.cards} == {verb.replace("~", " ") for verb in verbs.split()}


def test_behind_a_suggestion_stands_first_who_may_show_and_that_the_next_passes() -> None:
    offered = [one.label for one in TypedLine("ann plum rope hall: ", CLUE).completions(12)]
    shows = ["Ben shows", "Ben passes", "Cat shows", "Dan shows"]
    assert offered == [*shows, "nobody shows", "?"]


@pytest.mark.parametrize("begun", ["ben pip", "ben le"])
def test_an_offer_is_begun_by_any_word_of_its_card(begun: str) -> None:
    offered = TypedLine(f"ann plum pipe hall: {begun}", CLUE).completions(3)
    assert [one.label for one in offered] == ["Ben shows Lead Pipe"]


@pytest.mark.parametrize("line", ["", "  ", "# a remark"])
def test_nothing_comes_to_nothing(line: str) -> None:
    typed = TypedLine(line, CLUE)
    assert (typed.reading, typed.error) == (None, None)


@pytest.mark.parametrize("line", ["zzz", "ann suggests plmu, rope", "ann mus whi "])
def test_a_slip_is_no_beginning(line: str) -> None:
    assert isinstance(TypedLine(line, CLUE).error, NotationError)


@given(st.text(st.sampled_from("ab cmpw:>,?-.#' ") | st.characters(), max_size=40))
def test_whatever_is_typed_is_completed_to_something_else_or_not_at_all(typed: str) -> None:
    line = TypedLine(typed, CLUE)
    for one in line.completions():
        assert one.line != typed
        assert one.observation or TypedLine(one.line, CLUE).completions()
