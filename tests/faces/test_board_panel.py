"""The board on a page: who may tap it, what a tap logs, what stands under it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.faces.serving import Served, called

PLAYED = "edition: clue-classic\nplayers: Ann, Ben, Cat\npieces: Scarlett, Mustard, White\n\n"
LEGEND = "Coloured: in reach. A number is how likely the envelope has that room."
SQUARE = re.compile(" to [A-Z][0-9]+$")


@contextmanager
def table(folder: Path, text: str) -> Iterator[Served]:
    path = folder / "table.clue"
    path.write_text(text, "utf-8")
    with called(path, public=True) as found:
        found.post("help", level="sheet")
        yield found


def board(page: str) -> str:
    """The panel of the board on a page; empty if it has none."""
    return page.partition('<details id="board">')[2].partition("</details>")[0]


def rooms(page: str) -> dict[str, str]:
    """What the rooms that can be tapped are called, by the lines that they tell."""
    return dict(re.findall(r'data-line="([^"]*)" aria-label="([^"]*)"', board(page)))


def told(page: str) -> str:
    """What stands under the board."""
    return "".join(re.findall(r'<p class="faint">([^<]*)</p>', board(page)))


def test_a_tap_on_a_room_logs_the_move_of_whose_turn_it_is(tmp_path: Path) -> None:
    with table(tmp_path, f"{PLAYED}Ann rolls 8\n") as page:
        text = page.get()
        said = rooms(text)
        first, reach, odds, passage = said["Ann moves to Lounge"].split(", ")
        assert (first, reach, passage) == (
            "Move to Lounge",
            "in reach",
            "secret passage to Conservatory",
        )
        assert odds == "about 1 in 10 in the envelope"
        assert said["Ann moves to Library"] == "Move to Library"
        tap = "Tap a room or a square to log Ann's move."
        assert told(text) == f"{tap} {LEGEND}"
        page.sent("tell", line="Ann moves to Lounge", at="1")
        page.sent("tell", line="Ann moves to Lounge", at="1")  # the reply was lost
        assert page.lines() == ("Ann rolls 8", "Ann moves to Lounge")


def test_without_a_script_a_room_leads_to_the_line_that_its_tap_logs(tmp_path: Path) -> None:
    with table(tmp_path, PLAYED) as page:
        for line in ("Ann moves to Hall", "Ann moves to H17"):
            (link,) = re.findall(rf'href="([^"]*)" data-line="{line}"', board(page.get()))
            text = page.get(None, link)
            assert re.findall(r'id="line" name="line" value="([^"]*)"', text) == [line]
            assert rooms(text).keys() == rooms(page.get()).keys()


def test_squares_in_reach_are_tapped_and_any_near_one_before_the_roll(tmp_path: Path) -> None:
    with table(tmp_path, f"{PLAYED}Ann rolls 8\n") as page:
        rolled = {line: said for line, said in rooms(page.get()).items() if SQUARE.search(line)}
        assert rolled["Ann moves to H17"] == "Move to H17, in reach"
        assert "Ann moves to A18" not in rolled  # Ben stands there
        page.sent("tell", line="Ann moves to H17", at="1")
        assert page.lines()[-1] == "Ann moves to H17"
        said = rooms(page.get())
        assert len([line for line in said if SQUARE.search(line)]) > len(rolled)
        assert said["Ben moves to C18"] == "Move to C18"


def test_a_tap_on_another_piece_makes_it_the_one_that_moves(tmp_path: Path) -> None:
    with table(tmp_path, PLAYED) as page:
        links = re.findall(r'href="([^"]*)" aria-label="(\w+)\'s piece', board(page.get()))
        assert [seat for _, seat in links] == ["Ben", "Cat"]
        moved = rooms(page.get(None, links[0][0]))
        assert {line.partition(" ")[0] for line in moved} == {"Ben"}
        assert "'s piece" not in board(page.get("Ben"))


def test_where_one_stands_one_can_stay_if_the_rules_let_one(tmp_path: Path) -> None:
    asked = "Ann moves to Study\nAnn suggests Mustard, Rope, Study: Ben shows\n"
    with table(tmp_path, f"{PLAYED}{asked}") as page:
        said = rooms(page.get())
        stays = "Stay in Study, in reach, about 1 in 12 in the envelope, secret passage to Kitchen"
        assert said["Ben stays"] == f"{stays}, Ann, Ben and Rope here"
        assert "Ben moves to Study" not in said
    (tmp_path / "table.clue").unlink()
    with table(tmp_path, f"{PLAYED}{asked}Ben skips\nCat skips\n") as page:
        assert not [line for line in rooms(page.get()) if "Study" in line or "stays" in line]


def test_once_the_piece_has_moved_the_board_only_shows(tmp_path: Path) -> None:
    with table(tmp_path, f"{PLAYED}Ann moves to Lounge\n") as page:
        text = page.get()
        assert (rooms(text), 'id="moving"' in text) == ({}, False)
        assert 'aria-label="Board: Ann in Lounge; Ben in A18; Cat in J1"' in text
        assert "Ben moves to Lounge" in rooms(page.get(None, "?by=Ben"))


def test_a_seat_sees_the_board_and_taps_nothing(tmp_path: Path) -> None:
    with table(tmp_path, f"{PLAYED}Ann rolls 8\n") as page:
        page.post("hand", "Ben", card=["Plum", "Rope", "Hall", "Study", "Knife", "Green"])
        text = page.get("Ben")
        assert 'role="img" aria-label="Board: Ann in H25; Ben in A18; Cat in J1; in reach: ' in text
        assert (rooms(text), 'id="moving"' in text) == ({}, False)
        assert told(text) == LEGEND


def test_nothing_is_lit_where_nobody_knows_whose_piece_is_where(tmp_path: Path) -> None:
    unknown = PLAYED.replace("pieces: Scarlett, Mustard, White\n", "first: Ann\n")
    with table(tmp_path, unknown) as page:
        text = page.get()
        assert re.findall('class="room ([^"]*)"', board(text)) == [""] * 9
        lost = "The log does not say where every piece stands."
        assert told(text) == f"Tap a room or a square to log Ann's move. {lost}"


@pytest.mark.parametrize(
    "header",
    [
        "edition: clue-classic\nboard: none\nplayers: Ann, Ben, Cat\n\n",
        "edition: clue-diced\nplayers: Ann, Ben, Cat\n\n",
        "edition: master-detective\nplayers: Ann, Ben, Cat\n\n",
    ],
)
def test_a_table_without_a_board_has_no_panel(tmp_path: Path, header: str) -> None:
    with table(tmp_path, header) as page:
        assert board(page.get()) == ""


def test_there_is_no_panel_while_an_earlier_entry_is_changed(tmp_path: Path) -> None:
    with table(tmp_path, f"{PLAYED}Ann rolls 8\n") as page:
        assert board(page.get(None, "?edit=1&was=Ann+rolls+8")) == ""
