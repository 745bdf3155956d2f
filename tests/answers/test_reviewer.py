"""
The review of a finished game: timelines, suggestions, accusations, what was not used.

Reviews of a season: rows, players, ratings, frames, the command.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from clue_solver import ArgumentError, ClueError, Game, load, parse_record, season
from clue_solver.answers import reviewer
from clue_solver.answers.review import Review
from clue_solver.answers.season import BEGIN, PlayedFile, PlayerResult, build_season
from clue_solver.arena.tournament import Tournament
from clue_solver.errors import TooLarge
from clue_solver.inference.spending import spent
from tests.rows import blocks, held

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

HANDS = """\
edition: clue-classic
players: Ann, Ben, Cat

Ann holds Scarlett, Mustard, White, Candlestick, Knife, Kitchen
Ben holds Plum, Peacock, Lead Pipe, Revolver, Ballroom, Conservatory
Cat holds Wrench, Dining Room, Billiard Room, Lounge, Hall, Study
"""
TRUE = "Green, Rope, Library"


def reviewed(*lines: str, solution: str | None = None, head: str = HANDS) -> Review:
    if solution is not None:
        head = f"solution: {solution}\n{head}"
    return Game(parse_record(head + "\n".join(lines) + "\n")).review()


REVIEWS = Path(__file__).with_name("reviews.txt")
"""
Logs, and what is found in them.

