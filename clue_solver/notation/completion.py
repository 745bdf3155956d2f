"""
What may be typed next at the table, and what a line that is being typed comes to.

What stands before the word at the end is read as any line; what it lacks next is offered, as far
as that word begins it: names first, then words.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Literal, NamedTuple

from msgspec import Struct

from clue_solver.errors import NotationError
from clue_solver.notation.canonical import format_line
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.notation.names import Names
from clue_solver.notation.places import Places
from clue_solver.notation.reader import (
    LONGEST,
    Reading,
    readings,
    split_comment,
    ways_of,
    why_not,
)
from clue_solver.notation.scan import CARD, NAME, ROLES, SEAT, Token, scan
from clue_solver.notation.suggestion import Suggested
from clue_solver.notation.vocabulary import WORDS
from clue_solver.rules import forms
from clue_solver.rules import observations as seen
from clue_solver.rules.observations import Event, Observation
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState

Kind = Literal["player", "card", "feature", "word", "answer"]

_MOST_WAYS = 20
"""The most ways to read the beginning of a line that are tried."""
_MOST_WORDS = 3
"""The most words at the end of a line that may begin one name."""
_COLONS = (":", ";", ">")
_FILLER = ROLES["filler"]
_FILLERS = WORDS["filler"].split(", ")
_FACTS = {ROLES["has"], ROLES["lacks"]}
_SILENT = {ROLES[role] for role in ("filler", "comma", "and", "or")}


class Completion(Struct, frozen=True, kw_only=True):
    """
    One way to go on with a line.

    Attributes:
        line: The line with it, ready to be typed on: with the space, the comma or the colon that
            stands before what may follow, if anything may.
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


class Offer(NamedTuple):
    """
    Something that may stand next.

    Attributes:
        text: What is added to the line, and what a list calls it.
        kind: What it is.
        forms: The words by which it may be begun besides.
        listed: Whether it is offered before it is begun.
    """

    text: str
    kind: Kind
    forms: tuple[str, ...] = ()
    listed: bool = True

    def begins(self, typed: str) -> int | None:
        """Return how well a text begins it, 0 best; `None` if it does not."""
        if self.text.casefold().startswith(typed):
            return 0
        return 1 if any(form.startswith(typed) for form in self.forms) else None


