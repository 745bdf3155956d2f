"""What is asked under the line before it is taken: nothing is answered unseen, no line is lost."""

from __future__ import annotations

import re

import pytest
from rich.console import Console

from clue_solver.conversation.dialog import Dialog
from clue_solver.conversation.questions import DoubtChoice
from clue_solver.conversation.session import Session
from clue_solver.faces.tui.entry import Matches, QuestionKeys
from clue_solver.faces.tui.panes import Advising, TextDialog
from clue_solver.notation import Reading, TypedLine
from clue_solver.record import parse_record
from tests.faces.screen import FIRST, FOUR, HAND, HEADER, SMALL, playing

ASKED = "ann mus wr lou : cat"
SEEN = "Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows"


def opened(text: str, line: str, *, width: int = 78) -> QuestionKeys:
    """What is asked about a line in a game."""
    dialog = Dialog(Session(parse_record(text)))
    asking = dialog.enter(line).asked
    assert asking is not None
    return QuestionKeys(dialog, asking, width=width)


def answer(asked: QuestionKeys, typed: str) -> str | None:
    """What Enter answers to a question once so much is typed; `line` where a line begins so."""
    asked.typed = ""
    for mark in typed:
        if not asked.type(mark):
            return "line"
    match asked.dialog.answer_in(asked.typed):
        case DoubtChoice() as choice:
            return choice.lines[-1]
        case Reading() as told:
            return told.line
        case yes_or_no:
            return yes_or_no


@pytest.mark.parametrize(
    ("text", "line", "typed", "wanted"),
    [
        (HEADER + HAND, ASKED, "3", f"{SEEN} Lounge"),
        (HEADER + HAND, ASKED, "L", f"{SEEN} Lounge"),
        (HEADER + HAND, ASKED, "lou", f"{SEEN} Lounge"),
        (HEADER + HAND, ASKED, "?", f"{SEEN} ?"),
        (HEADER + HAND, ASKED, "4", f"{SEEN} ?"),
        (HEADER + HAND, ASKED, "", None),  # an Enter too many answers nothing
        (HEADER + HAND, ASKED, "7", None),  # no choice, and no line begins so
        (HEADER + HAND, "ann pea cand lou : ben", "cat pea lead", "line"),
        (HEADER + HAND, "ann pea cand lou : ben", "me pea", "line"),
        (
            SMALL,
            "ben pl ro lou : cat pass, ann",
            "r",
            "Ben suggests Plum, Rope, Lounge: Cat passes, Ann shows Rope",
        ),
        (SMALL, "ben mus wr lou: -", "y", "yes"),
        (SMALL, "ben mus wr lou: -", "no", "no"),
        (SMALL, "ben mus wr lou: -", "/", "line"),
        (SMALL, "cat sc le ki : ?", "y", "Cat suggests Scarlett, Lead Pipe, Kitchen: ?"),
        (SMALL, "cat sc le ki : ?", "7", None),
        (SMALL, "cat sc le ki : ?", "1", "Cat suggests Scarlett, Lead Pipe, Kitchen: ?"),
        (SMALL, "cat sc le ki : ?", "was", "Ben suggests Scarlett, Lead Pipe, Kitchen: ?"),
        (SMALL, "ben sc le ki", "c", "Ben suggests Scarlett, Lead Pipe, Kitchen: Cat shows"),
        (SMALL, "ben sc le ki", "n", "Ben suggests Scarlett, Lead Pipe, Kitchen: nobody shows"),
        (SMALL, "ben sc le ki", "cat ki", "Ben suggests Scarlett, Lead Pipe, Kitchen: cat ki"),
        (SMALL, "ben pl le ha", "hall", "Ben suggests Plum, Lead Pipe, Hall: Ann shows Hall"),
        (SMALL, "ben accuses mus rope hall", "wrnog", None),  # a slip begins no line
        (SMALL, "ben accuses mus rope hall", "wr", "Ben accuses Mustard, Rope, Hall: wrong"),
    ],
)
def test_what_enter_answers_is_typed_before(
    text: str, line: str, typed: str, wanted: str | None
) -> None:
    found = answer(opened(text, line), typed)
    table = parse_record(HEADER + HAND).table
    both = (TypedLine(each, table).preview.text or each for each in (found or "", wanted or ""))
    assert (found in (None, "line")) == (wanted in (None, "line"))
    assert len({*both}) == 1


