"""The page as it is sent: what it shows, what it takes, what it refuses; without a browser."""

from __future__ import annotations

import itertools
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partialmethod
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs

import httpx
import pytest

from clue_solver import Game
from clue_solver.faces.web.server import Worker
from clue_solver.faces.web.thumbs import Button, Draft, entering
from clue_solver.record import Record, load_record, parse_record
from clue_solver.rules.edition import load_edition
from clue_solver.rules.observations import Hand, Move, Peek, kinds
from clue_solver.rules.table import Table
from clue_solver.session import Session
from tests.faces.serving import Served, served

HEADER = """edition: clue-classic
players: Ann, Ben, Cat
viewer: Ann

Ann holds Plum, Rope, Hall, Study, Knife, Green
"""
SHARED = "edition: clue-classic\nplayers: Ann, Ben, Cat, Dan, Eve, Flo\n\n"
HANDS = {
    "Ann": "White, Library, Study", "Ben": "Scarlett, Plum, Lounge", "Cat": "Rope, Green, Knife",
    "Dan": "Wrench, Mustard, Candlestick", "Eve": "Revolver, Hall, Dining Room",
    "Flo": "Ballroom, Conservatory, Kitchen",
}  # fmt: skip


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Served]:
    path = tmp_path / "game.clue"
    path.write_text(HEADER, "utf-8")
    with served(path) as found:
        yield found


@pytest.fixture
def shared(tmp_path: Path) -> Iterator[Served]:
    path = tmp_path / "table.clue"
    path.write_text(SHARED, "utf-8")
    with served(path, public=True) as found:
        yield found


def test_the_page_holds_every_card_and_nothing_from_elsewhere(page: Served) -> None:
    answer = page.client.get(page.url)
    text = unescape(answer.text)
    assert 200 == answer.status_code
    assert all(card in text for card in page.table.recorder.game.record.table.edition.names)
    assert not [each for each in re.findall(r'(?:src|href)="(\w+:[^"]*)', text)
                if not each.startswith(page.origin)]  # fmt: skip
    assert not re.findall(r"<script(?! src=)|\son\w+=|\sstyle=", text)
    assert "set-cookie" not in answer.headers
    assert "script-src 'self';" in answer.headers["content-security-policy"]
    for name in ("page.css", "page.js", "htmx.min.js", "icon-192.png"):
        assert 200 == page.client.get(f"{page.url}/static/{name}").status_code
    assert page.url.endswith(page.client.get(f"{page.url}/manifest.webmanifest").json()["scope"])


def test_whoever_has_no_secret_is_told_nothing(page: Served) -> None:
    asked = [
        ("GET", page.origin, {}), ("GET", f"{page.origin}/", {}), ("GET", page.url[:-1], {}),
        ("GET", f"{page.url}x", {}), ("GET", f"{page.origin}/static/page.css", {}),
        ("POST", f"{page.origin}/AAAA/tell", {}), ("GET", f"{page.origin}/favicon.ico", {}),
        ("GET", page.url, {"host": "example.org"}), ("GET", page.url, {"host": "127.0.0.1:1"}),
        ("GET", page.url, {"origin": "http://example.org"}),
        ("POST", f"{page.url}/undo", {"origin": "null"}),
        ("POST", f"{page.url}/undo", {"sec-fetch-site": "cross-site"}),
    ]  # fmt: skip
    answers = [page.client.request(how, url, headers=said) for how, url, said in asked]
    assert [403] * len(asked) == [each.status_code for each in answers]
    assert {"forbidden\n"} == {each.text for each in answers}


def test_a_form_without_its_token_changes_nothing(page: Served) -> None:
    other = page.client.post(f"{page.url}/tell", data={"line": "ben skips", "csrf": "0" * 32})
    assert 403 == other.status_code
    assert 1 == len(page.lines())


