"""One meaning of a line: its observation, and what the line leaves out."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, cast

from msgspec import Struct
from msgspec.structs import asdict, replace

from clue_solver.errors import NotationError, printable
from clue_solver.notation.canonical import format_beginning, format_line
from clue_solver.notation.checks import (
    answered_seats,
    answers_of,
    normalise,
    with_shown_card,
    without_implied,
)
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.notation.names import Names, joined
from clue_solver.notation.places import Gap, Places
from clue_solver.notation.scan import Token, scan
from clue_solver.notation.vocabulary import VERBS
from clue_solver.rules.observations import Answer, Event, Inquiry, Observation, Question
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState

Answerable = Inquiry | Question
"""The observations that later lines may answer."""


class Fault(NotationError):
    """
    Why one interpretation of a line was rejected.

    Faults are compared by `fits`, then by `column`; the greatest one is raised. So words that all
    fit but make no sense count more than a misplaced word, and a fault further right counts more
    than one before it.

    Attributes:
        fits: Whether all words of the line fit a pattern, so that only their meaning is wrong.
    """

    def __init__(
        self,
        fits: bool,
        column: int,
        reason: str,
        nearest: tuple[str, ...] = (),
        misspelt: str = "",
    ) -> None:
        self.fits = fits
        super().__init__(reason, column=column, nearest=nearest, misspelt=misspelt)


class Reading(Struct, frozen=True):
    """
    One meaning of a line.

    Attributes:
        kind: The kind of observation.
        fields: The fields that the line gives.
        line: The line as it was typed, without its comment.
        table: The table at which it was typed.
        state: Whose turn it is and who has left, after the earlier lines.
        comment: The comment after the line's `#`; empty if there is none.
        observation: The observation in canonical form; `None` while the line is incomplete.
        gaps: What the line leaves out: a gap for each missing name of a list, or one gap for a
            whole hand.
        filled: If there is just one gap: the readings that result if it is filled, by the name
            that fills it.
        guessed: The player who is assumed to act because the line names none; `None` if the line
            says who acts.
        unseen: The seats that show a card which the line deliberately does not name: `Cat shows ?`,
            `Cat ?`.
        unheard: Whether the line ends in `?`: any further answers are deliberately left out.
        explicit: The seats whose answers were typed, without implied passes; `None` if that is
            unknown, as for an entry of a file.
        late: The earlier observation to which the line adds answers; `None` if it adds none.
        by_order: Whether cards that were named without their roles got the roles in the order in
            which they were named.
    """

    kind: type[Event]
    fields: Mapping[str, Any]
    line: str
    table: Table
    state: TurnState
    comment: str = ""
    observation: Observation | None = None
    gaps: tuple[Gap, ...] = ()
    filled: Mapping[str, "Reading"] = {}
    guessed: str | None = None
    unseen: frozenset[str] = frozenset()
    unheard: bool = False
    explicit: frozenset[str] | None = None
    late: Answerable | None = None
    by_order: bool = False

    @property
    def whole(self) -> Observation:
        """The observation in canonical form. Only complete readings have one."""
        assert self.observation is not None
        return self.observation

    @property
    def text(self) -> str:
        """The reading as a canonical line, without what the typed line leaves out."""
        if self.observation is not None:
            return format_line(self.observation, self.table)
        return format_beginning(self.kind, self.fields, self.table)

    @property
    def names(self) -> set[str | None]:
        """The names in the fields of the observation and in its answers, `None` for any missing."""
        names = set[str | None]()
        for value in self.fields.values():
            for each in value if isinstance(value, tuple) else (value,):
                names |= {each.seat, each.card} if isinstance(each, Answer) else {each}
        return names

    def restate(self, observation: Observation) -> "Reading":
        """
        Return this reading with another observation, as if that one had been typed in full.

        Passes that the program filled in still do not count as typed.
        """
        replies = [answer.answer for answer in getattr(observation, "answers", ())]
        explicit = self.explicit
        if observation != self.observation and "shows" not in replies:
            explicit = None  # `nobody shows` gives everybody's answer
        line = reading_of(observation, self.table, explicit=explicit).line
        fields = asdict(observation)
        return replace(self, fields=fields, line=line, observation=observation, explicit=explicit)

    def with_fields(self, fields: Mapping[str, Any]) -> "Reading":
        """
        Return the reading with other fields, and with a new observation and new gaps.

        Raises:
            InvalidObservation: If the fields make no sense at the table.
        """
        places = Places(self.table, self.state)
        gaps = tuple([gap for gap in places.gaps(self.kind, fields) if gap.needed])
        if gaps:
            return replace(self, fields=fields, observation=None, gaps=gaps)
        told = cast(Observation, self.kind(**fields))
        whole = normalise(told, self.table, self.state)
        explicit = answered_seats(told)
        return replace(self, fields=fields, observation=whole, gaps=(), explicit=explicit)


def require_reading(found: Sequence[Reading], line: str) -> Reading:
    """
    Return the only possible meaning of a line.

    If cards got their roles by the order in which they were named (`by_order`) in some of the
    readings, only these count.

    Args:
        found: The readings of the line, at least one.
        line: The line, for the error.

    Raises:
        NotationError: If several readings count, or if the only one is incomplete.
    """
    likely = single_reading(found)
    if likely is None:
        raise why_not(found, line)
    return likely


def single_reading(found: Sequence[Reading]) -> Reading | None:
    """
    Return the only reading that counts; `None` if there are several, or if it is incomplete.

    If cards got their roles by the order in which they were named (`by_order`) in some of the
    readings, only these count.
    """
    likely = [one for one in found if one.by_order] or found
    return likely[0] if len(likely) == 1 and likely[0].observation is not None else None


def why_not(found: Sequence[Reading], line: str) -> NotationError:
    """
    Return the error for a line that has no single complete meaning.

    `found` are its readings: several complete ones, or incomplete ones.
    """
    first, last = found[0], found[-1]
    # One word that means a different name in each reading.
    for token in scan(first.line, lexicon_of(first.table)):
        names = dict.fromkeys(token.names)
        meant = tuple([name for name in names if any(name in one.names for one in found)])
        if len(meant) == len(found) > 1:
            reason = f"'{printable(token.text)}' could mean {joined(meant)}"
            return NotationError(reason, line=line, column=token.column, nearest=meant)
    # The one thing that is missing.
    for gap in first.gaps[:1]:
        reason = f"expected {gap.expected}; found nothing"
        column = end_column(first.line)
        return NotationError(reason, line=line, column=column, nearest=gap.names[:12])
    # Whole lines.
    texts = tuple([one.text for one in found])
    reason = " or ".join([f"'{printable(text, most=120)}'" for text in texts[:3]])
    replies = [answer.answer for answer in getattr(last.observation, "answers", ())]
    all_pass = replies == ["passes"] * (len(last.table.seats) - 1)
    nobody = "; type - if nobody shows" if all_pass else ""
    return NotationError(f"this could mean {reason}{nobody}", line=line, nearest=texts)


def end_column(line: str) -> int:
    """Return the column after the last word of a line; punctuation at its end does not count."""
    return len(line.rstrip(" ,:;>?"))


def unknown_word(token: Token, table: Table) -> NotationError:
    """Return the error for an unknown word of a line, with the names that are most similar."""
    lexicon = lexicon_of(table)
    words = Names("word", (*VERBS, "right", "wrong", "passes", "shows"))
    for begun, names in product((False, True), (lexicon.things, lexicon.seats, words)):
        if names.nearest(token.text, begun=begun):
            error = names.error_for(token.text)
            error.column = token.column
            return error
    expected = "expected a player, a card, or a word such as shows"
    reason = f"unknown word '{printable(token.text)}'; {expected}"
    return NotationError(reason, column=token.column, misspelt=token.text)


def reading_of(
    observation: Observation,
    table: Table,
    *,
    explicit: frozenset[str] | None = None,
    unseen: frozenset[str] = frozenset(),
    unheard: bool = False,
) -> Reading:
    """
    Return an observation as a reading, as if its canonical line had been typed.

    Args:
        observation: An observation in canonical form.
        table: The table at which it was made.
        explicit: The seats whose answers were said, so that the line leaves out other passes;
            `None` if that is unknown.
        unseen: The seats that show a card which is deliberately not named.
        unheard: Whether missing answers at the end are deliberately left out.
    """
    said = observation if explicit is None else without_implied(observation, table, explicit)
    for at, (answer, _) in enumerate(answers_of(said, table)):
        if answer.answer == "shows" and answer.seat in unseen:
            said = with_shown_card(said, at, "?")
    line = format_line(said, table)
    if unheard and not unseen and observation.form.tail is not None and ": " not in line:
        line = f"{line}: ?"
    return Reading(
        type(observation),
        asdict(observation),
        line,
        table,
        TurnState(),
        observation=observation,
        explicit=explicit,
        unseen=unseen,
        unheard=line.endswith("?"),
    )