def test_every_choice_of_a_long_list_has_its_number() -> None:
    asked = opened(SMALL, "ann looks at ben")
    choices = asked.doubt.choices
    assert len(choices) > 12
    for number, choice in enumerate(choices, 1):
        assert answer(asked, str(number)) == choice.lines[-1]
    asked.typed = "1"
    assert f"Enter: {choices[0].label}" in asked.text.plain


def test_a_slip_is_told_what_may_be_meant_and_tab_goes_on_with_one_answer() -> None:
    asked = opened(SMALL, "ben accuses mus rope hall")
    asked.typed = "wrnog"
    assert "did you mean 'wrong'? Tab takes it" in asked.text.plain
    asked.complete()
    assert asked.typed == "wrong"
    asked.typed = "w"
    asked.complete()
    assert asked.typed == "wrong"


@pytest.mark.parametrize("width", [38, 58, 78])
@pytest.mark.parametrize(
    ("text", "line"),
    [
        (FOUR, "ann mus wr lou : dan"),
        (FOUR, "ben mus wr lou : cat mus"),
        (FOUR + "Ann suggests Green, Rope, Hall: Cat shows\n", "dan sc le ki : ?"),
        (SMALL, "ben mus wr lou: -"),
    ],
)
def test_a_number_stands_beside_what_it_is_for_at_any_width(
    width: int, text: str, line: str
) -> None:
    asked = opened(text, line, width=width)
    rows = [each.plain for each in asked.text.wrap(Console(width=width), width)]
    for number, choice in enumerate(asked.doubt.choices, 1):
        beside = re.compile(rf"\b{number}(/y)?  {re.escape(choice.label)}(?!\w)")
        assert any(beside.search(row) for row in rows), choice


@pytest.mark.asyncio
async def test_a_question_is_answered_by_keys_and_enter_and_stays_till_then() -> None:
    async with playing(HEADER + HAND) as at:
        await at.paste(f"{ASKED}\nben sc le ki : cat\n")
        assert "1 more line follows" in at.said()
        await at.type("", "escape")  # pasted lines and a question are left together
        assert at.said() == "the other pasted lines are left out"
        await at.type("1")
        assert (at.line, len(at.lines)) == (f"{ASKED}1", 1)
        await at.put(ASKED, "enter", "enter", "enter")
        assert (at.line, len(at.lines)) == (ASKED, 1)
        asked = "? Which card did Cat show you?"
        assert at.said().startswith(asked)
        assert "type one, then Enter" in at.said()
        await at.type("", "f5")
        assert "nothing to correct" in at.said()
        await at.type("", "ctrl+c", "left")
        assert at.said().startswith(asked)
        await at.type("", "f1")
        assert isinstance(at.front, TextDialog)
        await at.type("", "escape")
        assert at.said().startswith(asked)
        await at.type("7", "enter")  # a number that is not offered begins no line
        assert f"{asked} 7_" in at.said()
        await at.type("", "backspace")
        await at.type("lo")
        assert "Enter: Lounge" in at.said()
        await at.type("", "tab")
        assert f"{asked} lounge_" in at.said()
        await at.type("", "enter")
        assert (at.lines[-1], at.line) == (f"{SEEN} Lounge", "")
        await at.type("", "ctrl+z")
        await at.put(ASKED, "enter", "ctrl+z")  # the question is taken back before an entry
        assert (at.line, len(at.lines), asked in at.said()) == (ASKED, 1, False)
        await at.type("", "enter")
        await at.type(" mus", "enter")  # any other key goes on with the line
        assert at.lines[-1] == f"{SEEN} Mustard"


@pytest.mark.asyncio
async def test_a_doubt_can_be_left_and_the_line_stays() -> None:
    line = "ben mus wr lou: no"
    async with playing() as at:
        for keys in (("escape",), ("n", "enter"), ("n", "o", "enter")):
            await at.put(line, "enter")
            assert "are you sure? y Enter: take it as it stands" in at.said()
            assert "Esc or n Enter: back to the line" in at.said()
            await at.type("", *keys)
            assert (at.line, len(at.lines)) == (line, 2)
            assert "are you sure" not in at.said()
        await at.type("", "enter", "/", "l")  # a command begins a line of its own
        assert at.line == "/l"
        assert f"not taken: {line} (Ctrl+Up brings it back)" in at.said()
        await at.type("", "escape", "escape")  # the line
        assert f"not taken: {line} (Ctrl+Up brings it back, Esc forgets it)" in at.said()
        await at.type("", "escape")  # then what waits
        assert "not taken" not in at.said()
        await at.put("ben mus wr lou: cat", "enter")
        assert at.said().startswith("✓ 3")


