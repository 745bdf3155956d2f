"""
What finished games tell of the people who played them: how they ask, show and accuse.

A game is looked at as its record has it in the end, all notes together, whoever saw what. Where
that does not tell a hand, every deal that fits counts with its weight: the deal diagram carries a
weight for each level of a habit, so one pass gives the likelihood of them all. Games are
independent, so their likelihoods multiply.

The habits, each by a level from 0 to 1 of which nothing is known before, or none (at random):

- care: L = level squared of the model `careful`, which names a card s of the m in a category, o of
  them its own, with the chance (L if s is its own, else 1) / (m - o + L o); at random L is 1;
- sticking: the chance that a card which this asker was shown by this player before is shown again
  where that is possible; else, and at random, each card that could be shown is as likely;
- a category: the chance that a card of it is shown, if half of those that could be were of it; at
  random 1/2. Other shares have the same odds times theirs;
- accusing: the chance that a player who can prove the solution accuses in the same turn.

Each player's is shrunk towards what is usual among them (`inference.shrinkage`). All is told at
once: the intervals hold together with a chance of 90 %, and a habit is told only where the chance
that it is none is less than an even share of the 10 % that are left.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from clue_solver.answers.display import AnswerValue, ShownValue, Written
from clue_solver.errors.arguments import checked
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.diagram import Diagram
from clue_solver.inference.hands import openings
from clue_solver.inference.shrinkage import LEVELS, interval, posterior
from clue_solver.inference.spending import limited, spend
from clue_solver.knowledge import evidence
from clue_solver.knowledge.clauses import Numbers
from clue_solver.knowledge.viewer import Knowledge, knowledge_of, pooled_knowledge
from clue_solver.rules import observations as observed
from clue_solver.rules.table import ANY, ENVELOPE, Asks, Table
from clue_solver.rules.turns import TurnsTaken

Floats = npt.NDArray[np.float64]

_LEVELS = 48

NODES: Floats = np.arange(1, _LEVELS + 1) / _LEVELS
"""Where likelihoods are computed, the last at random: the roots of L; 1 without the sticking."""

CARE = tuple((NODES**2).tolist())
"""The levels of care at the nodes."""

_MISSED = 0.1

MOST_WORK = 400_000_000
"""What the habits in one game may cost, in units of `spending`."""

_ENTRY_WORK = 3_000  # of an entry that is read once more, in these


class Estimate(AnswerValue, frozen=True, kw_only=True):
    """
    A number from 0 to 1, shrunk towards what is usual.

    Attributes:
        value: Its posterior mean.
        interval: Where it is; those of all players and habits hold at once with a chance of 90 %.
    """

    value: float
    interval: tuple[float, float]

    @checked
    def holds(self, number: float) -> bool:
        """Return whether the interval has a number in it."""
        low, high = self.interval
        return low <= number <= high


class KindShown(AnswerValue, frozen=True, kw_only=True):
    """
    How often a card of one category is shown where it could be and so could another.

    Attributes:
        kind: The category.
        could: How often that was so where none of these cards had been shown to this asker before.
            Only players count whose whole hand is an entry of the record: what else tells a hand
            depends on which cards were shown.
        did: How often it was shown then.
        at_random: How often it would be on average if all were as likely.
        share: The chance that it is shown.
    """

    kind: str
    could: int
    did: int
    at_random: float
    share: Estimate

    @property
    def preferred(self) -> bool | None:
        """Whether its cards are preferred to others, or avoided; `None` where it may be chance."""
        if not self.could or self.share.holds(usual := round(self.at_random / self.could, 9)):
            return None
        return self.share.value > usual


class PlayerHabits(AnswerValue, frozen=True, kw_only=True):
    """
    What the games tell of one player, or of all together.

    Attributes:
        seat: The player's name; `all` for all together.
        games: In how many of the games.
        asked: How many cards it named in suggestions where it was free to name any of a category,
            whether its holding is known or not: no rooms where there is a board, nothing where
            dice choose or own cards may not be named, no face-up cards.
        own: How many of them were its own, on average over the deals that fit.
        careful: The level of `careful`.
        chances: How often it could show again a card that it had shown to this asker before, and
            had another one to show; where its whole hand is an entry of the record.
        again: How often it did.
        sticky: The chance that it does so for habit, beyond chance.
        kinds: Which categories it shows.
        could_accuse: At how many of its turns it could prove the solution by its part of the
            record: at the end of the turn, at its beginning where an accusation cannot follow a
            suggestion, or just before it accused.
        accused: At how many of these it accused.
        accuses: The chance that it does.
    """

    seat: str
    games: int
    asked: int
    own: float
    careful: Estimate
    chances: int
    again: int
    sticky: Estimate
    kinds: tuple[KindShown, ...]
    could_accuse: int
    accused: int
    accuses: Estimate


class Habits(ShownValue, frozen=True, kw_only=True):
    """
    The habits of the players of some games.

    Attributes:
        games: How many games they are learned from.
        players: Every player, in the order in which the games name them.
        everyone: What is usual among all players; counts are of all together.
        failed: The messages of files that could not be used.
    """

    games: int
    players: tuple[PlayerHabits, ...]
    everyone: PlayerHabits
    failed: tuple[str, ...] = ()

    written: ClassVar[Written] = Written(schema=1, also=("header",), called={"everyone": "all"})

    @property
    def header(self) -> tuple[str, ...]:
        """
        The lines for the header of the next game with these players; none without a habit.

        A player is set apart whose interval has not the usual level in it. `shows: sticky` stands
        there where it is usual to show cards again for habit, and more than half the time.
        """
        lines = []
        level = _level(self.everyone)
        apart = [
            Asks(model="careful", level=_level(player), seat=player.seat)
            for player in self.players
            if not player.careful.holds(self.everyone.careful.value) and _level(player) != level
        ]
        careful = not self.everyone.careful.holds(1.0)
        if careful or apart:
            usual = Asks(model="careful", level=level) if careful else Asks(model="any")
            lines.append(f"asks: {', '.join(map(str, (usual, *apart)))}")
        if self.everyone.sticky.value > 0.5 and not self.everyone.sticky.holds(0.0):
            lines.append("shows: sticky")
        return tuple(lines)


class SeatGame(NamedTuple):
    """
    What one game, or several, tell of one player, or of all.

    Attributes:
        asked, own, chances, again, could_accuse, accused: As in `PlayerHabits`.
        careful, sticky: The logarithm of the likelihood at the nodes, shape (nodes,).
        kinds: By category how often a card of it could be shown, was, and would be at random.
    """

    asked: int
    own: float
    careful: Floats
    chances: int
    again: int
    sticky: Floats
    kinds: Mapping[str, tuple[int, int, float]]
    could_accuse: int
    accused: int


GameHabits = Mapping[str, SeatGame]
"""What one game tells of each player, by name."""

HabitsOfFile = tuple[GameHabits | None, str | None]
"""What the game of a file tells, or else why there is nothing, in a message that names the file."""


class _Showing(NamedTuple):
    """A card that was shown, by numbers; `habit` is what this asker was shown by it before."""

    entry: int
    seat: str
    card: int
    asked: int
    habit: int


class _Graded(Knowledge, frozen=True, kw_only=True):
    """A knowledge whose behaviour has a table for each node, all as likely before the log."""

    @property
    def prior(self) -> tuple[float, ...]:
        """The same chance for each node; the sum is 1."""
        return (1.0 / _LEVELS,) * _LEVELS


def game_habits(table: Table, observations: Sequence[observed.Observation]) -> GameHabits:
    """
    Return what a finished game tells of its players.

    Raises:
        Contradiction: If the entries, and the solution of the header, cannot all be true.
        TooLarge: If the deal diagram would not fit into memory, or it takes too much work.
    """
    with limited(MOST_WORK):
        final = _Final(replace(table, asks=ANY), tuple(observations))
        return {seat: final.told_of(seat) for seat in table.seats}


class _Final:
    """A record as it is in the end, all notes together."""

    def __init__(self, table: Table, observations: tuple[observed.Observation, ...]) -> None:
        self.table = table
        self.observations = observations
        self.numbers = Numbers(table)
        solution = [
            observed.Knowing(by=table.seats[0], holder=ENVELOPE, has=(card,))
            for card in table.solution
        ]
        known = pooled_knowledge(table, observations, supposed=solution)
        self.told_hands = {
            observation.seat: self.numbers.cards(observation.cards)
            for observation in observations
            if isinstance(observation, observed.Hand)
        }
        self.showings = tuple(self._shown())
        policy = evidence.POLICIES[table.policy]
        weighed = tuple(
            evidence.Factor(
                showing.entry,
                self.numbers.holder(showing.seat),
                showing.asked,
                (policy.chances(showing.asked, shown=showing.card, habit=showing.habit),),
            )
            for showing in self.showings
            if policy
        )
        deduction = Deduction(replace(known, factors=weighed))
        self.known = deduction.knowledge
        self.last = len(observations)
        self.possible = deduction.possible(self.last)
        self.marginals = deduction.diagram(self.last).marginals()

    def told_of(self, seat: str) -> SeatGame:
        """Return what the game tells of a player."""
        spend(_ENTRY_WORK * len(self.observations))
        encoder = evidence.FactorEncoder(self.numbers, self.table, viewer=None)
        encoder.asking |= {seat: evidence.AskPolicy(CARE)}
        if not self.table.edition.bluff:
            encoder.chosen = ()  # own cards may not be named: that is no habit
        asked = 0
        own = 0.0
        careful: list[evidence.Factor] = []
        for entry, observation in enumerate(self.observations, 1):
            careful += encoder.behaviour(entry, observation)
            match observation:
                case observed.Suggestion(by=by, cards=cards) if by == seat:
                    for card in map(self.numbers.card, cards):
                        if any(card & mask for mask in encoder.chosen):
                            asked += 1
                            own += self._chance(card, by)
        showings = [showing for showing in self.showings if showing.seat == seat]
        sticky = tuple(self._sticking(showing) for showing in showings)
        others = tuple(
            factor for factor in self.known.factors if self.table.seats[factor.holder] != seat
        )
        trials = [showing for showing in showings if self._proper(showing)]
        kinds = {kind.name: (0, 0, 0.0) for kind in self.table.edition.category}
        for showing in showings:
            self._count_kinds(showing, kinds)
        could_accuse, accused = self._accused(seat)
        return SeatGame(
            asked=asked,
            own=own,
            careful=self._likelihood(self.known.factors, tuple(careful)),
            chances=len(trials),
            again=sum(1 for showing in trials if showing.card & showing.habit),
            sticky=self._likelihood(others, sticky),
            kinds=kinds,
            could_accuse=could_accuse,
            accused=accused,
        )

    def _likelihood(
        self, factors: tuple[evidence.Factor, ...], graded: tuple[evidence.Factor, ...]
    ) -> Floats:
        """Return the logarithm of the likelihood of each node, up to one constant."""
        if not any(len(factor.tables) > 1 for factor in graded):
            return np.zeros(_LEVELS)
        known = _Graded(
            layout=self.known.layout,
            entries=self.last,
            clauses=self.known.clauses,
            factors=factors,
            behaviour=graded,
        )
        levels = Diagram(openings(known, self.possible)).log_levels
        logarithms: Floats = levels - levels.max()
        return logarithms

    def _shown(self) -> Iterator[_Showing]:
        """Yield every card that the record says was shown in an answer."""
        habits = defaultdict[tuple[str, str], int](int)
        for entry, observation in enumerate(self.observations, 1):
            asker = getattr(observation, "by", "")
            for seat, card, asked in evidence.shown_to(asker, observation):
                mask = self.numbers.card(card)
                yield _Showing(entry, seat, mask, self.numbers.cards(asked), habits[seat, asker])
                habits[seat, asker] |= mask

    def _sticking(self, shown: _Showing) -> evidence.Factor:
        """Return how likely a card was shown, by the asked cards held, a table for each node."""
        holder = self.numbers.holder(shown.seat)
        size = shown.asked.bit_count()
        before = (shown.asked & shown.habit).bit_count()
        if not before:
            tables: tuple[tuple[float, ...], ...] = (evidence.one_in(shown.asked),)
        else:
            again = 1.0 / before if shown.card & shown.habit else 0.0
            tables = tuple(
                tuple(s * again + (1.0 - s) / max(held, 1) for held in range(size + 1))
                for s in (1.0 - NODES).tolist()
            )
        return evidence.Factor(shown.entry, holder, shown.asked, tables)

    def _proper(self, shown: _Showing) -> bool:
        """Return whether it could show a card again and could show another as well."""
        could = shown.asked & self.told_hands.get(shown.seat, 0)
        return bool(could & shown.habit) and bool(could & ~shown.habit)

    def _count_kinds(self, shown: _Showing, kinds: dict[str, tuple[int, int, float]]) -> None:
        """Count of which category the shown card was, and of which it could have been."""
        has = shown.asked & self.told_hands.get(shown.seat, 0)
        held = has.bit_count()
        if held < 2 or has & shown.habit:
            return
        layout = self.numbers.layout
        for kind, mask in zip(self.table.edition.category, layout.categories, strict=True):
            if mine := (has & mask).bit_count():
                could, did, chance = kinds[kind.name]
                if mine < held:
                    did += bool(shown.card & mask)
                    kinds[kind.name] = (could + 1, did, chance + mine / held)

    def _chance(self, card: int, seat: str) -> float:
        number = card.bit_length() - 1
        return float(self.marginals[number, self.numbers.holder(seat)])

    def _accused(self, seat: str) -> tuple[int, int]:
        """Return at how many of its turns a seat could prove the solution, and at how many of these
        it accused."""
        deduction = Deduction(knowledge_of(self.table, self.observations, viewer=seat))
        inside = 1 << self.numbers.layout.envelope
        wanted = len(self.table.edition.category)
        could = did = 0
        for turn in TurnsTaken(self.observations).of(seat):
            accused = next((e for e in turn if self._accusation(e)), None)
            before = turn[0] - 1 if not self.table.edition.accuses else turn[-1]
            at = before if accused is None else accused - 1
            if could or deduction.possible(at).count(inside) == wanted:
                could, did = could + 1, did + (accused is not None)
        return could, did

    def _accusation(self, entry: int) -> bool:
        return isinstance(self.observations[entry - 1], observed.Accusation)


def gathered(outcomes: Iterable[HabitsOfFile]) -> Habits:
    """Return what several games tell together; the same name is the same player."""
    failed = list[str]()
    games = 0
    by_name = defaultdict[str, list[SeatGame]](list)
    for game, error in outcomes:
        if error is not None:
            failed.append(error)
        if game is not None:
            games += 1
            for seat, played in game.items():
                by_name[seat].append(played)
    told = [_together(played) for played in by_name.values()]
    everyone = _together(told)
    played_in = (*map(len, by_name.values()), games)
    *players, usual = (
        _told(*each)
        for each in zip(
            (*by_name, "all"), played_in, (*told, everyone), _estimates(told, everyone), strict=True
        )
    )
    return Habits(games=games, players=tuple(players), everyone=usual, failed=tuple(failed))


def _together(games: Sequence[SeatGame]) -> SeatGame:
    """Return what independent games, or players, tell together."""
    kinds: dict[str, tuple[int, int, float]] = {}
    for game in games:
        for kind, counts in game.kinds.items():
            before = kinds.get(kind, (0, 0, 0.0))
            could, did, chance = (a + b for a, b in zip(before, counts, strict=True))
            kinds[kind] = (int(could), int(did), chance)
    nothing = np.zeros(_LEVELS)
    return SeatGame(
        asked=sum(game.asked for game in games),
        own=sum(game.own for game in games),
        careful=sum((game.careful for game in games), nothing),
        chances=sum(game.chances for game in games),
        again=sum(game.again for game in games),
        sticky=sum((game.sticky for game in games), nothing),
        kinds=kinds,
        could_accuse=sum(game.could_accuse for game in games),
        accused=sum(game.accused for game in games),
    )


def _told(seat: str, games: int, told: SeatGame, estimates: Mapping[str, Estimate]) -> PlayerHabits:
    return PlayerHabits(
        seat=seat,
        games=games,
        asked=told.asked,
        own=told.own,
        careful=estimates["care"],
        chances=told.chances,
        again=told.again,
        sticky=estimates["sticking"],
        kinds=tuple(
            KindShown(
                kind=kind, could=could, did=did, at_random=chance, share=estimates[f"a {kind}"]
            )
            for kind, (could, did, chance) in told.kinds.items()
        ),
        could_accuse=told.could_accuse,
        accused=told.accused,
        accuses=estimates["accusing"],
    )


def _estimates(told: Sequence[SeatGame], everyone: SeatGame) -> list[dict[str, Estimate]]:
    """Return the estimates of each player's habits, by name, and last those of all as if one."""
    habits: dict[str, Callable[[SeatGame], Told]] = {
        "care": _care,
        "sticking": _sticking,
        "accusing": _accusing,
    }
    habits |= {f"a {kind}": partial(_showing, kind) for kind in everyone.kinds}
    found = {}
    looks = 0
    for name, told_by in habits.items():
        likelihoods, places = zip(*map(told_by, (*told, everyone)), strict=True)
        looks += sum(bool(np.ptp(likelihood[:-1])) for likelihood in likelihoods)
        *players, as_one = likelihoods
        weights = [posterior(each, random=name != "accusing") for each in (players, [as_one])]
        found[name] = list(zip(np.concatenate(weights), places, strict=True))
    missed = _MISSED / max(looks, 1)
    return [
        {name: _estimate(*rows[place], missed=missed) for name, rows in found.items()}
        for place in range(len(told) + 1)
    ]


