"""
Weighs what can be done in a player's own turn, the current or the next one, and gives the advice.

`own_turn` says what may be done, `questions` how much questions tell, `winning` how likely it is to
win. The advice follows the order of a turn: if the solution is certain, accuse; if the bonus die
comes next, use it; a suggestion comes before an accusation, since the player may accuse after it in
the same turn; then accusing is compared with continuing to ask.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from clue_solver.answers.advice import (
    CLEARLY,
    LEAST_CHANCE,
    LEAST_GAIN,
    ON_A_BOARD,
    AccuseAdvice,
    Advice,
    AnswerChance,
    BonusUse,
    FollowUp,
    RankedSuggestion,
    RoomAdvice,
    ShownCard,
)
from clue_solver.answers.known import KnownGame
from clue_solver.answers.own_turn import Cards, OwnTurn, roll_from
from clue_solver.answers.questions import MOST_PLANS, Questions
from clue_solver.answers.winning import WORLDS, Winning
from clue_solver.errors import TooLarge
from clue_solver.inference.gains import Gain
from clue_solver.inference.rounding import rounded, sort_key
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.notation.canonical import format_line
from clue_solver.rules.observations import Answer, Roll, Suggestion
from clue_solver.rules.turns import TurnState

TELLS_MORE = 1.5
"""
How many times as much another question must tell to be preferred to the one that is surest to be
possible.

In 655 positions on boards this wins 0.6 ± 0.3 percentage points more games than always asking the
surest (docs/decisions.md).
"""

QUICK_SAMPLE, QUICK_PLANS, QUICK_WORLDS = 300, 36, 200
"""
For quick advice: how many deals are drawn, how many suggestions are weighed, and in how many deals
games are simulated. These are too few to tell questions apart, so quick advice asks for the
likeliest cards.
"""

FIRST = 5
"""How many of the best suggestions are computed exactly."""

WITHOUT_OWN, WITH_OWN = 5, 2
"""
How many suggestions without and with the player's own cards are simulated, besides that of the
likeliest cards.
"""

MOST_ANSWERS = 100
"""The most answers to a suggestion in the advice, the likeliest first."""

REPLIES = 3
"""For how many answers the advice says what to do next, apart from "nobody shows"."""


def build_advice(
    known: KnownGame,
    *,
    rooms: str | Iterable[str] | None = None,
    at: str | None = None,
    roll: int | str | Iterable[str] | None = None,
    seed: int = 0,
    quick: bool = False,
    brief: bool = False,
    ranked: bool = True,
) -> Advice:
    """
    Return the advice for the table's viewer.

    Args:
        known: The game so far, as the viewer knows it.
        rooms, at, roll, seed, quick, brief: As in `Game.advice`.
        ranked: Whether to rank all suggestions; otherwise only the advised one is given.

    Raises:
        NotationError, ArgumentError, Contradiction, TooLarge: As in `Game.advice`.
    """
    table, log, deduction = known
    viewer = table.viewer
    turns = TurnState.of(log)
    posterior = known.solutions
    cards = tuple(table.cards[card] for card in posterior.cards[0].tolist())
    certain = len(posterior.probability) == 1
    accuse = AccuseAdvice(cards=cards, probability=float(posterior.probability[0]), certain=certain)
    advice = Advice(
        viewer=viewer,
        kind="solution",
        bits=posterior.bits,
        accuse=accuse,
        quick=quick,
        habits=bool(deduction.knowledge.behaviour) and not deduction.leaves_out(known.upto),
        edition=table.edition,
    )

    # Nothing is weighed for a viewer that cannot accuse any more, or if the solution is certain.
    if viewer in turns.out and not certain and turns.winner is None:
        return replace(advice, kind="opened")
    if viewer is None or viewer in turns.gone:
        return advice if turns.winner is None else replace(advice, kind="over")
    rolled = None if roll is None else roll_from(table, viewer, roll)
    turn = OwnTurn(table, log, viewer, rooms=rooms, at=at, roll=rolled)
    if turns.winner is not None:
        return replace(advice, kind="over")
    barred = turn.barred(cards)
    margin = CLEARLY if turn.play.rules.board is None else ON_A_BOARD
    accuse = replace(accuse, after=turn.after, margin=margin)
    advice = replace(advice, accuse=accuse, later=turn.later, roll=turn.must_roll)
    if certain and barred:
        return replace(advice, kind="barred")
    if certain:
        return _to_accuse(advice, turn)

    # The bonus die if it comes next; else what to ask; then whether to accuse instead.
    weighing = _Weighing(known, turn, seed=seed, quick=quick)
    accuse = weighing.winning.best(accuse, posterior)
    advice = weighing.use(replace(advice, accuse=accuse))
    if brief and turn.asked and (accuse.win_now or 0.0) <= margin:  # not even if asking never won
        return advice if advice.kind == "use" else replace(advice, kind="wait")
    if advice.kind != "use":
        advice = weighing.add_suggestion(advice, ranked=ranked)
        advice = weighing.accuse_or_wait(advice, barred=barred)
    if quick or brief:
        return advice

    # How close the others are, and what to do after the likeliest answers.
    advice = replace(advice, opponents=tuple(weighing.winning.rivals()))
    if advice.kind != "ask" or advice.ask is None or advice.ask.look is not None:
        return advice
    return replace(advice, replies=tuple(weighing.replies(advice.ask, rolled)))


def _to_accuse(advice: Advice, turn: OwnTurn) -> Advice:
    """Return the advice changed to accusing: in this turn, or in the viewer's next one."""
    accuse = replace(advice.accuse, advice="accuse")
    later = turn.later and not turn.asked
    return replace(advice, kind="accuse", accuse=accuse, later=later)


