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
from clue_solver.answers.bonus_die import BonusDie
from clue_solver.answers.own_turn import Cards, OwnTurn, room_among
from clue_solver.answers.weigher import SuggestionWeigher
from clue_solver.answers.winning import WORLDS, Winning
from clue_solver.errors import ArgumentError
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.gains import Gain
from clue_solver.inference.ranking import GainEstimator
from clue_solver.inference.rollouts import Share
from clue_solver.inference.rounding import rounded, sort_key
from clue_solver.inference.spending import step
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState

MOST_ANSWERS, FEWEST_ANSWERS = 50_000, 20
"""How many answers are told, of all suggestions at most and of each at least; likeliest first."""

FIRST = 5
"""How many leaders are counted exactly."""

PLANNED = 6
"""With how many suggestions the bonus die is planned."""

DRAWN = 300
"""Deals drawn for each opponent: a standard error of at most 0.03."""

PLAYED_ON = 2 * WORLDS
"""In how many deals questions are played on at most."""

WITHOUT_OWN, WITH_OWN = 5, 2
"""How many suggestions are played on beside that of the likeliest cards."""

QUICK, QUICK_PLANS, QUICK_PLANNED = 30, 72, 2
"""
Where the advice must come at once: deals for each opponent, suggestions that are weighed, those
with which the bonus die is planned if there are at most three players; one if there are more.
"""


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
    ) -> None:
        if viewer is None:
            raise ArgumentError(
                "a spectator makes no suggestions: name a player as the viewer", argument="viewer"
            )
        self.observations = tuple(observations[:upto])
        turns = TurnState.of(self.observations)
        if viewer in turns.gone:
            why = "left the table" if viewer in turns.left else "accused wrongly"
            raise ArgumentError(f"{viewer} has {why} and is out of the game", argument="viewer")
        self.upto = upto
        self.rng = rng
        rng.spawn(1)  # nobody's: games are played on by the draws of the next one
        self.deduction = deduction
        self.diagram = deduction.diagram(upto)
        known = deduction.knowledge.upto(upto)
        posterior = deduction.solutions(upto)
        estimator = GainEstimator(known, self.diagram, rng, posterior=posterior, sample=sample)
        certain = self.diagram.openings.certain
        super().__init__(table, viewer, certain, estimator, left=turns.left)

    def advice(
        self,
        *,
        rooms: str | Iterable[str] | None = None,
        at: str | None = None,
        roll: int | None = None,
        dice: str | Iterable[str] | None = None,
        play: bool = False,
        full: bool = True,
        quick: bool = False,
    ) -> values.Advice:
        """
        Return what to do; arguments and errors are those of `Game.advice`.

        Where `full` is false, only what decides is worked out: not what asking on wins where
        something comes first. Where `play` is false, or `quick` is true, nothing is played on, and
        no chances to win are told; quick advice that would `play` names the question that others
        are held against.
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
        allowed = turn.suggestions()
        if quick and turn.pending:  # only the bonus die is left to be used
            allowed = {}
        first, most = (0, QUICK_PLANS) if quick else (FIRST, None)
        leading = self.leading(allowed, first=first, most=most, looks=turn.looks)
        likeliest = None
        if play and allowed and not self.table.edition.dice_choose:
            likeliest = self._likeliest(allowed, turn.looks)
            if likeliest not in (cards for cards, _ in leading):
                question = self.question(likeliest, look=room_among(likeliest, turn.looks))
                leading.append((likeliest, self.estimator.gain(question)))
        die = BonusDie(self, self.observations, turn, most=most)
        few = QUICK_PLANNED if len(self.table.seats) < 4 else 1
        ranked = self._planned(leading, allowed, die, most=few if quick else PLANNED)
        step(2)
        draws = 0 if quick and turn.pending else QUICK if quick else DRAWN
        opponents, risk = self.opponents(draws=draws) if draws else ((), 0.0)
        answers = max(FEWEST_ANSWERS, MOST_ANSWERS // max(len(ranked), 1))
        suggestions = tuple(
            self._suggested(plan, allowed[plan.cards], turn, answers=answers) for plan in ranked
        )
        step(2)
        planned = quick and bool(ranked and ranked[0].then)  # the bonus die with each suggestion
        bonus = [] if planned else sorted(die.ways(), key=lambda use: -sort_key(use[1].bits))
        now: dict[str, tuple[str, Gain]] = {}  # the best use of the bonus die, by its verb
        for use in bonus if turn.pending else ():
            now.setdefault(use[0].split()[0], use)
        posterior = self.estimator.worlds.solutions
        cards = tuple(self.cards[card] for card in posterior.cards[0].tolist())
        likely = float(posterior.probability[0])
        raised = max(_first_in_turn(turn, ranked, bonus, allowed, likely), default=None)
        ask = values.choose_suggestion(suggestions)
        win = None
        if quick and likeliest is not None:
            first_look = next(each for each in suggestions if each.cards == likeliest)
            ask = values.AskAdvice(suggestion=first_look, reason="likeliest")
        elif play and not quick and len(posterior.probability) > 1:
            suggestions, ask, win = self._by_games(
                suggestions,
                ask,
                turn,
                likeliest=likeliest,
                cards=cards,
                raised=raised,
                full=full,
            )
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
        accuse = choice.decide(cards)
        return values.Advice(
            viewer=self.viewer,
            entries=self.upto,
            bits=posterior.bits,
            suggestions=suggestions,
            left_out=len(allowed) - len(ranked),
            ask=ask,
            bonus=tuple(self._action(*use) for use in bonus),
            now=tuple(self._action(*use) for use in now.values()),
            accuse=accuse,
            opponents=opponents,
            heading=heading,
            roll=turn.rolls,
            stay=ask is not None and turn.stays(ask.cards),
            later=turn.later and not (turn.suggested and accuse.advice == "accuse"),
        )

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

    def _by_games(
        self,
        suggestions: tuple[values.RankedSuggestion, ...],
        ask: values.AskAdvice | None,
        turn: OwnTurn,
        *,
        likeliest: Cards | None,
        cards: Cards,
        raised: float | None,
        full: bool,
    ) -> tuple[
        tuple[values.RankedSuggestion, ...], values.AskAdvice | None, values.WinChances | None
    ]:
        """
        Return the suggestions, the one to make and the chances to win, by games played on.

        The chances only where accusing is weighed, or told.

        Args:
            suggestions, ask, turn: What can be asked, what would be, and when.
            likeliest: The question that others are held against; `None` where none is played on.
            cards: The accusation.
            raised: How likely it is at best after what comes first; `None` if nothing does.
            full: Whether all is told.
        """
        winning = self._winning(suggested=turn.suggested, worlds=PLAYED_ON)
        likely = float(self.estimator.worlds.solutions.probability[0])
        trusted = winning.trusted(cards, likely)
        least = 0.0 if raised is None else raised * trusted / likely  # one may accuse after that
        win = None
        if full or raised is None or raised < likely + values.LEAST_MORE:
            win = self._win_chances(winning, cards, trusted)
            win = win._replace(wait=max(win.wait, least))
        if likeliest is not None:
            same_turn = not turn.suggested
            suggestions, ask = self._played_on(
                self._to_play_on(suggestions, likeliest),
                suggestions,
                winning,
                turn,
                same_turn=trusted / likely if same_turn else 0.0,
            )
            if win is not None and ask.suggestion.win is not None:
                win = win.after(ask.suggestion, least=least)
        return suggestions, ask, win

    def _win_chances(self, winning: Winning, cards: Cards, trusted: float) -> values.WinChances:
        """Return what accusing now, of which the chance is trusted so far, and asking on win."""
        played = winning.played()
        wait = Share.of(played.won())
        step()
        likely = float(self.estimator.worlds.solutions.probability[0])
        now = winning.after_silence(cards, trusted)
        return values.WinChances(
            now=now,
            heard=None if now == trusted else trusted,
            read=likely if trusted < likely else None,
            wait=wait.share,
            error=wait.error,
            later=None if winning.suggested else Share.of(played.later().won()).share,
        )

    def _played_on(
        self,
        plans: Sequence[Cards],
        suggestions: Sequence[values.RankedSuggestion],
        winning: Winning,
        turn: OwnTurn,
        *,
        same_turn: float,
    ) -> tuple[tuple[values.RankedSuggestion, ...], values.AskAdvice]:
        """
        Return the suggestions with what asking them first wins, and the one to make.

        Args:
            plans: Which to play on, that of the likeliest cards first.
            suggestions, winning, turn: What can be asked, and when.
            same_turn: The share of a chance that accusing in the same turn wins; 0 if one may not.
        """
        told = {suggestion.cards: suggestion for suggestion in suggestions}
        least = {cards: told[cards].best_after * same_turn for cards in plans}
        played = winning.asking(
            {cards: told[cards].reach for cards in plans},
            looks={cards: room for cards in plans if (room := room_among(cards, turn.looks))},
        )
        for cards, (share, error) in played.chances.items():
            sure = share < least[cards]
            told[cards] = replace(
                told[cards],
                win=rounded(least[cards] if sure else share),
                win_error=0.0 if sure else error,
            )
        likeliest, *others = (told[cards] for cards in plans)
        ask = values.choose_by_winning(likeliest, others, played.better)
        inside = self.diagram.marginals()[:, self.numbers.layout.envelope]
        chances = tuple(
            float(inside[self.place[card]]) if card in self.place else 0.0 for card in ask.cards
        )
        return tuple(told.values()), replace(ask, chances=chances)

    def _likeliest(self, reach: Mapping[Cards, float], looks: Sequence[str]) -> Cards:
        """
        Return the question of the likeliest cards: of those surest to be made that tell something.

        Others are held against it, so whatever estimates it, it is the same one.
        """
        inside = self.diagram.marginals()[:, self.numbers.layout.envelope]

        def promise(cards: Cards) -> tuple[float, float]:
            known = sum(float(inside[self.place[card]]) for card in cards if card in self.place)
            return -sort_key(reach[cards]), -sort_key(known)

        plans = sorted(reach, key=promise)
        for cards in plans:
            question = self.question(cards, look=room_among(cards, looks))
            gain = self.estimator.gain(question)
            if abs(gain.bits * reach[cards] - values.LEAST_GAIN) < 4 * gain.error:
                gain = self.estimator.exact(question)
            if gain.bits * reach[cards] >= values.LEAST_GAIN:
                return cards
        return plans[0]

    def _to_play_on(
        self, suggestions: Sequence[values.RankedSuggestion], likeliest: Cards
    ) -> list[Cards]:
        """Return which to play on: the likeliest cards, and those that tell or settle more."""
        suggestions = values.useful(suggestions)
        most = max(suggestion.reach for suggestion in suggestions)
        able = [suggestion for suggestion in suggestions if suggestion.reach >= most]
        candidates = [
            _Candidate(
                suggestion.cards, suggestion.gain + 3 * suggestion.settles, bool(suggestion.own)
            )
            for suggestion in able
        ]
        surest = max(able, key=lambda suggestion: sort_key(suggestion.best_after))
        telling = max(suggestions, key=lambda suggestion: sort_key(suggestion.worth))
        settling = max(
            suggestions,
            key=lambda plan: sort_key(plan.reach * (plan.best_after - surest.best_after)),
        )
        chosen = _candidates(likeliest, candidates)
        return list(dict.fromkeys([*chosen, surest.cards, telling.cards, settling.cards]))

    def opponents(self, *, draws: int = DRAWN) -> tuple[tuple[values.Opponent, ...], float]:
        """Return how likely every other seat can already name the solution, and any of them."""
        deals = self.diagram.draw(draws, self.rng)
        return position.opponents_know(
            self.table, self.observations, viewer=self.viewer, deals=deals, rng=self.rng
        )

    def accuses(self, cards: Cards, chance: float) -> bool:
        """Return whether to accuse cards of a chance now rather than wait, as `advice` has it."""
        waiting = self._waiting(cards, chance)
        win = values.WinChances(now=chance * waiting.left, wait=waiting.wins, error=0.0)
        certain = chance > 0.0 and len(self.estimator.worlds.solutions.probability) == 1
        choice = values.AccuseOrWait(
            now=chance, certain=certain, first=chance + waiting.more, risk=0.0, win=win
        )
        return choice.decide(()).advice == "accuse"

    def _waiting(self, cards: Cards, chance: float) -> Waiting:
        turn = OwnTurn(self.table, self.observations, viewer=self.viewer)
        ranked: list[PlannedSuggestion] = []
        reach: dict[Cards, float] = {}
        if not turn.suggested:
            reach = turn.suggestions()
            leading = self.leading(reach, first=0, most=QUICK_PLANS)
            ranked = [PlannedSuggestion(*plan) for plan in leading]
        now = float(self.estimator.worlds.solutions.probability.max())
        more = max(_first_in_turn(turn, ranked, (), reach, now), default=now) - now
        if more >= values.LEAST_MORE:  # then what waiting wins is not asked
            return Waiting(more, 1.0, 1.0)
        winning = self._winning(suggested=turn.suggested)
        left = winning.now(cards, chance) / chance
        return Waiting(max(more, 0.0), winning.wait().share, left)

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
        *,
        answers: int,
    ) -> values.RankedSuggestion:
        """Return a suggestion with its likeliest answers, so many at most."""
        cards, gain = plan.cards, plan.gain
        question = self.question(cards)
        shown, chances = self.estimator.answers(question, gain)
        left = chances[answers:].sum()
        bits, error, settles, best_after, unlisted = rounded(
            [gain.bits, gain.error, gain.settles, gain.best_after, left]
        )
        named = [
            tuple(values.ShownCard._make((self.holders[h], self.cards[c])) for h, c in cards_shown)
            for cards_shown in shown[:answers]
        ]
        return values.RankedSuggestion(
            cards=cards,
            gain=bits,
            error=error,
            settles=settles,
            best_after=best_after,
            reach=reach,
            own=sum(card in self.own for card in cards),
            look=room_among(cards, turn.looks),
            then=tuple(self._action(*use) for use in plan.then),
            answers=tuple(
                values.AnswerChance(shows=shows, probability=chance)
                for shows, chance in zip(named, rounded(chances[:answers]), strict=True)
            ),
            unlisted=unlisted,
        )

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


class _Candidate(NamedTuple):
    """A question that may be played on: its bits and three times its chance to settle the case."""

    cards: Cards
    worth: float
    own: bool


def _candidates(likeliest: Cards, among: Sequence[_Candidate]) -> list[Cards]:
    """Return the question of the likeliest cards, and the best others with and without own ones."""
    ranked = sorted(among, key=lambda candidate: -sort_key(candidate.worth))
    others = [candidate for candidate in ranked if candidate.cards != likeliest]
    plain = [candidate.cards for candidate in others if not candidate.own]
    own = [candidate.cards for candidate in others if candidate.own]
    return [likeliest, *plain[:WITHOUT_OWN], *own[:WITH_OWN]]


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
    elif not turn.suggested:
        for plan in ranked:
            yield reach[plan.cards] * plan.best_after + (1.0 - reach[plan.cards]) * now