def test_too_much_and_too_often_is_refused(page: Served) -> None:
    assert 413 == page.post("tell", line="x" * 20_000).status_code
    assert 414 == page.client.get(f"{page.url}?{'x' * 5_000}").status_code
    token = page.token()
    codes = {page.client.post(f"{page.url}/tell", data={"csrf": token}).status_code
             for _ in range(90)}  # fmt: skip
    assert {303, 429} == codes


def test_a_line_is_taken_undone_and_done_again(page: Served, tmp_path: Path) -> None:
    assert 303 == page.post("tell", line="ben mus wr lou: cat", settled="turn").status_code
    assert "Ben suggests Mustard, Wrench, Lounge: Cat shows" == page.lines()[-1]
    assert page.lines()[-1] in (tmp_path / "game.clue").read_text("utf-8")
    assert "Undo 2 Ben suggests Mustard" in " ".join(page.get().split())
    page.post("undo")
    assert 1 == len(page.lines())
    page.post("redo")
    assert 2 == len(page.lines())
    page.post("tell", line="ben white wr lou: cat", edit="2")
    assert "Ben suggests White, Wrench, Lounge: Cat shows" == page.lines()[-1]
    page.post("delete", entry="2")
    assert 1 == len(page.lines())


def after(page: Served, answer: httpx.Response, seat: str | None = None) -> str:
    """The page that a form leads to."""
    where = answer.headers["location"].partition("?")[2]
    return page.get(seat, query=f"?{where}" if where else "")


def test_what_is_doubtful_is_asked_and_what_is_wrong_is_said(page: Served) -> None:
    text = after(page, page.post("tell", line="ann mus wr lou: ben shows"))
    assert 'value="Ann suggests Mustard, Wrench, Lounge: Ben shows Wrench"' in text
    assert 1 == len(page.lines())
    assert "unknown" in after(page, page.post("tell", line="ann mus wr plmu"))
    text = after(page, page.post("tell", line="ann accuses mus wr lou"))
    assert 'value="ann accuses mus wr lou wrong"' in text
    assert "Take it as it stands" not in text
    text = after(page, page.post("tell", line="cat reveals plum"))
    assert "contradicts entry 1: is it right" in text
    page.post("tell", sure="cat reveals plum", kind="clash", settled="turn")
    assert "The log contradicts itself" in page.get()


def test_what_two_phones_change_at_once_is_what_each_of_them_showed(page: Served) -> None:
    for line in ("ben skips", "cat skips", "ann skips"):
        page.post("tell", line=line)
    shown = page.get()
    assert 'name="what" value="taken back: 4  Ann skips"' in shown
    for _ in range(2):
        page.post("undo", what="taken back: 4  Ann skips")
    assert "Cat skips" == page.lines()[-1]
    for _ in range(2):
        page.post("delete", entry="2", was="Ben skips")
    assert ("Cat skips",) == page.lines()[1:]
    text = page.get(query="?edit=3&was=Cat+skips")
    assert "Entry 2 anew: Cat skips" in text
    assert "anew" not in page.get(query="?edit=2&was=Ben+skips")
    page.post("tell", line="cat mus wr lou: nobody", edit="3", was="Cat skips", settled="turn")
    assert "Cat suggests Mustard, Wrench, Lounge: nobody shows" == page.lines()[1]
    text = after(page, page.post("tell", line="ben skips", edit="2", was="Cat skips"))
    assert "entry 2 was changed meanwhile" in text


def test_whoever_is_asked_is_told_which_card_tells_less(page: Served) -> None:
    page.post("tell", line="ben plum wr hall: cat passes, ann plum")
    said = {"Ben": "Ben knows Plum", "Cat": "Plum tells less"}
    for by, known in said.items():
        text = page.get(query=f"?by={by}&pick=Plum&pick=Rope&pick=Lounge")
        assert f"You can show Plum, Rope: {known}." in text
    assert "You can show Rope." in page.get(query="?by=Cat&pick=Mustard&pick=Rope&pick=Lounge")


