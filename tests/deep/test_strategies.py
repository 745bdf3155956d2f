"""The strategies draw what they promise: small, true, of every kind."""

from __future__ import annotations

from hypothesis import given

from clue_solver.rules.table import Table
from tests import twin
from tests.strategies import (
    MOST_DEALS,
    Played,
    deals_of,
    played,
    tables,
)


@given(tables(most=500))
def test_deals_are_counted_as_the_twin_lists_them(table: Table) -> None:
    assert sum(1 for _ in twin.all_deals(table)) == deals_of(table) <= 500


@given(played())
def test_whatever_a_reader_sees_is_true_of_the_deal(played: Played) -> None:
    table = played.record.table
    assert deals_of(table) <= MOST_DEALS
    for viewer in (*table.seats, None):
        assert twin.fits(dict(played.deal), played.record.observations, table, viewer)
