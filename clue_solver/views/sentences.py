"""Clauses that many sentences share, and short texts about changes of a game that is logged."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from clue_solver.answers.corrections import Correction
from clue_solver.answers.display import percent
from clue_solver.conversation.changes import Change, OutsideChange
from clue_solver.errors import counted, listed
from clue_solver.notation.canonical import format_line
from clue_solver.notation.reading import Reading
from clue_solver.record.contents import Entry
from clue_solver.record.header import format_value
from clue_solver.rules.edition import Edition
from clue_solver.rules.observations import Accusation, Leave, Observation, Suggestion
from clue_solver.rules.table import ENVELOPE, Table

HANDLESS = "Your hand is not in the log yet."
"""The sentence before advice that is worth little without the viewer's hand."""


def card_list(cards: Iterable[str], edition: Edition | None, last: str = "and") -> str:
    """
    Return cards as a sentence lists them, with an article before weapons and rooms.

    Args:
        cards: The cards.
        edition: The edition, which says what is a weapon or a room; `None` for no articles.
        last: The word before the last card.
    """
    things = (*edition.weapons, *edition.rooms) if edition else ()
    return listed((f"the {card}" if card in things else card for card in cards), last)


def subject(who: Collection[str], viewer: str | None) -> str:
    """
    Return seats, or other holders of cards, as the subject of a sentence.

    Args:
        who: The holders.
        viewer: The seat that is called `you`, and comes first; `None` for none.
    """
    others = ["the envelope" if each == ENVELOPE else each for each in who if each != viewer]
    return listed([*(["you"] if viewer in who else ()), *others])


def possessive(who: str, viewer: str | None) -> str:
    """
    Return a player as a possessive: `your` for the viewer, or `Ann's`.

    `viewer` is `None` if nobody is called `you`.
    """
    return "your" if who == viewer else f"{who}'s"


def clause(who: Collection[str], verb: str, viewer: str | None) -> str:
    """
    Return a subject with its verb in the right form.

    Args:
        who: The seats, or other holders of cards.
        verb: The verb in its form after `he`; words may follow it.
        viewer: The seat that is called `you`; `None` for none.

    >>> clause(["Ann"], "has", "Ann"), clause(["Ann", "Ben"], "doesn't have", "Ben")
    ('you have', "you and Ann don't have")
    """
    return f"{subject(who, viewer)} {verb_form(verb, many=len(who) > 1 or viewer in who)}"


def verb_form(verb: str, *, many: bool) -> str:
    """Return a verb as given (`shows`); if `many`, the form after a plural or `you` (`show`)."""
    first, space, rest = verb.partition(" ")
    return f"{_PLURALS.get(first, first.removesuffix('s'))}{space}{rest}" if many else verb


_PLURALS = {
    "has": "have",
    "passes": "pass",
    "is": "are",
    "isn't": "aren't",
    "doesn't": "don't",
    "was": "were",
    "wasn't": "weren't",
}
"""The verbs whose plural does not simply drop the `s`."""


def a_chance(chance: float) -> str:
    """
    Return a chance between 0 and 1 in percent, with its article.

    >>> a_chance(0.08), a_chance(0.81), a_chance(0.07), a_chance(0.18)
    ('an 8% chance', 'an 81% chance', 'a 7% chance', 'an 18% chance')
    """
    number = percent(chance)
    vowel = number.startswith("8") or number in ("11", "18")
    return f"{'an' if vowel else 'a'} {number}% chance"


def entry_text(entry: Entry, table: Table) -> str:
    """
    Return an entry as a line that can be typed, with its comment.

    >>> from clue_solver.rules.edition_files import load_edition
    >>> from clue_solver.rules.observations import Skip
    >>> table = Table(edition=load_edition("clue-classic"), seats=("Ann", "Ben", "Cat"))
    >>> entry_text(Entry(observation=Skip(by="Ann"), comment="late"), table)
    'Ann skips # late'
    """
    line = format_line(entry.observation, table)
    return f"{line} # {entry.comment}" if entry.comment else line


