"""
All errors of the program, in one tree.

    ClueError
    ├── EditionError     an edition file that cannot be used
    ├── SetupError       a table that cannot be: seats, sizes, cards on the table
    ├── ArgumentError    an argument of a call that cannot be used; a `ValueError` too
    ├── NotationError    a line that cannot be read, with the place in the line
    ├── RecordError      a file that cannot be read as a record, with the line
    ├── Contradiction    a log whose entries cannot all be true
    ├── Impossible       a supposition that the log rules out
    ├── TooLarge         a question beyond what the deal diagram may hold
    └── MissingExtra     a library that a plain installation does not have

A message says what was expected, what was found, and the nearest correct alternative. The same
facts are attributes, so that each user interface can show them in its own way. Errors can be
pickled and copied.
"""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from importlib import import_module
from types import ModuleType
from typing import Any

WIDEST = 100
"""The most characters of a line that a message quotes."""


_JOINED = re.compile(r"(?<=[^\w\s])\u200d(?=[^\w\s])")
"""The joiner between emoji that form one picture, such as a family."""


def is_printable(text: str) -> bool:
    """
    Return whether all characters of a text are visible; spaces and joined emoji count as visible.

    >>> [is_printable(text) for text in ("Ann", "\U0001f468\u200d\U0001f467", "A\u200dnn")]
    [True, True, False]
    """
    return _JOINED.sub("", text).isprintable()


def printable(text: str, *, most: int = 60) -> str:
    """
    Return a typed text as one line for a message, with any invisible characters escaped.

    A text of more than `most` characters is shortened. Names at a table and in an edition are never
    escaped, because both refuse names with invisible characters.

    >>> print(printable("Ann" + chr(27) + "[31m"))
    Ann\\x1b[31m
    """
    clipped = text if len(text) <= most else text[: most - 1] + "…"
    if is_printable(clipped):
        return clipped
    return "".join(
        mark if mark.isprintable() else mark.encode("unicode_escape").decode() for mark in clipped
    )


def listed(names: Iterable[str], last: str = "and") -> str:
    """
    Return a list of names for a sentence; the word `last` joins the last two.

    >>> listed(["Plum", "Rope", "Hall"], "or")
    'Plum, Rope or Hall'
    """
    *most, final = tuple(names) or ("",)
    return f"{', '.join(most)} {last} {final}" if most else final


def sentences(*clauses: str) -> str:
    """
    Return clauses as sentences in one text; empty clauses are left out.

    >>> sentences("Ann passes", "", "that is all.")
    'Ann passes. That is all.'
    """
    return " ".join(f"{each[0].upper()}{each[1:].rstrip('.')}." for each in clauses if each)


def counted(number: int, noun: str) -> str:
    """
    Return a number with its noun, in the plural if needed.

    >>> counted(1, "entry"), counted(2, "entry"), counted(0, "player")
    ('1 entry', '2 entries', '0 players')
    """
    return f"{number} {plural(noun, number)}"


def plural(noun: str, number: int = 2) -> str:
    """Return a noun in the plural, or in the singular if the number is 1."""
    if number == 1:
        return noun
    if noun.endswith("x"):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """
    Return the message for an unknown name.

    It suggests the nearest of the `known` names, or lists them all if none is near. `kind` is what
    the message calls such a name: `key`, `card`.

    >>> print(unknown("key", "titel", ["title", "note"]))
    unknown key 'titel'; did you mean 'title'?
    """
    return f"unknown {kind} '{printable(name)}'{name_hint(name, known)}"


def name_hint(name: str, known: Iterable[str]) -> str:
    """
    Return the end of a message about an unknown name, which helps to correct the name.

    It suggests the nearest known name, or lists all known names if none is near. It is empty if no
    names are known.
    """
    folded = {each.casefold(): each for each in known}
    if near := get_close_matches(name[:100].casefold(), folded, n=1, cutoff=0.6):
        return f"; did you mean '{printable(folded[near[0]])}'?"
    return f"; expected one of {', '.join(map(printable, folded.values()))}" if folded else ""


def system_reason(error: Exception) -> str:
    """Return why an operation of the system failed, in its words; for other errors their text."""
    return (isinstance(error, OSError) and error.strerror) or str(error)


