"""
The logs that cost the deduction most, searched for.

    python benchmarks/hard_logs.py [--editions NAMES] [--seats NUMBERS] [--minutes M] [--out FOLDER]
    python benchmarks/hard_logs.py --measure RECORD...

A log grows entry by entry: of some random candidates the one that costs most is added, until
nothing costs more for a while; then the search begins anew with another deal. What is counted is
work, not time, so that a busy machine finds the same: the conflicts of all SAT calls of `report`
and `check`, and the arrows of all deal diagrams. A log with a SAT call of more than 20,000
conflicts, or of more than 2 s of processor time, is stopped and counts as harder than all others.

Candidates are true to a deal, or true but for passes: clauses are bad at counting, so a few seats
that pass on almost all cards that others could have make the hardest logs. What is found is a lower
bound: a longer search may find worse. hardest.py climbs from random logs instead, for the diagram
alone and under the true answers of a table where all is heard.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from itertools import count, islice, product
from math import inf
from multiprocessing import get_context
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, NamedTuple
from unittest.mock import patch

from children import forked
from pysat.solvers import Minicard
from random_tables import SEATS, Lots, deal, toml
from results import markdown

from clue_solver import Game, load
from clue_solver.errors import TooLarge
from clue_solver.inference.diagram import Diagram
from clue_solver.record import Record, format_record
from clue_solver.rules.edition import Card, Category, Edition, load_edition, shipped_editions
from clue_solver.rules.observations import Answer, Hand, Observation, Question, Suggestion
from clue_solver.rules.table import SPECTATOR, Table
from tests.strategies import Play

SIX = "six-categories.toml"
"""The edition of one's own with as many categories and cards as there can be."""

SECONDS, MEMORY, CONFLICTS = 2, 2_000_000_000, 20_000
"""What one log may take in the search, and one SAT call of it."""

CANDIDATES, PATIENCE, LONGEST = 6, 3, 200
"""Entries tried at each step; steps without gain until a log is given up; its most entries."""

EYES = ("player", SPECTATOR)
MEASURES = ("conflicts", "arrows")


class Work(NamedTuple):
    """What a log costs: SAT conflicts and diagram arrows; infinite where it was stopped."""

    conflicts: float
    arrows: float


class Place(NamedTuple):
    """Where to search: an edition, so many seats, whose eyes, and what is to be large."""

    edition: str
    seats: int
    eyes: str
    measure: str


class Found(NamedTuple):
    """The hardest log of one search."""

    place: Place
    record: Record
    work: Work


def six_categories() -> Edition:
    """Return the edition of six categories and forty cards."""
    sizes = {"suspect": 7, "weapon": 7, "room": 8, "motive": 6, "hour": 6, "pet": 6}
    kinds = [
        Category(name=kind, cards=tuple(Card(name=f"{kind.title()} {n + 1}") for n in range(size)))
        for kind, size in sizes.items()
    ]
    return Edition(name=SIX, title="Six categories", players=(2, 10), category=tuple(kinds))


def edition_called(name: str) -> Edition:
    """Return a shipped edition, or that of six categories."""
    return six_categories() if name == SIX else load_edition(name)


class Stopped(Exception):
    """A SAT call that takes too many conflicts."""


class Counter:
    """
    Counts the conflicts of every SAT solver and the arrows of every diagram made meanwhile.

    Args:
        most: The conflicts that one unlimited SAT call may take before it raises `Stopped`; any
            number if left out.
    """

    def __init__(self, *, most: int = 0) -> None:
        self._solvers: list[Any] = []
        self._most = most
        self.arrows = 0

    @property
    def conflicts(self) -> int:
        """The conflicts so far."""
        stats = (each.accum_stats() or {} for each in self._solvers)  # none once it is let go of
        return sum(each.get("conflicts", 0) for each in stats)

    @contextmanager
    def running(self) -> Iterator[Counter]:
        """Count what is done inside."""
        solver, solve, drawn = Minicard.__init__, Minicard.solve_limited, Diagram.__init__

        def solving(one: Minicard, *args: Any, **options: Any) -> None:
            solver(one, *args, **options)
            self._solvers.append(one)

        def limited(one: Minicard, *args: Any, **options: Any) -> bool | None:
            if self._most:
                one.conf_budget(self._most)
            answer: bool | None = solve(one, *args, **options)
            if self._most and answer is None:
                raise Stopped
            return answer

        def drawing(one: Diagram, *args: Any, **options: Any) -> None:
            drawn(one, *args, **options)
            self.arrows += one.arrows_in_all

        with (
            patch.object(Minicard, "__init__", solving),
            patch.object(Minicard, "solve_limited", limited),
            patch.object(Diagram, "__init__", drawing),
        ):
            yield self