class _Next(NamedTuple):
    """What may stand next in a line, what stands between, and whether the line may end before."""

    join: str
    offers: tuple[Offer, ...]
    optional: bool = False


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

    @property
    def told(self) -> Reading | None:
        """The one thing that the line tells; `None` if it is not one, or not whole."""
        if isinstance(self.read, NotationError) or len(self.read) > 1:
            return None
        return self.read[0] if self.read[0].observation is not None else None

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
            told = TypedLine(line.rstrip(" ,"), self.table, self.state).told
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
    """
    Return what a line that is being typed comes to.

    Args:
        line: What has been typed so far, up to the cursor; it may be empty.
        table: The table at which it is typed.
        state: What the earlier lines mean for it; a game that has not begun if left out.
    """
    return TypedLine(line, table, state).preview


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
        if last is None or filler or last.end != len(self.line):
            yield from self.begun(self.line, "")
            return
        lines = {self.line.casefold()}
        for size in range(min(_MOST_WORDS, len(tokens)), 0, -1):
            start = tokens[-size].column
            for completion in self.begun(self.line[:start], self.line[start:].casefold()):
                if completion.line.casefold() not in lines:
                    lines.add(completion.line.casefold())
                    yield completion

    def begun(self, before: str, typed: str) -> Iterator[Completion]:
        """Yield what may stand behind a part of the line and begins so."""
        following = self.next(before)
        if following is None:
            return
        ranked = [
            (rank, place, offer)
            for place, offer in enumerate(following.offers)
            if (rank := offer.begins(typed)) is not None and (typed or offer.listed)
        ]
        start = self.joined(before, following.join)
        for _, _, offer in sorted(ranked, key=lambda one: one[:2]):
            line = start + offer.text
            after = self.next(line)
            whole = TypedLine(line, self.table, self.state).told is not None
            if whole or after is not None:
                more = after is not None and not (whole and after.optional)
                line += after.join if after is not None and more else ""
                yield Completion(line=line, label=offer.text, kind=offer.kind, whole=whole)

    def joined(self, line: str, join: str) -> str:
        """Return a line with what stands between it and what follows, as far as it is missing."""
        bare = line.rstrip()
        if not bare or bare[-1] in ",:;>":
            return line if line != bare or not bare else f"{line} "
        if line != bare and join.strip() != ":":
            return line
        return bare + (" " if bare.rpartition(" ")[2].casefold() in _FILLERS else join)

    # What may stand next.

    def next(self, text: str) -> _Next | None:
        """Return what may stand next behind a text; `None` where nothing may."""
        tokens = [
            token
            for token in scan(text, self.lexicon)
            if not any(sense.role in _SILENT and len(token.senses) == 1 for sense in token.senses)
        ]
        if not tokens:
            return self.beginning() if not text.strip() else None
        if not all(token.senses for token in tokens):
            return None
        by = self.seat(tokens[0])
        for place, token in enumerate(tokens[:2]):
            kind = self.kind(token, tokens[place + 1 :])
            if kind is not None and (place == 0 or by):
                if kind in (seen.Suggestion, seen.Finger):
                    return self.suggestion(text)
                if kind is seen.Nobody:
                    return self.behind_verb(kind, "", tokens[2:]) if tokens[1:] else None
                subject = by if place else self.turn or ""
                return self.behind_verb(kind, subject, tokens[place + 1 :])
        holder = any(sense.role in (SEAT, NAME) for sense in tokens[0].senses)
        fact = self.places.table.viewer is not None and holder
        if fact and tokens[1:] and {sense.role for sense in tokens[1].senses} & _FACTS:
            return self.behind_verb(seen.Knowing, str(self.table.viewer), tokens)
        if by and len(tokens) == 1:
            return self.behind_subject()
        if fact and len(tokens) == 1:
            return _Next(" ", (Offer("has", "word"), Offer("lacks", "word")))
        return self.suggestion(text)

    def seat(self, token: Token) -> str:
        """Return the player that a token is; empty if it is none."""
        return next((sense.names[0] for sense in token.senses if sense.role == SEAT), "")

    def kind(self, token: Token, after: Sequence[Token]) -> type[Event] | None:
        """Return the kind of line of which a token is the verb."""
        roles = {sense.role for sense in token.senses}
        if ROLES["suggests"] in roles and after and self.seat(after[0]):
            return seen.Question
        for kind in seen.kinds():
            verb = kind.form.verb if kind.form.subject else "nobody"
            if verb != "asks" and ROLES[verb] in roles and self.places.possible(kind.form):
                return kind
        return None

    def beginning(self) -> _Next:
        """Return what a line may begin with: who, cards where it is clear who, verbs."""
        seats = list(self.table.seats)
        if self.turn is not None:
            at = seats.index(self.turn)
            seats = seats[at:] + seats[:at]
        seats.sort(key=lambda seat: seat in self.state.gone)
        offers = self.names(self.lexicon.seats, seats, "player")
        if self.turn is not None:
            offers += self.names(self.lexicon.cards, self.table.edition.names, "card")
            offers += self.verbs(subject=False)
        reveals = self.places.offered(seen.Nobody.form)
        offers.append(Offer("nobody reveals", "word", listed=reveals))
        offers += [Offer(name, "word", listed=False) for name in self.lexicon.holders.names[-1:]]
        return _Next("", tuple(offers))

    def behind_subject(self) -> _Next:
        """Return what may stand behind who does it: cards of a suggestion, verbs."""
        cards = self.names(self.lexicon.cards, self.table.edition.names, "card")
        facts = [Offer(word, "word", listed=False) for word in ("has", "lacks")]
        return _Next(" ", (*cards, *self.verbs(subject=True), *facts))

    def verbs(self, *, subject: bool) -> list[Offer]:
        """Return the verbs of what the rules bring about; without a subject those of a turn."""
        found = []
        for kind in seen.kinds():
            form = kind.form
            if form.subject and (subject or kind.turn) and self.places.possible(form):
                text = f"{form.verb} {form.particle}".strip()
                found.append(Offer(text, "word", form.also, listed=self.places.offered(form)))
        return found

    def names(self, group: Names, some: Sequence[str], kind: Kind) -> list[Offer]:
        """Return names as offers."""
        return [
            Offer(
                name,
                "feature" if kind == "card" and name in self.lexicon.marked else kind,
                tuple(" ".join(form[at:]) for form in group.forms[name] for at in range(len(form))),
            )
            for name in some
        ]

    def suggestion(self, text: str) -> _Next | None:
        """Return what may stand next in a suggestion: its cards, then who answers, and what."""
        for parts in islice(ways_of(text, self.table, self.state), _MOST_WAYS):
            said = Suggested(
                parts,
                size=self.table.edition.named,
                all_roles=len(self.table.edition.category),
                viewer=self.table.viewer,
                turn=self.turn,
            )
            if said.read("".join([part.role for part in parts])) is None:
                found = self.answers(said, text) if said.complete else self.cards(said)
                if found is not None:
                    return found
        return None

    def cards(self, said: Suggested) -> _Next | None:
        """Return the cards that a suggestion may name next."""
        kind = self.lexicon.kind
        taken = [{kind[name] for name in part.names if name in kind} for part in said.cards]
        full = {next(iter(kinds)) for kinds in taken if len(kinds) == 1}
        left = [card for card in self.table.edition.names if kind[card] not in full]
        if said.by is None and self.turn is None:
            return None
        offers = self.names(self.lexicon.cards, left, "card")
        if said.parts[-1].role == ROLES["suggests"]:  # or one player is asked about a card
            seats = [seat for seat in self.table.seats if seat != (said.by or self.turn)]
            asks = self.places.offered(seen.Question.form)
            players = self.names(self.lexicon.seats, seats, "player")
            offers += [player._replace(listed=asks) for player in players]
        return _Next(", " if said.cards else " ", tuple(offers))

    def answers(self, said: Suggested, text: str) -> _Next | None:
        """Return the answers that may stand next."""
        by = said.by or self.turn
        if by is None:
            return None
        last = said.parts[-1]
        asked = tuple(dict.fromkeys(name for part in said.cards for name in part.names))
        asked = tuple(card for card in asked if card in self.lexicon.cards)
        cards = self.names(self.lexicon.cards, self.places.hidden(asked), "answer")
        shows = [card._replace(text=f"shows {card.text}") for card in cards]
        if said.answers and said.answers[-1].answer == "shows" and said.answers[-1].card is None:
            if last.role == SEAT:
                return _Next(" ", (Offer("shows", "answer"), *shows, Offer("passes", "answer")))
            if last.role == ROLES["shows"]:
                return _Next(" ", tuple(cards))
        heard = [answer.seat for answer in said.answers]
        over = any(answer.answer == "shows" for answer in said.answers)
        if said.nobody or said.rest or (over and not self.table.everyone_shows):
            return None
        order = self.table.answering(by, left=self.state.left)
        behind = max([order.index(seat) + 1 for seat in heard if seat in order] or [0])
        left = [seat for seat in order if seat not in heard]
        if not self.table.everyone_shows:
            left = list(order[behind:])
        offers = []
        for seat in left:
            offers.append(Offer(f"{seat} shows", "answer"))
            offers += [Offer(f"{seat} {card.text}", "answer", listed=False) for card in shows]
            offers.append(Offer(f"{seat} passes", "answer", listed=seat == left[0]))
        if not said.answers:
            offers.append(Offer("nobody shows", "answer"))
        if left and not self.table.everyone_shows:
            offers.append(Offer("?", "answer"))
        colon = not any(mark in text for mark in _COLONS) and last.role == CARD
        return _Next(": " if colon else ", ", tuple(offers)) if left else None

    def behind_verb(self, kind: type[Event], by: str, tokens: Sequence[Token]) -> _Next | None:
        """Return what may stand next in a line of another kind, part by part of its form."""
        left = list(tokens)
        form = kind.form
        named: tuple[str, ...] = ()
        count = 0
        for part in form.parts:
            match part:
                case forms.Word(texts=texts, optional=optional):
                    if left and self.is_word(left[0]):
                        left.pop(0)
                        if left and left[0].text.casefold() == "one":
                            left.pop(0)
                    elif not left:
                        words = tuple(Offer(text, "word") for text in texts if " " not in text)
                        return _Next(" ", words, optional=optional)
                    elif optional:
                        continue
                case forms.Name():
                    if part.unseen and left and self.is_word(left[0]):
                        continue
                    if not left:
                        offers = self.of(part.of, self.places.choice(part, by))
                        more = [Offer("to", "word")] if part.unseen else []
                        return _Next(" ", (*offers, *more))
                    left.pop(0)
                case forms.Several():
                    while left and self.is_name(left[0]):
                        named += left.pop(0).senses[0].names
                        count += 1
                    least, most = self.places.sizes(part, by)
                    if not left and count < most and not (form.tail and count >= least):
                        every = self.places.left(part, ())
                        join = f" {part.between} " if part.between else ", "
                        return _Next(
                            join if count else " ",
                            tuple(self.of(part.of, every)),
                            optional=count >= least,
                        )
                case forms.Dice():
                    rolled = len(left)
                    left.clear()
                    if not rolled:
                        return _Next(" ", tuple(self.rolled()))
        return self.behind_colon(form, left, named)

    def behind_colon(
        self, form: forms.Form, left: Sequence[Token], named: Sequence[str]
    ) -> _Next | None:
        """Return what may stand behind the colon of a line, or before it."""
        join = " " if left and left[0].text in _COLONS else ": "
        if form.tail is None or len(left) > (join == " "):
            return None
        match form.tail:
            case forms.Seen(name=name):
                return _Next(
                    join, (*self.of(name.of, self.places.choice(name, "")), Offer("?", "word"))
                )
            case forms.Verdict(words=words):
                return _Next(join, tuple(Offer(word, "word") for word in words))
            case forms.SingleAnswer():
                asked = [name for name in self.lexicon.marked_by(named) if name in self.table.cards]
                cards = self.names(self.lexicon.cards, list(dict.fromkeys(asked)), "answer")
                shows = [card._replace(text=f"shows {card.text}") for card in cards]
                replies = (Offer("shows", "answer"), *shows, Offer("passes", "answer"))
                return _Next(join, (*replies, Offer("?", "answer")))
        return None

    def rolled(self) -> list[Offer]:
        """Return what the dice can show."""
        if self.places.totals:
            return [Offer(total, "word") for total in self.places.totals]
        return self.names(self.lexicon.faces, self.lexicon.faces.names, "word")

    def of(self, bearers: forms.Bearers, names: Sequence[str]) -> list[Offer]:
        """Return names of a place of the line as offers; slots and rooms as words."""
        kind: Kind = "word"
        if bearers in ("cards", "things", "features"):
            kind = "card"
        group = self.lexicon.of(bearers)
        offers = self.names(group, names, kind)
        return [
            offer._replace(kind="player") if offer.text in self.table.seats else offer
            for offer in offers
        ]

    def is_word(self, token: Token) -> bool:
        """Return whether a token is a word, and no name."""
        return not self.is_name(token) and token.text not in _COLONS

    def is_name(self, token: Token) -> bool:
        """Return whether a token can be a name."""
        return any(sense.role in (SEAT, CARD, NAME) for sense in token.senses)
