"""
The hardest logs that a search found: what they cost is counted in work, not in time.

The DIMACS form, read back by other people's rules and counted by other people's counter.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest
from pysat.solvers import Minicard
from pysdd import sdd

from clue_solver import Game, load, parse_record
from clue_solver.errors import TooLarge
from clue_solver.inference.diagram import Diagram
from tests.children import forked
from tests.games.test_recorded import RECORDED
from tests.random_games import random_game

ROOM = 3_000_000_000
"""The bytes of address space that one may take."""

HARD = sorted((Path(__file__).resolve().parents[1] / "games" / "hard").glob("*.clue"))


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
        arrows.append(sum(layer.after.size for layer in one.layers))

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


EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

UNKNOWN_SIZES = """\
edition: clue-diced
players: Ann, Ben, Cat, Dan
viewer: Ann

Ann suggests Brains Plum, Brawn Green: Ben shows Brawn Green
Ann looks at Ben: Brawn Green
Ann peeks: Plum
Ben suggests Brains Green, Brawn Orchid: Cat shows
Ann holds Brains Scarlett, Brawn Scarlett, Brains Mustard
"""


class Read(NamedTuple):
    """What a counter reads of the text."""

    variables: int
    clauses: list[list[int]]
    names: dict[int, str]


def read(text: str) -> Read:
    variables, number = 0, 0
    found = Read(0, [], {})
    for line in text.splitlines():
        match line.split():
            case ["c", variable, *words]:
                found.names[int(variable)] = " ".join(words)
            case ["p", "cnf", *sizes]:
                variables, number = map(int, sizes)
            case [*literals, "0"]:
                found.clauses.append([int(literal) for literal in literals])
            case _:
                pytest.fail(f"not DIMACS: {line!r}")
    assert number == len(found.clauses)
    return found._replace(variables=variables)


def counted(text: str) -> tuple[float, dict[str, float]]:
    """The number of models, and the chance of each variable by its name, from a compiled SDD."""
    found = read(text)
    variables = found.variables
    manager = sdd.SddManager.from_vtree(
        sdd.Vtree(variables, list(range(1, variables + 1)), "balanced")
    )
    manager.auto_gc_and_minimize_off()
    root = manager.true()
    for clause in sorted(found.clauses, key=lambda clause: max(map(abs, clause), default=0)):
        either = manager.false()
        for literal in clause:
            either = manager.disjoin(either, manager.literal(literal))
        root = manager.conjoin(root, either)
    counting = root.wmc(log_mode=False)
    models = counting.propagate()
    named = {
        name: counting.literal_pr(manager.literal(variable))
        for variable, name in found.names.items()
    }
    return models, named


def small(text: str) -> Game:
    return Game(parse_record(text))


CASES = [
    *(("diced.clue", 3), ("diced.clue", 9), ("two_players.clue", None), ("classic.clue", None)),
    ("textbook.clue", 20),
    (UNKNOWN_SIZES, None),
]


@pytest.mark.parametrize(("name", "upto"), CASES)
def test_another_counter_finds_the_same_deals_and_chances(name: str, upto: int | None) -> None:
    if "\n" in name:
        game = small(name)
    else:
        game = load((RECORDED if name == "textbook.clue" else EXAMPLES) / name)
    report = game.report(upto=upto, shows="none", asks="any")
    deals, chances = counted(game.dimacs(upto=upto))
    assert report.deals == deals
    for holder in report.holders:
        for card in report.cards:
            chance = pytest.approx(report.probability(card, holder), abs=1e-9)
            assert chances[f"{holder} has {card}"] == chance


def test_a_clashing_log_has_no_model() -> None:
    header = "edition: clue-diced\nplayers: Ann, Ben\nviewer: Ann\n\n"
    twice = small(f"{header}Ann knows Ben has Brawn Plum\nAnn knows Ben lacks Brawn Plum\n")
    assert counted(twice.dimacs(upto=1))[0] == twice.report(upto=1).deals > 0
    assert counted(twice.dimacs())[0] == 0
    notches = small(f"{header}Ann peeks: Plum\nAnn peeks: Green\n")
    assert [] in read(notches.dimacs()).clauses


def test_what_is_supposed_is_in_the_formula() -> None:
    game = load(EXAMPLES / "diced.clue").suppose("Zoe has Brawn Orchid")
    deals, chances = counted(game.dimacs(upto=9))
    assert deals == game.report(upto=9).deals > 0
    assert chances["Zoe has Brawn Orchid"] == 1.0