`@` a line of the header, or whose hand is not in the log; `.` an entry; `=` what mattered, but for
how near somebody came, and the verdicts on accusations; with `~`, the solution of the header, or
nothing, the solution alone; with `?` who is known to have seen no more than the log has; `!` why
there is no review. Without a header it is that of `HANDS`.
"""


def found(text: str) -> list[str]:
    """What the review of a block finds, as its lines."""
    heads, entries = (
        [line[2:] for line in text.splitlines() if line.startswith(mark)] for mark in "@."
    )
    head = HANDS if not heads else "\n".join((*heads, "", ""))
    if heads and heads[0].startswith("without"):
        unwritten = tuple(f"{name} holds" for name in heads[0].split()[1:])
        head = "".join(line for line in HANDS.splitlines(True) if not line.startswith(unwritten))
    tells = any(entry.endswith("right") for entry in entries) or "@ solution" in text
    known = None if tells else TRUE
    typed = [line[2:] or None for line in text.splitlines() if line.startswith("~")]
    try:
        review = reviewed(*entries, head=head, solution=next(iter(typed), known))
    except ClueError as error:
        return [f"! {error}"]
    if typed:
        return [f"= {', '.join(review.solution)}"]
    if "?" in text.splitlines():
        return [f"= {', '.join(each.seat for each in review.seats if each.whole) or 'nobody'}"]
    near = ("swing", "lead", "lucky", "unlucky")
    told = [(e.entry, f"{e.seat}: {e.kind}") for e in review.highlights if e.kind not in near]
    told += [(each.entry, f"{each.seat} accuses: {each.verdict}") for each in review.accusations]
    return [f"= {entry} {line}" for entry, line in sorted(told)]


@pytest.mark.parametrize("name", blocks(REVIEWS))
def test_what_mattered_is_found(name: str) -> None:
    text = blocks(REVIEWS)[name]
    given = [line for line in text.splitlines() if not line.startswith(("=", "!"))]
    held(REVIEWS, name, (*given, *found(text)))


def test_a_review_is_bounded_and_says_what_it_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, cost = of_example("two_players.clue")
    assert whole.open_upto == 0
    monkeypatch.setattr(reviewer, "MOST_WORK", cost // 2)
    less, lower = of_example("two_players.clue")
    assert lower < cost
    assert less.open_upto
    assert f"p to entry {less.open_upto}, too much was unknown" in less.unjudged
    assert less.unjudged in " ".join(str(less).split())
    missing = {each.entry for each in whole.suggestions} - {each.entry for each in less.suggestions}
    assert max(missing) == less.open_upto  # that entry itself is not graded either
    for seat in less.seats:
        if not seat.timeline:
            continue
        begun = whole.seat(seat.seat).timeline[-len(seat.timeline) :]
        assert [each.bits for each in begun] == [each.bits for each in seat.timeline]
    monkeypatch.setattr(reviewer, "MOST_WORK", cost // 12)
    hardly, _ = of_example("two_players.clue")
    assert hardly.open_upto == hardly.entries
    monkeypatch.setattr(reviewer, "MOST_WORK", 0)
    with pytest.raises(TooLarge, match="too much is unknown to review this game"):
        of_example("two_players.clue")


def test_nothing_can_be_supposed_in_a_review() -> None:
    game = load(EXAMPLES / "classic.clue").suppose("Cat has Rope")
    with pytest.raises(ArgumentError, match="leave out what you suppose"):
        game.review()


def test_a_suggestion_where_hardly_anything_can_be_learned_is_best_in_grade_and_quality() -> None:
    game = EXAMPLES.parent / "tests/yardstick/games/arena_09_clue_2015_4_whole.clue"
    asked = Game(load(game).record.upto(22)).review(sample=100).suggestions[-1]
    assert (asked.label, asked.accuracy) == ("best", 1)
    assert 0 < asked.best_gain <= 0.02


def test_a_mistake_that_solved_the_game_is_told_as_such() -> None:
    players = ("likeliest", "random", "note-taker")
    game = Tournament(edition="clue-classic", players=players, seed=77, board=False).play(1)
    review = game.review(sample=300)
    (mistake,) = review.mistakes("Ben")
    assert (review.winner, mistake.kind, mistake.entry) == ("Ben", "wasted question", 10)
    assert "At entry 10 Ben's suggestion solved it, though another promised" in review.story


def of_example(name: str) -> tuple[Review, int]:
    """Return the review of an example, and what it cost."""
    before = spent()
    return load(EXAMPLES / name).review(sample=100), spent() - before


def row(game: str, seat: str, winner: str | None, **other: object) -> PlayerResult:
    """What a game tells of a player who did nothing in it."""
    plain = {"accuracy": None, "luck": 0, "mistakes": 0}
    return PlayerResult(game=game, seat=seat, won=seat == winner, **(plain | other))  # type: ignore[arg-type]


def test_players_are_gathered_by_name_and_rated() -> None:
    one = row("a", "Ann", "Ann", accuracy=0.5, luck=1), row("a", "Ben", "Ann", mistakes=2)
    two = row("b", "Ann", None, accuracy=0.7), row("b", "Ben", None)
    files = [
        PlayedFile(rows=one, key="a"),
        PlayedFile(error="c: no"),
        PlayedFile(),
        PlayedFile(rows=two, key="b"),
        PlayedFile(rows=two, key="a"),  # another file of the first game
    ]
    found = build_season(files)
    ann, ben = found.players
    assert (found.games, found.failed, found.unfinished) == (2, ("c: no",), 1)
    assert (ann.seat, ann.games, ann.wins, ann.accuracy, ann.luck) == ("Ann", 2, 1, 0.6, 1)
    assert (ben.mistakes, ben.accuracy) == (2, None)
    assert re.search("Ben +0 of 2 +- +- +2 ", str(found))  # what is not graded is no 0
    assert ann.rating + ben.rating == pytest.approx(2 * BEGIN)
    assert ann.rating == BEGIN + 16
    assert [(each.game, each.won) for each in found.rows if each.seat == "Ann"] == [
        ("a", True),
        ("b", False),
    ]


def test_a_shared_table_is_one_game_however_many_files_it_left(tmp_path: Path) -> None:
    lines = (EXAMPLES / "evening.clue").read_text("utf-8").splitlines(keepends=True)
    notes = [line for line in lines if not line.startswith(("Ben holds", "Cat holds"))]
    (tmp_path / "a.clue").write_text("".join(notes), "utf-8")
    (tmp_path / "b.clue").write_text("".join(lines), "utf-8")
    begun = (EXAMPLES / "classic.clue").read_text("utf-8").splitlines(keepends=True)
    (tmp_path / "c.clue").write_text("".join(begun[:12]), "utf-8")
    found = season([tmp_path], jobs=1)
    assert (found.games, found.unfinished, found.failed) == (1, 1, ())
    assert all(player.accuracy is not None for player in found.players)
    assert "1 unfinished game skipped" in str(found)
