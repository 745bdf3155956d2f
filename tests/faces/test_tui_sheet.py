"""The sheet where it is larger than its place: it goes with the cursor, and says so."""

from __future__ import annotations

import re

import pytest

from tests.faces.screen import Person, playing

SEATS = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Joe")
LONG = ("Annabelle", "Benedict", "Catherine", "Dominique", "Evangeline", "Frederick")


def header(edition: str, *seats: str) -> str:
    return f"edition: {edition}\nplayers: {', '.join(seats)}\nviewer: {seats[0]}\n\n"


def in_sight(at: Person) -> int:
    """Return how many rows of the sheet have a card; say how many the signs count besides."""
    rows = at.rows[1 : 1 + at.sheet.size.height]
    more = [re.search(r"[▲▼] (\d+) more rows", row) for row in rows]
    return sum(row.startswith("▎") for row in rows) + sum(int(found[1]) for found in more if found)


@pytest.mark.parametrize(
    ("edition", "seats", "cards"),
    [
        ("clue-classic", SEATS[:5], 21),
        ("clue-classic", SEATS[:6], 21),
        ("clue-classic", LONG[:5], 21),
        ("clue-classic", LONG, 21),
        ("master-detective", SEATS[:5], 30),
        ("master-detective", SEATS, 30),
        ("master-detective", (*LONG, *SEATS[6:]), 30),
    ],
)
@pytest.mark.asyncio
async def test_no_card_is_out_of_sight_unsaid_and_the_heading_stays(
    edition: str, seats: tuple[str, ...], cards: int
) -> None:
    async with playing(header(edition, *seats)) as at:
        heads = at.sheet.plan.heads
        heading = at.rows[1 : 1 + heads]
        assert all(seat[:3] in "".join(heading) for seat in seats)
        for card in range(cards):
            assert in_sight(at) == cards
            assert at.sheet.cursor[0] == card
            name = at.sheet.cell[0] if at.sheet.cell else ""
            (row,) = (row for row in at.rows if "[" in row and row.startswith("▎"))
            assert row[1:6].strip("… ") == name[:5].strip() or row[1:5] == name[:4]
            assert at.rows[1 : 1 + heads] == heading
            await at.type("", "down")


@pytest.mark.asyncio
async def test_holders_out_of_sight_are_counted_on_both_sides() -> None:
    async with playing(header("master-detective", *SEATS), size=(30, 20)) as at:
        shown = [re.findall(r"◀(\d+)|(\d+)▶", at.rows[2])]
        for _ in SEATS:
            await at.type("", "left")
            shown.append(re.findall(r"◀(\d+)|(\d+)▶", at.rows[2]))
        assert [bool(left) for left, _ in shown[0]] == [True]  # at the envelope
        assert [bool(right) for _, right in shown[-1]] == [True]  # at the first seat
        assert at.sheet.cursor[1] == 0


@pytest.mark.asyncio
async def test_cells_are_wide_in_a_frame() -> None:
    async with playing(size=(120, 40)) as at:
        assert all(cell == 6 for cell in at.sheet.plan.cells)
