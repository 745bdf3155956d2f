"""
The complete log of a table, which contains what all its pages have logged.

Each page sees only a part of it. If it changes that part, the complete log is changed in the same
way. What only other players saw of a changed entry is kept if it still fits.
"""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

from msgspec.structs import replace

from clue_solver.game.game import shared_beginning
from clue_solver.knowledge.sight import seen
from clue_solver.record.contents import Entry, Record
from clue_solver.rules.observations import Answer, Inquiry, Observation
from clue_solver.rules.table import Table


def public_of(observation: Observation, table: Table) -> Observation | None:
    """Return what everybody notices of an observation; `None` if only its own player notices it."""
    return seen(observation, table=table, viewer=None)


def shown_cards(observation: Observation) -> dict[str | None, str]:
    """
    Return the cards of an observation that not everybody sees, by the seat that showed each.

    An observation without answers, such as a look, has at most one such card, under `None`.
    """
    hidden = observation.sight.hidden
    known: Any = getattr(observation, hidden) if hidden else None
    if isinstance(known, tuple):
        return {each.seat: each.card for each in known if each.card}
    return {None: known} if known else {}


def seen_by(whole: Record, seat: str | None, *, everything: bool = False) -> Record:
    """
    Return the part of the complete log that a seat has seen.

    Args:
        whole: The complete log.
        seat: The seat; `None` for what everybody has seen.
        everything: Whether all of the log is seen, because the cards are revealed or there is only
            one page.
    """
    table = replace(whole.table, viewer=seat or whole.table.viewer)
    if everything:
        return replace(whole, table=table)
    shares = [(seen(each.observation, table=table, viewer=seat), each) for each in whole.entries]
    entries = tuple(replace(each, observation=share) for share, each in shares if share is not None)
    return replace(whole, table=table, entries=entries)


def with_change(whole: Record, before: Record, after: Record) -> Record:
    """
    Return the complete log after a page has changed the part that it sees.

    Args:
        whole: The complete log so far.
        before: The part that the page saw.
        after: That part with the changes.
    """
    seat = before.table.viewer
    places = [
        place
        for place, each in enumerate(whole.entries)
        if seen(each.observation, table=before.table, viewer=seat) is not None
    ]
    entries = [*whole.entries]
    runs = [*changed_runs(before.entries, after.entries)]
    for old, old_end, new, new_end in reversed(runs):  # earlier places stay the same
        new_entries = after.entries[new:new_end]
        if old_end - old == new_end - new:
            for number, entry in enumerate(new_entries, old):
                place = places[number]
                told = _with_unseen(entries[place], before.entries[number], entry)
                remarks = entry if seat is None else entries[place]
                entries[place] = replace(remarks, observation=told)
        else:
            place = places[old] if old < len(places) else len(entries)
            for gone in reversed(places[old:old_end]):
                del entries[gone]
            entries[place:place] = new_entries
    if seat is not None:
        return replace(whole, entries=tuple(entries))
    return replace(after, entries=tuple(entries))


def changed_runs(
    before: Sequence[Entry], after: Sequence[Entry]
) -> Iterator[tuple[int, int, int, int]]:
    """
    Yield each run of consecutive entries that differ.

    A run is given by four indices: where it begins and ends in `before`, then in `after`.
    """
    first = shared_beginning(before, after)
    old, new = before[first:], after[first:]
    matcher = SequenceMatcher(
        None, [each.observation for each in old], [each.observation for each in new], autojunk=False
    )
    for tag, old_begin, old_end, new_begin, new_end in matcher.get_opcodes():
        if tag != "equal":
            yield first + old_begin, first + old_end, first + new_begin, first + new_end
            continue
        for at in range(old_end - old_begin):  # the comment may be another one
            if old[old_begin + at] != new[new_begin + at]:
                places = first + old_begin + at, first + new_begin + at
                yield places[0], places[0] + 1, places[1], places[1] + 1


def _with_unseen(whole: Entry, before: Entry, after: Entry) -> Observation:
    """
    Return the observation of an entry that a page changed, with what only others have seen of it.

    Args:
        whole: The complete entry so far.
        before: The part that the page saw.
        after: That part with the changes.
    """
    told = after.observation
    hidden = told.sight.hidden
    if not hidden or type(whole.observation) is not type(told):
        return told
    had, every = shown_cards(before.observation), shown_cards(whole.observation)
    kept = {seat: card for seat, card in every.items() if seat not in had}
    if isinstance(told, Inquiry):
        cards = told.cards if told.by == whole.observation.actor else ()
        answers: tuple[Answer, ...] = getattr(told, hidden)
        filled = tuple(
            replace(each, card=kept[each.seat])
            if each.answer == "shows" and each.card is None and kept.get(each.seat) in cards
            else each
            for each in answers
        )
        return replace(told, **{hidden: filled})
    if kept and replace(whole.observation, **{hidden: None}) == told:
        return whole.observation
    return told
