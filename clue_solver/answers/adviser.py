"""
Advice with names: what the edition lets a player ask, where on the board, with which dice; the uses
of the bonus die of Clue Diced.

**Accuse now or wait.** Let p be the probability of the best accusation now, b its expected value
after the best question in reach, and r the chance that somebody else, who can name the solution
already, accuses before the next turn. Accusing now wins with p. Waiting one turn wins at least with
(1 - r) b, by asking that question and accusing then if nobody did before. So it is right to wait
while p < (1 - r) b: the one-step look-ahead rule of optimal stopping (Chow, Robbins, Siegmund,
"Great Expectations", 1971). What others may yet learn before the next turn is not in r, and what
later turns may bring is not in b.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, permutations, product
from math import prod
from typing import NamedTuple

import numpy as np

from clue_solver.answers import advice as values
from clue_solver.answers import position
from clue_solver.errors import ArgumentError, TooLarge
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.diagram import MEMORY
from clue_solver.inference.gains import Gain, Query
from clue_solver.inference.ranking import WORK, GainEstimator, rank
from clue_solver.knowledge.clauses import Numbers, card_numbers
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.notation.names import Names
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import Table

Cards = tuple[str, ...]
"""What a suggestion names, in category order."""

FIRST = 5
"""How many leaders are counted exactly."""

DRAWN = 300
"""Deals drawn for each opponent: a standard error of at most 0.03."""

_SPECTATOR_SAMPLE = 15_000

_LEVEL = 1e-9
"""Bits below which two suggestions tell the same."""


class WeighedSuggestion(NamedTuple):
    """What a suggestion tells, and the best that names the same rooms: itself if none is better."""

    gain: Gain
    best: Cards
    best_gain: Gain
    within: Cards


class Choice(NamedTuple):
    """What dice and board allowed: the rooms in reach, the rolled faces; `None` where not known."""

    rooms: Cards | None = None
    dice: Cards | None = None


class Adviser:
    """Advises the viewer of one game as of one entry."""

    def __init__(
        self,
        table: Table,
        observations: Sequence[Observation],
        deduction: Deduction,
        *,
        viewer: str | None,
        upto: int,
        rng: np.random.Generator,
        sample: int | None = None,
        rough: bool = False,
    ) -> None:
        if viewer is None:
            raise ArgumentError(
                "a spectator makes no suggestions: name a player as the viewer", argument="viewer"
            )
        self.table, self.observations = table, tuple(observations[:upto])
        if viewer in position.seats_out(self.observations):
            raise ArgumentError(
                f"{viewer} has accused wrongly and is out of the game", argument="viewer"
            )
        self.viewer, self.upto, self.rng = viewer, upto, rng
        self.numbers = Numbers(table)
        self.cards, self.holders = table.cards, table.holders
        self.others = [seat for seat in table.seats if seat != viewer]
        self.place = {card: number for number, card in enumerate(self.cards)}
        self.diagram = deduction.diagram(upto)
        seat, certain = self.numbers.holder(viewer), self.diagram.openings.certain
        self.own = frozenset(card for card, place in self.place.items() if certain[place] == seat)
        self.estimator = GainEstimator(
            deduction.knowledge.upto(upto), self.diagram, rng, sample=sample, rough=rough
        )

    def advice(
        self,
        *,
        rooms: str | Iterable[str] | None = None,
        at: str | None = None,
        roll: int | None = None,
        dice: str | Iterable[str] | None = None,
        leaks: bool = True,
    ) -> values.Advice:
        """
        Return what to do; arguments and errors are those of `Game.advice`.

        What a spectator would learn, which costs most, is told where `leaks` is true.
        """
        chances = self._reach(rooms, at, roll)
        faces = None if dice is None else self._faces(dice)
        allowed = {
            cards: 1.0
            if chances is None
            else prod(chances[card] for card in cards if card in chances)
            for cards in self._suggestions(faces)
        }
        within = {cards: reach for cards, reach in allowed.items() if reach > 0}
        ranked = self._leading(within or dict.fromkeys(allowed, 1.0), first=FIRST)
        public = self._public() if leaks else None
        posterior = self.estimator.worlds.solutions
        opponents, risk = self.opponents()
        suggestions = tuple(
            self._suggested(cards, gain, allowed[cards], public) for cards, gain in ranked
        )
        return values.Advice(
            viewer=self.viewer,
            entries=self.upto,
            bits=posterior.bits,
            suggestions=suggestions,
            left_out=len(within or allowed) - len(ranked),
            ask=values.choose_suggestion(suggestions),
            bonus=self._bonus(faces) if self.table.edition.dice else (),
            accuse=self._accusing(suggestions, risk),
            opponents=opponents,
            heading=self._heading(ranked, chances, at),
        )

    def opponents(self, *, draws: int = DRAWN) -> tuple[tuple[values.Opponent, ...], float]:
        """Return how likely every other seat can already name the solution, and any of them."""
        deals = self.diagram.draw(draws, self.rng)
        return position.opponents_know(
            self.table, self.observations, viewer=self.viewer, deals=deals, rng=self.rng
        )

    def weighed(self, cards: Cards, choice: Choice | None = None) -> WeighedSuggestion:
        """
        Return what a suggestion tells, and the best one that could have been made instead.

        A suggestion names the room one stands in, so with the same room any of them could be made;
        `choice` is what dice and board allowed besides, where that is known.
        """
        category = self.table.edition.category_of

        def rooms(plan: Cards) -> Cards:
            return tuple(card for card in plan if category[card] == "room")

        within = rooms(cards) if choice is None or choice.rooms is None else choice.rooms
        faces = None if choice is None else choice.dice
        plans = [cards]
        if len(self.estimator.worlds.solutions.probability) > 1:  # else no question tells anything
            others = sorted(self._suggestions(faces))
            plans += [plan for plan in others if {*rooms(plan)} <= {*within}]
        gain = self.estimator.honest(self._question(cards))
        best, best_gain = self._leading(dict.fromkeys(plans, 1.0), first=0)[0]
        if best_gain.bits - gain.bits < _LEVEL:
            best, best_gain = cards, gain
        return WeighedSuggestion(
            gain, best, self.estimator.honest(self._question(best)), within
        )

    def waiting(self, *, risk: float | None = None, draws: int = DRAWN) -> float:
        """
        Return the chance to win by waiting, at least: to ask once more, and accuse then.

        Args:
            risk: The chance that somebody else accuses before; counted over `draws` deals if left
                out.
        """
        if risk is None:
            risk = self.opponents(draws=draws)[1]
        plans = dict.fromkeys(self._suggestions(None), 1.0)
        ranked = self._leading(plans, first=0)
        now = float(self.estimator.worlds.solutions.probability[0])
        return (1.0 - risk) * max([now, *(gain.best_after for _, gain in ranked)])

    def _suggestions(self, faces: tuple[str, ...] | None) -> Iterator[Cards]:
        """Yield every suggestion that the edition allows, with these dice if any are given."""
        edition = self.table.edition
        own = frozenset() if edition.bluff else self.own
        for kinds in combinations(edition.category, edition.named):
            names = [[card.name for card in kind.cards] for kind in kinds]
            plans = product(*names) if faces is None else self._rolled(names, faces)
            yield from (cards for cards in plans if not own.intersection(cards))

    def _rolled(
        self, kinds: Sequence[Sequence[str]], faces: tuple[str, ...]
    ) -> Iterator[tuple[str, ...]]:
        """Yield the suggestions that rolled suspects allow: one die on each role."""
        marked = self.table.edition.features
        for chosen in dict.fromkeys(permutations(faces, len(kinds))):
            cards = [
                name
                for names, face in zip(kinds, chosen, strict=True)
                for name in marked[face]
                if name in names
            ]
            if len(cards) == len(kinds):
                yield tuple(cards)

    def _question(
        self, cards: Sequence[str], seats: Sequence[str] = (), *, everyone: bool | None = None
    ) -> Query:
        """Return what asking for the cards asks; the seats that answer it if none are named."""
        return Query(
            tuple(self.place[card] for card in cards if card in self.place),
            tuple(map(self.numbers.holder, seats or self.table.answering(self.viewer))),
            self.table.everyone_shows if everyone is None else everyone,
        )

    def _reach(
        self, rooms: str | Iterable[str] | None, at: str | None, roll: int | None
    ) -> dict[str, float] | None:
        edition = self.table.edition
        if rooms is not None:
            if at is not None:
                raise ArgumentError(
                    "give either the rooms in reach or where you are, not both", argument="rooms"
                )
            return position.named_rooms(edition, rooms)
        if at is not None:
            return position.reach(edition, at, roll)
        if roll is not None:
            raise ArgumentError(
                "a roll needs a place to start from: add where you are", argument="at"
            )
        return None

    def _faces(self, dice: str | Iterable[str]) -> tuple[str, ...]:
        edition = self.table.edition
        if not edition.dice or not edition.features:
            raise ArgumentError(
                f"{edition.name} has no dice with suspects on them", argument="dice"
            )
        names = Names("suspect", edition.features, aliases=edition.aliases)
        faces = names.find_all(dice)
        if len(faces) != 3:
            raise ArgumentError(
                f"expected three rolled suspects; found {len(faces)}", argument="dice"
            )
        return faces

    def _leading(self, plans: Mapping[Cards, float], *, first: int) -> list[tuple[Cards, Gain]]:
        """Return the suggestions by gain times a weight, the best first."""
        questions = {cards: self._question(cards) for cards in plans}
        return rank(questions, self.estimator, lambda cards, bits: bits * plans[cards], first=first)

    def _public(self) -> GainEstimator | None:
        """Return the estimator of a spectator, or nothing where that is too much to count."""
        known = knowledge_of(self.table, self.observations, viewer=None)
        try:
            diagram = Deduction(known).diagram(self.upto, memory=MEMORY // 4)
            return GainEstimator(known, diagram, self.rng, sample=_SPECTATOR_SAMPLE)
        except TooLarge:
            return None

    def _suggested(
        self, cards: Cards, gain: Gain, reach: float, public: GainEstimator | None
    ) -> values.RankedSuggestion:
        question = self._question(cards)
        outcomes = self.estimator.outcomes(question)
        named = [tuple((self.holders[h], self.cards[c]) for h, c in shown) for shown in outcomes]
        answers = [
            values.AnswerChance(shows=shows, probability=float(chance))
            for shows, chance in zip(named, gain.chances, strict=True)
            if chance > 0
        ]
        answers.sort(key=lambda answer: -answer.probability)
        return values.RankedSuggestion(
            cards=cards,
            gain=gain.bits,
            error=gain.error,
            settles=gain.settles,
            best_after=gain.best_after,
            leak=public.public(question).bits if public and public.work <= WORK // 2 else None,
            reach=reach,
            own=sum(card in self.own for card in cards),
            answers=tuple(answers),
        )

    def _accusing(
        self,
        suggestions: tuple[values.RankedSuggestion, ...],
        risk: float,
    ) -> values.AccuseAdvice:
        """Return whether to accuse; `risk` is the chance that somebody else can do so already."""
        posterior = self.estimator.worlds.solutions
        now = float(posterior.probability[0])
        cards = tuple(self.cards[card] for card in posterior.cards[0].tolist())
        within = [each.best_after * each.reach + now * (1 - each.reach) for each in suggestions]
        later = max([now, *within])
        waiting = (1.0 - risk) * later
        told = (
            f"a chance of {now:.0%} now, {later:.0%} after another suggestion; an opponent already "
            f"knows the solution with a chance of {risk:.0%}: waiting wins {waiting:.0%}"
        )
        if len(posterior.probability) == 1:
            return values.AccuseAdvice(
                cards=cards, probability=1.0, advice="accuse", why="it is certain"
            )
        return values.AccuseAdvice(
            cards=cards, probability=now, advice="accuse" if now >= waiting else "wait", why=told
        )

    def _heading(
        self,
        ranked: list[tuple[Cards, Gain]],
        chances: dict[str, float] | None,
        at: str | None,
    ) -> values.RoomAdvice | None:
        """Return the room with the best question for its distance, where none is in reach."""
        if chances is None or any(chance > 0 for chance in chances.values()):
            return None
        edition = self.table.edition
        place = position.place_named(edition, at) if at else ""
        best: dict[str, float] = {}
        for cards, gain in ranked:
            for card in cards:
                if card in chances and card != place and gain.bits > best.get(card, -1.0):
                    best[card] = gain.bits
        far = {room: position.steps_between(edition, place, room) for room in best}
        # a turn's mean roll of two dice is 7
        room = max(best, key=lambda room: best[room] / (1 + (far[room] or 0) / 7))
        return values.RoomAdvice(room=room, gain=best[room], steps=far[room])

    def _bonus(self, faces: tuple[str, ...] | None) -> tuple[values.BonusAction, ...]:
        """Return the uses of the bonus die with what each tells, best first."""
        found = [*self._looks(), *self._questions(faces), *self._peeks()]
        cards, gain = self._leading(dict.fromkeys(self._suggestions(None), 1.0), first=1)[0]
        found.append(self._action(f"suggests {', '.join(cards)}", gain))
        return tuple(sorted(found, key=lambda bonus: -bonus.gain))

    def _looks(self) -> Iterator[values.BonusAction]:
        """A random card of one hand: the classes are its cards, each as likely as the others."""
        for seat in self.others:
            held = self.estimator.worlds.deals == self.numbers.holder(seat)
            hands, kind = np.unique(held, axis=0, return_inverse=True)
            sizes = hands.sum(axis=1, keepdims=True)
            chance = np.hstack([hands / np.maximum(sizes, 1), sizes == 0])
            yield self._action(f"looks at {seat}", self.estimator.drawn(kind.ravel(), chance))

    def _questions(self, faces: tuple[str, ...] | None) -> Iterator[values.BonusAction]:
        """One player is asked about one suspect, in any role."""
        marked = self.table.edition.features
        for feature in dict.fromkeys(faces or tuple(marked)):
            for seat in self.others:
                question = self._question(marked[feature], (seat,), everyone=False)
                yield self._action(f"asks {seat} about {feature}", self.estimator.gain(question))

    def _peeks(self) -> Iterator[values.BonusAction]:
        """The notch: an envelope card, drawn once until somebody opens the envelope."""
        features = self.table.edition.features
        if not features:
            return
        inside = self.estimator.worlds.deals == self.numbers.layout.envelope
        counts = np.stack(
            [inside[:, card_numbers(self.numbers.cards([name]))].sum(axis=1) for name in features],
            axis=1,
        )
        kinds, kind = np.unique(counts, axis=0, return_inverse=True)
        chance = kinds / np.maximum(kinds.sum(axis=1, keepdims=True), 1)
        seen, opened = position.notches(self.observations, self.numbers, viewer=self.viewer)
        if opened in seen:
            yield values.BonusAction(action=f"{self.viewer} peeks", gain=0.0, error=0.0)
        else:
            yield self._action("peeks", self.estimator.drawn(kind.ravel(), chance))

    def _action(self, action: str, gain: Gain) -> values.BonusAction:
        return values.BonusAction(
            action=f"{self.viewer} {action}", gain=gain.bits, error=gain.error
        )
