"""
The places of a line, and what may stand next at each: the declared forms as one meets them while
typing.

`reading` says what a whole line means, this what may follow its beginning. Names that cannot stand
at a place for what came before, such as a second card of one category, are not offered there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from types import MappingProxyType
from typing import Any, NamedTuple

from clue_solver.errors import SetupError
from clue_solver.notation.normalising import TurnState, passes
from clue_solver.notation.parts import COLON, ITEM, NEXT, SAME, WORD, Kind, Offer, Pick, Place, Say
from clue_solver.notation.words import lexicon_of
from clue_solver.rules.forms import Answers, Name, OneAnswer, Part, Seen, Several, Verdict, Word
from clue_solver.rules.observations import Answer, Event, Reply, Reveal, kinds
from clue_solver.rules.table import Table


class _Line(NamedTuple):
    """The beginning of a line: its kind, what it tells so far, and the parts that follow."""

    kind: type[Event]
    fields: Mapping[str, Any]
    parts: tuple[Part, ...]

    def told(self, **more: Any) -> Event:
        """Return what it tells with some more."""
        return self.kind(**{**self.fields, **more})

    def on(self, **more: Any) -> _Line:
        """Return the line once its next part is there."""
        return _Line(self.kind, {**self.fields, **more}, self.parts[1:])

    @property
    def subject(self) -> str:
        """The seat that does it; empty for nobody."""
        return str(self.fields.get(self.kind.form.subject, ""))


Parts = Iterator[Say | Pick]
_PASSES = ("pass", "pas", "pa", "p")
_NOBODY = ("nobody", "-", "nobody show")
_UNHEARD = Answer(answer="unheard")


class Places:
    """The places of lines at one table, in one state of its turns."""

    def __init__(self, table: Table, state: TurnState) -> None:
        self.table, self.state, self.lexicon = table, state, lexicon_of(table)
        self.cards = table.cards
        self.categories = {
            kind.name: tuple(card.name for card in kind.cards) for kind in table.edition.category
        }
        self.longest = max(
            names.longest
            for names in (self.lexicon.things, self.lexicon.cards, self.lexicon.holders)
        )

    def start(self) -> Place:
        """Return the place where a line begins."""
        by = self.table.seats[0]
        return Place(lambda: tuple(self._beginnings()), end=lambda: self._asker(by).shortest(by))

    def _beginnings(self) -> Parts:
        turn, seats = self.state.turn(self.table), self.table.seats
        first = 0 if turn is None else seats.index(turn)
        askers = (*seats[first:], *seats[:first])
        askers = tuple(sorted(askers, key=lambda seat: seat in self.state.out))
        yield Pick(self.lexicon.seats, askers, self._asker, kind="player")
        for kind in kinds() if turn is not None else ():
            if kind.form.bare and (place := self._line(kind, turn or "")) is not None:
                yield from place.parts()
                yield _say(kind.form.verb, place)
        for kind in kinds():
            if not kind.form.subject and (place := self._line(kind, "")) is not None:
                yield _say(f"nobody {kind.form.verb}", place)

    def _asker(self, by: str) -> Place:
        card = self.cards[0]
        end = lambda: (f"reveals {card}", Reveal(seat=by, card=card))  # noqa: E731
        return Place(lambda: tuple(self._verbs(by)), WORD, end)

    def _verbs(self, by: str) -> Parts:
        own = {kind.form.verb: kind for kind in kinds() if kind.form.subject}
        common = sorted(own, key=lambda verb: bool(own[verb].sight.owner))
        bare = [verb for verb in own if own[verb].form.bare]
        places = {verb: self._line(own[verb], by) for verb in common}
        for verb in dict.fromkeys((*bare, *self.table.edition.observes, *common)):
            if (place := places.get(verb)) is not None:
                yield _say(verb, place, own[verb].form.particle)
        for verb in bare:
            if (place := places[verb]) is not None:
                yield from place.parts()

    def _line(self, kind: type[Event], by: str) -> Place | None:
        """Return the place after the verb; `None` where a line cannot be ended from there."""
        form = kind.form
        if isinstance(form.tail, Seen) and not self.lexicon.of(form.tail.name.of).names:
            return None
        line = _Line(kind, {form.subject: by} if form.subject else {}, form.parts)
        if any(isinstance(part, Several) and part.size == "hand" for part in form.parts):
            least, most = self._hand_sizes(by)
            return self._several(line, ()) if most and most >= least else None
        return self._next(line)

    def _next(self, line: _Line, said: str = "") -> Place:
        """Return the place before the next part of a line; `said` is the word before it."""
        match line.parts:
            case [Name() as part, *_]:
                return self._name(line, part)
            case [Word() as word, *_]:
                return self._word(line, word)
            case [Several() as part, *_]:
                return self._several(line, (), said)
        return self._tail(line)

    def _name(self, line: _Line, part: Name) -> Place:
        """Return the place before a name."""
        names, choice = self.lexicon.of(part.of), self.choice(part, line.subject)
        following = line.parts[1] if len(line.parts) > 1 else None

        def then(name: str) -> Place:
            return self._next(line.on(**{part.field: name}))

        def parts() -> tuple[Say | Pick, ...]:
            pick = Pick(names, choice, then, kind=_KINDS.get(part.of, "player"))
            if part.of in ("places", "holders"):
                others = (name for name in choice if name not in self.table.seats)
                pick = pick._replace(kinds=dict.fromkeys(others, "word"))
            if not isinstance(following, Word):
                return (pick,)
            if part.unseen:
                return (pick, *self._word(line.on(), following).parts())
            if len(following.texts) == 1:
                pick = pick._replace(phrased=partial(self._with_word, then, following))
            return (pick,)

        return Place(parts, WORD, lambda: then(choice[0]).shortest(choice[0]))

    def _with_word(
        self, then: Callable[[str], Place], word: Word, name: str, _: bool
    ) -> tuple[Offer]:
        """Return the offer of a name together with the word that must follow it."""
        (say,) = then(name).parts()
        text, *_rest = word.texts
        after = say.then(text) if isinstance(say, Pick) else say.then
        return (Offer(f"{name} {text}", name, "player", after),)

    def choice(self, part: Name, by: str) -> tuple[str, ...]:
        """Return the names that may stand at a place, likeliest first."""
        if part.of == "cards":
            return self.cards
        names = self.lexicon.of(part.of).names
        if part.of in ("things", "features"):
            return names
        others = tuple(name for name in names if name != by)
        return others if part.nobody else (*others, by)

    def _word(self, line: _Line, word: Word) -> Place:
        """Return the place before a word of the notation."""

        def parts() -> tuple[Say, ...]:
            return tuple(
                _say(text, self._next(line.on(), text), forms=forms)
                for text, forms in word.texts.items()
            )

        text, *_ = word.texts
        whole = line.told if word.optional else None
        return Place(parts, WORD, lambda: self._next(line.on(), text).shortest(text), whole)

    def _several(self, line: _Line, names: tuple[str, ...], said: str = "") -> Place:
        """Return the place before a list, or after some of its names."""
        part = line.parts[0]
        assert isinstance(part, Several)
        field = said if len(part.fields) > 1 else part.fields[0]
        on = line.on(**{field: names})
        least, most = self.sizes(part, line.subject)
        if len(names) == most:
            return self._tail(on)
        if not (choice := self.left(part, names)):
            return self._tail(on)
        join = ITEM if names else WORD

        def pick() -> Pick:
            kinds_of: dict[str, Kind] = dict.fromkeys(self.lexicon.marked, "feature")
            then = lambda name: self._several(line, (*names, name), said)  # noqa: E731
            marked = kinds_of if part.of == "things" else MappingProxyType({})
            return Pick(self.lexicon.of(part.of), choice, then, join, kinds=marked)

        def end() -> tuple[str, Event | None]:
            more = self._examples(part, names, max(least - len(names), 1))
            return self._tail(line.on(**{field: (*names, *more)})).shortest(", ".join(more))

        whole = on.told if len(names) >= least else None
        if part.between and names:
            after = Place(lambda: (pick()._replace(join=WORD),), WORD, end)
            other = Say(part.between, after)
            parts = lambda: (other,) if part.each == field else (other, pick())  # noqa: E731
            return Place(parts, WORD, lambda: after.shortest(part.between), whole)
        if whole is not None and line.kind.form.tail is not None:
            return self._tail(on)._replace(parts=lambda: (pick(),))
        return Place(lambda: (pick(),), WORD if part.between else join, end, whole)

    def sizes(self, part: Several, by: str) -> tuple[int, int]:
        """Return the least and the most names of a list."""
        match part.size:
            case "suggestion":
                return self.table.edition.named, self.table.edition.named
            case "accusation":
                count = len(self.table.edition.category)
                return count, count
            case "hand":
                return self._hand_sizes(by)
        return 1, len(self.lexicon.of(part.of).names)

    def _hand_sizes(self, by: str) -> tuple[int, int]:
        sizes = {seat: size for seat, size in self.state.sizes.items() if seat != by}
        with suppress(SetupError):
            least, most = self.table.size_bounds(sizes)[self.table.seats.index(by)]
            return max(least, 1), most
        return 1, 0

    def left(self, part: Several, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return what may still stand in a list."""
        if part.size in ("suggestion", "accusation"):
            named = {self.lexicon.kind[card] for card in names}
            left = (cards for kind, cards in self.categories.items() if kind not in named)
            return tuple(chain.from_iterable(left))
        every = self.cards if part.of == "cards" else self.lexicon.of(part.of).names
        return tuple(name for name in every if name not in names)

    def _examples(self, part: Several, names: tuple[str, ...], count: int) -> tuple[str, ...]:
        """Return the first names that may end a list."""
        if part.size in ("suggestion", "accusation"):
            found = names
            for _ in range(count):
                found = (*found, self.left(part, found)[0])
            return found[len(names) :]
        return tuple(islice(self.left(part, names), count))

    def _tail(self, line: _Line) -> Place:
        """Return the place after the parts, where the line ends or a colon stands."""
        match line.kind.form.tail:
            case Answers() as tail:
                others = self.table.answering(line.subject)
                start = _Answering(line, tail, line.fields[tail.asked], (), others)
                after = Place(
                    *(lambda: tuple(self._answers(start)), SAME),
                    end=lambda: ("nobody shows", line.told(**{tail.field: passes(others)})),
                    whole=line.told,
                )
            case OneAnswer() as tail:
                asked = self.lexicon.marked_by(line.fields[tail.asked])
                after = Place(
                    *(lambda: tuple(self._reply(line, tail, asked)), SAME),
                    end=lambda: ("passes", line.told(**{tail.field: "passes"})),
                    whole=line.told,
                )
            case Seen(name=name):
                after = self._seen(line, name)
            case Verdict(field=field, words=words):
                says = tuple(
                    Say(word, _end(partial(line.told, **{field: right})), forms, SAME, "answer")
                    for word, right in words.items()
                    for forms in (tuple(word[:size] for size in range(1, len(word))),)
                )
                after = Place(lambda: says, SAME, lambda: says[0].then.shortest(says[0].text))
            case None:
                return _end(line.told)
        return after._replace(parts=tuple, after=COLON, tail=lambda: after)

    def _seen(self, line: _Line, name: Name) -> Place:
        """Return the place after which the writer may say what was seen."""
        choice = self.choice(name, "")

        def then(seen: str) -> Place:
            return _end(partial(line.told, **{name.field: seen}))

        parts = (
            Pick(self.lexicon.of(name.of), choice, then, SAME, _KINDS.get(name.of, "card")),
            Say("?", _end(line.told), (), SAME, "answer"),
        )
        return Place(lambda: parts, SAME, lambda: then(choice[0]).shortest(choice[0]), line.told)

    def _answers(self, said: _Answering) -> Parts:
        """Yield what may stand where some seats have not answered."""
        first = not said.before
        join = SAME if first else NEXT

        def phrased(seat: str, typed: bool) -> Iterator[Offer]:
            for offer in self._said(said.of(seat, self.table)):
                if (
                    typed
                    or offer.text == "shows"
                    or (seat == said.left[0] and offer.text == "passes")
                ):
                    text = f"{seat} {offer.text}"
                    yield Offer(text, text, "answer", offer.then)

        def then(seat: str) -> Place:
            one = said.of(seat, self.table)
            end = lambda: ("passes", one.told("passes"))  # noqa: E731
            return Place(lambda: tuple(self._saying(one)), SAME, end, partial(one.told, "shows"))

        yield Pick(
            *(self.lexicon.seats, said.left, then, join),
            phrased=lambda seat, typed: tuple(phrased(seat, typed)),
        )
        if first:
            nobody = partial(said.line.told, **{said.tail.field: passes(said.left)})
            yield Say("nobody shows", _end(nobody), _NOBODY, SAME, "answer")
        if first or not self.table.everyone_shows:
            yield Say("?", _end(partial(said.told, "unheard")), (), join, "answer")

    def _said(self, one: _Answering) -> Iterator[Offer]:
        """Yield what one player can answer, and where that leads."""
        after = one.left if self.table.everyone_shows else ()
        yield Offer("shows", "shows", "answer", self._shows(one, after))
        for card in self.hidden(one.asked):
            then = self._answered(one.then("shows", card, left=after))
            yield Offer(f"shows {card}", f"shows {card}", "answer", then)
        yield Offer("passes", "passes", "answer", self._answered(one.then("passes")))

    def _saying(self, one: _Answering) -> Parts:
        """Yield the same as parts of a line."""
        shows, *shown, answer = self._said(one)
        offers = dict(zip(self.hidden(one.asked), shown, strict=True))
        yield Say("shows", shows.then, ("show",), SAME, "answer")
        yield Pick(
            *(self.lexicon.cards, tuple(offers), lambda card: offers[card].then, SAME),
            strict=True,
            phrased=lambda card, _: (offers[card],),
        )
        yield Say("passes", answer.then, _PASSES, SAME, "answer")

    def _shows(self, one: _Answering, left: tuple[str, ...]) -> Place:
        """Return the place after a player who shows, where those `left` may answer next."""
        unseen = self._answered(one.then("shows", left=left))
        then = lambda card: self._answered(one.then("shows", card, left=left))  # noqa: E731
        pick = Pick(self.lexicon.cards, self.hidden(one.asked), then, SAME, strict=True)
        return Place(lambda: (pick, *unseen.parts()), SAME, whole=unseen.whole)

    def _answered(self, said: _Answering) -> Place:
        """Return the place after an answer."""
        if not said.left:
            return _end(said.told)

        def end() -> tuple[str, Event]:
            seat = said.left[0]
            return f"{seat} passes", said.of(seat, self.table).told("passes")

        return Place(lambda: tuple(self._answers(said)), NEXT, end, said.told)

    def hidden(self, cards: Sequence[str]) -> tuple[str, ...]:
        """Return those of the cards that somebody can show."""
        return tuple(card for card in cards if card not in self.table.face_up)

    def _reply(self, line: _Line, tail: OneAnswer, asked: tuple[str, ...]) -> Parts:
        """Yield what the one player asked can answer."""

        def saying() -> Parts:
            shown = {
                card: _end(partial(line.told, **{tail.field: "shows", tail.card: card}))
                for card in self.hidden(asked)
            }
            pick = Pick(self.lexicon.cards, tuple(shown), shown.__getitem__, SAME, strict=True)
            yield Say("shows", Place(lambda: (pick,), SAME, whole=shows), ("show",), SAME, "answer")
            yield pick._replace(
                phrased=lambda card, _: (
                    Offer(f"shows {card}", f"shows {card}", "answer", shown[card]),
                )
            )
            yield Say("passes", none, _PASSES, SAME, "answer")

        shows = partial(line.told, **{tail.field: "shows"})
        none = _end(partial(line.told, **{tail.field: "passes"}))
        yield from saying()
        yield Say("?", _end(line.told), (), SAME, "answer")
        yield Say("passes", none, (*_NOBODY, "nobody shows"), SAME, "answer")
        again = Place(lambda: tuple(saying()), SAME, lambda: none.shortest("passes"), shows)
        seat = line.fields[tail.seat]
        yield Pick(self.lexicon.seats, (seat,), lambda _: again, SAME, phrased=lambda *_: ())


