"""
The review of a finished game: what each seat could have known, and what it made of it.

Each seat is looked at alone, by its own share of the record, as `Game.report` would for that
viewer. A suggestion is weighed by what its asker knew just before it; the best there was is sought
among those that name no other room, because nothing tells where else the asker could have gone.
"""

from collections.abc import Iterator, Sequence
from math import hypot

import numpy as np

from clue_solver.answers import verdicts
from clue_solver.answers.adviser import Adviser, WeighedSuggestion
from clue_solver.answers.review import Moment, Review, SeatReview, SuggestionReview
from clue_solver.errors import ArgumentError, Contradiction, Impossible, NotationError, escape
from clue_solver.inference import batch
from clue_solver.inference.deduction import Deduction
from clue_solver.knowledge.clauses import Numbers, card_numbers
from clue_solver.knowledge.viewer import Positions, knowledge_of, pooled_knowledge
from clue_solver.notation import format_line, parse_line
from clue_solver.rules import observations as observed
from clue_solver.rules.table import ENVELOPE, Table
from clue_solver.rules.turns import TurnsTaken

SAMPLE = 5_000
"""How many deals are drawn to weigh a suggestion, where there are too many to count each."""

FEWEST = 100
"""The fewest deals that a suggestion may be weighed by."""

_NOTHING, _EVEN = 1e-9, 0.5 - 1e-9
"""Bits below which nothing could be gained; the chance that counts as even odds."""


def review(
    table: Table,
    observations: Sequence[observed.Observation],
    *,
    solution: tuple[str, ...] | None = None,
    sample: int | None = None,
    seed: int = 0,
) -> Review:
    """
    Return the review of a game, arguments and errors as of `Game.review`.

    `observations` are the whole record; no `solution` stands for that of the right accusation.
    """
    if sample is not None and sample < FEWEST:
        raise ArgumentError(
            f"sample: expected at least {FEWEST} deals; found {sample}", argument="sample"
        )
    observations = tuple(observations)
    envelope = _checked(table, observations, solution)
    notes = {
        seat: _notes(
            table, observations, seat,
            solution=envelope, sample=sample or SAMPLE, seed=seed,
        )
        for seat in table.seats
    }  # fmt: skip
    suggestions = tuple(_suggestions(table, observations, notes))
    seats = tuple(
        _seat(seat, own, [each for each in suggestions if each.seat == seat],
              whole=_whole(table, observations, seat))
        for seat, own in notes.items()
    )  # fmt: skip
    turns = TurnsTaken(observations)
    whole = {each.seat for each in seats if each.whole}
    accused = tuple(verdicts.judge_accusations(table, observations, notes, turns))
    wasted = verdicts.missed_deductions(
        table, observations, notes, turns, solution=envelope, whole=whole
    )
    turning = verdicts.turning_points(observations, seats, accused)
    return Review(
        table=table,
        solution=envelope,
        entries=len(observations),
        lines=tuple(format_line(each, table) for each in observations),
        seats=seats,
        suggestions=suggestions,
        accusations=accused,
        unused=tuple(sorted(wasted, key=lambda each: each.entry)),
        turning=turning,
        story=verdicts.story(len(observations), envelope, seats, accused, turning),
    )


def named_solution(text: str, table: Table) -> tuple[str, ...]:
    """Return the cards of a typed solution in category order; `NotationError` if it names none."""
    lead = f"{table.seats[0]} accuses "
    expected = f"expected a solution such as '{_example(table)}'; found '{escape(text)}'"
    if any(mark in text for mark in ":>#"):  # a line that goes on behind its cards
        raise NotationError(expected, line=text)
    try:
        parsed = parse_line(f"{lead}{text}: right", table)
    except NotationError as error:
        column = max(0, min(error.column - len(lead), len(text)))
        raise NotationError(
            f"cannot take '{escape(text)}' as the solution: {error.reason}",
            line=text, column=column, nearest=error.nearest,
        ) from None  # fmt: skip
    if not isinstance(parsed, observed.Accusation):
        raise NotationError(expected, line=text)
    return _in_order(table, parsed.cards)


