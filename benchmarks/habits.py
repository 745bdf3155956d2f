"""
Simulated players: how they ask, and by which habit they really show.

As a command, what `habits` tells of tables of the arena: how often it tells of a habit that nobody
has, how often it finds one that somebody has, and how often its intervals hold all at once.

    python benchmarks/habits.py --tables 200
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from random import Random
from typing import NamedTuple

from simulate import Choosing, random_cards, suggestion

from clue_solver.answers.game_habits import GameHabits, game_habits
from clue_solver.answers.habits import Habits, gathered
from clue_solver.arena.dealing import Dealt, one
from clue_solver.arena.players import Asker
from clue_solver.arena.seat_view import View
from clue_solver.arena.tournament import Tournament
from clue_solver.inference.workers import spread
from clue_solver.knowledge.evidence import predicting
from clue_solver.rules.observations import Observation, Suggestion

Asking = Callable[[Random, Dealt, str, set[str]], tuple[str, ...]]
"""The cards to ask for: at which table, by which seat, which has been shown which cards."""


def in_rooms(random: Random, dealt: Dealt, by: str, seen: set[str]) -> tuple[str, ...]:
    """Suspect and weapon that the asker neither holds nor was shown, and any room."""
    *kinds, rooms = dealt.table.edition.category
    known = seen | dealt.hands[by]
    asked = [random.choice([c.name for c in kind.cards if c.name not in known]) for kind in kinds]
    return (*asked, random.choice(rooms.cards).name)


def uniform(random: Random, dealt: Dealt, by: str, seen: set[str]) -> tuple[str, ...]:
    """Any cards, one of each category."""
    return random_cards(random, dealt.table.edition)


def careless(often: float) -> Asking:
    """
    Any card of a category so often, else one that the asker does not hold, for each anew.

    Where there is a board, the room is any.
    """

    def ask(random: Random, dealt: Dealt, by: str, seen: set[str]) -> tuple[str, ...]:
        asked = []
        for kind in dealt.table.edition.category:
            cards = [card.name for card in kind.cards]
            free = dealt.table.board == "none" or kind.name.casefold() != "room"
            others = [name for name in cards if name not in dealt.hands[by]] or cards
            asked.append(random.choice(others if free and random.random() >= often else cards))
        return tuple(asked)

    return ask


ASKING: Mapping[str, Asking] = {"in rooms": in_rooms, "uniform": uniform}


def at_random(random: Random, dealt: Dealt) -> Choosing:
    """Each matching card is as likely to be shown."""

    def choose(could: list[str], seat: str, asker: str) -> str:
        return random.choice(could)

    return choose


def the_same_again(random: Random, dealt: Dealt) -> Choosing:
    """A card that this seat has shown this asker before is shown again, else a random one."""
    policy, cards = predicting("sticky"), dealt.table.cards
    habits: dict[tuple[str, str], int] = {}

    def choose(could: list[str], seat: str, asker: str) -> str:
        numbers = [cards.index(name) for name in could]
        habit = habits.get((seat, asker), 0)
        (number,) = random.choices(numbers, policy.picks(numbers, habit=habit))
        habits[seat, asker] = habit | 1 << number
        return cards[number]

    return choose


def first_match(random: Random, dealt: Dealt) -> Choosing:
    """Always the first matching card in edition order."""

    def choose(could: list[str], seat: str, asker: str) -> str:
        return min(could, key=dealt.table.cards.index)

    return choose


HABITS: Mapping[str, Callable[[Random, Dealt], Choosing]] = {
    "at random": at_random,
    "the same again": the_same_again,
    "first match": first_match,
}
"""How the table really shows."""


def log_of(
    dealt: Dealt, random: Random, asking: Asking, choose: Choosing, rounds: int
) -> list[Observation]:
    """Return the viewer's notes: its hand, then so many rounds of suggestions."""
    table = dealt.table
    seen: dict[str, set[str]] = {seat: set() for seat in table.seats}
    log: list[Observation] = [dealt.own]
    by = ""

    def noted(could: list[str], seat: str, asker: str) -> str:
        card = choose(could, seat, asker)
        seen[asker].add(card)
        return card

    for by in table.seats * rounds:
        asked = asking(random, dealt, by, seen[by])
        log.append(suggestion(dealt, by, asked, choose=noted))
    return log


class Careful(Asker):
    """Asks as the model `careful` of this level says, whatever was found out; 1 is any card."""

    def __init__(self, *, level: float = 1.0) -> None:
        super().__init__()
        self.level = level

    def worth(self, view: View, card: str) -> float:
        """Return the weight with which it is asked for."""
        return self.level if card in view.hand else 1.0

    def _pick(self, view: View, cards: Sequence[str]) -> str:
        worth = self.worths(view, cards)
        share = [each / sum(worth) for each in worth]
        return cards[int(view.rng.choice(len(cards), p=share))]


class Sticky(Careful):
    """Shows the asker, so often, a card again that it has shown this asker before."""

    def __init__(self, *, often: float = 1.0) -> None:
        super().__init__()
        self.often = often

    def show(self, view: View, cards: Sequence[str], to: str | None) -> str:
        """Return any of those cards, or of all."""
        before = {
            answer.card
            for observation in view.observations
            if isinstance(observation, Suggestion) and observation.by == to
            for answer in observation.answers
            if answer.seat == view.seat
        }
        again = [card for card in cards if card in before]
        return one(again if again and view.rng.random() < self.often else cards, view.rng)