class _Answering(NamedTuple):
    """
    The answers of a line so far.

    Attributes:
        line: What stands before the colon.
        tail: The declared answers.
        asked: The cards asked for.
        before: The answers so far.
        left: The seats that may answer next; those after `seat` where it is set.
        seat: Who answers now; empty where nobody has begun to.
    """

    line: _Line
    tail: Answers
    asked: tuple[str, ...]
    before: tuple[Answer, ...]
    left: tuple[str, ...]
    seat: str = ""

    def of(self, seat: str, table: Table) -> _Answering:
        """Return the same once a seat begins to answer."""
        if table.everyone_shows:
            left = tuple(other for other in self.left if other != seat)
        else:
            left = self.left[self.left.index(seat) + 1 :]
        return self._replace(seat=seat, left=left)

    def then(
        self, answer: Reply, card: str | None = None, *, left: tuple[str, ...] | None = None
    ) -> _Answering:
        """Return the same once that seat has answered."""
        one = Answer(seat=self.seat, answer=answer, card=card)
        after = self.left if left is None else left
        return self._replace(before=(*self.before, one), left=after, seat="")

    def told(self, answer: Reply | None = None) -> Event:
        """Return what the line tells; with one more answer of the seat whose turn it is."""
        answers = self.before
        if answer == "unheard":
            answers = (*answers, _UNHEARD)
        elif answer is not None:
            answers = (*answers, Answer(seat=self.seat, answer=answer))
        return self.line.told(**{self.tail.field: answers})


_KINDS: Mapping[str, Kind] = {"cards": "card", "features": "feature", "things": "card"}


def _end(told: Callable[[], Event]) -> Place:
    """Return the place after which nothing may stand."""
    return Place(whole=told)


def _say(text: str, then: Place, particle: str = "", *, forms: tuple[str, ...] = ()) -> Say:
    """Return a verb or a word, read without its last `s`, too."""
    if particle:
        short = text.removesuffix("s")
        return Say(f"{text} {particle}", then, (text, short, f"{short} {particle}"))
    return Say(text, then, forms or (text.removesuffix("s"),))