class _Weighing:
    """
    Compares what can be done in a turn, and step by step adds the results to an advice.

    Args:
        known: The game so far, as the viewer knows it.
        turn: The viewer's turn.
        seed: The seed of the random deals and of the simulated games.
        quick: Whether to draw and simulate fewer of them.
    """

    def __init__(self, known: KnownGame, turn: OwnTurn, *, seed: int, quick: bool) -> None:
        self.known = known
        self.turn = turn
        self.quick = quick
        drawing, playing = np.random.default_rng(seed).spawn(2)
        self.questions = Questions(known, drawing, sample=QUICK_SAMPLE if quick else None)
        self.winning = Winning(known, asked=turn.asked, rng=playing)
        marginals = self.winning.rollouts.marginals  # the others' suggestions are evidence, too
        inside = marginals[:, self.questions.numbers.layout.envelope].tolist()
        self._inside = self.questions.inside | dict(zip(known.table.cards, inside, strict=True))
        self._reach = {} if turn.pending else turn.suggestions()

    def use(self, advice: Advice) -> Advice:
        """
        Return the advice changed to using the bonus die, if it comes next and tells something.
        """
        uses: list[BonusUse] = []
        for use in self.turn.play.extras() if self.turn.pending else ():
            gain = self.questions.gain_of_use(use)
            if gain.bits >= LEAST_GAIN:
                action = format_line(use, self.known.table)
                bits, error = rounded([gain.bits, gain.error])
                uses.append(BonusUse(use=use, action=action, gain=bits, error=error))
        if not uses:
            return advice
        uses.sort(key=lambda use: -sort_key(use.gain))
        return replace(advice, kind="use", uses=tuple(uses), later=False)

    def add_suggestion(self, advice: Advice, *, ranked: bool) -> Advice:
        """
        Return the advice with the suggestion to make, or with the room to go to if none tells
        anything.

        Args:
            advice: The advice so far.
            ranked: Whether to add the ranking of all suggestions.
        """
        advice = replace(advice, askable=bool(self._reach))
        if ranked:
            suggestions = self._suggestions()
            left_out = len(self._reach) - len(suggestions)
            advice = replace(advice, suggestions=suggestions, left_out=left_out)
        likeliest = self._likeliest()
        if likeliest is None:
            heading = None if self.turn.pending else self._heading()
            if heading is None:
                return replace(advice, kind="wait")
            later = advice.later or self.turn.asked or self.turn.play.moved(self.turn.viewer)
            return replace(advice, kind="go", heading=heading, later=later)
        gain = self.questions.gain(likeliest, look=self.turn.look(likeliest))
        ask = self._suggestion(likeliest, gain)
        advice = replace(advice, kind="ask", ask=ask)
        if not self.quick:
            advice = self._simulate(advice, ask)
        assert advice.ask is not None
        asked = advice.ask.cards
        rooms = {card for cards in self._reach for card in cards} & {*self.turn.rooms}
        return replace(
            advice,
            stay=self.turn.can_suggest_in_place(asked),
            by_sheet=self.questions.inside,
            in_envelope=self.questions.proved,
            by_questions=self._inside,
            only=rooms.pop() if len(rooms) == 1 else None,
        )

    def accuse_or_wait(self, advice: Advice, *, barred: bool) -> Advice:
        """
        Return the advice changed to accusing, if nothing can be asked first and accusing wins more.

        `barred` says that the player may not accuse in this turn.
        """
        accuse, asked = advice.accuse, advice.ask
        now = accuse.win_now or 0.0
        if asked is not None and asked.win is not None:
            accuse = replace(accuse, win_wait=asked.win, win_error=asked.win_error)
        elif not self.quick or (now >= LEAST_CHANCE and self._nothing_to_ask(advice)):
            wait = self.winning.wait(most=QUICK_WORLDS if self.quick else WORLDS)
            accuse = replace(accuse, win_wait=rounded(wait.value), win_error=rounded(wait.error))
        advice = replace(advice, accuse=accuse)
        if self._nothing_to_ask(advice) and accuse.better(now) and not barred:
            return _to_accuse(advice, self.turn)
        return advice

    def _nothing_to_ask(self, advice: Advice) -> bool:
        """Return whether nothing can be asked in this turn before accusing."""
        return self.turn.asked or advice.ask is None

    def _suggestions(self) -> tuple[RankedSuggestion, ...]:
        """
        Return the best suggestions, ranked by gain (in bits) times reach (the chance to make them).
        """
        first, most = (0, QUICK_PLANS) if self.quick else (FIRST, MOST_PLANS)
        ranked = self.questions.rank(self._reach, self.turn.look, first=first, most=most)
        return tuple(self._suggestion(cards, gain) for cards, gain in ranked)

    def _suggestion(self, cards: Cards, gain: Gain) -> RankedSuggestion:
        """Return a suggestion as the advice has it, given its cards and its gain."""
        bits, error, settles, best_after = rounded(
            [gain.bits, gain.error, gain.settles, gain.best_after]
        )
        return RankedSuggestion(
            cards=cards,
            gain=bits,
            error=error,
            settles=settles,
            best_after=best_after,
            reach=self._reach[cards],
            own=len(self.questions.own.intersection(cards)),
            look=self.turn.look(cards),
            answers=tuple(
                AnswerChance(shows=tuple(map(ShownCard._make, shown)), probability=chance)
                for shown, chance in self.questions.answers(cards, gain, most=MOST_ANSWERS)
            ),
        )

    def _likeliest(self) -> Cards | None:
        """
        Return the suggestion of the likeliest cards that tells something; `None` if none does.

        If the likeliest cards differ with the chance that a suggestion is possible, it is the
        surest to be possible, unless a less sure one tells clearly more (`TELLS_MORE`). Other
        suggestions are compared with it.
        """
        reach = self._reach

        # For each chance to be possible: the likeliest cards, and how much asking for them tells.
        best: dict[float, tuple[Cards, float]] = {}
        for cards in sorted(reach, key=self._promise, reverse=True):
            if reach[cards] in best:
                continue
            look = self.turn.look(cards)
            gain = self.questions.gain(cards, look=look)
            if abs(gain.bits * reach[cards] - LEAST_GAIN) < 4 * gain.error:
                gain = self.questions.gain(cards, look=look, exactly=True)
            if gain.bits * reach[cards] >= LEAST_GAIN:
                best[reach[cards]] = cards, gain.bits * reach[cards]

        # Of these, the surest to be possible that no other clearly surpasses.
        most_bits = max((bits for _, bits in best.values()), default=0.0)
        for _, (cards, bits) in sorted(best.items(), reverse=True):
            if bits * TELLS_MORE >= most_bits:
                return cards
        return None

    def _promise(self, cards: Cards) -> float:
        """
        Return how many of these cards are expected to be in the envelope: the sum of their chances.
        """
        return float(sort_key(sum(self._inside[card] for card in cards)))

    def _simulate(self, advice: Advice, ask: RankedSuggestion) -> Advice:
        """
        Return the advice with chances to win from simulated games, and with the suggestion to make.

        That is `ask`, which names the likeliest cards, unless another suggestion clearly wins more
        often in the same simulated games. If the player may accuse after the answer, a chance to
        win is at least the chance that this accusation is right.
        """
        likeliest = ask.cards
        rated = {suggestion.cards: suggestion for suggestion in advice.suggestions}
        rated.setdefault(likeliest, ask)
        telling = (one for one in rated.values() if one.worth >= LEAST_GAIN)
        plans = _candidates(likeliest, [*telling, rated[likeliest]])
        played = self.winning.race(
            {cards: rated[cards].reach for cards in plans},
            looks={cards: look for cards in plans if (look := rated[cards].look)},
        )
        right_after = {each: 0.0 if self.turn.asked else rated[each].best_after for each in plans}
        for cards, (win, error) in played.chances.items():
            rated[cards] = replace(
                rated[cards], win=rounded(max(win, right_after[cards])), win_error=rounded(error)
            )

        # How much more each clearly better suggestion wins if its room is reached.
        first = rated[likeliest]
        advantage = {cards: by.value for cards, by in played.better.items()}
        for cards in plans:
            by = right_after[cards] - (first.win or 0.0)
            if by > max(advantage.get(cards, 0.0), 2 * (first.win_error or 0.0)):
                advantage[cards] = by
        most_reach = max(rated[cards].reach for cards in plans)
        in_reach = [by for cards, by in advantage.items() if rated[cards].reach >= most_reach]
        instead = max(in_reach, default=0.0)  # if another must be made because of the room

        def expected(cards: Cards) -> float:
            """
            Return by how much a suggestion wins more often than `ask`, on average.

            Where its room is not reached, another suggestion is made.
            """
            share = rated[cards].reach / most_reach
            return instead + share * (advantage[cards] - instead)

        chosen = max(advantage, key=lambda cards: sort_key(expected(cards)), default=likeliest)
        return replace(
            advice,
            suggestions=tuple(rated.values()),
            ask=rated[chosen],
            beaten=self._promise(chosen) < self._promise(likeliest),
        )

    def _heading(self) -> RoomAdvice | None:
        """
        Return the room to go to: the one where a suggestion tells most for the distance.

        `None` if no suggestion in any room tells anything.
        """
        turn = self.turn
        everywhere = turn.suggestions(dict.fromkeys(turn.rooms, 1.0))
        best: dict[str, float] = {}
        for cards, gain in self.questions.rank(everywhere, turn.look, first=FIRST):
            for room in turn.rooms.keys() & {*cards}:
                if room != turn.place:
                    best[room] = max(best.get(room, 0.0), gain.bits)
        if max(best.values(), default=0.0) < LEAST_GAIN:
            return None
        room = max(best, key=lambda room: sort_key(best[room] / turn.distance_to(room)[1]))
        return RoomAdvice(
            room=room,
            gain=rounded(best[room]),
            steps=turn.distance_to(room)[0],
            look=room in turn.play.unlooked,
        )

    def replies(self, asked: RankedSuggestion, rolled: Roll | None) -> list[FollowUp]:
        """
        Return what to do after each of the likeliest answers to a suggestion, and if nobody shows.

        What to do is quick advice.

        Args:
            asked: The suggestion.
            rolled: The roll of this turn if the log does not have it yet, else `None`.
        """
        table, log, deduction = self.known
        viewer, found = self.turn.viewer, list[FollowUp]()
        left = TurnState.of(log).left
        log = log if rolled is None else (*log, rolled)
        for place, answer in enumerate(asked.answers):
            if place >= REPLIES and answer.shows:
                continue
            shown: Mapping[str, str] = dict(answer.shows)
            answers = tuple(
                Answer(
                    seat=seat, answer="shows" if seat in shown else "passes", card=shown.get(seat)
                )
                for seat in table.asked(viewer, shown, left=left)
            )
            then_log = (*log, Suggestion(by=viewer, cards=asked.cards, answers=answers))
            try:
                knowledge = knowledge_of(table, then_log, viewer=viewer)
                known = KnownGame(table, then_log, deduction.hand_over(knowledge))
                then = build_advice(known, quick=True, ranked=False)
            except TooLarge:
                break
            found.append(FollowUp(shows=answer.shows, probability=answer.probability, then=then))
        return found


def _candidates(likeliest: Cards, among: Sequence[RankedSuggestion]) -> list[Cards]:
    """
    Return the suggestions to simulate: the likeliest cards, and those of `among` that tell most.

    `among` has the suggestion of the likeliest cards, too. What a suggestion tells is here its gain
    in bits, and three bits more for a sure chance to settle the solution.
    """
    most = max(each.reach for each in among)
    able = sorted(
        (each for each in among if each.reach >= most and each.cards != likeliest),
        key=lambda each: -sort_key(each.gain + 3 * each.settles),
    )
    plain = [each.cards for each in able if not each.own]
    own = [each.cards for each in able if each.own]
    surest = max(among, key=lambda each: sort_key(each.reach * each.best_after))
    telling = max(among, key=lambda each: sort_key(each.worth))
    chosen = (likeliest, *plain[:WITHOUT_OWN], *own[:WITH_OWN], surest.cards, telling.cards)
    return list(dict.fromkeys(chosen))
