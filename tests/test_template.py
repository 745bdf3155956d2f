"""
The parts that every kind of observation must have: a test for each part, run for each kind.

A new kind that lacks a part fails here. CONTRIBUTING shows how a kind is added.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, find, settings
from hypothesis import strategies as st

from clue_solver.answers.slips import slips
from clue_solver.errors import NotationError
from clue_solver.exchange.merging import fill_in
from clue_solver.faces.asking import next_question
from clue_solver.faces.prompt import Prompt
from clue_solver.game import Game
from clue_solver.knowledge.encoder import encode
from clue_solver.knowledge.sight import seen
from clue_solver.notation.canonical import format_line
from clue_solver.notation.completion import TypedLine
from clue_solver.notation.places import Places
from clue_solver.notation.reader import parse_line
from clue_solver.record.contents import Record
from clue_solver.rules.edition_files import TEMPLATE, shipped_text
from clue_solver.rules.forms import Name
from clue_solver.rules.observations import Event, Observation, kinds
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState
from tests.observing import CLUE, DICED, ORCHID, ROOMS, observations

NOTATION = (Path(__file__).parents[1] / "docs" / "reference" / "notation.md").read_text("utf-8")

QUICK = settings(
    max_examples=300,  # one kind more must not leave another undrawn
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)

every_kind = pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.__name__)


TABLES = (ORCHID, DICED, CLUE, ROOMS)


def told(line: str) -> tuple[Table, Observation] | None:
    """Return a table whose rules allow a line, and the observation; `None` if nothing reads it."""
    found = []
    for table in TABLES:
        with suppress(NotationError):
            found.append((table, parse_line(line, table)))
    found.sort(key=lambda one: not Places(one[0], TurnState()).is_offered(one[1].form))
    return found[0] if found else None


def examples(kind: type[Event]) -> list[tuple[str, Table, Observation]]:
    """Return the lines that the docstring of a kind shows, each with its table and observation."""
    lines = re.findall(r"`([^`]+)`", kind.__doc__ or "")
    read = [(line, told(line)) for line in lines]
    return [(line, *one) for line, one in read if one is not None and isinstance(one[1], kind)]


def example(kind: type[Event]) -> tuple[str, Table, Observation]:
    found = examples(kind)
    assert found, f"the documentation of {kind.__name__} shows no line of it"
    return found[0]


def test_every_kind_is_one_of_the_union() -> None:
    assert {*kinds()} == {*get_args(Observation)}


@every_kind
def test_its_documentation_shows_its_line_which_prints_back_as_it_stands(
    kind: type[Event],
) -> None:
    for line, table, observation in examples(kind):
        assert line == format_line(observation, table)
    assert example(kind)


@every_kind
def test_what_was_seen_may_be_left_out(kind: type[Event]) -> None:
    match kind.form.tail:
        case Name(field=name):
            usual = {field.name: field.default for field in msgspec.structs.fields(kind)}
            assert usual[name] is None


@every_kind
def test_the_template_of_an_edition_and_the_reference_have_its_verb(kind: type[Event]) -> None:
    listed = kind.form.verb if kind.form.subject else "nobody"
    assert f'"{listed}"' in shipped_text(TEMPLATE)
    rows = re.findall(r"^\| (`.*?) \|", NOTATION, re.M)
    assert kind.form.verb in {word for row in rows for word in re.findall(r"\w+", row)}


@every_kind
def test_its_line_is_completed_word_by_word(kind: type[Event]) -> None:
    line, table, _ = example(kind)
    for word in re.finditer(r"\S+", line):
        before, after = line[: word.start()], line[: word.end()].rstrip(",:")
        offered = TypedLine(before, table).completions(100)
        assert any(one.line.startswith(after) for one in offered), before


@every_kind
def test_it_can_be_chosen_from_lists(kind: type[Event]) -> None:
    _, table, _ = example(kind)
    question = next_question(table, TurnState(), ())
    assert isinstance(question, Prompt)
    assert kind.form.doing in [label for label, _ in question.choices]
    answers = [kind.__name__]
    while isinstance(chosen := next_question(table, TurnState(), answers), Prompt):
        assert not chosen.line or kind.form.verb in chosen.line
        answers.append(dict(chosen.choices).get("Done", chosen.choices[0][1]))
    assert isinstance(chosen, kind)
    assert chosen == parse_line(format_line(chosen, table), table)


@every_kind
def test_a_spectator_sees_no_more_than_everybody(kind: type[Event]) -> None:
    for _, table, observation in examples(kind):
        share = seen(observation, table=table, viewer=None)
        if kind.sight.owner:
            assert share is None
            continue
        assert share is not None
        for seat in table.seats:
            theirs = seen(observation, table=table, viewer=seat)
            assert theirs is not None
            assert theirs == fill_in(share, theirs)


@every_kind
def test_what_it_says_about_the_cards_is_registered(kind: type[Event]) -> None:
    assert encode.dispatch(kind) is not encode.dispatch(object)


@every_kind
def test_slips_in_it_are_known(kind: type[Event]) -> None:
    _, table, observation = example(kind)
    assert any(slip.meant != observation for slip in slips(observation, table))


@every_kind
def test_what_it_proves_has_a_reason_in_words(kind: type[Event]) -> None:
    for _, table, observation in examples(kind):
        owner = kind.sight.owner or kind.form.subject
        viewer = getattr(observation, owner) if owner else None
        game = Game(Record(table=msgspec.structs.replace(table, viewer=viewer)).append(observation))
        before, after = Game(Record(table=game.table)).report(), game.report()
        for card in after.cards:
            for holder in after.holders:
                if before.verdict(card, holder) != after.verdict(card, holder):
                    assert game.why(card, holder).entries == (1,)


def test_every_kind_is_drawn_by_the_strategies_of_the_tests() -> None:
    drawn: set[type[Event]] = set()

    def all_are(each: tuple[Observation, ...]) -> bool:
        drawn.update(map(type, each))
        return drawn == {*kinds()}

    assert find(st.tuples(*map(observations, (DICED, CLUE, ORCHID))), all_are, settings=QUICK)