Told = tuple[Floats, Floats]
"""The logarithm of the likelihood at the points, and which number each of them is."""


def _care(told: SeatGame) -> Told:
    likelihood = np.append(np.interp(LEVELS, NODES, told.careful), told.careful[-1])
    return likelihood, np.append(LEVELS**2, 1.0)


def _sticking(told: SeatGame) -> Told:
    likelihood = np.interp(LEVELS, 1.0 - NODES[::-1], told.sticky[::-1])
    return np.append(likelihood, told.sticky[-1]), np.append(LEVELS, 0.0)


def _accusing(told: SeatGame) -> Told:
    likelihood = _likelihood(LEVELS, told.accused, told.could_accuse)
    return np.append(likelihood, -np.inf), np.append(LEVELS, 0.0)


def _showing(kind: str, told: SeatGame) -> Told:
    could, did, chance = told.kinds.get(kind, (0, 0, 0.0))
    usual = chance / could if could else 0.5
    levels = np.append(LEVELS, 0.5)
    shares = usual * levels / (usual * levels + (1.0 - usual) * (1.0 - levels))
    return _likelihood(shares, did, could), shares


def _likelihood(chances: Floats, did: int, could: int) -> Floats:
    """Return the likelihood of chances by how often something was done that could be."""
    likelihood: Floats = did * np.log(chances) + (could - did) * np.log1p(-chances)
    return likelihood


def _estimate(weights: Floats, places: Floats, *, missed: float) -> Estimate:
    low, high = interval(weights, places, missed=missed)
    value = round(float(weights @ places), 9)
    return Estimate(value=value, interval=(round(low, 9), round(high, 9)))


def _level(player: PlayerHabits) -> float:
    """Return a level of `careful` as a header has it."""
    return max(round(player.careful.value, 2), 0.01)