def _checked(
    table: Table, observations: tuple[observed.Observation, ...], solution: tuple[str, ...] | None
) -> tuple[str, ...]:
    """Return the solution, once the whole record was seen to allow it."""
    last = len(observations)
    possible = Deduction(pooled_knowledge(table, observations)).possible(last)
    accusations = (each for each in observations if isinstance(each, observed.Accusation))
    envelope = solution or next((each.cards for each in accusations if each.right), None)
    if envelope is None:
        inside = 1 << Numbers(table).layout.envelope
        sure = [card for card, at in zip(table.cards, possible, strict=True) if at == inside]
        proved = ", ".join(sure) if len(sure) == len(table.edition.category) else ""
        told = f"; the log proves it to be {proved}" * bool(proved)
        raise ArgumentError(
            "the record does not tell the solution: it has no right accusation"
            f"{told}; give it as '{proved or _example(table)}'",
            argument="solution",
        )
    seat = table.seats[0]
    supposed = [observed.Knowing(by=seat, holder=ENVELOPE, has=(card,)) for card in envelope]
    try:
        Deduction(pooled_knowledge(table, observations, supposed=supposed)).possible(last)
    except Contradiction as clash:
        raise Impossible((f"the solution is {', '.join(envelope)}",), clash.entries) from None
    return _in_order(table, envelope)


def _in_order(table: Table, cards: tuple[str, ...]) -> tuple[str, ...]:
    """Return cards as the edition lists them; a record has them in the order of its lines."""
    return tuple(sorted(cards, key=table.edition.names.index))


def _example(table: Table) -> str:
    return ", ".join(kind.cards[0].name for kind in table.edition.category)


def _notes(
    table: Table,
    observations: tuple[observed.Observation, ...],
    seat: str,
    *,
    solution: tuple[str, ...],
    sample: int,
    seed: int,
) -> verdicts.SeatNotes:
    """Return what one seat's share of the record tells, entry by entry."""
    deduction = Deduction(knowledge_of(table, observations, viewer=seat))
    true = card_numbers(Numbers(table).cards(solution))
    timeline: list[Moment] = []
    weighed: dict[int, WeighedSuggestion] = {}
    proved: int | None = None
    out = False
    moments = _at_once(deduction, true) or _one_by_one(deduction, true)
    for (entry, coming), (deals, bits, chance, certain) in zip(
        enumerate((*observations, None)), moments, strict=True
    ):
        if proved is None and certain:
            proved = entry
        before = timeline[-1].bits if timeline else bits
        timeline.append(
            Moment(entry=entry, deals=deals, bits=bits, gained=before - bits, true_chance=chance)
        )
        match coming:
            case observed.Suggestion(by=by, cards=cards) if by == seat and not out:
                rng = np.random.default_rng((seed, entry))
                drawn = sample if proved is None else FEWEST  # nothing is left to be told
                adviser = Adviser(
                    table, observations, deduction,
                    viewer=seat, upto=entry, rng=rng, sample=drawn,
                )  # fmt: skip
                weighed[entry + 1] = adviser.weighed(_in_order(table, cards))
            case observed.Accusation(by=by, right=False) if by == seat:
                out = True
    return verdicts.SeatNotes(
        deduction=deduction,
        timeline=tuple(timeline),
        proved=proved,
        even=next((each.entry for each in timeline if each.true_chance >= _EVEN), None),
        weighed=weighed,
    )


_Known = tuple[int, float, float, bool]
"""The number of deals, the bits, the chance of the true solution, whether there is no other."""


def _one_by_one(deduction: Deduction, true: list[int]) -> Iterator[_Known]:
    """Yield what was known after each entry, from none on, each from the diagram before it."""
    seen, known = None, None
    for entry in range(deduction.knowledge.entries + 1):
        diagram = deduction.diagram(entry)
        if diagram is not seen or known is None:  # what it saw has changed
            seen, posterior = diagram, deduction.solutions(entry)
            right = (posterior.cards == true).all(axis=1)
            chance = float(posterior.probability[right].sum())
            known = diagram.count(), posterior.bits, chance, len(posterior.probability) == 1
        yield known


