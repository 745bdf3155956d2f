"""Machines in chairs of a table that people log by hand: what they say, are told, and show whom."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import unquote_plus, urlencode

import pytest
from msgspec.structs import replace

from clue_solver.arena.chairs import LEVELS
from clue_solver.arena.dealing import Dealt
from clue_solver.arena.players import Asker
from clue_solver.arena.seat_view import View
from clue_solver.errors import ArgumentError
from clue_solver.record import Record, save
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Observation
from tests.faces.by_hand import SEATS, ByHand, Evening, dealt, settle, table
from tests.faces.phones import Phone
from tests.faces.serving import Served, called


@pytest.mark.parametrize(
    ("edition", "machines", "level"),
    [("clue-2015", "Watson Ben", "expert"), ("clue-diced", "Watson Ben", "beginner")],
)
def test_machines_play_a_game_with_people(
    tmp_path: Path, edition: str, machines: str, level: str
) -> None:
    """Clue cards, dice and bonus dice; at the end everybody's notes are as it was."""
    cards = dealt(edition, 2)
    with table(tmp_path / "game.clue", cards, machines, level) as served:
        evening = Evening(served, ByHand(cards, 2))
        evening.play()
        assert evening.game.over()
        evening.check()


class Alike(Asker):
    """A machine that does the same whatever it holds."""

    def move(self, view: View) -> str | None:
        return None

    def ask(self, view: View) -> Observation | None:
        return observed.Suggestion(by=view.seat, cards=("Plum", "Rope", "Hall"))

    def accuse(self, view: View) -> None:
        return None


def two_hands() -> tuple[Dealt, Dealt]:
    """Two deals that differ in what a machine and the envelope hold, a card of each category."""
    for seed in range(100):
        one = replace_board(dealt(seed=seed))
        kinds = one.table.edition.category_of
        mine = {kinds[card]: card for card in one.hand("Watson").cards}
        inside = {*one.solution, *one.hands["Watson"]}
        if len(mine) == 3 and not inside & {"Plum", "Rope", "Hall"}:
            hand = one.hands["Watson"] - {*mine.values()} | {*one.solution}
            return one, one._replace(hands={**one.hands, "Watson": hand})
    raise AssertionError


def replace_board(cards: Dealt) -> Dealt:
    """The same deal, where rooms are named freely and Ann begins."""
    return cards._replace(table=replace(cards.table, board="none", pieces=(), first="Ann"))


def every_page(served: Served, seat: str | None, more: tuple[str, ...] = ()) -> str:
    """All that a page can show, but for secrets and tokens."""
    tabs = ("", "?tab=sheet", "?tab=log", "?tab=table", "?tab=sheet&card=Rope&holder=Watson")
    text = "".join(served.get(seat, query) for query in (*tabs, *more))
    for book in served.table.notebooks:
        text = text.replace(book.secret, "")
    return re.sub(
        r'<svg.*?</svg>|(?<=name="csrf" value=")\w+|(?<=name="ends" value=")\w+', "", text
    )


