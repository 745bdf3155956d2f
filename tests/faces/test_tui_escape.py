"""Escape goes one step back wherever one is: it never quits, and loses nothing that was typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from clue_solver.faces.tui.app import PlayApp, beginning
from clue_solver.faces.tui.starting import OfferScreen, SetupScreen
from tests.faces.screen import FIRST, SMALL, Person, lines_in, playing, showing
from tests.faces.test_tui_practise import practising

pytestmark = pytest.mark.asyncio

ASKED = "cat sc le ki: ben"
WHICH = "? It is Ben's turn: did Ben skip?"
STEPS = {
    "an open list": (("f2", "down", "enter"), ("Choosing", "Choosing", "entry")),
    "a question": (("f4",), ("InputDialog", "entry")),
    "a line that is asked for, changed": (("f4", "x"), ("InputDialog", "InputDialog", "entry")),
    "help": (("f1",), ("TextDialog", "entry")),
    "a reason": (("enter",), ("TextDialog", "entry")),
    "advice": (("f10",), ("Advising", "entry")),
    "where one is, for advice": (("f10", "r"), ("InputDialog", "entry")),
    "the palette": (("ctrl+p",), ("CommandPalette", "entry")),
    "the sheet": (("f6",), ("sheet", "entry")),
    "the log": (("f6", "f6"), ("log", "entry")),
    "a supposition": (("f8",), ("entry | Esc comes back", "entry")),
    "another's eyes, from the sheet": (
        ("f7", "f6"),
        ("sheet | Esc comes back", "sheet", "entry"),
    ),
    "an earlier entry": (("left_square_bracket",), ("entry | Esc comes back", "entry")),
}
"""What is pressed, and where one is then and after each Escape: a dialog, or what has the focus."""


def place(at: Person) -> str:
    """Where one is."""
    if not at.there:
        return type(at.front).__name__
    focused = at.front.focused
    where = "" if focused is None else str(focused.id)
    return f"{where} | Esc comes back" if "Esc comes back" in at.said("#banner") else where


@pytest.mark.parametrize(("keys", "places"), STEPS.values(), ids=STEPS)
async def test_escape_leaves_one_thing_at_a_time(
    keys: tuple[str, ...], places: tuple[str, ...]
) -> None:
    async with playing() as at:
        for key in keys:
            await at.type("", key)
        found = [place(at)]
        for _ in places[1:]:
            await at.type("", "escape")
            found.append(place(at))
        assert found == [*places]
        await at.type("", "escape")  # once too many
        assert (place(at), at.app.is_running, len(at.lines)) == ("entry", True, 2)


LINES = {
    "what is typed": (
        ("ben pea",),
        (("ben pea", ""), ("ben pea", "Esc once more empties the line"), ("", "")),
    ),
    "a line that is refused": (
        ("ben plmu", "enter"),
        (("ben plmu", "unknown"), ("ben plmu", "Esc once more empties the line"), ("", "")),
    ),
    "a recalled line": (("", "ctrl+up"), ((FIRST.strip(), ""), ("", ""))),
    "a line taken back": (("", "ctrl+z"), ((FIRST.strip(), "taken back"), ("", ""))),
    "an answer that is begun": (
        (ASKED, "enter", "2"),
        (
            (ASKED, f"{WHICH} 2_"),
            (ASKED, f"{WHICH} 1/y Ben skips"),
            (ASKED, "-> "),
            (ASKED, "Esc once more empties the line"),
            ("", ""),
        ),
    ),
    "a line that waits": (
        (ASKED, "enter", *"ben plmu"),
        (
            ("ben plmu", "not taken"),
            ("ben plmu", "Esc once more empties the line"),
            ("", "not taken"),
            ("", ""),
        ),
    ),
    "an entry that is edited": (
        ("", "f6", "f6", "enter", " ", "x"),
        ((f"{FIRST.strip()} x", ""), ("", "")),
    ),
}
"""What is typed, and how the line and what is said of it begin then and after each Escape."""


@pytest.mark.parametrize(("typed", "steps"), LINES.values(), ids=LINES)
async def test_escape_empties_no_line_that_was_typed_but_the_second_time(
    typed: tuple[str, ...], steps: tuple[tuple[str, str], ...]
) -> None:
    line, *keys = typed
    async with playing() as at:
        await at.put(line)
        for key in keys:
            await at.type("", key)
        for step, (stands, said) in enumerate(steps):
            if step:
                await at.type("", "escape")
            assert (at.line, said in at.said()) == (stands, True), at.said()
        await at.type("", "ctrl+up")
        assert at.line != ""  # nothing is lost


async def test_in_set_up_escape_goes_from_field_to_field_and_to_what_was_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clue_solver.faces.tui.app.games_folder", lambda: tmp_path)
    (tmp_path / "old.clue").write_text(SMALL, "utf-8")
    async with showing(beginning()) as at:
        await at.type("", "escape")
        assert isinstance(at.front, OfferScreen)
        assert "Ctrl+Q leaves" in at.picture
        await at.type("3", "escape")  # nothing is typed yet
        assert isinstance(at.front, OfferScreen)
        await at.type("3", *"Ann, Ben, Cat", "enter", "escape", "escape", "escape")
        assert isinstance(at.front, SetupScreen)
        assert at.front.typed["players"] == "Ann, Ben, Cat"
        assert "Esc once more goes back" in at.said("#setup-note")
        await at.type("", "escape")
        assert isinstance(at.front, OfferScreen)
        await at.type("1", "enter")  # it is still there to go on with
        assert at.lines == lines_in(tmp_path / "old.clue")
    async with showing(PlayApp()) as at:
        await at.type("", "escape", "escape")
        assert isinstance(at.front, SetupScreen)
        assert "Esc once more" not in at.said("#setup-note")


async def test_in_practise_escape_leaves_the_view_the_pane_and_the_line() -> None:
    async with practising() as at:
        await at.type("", "left_square_bracket", "f6")
        assert place(at) == "sheet | Esc comes back"
        await at.type("", "escape")
        assert place(at) == "sheet"
        await at.type("", "escape")
        assert place(at) == "entry"
        await at.type("nowhere", "escape")
        assert (at.line, at.said()) == ("nowhere", "Esc once more empties the line")
        await at.type("", "escape", "escape")
        assert (at.line, at.app.is_running) == ("", True)