def test_whoever_leaves_before_the_answer_stops_nobody_else() -> None:
    worker, begin = Worker(), threading.Event()
    worker.give(begin.wait)
    left, stays = worker.give(lambda: 1), worker.give(lambda: 2)
    assert left.cancel()
    begin.set()
    assert 2 == stays.result(10)


def test_a_page_comes_with_each_change_and_none_once_its_link_has_ended(page: Served) -> None:
    with page.client.stream("GET", f"{page.url}/events?tab=log") as stream:
        lines = stream.iter_lines()
        assert ["retry: 1000", "id: 2", "data: -", ""] == [next(lines) for _ in range(4)]
        page.post("tell", line="ben skips", settled="turn")
        assert "id: 3" == next(lines)
        shown = "\n".join(itertools.takewhile(lambda line: line.startswith("data: "), lines))
        assert 'data-version="3"' in shown
        assert "Take entry 2 out" in shown
        page.post("renew")
        assert not [line for line in lines if page.table.recorder.secret in line]


def test_names_and_comments_are_data(page: Served) -> None:
    page.post("tell", line="ben skips # <script>alert(1)</script>", settled="turn")
    text = page.client.get(f"{page.url}?tab=log").text
    assert "&lt;script&gt;alert(1)" in text
    assert "<script>alert" not in text


@pytest.mark.parametrize(
    "query",
    ["?by=Nobody&pick=x", "?pick=Plum&pick=Rope&pick=Hall&by=Ben&x=Zoe", "?kind=other&x=Look&x=9",
     "?edit=99", "?tab=zzz", "?card=Plum&holder=Zoe", "?suppose=zzz", "?line=%00", "?line=a%0ab",
     "?cover=1", "?kind=other&x=Accusation", "?%ff=%fe", "?tab=sheet&card=Plum&holder=Ann"],
)  # fmt: skip
def test_no_address_breaks_the_page(page: Served, query: str) -> None:
    assert "clue-solver" in page.get(query=query)


def test_a_new_game_is_set_up_on_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    path = tmp_path / "new.clue"
    with served(path) as found:
        text = found.get()
        assert "Conservatory" in text
        wrong = found.post("setup", edition="clue-classic", players="Ann")
        assert "expected 2 to" in unescape(wrong.text)
        found.post("setup", edition="clue-classic", players="Ann, Ben, Cat",
                   hand=["Plum", "Rope", "Hall", "Study", "Knife", "Green"])  # fmt: skip
        assert ("Ann holds Plum, Rope, Hall, Study, Knife, Green",) == found.lines()
    assert "viewer: Ann" in path.read_text("utf-8")


def test_a_link_that_is_renewed_ends(page: Served) -> None:
    old = page.url
    where = page.post("renew").headers["location"]
    assert old != page.url == f"{page.origin}{where.partition('?')[0]}"
    assert 403 == page.client.get(old).status_code


@pytest.mark.parametrize("edition", ["clue-1996", "clue-diced", "clue-2015"])
def test_the_buttons_lead_to_every_kind_of_line(edition: str) -> None:
    table = Table(edition=load_edition(edition), seats=("Ann", "Ben", "Cat"), viewer="Ann")
    session = Session(Record(table=table))

    def drafted(button: Button) -> Draft:
        return Draft.of(parse_qs(button.href[1:], keep_blank_values=True), session)

    def buttons(draft: Draft) -> list[Button]:
        return [each for row in entering(session, draft, sound=True).rows for each in row.buttons]

    told = set()
    for begun in buttons(Draft(kind="other")):
        draft = drafted(begun)
        for _ in range(12):
            offered = buttons(draft)
            assert offered
            if lines := [each.line for each in offered if each.line]:
                assert all(session.read(line) for line in lines)
                told.add(type(session.read(lines[0])[0]))
                break
            draft = drafted(offered[0])
    assert set(kinds()) - told <= {Hand, Peek, Move}  # long; no notch there, no rooms
    columns = entering(session, Draft(), sound=True)
    picked = tuple(column.buttons[-1].card for column in columns.columns)[: columns.most]
    first = entering(session, Draft(by="Ben", picked=picked), sound=True)
    assert ("Cat" if table.answering("Ben")[0] == "Cat" else "Ann") == first.rows[0].title


