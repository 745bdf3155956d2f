"""What a seat is asked while the recorder taps, and which of its cards tells least."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faces.serving import Served, called, words
from tests.faces.test_web import HANDS, MARKED, SHARED, bytes_of


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Served]:
    with called(tmp_path / "table.clue", SHARED, public=True) as found:
        for seat in HANDS:
            found.sit(seat)
            if seat != "Flo":
                found.post("hand", seat, card=HANDS[seat])
        yield found


def ask(table: Served, by: str, *cards: str) -> None:
    """Let the recorder tap a suggestion."""
    assert table.post("ask", None, by=by, pick=[*cards]).status_code == 200


def asks(table: Served, seat: str | None) -> str:
    """What a page says that its seat is asked."""
    return asked_in(table.get(seat))


def asked_in(text: str) -> str:
    """What a page says that is asked of whoever looks at it."""
    found = re.search(r'<section id="asked".*?</section>', text, re.S)
    return words(re.sub("<(?=li|small)", " <", found[0])) if found else ""


def test_what_is_asked_changes_no_page_but_those_of_the_seats(table: Served) -> None:
    changed: list[str | None] = []
    table.table.changed = lambda book: changed.append(book.seat)
    before = {seat: bytes_of(table, seat) for seat in (None, *HANDS)}
    versions = {seat: table.book(seat).version for seat in (None, *HANDS)}
    for _ in range(2):
        ask(table, "Ann", "Plum", "Rope", "Hall")  # twice: nothing is new the second time
    assert changed == ["Ben", "Cat", "Dan", "Eve", "Flo"]
    for seat in ("Cat", "Dan"):  # a seat's page is no place to ask from
        table.post("ask", seat, by="Eve", pick=["Green", "Wrench", "Study"])
    assert "Ann asks for Plum, Rope, Hall" in asks(table, "Cat")
    assert bytes_of(table, "Ann") == before["Ann"]  # who asks is asked nothing
    assert bytes_of(table, None) == before[None]
    ask(table, "Ann", "Rope", "Hall")
    now = {seat: bytes_of(table, seat) for seat in (None, *HANDS)}
    later = {seat: table.book(seat).version - was for seat, was in versions.items()}
    assert later == {None: 0, "Ann": 0, "Ben": 2, "Cat": 2, "Dan": 2, "Eve": 2, "Flo": 2}
    assert {seat: timeless(now[seat]) for seat in now} == {
        seat: timeless(before[seat]) for seat in before
    }


def timeless(pages: list[bytes]) -> list[bytes]:
    """Pages without their versions, which count what they were sent."""
    return [re.sub(rb"(\d+-[0-9a-f]+)-\d+", rb"\1", page) for page in pages]


def test_what_is_asked_tells_nothing_of_other_hands(tmp_path: Path) -> None:
    seen = []
    other = {**HANDS, "Ben": HANDS["Eve"], "Eve": HANDS["Ben"], "Dan": HANDS["Flo"]}
    other["Flo"] = HANDS["Dan"]
    for number, hands in enumerate((HANDS, other)):
        path = tmp_path / f"{number}.clue"
        path.write_text(MARKED, "utf-8")
        with called(path, public=True) as table:
            for seat, hand in hands.items():
                table.post("hand", seat, card=hand)
            ask(table, "Ann", "Plum", "Rope", "Hall")
            assert table.table.asking is not None
            seen.append([bytes_of(table, seat) for seat in ("Ann", "Cat", None)])
            ask(table, "Ann", "Plum", "Rope", "Hall")
            assert ("Hall" in asks(table, "Eve").partition("Hall")[2]) == (hands is HANDS)
    assert seen[0] == seen[1]
