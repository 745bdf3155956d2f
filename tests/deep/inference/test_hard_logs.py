"""The hardest logs that a search found: what they cost is counted in work, not in time."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest
from pysat.solvers import Minicard

from clue_solver import Game, load
from clue_solver.errors import TooLarge
from clue_solver.inference.diagram import Diagram
from tests.children import forked
from tests.random_games import random_game

ROOM = 3_000_000_000
"""The bytes of address space that one may take."""

HARD = sorted((Path(__file__).resolve().parents[2] / "games" / "hard").glob("*.clue"))


class Work(NamedTuple):
    """What a log costs: the conflicts of all SAT calls and the arrows of all diagrams."""

    conflicts: int
    arrows: int


def worked(game: Game) -> Work:
    """
    Return the work of a report and a check, done here and now.

    A question that is refused as too large has cost what was done before.
    """
    solvers: list[Minicard] = []
    arrows: list[int] = []
    make_solver, make_diagram = Minicard.__init__, Diagram.__init__

    def solver(one: Minicard, *args: Any, **options: Any) -> None:
        make_solver(one, *args, **options)
        solvers.append(one)

    def diagram(one: Diagram, *args: Any, **options: Any) -> None:
        make_diagram(one, *args, **options)
        arrows.append(one.arrows_in_all)

    with patch.object(Minicard, "__init__", solver), patch.object(Diagram, "__init__", diagram):
        for ask in (game.report, game.check):
            with suppress(TooLarge):
                ask()
        stats = [each.accum_stats() or {} for each in solvers]  # none once it is let go of
    return Work(sum(each.get("conflicts", 0) for each in stats), sum(arrows))


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="no child is measured here")
@pytest.mark.long(keep=4)
@pytest.mark.parametrize("path", HARD, ids=lambda path: path.stem)
def test_the_work_of_a_report_and_a_check_is_bounded(path: Path) -> None:
    """So are the bytes that it may take: the child has no more."""
    game = load(path)
    cost = forked(lambda: print(*worked(game)), seconds=20, memory=ROOM)
    assert (cost.status, cost.err) == (0, "")
    conflicts, arrows = map(int, cost.out.split())
    # A check weighs what may have been meant instead, by rules and by behaviour.
    most = Work(100_000, 4_000_000) if len(game.table.seats) <= 6 else Work(200_000, 6_000_000)
    assert conflicts <= most.conflicts
    assert arrows <= most.arrows


def test_a_spectator_of_ten_players_is_answered_in_the_first_entries() -> None:
    record = random_game("master-detective", 10, turns=24, seed=2)
    for entry in (2, 6, 12):
        assert Game(record).report(viewer="spectator", upto=entry).consistent


def test_a_deck_beyond_memory_is_refused_clearly(tmp_path: Path) -> None:
    sizes, seats = (6, 7, 7, 7, 7, 6), [f"P{number}" for number in range(10)]
    kinds = [[f"c{kind} {number}" for number in range(size)] for kind, size in enumerate(sizes)]
    deck = ['title = "x"', "players = [2, 10]"]
    for kind, cards in enumerate(kinds):
        named = ", ".join(f'{{ name = "{card}" }}' for card in cards)
        deck += ["[[category]]", f'name = "k{kind}"', f"cards = [{named}]"]
    (tmp_path / "huge.toml").write_text("\n".join(deck), "utf-8")
    lines = ["edition: huge.toml", f"players: {', '.join(seats)}", ""]
    for number, seat in enumerate(seats):
        asked = ", ".join(cards[(number * (kind + 1)) % 6] for kind, cards in enumerate(kinds))
        lines.append(f"{seat} suggests {asked}: {seats[(number + 1) % 10]} shows")
    (tmp_path / "game.clue").write_text("\n".join([*lines, ""]), "utf-8")
    with pytest.raises(TooLarge, match="more than 400 MB of memory"):
        load(tmp_path / "game.clue").report()
