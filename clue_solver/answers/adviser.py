"""
Advice with names: what to ask, by what it tells; the uses of the bonus die of Clue Diced; whether
to accuse. What can be asked is told by `own_turn`, and `advice` decides whether to accuse.

A suggestion, the look at a face-down card that has to come before it, and the use of the bonus die
that comes after it are weighed together: what they tell in all.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from clue_solver.answers import advice as values
from clue_solver.answers import position
from clue_solver.answers.advice import By
from clue_solver.answers.bonus_die import BonusDie
from clue_solver.answers.own_turn import Cards, OwnTurn, room_among
from clue_solver.answers.weigher import SuggestionWeigher
from clue_solver.answers.winning import WORLDS, Winning
from clue_solver.errors import ArgumentError, TooLarge
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.diagram import MEMORY, rounded, sort_key
from clue_solver.inference.gains import Gain, Query
from clue_solver.inference.ranking import WORK, GainEstimator
from clue_solver.inference.rollouts import Share
from clue_solver.knowledge.evidence import Rivals
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import Table

MOST_ANSWERS, FEWEST_ANSWERS = 50_000, 20
"""How many answers are told, of all suggestions at most and of each at least; likeliest first."""

FIRST = 5
"""How many leaders are counted exactly."""

PLANNED = 6
"""With how many suggestions the bonus die is planned."""

DRAWN = 300
"""Deals drawn for each opponent: a standard error of at most 0.03."""

WITHOUT_OWN, WITH_OWN = 5, 2
"""How many suggestions are played on beside that of the likeliest cards."""

QUICK, QUICK_PLANS, QUICK_PLANNED = 30, 72, 2
"""
Where the advice must come at once: deals for each opponent, suggestions that are weighed, those
with which the bonus die is planned if there are at most three players; one if there are more.
"""

_SPECTATOR_SAMPLE = 15_000


class Waiting(NamedTuple):
    """
    What not accusing in this turn brings, or not yet.

    Attributes:
        more: How much more likely the best accusation is after what can be asked first.
        wins: The chance to win by asking on.
        left: The share of an accusation's chance that is left where players may bluff, and where
            rivals have kept silent.
    """

    more: float
    wins: float
    left: float


class PlannedSuggestion(NamedTuple):
    """
    A suggestion with the uses of the bonus die that go best with it.

    Attributes:
        cards, gain: The suggestion, and what it tells.
        then: For each face that may be up the best use, and what both together tell.
    """

    cards: Cards
    gain: Gain
    then: tuple[tuple[str, Gain], ...] = ()

    @property
    def bits(self) -> float:
        """What it tells with the bonus die, whichever face is up."""
        return sum(gain.bits for gain in self._gains) / len(self._gains)

    @property
    def best_after(self) -> float:
        """The expected probability of the best accusation after both."""
        return sum(gain.best_after for gain in self._gains) / len(self._gains)

    @property
    def _gains(self) -> list[Gain]:
        return [gain for _, gain in self.then] or [self.gain]


class Adviser(SuggestionWeigher):
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
        self.observations = tuple(observations[:upto])
        if viewer in position.seats_out(self.observations):
            raise ArgumentError(
                f"{viewer} has accused wrongly and is out of the game", argument="viewer"
            )
        self.upto = upto
        self.rng = rng
        self.deduction = deduction
        self.diagram = deduction.diagram(upto)
        known = deduction.knowledge.upto(upto)
        posterior = None if rough else deduction.solutions(upto)
        estimator = GainEstimator(known, self.diagram, rng, posterior=posterior, sample=sample)
        super().__init__(table, viewer, self.diagram.openings.certain, estimator)

    def advice(
        self,
        *,
        rooms: str | Iterable[str] | None = None,
        at: str | None = None,
        roll: int | None = None,
        dice: str | Iterable[str] | None = None,
        by: By | None = None,
        rivals: Rivals = "prompt",
        leaks: bool = True,
        quick: bool = False,
    ) -> values.Advice:
        """
        Return what to do; arguments and errors are those of `Game.advice`.

        What a spectator would learn, which costs most, is told where `leaks` is true, and what
        asking on wins if the others play otherwise. Where `by` is `None` nothing is played on, and
        no chances to win are told.
        """
        turn = OwnTurn(
            self.table,
            self.observations,
            viewer=self.viewer,
            rooms=rooms,
            at=at,
            roll=roll,
            dice=dice,
        )
        allowed = turn.suggestions(hidden=() if self.table.edition.bluff else self.own)
        if quick and turn.pending:  # only the bonus die is left to be used
            allowed = {}
        first, most = (0, QUICK_PLANS) if quick else (FIRST, None)
        leading = self.leading(allowed, first=first, most=most, looks=turn.looks)
        die = BonusDie(self, self.observations, turn, most=most)
        few = QUICK_PLANNED if len(self.table.seats) < 4 else 1
        ranked = self._planned(leading, allowed, die, most=few if quick else PLANNED)
        public = None
        if leaks and not quick:
            public = _spectator(self.table, self.observations, self.rng)
        draws = 0 if quick and turn.pending else QUICK if quick else DRAWN
        opponents, risk = self.opponents(draws=draws) if draws else ((), 0.0)
        answers = max(FEWEST_ANSWERS, MOST_ANSWERS // max(len(ranked), 1))
        suggestions = tuple(
            self._suggested(plan, allowed[plan.cards], turn, public, answers=answers)
            for plan in ranked
        )
        planned = quick and bool(ranked and ranked[0].then)  # the bonus die with each suggestion
        bonus = [] if planned else sorted(die.ways(), key=lambda use: -sort_key(use[1].bits))
        now: dict[str, tuple[str, Gain]] = {}  # the best use of the bonus die, by its verb
        for use in bonus if turn.pending else ():
            now.setdefault(use[0].split()[0], use)
        posterior = self.estimator.worlds.solutions
        cards = tuple(self.cards[card] for card in posterior.cards[0].tolist())
        winning = self._winning(suggested=turn.suggested)
        win = self._win_chances(winning, cards, rivals) if by is not None else None
        likely = float(posterior.probability[0])
        raised = max(_first_in_turn(turn, ranked, bonus, allowed, likely), default=None)
        trusted = 1.0 if win is None else win.trusted / likely
        if win is not None and raised is not None:  # one may accuse after that
            win = win._replace(wait=max(win.wait, raised * trusted))
        ask = values.choose_suggestion(suggestions)
        if by == "win" and win is not None and suggestions and not self.table.edition.dice_choose:
            same_turn = trusted if turn.edition.accuses and not turn.suggested else 0.0
            suggestions, ask = self._played_on(
                suggestions, winning, turn, rivals, same_turn=same_turn, leaks=leaks
            )
            if ask.suggestion.win is not None:
                win = win.after(ask.suggestion, least=(raised or 0.0) * trusted)
        if win is not None and leaks:  # last, so that nothing else depends on what is left out
            other: Rivals = "cautious" if rivals == "prompt" else "prompt"
            win = win._replace(otherwise=winning.wait(other).share)
        heading = None
        gains = any(suggestion.worth >= values.LEAST_GAIN for suggestion in suggestions)
        if not (turn.pending or gains or (quick and suggestions)):
            heading = self._heading(turn)
            if suggestions and heading is not None and heading.gain < values.LEAST_GAIN:
                heading = None
            ask = ask if heading is None else None
        choice = values.AccuseOrWait(
            now=likely,
            certain=len(posterior.probability) == 1,
            first=raised,
            risk=risk,
            barred=turn.barred,
            after=turn.before_accusing,
            win=win,
        )
        return values.Advice(
            viewer=self.viewer,
            entries=self.upto,
            bits=posterior.bits,
            suggestions=suggestions,
            left_out=len(allowed) - len(ranked),
            ask=ask,
            bonus=tuple(self._action(*use) for use in bonus),
            now=tuple(self._action(*use) for use in now.values()),
            accuse=choice.decide(cards),
            opponents=opponents,
            heading=heading,
            roll=turn.rolls,
            stay=ask is not None and turn.stays(ask.cards),
        )

    def best_question(self, plans: Sequence[Cards], rivals: Rivals = "prompt") -> Cards:
        """
        Return the question that wins most, by games played on.

        Args:
            plans: What can be asked, the question of the likeliest cards first.
            rivals: When the others accuse.
        """
        if len(self.estimator.worlds.solutions.probability) == 1:
            return plans[0]
        gains = {cards: self.estimator.gain(self.question(cards)) for cards in plans}
        candidates = [
            _Candidate(cards, gain.bits + 3 * gain.settles, bool(self.own.intersection(cards)))
            for cards, gain in gains.items()
        ]
        chosen = [cards for cards, _, _ in _candidates(candidates[0], candidates)]
        return self._winning(suggested=False).asking(chosen, rivals).chosen

    def _winning(self, *, suggested: bool, worlds: int = WORLDS) -> Winning:
        """Return what tells the chances to win from here on, the suggestion made or not."""
        return Winning(
            self.table,
            self.observations,
            self.deduction,
            viewer=self.viewer,
            suggested=suggested,
            rng=self.rng,
            worlds=worlds,
        )

    def _win_chances(
        self, winning: Winning, cards: Cards, rivals: Rivals
    ) -> values.WinChances | None:
        """Return what accusing now and asking on win; `None` if the solution is certain."""
        posterior = self.estimator.worlds.solutions
        if len(posterior.probability) == 1:
            return None
        played = winning.played(rivals)
        wait = Share.of(played.won())
        likely = float(posterior.probability[0])
        trusted = winning.trusted(cards, likely)
        now = winning.after_silence(cards, trusted)
        return values.WinChances(
            now=now,
            heard=None if now == trusted else trusted,
            read=likely if trusted < likely else None,
            wait=wait.share,
            error=wait.error,
            rivals=rivals,
            later=None if winning.suggested else Share.of(played.later().won()).share,
        )

    def _played_on(
        self,
        suggestions: Sequence[values.RankedSuggestion],
        winning: Winning,
        turn: OwnTurn,
        rivals: Rivals,
        *,
        same_turn: float,
        leaks: bool,
    ) -> tuple[tuple[values.RankedSuggestion, ...], values.AskAdvice]:
        """
        Return the suggestions with what asking them first wins, and the one to make.

        Args:
            suggestions, winning, turn, rivals: What can be asked, and when.
            same_turn: The share of a chance that accusing in the same turn wins; 0 if one may not.
            leaks: Whether what spectators would learn is told already.
        """
        plans = self._to_play_on(suggestions)
        slots = {cards: room for cards in plans if (room := room_among(cards, turn.looks))}
        played = winning.asking(plans, rivals, slots)
        weighed = [
            _with_chances(suggestion, played.chances, same_turn) for suggestion in suggestions
        ]
        compared = [p for p in weighed if p.cards in played.whole or p.win_error == 0.0]
        likeliest = [p.cards for p in compared].index(plans[0])
        if not leaks:  # the choice is the same
            public = _spectator(self.table, self.observations, self.rng)
            compared = [
                replace(suggestion, leak=self._leak(self.question(suggestion.cards), public))
                for suggestion in compared
            ]
        inside = self.diagram.marginals()[:, self.numbers.layout.envelope]
        chances = {card: float(inside[at]) for card, at in self.place.items()}
        ask = values.choose_by_winning(compared[likeliest], compared, chances)
        return tuple(weighed), ask

    def _to_play_on(self, suggestions: Sequence[values.RankedSuggestion]) -> list[Cards]:
        """Return which to play on: the surest to be made, and those that tell or settle more."""
        suggestions = values.useful(suggestions)
        most = max(suggestion.reach for suggestion in suggestions)
        inside = self.diagram.marginals()[:, self.numbers.layout.envelope]

        def likely(candidate: _Candidate) -> float:
            cards = (self.place[card] for card in candidate.cards if card in self.place)
            return sum(float(inside[card]) for card in cards)

        able = [suggestion for suggestion in suggestions if suggestion.reach >= most]
        candidates = [
            _Candidate(
                suggestion.cards, suggestion.gain + 3 * suggestion.settles, bool(suggestion.own)
            )
            for suggestion in able
        ]
        likeliest = max(candidates, key=lambda candidate: sort_key(likely(candidate)))
        surest = max(able, key=lambda suggestion: sort_key(suggestion.best_after))
        telling = max(suggestions, key=lambda suggestion: sort_key(suggestion.worth))
        settling = max(
            suggestions,
            key=lambda plan: sort_key(plan.reach * (plan.best_after - surest.best_after)),
        )
        chosen = [candidate.cards for candidate in _candidates(likeliest, candidates)]
        return list(dict.fromkeys([*chosen, surest.cards, telling.cards, settling.cards]))

    def opponents(self, *, draws: int = DRAWN) -> tuple[tuple[values.Opponent, ...], float]:
        """Return how likely every other seat can already name the solution, and any of them."""
        deals = self.diagram.draw(draws, self.rng)
        return position.opponents_know(
            self.table, self.observations, viewer=self.viewer, deals=deals, rng=self.rng
        )

    def accuses(
        self, cards: Cards, chance: float, *, worlds: int = WORLDS, waiting: Waiting | None = None
    ) -> tuple[bool, Waiting]:
        """
        Return whether to accuse cards of a chance now rather than wait, as `advice` has it.

        Args:
            cards, chance: The accusation, and how likely it is right.
            worlds: In how many deals it is played on, at most.
            waiting: What waiting brings, where that was found before; it is returned, too.
        """
        if waiting is None:
            waiting = self._waiting(cards, chance, worlds)
        win = values.WinChances(now=chance * waiting.left, wait=waiting.wins, error=0.0)
        choice = values.AccuseOrWait(
            now=chance, certain=chance == 1.0, first=chance + waiting.more, risk=0.0, win=win
        )
        return choice.decide(()).advice == "accuse", waiting

    def _waiting(self, cards: Cards, chance: float, worlds: int) -> Waiting:
        turn = OwnTurn(self.table, self.observations, viewer=self.viewer)
        ranked: list[PlannedSuggestion] = []
        reach: dict[Cards, float] = {}
        if not turn.suggested:
            hidden = () if self.table.edition.bluff else self.own
            reach = turn.suggestions(hidden=hidden)
            leading = self.leading(reach, first=0, most=QUICK_PLANS)
            ranked = [PlannedSuggestion(*plan) for plan in leading]
        now = float(self.estimator.worlds.solutions.probability.max())
        more = max(_first_in_turn(turn, ranked, (), reach, now), default=now) - now
        if more >= values.LEAST_MORE:  # then what waiting wins is not asked
            return Waiting(more, 1.0, 1.0)
        winning = self._winning(suggested=turn.suggested, worlds=worlds)
        left = winning.now(cards, chance) / chance
        return Waiting(max(more, 0.0), winning.wait("prompt").share, left)

    def _planned(
        self,
        ranked: list[tuple[Cards, Gain]],
        reach: Mapping[Cards, float],
        die: BonusDie,
        *,
        most: int,
    ) -> list[PlannedSuggestion]:
        """Return the suggestions, the best first, with the bonus die where the dice are told."""
        if not (ranked and die.rolled):
            return [PlannedSuggestion(cards, gain) for cards, gain in ranked]
        planned = [
            PlannedSuggestion(cards, gain, tuple(die.best_after(cards)))
            for cards, gain in ranked[:most]
        ]
        planned.sort(key=lambda plan: -sort_key(plan.bits * reach[plan.cards]))
        return planned + [PlannedSuggestion(cards, gain) for cards, gain in ranked[most:]]

    def _suggested(
        self,
        plan: PlannedSuggestion,
        reach: float,
        turn: OwnTurn,
        public: GainEstimator | None,
        *,
        answers: int,
    ) -> values.RankedSuggestion:
        """Return a suggestion with its likeliest answers, so many at most."""
        cards, gain = plan.cards, plan.gain
        question = self.question(cards)
        possible = np.flatnonzero(gain.chances > 0)
        ranked = possible[np.argsort(-sort_key(gain.chances[possible]), kind="stable")]
        likeliest = ranked[:answers].tolist()
        left = gain.chances[ranked[answers:]].sum()
        bits, error, settles, best_after, unlisted = rounded(
            [gain.bits, gain.error, gain.settles, gain.best_after, left]
        )
        named = [
            tuple(values.ShownCard(self.holders[h], self.cards[c]) for h, c in shown)
            for shown in self.estimator.outcomes(question, likeliest)
        ]
        return values.RankedSuggestion(
            cards=cards,
            gain=bits,
            error=error,
            settles=settles,
            best_after=best_after,
            leak=self._leak(question, public),
            reach=reach,
            own=sum(card in self.own for card in cards),
            look=room_among(cards, turn.looks),
            then=tuple(self._action(*use) for use in plan.then),
            answers=tuple(
                values.AnswerChance(shows=shows, probability=chance)
                for shows, chance in zip(named, rounded(gain.chances[likeliest]), strict=True)
            ),
            unlisted=unlisted,
        )

    def _leak(self, question: Query, public: GainEstimator | None) -> float | None:
        """Return the bits that a spectator gains; `None` where that cannot be counted."""
        if public is None or public.work > WORK // 2:
            return None
        bits: float = rounded(public.public(question).bits)
        return bits

    def _heading(self, turn: OwnTurn) -> values.RoomAdvice | None:
        """Return the room with the best question for its distance, where none is in reach."""
        rooms = self.table.edition.rooms
        best: dict[str, float] = {}
        every = dict.fromkeys(self._everywhere(), 1.0)
        for cards, gain in self.leading(every, first=FIRST, looks=turn.looks):
            room = room_among(cards, rooms)
            if room is not None and room != turn.place and gain.bits > best.get(room, -1.0):
                best[room] = gain.bits
        if not best:
            return None
        ways = {room: turn.way(room) for room in best}
        room = max(best, key=lambda room: sort_key(best[room] / ways[room][0]))
        return values.RoomAdvice(
            room=room,
            gain=rounded(best[room]),
            steps=turn.steps(room),
            through=ways[room][1],
            look=room in turn.looks,
        )

    def _action(self, action: str, gain: Gain) -> values.BonusAction:
        return values.BonusAction(
            action=f"{self.viewer} {action}", gain=rounded(gain.bits), error=rounded(gain.error)
        )


def _spectator(
    table: Table, observations: Sequence[Observation], rng: np.random.Generator
) -> GainEstimator | None:
    """Return the estimator of a spectator, or nothing where that is too much to count."""
    known = knowledge_of(table, observations, viewer=None)
    try:
        public = Deduction(known)
        diagram = public.diagram(known.entries, memory=MEMORY // 4)
        alone = rng.spawn(1)[0]  # a player's own advice is the same without a spectator
        posterior = public.solutions(known.entries)
        return GainEstimator(known, diagram, alone, posterior=posterior, sample=_SPECTATOR_SAMPLE)
    except TooLarge:
        return None


class _Candidate(NamedTuple):
    """A question that may be played on: its bits and three times its chance to settle the case."""

    cards: Cards
    worth: float
    own: bool


def _candidates(likeliest: _Candidate, among: Sequence[_Candidate]) -> list[_Candidate]:
    """Return the question of the likeliest cards, and the best others with and without own ones."""
    ranked = sorted(among, key=lambda candidate: -sort_key(candidate.worth))
    others = [candidate for candidate in ranked if candidate.cards != likeliest.cards]
    plain = [candidate for candidate in others if not candidate.own]
    return [
        likeliest,
        *plain[:WITHOUT_OWN],
        *[candidate for candidate in others if candidate.own][:WITH_OWN],
    ]


def _with_chances(
    suggestion: values.RankedSuggestion, chances: Mapping[Cards, Share], same_turn: float
) -> values.RankedSuggestion:
    """
    Return a suggestion with its chance to win, if that was played on.

    That is at least what accusing in the same turn wins, of which it is the trusted share, and
    which is exact.
    """
    if suggestion.cards not in chances:
        return suggestion
    share, error = chances[suggestion.cards]
    least = suggestion.best_after * same_turn
    if share < least:
        share = least
        error = 0.0
    return replace(suggestion, win=rounded(share), win_error=error)


def _first_in_turn(
    turn: OwnTurn,
    ranked: Sequence[PlannedSuggestion],
    bonus: Sequence[tuple[str, Gain]],
    reach: Mapping[Cards, float],
    now: float,
) -> Iterator[float]:
    """
    Yield the expected probability of the best accusation after what can be done before it.

    Where the dice do not lead to a room, it is as it is `now`.
    """
    if turn.pending:
        yield from (gain.best_after for _, gain in bonus)
    elif not turn.suggested and turn.edition.accuses:
        for plan in ranked:
            yield reach[plan.cards] * plan.best_after + (1.0 - reach[plan.cards]) * now