@pytest.mark.asyncio
async def test_who_skipped_and_who_it_was_instead_are_told_by_the_choice() -> None:
    async with playing() as at:
        await at.put("cat sc le ki : ?  # late", "enter")
        assert "did Ben skip? 1/y Ben skips 2 it was Ben" in at.said()
        await at.type("2", "enter")
        assert at.lines[2:] == ("Ben suggests Scarlett, Lead Pipe, Kitchen",)
        assert at.screen.session.record.entries[-1].comment == "late"
        await at.type("", "ctrl+z")
        await at.put("cat sc le ki", "enter")  # two questions, one after the other
        await at.type("?", "enter")
        await at.type("y", "enter")
        assert at.lines[2:] == ("Ben skips", "Cat suggests Scarlett, Lead Pipe, Kitchen")


@pytest.mark.asyncio
async def test_what_is_told_twice_is_left_out() -> None:
    async with playing(f"{SMALL}Ben suggests Scarlett, Lead Pipe, Kitchen: Cat shows\n") as at:
        await at.put("ben sc le ki: cat", "enter")
        assert "This is the same as entry 3: is it that one? 1/y leave it out" in at.said()
        await at.type("y", "enter")
        assert (at.line, at.said(), len(at.lines)) == ("", "left out", 3)


@pytest.mark.asyncio
async def test_a_line_typed_over_a_question_is_told_and_the_other_waits() -> None:
    asked, following = "ann pea cand lou : ben", "ben mus rope kit: cat"
    async with playing(HEADER + HAND) as at:
        await at.put(asked, "enter")
        await at.type(following)
        assert (at.line, len(at.lines)) == (following, 1)
        assert f"not taken: {asked} (Ctrl+Up" in at.said()
        await at.type("", "enter")
        await at.take_as_it_stands()
        assert at.lines[-1] == "Ben suggests Mustard, Rope, Kitchen: Cat shows"
        assert asked in at.said()
        await at.type("", "up")
        assert at.line == asked
        assert "not taken" not in at.said()
        await at.type("", "enter")
        await at.type("cand", "enter")
        await at.take_as_it_stands()
        assert at.lines[-1].endswith("Ben shows Candlestick")


@pytest.mark.asyncio
async def test_a_line_gives_way_to_the_one_that_waits_and_comes_back_in_its_place() -> None:
    waits, second = "ann pea cand lou : ben", "ben mus rope kit, cat none"
    async with playing(HEADER + HAND) as at:
        await at.put(waits, "enter")
        await at.type(second, "escape", "ctrl+up")
        assert (at.line, at.screen.line.untaken) == (waits, (waits,))
        await at.type("", "ctrl+down")
        assert (at.line, at.screen.line.untaken) == (second, (second,))
        assert "Esc forgets" not in at.said()
    async with playing() as at:
        await at.put("ben mus", "ctrl+up", "ctrl+down")  # nothing waits: an earlier line
        assert at.line == "ben mus"


@pytest.mark.asyncio
async def test_after_a_line_that_waits_whose_turn_it_is_is_asked_until_it_is_put_right() -> None:
    async with playing() as at:
        await at.put("cat pe ca li : ?", "enter")
        await at.type("mus ca ki : ?", "enter")
        assert "The line before was not taken: is it Ben's turn anyway?" in at.said()
        assert len(at.lines) == 2
        await at.type("y", "enter")
        assert at.lines[-1] == "Ben suggests Mustard, Candlestick, Kitchen"
        await at.put("skip", "enter")
        assert at.lines[-1] == "Cat skips"
        await at.type("", "escape")
        await at.put("ann mus ro ha: ben mus, cat mus", "escape")
        await at.put("ben mus ro ha: cat mus", "enter")
        assert "Only Ben and Cat see that card" in at.said()
        await at.type("", "ctrl+u")
        assert at.screen.line.untaken == ("ben mus ro ha: cat mus",)
        await at.put("ben mus ro ha: cat", "enter")
        await at.take_as_it_stands()
        assert at.lines[-1] == "Ben suggests Mustard, Rope, Hall: Cat shows"
        await at.type("", "escape")
        assert "not taken" not in at.said()
        assert not at.screen.line.untaken