def seats_join(table: Served) -> None:
    for seat, hand in HANDS.items():
        table.post("hand", seat, card=hand.split(", "))


def test_a_seats_first_words_give_it_a_link_of_its_own(shared: Served) -> None:
    invitation = shared.of("Ben")
    assert invitation in shared.get(query="?tab=table")
    shared.post("hand", "Ben", card=HANDS["Ben"].split(", "))
    assert 403 == shared.client.get(invitation).status_code
    assert shared.table.seats["Ben"].secret not in shared.get(query="?tab=table")
    assert "You hold Scarlett, Plum, Lounge" in shared.get("Ben")
    shared.post("tell", line="ann skips", settled="turn")
    assert ["1"] == re.findall(r"Take my part of entry (\d+) out", shared.get("Ben", "?tab=log"))
    assert "Has a page of their own" in shared.get(query="?tab=table")


def test_the_log_is_everybodys_and_what_was_shown_is_for_two(shared: Served) -> None:
    shared.post("hand", "Ann", card=HANDS["Ann"].split(", "))
    shared.post("tell", line="ann scarlett rope lounge: ben scarlett")
    assert "Ann suggests Scarlett, Rope, Lounge: Ben shows" == shared.lines()[-1]
    text = shared.get("Ann")
    assert "Which card" in text or "What did Ben show" in text
    shared.post(
        "tell", "Ann", edit="2", line="Ann suggests Scarlett, Rope, Lounge: Ben shows Scarlett"
    )
    assert "Ann suggests Scarlett, Rope, Lounge: Ben shows Scarlett" == shared.lines("Ann")[-1]
    for other in ("Ben", "Cat"):
        assert "Ann suggests Scarlett, Rope, Lounge: Ben shows" == shared.lines(other)[-1]
    shared.post("tell", line="ann green rope lounge: ben", edit="1")
    assert "Ann suggests Green, Rope, Lounge: Ben shows" == shared.lines("Ann")[-1]


def test_a_seat_tells_only_what_is_its_to_know(shared: Served) -> None:
    shared.post("hand", "Cat", card=HANDS["Cat"].split(", "))
    shared.post("tell", line="ann scarlett rope lounge: ben")
    before = shared.lines(), shared.lines("Cat")
    for line in (
        "cat skips",
        "ann holds Plum, White, Green",
        "ann scarlett rope lounge: ben scarlett",
    ):
        shared.post("tell", "Cat", line=line)
    assert before == (shared.lines(), shared.lines("Cat"))
    shared.post("tell", "Cat", line="ben has lounge")
    assert "Cat knows Ben has Lounge" == shared.lines("Cat")[-1]
    shared.post("undo", "Cat")
    assert before[1] == shared.lines("Cat")
    shared.post("tell", line="Dan holds Wrench, Mustard, Candlestick")
    assert before[0] == shared.lines()


def test_a_seat_is_asked_about_what_it_leaves_out_and_refused_what_cannot_be(
    shared: Served,
) -> None:
    for seat in ("Ann", "Ben"):
        shared.post("hand", seat, card=HANDS[seat].split(", "))
    shared.post("tell", line="ann scarlett rope lounge: ben", settled="turn")
    before = shared.lines("Ann"), shared.lines("Ben")
    text = after(shared, shared.post("tell", "Ann", line="ann scarlett rope lounge: ben"), "Ann")
    assert "Which card did Ben show you?" in text
    text = after(shared, shared.post("tell", "Ben", line="ann sc rope lou: ben rope"), "Ben")
    assert "you do not hold Rope: expected Scarlett or Lounge" in text
    text = after(shared, shared.post("tell", "Ann", line="ben has study"), "Ann")
    assert "This contradicts entry 1: is it right all the same?" in text
    assert before == (shared.lines("Ann"), shared.lines("Ben"))
    shared.post("tell", "Ann", line="ann sc rope lou: ben sc", edit="2")
    assert before[0] != shared.lines("Ann")


