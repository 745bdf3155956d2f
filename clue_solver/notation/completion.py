"""
What may be typed next at the table, and what a line that is being typed comes to.

What stands before the word at the end is read as any line. What it leaves out next is offered, in
the form of the canonical line, as far as that word begins it: names first, then words.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, Literal, NamedTuple, cast

from msgspec import Struct

from clue_solver.errors import NotationError
from clue_solver.notation.canonical import format_beginning, format_line
from clue_solver.notation.gaps import filled
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.notation.places import Places
from clue_solver.notation.reader import (
    LONGEST,
    Reader,
    Reading,
    readings,
    split_comment,
    the_likely,
    why_not,
)
from clue_solver.notation.scan import NAME, ROLES, SEAT, Token, scan
from clue_solver.notation.vocabulary import WORDS
from clue_solver.rules import observations as seen
from clue_solver.rules.forms import Several
from clue_solver.rules.observations import Event, Observation
from clue_solver.rules.table import ENVELOPE, Table
from clue_solver.rules.turns import TurnState

Kind = Literal["player", "card", "feature", "word", "answer"]

_MOST_WORDS = 3
"""The most words at the end of a line that may begin one name."""
_FILLER = ROLES["filler"]
_HAND = cast(Several, seen.Hand.form.parts[0])
_JOINING = ("or", "and", "to", "about", *WORDS["filler"].split(", "))
"""Words at the end of a line that tell nothing until more is told."""
_FACTS = {ROLES["has"], ROLES["lacks"]}


class Completion(Struct, frozen=True, kw_only=True):
    """
    One way to go on with a line.

    Attributes:
        line: The line with it, ready to be typed on: with the space, the comma or the colon that
            stands before what may follow, if anything must.
        label: What a list calls it: `Mustard`, `Ben passes`, `nobody shows`.
        kind: What it adds to the line; a `word` is one of the notation or a face-down slot.
        whole: Whether the line with it is a whole observation.
    """

    line: str
    label: str
    kind: Kind
    whole: bool


class Preview(Struct, frozen=True, kw_only=True):
    """
    What a line that is being typed comes to.

    Attributes:
        told: What it tells, `None` if it cannot be read as it stands.
        text: Its canonical form, implied passes filled in; empty if it cannot be read.
        error: Why it cannot be read; `None` for an empty line, too.
        unfinished: Whether it cannot be read only because it is the beginning of a line that can.
    """

    told: Reading | None = None
    text: str = ""
    error: NotationError | None = None
    unfinished: bool = False

    @property
    def observation(self) -> Observation | None:
        """The observation that it tells; `None` if it cannot be read as it stands."""
        return None if self.told is None else self.told.observation


class TypedLine:
    """
    A line that is being typed: read once, completed once.

    Attributes:
        line: What has been typed so far, up to the cursor; it may be empty.
        table: The table at which it is typed.
        state: What the earlier lines mean for it.
    """

    def __init__(self, line: str, table: Table, state: TurnState | None = None) -> None:
        self.line = line
        self.table = table
        self.state = state or TurnState()
        self._found: tuple[int, tuple[Completion, ...]] = (0, ())

    def completions(self, most: int = 12) -> tuple[Completion, ...]:
        """Return what may stand next, as `completions` does."""
        if most < 1 or "#" in self.line or len(self.line) > LONGEST:
            return ()
        asked, found = self._found
        if asked < most and len(found) == asked:
            every = _Completing(self.line, self.table, self.state).completions()
            self._found = most, tuple(islice(every, most))
        return self._found[1][:most]

    @cached_property
    def read(self) -> tuple[Reading, ...] | NotationError:
        """All that the line can mean as it stands, or why it means nothing."""
        try:
            return readings(self.line, self.table, self.state)
        except NotationError as error:
            return error

    @property
    def told(self) -> Reading | None:
        """The one thing that the line tells; `None` if it is not one, or not whole."""
        return None if isinstance(self.read, NotationError) else the_likely(self.read)

    @cached_property
    def preview(self) -> Preview:
        """What the line comes to, as `preview` says."""
        if not split_comment(self.line)[0].strip():
            return Preview()
        if isinstance(self.read, NotationError):
            return Preview(error=self.read, unfinished=bool(self.completions(1)))
        if self.told is None or self.told.observation is None:
            error = why_not(self.read, self.line)
            return Preview(error=error, unfinished=self.read[0].gap is not None)
        return Preview(told=self.told, text=format_line(self.told.observation, self.table))

    @cached_property
    def mended(self) -> str | None:
        """The line with the name that its error asks about; `None` if there is none that fits."""
        error = self.read
        if not isinstance(error, NotationError) or not error.nearest:
            return None
        meant = error.nearest[0]
        tokens = scan(self.line, lexicon_of(self.table))
        for place, token in enumerate(tokens):
            if token.column == error.column and not token.senses:
                start, end = token.column, token.end
                for other in tokens[max(place - 1, 0) : place + 2]:  # `led pipe`, `lead pipr`
                    if any(sense.names == (meant,) for sense in other.senses):
                        start, end = min(start, other.column), max(end, other.end)
                line = self.line[:start] + meant + self.line[end:]
                after = TypedLine(line, self.table, self.state).read
                further = isinstance(after, NotationError) and after.column > start
                return line if further or not isinstance(after, NotationError) else None
        return None

    @property
    def whole(self) -> Mapping[str, Observation]:
        """What each whole line tells: those of the completions found, and this line itself."""
        found = {}
        for line in (self.line, *(one.line for one in self._found[1] if one.whole)):
            told = TypedLine(line, self.table, self.state).told
            if told is not None and told.observation is not None:
                found[line] = told.observation
        return found


def completions(
    line: str, table: Table, state: TurnState | None = None, *, most: int = 12
) -> tuple[Completion, ...]:
    """
    Return what may stand next in a line, likeliest first.

    Args:
        line: What has been typed so far, up to the cursor; it may be empty.
        table: The table at which it is typed.
        state: What the earlier lines mean for it; a game that has not begun if left out.
        most: How many to return.
    """
    return TypedLine(line, table, state).completions(most)


def preview(line: str, table: Table, state: TurnState | None = None) -> Preview:
    """Return what a line that is being typed comes to; arguments are those of `completions`."""
    return TypedLine(line, table, state).preview


class _Offer(NamedTuple):
    """
    Something that may stand next.

    Attributes:
        text: What a list calls it.
        kind: What it is.
        join: What stands between the line and it.
        names: What it may be begun with besides: a card of `shows Rope`.
        listed: Whether it is offered before it is begun.
        optional: Whether a line that is whole rather ends before it.
    """

    text: str
    kind: Kind
    join: str = " "
    names: tuple[str, ...] = ()
    listed: bool = True
    optional: bool = False


class _Completing:
    """The completions of a line at one table."""

    def __init__(self, line: str, table: Table, state: TurnState) -> None:
        self.line = line
        self.table = table
        self.state = state
        self.lexicon = lexicon_of(table)
        self.places = Places(table, state)
        self.turn = state.turn(table)

    def completions(self) -> Iterator[Completion]:
        """Yield what the words at the end begin; what follows, where none is begun."""
        tokens = [token for token in scan(self.line, self.lexicon) if token.text[0].isalnum()]
        last = tokens[-1] if tokens else None
        filler = last is not None and {sense.role for sense in last.senses} == {_FILLER}
        lines = {self.line.casefold()}
        for size in range(min(_MOST_WORDS, len(tokens)), 0, -1):
            start = tokens[-size].column
            for completion in self.begun(self.line[:start], self.line[start:].casefold()):
                if completion.line.casefold() not in lines:
                    lines.add(completion.line.casefold())
                    yield completion
        if last is None or filler or last.end != len(self.line):
            yield from self.begun(self.line, "")

    def begun(self, before: str, typed: str) -> Iterator[Completion]:
        """Yield what may stand behind a part of the line and begins so."""
        ranked = []
        _, offers = self.ahead(before)
        for place, offer in enumerate(offers):
            rank = self.rank(offer, typed)
            if rank is not None and (typed or offer.listed):
                ranked.append((rank, place, offer))
        for _, _, offer in sorted(ranked, key=lambda one: one[:2]):
            line = _joined(before, offer) + offer.text
            whole, following = self.ahead(line)
            after = next(iter(following), None)
            if after is not None and not (whole and after.optional):
                line += after.join
            if whole or after is not None:
                yield Completion(line=line, label=offer.text, kind=offer.kind, whole=whole)

    def rank(self, offer: _Offer, typed: str) -> int | None:
        """Return how well a text begins an offer, 0 best; `None` if it does not."""
        if offer.text.casefold().startswith(typed):
            return 0
        group = self.lexicon.things
        for name in offer.names:
            for form in group.forms.get(name, ((name.casefold(),),)):
                if any(" ".join(form[at:]).startswith(typed) for at in range(len(form))):
                    return 1
        return None

    # What may stand next.

    def ahead(self, text: str) -> tuple[bool, list[_Offer]]:
        """Return whether a text is a whole line, and what may stand next behind it."""
        if not text.strip():
            return False, self.beginning()
        every = tokens = scan(text, self.lexicon)
        while tokens and tokens[-1].text.casefold() in _JOINING:  # `reveals rope to`
            tokens = tokens[:-1]
        if not tokens:
            return False, []
        reader = Reader(text[: tokens[-1].end], self.table, self.state)
        roles = {sense.role for sense in tokens[-1].senses}
        if len(tokens) == 1 and roles & {SEAT, NAME}:
            facts = [_Offer(word, "word", listed=SEAT not in roles) for word in ("has", "lacks")]
            cards = self.names(self.table.edition.names) if SEAT in roles else []
            return False, [*cards, *(self.verbs(subject=True) if cards else ()), *facts]
        found: dict[_Offer, None] = dict.fromkeys(self.words(tokens, roles, to=tokens is not every))
        read = reader.readings()
        for reading in read:
            if reading.observation is not None:
                found |= dict.fromkeys(self.behind(reading.observation, roles))
        for draft, fields, gaps in sorted(reader.drafts, key=lambda one: len(one[2])):
            field = gaps[0].field
            if field == "has" and not roles & _FACTS:
                found |= dict.fromkeys(_Offer(word, "word") for word in ("has", "lacks"))
                continue
            for name in gaps[0].names:
                join = self.join(draft.kind, fields, filled(fields, field, name), name)
                found[self.offer(name, " " if field == "has" else join)] = None
        return tokens is every and the_likely(read) is not None, list(found)

    def words(self, tokens: Sequence[Token], roles: set[str], *, to: bool) -> list[_Offer]:
        """Return what stands behind some verbs besides what the line lacks."""
        last = tokens[-1].text.casefold()
        if last == "nobody" and len(tokens) == 1:
            return [_Offer("reveals", "word")]
        if ROLES["suggests"] in roles:  # or one player is asked about a card
            others = [seat for seat in self.table.seats if seat not in tokens[0].names]
            asks = self.may(seen.Question)
            return [offer._replace(listed=asks) for offer in self.names(others)]
        if to and ROLES["reveals"] in roles:
            return self.names([seat for seat in self.table.seats if seat not in tokens[0].names])
        particles = {kind.form.verb: kind.form.particle for kind in seen.kinds()}
        return [_Offer(particles[last], "word")] if particles.get(last) else []

    def join(
        self, kind: type[Event], before: Mapping[str, Any], after: Mapping[str, Any], name: str
    ) -> str:
        """Return what the canonical line has between what is told so far and a name."""
        told = format_beginning(kind, before, self.table)
        more = format_beginning(kind, after, self.table)
        return more.removeprefix(told).removesuffix(name)

    def offer(self, name: str, join: str = " ", *, optional: bool = False) -> _Offer:
        """Return a name as an offer."""
        kind: Kind = "word"
        if name in self.table.seats:
            kind = "player"
        elif name in self.lexicon.things:
            kind = "feature" if name in self.lexicon.marked else "card"
        return _Offer(name, kind, join, (name,), optional=optional)

    def names(self, names: Sequence[str], join: str = " ") -> list[_Offer]:
        """Return names as offers."""
        return [self.offer(name, join) for name in names]

    def beginning(self) -> list[_Offer]:
        """Return what a line may begin with: who, cards where it is clear who, verbs."""
        seats = list(self.table.seats)
        at = seats.index(self.turn) if self.turn is not None else 0
        seats = sorted(seats[at:] + seats[:at], key=lambda seat: seat in self.state.gone)
        offers = self.names(seats, "")
        if self.turn is not None:
            offers += self.names(self.table.edition.names, "")
            offers += [offer._replace(join="") for offer in self.verbs(subject=False)]
        offers += [self.offer(name, "")._replace(listed=False) for name in (ENVELOPE,)]
        return [*offers, _Offer("nobody reveals", "word", "", listed=self.may(seen.Nobody))]

    def may(self, kind: type[Event]) -> bool:
        """Return whether the rules bring about a kind of line."""
        return self.places.offered(kind.form)

    def verbs(self, *, subject: bool) -> list[_Offer]:
        """Return the verbs of the table; without a subject those of a turn."""
        return [
            _Offer(f"{kind.form.verb} {kind.form.particle}".strip(), "word", listed=self.may(kind))
            for kind in seen.kinds()
            if kind.form.subject and (subject or kind.turn) and self.places.possible(kind.form)
        ]

    def behind(self, told: Observation, roles: set[str]) -> list[_Offer]:
        """Return what may stand behind a line that is whole already."""
        match told:
            case seen.Suggestion() | seen.Finger():
                return self.answers(told, roles)
            case seen.Question(answer="shows", card=None) if ROLES["shows"] in roles:
                return self.names(list(dict.fromkeys(self.lexicon.marked_by(told.about))))
            case seen.Question(answer="unheard"):
                return [*self.replies(self.lexicon.marked_by(told.about), ": ")]
            case seen.Look(card=None):
                return self.names(self.table.cards, ": ")
            case seen.Peek(feature=None):
                return self.names(self.lexicon.features.names, ": ")
            case seen.Hand():
                _, most = self.places.sizes(_HAND, told.seat)
                left = [card for card in self.table.cards if card not in told.cards]
                more = left if len(told.cards) < most else []
                return [self.offer(card, ", ", optional=True) for card in more]
            case seen.Reveal(to=None):
                seats = [seat for seat in self.table.seats if seat != told.seat]
                return [self.offer(seat, " to ", optional=True) for seat in seats]
            case seen.Knowing():
                left = [card for card in self.table.cards if card not in told.has + told.lacks]
                join = " or " if told.has else ", "
                return [self.offer(card, join, optional=True) for card in left]
        return []

    def replies(self, asked: Sequence[str], join: str, seat: str = "") -> list[_Offer]:
        """Return how a player may answer who was asked for cards."""
        lead = f"{seat} " if seat else ""
        cards = dict.fromkeys(self.places.hidden(asked))
        shows = [
            _Offer(f"{lead}shows {card}", "answer", join, (card,), listed=not seat)
            for card in cards
        ]
        first, last = (_Offer(f"{lead}{word}", "answer", join) for word in ("shows", "passes"))
        return [first, *shows, last]

    def answers(self, told: seen.Suggestion | seen.Finger, roles: set[str]) -> list[_Offer]:
        """Return the answers that may stand next."""
        said = [answer for answer in told.answers if answer.seat is not None]
        last = said[-1] if said else None
        over = last is not None and last.answer == "shows" and not self.table.everyone_shows
        if last is not None and last.answer == "shows" and last.card is None:
            if SEAT in roles:
                return self.replies(told.cards, " ")
            if ROLES["shows"] in roles:
                return self.names(self.places.hidden(told.cards))
        heard = [one.seat for one in said]
        order = self.table.answering(told.by, left=self.state.left)
        left = [seat for seat in order if seat not in heard]
        if over or not left or ROLES["unheard"] in roles:
            return []
        join = ", " if said else ": "
        offers: list[_Offer] = []
        for seat in left:
            *shows, passes = self.replies(told.cards, join, seat)
            offers += [*shows, passes._replace(listed=seat == left[0])]
        if not said:
            offers.append(_Offer("nobody shows", "answer", join))
        return [*offers, _Offer("?", "answer", join)]


def _joined(line: str, offer: _Offer) -> str:
    """Return a line with what stands between it and what follows, as far as it is missing."""
    join = offer.join
    bare = line.rstrip()
    last = bare.rpartition(" ")[2].casefold()
    if not bare or bare[-1] in ",:;>" or last == join.strip() or last in _JOINING:
        return f"{bare} " if bare else line
    spaced = line != bare and join.strip() in ("", ",") and not offer.optional
    return line if spaced else bare + join
