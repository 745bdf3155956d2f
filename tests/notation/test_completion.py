"""What may be typed next, and what is typed so far."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clue_solver.errors import NotationError
from clue_solver.notation import TypedLine
from clue_solver.rules.edition_files import load_edition
from clue_solver.rules.table import Table
from tests.observing import CLUE, DICED, EVERYONE, MASTER, ROOMS, SEATS

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
    assert (typed.reading, typed.error, typed.unfinished) == (None, None, False)


@pytest.mark.parametrize("line", ["zzz", "ann suggests plmu, rope", "ann mus whi "])
def test_a_slip_is_no_beginning(line: str) -> None:
    found = TypedLine(line, CLUE)
    assert not found.unfinished
    assert isinstance(found.error, NotationError)


@given(st.text(st.sampled_from("ab cmpw:>,?-.#' ") | st.characters(), max_size=40))
def test_whatever_is_typed_is_completed_to_something_else_or_not_at_all(typed: str) -> None:
    line = TypedLine(typed, CLUE)
    for one in line.completions():
        assert one.line != typed
        assert one.observation or TypedLine(one.line, CLUE).completions()