def test_no_byte_hangs_on_a_machines_hand_but_what_it_shows_its_taker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two hands that behave alike in public, on all pages but that of who is shown a card."""
    monkeypatch.setitem(LEVELS, "expert", f"{__name__}:Alike")
    one, two = two_hands()
    (mine,) = {*one.hands["Watson"]} - {*two.hands["Watson"]} & {*one.table.edition.suspects}
    (its,) = {*two.hands["Watson"]} - {*one.hands["Watson"]} & {*one.table.edition.weapons}
    pages: list[list[str]] = []
    shown: list[str] = []
    for number, cards in enumerate((one, two)):
        own = {seat: [*cards.hand(seat).cards] for seat in ("Ann", "Ben")}
        kinds = cards.table.edition.category_of
        named = {
            seat: [
                next(card for card in hand if kinds[card] == kind.name)
                for kind in cards.table.edition.category
            ]
            for seat, hand in own.items()
        }
        pages.append([])
        with table(tmp_path / f"{number}.clue", cards) as served:
            settle(served)
            for book in served.table.notebooks:
                book.version = 1
            recorder = Phone(served)

            def look(*more: str, served: Served = served) -> None:
                settle(served)
                pages[-1].extend(every_page(served, seat, more) for seat in (None, "Ann", "Watson"))
                pages[-1].append(str([book.version for book in served.table.notebooks]))

            def asked(by: str, picked: list[str], recorder: Phone = recorder) -> None:
                recorder.load(f"?by={by}&" + "&".join(f"pick={card}" for card in picked))
                recorder.press("Ask Watson")
                look(f"?{recorder.query}")

            look()
            asked("Ann", named["Ann"])
            recorder.press(f"Ann suggests {', '.join(named['Ann'])}: nobody shows")
            look()
            recorder.tap("Enter the answers")
            look()
            recorder.press("Watson suggests Plum, Rope, Hall: Ben shows")
            look()
            Phone(served, "Watson").press(
                next(c for c in ("Plum", "Rope", "Hall") if c in own["Ben"]), "owed"
            )
            look()
            asked("Ben", [mine, its, named["Ben"][2]])
            shown += re.findall(r"Watson shows you ([^<]*)[.]<", Phone(served, "Ben").text)
            lines = served.lines()
            look()
    assert lines[-1].endswith("Watson shows")
    assert shown == [mine, its]
    assert len(pages[0]) > 20
    assert pages[0] == pages[1]


FREE = replace_board(dealt())
"""A deal where Ann begins, and rooms are named freely."""

HANDS = {seat: [*FREE.hand(seat).cards] for seat in SEATS}
OTHERS = f"{HANDS['Ann'][0]}, {HANDS['Ann'][-1]}"


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Served]:
    """A table where Watson's cards are not told yet."""
    save(Record(table=FREE.table), tmp_path / "game.clue")
    with called(tmp_path / "game.clue", public=True) as served:
        served.post("sit", None, seat="Watson", player="expert")
        yield served


def wrong(served: Served, action: str, seat: str | None, /, **said: str | list[str]) -> str:
    """Why a form is refused; empty if it is not."""
    found = re.findall("wrong=([^&]*)", served.post(action, seat, **said).headers["location"])
    return unquote_plus(found[0]) if found else ""


def suggest(served: Served, by: str, cards: Sequence[str], answers: str = "") -> Phone:
    """Let a recorder tap a suggestion; log it with answers that are not asked for, if given."""
    phone = Phone(served)
    phone.load(f"?by={by}&" + urlencode([("pick", card) for card in cards]))
    if answers:
        line = f"{by} suggests {', '.join(cards)}: {answers}"
        served.post("tell", None, line=line, settled=["turn", "rule", "no answers"])
        assert served.lines()[-1].startswith(f"{by} suggests")
    return phone


def named(*cards: str) -> list[str]:
    """A suggestion of these cards, filled up from what Ann holds."""
    kinds = FREE.table.edition.category_of
    every = (*cards, *HANDS["Ann"])
    return [
        next(card for card in every if kinds[card] == kind.name)
        for kind in FREE.table.edition.category
    ]


def test_a_machines_hand_is_ticked_once_and_shown_nowhere(evening: Served) -> None:
    at = settle(evening)
    evening.post("tell", None, line="Ann skips")
    assert settle(evening).turns[0].waits == "hand"
    assert "does not know its cards yet" in evening.get(None)
    assert "6 cards" in wrong(evening, "hand", "Watson", card=HANDS["Watson"][:5])
    assert at.hand("Watson") is None
    before = evening.get("Watson")
    assert wrong(evening, "hand", "Watson", card=HANDS["Watson"]) == ""
    assert at.hand("Watson") == frozenset(HANDS["Watson"])
    text = evening.get("Watson")
    assert "checked" not in text
    assert {text.count(card) - before.count(card) for card in HANDS["Watson"]} == {0}
    for file in ("record.clue", "review.html"):
        assert evening.client.get(f"{evening.of('Watson')}/{file}").status_code == 404
    for action in ("tell", "undo", "delete", "sit", "renew"):
        assert "a machine plays here" in wrong(evening, action, "Watson", line="x", entry="1")
    suggest(evening, "Ann", named(HANDS["Watson"][0]), "Watson shows")
    without = [*HANDS["Watson"][1:], HANDS["Ben"][0]]
    assert "the log says otherwise" in wrong(evening, "hand", "Watson", card=[*HANDS["Ben"]])
    assert at.hand("Watson") == frozenset(HANDS["Watson"])
    evening.post("undo")
    assert wrong(evening, "hand", "Watson", card=without) == ""
    assert at.hand("Watson") == frozenset(without)


