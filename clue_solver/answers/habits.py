"""
What finished games tell of the people who played them: how they ask, show and accuse.

Games are independent, so the likelihoods that each tells (`answers.game_habits`) multiply.

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
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import ClassVar

import numpy as np

from clue_solver.answers.display import AnswerValue, ShownValue, Written
from clue_solver.answers.game_habits import NODES, Floats, GameHabits, SeatGame
from clue_solver.errors.arguments import checked
from clue_solver.inference.shrinkage import LEVELS, interval, posterior
from clue_solver.rules.table import Asks

_MISSED = 0.1


class Estimate(AnswerValue, frozen=True, kw_only=True):
    """
    A number from 0 to 1, shrunk towards what is usual.

    Attributes:
        value: Its posterior mean.
        interval: Where it is; those of all players and habits hold at once with a chance of 90 %.

    >>> from clue_solver import habits, load
    >>> care = habits(load("examples/evening.clue")).everyone.careful
    >>> round(care.value, 2), care.holds(1.0)  # own cards may be named as readily
    (0.98, True)
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

    >>> from clue_solver import habits, load
    >>> rooms = habits(load("examples/evening.clue")).everyone.kinds[-1]
    >>> rooms.kind, rooms.could, rooms.did, rooms.preferred
    ('room', 1, 1, None)
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

    >>> from clue_solver import habits, load
    >>> ann = habits(load("examples/evening.clue")).players[0]
    >>> ann.seat, ann.asked, round(ann.own)
    ('Ann', 10, 3)
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

    >>> from clue_solver import habits, load
    >>> told = habits(load("examples/evening.clue"))
    >>> told.games, told.everyone.asked, told.header
    (1, 32, ())
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


HabitsOfFile = tuple[GameHabits | None, str | None]
"""What the game of a file tells, or else why there is nothing, in a message that names the file."""


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
    nothing = np.zeros(len(NODES))
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