def _at_once(deduction: Deduction, true: list[int]) -> list[_Known] | None:
    """Return the same by the compiled engine, where it is loaded and can; `None` elsewhere."""
    known = deduction.knowledge
    if not batch.loaded() or len(known.prior) > 1:
        return None
    found = batch.evaluate(Positions.of([known.upto(each) for each in range(known.entries + 1)]))
    if not found.consistent.all():
        return None
    chances = found.solutions
    for mask, card in zip(known.layout.categories, true, strict=True):
        chances = chances[:, card_numbers(mask).index(card)]
    sure = np.count_nonzero(found.solutions.reshape(len(chances), -1), axis=1) == 1
    rows = zip(found.deals, found.bits, chances, sure, strict=True)
    return [(deals, float(b), float(c), bool(only)) for deals, b, c, only in rows]


def _suggestions(
    table: Table,
    observations: tuple[observed.Observation, ...],
    notes: dict[str, verdicts.SeatNotes],
) -> Iterator[SuggestionReview]:
    """Yield the suggestions of the seats that were still in, in the order of the entries."""
    for entry, observation in enumerate(observations, 1):
        if not isinstance(observation, observed.Suggestion):
            continue
        own = notes[observation.by]
        if entry not in own.weighed:
            continue
        gain, best, best_gain, within = own.weighed[entry]
        accuracy, error = 1.0, 0.0
        if best_gain.bits > _NOTHING:
            accuracy = min(1.0, max(0.0, gain.bits / best_gain.bits))
            error = hypot(gain.error, accuracy * best_gain.error) / best_gain.bits
        told = _heard(table, observation) and _cards_seen(observation)
        yield SuggestionReview(
            entry=entry,
            seat=observation.by,
            cards=_in_order(table, observation.cards),
            gain=gain.bits,
            error=gain.error,
            best=best,
            best_gain=best_gain.bits,
            within=within,
            accuracy=accuracy,
            accuracy_error=error,
            luck=own.timeline[entry].gained - gain.bits if told else None,
        )


def _seat(
    seat: str, own: verdicts.SeatNotes, suggestions: list[SuggestionReview], *, whole: bool
) -> SeatReview:
    count = len(suggestions)
    return SeatReview(
        seat=seat,
        whole=whole,
        proved=own.proved,
        even=own.even,
        timeline=own.timeline,
        accuracy=sum(each.accuracy for each in suggestions) / count if count else None,
        accuracy_error=hypot(*(each.accuracy_error for each in suggestions)) / max(count, 1),
        luck=sum((each.luck for each in suggestions if each.luck is not None), 0.0),
    )


def _whole(table: Table, observations: tuple[observed.Observation, ...], seat: str) -> bool:
    """Whether the record holds all that a seat saw, its hand before the first turn."""
    dealt = table.size_bounds()[table.seats.index(seat)] == (0, 0)
    for observation in observations:
        match observation:
            case observed.Hand(seat=owner):
                dealt = dealt or owner == seat
                continue
            case observed.Knowing():
                continue
            case observed.Suggestion(by=by) | observed.Finger(by=by):
                told = _heard(table, observation) and (by != seat or _cards_seen(observation))
            case observed.Question(by=by, answer=reply, card=card):
                told = reply == "passes" or (reply == "shows" and (by != seat or card is not None))
            case observed.Look(by=by, card=card):
                told = by != seat or card is not None
            case observed.Peek(by=by, feature=feature):
                told = by != seat or feature is not None
            case observed.Reveal(to=to, card=card):
                told = to != seat or card is not None
            case _:
                told = True
        if not (told and dealt):
            return False
    return dealt


def _heard(table: Table, suggestion: observed.Suggestion | observed.Finger) -> bool:
    """Whether the record holds all answers to a suggestion."""
    answers = suggestion.answers
    if any(answer.answer == "unheard" for answer in answers):
        return False
    settled = any(answer.answer == "shows" for answer in answers) and not table.everyone_shows
    return settled or len(answers) == len(table.seats) - 1


def _cards_seen(suggestion: observed.Suggestion | observed.Finger) -> bool:
    """Whether the record says which cards the asker was shown."""
    return all(answer.card is not None for answer in suggestion.answers if answer.answer == "shows")
