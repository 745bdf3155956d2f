"""
One log of what everybody sees, and over it what one seat alone knows.

The public log is what a spectator sees of a record. A seat's own record is that log with the cards
that this seat saw filled in, and with its hand and what it knows in their places. When the public
log changes, what the seat told is laid over it anew.
"""

from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher

from msgspec.structs import replace

from clue_solver.game import Game
from clue_solver.knowledge.evidence import seen
from clue_solver.record import Entry, Record
from clue_solver.rules.forms import AnswerList
from clue_solver.rules.observations import Answer, Observation
from clue_solver.rules.table import SPECTATOR, Table


def public_of(observation: Observation, table: Table) -> Observation | None:
    """Return what everybody notices of an observation; `None` if nobody else notices it."""
    return seen(observation, table=table, viewer=None)


def public_record(record: Record) -> Record:
    """Return what everybody notices of a game, as nobody's notes."""
    noticed = Game(record).notes_of(SPECTATOR).record
    return replace(noticed, table=replace(record.table, viewer=None))


def with_own(public: Record, own: Record, *, seat: str | None) -> Record:
    """
    Return the public log with what a seat told of its own laid over it.

    Args:
        public: The log of what everybody sees.
        own: The seat's record so far; what it has of the log may be older.
        seat: Whose it is.

    Returns:
        The seat's notes. A card that it saw stays with its entry, also where that was moved, or
        changed so that the card still fits; what it knows besides stays behind the entry that it
        stood behind.
    """
    table = replace(public.table, viewer=seat)
    shares = [public_of(entry.observation, own.table) for entry in own.entries]
    before = [share for share in shares if share is not None]
    after = [entry.observation for entry in public.entries]
    places = dict(_places(before, after))
    noticed, anchor = -1, -1
    filled: dict[int, Entry] = {}
    besides: dict[int, list[Entry]] = {}
    for entry, share in zip(own.entries, shares, strict=True):
        if share is None:
            besides.setdefault(anchor, []).append(entry)
            continue
        noticed += 1
        if (place := places.get(noticed)) is not None:
            anchor = place
            own_part = _filled(after[place], entry.observation, share)
            filled[place] = replace(entry, observation=own_part)
    entries = list(besides.get(-1, ()))
    for place, entry in enumerate(public.entries):
        told = filled.get(place, entry)
        comment = entry.comment or told.comment
        entries.append(replace(entry, observation=told.observation, comment=comment))
        entries.extend(besides.get(place, ()))
    return replace(public, table=table, entries=tuple(entries))


def _runs(
    before: Sequence[Hashable], after: Sequence[Hashable]
) -> Iterator[tuple[int, int, int, int]]:
    """Yield what of an older log became what of a newer one: where both begin and end."""
    first, least = 0, min(len(before), len(after))
    while first < least and before[first] == after[first]:
        first += 1
    yield 0, first, 0, first
    matcher = SequenceMatcher(None, before[first:], after[first:], autojunk=False)
    for _, old, old_end, new, new_end in matcher.get_opcodes():
        yield first + old, first + old_end, first + new, first + new_end


def _places(
    before: Sequence[Observation], after: Sequence[Observation]
) -> Iterator[tuple[int, int]]:
    """Yield where entries of the older log stand in the newer one."""
    for old, old_end, new, new_end in _runs(before, after):
        if old_end - old == new_end - new:
            yield from zip(range(old, old_end), range(new, new_end), strict=True)


def _filled(public: Observation, own: Observation, share: Observation) -> Observation:
    """
    Return a public observation with the cards of the seat's own one, where they still fit.

    `share` is what everybody noticed of the own one, which may be older.
    """
    hidden = public.sight.hidden
    if not hidden or type(public) is not type(own):
        return public
    if share == public:
        return own
    content = getattr(own, hidden)
    match public.form.tail:
        case AnswerList(field=field, asked=asked):
            cards = getattr(public, asked)
            saw = {answer.seat: answer.card for answer in content if answer.card in cards}
            answers: tuple[Answer, ...] = getattr(public, field)
            filled = tuple(
                replace(answer, card=saw.get(answer.seat)) if answer.answer == "shows" else answer
                for answer in answers
            )
            if getattr(public, "by", None) == getattr(own, "by", None):
                return replace(public, **{field: filled})
    return public
