"""The DIMACS form, read back by other people's rules and counted by other people's counter."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from pysdd import sdd

from clue_solver import Game, load, parse_record
from clue_solver.rules.table import Shows
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

    kind: str
    variables: int
    clauses: list[list[int]]
    show: list[int]
    weights: dict[int, float]
    names: dict[int, str]


def read(text: str) -> Read:
    kind, variables, number = "", 0, 0
    found = Read("", 0, [], [], {}, {})
    for line in text.splitlines():
        match line.split():
            case ["c", "t", name]:
                kind = name
            case ["c", "p", "show", *shown, "0"]:
                found.show.extend(map(int, shown))
            case ["c", "p", "weight", literal, weight, "0"]:
                found.weights[int(literal)] = float(weight)
            case ["c", "var", variable, *words]:
                found.names[int(variable)] = " ".join(words)
            case ["c", *_]:
                pass
            case ["p", "cnf", *sizes]:
                variables, number = map(int, sizes)
            case [*literals, "0"]:
                found.clauses.append([int(literal) for literal in literals])
            case _:
                pytest.fail(f"not DIMACS: {line!r}")
    assert number == len(found.clauses)
    return found._replace(kind=kind, variables=variables)


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
    models = root.wmc(log_mode=False).propagate()
    weighing = root.wmc(log_mode=False)
    for literal, weight in found.weights.items():
        weighing.set_literal_weight(manager.literal(literal), weight)
    weighing.propagate()
    named = {
        name: weighing.literal_pr(manager.literal(variable))
        for variable, name in found.names.items()
        if " has at least " not in name and " has exactly " not in name
    }
    return models, named


def small(text: str) -> Game:
    return Game(parse_record(text))


CASES = [
    *(
        (f"{name}.clue", upto, shows)
        for name, upto in (("diced", 3), ("diced", 9), ("two_players", None), ("classic", None))
        for shows in ("random", "none", "sticky")
    ),
    ("textbook.clue", 20, "random"),
    (UNKNOWN_SIZES, None, "random"),
]


@pytest.mark.parametrize(("name", "upto", "shows"), CASES)
def test_another_counter_finds_the_same_deals_and_chances(
    name: str, upto: int | None, shows: Shows
) -> None:
    if "\n" in name:
        game = small(name)
    else:
        game = load((RECORDED if name == "textbook.clue" else EXAMPLES) / name)
    report = game.report(upto=upto, shows=shows, asks="any")
    deals, chances = counted(game.dimacs(upto=upto, shows=shows))
    assert report.deals == deals
    for holder in report.holders:
        for card in report.cards:
            chance = pytest.approx(report.probability(card, holder), abs=1e-9)
            assert chances[f"{holder} has {card}"] == chance


def test_each_entry_tells_its_clauses_and_its_weights() -> None:
    lines = small(UNKNOWN_SIZES).dimacs().splitlines()
    asked, looked, peeked, unseen, _ = (line for line in lines if line.startswith("c entry "))
    start = "c entry 1 Ann suggests Brains Plum, Brawn Green: Ben shows Brawn Green: clauses "
    assert asked.startswith(start)
    assert ", weights of " in asked
    assert ", weights of " in looked  # one in the size of a hand of two or three cards
    assert ", weights of " in peeked
    assert unseen.split(": ")[-1].startswith("clause ")
    first, last = looked.split("clauses ")[1].split(",")[0].split("-")
    clauses = [line for line in lines if line[0] not in "cp"]
    ben_has_it = next(line for line in lines if line.endswith(" Ben has Brawn Green")).split()[2]
    assert f"{ben_has_it} 0" in clauses[int(first) - 1 : int(last)]


def test_weights_and_projection_are_where_the_format_has_them() -> None:
    game = load(EXAMPLES / "classic.clue")
    weighted, plain = read(game.dimacs()), read(game.dimacs(shows="none"))
    assert (weighted.kind, plain.kind) == ("pwmc", "pmc")
    assert plain.weights == {}
    cells = len(game.table.cards) * len(game.table.holders)
    assert list(range(1, cells + 1)) == plain.show == weighted.show[:cells]
    assert {abs(literal) for literal in weighted.weights} == set(weighted.show[cells:])
    assert all(-literal in weighted.weights for literal in weighted.weights)
    assert set(range(1, weighted.variables + 1)) == set(weighted.names)


def test_comments_tell_no_more_than_the_viewer_saw() -> None:
    text = load(EXAMPLES / "classic.clue").dimacs(viewer="Ben", upto=2)
    assert "c entry 1 not noticed by Ben: no clauses" in text
    assert "Cat shows: clause" in text
    assert "Cat shows Hall" not in text


def test_a_likelihood_that_is_the_same_everywhere_is_left_out_and_said() -> None:
    text = "edition: clue-diced\nplayers: Ann, Ben\nhands: 5, 5\nviewer: Ann\n\nAnn looks at Ben: "
    written = small(f"{text}Brawn Plum\n").dimacs()
    assert "c Left out: a likelihood of 0.2, the same in every deal." in written
    assert read(written).kind == "pmc"


def test_a_clashing_log_has_no_model() -> None:
    header = "edition: clue-diced\nplayers: Ann, Ben\nviewer: Ann\n\n"
    twice = small(f"{header}Ann knows Ben has Brawn Plum\nAnn knows Ben lacks Brawn Plum\n")
    assert counted(twice.dimacs(upto=1))[0] == twice.report(upto=1).deals > 0
    assert counted(twice.dimacs())[0] == 0
    notches = small(f"{header}Ann peeks: Plum\nAnn peeks: Green\n")
    assert [] in read(notches.dimacs()).clauses


def test_what_is_supposed_is_in_the_formula() -> None:
    game = load(EXAMPLES / "classic.clue").suppose("Ben has Rope")
    text = game.dimacs(upto=9)
    line = next(line for line in text.splitlines() if line.startswith("c supposed "))
    assert line.startswith("c supposed Ben has Rope: clause ")
