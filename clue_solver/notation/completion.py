"""
What may be typed next at the table, and what a line that is being typed comes to.

What stands before the words at the end is read as any line. What it leaves out next is offered, in
the form of the canonical line, as far as those words begin it: names first, then words.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from msgspec import Struct

from clue_solver.errors import NotationError
from clue_solver.notation.canonical import format_beginning
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.notation.names import begins, words_of
from clue_solver.notation.places import Places
from clue_solver.notation.reader import LONGEST, Line, readings, split_comment
from clue_solver.notation.reading import Reading, the_likely, why_not
from clue_solver.notation.scan import scan
from clue_solver.notation.vocabulary import WORDS
from clue_solver.rules import observations as seen
from clue_solver.rules.observations import Event, Observation, kinds
from clue_solver.rules.table import ENVELOPE, Table
from clue_solver.rules.turns import TurnState

_MOST_WORDS = 3
"""The most words at the end of a line that may begin one name."""
_SILENT = ("filler", "of", "in", "then", "so")
"""The roles of words that tell nothing until more is told."""
_JOINING = ("or", "and", "to", "about", *[word for role in _SILENT for word in WORDS[role]])
"""Words at the end of a line that tell nothing until more is told."""


class Completion(Struct, frozen=True, kw_only=True):
    """
    One way to go on with a line.

    Attributes:
        line: The line with it, ready to be typed on: with the space, the comma or the colon that
            stands before what may follow, if anything must.
        label: What a list calls it: `Mustard`, `Ben passes`, `nobody shows`.
        observation: What the line with it tells; `None` if it is not whole yet.
    """

    line: str
    label: str
    observation: Observation | None = None


class _Offer(NamedTuple):
    """
    Something that may stand next.

    Attributes:
        text: What a list calls it.
        join: What stands between the line and it.
        listed: Whether it is offered before it is begun.
        optional: Whether a line that is whole rather ends before it.
    """

    text: str
    join: str = " "
    listed: bool = True
    optional: bool = False


class TypedLine:
    """
    A line that is being typed.

    Attributes:
        line: What has been typed so far, up to the cursor; it may be empty.
        table: The table at which it is typed.
        state: What the earlier lines mean for it.
    """

    def __init__(self, line: str, table: Table, state: TurnState | None = None) -> None:
        self.line = line
        self.table = table
        self.state = state or TurnState()
        self._lexicon = lexicon_of(table)
        self._places = Places(table, self.state)
        self._found: list[Completion] = []
        self._more = self._completions()

    @cached_property
    def read(self) -> tuple[Reading, ...] | NotationError:
        """All that the line can mean as it stands, or why it means nothing."""
        try:
            return readings(self.line, self.table, self.state)
        except NotationError as error:
            return error

    @property
    def reading(self) -> Reading | None:
        """The one whole thing that the line tells as it stands; `None` if it is not one."""
        return None if isinstance(self.read, NotationError) else the_likely(self.read)

    @cached_property
    def error(self) -> NotationError | None:
        """Why it cannot be read as it stands; `None` for an empty line, too."""
        if self.reading is not None or not split_comment(self.line)[0].strip():
            return None
        return self.read if isinstance(self.read, NotationError) else why_not(self.read, self.line)

    @property
    def unfinished(self) -> bool:
        """Whether it cannot be read only because it is the beginning of a line that can."""
        if isinstance(self.read, NotationError):
            return self.error is not None and bool(self.completions(1))
        return self.reading is None and self.read[0].gap is not None

    @cached_property
    def mended(self) -> str | None:
        """The line with the name that its error asks about; `None` if there is none that fits."""
        error = self.read
        tokens = scan(self.line, self._lexicon)
        columns = [token.column for token in tokens if not token.senses]
        if not isinstance(error, NotationError) or not error.nearest or error.column not in columns:
            return None
        meant = error.nearest[0]
        place = [token.column for token in tokens].index(error.column)
        start, end = error.column, tokens[place].end
        for other in tokens[max(place - 1, 0) : place + 2]:  # `led pipe`, `lead pipr`
            if any(sense.names == (meant,) for sense in other.senses):
                start, end = min(start, other.column), max(end, other.end)
        line = self.line[:start] + meant + self.line[end:]
        after = TypedLine(line, self.table, self.state).read
        return line if not isinstance(after, NotationError) or after.column > start else None

    def completions(self, most: int = 12) -> tuple[Completion, ...]:
        """Return what may stand next, likeliest first, `most` completions at most."""
        self._found += islice(self._more, max(most - len(self._found), 0))
        return tuple(self._found[:most])

    def _completions(self) -> Iterator[Completion]:
        """Yield what the words at the end begin, or else what may follow them."""
        if "#" in self.line or len(self.line) > LONGEST:
            return
        tokens = [token for token in scan(self.line, self._lexicon) if token.text[0].isalnum()]
        last = tokens[-1] if tokens else None
        starts = [token.column for token in tokens[-_MOST_WORDS:]]
        if last is None or last.end != len(self.line) or last.roles <= {*_SILENT}:
            starts.append(len(self.line))
        lines = {self.line.casefold()}
        for start in starts:
            for completion in self._begun(self.line[:start], self.line[start:].casefold()):
                if completion.line.casefold() not in lines:
                    lines.add(completion.line.casefold())
                    yield completion

    def _begun(self, before: str, typed: str) -> Iterator[Completion]:
        """Yield what may stand behind a part of the line and begins so."""
        ranked = []
        for place, offer in enumerate(self._ahead(before)[1]):
            rank = self._rank(offer.text, typed)
            if rank is not None and (typed or offer.listed):
                ranked.append((rank, place, offer))
        for _, _, offer in sorted(ranked):
            line = _joined(before, offer) + offer.text
            whole, following = self._ahead(line)
            after = next(iter(following), None)
            if after is not None and not (whole and after.optional):
                line += after.join
            if whole or after is not None:
                yield Completion(line=line, label=offer.text, observation=whole)

    def _rank(self, text: str, typed: str) -> int | None:
        """Return how well an offer is begun by what was typed, 0 best; `None` if it is not."""
        if text.casefold().startswith(typed):
            return 0
        words = tuple(typed.split())
        who = next((seat for seat in self.table.seats if text.startswith(f"{seat} ")), "")
        reply = text.removeprefix(who).strip()
        seats = self._lexicon.seats.forms.get(who, ())
        cards = self._lexicon.things.forms.get(reply.removeprefix("shows "), ())
        parts = [form[at:] for form in cards for at in range(len(form))]
        forms = [(*seat, *words_of(reply)) for seat in seats or ((),)]  # `me sh` is Cat shows
        forms += [(*seat, *part) for seat in (*seats, ()) for part in parts]  # `ben pipe`
        for form in forms:
            start, more = form[: len(words)], form[len(words) :]
            ended = not typed.endswith(" ") or (more and words == start)
            if ended and begins(words, start):
                return 1
        return None

    # What may stand next.

    def _ahead(self, text: str) -> tuple[Observation | None, Iterable[_Offer]]:
        """Return what a line tells, if it is whole, and what may stand next behind it."""
        if not text.strip():
            return None, self._beginning()
        every = tokens = scan(text, self._lexicon)
        while tokens and tokens[-1].text.casefold() in _JOINING:  # `reveals rope to`
            tokens = tokens[:-1]
        if not tokens:
            return None, ()
        roles = tokens[-1].roles
        if len(tokens) == 1 and roles & {"seat", "name"}:
            seat = "seat" in roles
            knows = [_Offer(word, listed=not seat) for word in ("has", "lacks")]
            return None, [*(self._done(" ", kinds()) if seat else ()), *knows]
        line = Line(text[: tokens[-1].end], self.table, self.state)
        try:
            found = [one for one in line.every() if isinstance(one, Reading)]
        except NotationError:
            return None, ()
        offers: dict[_Offer, None] = {}
        if "suggests" in roles:  # or one player is asked about a card
            others = [seat for seat in self.table.seats if seat not in tokens[0].names]
            asks = self._places.offered(seen.Question.form)
            offers |= dict.fromkeys([_Offer(seat, listed=asks) for seat in others])
        for reading in sorted(found, key=lambda one: len(one.gaps)):
            if isinstance(reading.observation, seen.Suggestion | seen.Finger):
                offers |= dict.fromkeys(self._answers(reading.observation, roles))
            else:
                offers |= dict.fromkeys(self._gap_offers(reading))
        likely = the_likely(line.likeliest(found)) if tokens is every else None
        return None if likely is None else likely.observation, offers

    def _beginning(self) -> Iterator[_Offer]:
        """Yield what a line may begin with: a player, or a verb if it is clear whose turn it is."""
        seats, turn = list(self.table.seats), self.state.turn(self.table)
        at = seats.index(turn) if turn is not None else 0
        for seat in sorted(seats[at:] + seats[:at], key=lambda seat: seat in self.state.gone):
            yield _Offer(seat, "")
        if turn is not None:
            yield from self._done("", [kind for kind in kinds() if kind.turn])
        yield _Offer(ENVELOPE, "", listed=False)
        yield _Offer("nobody reveals", "", listed=self._places.offered(seen.Nobody.form))

    def _done(self, join: str, every: Sequence[type[Event]]) -> Iterator[_Offer]:
        """Yield cards, which a suggestion without its verb begins with, and verbs."""
        for card in self.table.edition.names:
            yield _Offer(card, join)
        for form in [kind.form for kind in every if kind.form.subject]:
            if self._places.possible(form):
                verb = f"{form.verb} {form.particle}".strip()
                yield _Offer(verb, join, listed=self._places.offered(form))

    def _gap_offers(self, reading: Reading) -> Iterator[_Offer]:
        """Yield each name that fits a gap, with what the canonical line puts before it."""
        kind, fields = reading.kind, reading.fields
        gaps = reading.gaps[:1] or self._places.gaps(kind, fields)
        for gap in sorted(gaps, key=lambda gap: not gap.seat):  # rather an answer than more cards
            for name in gap.names:
                filled = self._places.filled(fields, gap.field, name)
                told = format_beginning(kind, filled, self.table)
                more = told.removeprefix(reading.text)
                join, text = more.removesuffix(name) or " ", name
                if join.endswith("shows "):
                    join, text = join.removesuffix("shows "), f"shows {name}"
                if fields.get(gap.field) == ():
                    join = " "
                if more != told:  # else it goes elsewhere in the line
                    yield _Offer(text, join, optional=not gap.needed and join != ": ")

    def _answers(self, asked: seen.Suggestion | seen.Finger, roles: set[str]) -> Iterator[_Offer]:
        """Yield the answers that may stand next."""
        heard = {one.seat: one for one in asked.answers if one.seat is not None}
        last = asked.answers[len(heard) - 1] if heard else None
        if last is not None and last.answer == "shows":
            if last.card is None and "shows" in roles:
                yield from map(_Offer, self._places.hidden(asked.cards))
            if not self.table.everyone_shows:
                return
        order = self.table.answering(asked.by, left=self.state.left)
        left = [seat for seat in order if seat not in heard]
        if not left or "unheard" in roles:
            return
        join = ", " if heard else ": "
        for seat in left:
            for reply in self._places.replies(asked.cards):
                listed = reply == "shows" or (reply == "passes" and seat == left[0])
                shows = "shows " if reply in asked.cards else ""
                yield _Offer(f"{seat} {shows}{reply}", join, listed)
        if not heard:
            yield _Offer("nobody shows", join)
        yield _Offer("?", join)


def _joined(line: str, offer: _Offer) -> str:
    """Return a line with what stands between it and what follows, as far as it is missing."""
    join = offer.join
    bare = line.rstrip()
    last = bare.rpartition(" ")[2].casefold()
    if not bare or bare[-1] in ",:;>" or last == join.strip() or last in _JOINING:
        return f"{bare} " if bare else line
    spaced = line != bare and join.strip() in ("", ",") and not offer.optional
    return line if spaced else bare + join