class Weapons(Careful):
    """Shows a weapon where it can."""

    def show(self, view: View, cards: Sequence[str], to: str | None) -> str:  # noqa: ARG002
        """Return a weapon, or else any of the cards."""
        kinds = view.edition.category_of
        return one([card for card in cards if kinds[card] == "weapon"] or cards, view.rng)


class Kind(NamedTuple):
    """
    Tables of a kind.

    Attributes:
        players: Who plays, with Ann first.
        true: What may be said of somebody; anything else is false.
        found: What is to be found out: of whom, and what.
        level: The true level of `careful` of all, if it is one of the model.
    """

    players: tuple[str, ...]
    true: frozenset[str] = frozenset()
    found: tuple[str, str] | None = None
    level: float | None = None


NAMES = ("Ann", "Ben", "Cat", "Dan")

_ANY = "habits:Careful"
TABLES: Mapping[str, Kind] = {
    "random questions, shown at random": Kind(("random",) * 4, frozenset({"careful"})),
    "any cards asked, shown at random": Kind((_ANY,) * 4, level=1.0),
    "all ask at level 0.3": Kind(
        ("habits:Careful:level=0.3",) * 4, frozenset({"careful"}), ("all", "careful"), 0.3
    ),
    "one asks at level 0.1, the others any": Kind(
        ("habits:Careful:level=0.1", *(_ANY,) * 3),
        frozenset({"careful", "apart"}),
        ("Ann", "apart"),
    ),
    "one bluffs, 0.3": Kind(
        ("likeliest:bluff=0.3", *("likeliest",) * 3),
        frozenset({"careful", "apart"}),
        ("Ann", "apart"),
    ),
    "all sticky": Kind(("habits:Sticky",) * 4, frozenset({"sticky"}), ("all", "sticky")),
    "one sticky": Kind(("habits:Sticky", *(_ANY,) * 3), frozenset({"sticky"}), ("Ann", "sticky")),
    "one shows weapons": Kind(
        ("habits:Weapons", *(_ANY,) * 3),
        frozenset({"suspect", "weapon", "room"}),
        ("Ann", "weapon"),
    ),
}
"""What there is to find, or not."""


def said(habits: Habits) -> set[tuple[str, str]]:
    """Return what is told as a habit, beyond chance: of whom, and what."""
    usual = habits.everyone.careful.value
    told = set()
    for player in (*habits.players, habits.everyone):
        kinds = {kind.kind for kind in player.kinds if kind.preferred is not None}
        if not player.careful.holds(1.0):
            kinds.add("careful")
        if not player.careful.holds(usual):
            kinds.add("apart")
        if not player.sticky.holds(0.0):
            kinds.add("sticky")
        told |= {(player.seat, kind) for kind in kinds}
    return told


def learned(kind: str, games: int, seed: int) -> list[GameHabits]:
    """Return what each game of a table tells, by player, whoever sat where."""
    tournament = Tournament(
        edition="clue-classic", players=TABLES[kind].players, games=games, seed=seed, board=False
    )
    told: list[GameHabits] = []
    for played in tournament.results(jobs=1, keep=True):
        assert played.record is not None
        place = tournament.arrangements.index(played.players)
        habits = game_habits(played.record.table, played.record.observations)
        told.append({NAMES[(seat + place) % 4]: habits[name] for seat, name in enumerate(NAMES)})
    return told


def table_of(kind: str, counts: Sequence[int], seed: int) -> list[Habits]:
    """Return the habits at a table after so many games."""
    told = learned(kind, max(counts), seed)
    return [gathered((game, None) for game in told[:count]) for count in counts]


def figures(kind: Kind, tables: Iterable[Habits]) -> Counter[str]:
    """Count the tables with a false habit, with the true one, and with all intervals right."""
    counts = Counter[str]()
    for habits in tables:
        told = said(habits)
        counts["false"] += any(what not in kind.true for _, what in told)
        counts["found"] += kind.found in told
        everybody = (*habits.players, habits.everyone)
        counts["held"] += all(player.careful.holds(kind.level or 0.0) for player in everybody)
    return counts


def main() -> None:
    """Print a row for each kind of tables and number of games."""
    parser = ArgumentParser(description=main.__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seed", type=int, default=4100)
    parser.add_argument("--games", type=int, nargs="+", default=(5, 10, 24))
    parser.add_argument("--jobs", type=int, default=-1)
    parser.add_argument("--only", default="", help="tables that are called so")
    given = parser.parse_args()
    print("| tables | games | with a false habit | with the true one found | levels of all held |")
    print("|---|---|---|---|---|")
    for name, kind in TABLES.items():
        if given.only not in name:
            continue
        seeds = range(given.seed, given.seed + given.tables)
        tables = list(spread(partial(table_of, name, given.games), seeds, jobs=given.jobs))
        for count, habits in zip(given.games, zip(*tables, strict=True), strict=True):
            counts = figures(kind, habits)
            found = counts["found"] if kind.found else ""
            held = counts["held"] if kind.level else ""
            print(f"| {name} | {count} | {counts['false']} | {found} | {held} |", flush=True)


if __name__ == "__main__":
    main()
