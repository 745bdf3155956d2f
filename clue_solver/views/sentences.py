"""
What is said while a game is logged: what a step back or forth did, why a game is over, what another
program wrote to its file.
"""

from clue_solver.conversation.session import Change, Ending, Outside
from clue_solver.notation import format_line
from clue_solver.record import Entry
from clue_solver.rules.table import Table


def entry_text(entry: Entry, table: Table) -> str:
    """
    Return an entry as a line that may be typed: with its comment.

    >>> from clue_solver.rules.edition import load_edition
    >>> from clue_solver.rules.observations import Skip
    >>> table = Table(edition=load_edition("clue-classic"), seats=("Ann", "Ben", "Cat"))
    >>> entry_text(Entry(observation=Skip(by="Ann"), comment="late"), table)
    'Ann skips # late'
    """
    line = format_line(entry.observation, table)
    return f"{line} # {entry.comment}" if entry.comment else line


def undone_text(change: Change, table: Table) -> str:
    """Return what going back did: the entry that is gone, or what is again as it was."""
    if change.kind == "removed" and isinstance(change.before, Entry):
        return _numbered(change, "", change.before, table)
    return _stands(change, table, now=("there again", "again", "are again"))


def redone_text(change: Change, table: Table) -> str:
    """Return what going forth did once more."""
    if change.kind == "removed" and isinstance(change.before, Entry):
        return _numbered(change, "is taken out", change.before, table)
    return _stands(change, table, now=("", "now", "are"))


def _stands(change: Change, table: Table, *, now: tuple[str, str, str]) -> str:
    """Return what stands after a change, in the words for an entry added, one replaced, a list."""
    added, replaced, listed = now
    match change.after:
        case Entry() if change.kind == "added":
            return _numbered(change, f"is {added}" if added else "", change.after, table)
        case Entry():
            return _numbered(change, f"is {replaced}", change.after, table)
        case Table() if change.kind == "seats":
            return f"the players {listed} {', '.join(change.after.seats)}"
        case Table() if change.kind == "hands":
            return f"the hand sizes {listed} {sizes_text(change.after) or 'not recorded'}"
    return "the header"


def _numbered(change: Change, what: str, entry: Entry, table: Table) -> str:
    number = f"{change.entry} {what}".rstrip()
    more = f" and {change.more} more" if change.more else ""
    return f"{number}  {format_line(entry.observation, table)}{more}"


def sizes_text(table: Table) -> str:
    """Return the hand sizes as they are typed: `?` for one unknown, empty for none recorded."""
    return ", ".join("?" if size is None else str(size) for size in table.hands)


def ending_text(ending: Ending) -> str:
    """Return why a game is over."""
    if ending.won is not None:
        return f"{ending.won.by} has accused rightly: {', '.join(ending.won.cards)}"
    return f"only {ending.left} is left" if ending.left else "nobody is left"


def outside_text(outside: Outside) -> str:
    """Return what another program wrote to the file, and what became of it."""
    if outside.aside is not None:
        return f"what another program wrote to the file is kept in {outside.aside.name}"
    if outside.error is not None:
        return f"another program has changed the file, and it cannot be read now: {outside.error}"
    return (
        f"another program has changed the file; it has been read again, entries: {outside.entries}"
    )