def worked(game: Game, *, most: int = 0) -> Work:
    """
    Return the work of a report and a check of a game, done here and now; `most` is as in `Counter`.

    A question that is refused as too large has cost what was done before.
    """
    with Counter(most=most).running() as counter:
        for ask in (game.report, game.check):
            with suppress(TooLarge):
                ask()
        return Work(counter.conflicts, counter.arrows)


def stopped(record: Record) -> Work:
    """Return the work of a record, in a process that is stopped when it takes too long."""

    def work() -> None:
        print(*worked(Game(record), most=CONFLICTS))

    cost = forked(work, seconds=SECONDS, memory=MEMORY)
    if cost.status:
        return Work(inf, inf)
    return Work(*map(float, cost.out.split()))


class Growing:
    """One log that grows by what costs most."""

    def __init__(self, place: Place, random: Random) -> None:
        self.place, self.random, self.lots = place, random, Lots(random)
        edition = edition_called(place.edition)
        seats = SEATS[: place.seats]
        dealt = len(edition.names) - len(edition.category)
        sizes = tuple(len(range(seat, dealt, len(seats))) for seat in range(len(seats)))
        viewer = seats[0] if place.eyes == "player" else None
        self.table = Table(edition=edition, seats=seats, hands=sizes, viewer=viewer)
        self.deal = deal(random, self.table)
        self.play = Play(self.lots, self.table, self.deal)
        self.truth = random.choice((0.0, 0.5, 1.0))
        """How many of the candidates are true."""

    def grown(self) -> tuple[Record, Work]:
        """Return the log when nothing costs more, and its work."""
        record = Record(table=self.table)
        if self.table.viewer and self.random.random() < 0.8:
            cards = self.play.hand(self.table.viewer)
            record = record.append(Hand(seat=self.table.viewer, cards=cards))
        best, most, idle = record, self.costs(record), 0
        while idle < PATIENCE and len(record.entries) < LONGEST and self.key(most) < inf:
            tried = [record.append(self.candidate()) for _ in range(CANDIDATES)]
            works = [self.costs(each) for each in tried]
            hardest = max(range(CANDIDATES), key=lambda each: self.key(works[each]))
            record = tried[hardest]
            idle += 1
            if self.key(works[hardest]) > self.key(most):
                best, most, idle = record, works[hardest], 0
        return best, most

    def costs(self, record: Record) -> Work:
        """Return the work of a log."""
        return stopped(record)

    def key(self, work: Work) -> float:
        """Return what is to be large."""
        return float(getattr(work, self.place.measure))

    def candidate(self) -> Observation:
        """Return an entry that might make the log harder."""
        drawn: Observation | None = None
        while drawn is None:
            drawn = self.random.choice(
                (self.passing, self.passing, self.play.suggestion, self.question, self.either)
            )()
        return drawn

    def cards(self, seats: Sequence[str]) -> tuple[str, ...]:
        """Return one card of each category that is named: none that the seats have, if true."""
        true = self.random.random() < self.truth
        kinds = self.table.edition.category
        named = []
        for place in sorted(self.random.sample(range(len(kinds)), self.table.edition.named)):
            every = [card.name for card in kinds[place].cards]
            able = [name for name in every if not true or self.deal[name] not in seats]
            named.append(self.random.choice(able or every))
        return tuple(named)

    def passing(self) -> Suggestion:
        """Return a suggestion on which some seats pass, and then somebody shows or is not heard."""
        by = self.random.choice(self.table.seats)
        order = self.table.answering(by)
        passes = self.random.randint(1, len(order))
        cards = self.cards(order[:passes])
        answers = [Answer(seat=seat, answer="passes") for seat in order[:passes]]
        if passes < len(order):
            unheard, shows = Answer(answer="unheard"), Answer(seat=order[passes], answer="shows")
            answers.append(self.random.choice((unheard, shows)))
        return Suggestion(by=by, cards=cards, answers=tuple(answers))

    def question(self) -> Question:
        """Return a question about many cards that a seat has none of."""
        by, seat = self.random.sample(self.table.seats, 2)
        able = [card for card in self.table.cards if self.deal[card] != seat]
        about = self.lots.some(able, most=6)
        return Question(by=by, seat=seat, about=about, answer="passes")

    def either(self) -> Question:
        """Return a question about some cards, one of which a seat has."""
        by, seat = self.random.sample(self.table.seats, 2)
        about = list(self.lots.some(self.table.cards, most=4))
        held = self.play.hand(seat)
        if held and not set(held) & set(about):
            about[0] = self.random.choice(held)
        return Question(by=by, seat=seat, about=tuple(about), answer="shows")


