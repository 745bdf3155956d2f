"""
The review of a finished game: what each seat could have known, and what it made of it.

Each seat is looked at alone, by its own share of the record, as `Game.report` would for that
viewer. A suggestion is weighed by what its asker knew just before it; the best there was is sought
among those that name no other room, because nothing tells where else the asker could have gone.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from math import comb, hypot, inf, log2
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from clue_solver.answers import verdicts
from clue_solver.answers.adviser import Adviser
from clue_solver.answers.review import (
    EVEN,
    Moment,
    Review,
    SeatReview,
    SuggestionReview,
    Unweighed,
    label_of,
)
from clue_solver.answers.turns_taken import TurnsTaken
from clue_solver.answers.weigher import InReach, WeighedSuggestion
from clue_solver.errors import (
    ArgumentError,
    Contradiction,
    Impossible,
    NotationError,
    TooLarge,
    printable,
)
from clue_solver.inference.deduction import MEMORY_WITH_BEHAVIOUR, Deduction
from clue_solver.inference.diagram import Diagram
from clue_solver.inference.openings import Openings, openings
from clue_solver.inference.rounding import rounded
from clue_solver.inference.solutions import solutions
from clue_solver.inference.spending import expect, limited, spend, spent, step
from clue_solver.knowledge.clauses import Numbers, card_numbers
from clue_solver.knowledge.viewer import knowledge_of, pooled_knowledge
from clue_solver.notation import format_line, readings, the_one
from clue_solver.rules import observations as observed
from clue_solver.rules.play import Play
from clue_solver.rules.table import ENVELOPE, Table

SAMPLE = 5_000
"""How many deals are drawn to weigh a suggestion, where there are too many to count each."""

FEWEST = 100
"""The fewest deals that a suggestion may be weighed by."""

MOST_WORK = 2_600_000_000
"""What a review may cost in all, in units of `spending`."""

_NOTES, _QUESTIONS, _VERDICTS = 0.75, 0.97, 1.0
"""
By when of it what the seats knew is counted, their suggestions are weighed, those that cost least
first, and the rest is judged. No position may cost more than twelve times its part of what is left.
"""

MEMORY = 100_000_000
"""The most bytes of a diagram of what a seat knew."""

_FAIR, _BYTES = 12, 2
"""
How many times its part a position may cost; how many bytes its diagram may have for each unit that
it may cost.
"""

_TRIED_AGAIN = 0.95
"""
Where how people ask was too much to count, it is tried again once so many of the places are open
that were open then.
"""

_ENTRY_WORK, _CLAUSE_WORK = 50_000, 100  # of what is known after an entry, beside its deals

_DECISIONS = observed.Suggestion | observed.Accusation

_SEAT_STEPS = 8
"""How long a seat's notes take, a weighing being 1."""

_TOO_MUCH = "too much is open to review this game: record more hands, or hand sizes"

_NOTHING = 1e-9
"""Bits below which nothing could be gained."""

