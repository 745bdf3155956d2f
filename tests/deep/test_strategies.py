"""The strategies draw what they promise: small, true, of every kind."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, get_args

import msgspec
from hypothesis import given, settings

from clue_solver.record import Record
from clue_solver.rules.edition import Edition
from clue_solver.rules.edition_files import parse_edition
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import Table
from tests import twin
from tests.strategies import (
    MOST_DEALS,
    Played,
    deals_of,
    editions,
    played,
    records,
    tables,
)


def toml(value: Any) -> str:
    """Return a value as TOML writes it."""
    if isinstance(value, Mapping):
        inside = ", ".join(f"{json.dumps(key)} = {toml(each)}" for key, each in value.items())
        return "{" + inside + "}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml, value))}]"
    return json.dumps(value, ensure_ascii=False)


@given(editions())
def test_editions_are_tiny_and_could_be_files(edition: Edition) -> None:
    assert 1 <= len(edition.category) <= 4
    assert 4 <= len(edition.names) <= 10
    told = msgspec.to_builtins(edition)
    for kind in told["category"]:
        kind["cards"] = [
            {key: said for key, said in card.items() if said} for card in kind["cards"]
        ]
    told = {key: said for key, said in told.items() if key not in ("name", "board")}
    text = "\n".join(f"{key} = {toml(said)}" for key, said in told.items())
    assert parse_edition(text, name=edition.name) == edition


@given(tables(most=500))
def test_deals_are_counted_as_the_twin_lists_them(table: Table) -> None:
    assert sum(1 for _ in twin.all_deals(table)) == deals_of(table) <= 500


@given(played())
def test_whatever_a_reader_sees_is_true_of_the_deal(played: Played) -> None:
    table = played.record.table
    assert deals_of(table) <= MOST_DEALS
    for viewer in (*table.seats, None):
        assert twin.fits(dict(played.deal), played.record.observations, table, viewer)


def test_every_kind_of_observation_is_drawn() -> None:
    drawn: set[type] = set()

    @given(records())
    @settings(max_examples=300)
    def draw(record: Record) -> None:
        drawn.update(map(type, record.observations))

    draw()
    assert drawn == {*get_args(Observation)}
