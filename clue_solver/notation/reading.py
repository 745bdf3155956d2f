"""One meaning of a line: what it says, and what it leaves out."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from msgspec import Struct
from msgspec.structs import asdict, replace

from clue_solver.errors import NotationError, printable
from clue_solver.notation.canonical import format_beginning, format_line
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.notation.names import Names, joined
from clue_solver.notation.places import Gap, Places
from clue_solver.notation.scan import Token, scan
from clue_solver.rules.observations import Event, Observation, kinds
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState


class Fault(NamedTuple):
    """
    Why one interpretation of a line was rejected.

    Faults compare by (fits, column): a meaningless line outranks a misplaced word; ties go to the
    rightmost.

    Attributes:
        fits: Whether all words fit.
        column: The place in the line.
        reason, nearest: As in a `NotationError`.
    """

    fits: bool
    column: int
    reason: str
    nearest: tuple[str, ...] = ()


class Reading(Struct, frozen=True):
    """
    One meaning of a line.

    Attributes:
        kind: The kind of observation.
        fields: What the line says of it.
        line: The line, without its comment.
        table, state: The table, and what the earlier lines mean.
        comment: The text after `#`.
        observation: The complete one, in its canonical form; `None` while something is left out.
        gaps: What is left out: of most lists a gap for each name that is missing, of a hand one.
        guessed: The player assumed to act when the line names none.
        unseen: Who shows a card that it leaves out on purpose: `Cat shows ?`, `Cat ?`.
        unheard: Whether it was typed with `?` at its end: what may follow is left out on purpose.
        explicit: The seats whose answers the line gives, without implied passes; `None` for a line
            in canonical form, in which those are filled in.
        late: Whether it adds its answers to an open suggestion.
        by_order: Whether cards that are named without a role get the roles in their order.
        slip: The first word that is a slip of what it is read as.
    """

    kind: type[Event]
    fields: Mapping[str, Any]
    line: str
    table: Table
    state: TurnState
    comment: str = ""
    observation: Observation | None = None
    gaps: tuple[Gap, ...] = ()
    guessed: str | None = None
    unseen: frozenset[str] = frozenset()
    unheard: bool = False
    explicit: frozenset[str] | None = None
    late: bool = False
    by_order: bool = False
    slip: Token | None = None

    @property
    def whole(self) -> Observation:
        """The complete observation, if nothing is left out."""
        assert self.observation is not None
        return self.observation

    @property
    def gap(self) -> Gap | None:
        """The first thing that is left out; `None` if nothing is."""
        return self.gaps[0] if self.gaps else None

    @property
    def text(self) -> str:
        """What it tells, as a canonical line; what it leaves out is missing there."""
        if self.observation is not None:
            return format_line(self.observation, self.table)
        return format_beginning(self.kind, self.fields, self.table)

    def filled(self, name: str) -> "Reading":
        """
        Return the reading with a name in its gap: complete, but for a hand that needs more.

        Raises:
            InvalidObservation: If that has no meaning at the table.
        """
        places = Places(self.table, self.state)
        return self.with_fields(places.filled(self.fields, self.gaps[0].field, name))

    def with_fields(self, fields: Mapping[str, Any]) -> "Reading":
        """
        Return the reading with other fields, its observation and its gaps worked out anew.

        Raises:
            InvalidObservation: If they have no meaning at the table.
        """
        places = Places(self.table, self.state)
        gaps = tuple([gap for gap in places.gaps(self.kind, fields) if gap.needed])
        whole = None if gaps else cast(Observation, places.checked(self.kind(**fields)))
        return replace(self, fields=fields, observation=whole, gaps=gaps)


def the_one(found: Sequence[Reading], line: str) -> Observation:
    """
    Return the single observation; raise instead of asking.

    Raises:
        NotationError: If it is not one, leaves something out, or has a slip in it.
    """
    likely = the_likely(found)
    if likely is None:
        raise why_not(found, line)
    if likely.slip is not None:
        raise unknown_word(likely.slip, likely.table, line)
    return likely.whole


def the_likely(found: Sequence[Reading]) -> Reading | None:
    """Return the only complete reading, or the one that gives roles in order; else `None`."""
    likely = [one for one in found if one.by_order] or found
    return likely[0] if len(likely) == 1 and likely[0].observation is not None else None


def why_not(found: Sequence[Reading], line: str) -> NotationError:
    """Return the error for an incomplete or ambiguous line."""
    ways = tuple([one.text for one in found])
    for token in scan(found[0].line, lexicon_of(found[0].table)):  # one word, if it is only that
        names = dict.fromkeys(token.names)
        meant = tuple([name for name in names if any(name in way for way in ways)])
        if len(meant) == len(ways) > 1:
            reason = f"'{printable(token.text)}' can be {joined(meant)}"
            return NotationError(reason, line=line, column=token.column, nearest=meant)
    gap = found[0].gap
    if gap is not None:
        reason = f"expected {gap.expected}; found nothing"
        column = end_of(found[0].line)
        return NotationError(reason, line=line, column=column, nearest=gap.names[:12])
    reason = " or ".join([f"'{printable(text, most=120)}'" for text in ways[:3]])
    return NotationError(f"this can be {reason}", line=line, nearest=ways)


def end_of(line: str) -> int:
    """Return where a line ends, ignoring trailing punctuation after which more may be said."""
    return len(line.rstrip(" ,:;>?"))


def unknown_word(token: Token, table: Table, line: str, *, rolls: bool = False) -> NotationError:
    """Return what is wrong with a word of a line that is nothing, or a slip; of dice, a face."""
    lexicon = lexicon_of(table)
    if rolls and lexicon.faces.names:
        return lexicon.faces.error_for(token.text, line=line, column=token.column)
    verbs = [kind.form.verb for kind in kinds() if kind.form.subject]
    seats, cards = lexicon.seats, lexicon.things
    words = (*seats.names, *cards.names, *verbs, "right", "wrong", "passes", "shows")
    every = Names("word", dict.fromkeys(words))
    near = every.nearest(token.text)
    for names in (cards, seats):
        if near and near[0] in names:
            return names.error_for(token.text, line=line, column=token.column)
    expected = f"expected a player, a card, or a word such as {words[-1]}"
    hint = f"did you mean '{near[0]}'?" if near else expected
    reason = f"unknown word '{printable(token.text)}'; {hint}"
    return NotationError(reason, line=line, column=token.column, nearest=near)


def reading_of(
    observation: Observation,
    table: Table,
    *,
    unseen: frozenset[str] = frozenset(),
    unheard: bool = False,
) -> Reading:
    """
    Return an observation as if its line had been read.

    Args:
        observation: In its canonical form.
        table: The table at which it was made.
        unseen: Who shows a card that is left out on purpose.
        unheard: Whether what it lacks at its end is left out on purpose.
    """
    line = format_line(observation, table)
    if unseen:
        shows = (": shows", *(f"{seat} shows" for seat in unseen))
        texts = [f"{text} ?" if text.endswith(shows) else text for text in line.split(", ")]
        line = ", ".join(texts)
    elif unheard and observation.form.tail is not None and ": " not in line:
        line = f"{line}: ?"
    return Reading(
        type(observation),
        asdict(observation),
        line,
        table,
        TurnState(),
        observation=observation,
        unseen=unseen,
        unheard=line.endswith("?"),
    )