@pytest.mark.asyncio
async def test_an_answer_that_comes_late_is_added_to_the_entry_that_lacks_it() -> None:
    async with playing(SMALL + "Ben suggests Scarlett, Lead Pipe, Kitchen\n") as at:
        told = "Ben suggests Scarlett, Lead Pipe, Kitchen: Cat shows"
        await at.put("cat shows")
        assert at.said() == f"to entry 3? {told}"
        await at.type("", "enter")
        assert "Add it to entry 3, Ben suggests Scarlett, Lead Pipe, Kitchen?" in at.said()
        await at.type("n", "enter")
        assert (at.line, len(at.lines)) == ("cat shows", 3)
        await at.type("", "enter", "y", "enter")
        assert at.lines[2:] == (told,)
        assert (at.screen.dialog.place.entry, at.line) == (None, "")


@pytest.mark.asyncio
async def test_an_edit_is_doubted_and_one_that_waits_changes_no_entry_and_comes_back_as_one() -> (
    None
):
    told = "Ben suggests Peacock, Candlestick, Library: Cat shows"
    async with playing(f"{SMALL}{told}\n") as at:
        await at.put("/edit 3", "enter")
        await at.put("cat sc le ki : ?", "enter")
        assert "It is Ben's turn here, not Cat's: was it Ben? 1/y it was Ben" in at.said()
        await at.type("n", "enter", "escape")
        assert (at.screen.dialog.place.entry, at.lines[2:]) == (None, (told,))
        await at.put("/edit 2", "enter")
        await at.put(ASKED, "enter")
        assert "Which card did Cat show you?" in at.said()
        await at.type("cat sc le ki : ben", "enter")
        third = "Cat suggests Scarlett, Lead Pipe, Kitchen: Ann passes, Ben shows"
        assert at.lines[2:] == (told, third)
        assert f"not taken: /edit 2 {ASKED}" in at.said()
        await at.type("", "up")
        assert at.line == f"/edit 2 {ASKED}"
        await at.type("", "enter", "w", "enter")
        assert at.lines[1] == f"{SEEN} Wrench"
        assert len(at.lines) == 4


@pytest.mark.asyncio
async def test_a_hand_that_is_missing_is_asked_for_when_it_matters() -> None:
    async with playing(HEADER) as at:
        await at.type("ann mus wr lou: cat mus", "enter")
        assert at.said().startswith("? Which 6 cards do you hold?")
        await at.type("my hand is plum", "enter")
        assert at.said().startswith("? Which 5 more cards do you hold?")
        await at.type("ro, hall, study, kni, green", "enter")
        assert at.lines == (HAND.strip(), FIRST.strip())
        assert (at.line, at.screen.line.question) == ("", None)
    async with playing(HEADER) as at:
        await at.type("ann mus wr lou: cat mus", "enter", "escape")
        assert (at.lines, at.line) == ((), "ann mus wr lou: cat mus")
        await at.type("", "enter")  # it is not asked twice
        assert at.lines == (FIRST.strip(),)
    async with playing(HEADER) as at:
        await at.type("ann mus wr lou: cat mus", "enter", *"ben sc le ki : cat", "enter")
        assert at.lines == (
            "Ben suggests Scarlett, Lead Pipe, Kitchen: Cat shows",
        )  # another line was meant
        assert "not taken: ann mus wr lou: cat mus (Ctrl+Up" in at.said()


@pytest.mark.asyncio
async def test_what_to_do_says_that_the_hand_is_missing() -> None:
    async with playing(HEADER, decides=True) as at:
        assert at.said("#verdict").startswith("Your hand is not in the log yet. Ask ")
        await at.type("i have pl ro hall st kn gr", "enter")
        assert at.said("#verdict").startswith("Ask ")


@pytest.mark.asyncio
async def test_a_hand_that_is_missing_is_asked_for_before_advice() -> None:
    begins = f"{HEADER.strip()}\nfirst: Ann\n\n"
    async with playing(begins) as at:
        assert at.said().startswith("? Which 6 cards do you hold?")  # it is Ann's turn
        await at.type("plum rope hall study knife green", "enter")
        assert at.lines == (HAND.strip(),)
    async with playing(begins) as at:
        await at.type("", "enter")
        assert at.said() == ""
        await at.type("mus wr lou: cat mus", "enter")
        assert at.lines == (FIRST.strip(),)
    async with playing(begins) as at:
        await at.type("mus wr lou", "enter")  # three cards are no hand of six
        assert at.said().startswith("? Who showed a card?")
        await at.type("cat mus", "enter")
        assert at.lines == (FIRST.strip(),)
    async with playing(HEADER) as at:
        await at.type("", "f10")
        assert (at.line, at.said()[:28]) == ("/advise", "? Which 6 cards do you hold?")
        await at.type("pl ro hall st kn gr", "enter")
        assert isinstance(at.front, Advising)
        assert (at.lines, at.line) == ((HAND.strip(),), "")