_LUCK_SPREAD = 2.5
"""Standard errors around a sum of gains, each estimated: 2 had 88 % of those of another sample."""


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
    begun = spent()
    ends = [begun + int(share * MOST_WORK) for share in (_NOTES, _QUESTIONS, _VERDICTS)]
    observations = tuple(observations)
    try:
        with limited(MOST_WORK // 4):
            envelope = _checked(table, observations, solution)
    except TooLarge:
        raise TooLarge(_TOO_MUCH) from None
    turns = TurnsTaken(observations)
    choices = _choices(table, observations)
    held = {seat: _held(table, observations, seat) for seat in table.seats}
    seen = {
        seat: _SeatEyes(table, observations, seat, asks=held[seat] is not None)
        for seat in table.seats
    }
    decisions = sum(isinstance(each, _DECISIONS) for each in observations)
    expect(_SEAT_STEPS * len(seen) + decisions)
    moments = _moments(seen, card_numbers(Numbers(table).cards(envelope)), end=ends[0])
    unheld = [seat for seat, hand in held.items() if hand is None]
    weighed = _weighed(seen, moments, choices, sample=sample or SAMPLE, seed=seed, end=ends[1])
    notes = {seat: _notes(eyes, moments[seat], weighed[seat]) for seat, eyes in seen.items()}
    suggestions = tuple(_suggestions(table, observations, notes))
    seats = tuple(
        _seat(table, observations, seat, own, suggestions=suggestions, held=held[seat])
        for seat, own in notes.items()
    )
    judge = verdicts.Judge(table, observations, notes, turns, unheld=unheld, seed=seed, end=ends[2])
    whole = {seat.seat for seat in seats if seat.whole}
    accused = tuple(judge.accusations())
    winner = next((accusation.seat for accusation in accused if accusation.right), None)
    wasted = verdicts.missed_deductions(
        table, observations, notes, turns, solution=envelope, whole=whole, end=ends[2]
    )
    missed = tuple(judge.missed_wins())
    return Review(
        table=table,
        solution=envelope,
        winner=winner,
        entries=len(observations),
        lines=tuple(format_line(observation, table) for observation in observations),
        seats=seats,
        suggestions=suggestions,
        accusations=accused,
        missed_wins=missed,
        unused=tuple(sorted(wasted, key=lambda unused: unused.entry)),
        unweighed=tuple(_unweighed(moments, seen, suggestions, judge.unjudged)),
        turning=verdicts.turning_points(observations, seats, accused, missed=missed),
    )


def _choices(table: Table, observations: Sequence[observed.Observation]) -> dict[int, InReach]:
    """Return what dice and board allowed instead of each suggestion, where the record tells it."""
    choices: dict[int, InReach] = {}
    if not any(isinstance(observation, observed.Roll) for observation in observations):
        return choices
    state = Play.begin(table)
    rolled = None
    for entry, observation in enumerate(observations, 1):
        before = state
        state = state.after(observation)
        match observation:
            case observed.Roll():
                rolled = state
            case observed.Suggestion(by=by, cards=cards):
                if rolled is not None and rolled.turns.seat == by == before.turns.seat:
                    faces = tuple(face for face in rolled.dice if face in table.edition.features)
                    rooms = {*rolled.rooms, *(c for c in cards if c in table.edition.rooms)}
                    listed = tuple(room for room in table.edition.rooms if room in rooms)
                    on_board = rolled.rules.board is not None and rolled.total is not None
                    choices[entry] = InReach(listed if on_board else None, faces or None)
                rolled = None
            case _ if observation.turn and getattr(observation, "by", None) != before.turns.seat:
                rolled = None
    return choices


def named_solution(text: str, table: Table) -> tuple[str, ...]:
    """Return the cards of a typed solution in category order; `NotationError` if it names none."""
    expected = f"expected a solution such as '{_example(table)}'; found '{printable(text)}'"
    try:
        found = readings(text, table, begun=(observed.Accusation, table.seats[0]))
        judged = found[0].observation is not None  # right or wrong is said behind the cards
        if found[0].gap is not None and found[0].gap.field == "right":
            found = (found[0].filled("right"),)
        parsed = the_one(found, text)
    except NotationError as error:
        raise NotationError(
            f"cannot take '{printable(text)}' as the solution: {error.reason}",
            line=text,
            column=error.column,
            nearest=error.nearest,
        ) from None
    if judged or not isinstance(parsed, observed.Accusation):
        raise NotationError(expected, line=text)
    return _in_order(parsed.cards, table)


def _checked(
    table: Table, observations: tuple[observed.Observation, ...], solution: tuple[str, ...] | None
) -> tuple[str, ...]:
    """Return the solution, once the whole record was seen to allow it."""
    last = len(observations)
    possible = Deduction(pooled_knowledge(table, observations)).possible(last)
    accusations = (
        observation for observation in observations if isinstance(observation, observed.Accusation)
    )
    right = next((accusation.cards for accusation in accusations if accusation.right), None)
    inside = 1 << Numbers(table).layout.envelope
    sure = tuple(card for card, at in zip(table.cards, possible, strict=True) if at == inside)
    proved = sure if len(sure) == len(table.edition.category) else None
    envelope = solution or right or table.solution or proved
    if envelope is None:
        raise ArgumentError(
            "the record does not tell the solution: no entry proves it, its header has none, and "
            f"there is no right accusation; give it as '{_example(table)}'",
            argument="solution",
        )
    if table.solution and set(table.solution) != set(envelope):
        said = f"the solution is {', '.join(table.solution)}, as the header says"
        raise Impossible((said,), _right_at(observations) if right else ())
    seat = table.seats[0]
    supposed = [observed.Knowing(by=seat, holder=ENVELOPE, has=(card,)) for card in envelope]
    try:
        Deduction(pooled_knowledge(table, observations, supposed=supposed)).possible(last)
    except Contradiction as clash:
        raise Impossible((f"the solution is {', '.join(envelope)}",), clash.entries) from None
    return _in_order(envelope, table)


def _in_order(cards: tuple[str, ...], table: Table) -> tuple[str, ...]:
    """Return cards as the edition lists them; a record has them in the order of its lines."""
    return tuple(sorted(cards, key=table.edition.names.index))


def _right_at(observations: Sequence[observed.Observation]) -> tuple[int, ...]:
    """Return the entries that tell the solution."""
    return tuple(
        entry
        for entry, observation in enumerate(observations, 1)
        if isinstance(observation, observed.Accusation) and observation.right
    )


def _example(table: Table) -> str:
    return ", ".join(kind.cards[0].name for kind in table.edition.category)


class _SeatEyes:
    """
    One seat's share of the record.

    `asks` is whether its suggestions are weighed by its notes: not if its hand is missing.
    """

    def __init__(
        self, table: Table, observations: tuple[observed.Observation, ...], seat: str, *, asks: bool
    ) -> None:
        self.table = table
        self.observations = observations
        self.seat = seat
        self.deduction = Deduction(knowledge_of(table, observations, viewer=seat))
        self.asks = asks
        self.refused: float = inf  # how many places were open when weighing behaviour was too much

    def suggestions(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Yield the suggestions that are weighed, while in the game: the entry, cards in order."""
        for entry, observation in enumerate(self.observations if self.asks else (), 1):
            match observation:
                case observed.Suggestion(by=by, cards=cards) if by == self.seat:
                    yield entry, _in_order(cards, self.table)
                case observed.Accusation(by=by, right=False) if by == self.seat:
                    return


class _Known(NamedTuple):
    """
    What was known after an entry.

    Attributes:
        deals, bits, chance, certain: The number of deals, the bits, the chance of the true solution
            and whether it is certain.
        cost: What its diagram cost; `None` if that was too much, and what was known before stands.
        plain: Whether a smaller diagram than a report may have left out how people ask.
    """

    deals: int
    bits: float
    chance: float
    certain: bool
    cost: int | None
    plain: bool = False


def _notes(
    eyes: _SeatEyes, moments: Sequence[_Known], weighed: Mapping[int, WeighedSuggestion]
) -> verdicts.SeatNotes:
    """Return what one seat's share of the record tells, entry by entry."""
    bits = [moments[0].bits, *(known.bits for known in moments)]
    timeline = tuple(
        Moment(
            entry=entry,
            deals=known.deals,
            bits=known.bits,
            gained=bits[entry] - known.bits,
            true_chance=known.chance,
        )
        for entry, known in enumerate(moments)
    )
    return verdicts.SeatNotes(
        deduction=eyes.deduction,
        timeline=timeline,
        proved=_proved(moments),
        even=next((moment.entry for moment in timeline if moment.true_chance >= EVEN), None),
        weighed=weighed,
    )


def _proved(moments: Sequence[_Known]) -> int | None:
    """Return the first entry after which there is one solution."""
    return next((entry for entry, known in enumerate(moments) if known.certain), None)


def _moments(
    seen: Mapping[str, _SeatEyes], true: list[int], *, end: int
) -> dict[str, list[_Known]]:
    """
    Return what each seat knew after each entry, from none on.

    Players whose hands the record does not hold have most of what they knew in common.

    Args:
        seen, true: Their shares of the record, and the numbers of the cards in the envelope.
        end: Up to what may be spent on it.

    Raises:
        TooLarge: If even what is known without any entry is more than a review may cost.
    """
    begun: dict[Hashable, int] = {}
    common: dict[Hashable, _Known | None] = {}
    alike: dict[Openings, _Known] = {}
    to_come = sum(eyes.deduction.knowledge.entries + 1 for eyes in seen.values())

    def beginnings(evidence: Iterable[Hashable]) -> list[int]:
        """Return a number for each beginning, the same for equal ones of any seat."""
        begun_with = [0]
        for piece in evidence:
            begun_with.append(begun.setdefault((begun_with[-1], piece), len(begun) + 1))
        return begun_with

    moments: dict[str, list[_Known]] = {}
    for seat, eyes in seen.items():
        whole = eyes.deduction.knowledge
        moments[seat] = []
        step(_SEAT_STEPS)
        prefixes = [*map(beginnings, (whole.clauses, whole.factors, whole.behaviour))]
        for entry in range(whole.entries + 1):
            upto = whole.upto(entry)
            read = upto.clauses, upto.factors, upto.behaviour
            evidence = tuple(
                numbers[len(part)] for numbers, part in zip(prefixes, read, strict=True)
            )
            if evidence not in common:
                most = _FAIR * (end - spent()) // max(to_come, _FAIR)
                common[evidence] = _known(eyes, entry, true, alike, most=most)
            to_come -= 1
            known = common[evidence]
            if known is None:
                if not entry:
                    raise TooLarge(_TOO_MUCH)
                before = moments[seat][-1]
                certain = before.certain or _certain(eyes, entry, end=end)
                known = before._replace(cost=None, certain=certain)
            moments[seat].append(known)
    return moments


def _known(
    eyes: _SeatEyes, entry: int, true: list[int], alike: dict[Openings, _Known], *, most: int
) -> _Known | None:
    """
    Return what a seat knew after an entry, if that costs no more than `most`.

    `alike` has what was known where as much was open; more is added.
    """
    begun = spent()
    memory = min(MEMORY, _BYTES * most)
    upto = eyes.deduction.knowledge.upto(entry)
    with suppress(TooLarge), limited(most):
        spend(_ENTRY_WORK + _CLAUSE_WORK * len(upto.clauses))
        possible = eyes.deduction.possible(entry)
        open_part = openings(upto, possible)
        diagram = None
        if open_part.behaviour:
            places = sum(mask.bit_count() for mask in possible)
            if places <= _TRIED_AGAIN * eyes.refused:
                eyes.refused = places
                with suppress(TooLarge):
                    diagram = Diagram(open_part, memory=min(memory, MEMORY_WITH_BEHAVIOUR))
                    eyes.refused = inf
            if diagram is None:
                open_part = openings(replace(upto, behaviour=()), possible)
        plain = bool(upto.behaviour) and not open_part.behaviour and memory < MEMORY_WITH_BEHAVIOUR
        same = open_part if open_part.behaviour else open_part._replace(levels=())
        if same not in alike:
            diagram = diagram or Diagram(open_part, memory=memory)
            posterior = solutions(diagram, upto.layout)
            right = (posterior.cards == true).all(axis=1)
            alike[same] = _Known(
                deals=diagram.count(),
                bits=rounded(posterior.bits),
                chance=rounded(float(posterior.probability[right].sum())),
                certain=len(posterior.probability) == 1,
                cost=spent() - begun,
            )
        return alike[same]._replace(plain=plain)
    return None


def _certain(eyes: _SeatEyes, entry: int, *, end: int) -> bool:
    """Return whether the solution was certain after an entry, if that can be told up to `end`."""
    layout = eyes.deduction.knowledge.layout
    with suppress(TooLarge), limited(end - spent()):
        possible = eyes.deduction.possible(entry)
        inside = sum(1 << card for card, at in enumerate(possible) if at >> layout.envelope & 1)
        return all((inside & category).bit_count() == 1 for category in layout.categories)
    return False


def _weighed(
    seen: Mapping[str, _SeatEyes],
    moments: Mapping[str, Sequence[_Known]],
    choices: Mapping[int, InReach],
    *,
    sample: int,
    seed: int,
    end: int,
) -> dict[str, dict[int, WeighedSuggestion]]:
    """
    Return for each seat its suggestions by entry, weighed by its notes.

    Those that may cost least come first, as far as it costs no more than up to `end`.
    """
    weighed: dict[str, dict[int, WeighedSuggestion]] = {seat: {} for seat in seen}
    costs = []
    for entry, seat, cards in _asked(seen):
        known = moments[seat][entry - 1]
        if known.cost is not None and not known.plain:
            costs.append((known.cost, entry - 1, seat, cards))
    for _, before, seat, cards in sorted(costs):
        step()
        with suppress(TooLarge), limited(end - spent()):
            proved = _proved(moments[seat])
            nothing_left = proved is not None and proved <= before
            advising = Adviser(
                seen[seat].table,
                seen[seat].observations,
                seen[seat].deduction,
                viewer=seat,
                upto=before,
                rng=np.random.default_rng((seed, before)),
                sample=FEWEST if nothing_left else sample,
            )
            weighed[seat][before + 1] = advising.weighed(cards, choices.get(before + 1))
            seen[seat].deduction.let_go()
    return weighed


def _asked(seen: Mapping[str, _SeatEyes]) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Yield what is to be weighed: the entry, who asked, the cards in order."""
    for seat, eyes in seen.items():
        yield from ((entry, seat, cards) for entry, cards in eyes.suggestions())


def _unweighed(
    moments: Mapping[str, Sequence[_Known]],
    seen: Mapping[str, _SeatEyes],
    weighed: Sequence[SuggestionReview],
    unjudged: Sequence[int],
) -> Iterator[Unweighed]:
    """Yield what was too much to weigh."""
    plain = [seat for seat, known in moments.items() if any(moment.plain for moment in known)]
    if plain:
        yield Unweighed(kind="behaviour", seats=tuple(plain))
    for seat, known in moments.items():
        missing = [entry for entry, moment in enumerate(known) if moment.cost is None]
        if missing:
            yield Unweighed(kind="notes", seats=(seat,), entries=tuple(missing))
    asked = {entry for entry, _, _ in _asked(seen)}
    left = asked - {suggestion.entry for suggestion in weighed}
    if left:
        yield Unweighed(kind="questions", entries=tuple(sorted(left)))
    if unjudged:
        yield Unweighed(kind="verdicts", entries=tuple(unjudged))


def _suggestions(
    table: Table,
    observations: tuple[observed.Observation, ...],
    notes: Mapping[str, verdicts.SeatNotes],
) -> Iterator[SuggestionReview]:
    """Yield the suggestions of the seats that were still in, in the order of the entries."""
    for entry, observation in enumerate(observations, 1):
        if not isinstance(observation, observed.Suggestion):
            continue
        own = notes[observation.by]
        cards = _in_order(observation.cards, table)
        tells = _heard(table, observation) and _cards_seen(observation)
        if entry not in own.weighed:
            continue
        gain, best, best_gain, within = own.weighed[entry]
        accuracy, error = 1.0, 0.0
        if best_gain.bits > _NOTHING:
            accuracy = min(1.0, max(0.0, gain.bits / best_gain.bits))
            error = min(1.0, hypot(gain.error, accuracy * best_gain.error) / best_gain.bits)
        lost = best_gain.bits - gain.bits
        yield SuggestionReview(
            entry=entry,
            seat=observation.by,
            cards=cards,
            gain=gain.bits,
            error=gain.error,
            best=best,
            best_gain=best_gain.bits,
            within=within,
            accuracy=accuracy,
            accuracy_error=error,
            luck=own.timeline[entry].gained - gain.bits if tells else None,
            label=label_of(lost, 0.0 if best == cards else hypot(gain.error, best_gain.error)),
        )


def _seat(
    table: Table,
    observations: tuple[observed.Observation, ...],
    seat: str,
    own: verdicts.SeatNotes,
    *,
    suggestions: Sequence[SuggestionReview],
    held: tuple[str, ...] | None,
) -> SeatReview:
    """Return the game as one seat saw it."""
    mine = [suggestion for suggestion in suggestions if suggestion.seat == seat]
    count = len(mine)
    whole = _whole(table, observations, seat)
    over = next(iter(_right_at(observations)), len(observations) + 1)
    accuracy = sum(suggestion.accuracy for suggestion in mine) / count if count else None
    error = hypot(*(suggestion.accuracy_error for suggestion in mine)) / max(count, 1)
    known = [suggestion.luck for suggestion in mine if suggestion.luck is not None]
    luck = sum(known) if known else None
    accuracy_range = luck_range = None
    if count and accuracy is not None:
        accuracy_range = max(0.0, accuracy - 2 * error), min(1.0, accuracy + 2 * error)
        if luck is not None and len(known) == count:
            off = _LUCK_SPREAD * hypot(*(suggestion.error for suggestion in mine))
            luck_range = luck - off, luck + off
    return SeatReview(
        seat=seat,
        whole=whole,
        proved=own.proved,
        even=own.even,
        timeline=own.timeline,
        told=own.proved is not None and over <= own.proved,
        accuracy=accuracy,
        accuracy_error=error,
        accuracy_range=accuracy_range,
        luck=luck,
        luck_range=luck_range,
        dealt=_luck_of_the_deal(table, held) if held else None,
        others=sum(
            moment.gained
            for moment, observation in zip(own.timeline[1:over], observations, strict=False)
            if getattr(observation, "by", seat) != seat
            and not isinstance(observation, observed.Knowing)
        ),
    )


def _held(
    table: Table, observations: tuple[observed.Observation, ...], seat: str
) -> tuple[str, ...] | None:
    """Return the hand of a seat, if an entry before the first turn has it; `None` if not."""
    if table.size_bounds()[table.seats.index(seat)][0] == 0:
        return ()
    for observation in observations:
        match observation:
            case observed.Hand(seat=owner, cards=cards):
                if owner == seat:
                    return cards
            case _ if not observation.sight.owner:
                return None
    return None


def _luck_of_the_deal(table: Table, hand: Sequence[str]) -> float:
    """Return the bits of the solution that a hand tells, less those of a random one of its size."""
    kinds = [
        [card.name for card in kind.cards if card.name not in table.face_up]
        for kind in table.edition.category
    ]
    every = sum(map(len, kinds)) - len(kinds)
    size = len(hand)
    lucky = 0.0
    for kind in kinds:
        mine = sum(card in hand for card in kind)
        others = len(kind) - 1
        lucky -= log2(len(kind) - mine)
        for held in range(min(size, others) + 1):
            chance = comb(others, held) * comb(every - others, size - held) / comb(every, size)
            lucky += chance * log2(len(kind) - held)
    return lucky


def _whole(table: Table, observations: tuple[observed.Observation, ...], seat: str) -> bool:
    """Whether the record holds all that a seat saw, its hand before the first turn."""
    dealt = table.size_bounds()[table.seats.index(seat)] == (0, 0)
    for observation in observations:
        match observation:
            case observed.Hand(seat=owner):
                dealt = dealt or owner == seat
                continue
            case _ if observation.sight.owner:
                continue
            case observed.Suggestion(by=by) | observed.Finger(by=by):
                complete = _heard(table, observation) and (by != seat or _cards_seen(observation))
            case observed.Question(by=by, answer=reply, card=card):
                complete = reply == "passes" or (
                    reply == "shows" and (by != seat or card is not None)
                )
            case observed.Look(by=by, card=card):
                complete = by != seat or card is not None
            case observed.Peek(by=by, feature=feature):
                complete = by != seat or feature is not None
            case observed.Reveal(to=to, card=card):
                complete = to != seat or card is not None
            case _:
                complete = True
        if not (complete and dealt):
            return False
    return dealt


def _heard(table: Table, suggestion: observed.Suggestion | observed.Finger) -> bool:
    """Whether the record holds all answers to a suggestion."""
    answers = suggestion.answers
    if any(answer.answer == "unheard" for answer in answers):
        return False
    return len(answers) == len(table.seats) - 1 or (bool(answers) and not table.everyone_shows)


def _cards_seen(suggestion: observed.Suggestion | observed.Finger) -> bool:
    """Whether the record says which cards the asker was shown."""
    return all(answer.card is not None for answer in suggestion.answers if answer.answer == "shows")
