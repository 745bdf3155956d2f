"""What a seat is asked while the recorder taps, and which of its cards tells least."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import urlencode

import pytest

from clue_solver.conversation.session import Session
from clue_solver.faces.web.drafts import Draft
from clue_solver.record import parse_record
from tests.conversation.test_session import START
from tests.faces.serving import Served, called, words
from tests.faces.test_web import HANDS, MARKED, SHARED, bytes_of

CARDS = {"pick-0": ["Plum"], "pick-1": ["Rope"], "pick-2": ["Hall"]}
TAPPED = {"by": ["Ann"], **CARDS}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Served]:
    with called(tmp_path / "table.clue", SHARED, public=True) as found:
        for seat in HANDS:
            found.sit(seat)
            if seat != "Flo":
                found.post("hand", seat, card=HANDS[seat])
        yield found


@pytest.mark.parametrize(
    ("said", "log", "cards"),
    [
        (TAPPED, "", ("Plum", "Rope", "Hall")),
        (CARDS, "Flo skips\n", ("Plum", "Rope", "Hall")),  # it is Ann's turn
        (CARDS, "", None),
        ({**TAPPED, "pick-1": ["Rope", "Knife"]}, "", ("Plum", "Knife", "Hall")),
        ({**TAPPED, "pick-2": ["Plum"]}, "", None),
    ],
)
def test_a_suggestion_is_asked_once_its_cards_are_tapped(
    said: Mapping[str, list[str]], log: str, cards: tuple[str, ...] | None
) -> None:
    session = Session(parse_record(SHARED + log))
    found = Draft.of(said, session).suggestion(session)
    assert (found and (found.by, found.cards)) == (cards and ("Ann", cards))


def test_who_keeps_notes_alone_is_told_as_well(tmp_path: Path) -> None:
    with called(tmp_path / "game.clue", START) as page:
        page.post("tell", line="ben plum wr hall: cat passes, ann plum")

        def told(by: str, *cards: str) -> str:
            query = urlencode([("by", by), *(("pick", card) for card in cards)])
            return asked_in(page.get(query=f"?{query}"))

        cards = ("Plum", "Rope", "Lounge")
        assert told("Ben", *cards) == "Ben asks for Plum, Rope, Lounge Plum Ben knows it Rope"
        assert told("Cat", *cards) == "Cat asks for Plum, Rope, Lounge Plum gives away least Rope"
        assert told("Cat", "Mustard", "Wrench", "Lounge").endswith("Lounge")
        assert told("Ann", *cards) == ""


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


def test_each_seat_sees_what_is_asked_and_its_own_cards_among_it(table: Served) -> None:
    table.post("tell", line="ann plum knife lounge: ben")
    table.post("tell", "Ben", edit="2", line=f"{table.lines()[0]} Plum")
    ask(table, "Ann", "Plum", "Rope", "Lounge")
    assert {seat: asks(table, seat) for seat in HANDS} == {
        "Ann": "",
        "Ben": "Ann asks for Plum, Rope, Lounge Plum Ann knows it Lounge",
        "Cat": "Ann asks for Plum, Rope, Lounge Rope",
        "Dan": "Ann asks for Plum, Rope, Lounge",
        "Eve": "Ann asks for Plum, Rope, Lounge",
        "Flo": "Ann asks for Plum, Rope, Lounge Tick your hand, and you see which card to show.",
    }
    assert asks(table, None) == ""
    ask(table, "Flo", "Plum", "Rope", "Lounge")  # another asks
    assert asks(table, "Ben") == "Flo asks for Plum, Rope, Lounge Plum Lounge gives away least"
    assert asks(table, "Ann").startswith("Flo asks")
    ask(table, "Ben", "Green", "Rope", "Hall")
    assert asks(table, "Cat") == "Ben asks for Green, Rope, Hall Green Rope"
    ask(table, "Cat", "Scarlett", "Wrench", "Study")
    assert asks(table, "Ann") == "Cat asks for Scarlett, Wrench, Study Study"


def test_what_is_asked_goes_with_the_entry_and_with_a_card_that_is_taken_back(
    table: Served,
) -> None:
    def rope() -> bool:
        return "Rope" in asks(table, "Cat")

    ask(table, "Ann", "Plum", "Rope", "Hall")
    assert rope()
    table.get(query="?tab=log")
    table.get(query="?by=Ann&pick=Plum&pick=Knife&pick=Hall")  # a look changes nothing
    assert rope()
    ask(table, "Ann", "Plum", "Rope")
    assert not rope()
    ask(table, "Ann", "Plum", "Rope", "Hall")
    late = table.book().stamp
    table.post("tell", line="ann plum rope hall: ben")
    assert not rope()
    text = table.sent("ask", at=late, **TAPPED)  # which was logged, as this phone does not know
    assert not rope()
    assert "yours is not logged" in text
    assert ">Ann suggests Plum, Rope, Hall: Ben shows<" in text.replace("</b> ", ">").replace(
        "</li>", "<"
    )


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
