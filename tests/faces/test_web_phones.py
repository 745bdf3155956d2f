"""Several phones at one table: no entry that nobody meant, whatever comes late, twice or never."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from tests.faces.phones import Phone
from tests.faces.serving import Served, called, words
from tests.faces.test_web import HANDS, SHARED

CARDS = ("Mustard", "Wrench", "Lounge")
SHOWS = {seat: f"Ben suggests {', '.join(CARDS)}: {seat} shows" for seat in ("Cat", "Ann")}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Served]:
    with called(
        tmp_path / "table.clue", "edition: clue-classic\nplayers: Ann, Ben, Cat\n\nAnn skips\n"
    ) as found:
        yield found


def test_of_two_answers_to_one_suggestion_one_is_logged(table: Served) -> None:
    one, two = Phone(table), Phone(table)
    cat, ann = SHOWS["Cat"], f"Ben suggests {', '.join(CARDS)}: Cat passes, Ann shows"
    assert one.choose(cat)
    assert two.choose(ann)
    one.press(cat)
    two.press(ann)
    assert table.lines() == ("Ann skips", cat)
    assert two.late
    assert "This came first; yours is not logged" in two.text
    assert f"2: {cat}" in two.text
    assert f"Yours: {ann}" in words(two.text)
    for _ in range(2):  # what was tapped is still there, after a reload, too
        assert {*two.buttons()} > {cat, ann}
        two.load()
    two.press(ann)  # it is meant all the same
    assert "This contradicts entry 2: are you sure?" in two.text
    assert table.lines() == ("Ann skips", cat)
    two.tap("Back")
    assert not two.late
    two.load("?tab=log")
    edit = next(href for href in re.findall(r'href="([^"]*)" aria-label="Edit entry 2"', two.text))
    two.load(unescape(edit))
    two.press(ann)
    assert table.lines() == ("Ann skips", ann)


def test_a_half_made_entry_stays_its_askers(table: Served) -> None:
    one, two = Phone(table), Phone(table)
    assert one.choose(SHOWS["Cat"])
    assert two.choose(SHOWS["Cat"])
    one.press(SHOWS["Cat"])
    two.load()  # what was tapped for Ben does not become Cat's
    assert SHOWS["Cat"] in two.buttons()
    assert not any(line.startswith("Cat suggests") for line in two.buttons())
    third = Phone(table)
    skips = third.buttons()["Cat skips"]
    one.load("")
    one.press("Cat skips")
    third.hear(third.send(skips))  # the same of the same turn
    assert table.lines() == ("Ann skips", SHOWS["Cat"], "Cat skips")


def test_what_comes_twice_or_late_is_done_once(table: Served) -> None:
    phone = Phone(table)
    skips = phone.buttons()["Ben skips"]
    for _ in range(3):
        phone.hear(phone.send(skips))
    assert table.lines() == ("Ann skips", "Ben skips")
    undo = next(iter(phone.buttons("undo").values()))
    phone.hear(phone.send(undo))
    phone.hear(phone.send(skips))  # it comes late, after it was taken back
    assert table.lines() == ("Ann skips",)
    phone.press("Ben skips")
    phone.send(undo)
    assert table.lines() == ("Ann skips", "Ben skips")
    phone.load("?edit=2&was=Ben+skips")
    delete = phone.buttons("delete")["Take it out"]
    phone.send(delete)
    phone.load("")
    phone.press("Ben skips")
    phone.send(delete)
    assert table.lines() == ("Ann skips", "Ben skips")
    phone.load("")
    phone.press(next(iter(phone.buttons("undo"))), "undo")
    assert table.lines() == ("Ann skips",)
    phone.load("?tab=log")
    hands = phone.buttons("header")
    assert all("at" in sent.said for sent in hands.values())


def test_what_is_typed_means_what_it_meant_when_it_was_begun(table: Served) -> None:
    phone = Phone(table)
    at = phone.buttons()["Log"].said["at"]
    table.post("tell", line="ben skips")
    log = phone.buttons()["Log"]
    phone.hear(phone.send(log._replace(said={**log.said, "line": ["mus wr lou: cat"], "at": at})))
    assert phone.late
    assert 'name="line" value="mus wr lou: cat"' in phone.text
    assert table.lines() == ("Ann skips", "Ben skips")
    phone.load()  # it is still there, and means what it means now
    assert 'name="line" value="mus wr lou: cat"' in phone.text
    log = phone.buttons()["Log"]
    phone.hear(phone.send(log._replace(said={**log.said, "line": ["mus wr lou: ann"]})))
    assert table.lines()[2:] == ("Cat suggests Mustard, Wrench, Lounge: Ann shows",)


def test_two_recorders_who_change_one_thing_are_told(table: Served) -> None:
    one, two = Phone(table), Phone(table)
    for phone in (one, two):
        phone.load("?tab=log")
    sent = [phone.buttons("header")["Set"] for phone in (one, two)]
    for phone, each, hands in zip((one, two), sent, ("6, 6, 6", "5, 6, 7"), strict=True):
        phone.hear(phone.send(each._replace(said={**each.said, "hands": [hands]})))
    assert "The log was changed meanwhile" in two.text
    assert table.table.recorder.game.record.table.hands == (6, 6, 6)


def test_a_private_line_goes_to_the_entry_that_its_page_showed(tmp_path: Path) -> None:
    with called(
        tmp_path / "table.clue",
        f"{SHARED}Ann suggests Scarlett, Rope, Lounge: Ben shows\nBen skips\n",
        public=True,
    ) as table:
        table.post("hand", "Ann", card=HANDS["Ann"])
        ann = Phone(table, "Ann")
        saw = ann.buttons()["Ann suggests Scarlett, Rope, Lounge: Ben shows Lounge"]
        table.post("tell", line="cat skips", edit="1", insert="1", settled="turn")
        ann.hear(ann.send(saw))
        assert table.lines("Ann")[1] == "Ann suggests Scarlett, Rope, Lounge: Ben shows Lounge"


def test_a_page_of_before_a_restart_is_not_taken_for_current(tmp_path: Path) -> None:
    path = tmp_path / "table.clue"
    path.write_text(SHARED, "utf-8")
    shown = set()
    for _ in range(2):  # the same path to the same log
        with called(path, public=True) as table:
            shown |= {table.book(seat).version for seat in (None, "Ann")}
    assert len(shown) == 4
