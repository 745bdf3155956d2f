"""
Computes the review of a finished game: what each seat could have known, and how well it used that.

Each seat whose hand is in the record is judged separately, by what it saw, as in `Game.report` for
that viewer. A hand that is recorded later counts from the deal on. A suggestion is judged by what
the player knew just before it. It is compared with suggestions in the same room, and in other rooms
if the record says that the player could reach them. The log is read once, backwards, because late
positions cost little; before an entry where too much is open, nothing is judged.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import takewhile
from math import hypot
from statistics import fmean
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from clue_solver.answers.highlights import build_highlights
from clue_solver.answers.known import KnownGame
from clue_solver.answers.questions import Questions
from clue_solver.answers.review import (
    LABELS,
    WASTED,
    AccusationReview,
    AccusationVerdict,
    Moment,
    Review,
    SeatReview,
    SuggestionReview,
    label_of,
)
from clue_solver.answers.turns import TurnsTaken
from clue_solver.answers.weighing import build_advice
from clue_solver.errors import ArgumentError, Contradiction, Impossible, TooLarge
from clue_solver.inference.deduction import Deduction
from clue_solver.inference.rounding import rounded
from clue_solver.inference.solutions import Solutions
from clue_solver.inference.spending import OutOfBudget, limited, spent
from clue_solver.knowledge.clauses import Numbers, card_numbers
from clue_solver.knowledge.viewer import everyones_knowledge, knowledge_of
from clue_solver.notation.canonical import format_line
from clue_solver.rules import observations as observed
from clue_solver.rules.play import Play
from clue_solver.rules.table import ENVELOPE, Table

SAMPLE = 5_000
"""How many deals are drawn to weigh a suggestion, if there are too many to use all."""

FEWEST = 100
"""The smallest number of deals that a caller may choose."""

MOST_WORK = 1_200_000_000
"""The most that a review may cost, in units of `spending`: four seconds or less."""

POSITION = 1 / 4
"""The largest part of the work still allowed for a seat that one position may use."""

EVEN = 0.495
"""The least chance that counts as even odds, because it is printed as 50%."""


def build_review(
    table: Table,
    observations: Sequence[observed.Observation],
    *,
    sample: int | None = None,
    seed: int = 0,
) -> Review:
    """
    Return the review of a finished game.

    Arguments and errors are those of `Game.review`; `observations` has all entries of the record.
    """
    if sample is not None and sample < FEWEST:
        raise ArgumentError(
            f"sample: expected at least {FEWEST} deals; found {sample}", argument="sample"
        )
    # The solution, and who can have each card: what the whole record proves.
    end = spent() + MOST_WORK
    try:
        with limited(MOST_WORK // 4):
            might = _possible_holders(table, observations)
            envelope = _checked_solution(table, observations, might)
    except (TooLarge, OutOfBudget):
        raise TooLarge(
            "too much is unknown to review this game: record more hands, or hand sizes"
        ) from None
    if not any(each.turn for each in observations):  # what is known stands in no order of play
        reason = "no suggestion, question or accusation is in them"
        raise ArgumentError(f"these notes have no turns to review: {reason}")
    log = _with_shown_cards(observations, might)

    # Each seat is judged by what it saw.
    turns = TurnsTaken(log)
    game = _Reviewed(table, log, turns, _plays_after_roll(table, log), sample or SAMPLE, seed)
    judges = [
        _SeatJudge(game, seat, supposed)
        for seat in table.seats
        if (supposed := _late_hand(table, log, might, seat)) is not None
    ]
    for place, each in enumerate(judges):
        each.read(envelope, most=(end - spent()) // (len(judges) - place))

    # The results, and the highlights among them.
    seats = {judge.seat: judge.review() for judge in judges}
    judged = {each.entry: each for judge in judges for each in judge.accusations}
    accusations = [
        judged.get(entry) or _unknown(table, entry, accused)
        for entry, accused in enumerate(log, 1)
        if isinstance(accused, observed.Accusation)
    ]
    asked = [each for judge in judges for each in judge.suggestions]
    answer = Review(
        table=table,
        solution=envelope,
        winner=next((each.seat for each in accusations if each.right), None),
        entries=len(log),
        lines=tuple(format_line(observation, table) for observation in observations),
        seats=tuple(seats.get(seat) or SeatReview(seat=seat) for seat in table.seats),
        suggestions=tuple(sorted(asked, key=lambda each: each.entry)),
        accusations=tuple(accusations),
        open_upto=max((judge.open_upto for judge in judges), default=0),
    )
    return replace(answer, highlights=build_highlights(answer, log, turns))


_PossibleHolders = Mapping[str, AbstractSet[str]]
"""The holders that can have each card, by card, given all that the record says."""


class _Reviewed(NamedTuple):
    """
    What all seats of a reviewed game have in common.

    Attributes:
        table, record: The table and the whole record.
        turns: The turns of the record.
        rolled: For each suggestion, by the number of its entry, the state of play just after the
            roll in its turn. Suggestions without a recorded roll are left out.
        sample: How many deals to draw to judge a suggestion if there are too many to use all.
        seed: The seed for drawing them.
    """

    table: Table
    record: Sequence[observed.Observation]
    turns: TurnsTaken
    rolled: Mapping[int, Play]
    sample: int
    seed: int


class _SeatJudge:
    """
    Judges one seat's play, entry by entry, by what it saw of the record.

    Args:
        game: The game that is reviewed.
        seat: The seat.
        supposed: The seat's hand as an entry, if the record does not begin with it; else empty.

    Attributes:
        whole: Whether the record has all that the seat saw.
        last: The number of the entry by which the seat was out or the game was over.
        known: What the seat knew after each entry, by the entry's number.
        certain: The numbers of the entries after which it could prove the solution.
        open_upto: The last entry that could not be judged for the seat, or only without regard to
            how people ask, because too much was still unknown; 0 if there is none.
    """

    def __init__(
        self, game: _Reviewed, seat: str, supposed: Sequence[observed.Observation]
    ) -> None:
        self.game = game
        self.seat = seat
        self.table = replace(game.table, viewer=seat)
        entries = range(1, len(game.record) + 1)
        self.whole = all(_complete(self.table, game.record, entry, seat) for entry in entries)
        self.last = game.turns.last(seat)
        knowledge = knowledge_of(self.table, game.record, viewer=seat, supposed=supposed)
        self.deduction = Deduction(knowledge)
        self.suggestions: list[SuggestionReview] = []
        self.accusations: list[AccusationReview] = []
        self.known: dict[int, Moment] = {}
        self.certain: set[int] = set()
        self.open_upto = 0

    def read(self, envelope: tuple[str, ...], *, most: int) -> None:
        """
        Judge the seat's play from the last entry back to the first, as far as the work allows.

        Args:
            envelope: The cards of the solution.
            most: The most that this may cost, in units of `spending` (about three nanoseconds
                each).
        """
        right = card_numbers(Numbers(self.table).cards(envelope))
        end = spent() + most
        last = len(self.game.record)
        for entry in range(last, -1, -1):
            try:
                with limited((end - spent()) * POSITION):
                    self._note_knowledge(entry, right)
                    if entry < last:
                        self._judge(entry + 1, self.game.record[entry])
            except (TooLarge, OutOfBudget):
                self.open_upto = max(self.open_upto, min(entry + 1, last))
                break

    def after(self, entry: int) -> KnownGame:
        """
        Return the game as the seat knew it after the entry with this number; 0 is before the log.
        """
        return KnownGame(self.table, self.game.record[:entry], self.deduction)

    def _note_knowledge(self, entry: int, right: Sequence[int]) -> None:
        """
        Note what the seat knew after an entry.

        `right` has the numbers of the solution's cards.
        """
        posterior = self.after(entry).solutions
        if self.deduction.leaves_out(entry):  # and before this entry, even more is open
            self.open_upto = min(entry + 1, len(self.game.record))
            self.deduction = Deduction(self.deduction.knowledge.without_behaviour())
        self.known[entry] = Moment(
            entry=entry,
            deals=self.deduction.diagram(entry).count(),
            bits=rounded(posterior.bits),
            true_chance=_chance(posterior, right),
        )
        if len(posterior.probability) == 1:
            self.certain.add(entry)

    def _judge(self, entry: int, observation: observed.Observation) -> None:
        """
        Judge an entry, if it is a suggestion or accusation of the seat, by what the seat knew.
        """
        match observation:
            case observed.Accusation(by=by) if by == self.seat:
                self.accusations.append(self._accusation(entry, observation))
            case observed.Suggestion(by=by) if by == self.seat and entry <= self.last:
                self.suggestions.append(self._suggestion(entry, observation))

    def _suggestion(self, entry: int, asked: observed.Suggestion) -> SuggestionReview:
        """
        Return the judgement of a suggestion, which is the entry with the number `entry`.

        It compares the suggestion with the best one that the seat could have made.
        """
        cards = _in_order(asked.cards, self.table)
        best, within = cards, tuple[str, ...]()
        gain = most = error = rough = 0.0
        if entry - 1 not in self.certain:  # else there is nothing left to ask
            drawing = np.random.default_rng((self.game.seed, entry - 1))
            questions = Questions(self.after(entry - 1), drawing, sample=self.game.sample)
            best, within = questions.best(cards, self.game.rolled.get(entry))
            gain, error = questions.gain_with_error(cards)
            most, rough = questions.gain_with_error(best)
        doubt = 0.0 if best == cards else hypot(error, rough)
        whole = _complete(self.table, self.game.record, entry, self.seat)
        brought = self.known[entry - 1].bits - self.known[entry].bits
        label = label_of(most - gain, doubt) if self.whole else None
        wasted = label in WASTED
        return SuggestionReview(
            entry=entry,
            seat=self.seat,
            cards=cards,
            gain=gain,
            error=error,
            best=best,
            best_gain=most,
            within=within,
            accuracy=min(1.0, max(0.0, gain / most)) if most > LABELS["best"] else 1.0,
            luck=brought - gain if whole else None,
            label=label,
            shower=questions.shower(cards) if wasted else None,
            inside={card: questions.inside[card] for card in (*cards, *best)} if wasted else {},
        )

    def _accusation(self, entry: int, accused: observed.Accusation) -> AccusationReview:
        """
        Return the judgement of an accusation, which is the entry with the number `entry`.

        It compares the accusation with what the seat knew just before. If the seat saw more than
        the record has, its real chance is not known. Then the verdict is `unknown`, unless the
        record alone settles whether the accused cards were the solution.
        """
        judged = _unknown(self.table, entry, accused)
        chance = 0.0
        numbers = card_numbers(Numbers(self.table).cards(accused.cards))
        if len(numbers) == len(accused.cards):  # else one of them lies face-up
            chance = _chance(self.after(entry - 1).solutions, numbers)
        if not self.whole and chance and entry - 1 not in self.certain:
            return judged
        verdict: AccusationVerdict = "right" if accused.right else "unlucky"
        if not accused.right and chance < EVEN and not self._was_worth_it(accused, entry, chance):
            verdict = "rash"
        return replace(judged, chance=chance, verdict=verdict)

    def _was_worth_it(self, accused: observed.Accusation, entry: int, chance: float) -> bool:
        """
        Return whether accusing in this entry had a better chance to win than waiting.

        `chance` is the chance that the accusation was right. False if the seat was out or had no
        chance.
        """
        if not chance or entry > self.last:
            return False
        best = build_advice(self.after(entry - 1), seed=self.game.seed, quick=True).accuse
        if best.cards == accused.cards and best.win_now is not None:
            chance = best.win_now
        return best.win_wait is not None and chance > best.win_wait

    def review(self) -> SeatReview:
        """Return the review of the seat."""
        over = self.game.turns.over
        proved = min(self.certain, default=over)
        timeline = tuple(self.known[entry] for entry in sorted(self.known))
        accuracies = [each.accuracy for each in self.suggestions]
        return SeatReview(
            seat=self.seat,
            held=True,
            whole=self.whole,
            proved=proved if proved < over else None,  # else only the right accusation proved it
            timeline=timeline,
            accuracy=fmean(accuracies) if accuracies else None,
        )


def _chance(posterior: Solutions, cards: Sequence[int]) -> float:
    """Return the probability that the cards with these numbers are the solution."""
    same = (posterior.cards == cards).all(axis=1)
    return float(rounded(posterior.probability[same].sum()))


def _with_shown_cards(
    observations: Sequence[observed.Observation], might: _PossibleHolders
) -> tuple[observed.Observation, ...]:
    """
    Return the log with each shown card that is not known filled in, if only one card is possible.

    `might` has the holders that can have each card, by card.
    """
    log = list(observations)
    for place, each in enumerate(log):
        if isinstance(each, observed.Inquiry):
            answers = []
            for answer in each.answers:
                could = [card for card in each.cards if answer.seat in might.get(card, ())]
                proved = answer.answer == "shows" and len(could) == 1
                answers.append(replace(answer, card=could[0]) if proved else answer)
            log[place] = replace(each, answers=tuple(answers))
    return tuple(log)


def _late_hand(
    table: Table, log: tuple[observed.Observation, ...], might: _PossibleHolders, seat: str
) -> tuple[observed.Observation, ...] | None:
    """
    Return a seat's hand as an entry to put before the log, which states or proves it only later.

    Args:
        table: The table.
        log: The observations of the whole game.
        might: For each card, the holders that can have it at the end.
        seat: The seat.

    Returns:
        A tuple with that entry; an empty one if the log begins with the hand or the seat has no
        cards. `None` if the log neither states nor proves the hand.
    """
    hands = [isinstance(each, observed.Hand) and each.seat == seat for each in log]
    dealt = takewhile(lambda each: isinstance(each, observed.Hand), log)
    if any(hands[: len([*dealt])]) or table.size_bounds()[table.seats.index(seat)] == (0, 0):
        return ()
    cards = tuple(card for card, holders in might.items() if seat in holders)
    if not any(hands) and (not cards or any(len(might[card]) > 1 for card in cards)):
        return None
    return (observed.Hand(seat=seat, cards=cards),)


def _plays_after_roll(table: Table, log: Sequence[observed.Observation]) -> dict[int, Play]:
    """
    Return the state of play just after the roll in the turn of each suggestion.

    The keys are the numbers of the suggestions' entries. Suggestions without a recorded roll are
    left out.
    """
    found: dict[int, Play] = {}
    play = rolled = Play.begin(table)
    for entry, observation in enumerate(log, 1):
        asked = isinstance(observation, observed.Suggestion) and "rolls" in play.done
        if asked and not play.begins(observation):
            found[entry] = rolled
        play = play.after(observation)
        if isinstance(observation, observed.Roll):
            rolled = play
    return found


def _possible_holders(table: Table, log: Sequence[observed.Observation]) -> _PossibleHolders:
    """Return the holders that can have each card, by card, given all that the record says."""
    possible = Deduction(everyones_knowledge(table, log)).possible(len(log))
    return {
        card: {holder for place, holder in enumerate(table.holders) if mask >> place & 1}
        for card, mask in zip(table.cards, possible, strict=True)
    }


def _checked_solution(
    table: Table,
    observations: Sequence[observed.Observation],
    might: _PossibleHolders,
) -> tuple[str, ...]:
    """
    Return the solution that the record states or proves, in edition order.

    `might` has the holders that can have each card, by card.

    Raises:
        ArgumentError: If the record does not give the solution.
        Impossible: If the record rules the solution out.
    """
    right = {
        entry: each.cards
        for entry, each in enumerate(observations, 1)
        if isinstance(each, observed.Accusation) and each.right
    }
    sure = tuple(card for card, holders in might.items() if holders == {ENVELOPE})
    proved = sure if len(sure) == len(table.edition.category) else None
    envelope = next(iter(right.values()), table.solution or proved)
    if envelope is None:
        cards = [kind.cards[0].name for kind in table.edition.category]
        raise ArgumentError(
            "the record does not give the solution: log what the envelope held, as in "
            f"'{table.seats[0]} knows envelope has {cards[0]}', or add a line "
            f"'solution: {', '.join(cards)}' to the header",
            argument="solution",
        )
    if table.solution and set(table.solution) != set(envelope):
        header = f"the solution is {', '.join(table.solution)}, as the header says"
        raise Impossible((header,), tuple(right))
    seat = table.seats[0]
    supposed = [observed.Knowing(by=seat, holder=ENVELOPE, has=(card,)) for card in envelope]
    try:
        everything = everyones_knowledge(table, observations, supposed=supposed)
        Deduction(everything).possible(len(observations))
    except Contradiction as clash:
        raise Impossible((f"the solution is {', '.join(envelope)}",), clash.entries) from None
    return _in_order(envelope, table)


def _in_order(cards: tuple[str, ...], table: Table) -> tuple[str, ...]:
    """Return cards in the order in which the edition lists them."""
    return tuple(sorted(cards, key=table.edition.names.index))


def _unknown(table: Table, entry: int, accused: observed.Accusation) -> AccusationReview:
    """
    Return the judgement of an accusation if the record does not tell what its player knew.

    `entry` is the number of its entry; the verdict is `unknown`.
    """
    cards = _in_order(accused.cards, table)
    return AccusationReview(entry=entry, seat=accused.by, cards=cards, right=accused.right)


def _complete(table: Table, log: Sequence[observed.Observation], entry: int, seat: str) -> bool:
    """
    Return whether the entry with this number has everything of the observation that the seat saw.

    Hands do not count here.
    """
    observation = log[entry - 1]
    shown_to = [name for name in observation.sight.by if name != "seat"]  # whose own card it is
    sees = seat in [getattr(observation, name) for name in shown_to]
    match observation:
        case observed.Inquiry(answers=answers):
            lacking = [
                each
                for each in answers
                if each.answer == "unheard" or (sees and each.answer == "shows" and not each.card)
            ]
            left = {each.by for each in log[: entry - 1] if isinstance(each, observed.Leave)}
            asked = table.answering(observation.by, left=left) if table.everyone_shows else answers
            return not lacking and 0 < len(asked) <= len(answers)
        case observed.Question(answer=answer) if answer != "shows":
            return answer == "passes"
        case _ if sees and observation.sight.hidden:
            return getattr(observation, observation.sight.hidden) is not None
        case _:
            return True