def searched(task: tuple[Place, int]) -> Found:
    """Return the hardest log of one search; the same number gives the same one."""
    place, number = task
    record, work = Growing(place, Random(f"{place} {number}")).grown()
    return Found(place, record, work)


def harder(one: Found, other: Found) -> bool:
    """Whether a log costs more than another, or as much in fewer entries."""
    works = [getattr(each.work, each.place.measure) for each in (one, other)]
    lengths = [-len(each.record.entries) for each in (one, other)]
    return (works[0], lengths[0]) > (works[1], lengths[1])


def batched(things: Iterator[tuple[Place, int]], size: int) -> Iterator[list[tuple[Place, int]]]:
    """Yield so many things at a time."""
    while batch := list(islice(things, size)):
        yield batch


def tasks(places: Sequence[Place], minutes: float) -> Iterator[tuple[Place, int]]:
    """Yield searches, each place in turn, until the time is up."""
    until = monotonic() + 60 * minutes
    for number in count():
        for place in places:
            if number and monotonic() > until:
                return
            yield place, number


def kept(found: Found, folder: Path) -> Path:
    """Write a hard log, and its edition where it is one's own; return its file."""
    folder.mkdir(parents=True, exist_ok=True)
    place = found.place
    if place.edition == SIX:
        (folder / SIX).write_text(edition_text(), "utf-8")
    name = f"{place.edition.removesuffix('.toml')}-{place.seats}-{place.eyes}-{place.measure}.clue"
    (folder / name).write_text(format_record(found.record), "utf-8")
    return folder / name


def edition_text() -> str:
    """Return the file of the edition of six categories."""
    edition = six_categories()
    kinds = [
        {"name": kind.name, "cards": [{"name": card.name} for card in kind.cards]}
        for kind in edition.category
    ]
    return f"title = {toml(edition.title)}\nplayers = [2, 10]\ncategory = {toml(kinds)}\n"


def table(rows: Iterable[tuple[str, Record, Work]]) -> str:
    """Return hard logs as a Markdown table."""
    columns = ("log", "entries", "conflicts", "arrows")
    return markdown(
        columns,
        [
            (name, len(record.entries), *("stopped" if n == inf else f"{n:,.0f}" for n in work))
            for name, record, work in rows
        ],
    )


def main() -> None:
    """Search, keep the hardest log of each place, and print what they cost."""
    options = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    options.add_argument("--editions", default=",".join((*shipped_editions(), SIX)))
    options.add_argument("--seats", default="2,3,4,6,8,10")
    options.add_argument("--eyes", default=",".join(EYES))
    options.add_argument("--by", default=",".join(MEASURES), help="what is to be large")
    options.add_argument("--minutes", type=float, default=0.0, help="a search of each at least")
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--out", type=Path, help="where the hardest logs are written")
    options.add_argument("--measure", nargs="+", type=Path, help="only count the work of these")
    chosen = options.parse_args()
    if chosen.measure:
        records = [load(path).record for path in chosen.measure]
        print(table((p.stem, r, stopped(r)) for p, r in zip(chosen.measure, records, strict=True)))
        return
    lists = (chosen.editions, map(int, chosen.seats.split(",")), chosen.eyes, chosen.by)
    split = [each.split(",") if isinstance(each, str) else each for each in lists]
    places = [Place(*each) for each in product(*split)]
    worst: dict[Place, Found] = {}
    with ProcessPoolExecutor(chosen.jobs, mp_context=get_context("fork")) as pool:
        for batch in batched(tasks(places, chosen.minutes), chosen.jobs):
            for found in pool.map(searched, batch):
                before = worst.get(found.place)
                if before is None or harder(found, before):
                    worst[found.place] = found
                    if chosen.out is not None:
                        kept(found, chosen.out)
    print(table((" ".join(map(str, each.place)), *each[1:]) for each in worst.values()))


if __name__ == "__main__":
    main()