def test_a_seats_contradiction_is_its_own_to_mend(shared: Served) -> None:
    shared.post("hand", "Ben", card=HANDS["Ben"].split(", "))
    shared.post("tell", line="dan rope hall mustard: eve passes, flo", settled="turn")
    shared.post("tell", line="eve rope study plum: nobody", settled="turn")
    others = shared.table.seats["Dan"], shared.table.seats["Ann"]
    before = [each.version for each in others]
    answer = shared.post("hand", "Cat", card=HANDS["Cat"].split(", "))
    assert "This contradicts entry 2: is it right all the same?" in after(shared, answer, "Cat")
    assert 2 == len(shared.lines("Cat"))
    shared.post("tell", "Cat", sure=f"Cat holds {HANDS['Cat']}", kind="clash")
    assert "The log contradicts itself" in shared.get("Cat")
    while shared.table.seats["Cat"].current is None:
        shared.get("Cat")
    mine, _, recorders = shared.get("Cat", "?tab=log").partition("Or, for the recorder to change")
    fixes = re.findall(r'name="number" value="(\d+)">(.*?) \(', mine)
    assert fixes
    assert all(told.startswith("3 is Cat holds") for _, told in fixes)
    assert "2 is Eve suggests" in recorders
    check = shared.table.seats["Cat"].current
    assert check is not None
    assert check.check is not None
    changed = [each.changes[0].entry for each in check.check.corrections]
    answer = shared.post("fix", "Cat", number=str(changed.index(2) + 1))
    assert "is changed by the recorder" in after(shared, answer, "Cat")
    shared.post("fix", "Cat", number=fixes[0][0])
    assert "Cat holds" in shared.lines("Cat")[2]
    assert "The log contradicts itself" not in shared.get("Cat")
    shared.post("undo", "Cat")
    assert f"Cat holds {HANDS['Cat']}" == shared.lines("Cat")[2]
    assert before == [each.version for each in others]


def bytes_of(table: Served, seat: str | None) -> list[bytes]:
    """All that a page sends once its verdict is known, what is random apart."""
    book = table.table.seats[seat] if seat else table.table.recorder
    for _ in range(2_000):
        table.get(seat)
        if book.current is not None:
            break
        time.sleep(0.05)
    found = []
    for query in ("", "?tab=sheet&card=Plum&holder=Ben", "?tab=log", "?tab=table",
                  "?tab=sheet&suppose=Ben+has+Rope", "/record.clue"):  # fmt: skip
        content = table.client.get(table.of(seat) + query).content
        for other in table.table.notebooks:
            content = content.replace(other.secret.encode(), b"SECRET")
        content = re.sub(rb"<svg.*?</svg>", b"", content)
        content = re.sub(rb'name="csrf" value="\w+"', b"", content)
        content = re.sub(rb"127.0.0.1:\d+", b"", content)
        content = re.sub(rb'data-version="\d+"', b"", content)  # how often it was thought about
        found.append(content)
    return found


def steady(table: Served, seat: str | None) -> list[bytes]:
    """Return a page once it stays the same for a second: its verdict is thought about."""
    told, since = bytes_of(table, seat), time.monotonic()
    while time.monotonic() - since < 1:
        time.sleep(0.2)
        if (again := bytes_of(table, seat)) != told:
            told, since = again, time.monotonic()
    return told


