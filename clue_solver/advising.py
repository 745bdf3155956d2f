"""
Advice with names: what the edition lets a player ask, where on the board, with which dice.

**Accuse now or wait.** Let p be the probability of the best accusation now, b its expected value
after the best question in reach, and r the chance that somebody else, who can name the solution
already, accuses before the next turn. Accusing now wins with p. Waiting one turn wins at least with
(1 - r) b, by asking that question and accusing then if nobody did before. So it is right to wait
while p < (1 - r) b: the one-step look-ahead rule of optimal stopping (Chow, Robbins, Siegmund,
"Great Expectations", 1971). What others may yet learn before the next turn is not in r, and what
later turns may bring is not in b.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, permutations, product
from math import prod
from typing import NamedTuple

import numpy as np

from clue_solver.board import named_rooms, rooms_of, steps_between
from clue_solver.board import reach as board_reach
from clue_solver.edition import Category
from clue_solver.errors import SetupError, TooLarge, shown
from clue_solver.inference.advise import Gain
from clue_solver.inference.advisor import Advisor, lead
from clue_solver.inference.asking import Outcome, Question
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.diagram import Floats, Ints
from clue_solver.inference.opponents import Private, closeness
from clue_solver.inference.sat import Solver
from clue_solver.knowledge import common, know
from clue_solver.knowledge.layout import Numbers, card_numbers
from clue_solver.knowledge.likelihood import predicting
from clue_solver.names import Names
from clue_solver.observation import (
    Accusation,
    Look,
    Observation,
    Peek,
    Reveal,
    Suggestion,
)
from clue_solver.observation import Question as Asked
from clue_solver.report.advice import (
    Accusing,
    Advice,
    AnswerChance,
    Bonus,
    Heading,
    Opponent,
    Suggested,
)
from clue_solver.table import Shows, Table

Cards = tuple[str, ...]
"""What a suggestion names, in category order."""

FIRST = 5
"""How many leaders are counted exactly."""

DRAWN = 300
"""Deals drawn for each opponent: a standard error of at most 0.03."""

_SPECTATOR_SAMPLE = 15_000

_LEVEL = 1e-9
"""Bits below which two suggestions tell the same."""


class Weighed(NamedTuple):
    """
    A suggestion beside the best that could have been made.

    Attributes:
        gain: What it tells.
        best, best_gain: The best one, and what that tells; itself where none is better.
        within: The rooms that it names.
    """

    gain: Gain
    best: Cards
    best_gain: Gain
    within: Cards


class Adviser:
    """Advises the viewer of one game as of one entry."""

    def __init__(
        self,
        table: Table,
        observations: Sequence[Observation],
        deduction: Deduction,
        *,
        viewer: str | None,
        shows: Shows,
        upto: int,
        rng: np.random.Generator,
        sample: int | None = None,
    ) -> None:
        if viewer is None:
            raise SetupError("a spectator makes no suggestions: name a player as the viewer")
        self.table, self.observations = table, tuple(observations[:upto])
        if viewer in _out(self.observations):
            raise SetupError(f"{shown(viewer)} has accused wrongly and is out of the game")
        self.viewer, self.shows, self.upto, self.rng = viewer, shows, upto, rng
        self.numbers = Numbers(table)
        self.place = {card: number for number, card in enumerate(table.cards)}
        self.diagram = deduction.diagram(upto)
        options = {} if sample is None else {"sample": sample}
        self.advisor = Advisor(
            deduction.knowledge.upto(upto), deduction.possible(upto), self.diagram, rng, **options
        )

    def advice(
        self,
        *,
        rooms: str | None = None,
        at: str | None = None,
        roll: int | None = None,
        dice: str | None = None,
        leaks: bool = True,
    ) -> Advice:
        """
        Return what to do.

        Args:
            rooms: The rooms in reach, as a list.
            at: Where the viewer stands; the rooms in reach follow from the board.
            roll: What was rolled there.
            dice: Three rolled suspects, as a list.
            leaks: Whether to tell what a spectator would learn.

        Raises:
            SetupError: If the edition has no such rooms, board or dice.
            NotationError: If a name means nothing.
        """
        chances = self._reach(rooms, at, roll)
        faces = self._faces(dice)
        allowed = {cards: self._chance(cards, chances) for cards in self._suggestions(faces)}
        ranked = self._ranked(allowed)
        public = self._public() if leaks else None
        posterior = self.advisor.worlds.solutions
        opponents = tuple(self.opponents())
        suggestions = tuple(
            self._suggested(cards, gain, allowed[cards], public) for cards, gain in ranked
        )
        return Advice(
            viewer=self.viewer,
            entries=self.upto,
            bits=posterior.bits,
            suggestions=suggestions,
            bonus=tuple(self._bonus(faces)) if self.table.edition.dice else (),
            accuse=self._accusing(suggestions, opponents),
            opponents=opponents,
            heading=self._heading(ranked, chances, at),
        )

    def opponents(self, *, draws: int = DRAWN) -> Iterator[Opponent]:
        """Yield for every other seat the probability that it can already name the solution."""
        out = _out(self.observations)
        deals = self.diagram.draw(draws, self.rng)
        for seat in self.table.seats:
            if seat == self.viewer:
                continue
            if seat in out:  # it has seen the envelope
                yield Opponent(seat=seat, knows=1.0, error=0.0)
                continue
            shared = common(self.table, self.observations, viewer=self.viewer, seat=seat)
            solver = Solver(shared)
            found = closeness(
                solver,
                [solver.entry(entry) for entry in range(1, self.upto + 1)],
                seat=self.numbers.holder(seat),
                private=tuple(self._private(seat)),
                deals=deals,
                rng=self.rng,
                policy=predicting(self.shows),
            )
            yield Opponent(seat=seat, knows=found.knows, error=found.error)

    def weighed(self, cards: Cards) -> Weighed:
        """
        Return what a suggestion tells, and the best one that names no other room.

        A suggestion names the room one stands in, so with the same room any of them could be made.
        """
        kinds = self.table.edition.category
        rooms = {card.name for kind in kinds if kind.name == "room" for card in kind.cards}
        within = tuple(card for card in cards if card in rooms)
        plans = [cards]
        if len(self.advisor.worlds.solutions.probability) > 1:  # else no question tells anything
            others = sorted(set(self._suggestions(None)))
            plans += [plan for plan in others if rooms.intersection(plan) <= {*within}]
        told = {plan: self.advisor.gain(self._question(plan)) for plan in plans}
        best = max(told, key=lambda plan: told[plan].bits)
        if told[best].bits - told[cards].bits < _LEVEL:
            best = cards
        return Weighed(told[cards], best, told[best], within)

    def _private(self, seat: str) -> Iterator[Private]:
        """Yield what the seat saw and the viewer did not."""
        holder, cards = self.numbers.holder, self.numbers.cards
        everything = self.numbers.layout.everything
        colours = tuple(cards([feature]) for feature in self.table.edition.features)
        notch = 0  # the colours that the card at the notch can have, for all who peek at it
        for observation in self.observations:
            match observation:
                case Suggestion(by=by, cards=asked, answers=answers) if by == seat:
                    for answer in answers:
                        unseen = answer.seat not in (None, self.viewer)
                        if answer.answer == "shows" and unseen:
                            yield Private(holder(str(answer.seat)), cards(asked), True)
                case Asked(by=by, seat=other, about=about, answer="shows") if by == seat:
                    if other != self.viewer:
                        yield Private(holder(other), cards(about), True)
                case Look(by=by, holder=other) if by == seat and other != self.viewer:
                    yield Private(holder(other), everything, False)
                case Reveal(seat=other, to=to) if to == seat and other != self.viewer:
                    yield Private(holder(other), everything, False)
                case Peek(by=by, feature=feature):
                    if by == self.viewer and feature is not None:
                        notch = cards([feature])
                    if by == seat:
                        envelope = self.numbers.layout.envelope
                        yield Private(envelope, notch or everything, False, colours)
                case Accusation(right=False):
                    notch = 0
                case _:
                    pass

    def _suggestions(self, faces: tuple[str, ...] | None) -> Iterator[Cards]:
        """Yield every suggestion that the edition allows, with these dice if any are given."""
        edition = self.table.edition
        own = set()
        if not edition.bluff:
            seat = self.numbers.holder(self.viewer)
            certain = self.diagram.openings.certain
            own = {card for card, number in self.place.items() if certain[number] == seat}
        for kinds in combinations(edition.category, edition.named):
            if faces is None:
                pools: Iterable[tuple[str, ...]] = product(
                    *([card.name for card in kind.cards] for kind in kinds)
                )
            else:
                pools = self._rolled(kinds, faces)
            yield from (cards for cards in pools if not own.intersection(cards))

    def _rolled(
        self, kinds: Sequence[Category], faces: tuple[str, ...]
    ) -> Iterator[tuple[str, ...]]:
        """Yield the suggestions that rolled suspects allow: one die on each role."""
        marked = self.table.edition.features
        seen = set()
        for chosen in permutations(faces, len(kinds)):
            cards = []
            for kind, face in zip(kinds, chosen, strict=True):
                names = {card.name for card in kind.cards}
                cards += [name for name in marked[face] if name in names]
            if len(cards) == len(kinds) and tuple(cards) not in seen:
                seen.add(tuple(cards))
                yield tuple(cards)

    def _question(self, cards: Sequence[str]) -> Question:
        holder = self.numbers.holder
        return Question(
            tuple(self.place[card] for card in cards if card in self.place),
            tuple(holder(seat) for seat in self.table.answering(self.viewer)),
            self.table.everyone_shows,
        )

    def _reach(
        self, rooms: str | None, at: str | None, roll: int | None
    ) -> dict[str, float] | None:
        edition = self.table.edition
        if rooms is not None and at is not None:
            raise SetupError("give either the rooms in reach or where you are, not both")
        if rooms is not None:
            return named_rooms(edition, rooms)
        if at is not None:
            return board_reach(edition, at, roll)
        if roll is not None:
            raise SetupError("a roll needs a place to start from: add where you are")
        return None

    def _chance(self, cards: Sequence[str], chances: dict[str, float] | None) -> float:
        if chances is None:
            return 1.0
        rooms = set(rooms_of(self.table.edition))
        return prod(chances.get(card, 0.0) for card in cards if card in rooms)

    def _faces(self, dice: str | None) -> tuple[str, ...] | None:
        if dice is None:
            return None
        edition = self.table.edition
        if not edition.dice or not edition.features:
            raise SetupError(f"{edition.name} has no dice with suspects on them")
        names = Names("suspect", edition.features, aliases=edition.aliases)
        faces = tuple(names.find(word) for word in dice.split(",") if word.strip())
        if len(faces) != 3:
            raise SetupError(f"expected three rolled suspects; found {len(faces)}")
        return faces

    def _ranked(self, allowed: dict[Cards, float]) -> list[tuple[Cards, Gain]]:
        """Return the suggestions by gain times reach, those out of reach last, by gain alone."""
        within = {cards: self._question(cards) for cards, reach in allowed.items() if reach > 0}
        ranked = lead(
            within, self.advisor, lambda cards, gain: gain.bits * allowed[cards], first=FIRST
        )
        beyond = [
            (cards, self.advisor.gain(self._question(cards)))
            for cards, reach in allowed.items()
            if reach <= 0
        ]
        return ranked + sorted(beyond, key=lambda pair: -pair[1].bits)

    def _public(self) -> Advisor | None:
        """Return the advisor of a spectator, or nothing where that is too much to count."""
        known = know(self.table, self.observations, viewer=None, shows=self.shows)
        deduction = Deduction(known)
        try:
            diagram = deduction.diagram(self.upto)
            return Advisor(
                known, deduction.possible(self.upto), diagram, self.rng, sample=_SPECTATOR_SAMPLE
            )
        except TooLarge:
            return None

    def _suggested(
        self, cards: Cards, gain: Gain, reach: float, public: Advisor | None
    ) -> Suggested:
        question = self._question(cards)
        outcomes = self.advisor.outcomes(question)
        answers = [
            AnswerChance(shows=self._named(outcome), probability=float(chance))
            for outcome, chance in zip(outcomes, gain.chances, strict=True)
            if chance > 0
        ]
        answers.sort(key=lambda answer: -answer.probability)
        return Suggested(
            cards=cards,
            gain=gain.bits,
            error=gain.error,
            settles=gain.settles,
            best_after=gain.best_after,
            leak=None if public is None else public.public(question).bits,
            reach=reach,
            answers=tuple(answers),
        )

    def _named(self, outcome: Outcome) -> tuple[tuple[str, str], ...]:
        return tuple((self.table.holders[seat], self.table.cards[card]) for seat, card in outcome)

    def _accusing(
        self, suggestions: tuple[Suggested, ...], opponents: tuple[Opponent, ...]
    ) -> Accusing:
        posterior = self.advisor.worlds.solutions
        now = float(posterior.probability[0])
        cards = tuple(self.table.cards[card] for card in posterior.cards[0].tolist())
        within = [each.best_after * each.reach + now * (1 - each.reach) for each in suggestions]
        later = max([now, *within])
        out = _out(self.observations)
        risk = 1.0 - prod(1.0 - each.knows for each in opponents if each.seat not in out)
        waiting = (1.0 - risk) * later
        told = (
            f"right with {now:.0%} now; asking on makes it {later:.0%}, "
            f"and somebody else can name it with {risk:.0%}: waiting wins with {waiting:.0%}"
        )
        if len(posterior.probability) == 1:
            return Accusing(cards=cards, probability=1.0, advice="accuse", why="it is certain")
        advice = "accuse" if now >= waiting else "wait"
        return Accusing(cards=cards, probability=now, advice=advice, why=told)  # type: ignore[arg-type]

    def _heading(
        self,
        ranked: list[tuple[Cards, Gain]],
        chances: dict[str, float] | None,
        at: str | None,
    ) -> Heading | None:
        """Return the room with the best question for its distance, where none is in reach."""
        if chances is None or any(chance > 0 for chance in chances.values()):
            return None
        edition = self.table.edition
        names = Names("room", (*rooms_of(edition), *(edition.board.start if edition.board else ())))
        place = names.find(at) if at else ""
        best: dict[str, float] = {}
        for cards, gain in ranked:
            for card in cards:
                if card in chances and card != place and gain.bits > best.get(card, -1.0):
                    best[card] = gain.bits
        far = {room: steps_between(edition, place, room) for room in best}

        def worth(room: str) -> float:
            return best[room] / (1 + (far[room] or 0) / 7)  # a turn's mean roll of two dice is 7

        room = max(best, key=worth)
        return Heading(room=room, gain=best[room], steps=far[room])

    def _bonus(self, faces: tuple[str, ...] | None) -> Iterator[Bonus]:
        """Yield the uses of the bonus die with what each tells, best first."""
        found = [*self._looks(), *self._questions(faces), *self._peeks(), *self._free()]
        found.sort(key=lambda bonus: -bonus.gain)
        yield from found

    def _looks(self) -> Iterator[Bonus]:
        """A random card of one hand: the classes are its cards, each as likely as the others."""
        deals = self.advisor.worlds.deals
        for seat in self.table.seats:
            if seat == self.viewer:
                continue
            held = deals == self.numbers.holder(seat)
            hands, kind = np.unique(held, axis=0, return_inverse=True)
            sizes = np.maximum(hands.sum(axis=1, keepdims=True), 1)
            chance = hands / sizes
            empty = (hands.sum(axis=1) == 0)[:, None].astype(float)
            yield self._drawn(f"looks at {seat}", kind.ravel(), np.hstack([chance, empty]))

    def _questions(self, faces: tuple[str, ...] | None) -> Iterator[Bonus]:
        """One player is asked about one suspect, in any role."""
        marked = self.table.edition.features
        for feature in dict.fromkeys(faces or tuple(marked)):
            cards = tuple(self.place[card] for card in marked[feature] if card in self.place)
            for seat in self.table.seats:
                if seat != self.viewer:
                    question = Question(cards, (self.numbers.holder(seat),), False)
                    gain = self.advisor.gain(question)
                    action = f"{self.viewer} asks {seat} about {feature}"
                    yield Bonus(action=action, gain=gain.bits, error=gain.error)

    def _peeks(self) -> Iterator[Bonus]:
        """The notch: an envelope card, drawn once until somebody opens the envelope."""
        features = self.table.edition.features
        if not features:
            return
        inside = self.advisor.worlds.deals == self.numbers.layout.envelope
        counts = np.stack(
            [inside[:, card_numbers(self.numbers.cards([name]))].sum(axis=1) for name in features],
            axis=1,
        )
        kinds, kind = np.unique(counts, axis=0, return_inverse=True)
        chance = kinds / np.maximum(kinds.sum(axis=1, keepdims=True), 1)
        if self._peeked():
            yield Bonus(action=f"{self.viewer} peeks", gain=0.0, error=0.0)
        else:
            yield self._drawn("peeks", kind.ravel(), chance)

    def _peeked(self) -> bool:
        """Whether the viewer has seen what the notch shows now."""
        seen = False
        for observation in self.observations:
            if isinstance(observation, Peek) and observation.by == self.viewer:
                seen = seen or observation.feature is not None
            if isinstance(observation, Accusation) and not observation.right:
                seen = False
        return seen

    def _free(self) -> Iterator[Bonus]:
        """The best free suggestion, of any cards."""
        questions = {cards: self._question(cards) for cards in self._suggestions(None)}
        ((cards, gain), *_) = lead(questions, self.advisor, lambda _, gain: gain.bits, first=1)
        action = f"{self.viewer} suggests {', '.join(cards)}"
        yield Bonus(action=action, gain=gain.bits, error=gain.error)

    def _drawn(self, action: str, kind: Ints, chance: Floats) -> Bonus:
        gain = self.advisor.drawn(kind, chance.astype(float))
        return Bonus(action=f"{self.viewer} {action}", gain=gain.bits, error=gain.error)


def _out(observations: Iterable[Observation]) -> set[str]:
    """Return the seats that have accused wrongly."""
    return {each.by for each in observations if isinstance(each, Accusation) and not each.right}
