"""The full screen as a player meets it: what is typed, what comes of it, and at what cost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from clue_solver import Game
from clue_solver.faces import games
from clue_solver.faces.games import KeptGame
from clue_solver.faces.helping import example_lines, wanted_line
from clue_solver.faces.practising import Practice
from clue_solver.faces.thoughts import Thought
from clue_solver.faces.tui.app import PlayApp
from clue_solver.faces.tui.dialogs import Choose, Reader
from clue_solver.inference.sat import Solver
from clue_solver.notation.checks import normalise
from clue_solver.notation.reader import readings
from clue_solver.record.clue import format_record
from clue_solver.record.files import parse_record
from clue_solver.rules.edition_files import load_edition, shipped_editions
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState
from tests.counting import counted
from tests.faces.screen import HAND, HEADER, SMALL, Person, lines_in, playing, showing
from tests.faces.test_practise import begun
from tests.rows import blocks

asynchronous = pytest.mark.asyncio

STORIES = blocks(Path(__file__).with_name("stories.txt"))
"""
What somebody types and sees. A line is typed as it stands, `<enter>` and the like are keys; below
it stands what is there then: the `line`, what the `note` says or the `last` entry, what it `asks`.
`@` adds an entry to the game before, `@@ edition` is another header; with `@@ decides` it is said
what to do. `@@ begins` without a game, `@@ set up` with a new one, `@@ practise` deals one.
"""
MACHINES = {"Ann": "", "Ben": "likeliest", "Cat": "random"}


async def type_in(at: Person, line: str) -> None:
    """Type a line of a story, each key once all before it is done."""
    for key, text in re.findall(r"<([a-z0-9+]+)>|([^<]+)", line):
        await at.type(text, *([key] if key else []))


def look(at: Person, what: str, told: str) -> None:
    """Look for one thing that a story tells."""
    match what:
        case "line":
            assert at.line.strip() == told
        case "note":
            assert told in at.said()
        case "last":
            assert at.lines[-1] == told
        case "entries":
            assert len(at.lines) == int(told)
        case "shows" | "hides":
            assert (told in " ".join(at.picture.split())) == (what == "shows")
        case "reads":
            assert isinstance(at.front, Reader)
            assert told in " ".join(at.picture.split())
        case "asks":
            assert told in at.asked[0]
        case "answers":
            assert at.asked[1] == told.split(" | ")
        case "offers":
            assert at.labels == told.split(" | ")
        case "refused" | "taken":
            assert at.screen.line.has_class("-refused") == (what == "refused")
        case "caret":
            row = next(n for n, each in enumerate(at.rows) if " 3>" in each)
            assert at.rows[row + 1].index("^") == at.rows[row].index(told)
        case "header":
            assert told in format_record(at.screen.session.record).splitlines()
        case "there":
            assert at.there
        case _:
            raise ValueError(what)


@asynchronous
@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
async def test_what_is_typed_is_seen(
    story: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = story.splitlines()
    entries = [line[2:] for line in lines if line.startswith("@ ")]
    if "@@ practise" in lines:
        game = Practice.begin("cluedo-watson", MACHINES, tmp_path / "game.clue", seed=3)
        screen = showing(PlayApp(game))
    elif "@@ begins" in lines:
        monkeypatch.setattr(games, "games_folder", lambda: tmp_path)
        screen = showing(PlayApp())
    elif "@@ set up" in lines:
        screen = showing(PlayApp(path=tmp_path / "game.clue"))
    else:
        head = next((line[3:] for line in lines if line.startswith("@@ edition")), "")
        text = "".join(f"{line}\n" for line in (*head.split("; "), "", *entries))
        text = text if head else SMALL + "\n".join(entries)
        screen = playing(text, decides="@@ decides" in lines)
    async with screen as at:
        for line in lines:
            if line.startswith("  "):
                look(at, *line.strip().partition(" ")[::2])
            elif not line.startswith("@"):
                await type_in(at, line)


@asynchronous
async def test_the_log_shows_the_newest_entry_whatever_takes_its_room() -> None:
    skips = "".join(f"{seat} skips\n" for seat in ("Ben", "Cat", "Ann") * 12)
    async with playing(SMALL + skips, decides=True) as at:
        assert "38 Ann skips" in at.picture  # on return, under what is told later
        await at.type("ben sc le ki: cat", "enter")
        assert "39 Ben Scarlett" in at.picture
        at.screen.advice.advise("Ask", "why\n" * 5)
        await at.settle()
        assert "39 Ben Scarlett" in at.picture
        await at.type("/edit 20 cat skips", "enter")
        await at.take_as_it_stands()
        assert "39 Ben Scarlett" in at.picture
        await at.type("cat plum rope ki: ann", "enter")
        assert isinstance(at.front, Choose)
        assert "39 Ben Scarlett" in at.picture  # what is asked covers nothing


@asynchronous
async def test_a_half_typed_line_is_there_on_return(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.clue"
    async with playing(path=path) as at:
        await at.type("/edit 2", "enter")
        assert at.line[:8] == "/edit 2 "
        await at.type("", "escape")
        await at.put("cat plum ro")
        await at.type("", "ctrl+q")
    assert isinstance(at.app, PlayApp)
    assert at.app.close_game()
    assert "not accepted yet, but kept with the game: cat plum ro" in capsys.readouterr().err
    async with playing(path.read_text("utf-8"), path) as at:
        assert at.line == "cat plum ro"
        await at.type("", "escape", "up")
        assert at.line == "cat plum ro"
    async with playing(path.read_text("utf-8"), path) as at:
        assert at.line == ""


@asynchronous
async def test_another_game_is_begun_at_any_time_and_this_one_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    async with playing(path=path) as at:
        await at.type("ben skips", "enter")
        await at.type("new", "enter")
        assert len(lines_in(path)) == 3
        assert at.asked[1] == ["A new game", "A game against the computer"]
        await at.type("", "enter", "enter")
        await at.type("Kim, Lee, Mia", "ctrl+s")
        assert at.lines == ()
        kept = at.screen.session.keeper.path
        assert kept.parent != tmp_path
        kept.unlink()


@asynchronous
async def test_what_another_program_writes_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "game.clue"
    async with playing(path=path) as at:
        path.write_text(HEADER + HAND, "utf-8")  # another program
        await until(at, lambda: len(at.lines) == 1)
        assert "another program has changed the file" in at.said()


@pytest.mark.parametrize("kind", [*dict.fromkeys(load_edition("clue-2015").clues)])
def test_what_a_clue_card_asks_for_is_named_and_can_be_typed(kind: str) -> None:
    header = "edition: clue-2015\nplayers: Lee, Kim, Ann\n\n"
    game = Game(parse_record(f"{header}Lee rolls 5\nLee draws {kind}\n"))
    example = wanted_line(game).removeprefix("clue card, ")
    for line in example.split(", or "):
        assert len(readings(line, game.table, game.play().turns)) == 1
    assert (
        wanted_line(Game(parse_record(f"{header}Lee draws left\nKim reveals Plum to Ann\n"))) == ""
    )


def test_every_line_of_the_help_can_be_typed_in_its_edition() -> None:
    for name in shipped_editions():
        edition = load_edition(name)
        seats = ("Ann", "Ben", "Cat")
        table = Table(edition=edition, seats=seats, viewer="Ann")
        for line, _ in example_lines(table):
            found = readings(line.replace(" ...", ""), table, TurnState())
            assert len(found) == 1, (name, line)


@asynchronous
async def test_the_first_screen_offers_the_games_that_have_not_ended(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.clue").write_text(SMALL, "utf-8")
    over = SMALL + "Ben accuses Plum, Rope, Hall: right\n"
    (tmp_path / "over.clue").write_text(over, "utf-8")
    files = [KeptGame(tmp_path / f"{name}.clue") for name in ("two", "one", "over")]
    async with showing(PlayApp(kept=files)) as at:
        assert at.asked[1][1].startswith("Continue Ann, Ben, Cat; Clue; ")
        assert at.asked[1][-2] == "A game against the computer"
        assert at.asked[1][-1].endswith("; Ben won")
        assert at.asked[1][1].endswith("; Ben's turn, 2 entries")
        await at.type("", "escape")
        assert isinstance(at.front, Choose)
        await at.type("2", "enter")
        assert at.screen.session.keeper.path == files[1].path


@pytest.mark.asyncio
async def test_an_accusation_is_confirmed_the_end_opens_all_and_another_is_dealt(
    tmp_path: Path,
) -> None:
    game = begun(tmp_path / "game.clue", "clue-classic")
    async with showing(PlayApp(game)) as at:
        await at.type("advise", "enter")
        assert isinstance(at.front, Reader)
        await at.type("", "escape")
        await at.type("accuse plum rope hall", "enter")
        assert at.line == "Ann accuses Plum, Rope, Hall"
        assert "If it's wrong, you're out" in at.said()
        await at.type("", "escape", "escape")
        assert not game.is_out
        await at.type("accuse plum rope hall", "enter", "enter")
        assert game.is_out
        before = at.lines
        while not game.over:  # the machines play on, and one shows cards
            assert at.asked[0].startswith("Which card do you show")
            assert len(at.asked[1]) > 1  # where there is no choice nothing is asked
            before = at.lines
            await at.type("1", "enter")
        assert at.said("#verdict").startswith("The game is over. You were out.")
        assert "The envelope held" in at.asked[0]
        for told in (" accuses ", "Ben had ", "Cat had "):
            assert told in at.picture
        await at.type("review", "enter")
        assert isinstance(at.front, Reader)
        await at.type("", "escape")
        numbered = [line.partition(":")[0] for line in at.lines[: len(before)]]
        assert numbered == [line.partition(":")[0] for line in before]  # as during the game
        assert "The envelope held" in at.asked[0]  # what is next is asked again
        await at.type("new", "enter")
        assert at.screen.feed.deals
        assert at.screen.feed is not game
        assert at.screen.feed.chairs.players == game.chairs.players
        at.screen.feed.close(print)


async def until(at: Person, seen: Callable[[], bool]) -> None:
    """Wait until this is so, even while the program is still at work."""
    for _ in range(600):
        if seen():
            return
        await at.pilot.pause(0.1)
    raise AssertionError(at.picture)


@asynchronous
async def test_an_answer_that_takes_long_holds_up_no_sheet() -> None:
    over = Event()
    async with playing() as at:
        replies = at.screen.feed.replies

        def slow_replies(*said: Any, **how: Any) -> Any:
            over.wait(60)
            return replies(*said, **how)

        at.screen.feed.replies = slow_replies
        await at.pilot.press(*"log", "enter", *"skip", "enter")
        try:
            await until(at, lambda: at.screen.drawn.entries == 3)
        finally:
            over.set()


@asynchronous
async def test_a_search_that_another_one_ends_shows_nothing() -> None:
    over = Event()

    def slow_reply() -> str:
        over.wait(60)
        return "the first"

    async with playing() as at:
        at.screen.read("First", slow_reply)
        await at.pilot.pause(0.1)
        at.screen.read("Second", lambda: "the second")
        over.set()
        await at.settle()
        assert isinstance(at.front, Reader)
        assert "the second" in at.picture


@asynchronous
@pytest.mark.parametrize("columns", [60, 80])
async def test_one_key_leads_to_every_pane_and_back_to_the_line(columns: int) -> None:
    async with playing(size=(columns, 24)) as at:
        for pane in ("sheet", "log", "side", "line"):
            await at.type("", "f6")
            assert at.front.focused is at.screen.query_one(f"#{pane}")
            assert at.front.focused.region.height  # it is seen
        await at.type("skip", "enter")
        assert at.lines[-1] == "Ben skips"


@asynchronous
async def test_f5_is_offered_once_there_is_something_to_choose_from() -> None:
    found = Event()
    async with playing(decides=True) as at:
        thoughts = at.screen.feed.thoughts

        def slow_thoughts(game: Game) -> Iterator[Thought]:
            for thought in thoughts(game):
                yield thought
                found.wait(60)

        at.screen.feed.thoughts = slow_thoughts
        await at.pilot.press(*"ben has plum", "enter", "enter", "1", "enter")
        try:
            await until(at, lambda: at.said("#verdict") == "✗ The log contradicts itself.")
            assert "F5" not in at.picture
        finally:
            found.set()
        await at.settle()
        assert "F5 corrects that." in at.said("#verdict")
        assert "F5 Correct" in at.picture


LINE = "ben mus wr lou: cat pass, ann ple"
LONG = (
    "ben mus wr lou: cat",
    "cat pea can kit: ben",
    "ann pea can hall: -",
    "ben scar kn stu: cat",
    "cat pl ro ha: ann pl",
)
PARSED, CHECKED, SOLVER, AFTER = (
    each.__qualname__ for each in (readings, normalise, Solver.__init__, TurnState.after)
)


@pytest.mark.asyncio
async def test_a_key_reads_the_line_and_what_is_offered_and_builds_few_solvers() -> None:
    with counted(readings, Solver.__init__) as calls:
        async with playing() as at:
            for size in range(1, len(LINE) + 1):
                calls.clear()
                await at.type(LINE[size - 1])
                assert at.line == LINE[:size]
                # What is offered leads to a line: each of it is read.
                assert calls[PARSED] <= 60
                assert calls[SOLVER] <= 10  # a fifth of a millisecond each


@pytest.mark.asyncio
async def test_enter_reads_once_checks_once_and_goes_on_from_the_turn_before() -> None:
    async with playing() as at:
        for line in LONG:
            await at.type(line)
            with counted(readings, normalise, TurnState.after) as calls:
                await at.type("", "enter")
            assert at.line == ""
            assert calls[PARSED] <= 1
            assert calls[CHECKED] <= 1
            assert calls[AFTER] == 1
        assert len(at.lines) == 2 + len(LONG)
