"""
A formula as DIMACS CNF, with a comment for each variable and each entry.

The lines that begin with `c t`, `c p show` and `c p weight` are those of the Model Counting
Competition's format from 2021 on (https://mccompetition.org); to other readers they are comments.
"""

from collections.abc import Iterable, Iterator

from clue_solver.answers.display import view
from clue_solver.inference.cnf import Count, Formula
from clue_solver.knowledge.clauses import card_numbers
from clue_solver.knowledge.evidence import share
from clue_solver.notation import format_line
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import SPECTATOR, Shows, Table


@view(Formula, "dimacs")
def dimacs(
    formula: Formula,
    table: Table,
    observations: Iterable[Observation],
    *,
    viewer: str | None,
    shows: Shows,
    supposed: Iterable[str] = (),
) -> str:
    """
    Return what the viewer knows of the entries that count as text, ended by a newline.

    The comments tell no more of the entries than the viewer (`None` for a spectator) saw.
    """
    lines = [
        f"c t {'pwmc' if formula.weights else 'pmc'}",
        *(f"c {line}".rstrip() for line in _heading(table, formula, viewer, shows)),
        *(f"c var {number} {text}" for number, text in _variables(table, formula)),
        *_origins(table, tuple(observations), formula, viewer, supposed),
        f"p cnf {formula.variables} {len(formula.clauses)}",
        f"c p show {' '.join(map(str, (*range(1, formula.cards + 1), *formula.weights)))} 0",
    ]
    for variable, weight in formula.weights.items():
        lines += [f"c p weight {variable} {weight!r} 0", f"c p weight -{variable} 1.0 0"]
    lines += [" ".join(map(str, (*clause, 0))) for clause in formula.clauses]
    return "\n".join(lines) + "\n"


def _heading(table: Table, formula: Formula, viewer: str | None, shows: Shows) -> Iterator[str]:
    entries = len(formula.entries)
    yield (
        f"{table.edition.title}, seen by {_onlooker(viewer)}, "
        f"after {entries} {'entry' if entries == 1 else 'entries'}"
    )
    yield "Each model is a deal that fits; what follows from the cards has variables behind theirs."
    if shows == "none":
        yield "How the players choose the card they show is not considered: no weights."
    else:
        yield f"The weight of a model is its likelihood, where players show cards by '{shows}'."
    if formula.scale != 1.0:
        yield f"Left out: a likelihood of {formula.scale!r}, the same in every deal."


def _variables(table: Table, formula: Formula) -> Iterator[tuple[int, str]]:
    for variable in range(1, formula.cards + 1):
        card, holder = formula.place(variable)
        yield variable, f"{table.holders[holder]} has {table.cards[card]}"
    for number, count in enumerate(formula.counts, formula.cards + 1):
        yield number, _counted(table, count)


def _counted(table: Table, count: Count) -> str:
    """Say what an auxiliary variable says; a long beginning of the deck is not listed."""
    names = [table.cards[card] for card in card_numbers(count.cards)]
    if len(names) > 3 and count.cards & (count.cards + 1) == 0:
        which = f"the first {len(names)} cards"
    else:
        which = ", ".join(names)
    amount = "exactly" if count.exactly else "at least"
    return f"{table.holders[count.holder]} has {amount} {count.number} of {which}"


def _origins(
    table: Table,
    observations: tuple[Observation, ...],
    formula: Formula,
    viewer: str | None,
    supposed: Iterable[str],
) -> Iterator[str]:
    """Yield a comment for the rules of the deal and for each entry, as the viewer saw it."""
    yield f"c deal: {_clauses(formula.deal)}"
    lines = list(supposed)
    if lines:
        yield f"c supposed {' and '.join(lines)}: {_clauses(formula.supposed)}"
    seen = dict(share(enumerate(observations, 1), table=table, viewer=viewer))
    for entry, (span, weighed) in enumerate(zip(formula.entries, formula.weighed, strict=True), 1):
        if entry in seen:
            line = format_line(seen[entry], table)
        else:
            line = f"not noticed by {_onlooker(viewer)}"
        weights = f", weights of {', '.join(map(str, weighed))}" if weighed else ""
        yield f"c entry {entry} {line}: {_clauses(span)}{weights}"


def _onlooker(viewer: str | None) -> str:
    return f"a {SPECTATOR}" if viewer is None else viewer


def _clauses(places: range) -> str:
    if not places:
        return "no clauses"
    first, last = places[0] + 1, places[-1] + 1
    return f"clause {first}" if first == last else f"clauses {first}-{last}"