def test_the_recorder_alone_seats_a_machine_which_stays_there(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    save(Record(table=FREE.table), path)
    with called(path, public=True) as served:
        link = served.of("Watson")
        assert "only the recorder" in wrong(served, "sit", "Ann", seat="Ann", player="expert")
        assert "expected one of" in wrong(served, "sit", None, seat="Watson", player="Holmes")
        assert "expected one of" in wrong(served, "sit", None, seat="Holmes", player="expert")
        served.post("sit", None, seat="Watson", player="beginner")
        assert served.client.get(link).status_code == 403
        its = served.of("Watson")
        served.post("sit", None, seat="Watson", player="expert")
        served.post("hand", "Watson", card=HANDS["Watson"])
        assert served.of("Watson") == its
        assert its in served.get(None, "?tab=table")
        assert "a machine (expert)" in served.get("Ann", "?tab=table")
    with called(path, public=True) as served:
        assert served.of("Watson") == its
        assert settle(served).machines == {"Watson": "expert"}
        assert settle(served).hand("Watson") == frozenset(HANDS["Watson"])
        served.post("sit", None, seat="Watson", player="")
        assert served.client.get(its).status_code == 403
        assert all(card in served.get("Watson") for card in HANDS["Watson"])
        assert served.table.machines == {}


def test_machines_are_named_where_a_table_is_set_up_later(tmp_path: Path) -> None:
    with called(tmp_path / "game.clue", public=True) as served:
        told: list[str] = []
        served.table.tell = told.append
        served.table.seat_all({"Watson": "expert", "Holmes": "expert"})
        served.post("setup", None, edition="clue-classic", players="Ann, Watson, Ben")
        assert served.table.machines == {"Watson": "expert"}
        assert any("Holmes" in line for line in told)
        with pytest.raises(ArgumentError, match="expected one of Ann, Watson, Ben"):
            served.table.seat_all({"Holmes": "expert"})


def test_a_machine_that_is_not_reached_is_not_asked(evening: Served) -> None:
    evening.post("hand", "Watson", card=HANDS["Watson"])
    phone = suggest(evening, "Watson", named())
    assert not any("Ask" in label for label in phone.buttons())
    phone = suggest(evening, "Ben", named(HANDS["Watson"][0]))
    assert [label for label in phone.buttons() if label.endswith("shows")] != []
    assert "Ask Watson" in phone.buttons()
    phone.press(f"Ben suggests {', '.join(named(HANDS['Watson'][0]))}: Ann shows")
    assert evening.lines("Watson")[-1] == evening.lines()[-1]
    phone = suggest(evening, "Ann", named())
    assert [*phone.buttons()][:1] == ["Ask Watson"]
    assert not any(label.endswith(("Ben shows", "nobody shows")) for label in phone.buttons())
    phone.press("Ask Watson")
    assert "Watson has none of them" in phone.text
    assert "Ask Watson" not in phone.buttons()
    assert evening.lines("Watson")[-1] == evening.lines()[-1]
    (card,) = named()[:1]
    phone.tap(f'data-card="{card}"')
    phone.tap(card)
    assert "Watson has none of them" not in phone.text
    evening.post("undo")


def test_whoever_has_no_page_sees_a_machines_card_on_its_page(evening: Served) -> None:
    """It is shown to one phone, until that has seen it; nothing of it is on Ann's untaken page."""
    evening.post("hand", "Watson", card=HANDS["Watson"])
    suggest(evening, "Ann", named(HANDS["Watson"][0])).press("Ask Watson")
    settle(evening)
    page, other = Phone(evening, "Watson"), Phone(evening, "Watson")
    told = f"Ann, Watson shows you <strong>{HANDS['Watson'][0]}</strong>"
    assert evening.lines("Ann")[-1].endswith("Watson shows")
    assert "shows you" not in page.text
    page.press("I am Ann: show me", "open")
    assert told in page.text
    other.load()
    assert told not in other.text
    page.press("I have seen it", "close")
    other.load()
    for phone in (page, other):
        assert "I am Ann" not in phone.text
        assert told not in phone.text
    page.load("?opened=anything")
    assert told not in page.text
    assert "shown no more" in wrong(evening, "open", "Watson", entry="1")


def test_what_one_told_a_machine_is_its_alone_and_may_be_put_right(evening: Served) -> None:
    evening.post("hand", "Watson", card=HANDS["Watson"])
    for seat in ("Ann", "Ben"):
        evening.post("hand", seat, card=HANDS[seat])
    kinds = FREE.table.edition.category_of
    two = [card for card in HANDS["Ben"] if kinds[card] != kinds[HANDS["Ben"][0]]][:1]
    asked = named(HANDS["Ben"][0], *two)
    suggest(evening, "Watson", asked, "Ben shows")
    line = evening.lines()[-1]
    at = settle(evening)
    assert "Ben, which card did you show Watson?" in evening.get(None)
    phone = Phone(evening, "Ben")
    phone.press(f"{line} {two[0]}")
    settle(evening)
    assert evening.lines("Watson")[-1] == f"{line} {two[0]}"
    assert evening.lines("Ann")[-1] == line
    assert at.owed("Watson") == ()
    phone.press(next(label for label in phone.buttons("undo")), "undo")
    phone.press(f"{line} {HANDS['Ben'][0]}")
    settle(evening)
    assert evening.lines("Watson")[-1] == f"{line} {HANDS['Ben'][0]}"


def test_a_machine_refuses_to_be_told_what_cannot_be(evening: Served) -> None:
    """And says no more of why: whoever tells it hears nothing of its hand."""
    evening.post("hand", "Watson", card=HANDS["Watson"])
    own = named(HANDS["Watson"][0])
    suggest(evening, "Watson", own, "Ben passes, Ann shows")
    settle(evening)
    page = Phone(evening, "Watson")
    assert {*page.buttons("owed")} == {*own}
    page.press(HANDS["Watson"][0], "owed")
    assert "Watson says that this cannot be" in page.text
    assert evening.lines("Watson")[-1] == evening.lines()[-1]
    page.press(next(card for card in own if card in HANDS["Ann"]), "owed")
    assert page.buttons("owed") == {}


def test_a_machine_says_so_when_the_log_cannot_be(evening: Served) -> None:
    evening.post("hand", "Watson", card=HANDS["Watson"])
    suggest(evening, "Ann", named(HANDS["Watson"][0]), "nobody shows")
    assert settle(evening).turns[0].waits == "log"
    assert "Watson cannot go on" in evening.get(None)
    evening.post("undo")
    evening.post("tell", None, line="Ann skips")
    assert settle(evening).turns[0].waits == ""


def test_a_machine_that_fails_lets_people_log_for_it(
    evening: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LEVELS, "expert", f"{__name__}:Alike")
    monkeypatch.setattr(Alike, "ask", None)
    evening.post("hand", "Watson", card=HANDS["Watson"])
    evening.post("tell", None, line="Ann skips")
    assert settle(evening).turns[0].waits == "wits"
    assert "Watson cannot decide" in evening.get(None)


def test_where_its_token_stands_is_asked_for(tmp_path: Path) -> None:
    cards = dealt()
    cards = cards._replace(table=replace(cards.table, pieces=(), first="Watson"))
    with table(tmp_path / "game.clue", cards) as served:
        assert settle(served).turns[0].waits == "place"
        assert "does not know where its token stands" in served.get(None)


def test_where_everybody_answers_a_machine_is_asked_in_its_turn(tmp_path: Path) -> None:
    everybody = FREE._replace(table=replace(FREE.table, answers="all"))
    with table(tmp_path / "game.clue", everybody) as served:
        cards = named(HANDS["Watson"][0])
        phone = suggest(served, "Ann", cards)  # Watson answers first
        assert not any(label.endswith("nobody shows") for label in phone.buttons())
        phone.press("Ask Watson")
        phone.press(f"Ann suggests {', '.join(cards)}: Watson shows, Ben passes")
        cards = named(HANDS["Ben"][0])
        phone = suggest(served, "Ben", cards)  # and last
        phone.tap("shows")
        phone.press("Ask Watson")
        phone.press("Log it")
        shows, passes = served.lines()[-2:]
        assert shows.endswith("Watson shows, Ben passes")
        assert passes == f"Ben suggests {', '.join(cards)}: Ann shows, Watson passes"
        assert f"Watson shows you {HANDS['Watson'][0]}." in served.get("Ann")