@pytest.mark.asyncio
async def test_what_waits_is_no_more_spoken_of_once_the_game_is_over() -> None:
    async with playing() as at:
        await at.put("ben mus wr lou: no", "enter", "/", "l")
        assert "not taken: ben mus wr lou: no" in at.said()
        await at.put("ben accuses sc le ki right", "enter")
        await at.take_as_it_stands()
        assert "The game is over" in at.said()
        assert "not taken" not in at.said()
        assert at.screen.line.untaken == ("ben mus wr lou: no",)  # it is said on leaving


TEN = """\
edition: master-detective
players: Ann, Ben, Cat, Dan, Eve, Fay, Gus, Hal, Ida, Joe
viewer: Ann

Ann holds Scarlett, Knife
"""


def test_answers_for_which_there_is_no_room_are_counted_and_found_by_how_they_begin() -> None:
    asked = opened(TEN, "ann peach rope library", width=36)
    labels = [choice.label for choice in asked.doubt.choices]
    assert len(labels) == 11
    assert [label for label in labels if label not in asked.text.plain] == []
    assert "more" not in asked.text.plain
    asked.fit(36, 8)
    shown = [label for label in labels[:-1] if label in asked.text.plain]
    assert shown == labels[: len(shown)] != labels[:-1]
    assert f"and {11 - len(shown)} more: type how it begins" in asked.text.plain
    assert asked.text.plain.endswith("Esc: back to the line")
    asked.typed = "joe"
    assert "Enter: Joe shows" in asked.text.plain
    assert "more" not in asked.text.plain


@pytest.mark.asyncio
@pytest.mark.parametrize(("width", "height"), [(80, 24), (80, 18), (60, 16)])
async def test_what_an_answer_would_take_is_in_sight(width: int, height: int) -> None:
    async with playing(TEN, size=(width, height)) as at:
        await at.put("ann peach rope library", "enter")
        assert "the line" in at.picture  # the last words
        last = at.choices[-2].label  # before "?"
        assert (last in at.said()) != ("more: type how it begins" in at.said())
        await at.type("joe")
        assert "Enter: Joe shows" in at.said()


@pytest.mark.asyncio
async def test_the_caret_goes_with_a_line_that_is_scrolled() -> None:
    async with playing(size=(80, 24)) as at:
        line = at.screen.line
        await at.put("ben qqq wr lou : cat passes, ann passes and so on and on and on")
        assert at.said().startswith("← ")
        for key in ("home", "end", "home"):
            await at.type("", key)
            row = next(row for row in at.rows if " 3> " in row)
            if key == "end":
                assert "qqq" not in row
                assert at.said().startswith("← ")
            else:
                note = at.rows[at.rows.index(row) + 1]
                assert note.index("^") == row.index("qqq")
        assert line.value.startswith("ben qqq")


@pytest.mark.asyncio
async def test_the_beginning_of_a_line_that_is_scrolled_is_cut_with_a_sign() -> None:
    async with playing() as at:
        await at.put("ben suggests mustard, rope, kitchen: cat passes, ann passes  # at last, late")
        row = next(row for row in at.rows if "at last, late" in row)
        assert "3>  …" in row
        await at.put("ben mus")
        assert "3>  ben mus" in at.picture


@pytest.mark.asyncio
async def test_what_the_own_hand_rules_out_is_said_before_enter() -> None:
    async with playing() as at:
        await at.put("ben mus rope kit: cat no, ann no")
        before = at.said()
        await at.type("", "enter")
        assert "you hold Rope, so you cannot pass: type 'Ann shows Rope'" in before
        assert before == at.said()


@pytest.mark.asyncio
async def test_matches_out_of_sight_are_counted() -> None:
    async with playing(size=(80, 24)) as at:
        await at.type("ben s")
        matches = at.screen.query_one(Matches)
        row = next(row for row in at.rows if " suggests " in row and "+" in row)
        shown = [each for each in at.labels if each in row]
        assert f"+{len(at.labels) - len(shown)}" in row
        for _ in at.labels:
            await at.type("", "down")
            assert matches.match is not None
            assert matches.match.label in at.picture
