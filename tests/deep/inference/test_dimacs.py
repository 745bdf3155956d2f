"""The DIMACS form, read back by other people's rules and counted by other people's counter."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from pysdd import sdd

from clue_solver import Game, load, parse_record
from tests.games.test_recorded import RECORDED

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"

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