def brief_texts(entries: Iterable[Entry], table: Table) -> Iterator[str]:
    """
    Yield entries in a short form; `?` stands for answers that were not heard.

    >>> from clue_solver import Game, Record, load_edition
    >>> table = Table(edition=load_edition("clue-classic"), seats=("Ann", "Ben", "Cat"))
    >>> game = Game(Record(table=table))
    >>> for line in ("ann plum rope hall: cat hall", "cat leaves", "ben mus lead din: -"):
    ...     game = game.with_entry(line)
    >>> for line in brief_texts(game.record.entries, table):
    ...     print(line)
    Ann Plum Rope Hall → Cat: Hall
    Cat leaves
    Ben Mustard Lead Dining → nobody
    """
    words = {card: card.split()[0] for card in table.cards}
    often = Counter(words.values())
    short = {card: word if often[word] == 1 else card for card, word in words.items()}
    left = set[str]()
    for entry in entries:
        suggested = entry.observation
        if isinstance(suggested, Leave):
            left.add(suggested.by)
        if not isinstance(suggested, Suggestion):
            yield entry_text(entry, table)
            continue
        shown = [answer for answer in suggested.answers if answer.answer == "shows"]
        passed = [answer for answer in suggested.answers if answer.answer == "passes"]
        who = ", ".join(
            f"{shows.seat}: {short[shows.card]}" if shows.card else str(shows.seat)
            for shows in shown
        )
        if not who:
            asked = table.answering(suggested.by, left=left)
            who = "nobody" if len(passed) == len(asked) else "?"
        comment = f" # {entry.comment}" if entry.comment else ""
        cards = " ".join(short[card] for card in suggested.cards)
        yield f"{suggested.by} {cards} → {who}{comment}"


def remark_on(reading: Reading | None) -> str:
    """
    Return a note to print after a line, on what its reading assumed; empty if it assumed nothing.

    >>> from clue_solver.notation.reader import readings
    >>> from clue_solver.rules.edition_files import load_edition
    >>> table = Table(edition=load_edition("clue-diced"), seats=("Leo", "Mia", "Sam"))
    >>> remark_on(readings("mia red blue: sam", table)[0])
    '  (first brains, second brawn)'
    """
    if reading is None or not reading.by_order:
        return ""
    first, second = [category.name for category in reading.table.edition.category]
    return f"  (first {first}, second {second})"


def change_text(done: Change | Correction, table: Table) -> str:
    """Return what a command, an undo or a redo changed in the log or the header, in words."""
    if isinstance(done, Correction):
        return f"{f'entry {done.entry}' if done.entry else 'header'} corrected: {done.after}"
    if isinstance(done.after, Table):
        return header_text(done.kind, done.after)
    entry = done.before if done.kind == "removed" else done.after
    assert isinstance(entry, Entry)
    line = format_line(entry.observation, table)
    line += f" and {done.more} more" if done.more else ""
    return f"{done.entry}{_DONE[done.kind]}: {line}"


_DONE = {"added": "", "removed": " removed", "replaced": " is now"}
"""What is said between the number of a changed entry and its line."""


HEADER = {
    "seats": "players, clockwise",
    "hands": "hand sizes",
    "pieces": "pieces",
    "first": "first player",
    "house": "rules that this table ignores",
}
"""The parts of the header that are changed by commands, with what they are called."""


def header_text(part: str, table: Table) -> str:
    """Return a part of the header in words: its name and value, or what it means."""
    if part == "board":
        return "any room may be suggested" if table.board else "rooms are reached on the board"
    if part not in HEADER:
        return "the header has changed"
    return f"{HEADER[part]}: {header_value(part, table) or 'not recorded'}"


def header_value(part: str, table: Table) -> str:
    """
    Return a part of the header as it is typed, with `?` for each unknown value.

    Empty if the header does not have the part.
    """
    return format_value(table, "players" if part == "seats" else part) or ""


def ending_text(last: Observation) -> str:
    """Return why a game is over, from its last turn."""
    if isinstance(last, Accusation) and last.right:
        return f"{last.by} wins with {', '.join(last.cards)}"
    return "nobody is left"


def outside_text(outside: OutsideChange) -> str:
    """Return a sentence that another program has changed the file, and what was done about it."""
    if outside.aside is not None:
        return f"what another program wrote to the file is kept in {outside.aside.name}"
    if outside.error is not None:
        return f"another program has changed the file, and it cannot be read now: {outside.error}"
    entries = counted(outside.entries or 0, "entry")
    return f"another program has changed the file: it has been read again, and contains {entries}"