def named_entries(entries: Sequence[int]) -> str:
    """Return the numbers of entries for a sentence: `entries 1, 2 and 5`."""
    return f"{plural('entry', len(entries))} {listed(map(str, entries))}"


def with_caret(line: str, column: int, *, widest: int = WIDEST) -> str:
    """
    Return a line with a caret under the character at `column`, as two lines of text.

    The column is counted from 0. A line of more than `widest` characters is shortened to the part
    around it; invisible characters are escaped.

    >>> print(with_caret("Ann suggests plmu", 13))
    Ann suggests plmu
                 ^
    """
    column = max(0, min(column, len(line)))
    start = max(0, min(column - widest // 2, len(line) - widest))
    before = printable(line[start:column], most=widest)
    if start > 0:
        before = "…" + before
    rest = line[column : start + widest]
    if start + widest < len(line):
        rest += "…"
    return f"{before}{printable(rest, most=widest + 1)}\n{' ' * len(before)}^"


class ClueError(Exception):
    """
    An error that a person can cause and fix; its text is a message for that person.

    Attributes:
        reason: What is wrong; the message says where, too.
        argument: The Python argument that is wrong or missing; empty if none is.
        key: The key of a header or of an edition's file that is at fault; empty if none is.

    >>> from clue_solver import ClueError, load
    >>> try:
    ...     load("missing.clue")
    ... except ClueError as error:
    ...     print(error)
    missing.clue: cannot read the record: No such file or directory
    """

    def __init__(
        self, message: str = "", *, reason: str = "", key: str = "", argument: str = ""
    ) -> None:
        self.reason = reason or message
        self.key = key
        self.argument = argument
        super().__init__(message)

    def __reduce__(self) -> tuple[Any, ...]:
        # By default, a copy calls the class with `args`, the message, which may not fit.
        return _restore_error, (type(self), self.args, self.__dict__)


def _restore_error(
    kind: type[ClueError], args: tuple[Any, ...], facts: dict[str, Any]
) -> ClueError:
    """Rebuild an error from a pickle or a copy: its class, its message and its attributes."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(facts)
    return error


class EditionError(ClueError):
    """
    An edition that does not exist, or a file that does not describe one.

    Attributes:
        path: The file or the name of the edition.
        key: The place in the file, such as `category[0].cards[2].name`; empty for the whole file.

    >>> from clue_solver import EditionError, load_edition
    >>> try:
    ...     load_edition("clue-clasic")
    ... except EditionError as error:
    ...     print(error)
    there is no edition and no file called 'clue-clasic'; did you mean 'clue-classic'?
    """

    def __init__(self, message: str, *, path: str = "", key: str = "") -> None:
        self.path = path
        where = [printable(part, most=200) for part in (path, key) if part]
        super().__init__(": ".join((*where, message)), reason=message, key=key)


class SetupError(ClueError):
    """
    An impossible table: too many seats, a name twice, sizes that do not add up.

    >>> from clue_solver import Table, load_edition
    >>> Table(edition=load_edition("clue-classic"), seats=("Ann", "Ann"))
    Traceback (most recent call last):
    clue_solver.errors.SetupError: players: 'Ann' is a player already
    """


class ArgumentError(ClueError, ValueError):
    """
    An argument that cannot be used: an entry beyond the last, an unknown policy.

    >>> from clue_solver import load
    >>> load("examples/classic.clue").report(upto=99)
    Traceback (most recent call last):
    clue_solver.errors.ArgumentError: the record has 18 entries; found 99
    """


class NotationError(ClueError):
    """
    A line that cannot be read.

    Attributes:
        reason: What was expected, what was found and the nearest correct alternative, in words.
        line: The line as it was typed.
        column: The column in the line where the error starts, counted from 0.
        nearest: What may have been meant, likeliest first.
        misspelt: The word at the column, if it is unknown; empty if the fault is another.

    >>> from clue_solver import NotationError, load
    >>> try:
    ...     load("examples/classic.clue").suppose("Ben has Plmu")
    ... except NotationError as error:
    ...     print(error.column, error.misspelt, error.nearest)
    8 Plmu ('Plum',)
    """

    def __init__(
        self,
        reason: str,
        *,
        line: str = "",
        column: int = 0,
        nearest: tuple[str, ...] = (),
        misspelt: str = "",
    ) -> None:
        self.line = line
        self.column = column
        self.nearest = nearest
        self.misspelt = misspelt
        super().__init__(reason)


class RecordError(ClueError):
    """
    A file that cannot be read as a game record.

    Attributes:
        path: The path of the file, as it was given.
        number: The number of the line in the file, counted from 1; 0 for the file as a whole.

    >>> from clue_solver import RecordError, parse_record
    >>> try:
    ...     parse_record("players: Ann, Ben")
    ... except RecordError as error:
    ...     print(error.number, error)
    0 this is not a game: its header names no edition; found no more lines
    """

    def __init__(
        self, message: str, *, path: str = "", number: int = 0, argument: str = ""
    ) -> None:
        self.path = path
        self.number = number
        where = printable(path, most=200)
        if number:
            where = f"{where}:{number}" if path else f"line {number}"
        told = f"{where}: {message}" if where else message
        super().__init__(told, reason=message, argument=argument)


class Contradiction(ClueError):
    """
    A log whose entries cannot all be true.

    Attributes:
        entries: The numbers of a smallest set of entries that cannot all be true; empty if the
            header alone allows no deal.
        minimum: Whether it is proved that no smaller set exists. If not, the proof took too long.

    >>> from clue_solver import Game, load
    >>> from clue_solver.rules.observations import Reveal
    >>> wrong = Reveal(seat="Ben", card="Hall")
    >>> game = Game(load("examples/classic.clue").record.upto(2).append(wrong))
    >>> game.report().probability("Hall", "Ben")
    Traceback (most recent call last):
    clue_solver.errors.Contradiction: entries 2 and 3 can't both be true
    """

    def __init__(self, entries: tuple[int, ...], *, minimum: bool = True) -> None:
        self.entries = entries
        self.minimum = minimum
        if not entries:
            super().__init__("no deal fits the header: check its players, hand sizes and cards")
        elif len(entries) == 1:
            super().__init__(f"entry {entries[0]} can't be true at this table")
        else:
            many = "both" if len(entries) == 2 else "all"
            super().__init__(f"{named_entries(entries)} can't {many} be true")


class Impossible(ClueError):
    """
    A supposition that the log rules out.

    Attributes:
        supposed: The suppositions, as lines.
        entries: A smallest set of entries that rule out the suppositions, by number; empty if no
            entry is needed for that.
        notes: What else rules them out, besides the entries, as text.

    >>> from clue_solver import load
    >>> load("examples/classic.clue").suppose("Ben has Hall").report()
    Traceback (most recent call last):
    clue_solver.errors.Impossible: 'Ben has Hall' cannot be true: entry 2 rules it out
    """

    def __init__(self, supposed: tuple[str, ...], entries: tuple[int, ...], *notes: str) -> None:
        self.supposed = supposed
        self.entries = entries
        self.notes = notes
        why = "no deal at this table allows it"
        if entries or notes:
            rule = "rules" if len(entries) == 1 and not notes else "rule"
            causes = [named_entries(entries), *notes] if entries else notes
            why = f"{listed(causes, 'and')} {rule} it out"
        super().__init__(f"'{printable(' and '.join(supposed), most=200)}' cannot be true: {why}")


class TooLarge(ClueError):
    """A question that would take too much memory or too much work."""


class MissingExtra(ClueError):
    """
    An optional library that is not installed.

    Attributes:
        library: The name of the library.
        extra: The extra of clue-solver that installs it.

    >>> MissingExtra("pandas", extra="notebook").library
    'pandas'
    >>> print(MissingExtra("pandas", extra="notebook"))
    this needs pandas: pip install 'clue-solver[notebook]'
    """

    def __init__(self, library: str, *, extra: str) -> None:
        self.library = library
        self.extra = extra
        super().__init__(f"this needs {library}: pip install 'clue-solver[{extra}]'")


def import_extra(module: str, *, extra: str = "notebook") -> ModuleType:
    """
    Import and return a module of an optional library.

    Raises:
        MissingExtra: If the library is not installed.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError:
        raise MissingExtra(module.partition(".")[0], extra=extra) from None
