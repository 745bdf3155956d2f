"""
Advice: whether to accuse, what to ask, how to use the bonus die, who is close.

One verdict for a player's own turn, this one or its next. What may be done is `own_turn`, what
questions tell `questions`, what asking on wins `winning`. In the order of a turn: what is certain
is accused; the bonus die is used where it comes next; what can still be asked is asked first, since
one may accuse after it in the same turn; then accusing is held against asking on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

import numpy as np
from msgspec.structs import replace

from clue_solver.answers.display import AnswerValue, ShownValue, Written, draw
from clue_solver.answers.own_turn import Cards, OwnTurn
from clue_solver.answers.questions import Questions
from clue_solver.answers.winning import WORLDS, Winning
from clue_solver.errors import TooLarge
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.gains import Gain
from clue_solver.inference.rounding import ROUNDING, rounded, sort_key
from clue_solver.inference.spending import expect, step
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.notation import format_line
from clue_solver.rules.observations import Answer, Observation, Suggestion
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState

if TYPE_CHECKING:
    from pandas import DataFrame

CLEARLY, ON_A_BOARD = 0.25, 0.1
"""
By how much accusing must win more than asking on: a wrong accusation is final, and waiting for so
much wins as often, with a third fewer wrong ones; on a board, where turns are lost on the way, it
costs games (docs/mathematics.md).
"""

ALMOST = 1.0 - 2 * ROUNDING
"""The most that is said of what is not proved."""

LEAST_GAIN = 0.005
"""Bits below which nothing is gained, as far as it is seen."""

TELLS_MORE = 1.5
"""
How many times as much as the surest question one has to tell that the dice may forbid: in 655
positions on boards that wins 0.6 ± 0.3 points more than what is surest (docs/mathematics.md).
"""

LEAST_CHANCE = 0.15
"""The chance of being right below which accusing is not thought of where there is little time."""

QUICK_SAMPLE, QUICK_PLANS, QUICK_WORLDS = 300, 36, 200
"""
Where the advice must come at once: deals drawn, suggestions weighed, and deals played on, which are
too few to tell questions apart; so the likeliest cards are asked for.
"""

FIRST = 5
"""How many of the suggestions that tell most are counted exactly."""

WITHOUT_OWN, WITH_OWN = 5, 2
"""How many suggestions are played on beside that of the likeliest cards."""

MOST_ANSWERS = 100
"""How many answers to a suggestion are told at most, the likeliest first."""

REPLIES = 3
"""After how many answers it is told what to do then, besides where nobody shows."""

_STEPS = 10
"""The steps of closer advice: one to know, two to rank, four to play on, three to look ahead."""

Kind = Literal["accuse", "barred", "ask", "use", "go", "wait", "solution", "over", "opened"]
"""
What one is told to do, or why nothing: to `accuse`, to `ask`, to `use` the bonus die, to `go` to a
room, or none of these yet (`wait`); who may not accuse, standing in no room, is `barred`; who makes
no accusation at all is told the `solution`, in a game that is `over` as well, or, having `opened`
the envelope, nothing.
"""


class ShownCard(NamedTuple):
    """
    A card that is shown.

    Attributes:
        seat: Who shows.
        card: What.
    """

    seat: str
    card: str


class AnswerChance(AnswerValue, frozen=True, kw_only=True):
    """
    One way to be answered and its probability.

    Attributes:
        shows: Who shows which card, in the order of answering; empty where nobody shows.
        probability: How likely it is.
    """

    shows: tuple[ShownCard, ...]
    probability: float


class BonusUse(AnswerValue, frozen=True, kw_only=True):
    """
    A use of the bonus die.

    Attributes:
        use: What to do, as an observation of which nothing is seen yet.
        action: The same, as its line begins.
        gain, error: As of a suggestion.
    """

    use: Observation
    action: str
    gain: float
    error: float

    written: ClassVar[Written] = Written(without=("use",))


class RankedSuggestion(AnswerValue, frozen=True, kw_only=True):
    """
    A suggestion that could be made.

    Attributes:
        cards: What it names, in category order.
        gain: The expected information about the solution, in bits; with that of the look, if any.
        error: The standard error of the gain; 0 where it is exact.
        settles: The probability that the answer settles the solution.
        best_after: The expected probability of the best accusation after the answer.
        reach: The chance to be in the room, 1 without a board.
        own: How many cards of the viewer's own hand it names.
        look: The face-down card at which the viewer looks first, by the name of its place.
        win, win_error: The chance to win for who asks this first, by games played on, and its
            standard error; `None` where none were played.
        answers: The distribution over answers, likeliest first.

    >>> from clue_solver import load
    >>> first = load("examples/diced.clue").advice(upto=9).suggestions[0]
    >>> first.cards, round(first.gain, 2), first.error  # exact
    (('Brains Mustard', 'Brawn Mustard'), 1.07, 0.0)
    """

    cards: Cards
    gain: float
    error: float
    settles: float
    best_after: float
    reach: float
    own: int = 0
    look: str | None = None
    win: float | None = None
    win_error: float | None = None
    answers: tuple[AnswerChance, ...]

    written: ClassVar[Written] = Written(sparse=("look", "win", "win_error"))

    @property
    def worth(self) -> float:
        """What suggestions are ranked by: the bits times the reach."""
        return self.gain * self.reach


class AccuseAdvice(AnswerValue, frozen=True, kw_only=True):
    """
    The best accusation, how likely it is right, and whether to make it in this turn.

    Attributes:
        cards: The accusation.
        probability: How likely it is right, as a report has it; 1 only where it is proved.
        certain: Whether it is proved.
        advice: Whether to make it, in the turn that is advised.
        after: What the rules want done before it in the turn, by the verbs of lines.
        win_now: How likely it is right by what the others asked for and did not accuse as well;
            `None` where nothing is weighed.
        win_wait, win_error: The chance to win by asking on, by games played on, and its standard
            error; `None` where none were played.
        margin: By how much accusing must win more than that.

    >>> from clue_solver import load
    >>> accuse = load("examples/classic.clue").advice(upto=17).accuse
    >>> accuse.cards, accuse.advice, accuse.certain
    (('Green', 'Rope', 'Library'), 'accuse', True)
    """

    cards: Cards
    probability: float
    certain: bool
    advice: Literal["wait", "accuse"] = "wait"
    after: tuple[str, ...] = ()
    win_now: float | None = None
    win_wait: float | None = None
    win_error: float | None = None
    margin: float = CLEARLY

    written: ClassVar[Written] = Written(
        without=("after", "margin"), sparse=("win_now", "win_wait", "win_error")
    )

    def better(self, chance: float) -> bool:
        """Return whether to make an accusation that is right with this chance, not to ask on."""
        return self.win_wait is not None and chance > self.win_wait + self.margin


class Opponent(AnswerValue, frozen=True, kw_only=True):
    """
    Another seat, and how close it is.

    Attributes:
        seat: The seat.
        knows, error: The probability that it can already name the solution, and its standard error.
        out: Whether it has accused wrongly: it has seen the solution, and cannot win.

    >>> from clue_solver import load
    >>> dan = load("examples/evening.clue").advice(upto=17).opponents[-1]
    >>> dan.seat, dan.out
    ('Dan', True)
    """

    seat: str
    knows: float
    error: float
    out: bool = False

    written: ClassVar[Written] = Written(without=("out",))


class RoomAdvice(AnswerValue, frozen=True, kw_only=True):
    """
    The room to head for, where nothing in reach gains anything.

    Attributes:
        room: Which one.
        gain: The bits that asking there would bring, with the look at its card, if any.
        steps: How far it is on foot, 0 by a passage; `None` where that is not known.
        look: Whether its face-down card is looked at first.

    >>> RoomAdvice(room="Hall", gain=0.5, steps=3).to_dict()
    {'room': 'Hall', 'gain': 0.5, 'steps': 3}
    """

    room: str
    gain: float
    steps: int | None
    look: bool = False

    written: ClassVar[Written] = Written(sparse=("look",))


class FollowUp(AnswerValue, frozen=True, kw_only=True):
    """
    An answer that the advised question may get, and what to do then.

    Attributes:
        shows, probability: As of `AnswerChance`.
        then: The quick advice after it.
        kind, cards: What that is to do, and the cards to ask for or to accuse.
    """

    shows: tuple[ShownCard, ...]
    probability: float
    then: Advice

    written: ClassVar[Written] = Written(also=("kind", "cards"), without=("then",))

    @property
    def kind(self) -> Kind:
        """What is to be done then."""
        return self.then.kind

    @property
    def cards(self) -> Cards:
        """What is to be named then."""
        return self.then.cards


class Advice(ShownValue, frozen=True, kw_only=True):
    """
    What one viewer had best do.

    Attributes:
        viewer: The seat that is advised; `None` for a spectator.
        entries: How many entries count.
        kind: What it is told to do.
        bits: The entropy of its posterior over solutions.
        suggestions: The suggestions that can be made, in order of gain times reach.
        accuse: The best accusation.
        opponents: The other seats, in table order; none where no games were played on.
        ask: The suggestion to make, in this turn or the next; `None` where none tells anything.
        beaten: The likeliest cards, where that one clearly wins more than they do.
        uses: The uses of the bonus die where it comes next, the best first.
        heading: The room to head for, where nothing in reach gains anything.
        replies: The likeliest answers to what is advised, and what to do after each.
        roll: Whether the dice have to be rolled first.
        stay: Whether it is asked where the viewer stands, so that it stays.
        later: Whether it is another's turn now.
        quick: Whether it is quick advice, of fewer deals.
        habits: Whether the chances go by what people usually do, so that a bluff misleads.
        left_out: How many suggestions were not weighed, because there are too many; those that were
            name the most open cards.
        partial: Whether the log holds more than the viewer may know.

    >>> from clue_solver import load
    >>> game = load("examples/evening.clue")
    >>> advice = game.advice(upto=21, viewer="Ann")
    >>> advice.kind, advice.cards
    ('accuse', ('Green', 'Wrench', 'Kitchen'))
    >>> game.advice(upto=9, quick=True).kind
    'ask'
    """

    viewer: str | None
    entries: int
    kind: Kind
    bits: float
    suggestions: tuple[RankedSuggestion, ...] = ()
    accuse: AccuseAdvice
    opponents: tuple[Opponent, ...] = ()
    ask: RankedSuggestion | None = None
    beaten: Cards = ()
    uses: tuple[BonusUse, ...] = ()
    heading: RoomAdvice | None = None
    replies: tuple[FollowUp, ...] = ()
    roll: bool = False
    stay: bool = False
    later: bool = False
    quick: bool = False
    habits: bool = False
    left_out: int = 0
    partial: bool = False

    written: ClassVar[Written] = Written(
        schema=1,
        also=("text",),
        without=("entries", "beaten", "roll", "stay", "later", "quick", "habits", "partial"),
        sparse=("ask", "uses", "heading", "replies", "left_out"),
    )

    @property
    def certain(self) -> bool:
        """Whether the solution is proved, so that there is nothing to weigh."""
        return self.accuse.certain

    @property
    def final(self) -> bool:
        """Whether nothing is weighed that a closer look could tell better."""
        return not self.quick or self.certain or self.kind in ("solution", "over", "opened")

    @property
    def cards(self) -> Cards:
        """The cards to ask for, where that is advised; else the best accusation."""
        return self.ask.cards if self.kind == "ask" and self.ask else self.accuse.cards

    @property
    def text(self) -> str:
        """What to do, as a line such as `Suggest Mustard, Knife, Study.`"""
        return str(draw(self, "sentence"))

    @property
    def rival(self) -> Opponent | None:
        """The opponent who is likeliest to know the solution, where it is likelier than not you."""
        still = [opponent for opponent in self.opponents if not opponent.out]
        return max(still, key=lambda opponent: sort_key(opponent.knows), default=None)

    @property
    def choices(self) -> tuple[RankedSuggestion, ...]:
        """
        The suggestions in the order of the verdict: that to make, then by the chance to win.

        Those that no games were played on for come last, in order of gain times reach.
        """
        chosen = None if self.ask is None else self.ask.cards

        def order(suggestion: RankedSuggestion) -> tuple[bool, float]:
            win = -1.0 if suggestion.win is None else suggestion.win
            return suggestion.cards != chosen, -sort_key(win)

        return tuple(sorted(self.suggestions, key=order))

    def top(self, most: int) -> Advice:
        """Return the advice with so many suggestions at most."""
        return replace(self, suggestions=self.suggestions[:most])

    def to_frame(self) -> DataFrame:
        """Return the suggestions as a pandas table."""
        frame: DataFrame = draw(self, "frame")
        return frame


def advise(
    table: Table,
    observations: Sequence[Observation],
    deduction: Deduction,
    *,
    rooms: str | Iterable[str] | None = None,
    at: str | None = None,
    roll: int | None = None,
    dice: str | Iterable[str] | None = None,
    seed: int = 0,
    quick: bool = False,
) -> Advice:
    """
    Return what the table's viewer had best do; arguments and errors are those of `Game.advice`.

    Args:
        table, observations: The game so far.
        deduction: What follows from these entries for the viewer, or from more of them.
    """
    if not quick:
        expect(_STEPS)
        step()
    viewer, upto = table.viewer, len(observations)
    turns = TurnState.of(observations)
    posterior = deduction.solutions(upto)
    cards = tuple(table.cards[card] for card in posterior.cards[0].tolist())
    certain = _is_proved(deduction, upto)
    chance = 1.0 if certain else min(float(posterior.probability[0]), ALMOST)
    accuse = AccuseAdvice(cards=cards, probability=chance, certain=certain)
    advice = Advice(
        viewer=viewer,
        entries=upto,
        kind="solution",
        bits=posterior.bits,
        accuse=accuse,
        quick=quick,
        habits=bool(deduction.knowledge.habits) and not deduction.leaves_out(upto),
    )

    # Who makes no accusation any more, and what is certain, need no weighing.
    if viewer in turns.out and not certain and turns.winner is None:
        return replace(advice, kind="opened")
    if viewer is None or viewer in turns.gone:
        return advice if turns.winner is None else replace(advice, kind="over")
    turn = OwnTurn(table, observations, viewer, rooms=rooms, at=at, roll=roll, dice=dice)
    if turns.winner is not None:
        return replace(advice, kind="over")
    barred = turn.barred(cards)
    margin = CLEARLY if turn.play.rules.board is None else ON_A_BOARD
    accuse = replace(accuse, after=turn.after, margin=margin)
    advice = replace(advice, accuse=accuse, later=turn.later, roll=turn.rolls)
    if certain and barred:
        return replace(advice, kind="barred")
    if certain:
        return _made(advice, turn)

    # The bonus die where it comes next; else what can be asked; then whether to accuse instead.
    weighing = _Weighing(table, observations, deduction, turn, seed=seed, quick=quick)
    advice = weighing.use(replace(advice, accuse=weighing.best(accuse)))
    if advice.kind != "use":
        advice = weighing.ask(advice)
    advice = replace(advice, opponents=weighing.opponents())
    if advice.kind != "use":
        advice = weighing.accuse_or_wait(advice, barred=barred)

    # What to do after the likeliest answers.
    if not quick:
        step(3)
    if quick or advice.kind != "ask" or advice.ask is None or advice.ask.look is not None:
        return advice
    replies = _replies(table, observations, deduction, advice.ask, left=turns.left, dice=dice)
    return replace(advice, replies=tuple(replies))


def _made(advice: Advice, turn: OwnTurn) -> Advice:
    """Return the advice to accuse."""
    accuse = replace(advice.accuse, advice="accuse")
    later = turn.later and not turn.asked
    return replace(advice, kind="accuse", accuse=accuse, later=later)


def _is_proved(deduction: Deduction, upto: int) -> bool:
    """Return whether the solution is proved: no card but one of each category can be inside."""
    layout = deduction.knowledge.layout
    possible = deduction.possible(upto)
    inside = sum(1 << card for card, at in enumerate(possible) if at >> layout.envelope & 1)
    return all((inside & category).bit_count() == 1 for category in layout.categories)


class _Weighing:
    """What can be done in a turn, weighed against each other."""

    def __init__(
        self,
        table: Table,
        observations: Sequence[Observation],
        deduction: Deduction,
        turn: OwnTurn,
        *,
        seed: int,
        quick: bool,
    ) -> None:
        self.table = table
        self.observations = observations
        self.turn = turn
        self.quick = quick
        self._turns = TurnState.of(observations)
        self._posterior = deduction.solutions(len(observations))
        viewer = turn.viewer
        drawing, playing = np.random.default_rng(seed).spawn(2)
        self.questions = Questions(
            table,
            viewer,
            deduction,
            len(observations),
            drawing,
            left=self._turns.left,
            sample=QUICK_SAMPLE if quick else None,
        )
        self.winning = Winning(
            table,
            observations,
            deduction,
            viewer=viewer,
            asked=turn.asked,
            rng=playing,
        )
        inside = self.winning.rollouts.marginals[:, -1].tolist()
        self.questions.inside |= zip(table.cards, inside, strict=True)
        self._reach = {} if turn.pending else turn.suggestions()
        self._looks = {cards: room for cards in self._reach if (room := turn.look(cards))}

    def best(self, accuse: AccuseAdvice) -> AccuseAdvice:
        """Return the best accusation by all that the others did."""
        best = self.winning.best(self._posterior)
        chance, wins = (rounded(min(each, ALMOST)) for each in (best.chance, best.wins))
        return replace(accuse, cards=best.cards, probability=chance, win_now=wins)

    def use(self, advice: Advice) -> Advice:
        """Return the advice to use the bonus die, where it comes next and tells something."""
        uses: list[BonusUse] = []
        for use in self.turn.play.extras() if self.turn.pending else ():
            gain = self.questions.tell(use, self.observations)
            if gain.bits >= LEAST_GAIN:
                action = format_line(use, self.table).partition(":")[0]
                bits, error = rounded([gain.bits, gain.error])
                uses.append(BonusUse(use=use, action=action, gain=bits, error=error))
        if not uses:
            return advice
        uses.sort(key=lambda use: -sort_key(use.gain))
        return replace(advice, kind="use", uses=tuple(uses), later=False)

    def ask(self, advice: Advice) -> Advice:
        """Return the advice with what can be asked and what to ask, or the room to head for."""
        suggestions = self._suggestions()
        if not self.quick:
            step(2)
        left_out = len(self._reach) - len(suggestions)
        advice = replace(advice, kind="wait", suggestions=suggestions, left_out=left_out)
        likeliest = self._likeliest()
        if likeliest is None:
            heading = None if self.turn.pending else self._heading()
            return replace(advice, kind="wait" if heading is None else "go", heading=heading)
        advice = replace(advice, kind="ask")
        if self.quick:
            gain = self.questions.gain(likeliest, look=self._looks.get(likeliest))
            advice = replace(advice, ask=self._suggestion(likeliest, gain))
        else:
            advice = self._play_on(advice, likeliest)
        assert advice.ask is not None
        return replace(advice, stay=self.turn.stays(advice.ask.cards))

    def accuse_or_wait(self, advice: Advice, *, barred: bool) -> Advice:
        """Return the advice to accuse where nothing can be asked first and that wins more."""
        accuse, asked = advice.accuse, advice.ask
        now = accuse.win_now or 0.0
        if asked is not None and asked.win is not None:
            accuse = replace(accuse, win_wait=asked.win, win_error=asked.win_error)
        elif not self.quick or (now >= LEAST_CHANCE and self._ready(advice)):
            wait = self.winning.wait(most=QUICK_WORLDS if self.quick else WORLDS)
            accuse = replace(accuse, win_wait=rounded(wait.share), win_error=rounded(wait.error))
        advice = replace(advice, accuse=accuse)
        if self._ready(advice) and accuse.better(now) and not barred:
            return _made(advice, self.turn)
        return advice

    def _ready(self, advice: Advice) -> bool:
        """Return whether nothing can be asked before accusing."""
        return self.turn.asked or advice.ask is None

    def opponents(self) -> tuple[Opponent, ...]:
        """Return how close every other seat is, if it is not quick; who is out has seen it."""
        if self.quick:
            return ()
        close = self.winning.rivals()
        return tuple(
            Opponent(
                seat=seat,
                knows=rounded(close[seat].share) if seat in close else 1.0,
                error=rounded(close[seat].error) if seat in close else 0.0,
                out=seat in self._turns.gone,
            )
            for seat in self.table.seats
            if seat != self.turn.viewer
        )

    def _suggestions(self) -> tuple[RankedSuggestion, ...]:
        """Return the suggestions by what they tell times their reach, so many at most."""
        first, most = (0, QUICK_PLANS) if self.quick else (FIRST, None)
        ranked = self.questions.rank(self._reach, looks=self._looks, first=first, most=most)
        return tuple(self._suggestion(cards, gain) for cards, gain in ranked)

    def _suggestion(self, cards: Cards, gain: Gain) -> RankedSuggestion:
        """Return a suggestion as a value with names."""
        bits, error, settles, best_after = rounded(
            [gain.bits, gain.error, gain.settles, gain.best_after]
        )
        answers = self.questions.answers(cards, gain, most=MOST_ANSWERS)
        return RankedSuggestion(
            cards=cards,
            gain=bits,
            error=error,
            settles=settles,
            best_after=best_after,
            reach=self._reach[cards],
            own=len(self.questions.own.intersection(cards)),
            look=self._looks.get(cards),
            answers=tuple(
                AnswerChance(shows=tuple(map(ShownCard, seats, shown)), probability=chance)
                for seats, shown, chance in answers
            ),
        )

    def _likeliest(self) -> Cards | None:
        """
        Return the question of the likeliest cards of those that tell something.

        It is the surest to be made, unless one that is less sure tells clearly more. Others are
        held against it.
        """
        inside, reach = self.questions.inside, self._reach

        def promise(cards: Cards) -> float:
            return -float(sort_key(sum(inside[card] for card in cards)))

        # The likeliest cards of those that are as sure to be made, and what they tell.
        likeliest: dict[float, tuple[Cards, float]] = {}
        for cards in sorted(reach, key=promise):
            if reach[cards] in likeliest:
                continue
            look = self._looks.get(cards)
            gain = self.questions.gain(cards, look=look)
            if abs(gain.bits * reach[cards] - LEAST_GAIN) < 4 * gain.error:
                gain = self.questions.gain(cards, look=look, exactly=True)
            if gain.bits * reach[cards] >= LEAST_GAIN:
                likeliest[reach[cards]] = cards, gain.bits * reach[cards]

        most = max((bits for _, bits in likeliest.values()), default=0.0)
        for surest in sorted(likeliest, reverse=True):
            cards, bits = likeliest[surest]
            if bits * TELLS_MORE >= most:
                return cards
        return None

    def _play_on(self, advice: Advice, likeliest: Cards) -> Advice:
        """
        Return the advice with what some questions win, and the one to ask.

        That is the one of the likeliest cards, unless another clearly wins more, in the same games.
        Whoever may accuse after the answer, in the same turn, wins at least as often as that is
        right.
        """
        told = {suggestion.cards: suggestion for suggestion in advice.suggestions}
        if likeliest not in told:
            gain = self.questions.gain(likeliest, look=self._looks.get(likeliest))
            told[likeliest] = self._suggestion(likeliest, gain)
        plans = _to_play_on(likeliest, [each for each in told.values() if each.worth >= LEAST_GAIN])
        played = self.winning.race(
            {cards: told[cards].reach for cards in plans},
            looks={cards: look for cards in plans if (look := told[cards].look)},
        )
        least = {cards: 0.0 if self.turn.asked else told[cards].best_after for cards in plans}
        for cards, (share, error) in played.chances.items():
            told[cards] = replace(
                told[cards], win=rounded(max(share, least[cards])), win_error=rounded(error)
            )

        # By how much more each of those that are clearly better wins, where its room is reached.
        first = told[likeliest]
        more = {cards: share.share for cards, share in played.better.items()}
        for cards in plans:
            ahead = least[cards] - (first.win or 0.0)
            if ahead > max(more.get(cards, 0.0), 2 * (first.win_error or 0.0)):
                more[cards] = ahead
        most = max(told[cards].reach for cards in plans)
        sure = max((more[cards] for cards in more if told[cards].reach >= most), default=0.0)

        def wins(cards: Cards) -> float:
            """Return what it wins more if another is asked where the dice do not lead there."""
            return sure + told[cards].reach / most * (more[cards] - sure)

        chosen = max(more, key=lambda cards: sort_key(wins(cards)), default=likeliest)
        suggestions = (*(told[each.cards] for each in advice.suggestions),)
        if likeliest not in {each.cards for each in suggestions}:
            suggestions = (*suggestions, told[likeliest])
        beaten = likeliest if chosen != likeliest else ()
        return replace(advice, suggestions=suggestions, ask=told[chosen], beaten=beaten)

    def _heading(self) -> RoomAdvice | None:
        """Return the room with the best question for its distance; `None` if none tells more."""
        turn = self.turn
        everywhere = turn.suggestions(dict.fromkeys(turn.rooms, 1.0))
        looks = {cards: room for cards in everywhere if (room := turn.look(cards))}
        best: dict[str, float] = {}
        for cards, gain in self.questions.rank(everywhere, looks=looks, first=FIRST):
            for room in turn.rooms.keys() & {*cards}:
                if room != turn.place:
                    best[room] = max(best.get(room, 0.0), gain.bits)
        if max(best.values(), default=0.0) < LEAST_GAIN:
            return None
        room = max(best, key=lambda room: sort_key(best[room] / turn.turns_to(room)))
        return RoomAdvice(
            room=room,
            gain=rounded(best[room]),
            steps=turn.steps_to(room),
            look=room in turn.play.unlooked,
        )


def _to_play_on(likeliest: Cards, among: Sequence[RankedSuggestion]) -> list[Cards]:
    """
    Return which questions to play on: the likeliest cards, and those that tell or settle most.

    What an answer settles counts with its bits three times.
    """
    if not among:
        return [likeliest]
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


def _replies(
    table: Table,
    observations: Sequence[Observation],
    deduction: Deduction,
    asked: RankedSuggestion,
    *,
    left: frozenset[str],
    dice: str | Iterable[str] | None,
) -> Iterator[FollowUp]:
    """Yield the likeliest answers to a suggestion, and none, each with quick advice after it."""
    viewer = str(table.viewer)
    for place, answer in enumerate(asked.answers):
        if place >= REPLIES and answer.shows:
            continue
        shown: Mapping[str, str] = dict(answer.shows)
        answers = []
        for seat in table.answering(viewer, left=left):
            if seat in shown:
                answers.append(Answer(seat=seat, answer="shows", card=shown[seat]))
                if table.rule_of_answering == "first":
                    break
            else:
                answers.append(Answer(seat=seat, answer="passes"))
        said = Suggestion(by=viewer, cards=asked.cards, answers=tuple(answers))
        log = (*observations, said)
        try:
            known = knowledge_of(table, log, viewer=viewer, before=deduction.knowledge)
            then = advise(table, log, deduction.after(known), dice=dice, quick=True)
        except TooLarge:
            return
        yield FollowUp(shows=answer.shows, probability=answer.probability, then=then)