def test_nobodys_private_facts_reach_another_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two games with one public log; what everybody but Ann holds and saw differs between them."""
    monkeypatch.setattr(Game, "decision", partialmethod(Game.decision, by="bits"))
    swapped = HANDS | {"Ben": HANDS["Cat"], "Cat": HANDS["Ben"], "Eve": HANDS["Flo"],
                       "Flo": HANDS["Eve"]}  # fmt: skip
    pages = []
    for number, hands in enumerate((HANDS, swapped)):
        path = tmp_path / f"{number}.clue"
        path.write_text(SHARED, "utf-8")
        with served(path, public=True) as table:
            for seat, hand in hands.items():
                table.post("hand", seat, card=hand.split(", "))
            table.post("tell", line="ann scarlett rope lounge: ben", settled="turn")
            table.post("tell", line="dan plum knife hall: eve passes, flo passes, ann passes, ben",
                       settled="turn")  # fmt: skip
            shown = next(card for card in ("Plum", "Knife") if card in hands["Ben"])
            for seat in ("Dan", "Ben"):
                line = f"{table.lines(seat)[2]} {shown}"
                table.post("tell", seat, edit="3", line=line)
            table.post("tell", "Cat", line=f"ben has {shown}" if number else "eve has hall")
            assert shown in table.lines("Dan")[2].partition(":")[2]
            pages.append((steady(table, "Ann"), steady(table, None), steady(table, "Ben")))
    (ann, recorder, ben), (ann_too, recorder_too, ben_too) = pages
    assert ann == ann_too
    assert recorder == recorder_too
    assert ben != ben_too


def test_at_the_end_every_seats_record_and_the_merged_one_are_files(tmp_path: Path) -> None:
    path = tmp_path / "friday.clue"
    path.write_text(SHARED, "utf-8")
    with served(path, public=True) as table:
        seats_join(table)
        table.post("tell", line="ann scarlett rope lounge: ben", settled="turn")
        shown = "Ann suggests Scarlett, Rope, Lounge: Ben shows Lounge"
        table.post("tell", "Ann", edit="2", line=shown)
    assert [f"friday-{seat}.clue" for seat in HANDS] == sorted(
        each.name for each in tmp_path.glob("friday-???.clue")
    )
    merged = load_record(tmp_path / "friday-merged.clue")
    assert 7 == len(merged.entries)
    assert "Ben shows Lounge" in (tmp_path / "friday-merged.clue").read_text("utf-8")
    with served(path, public=True) as table:  # it goes on from the files
        table.post("tell", line="ben skips", settled="turn")
        assert "Ben skips" in table.get("Cat", "?tab=log")
        table.server._quick.give(lambda: None).result(10)
        assert "Ben skips" in (tmp_path / "friday-Cat.clue").read_text("utf-8")
        table.post("undo")
        assert shown == table.lines("Ann")[-1]
        assert "Ann suggests Scarlett, Rope, Lounge: Ben shows" == table.lines("Ben")[-1]
    (tmp_path / "untouched.clue").write_text(SHARED, "utf-8")
    with served(tmp_path / "untouched.clue", public=True):
        pass
    assert 6 == len([*tmp_path.glob("untouched-???.clue")])


@pytest.mark.skipif(os.name != "posix", reason="interrupts a process")
def test_the_first_line_is_the_address_and_an_interrupt_ends_it(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    path.write_text(HEADER, "utf-8")
    run = subprocess.Popen(
        [sys.executable, "-m", "clue_solver", "serve", str(path), "--port", "0"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
    )  # fmt: skip
    try:
        assert run.stdout is not None
        address = run.stdout.readline().strip()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{22}", address)
        answer = httpx.get(address)
        assert 200 == answer.status_code
        with httpx.stream("GET", f"{address}/events") as stream:
            next(stream.iter_bytes())
            run.send_signal(signal.SIGINT)
            run.wait(60)
        assert 0 == run.returncode
    finally:
        run.kill()
        run.communicate()
    assert 1 == len(parse_record(path.read_text("utf-8")).entries)
