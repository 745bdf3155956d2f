"""
Checking an observation against the table, and bringing it to its one canonical form.

What is checked follows from the form that the observation declares: each name is one of those that
can stand in its place, nobody does to themselves what one does to others, lists have their size.
"""

from collections.abc import Container, Sequence
from functools import cache, lru_cache
from typing import NoReturn, TypeVar

from msgspec.structs import replace

from clue_solver.errors import NotationError, SetupError, printable
from clue_solver.notation.names import Names, joined
from clue_solver.notation.nodes import Path
from clue_solver.notation.words import Lexicon, lexicon_of
from clue_solver.rules import turns
from clue_solver.rules.forms import AnswerList, Dice, Name, Seen, Several, SingleAnswer
from clue_solver.rules.observations import Answer, Event, Reply
from clue_solver.rules.table import Table

Kind = TypeVar("Kind", bound=Event)

TurnState = turns.TurnState

_UNHEARD = Answer(answer="unheard")


class InvalidObservation(NotationError):
    """
    An observation that has no meaning at its table.

    Attributes:
        path: The part that is at fault: `("answers", 0, "card")`.
    """

    def __init__(self, reason: str, *, path: Path = (), nearest: tuple[str, ...] = ()) -> None:
        self.path = path
        super().__init__(reason, nearest=nearest)


@cache
def _slots(kind: type[Event]) -> tuple[tuple[Name, ...], tuple[Several, ...]]:
    """Return the parts of a form that are names, and those that are lists."""
    names = tuple(part for part in kind.form.parts if isinstance(part, Name))
    return names, tuple(part for part in kind.form.parts if isinstance(part, Several))


def normalise(observation: Kind, table: Table, state: TurnState | None = None) -> Kind:
    """
    Return the observation in its canonical form: passes that follow filled in, lists closed.

    Args:
        observation: Cards, seats, slots and features by their canonical names.
        table: The table at which it was made.
        state: What the earlier lines mean for it; a game that has not begun if left out.

    Raises:
        InvalidObservation: If it has no meaning at this table; its `path` says which part is at
            fault.
    """
    return _Check(observation, table, state or TurnState()).normalised(observation)


def answering(observation: Event) -> frozenset[str]:
    """Return the seats whose answers an observation tells."""
    tail = observation.form.tail
    answers = getattr(observation, tail.field) if isinstance(tail, AnswerList) else ()
    return frozenset(answer.seat for answer in answers if answer.seat is not None)


def as_said(
    observation: Kind,
    table: Table,
    said: frozenset[str] | None = None,
    *,
    left: Container[str] = (),
) -> Kind:
    """
    Return the observation without the passes that `normalise` filled in.

    Where it is not known what was said, as of a line from a file, passes before a shown card are
    left out: they follow from who shows, in the order in which the players really sit, and those
    that do not follow are left unknown. All else stays. An earlier one of several passes
    without a show may have been filled in, so nothing new may follow from it: who was not heard is
    told to be so. Thus no order of the players makes a fact of what nobody said.

    Args:
        observation: In its canonical form.
        table: The table at which it was made.
        said: The seats whose answers were said; `None` where that is not known.
        left: The seats that had left the table, whom nobody asked.
    """
    tail = observation.form.tail
    if not isinstance(tail, AnswerList) or table.everyone_shows:
        return observation
    answers: tuple[Answer, ...] = getattr(observation, tail.field)
    passing = [answer for answer in answers if answer.answer == "passes"]
    if said is not None or any(answer.answer == "shows" for answer in answers):
        filled_in = [answer for answer in passing if answer.seat not in (said or ())]
        answers = tuple(answer for answer in answers if answer not in filled_in)
    elif len(passing) > 1 and answers[-1].seat is None:
        heard = answering(observation)
        others = table.answering(getattr(observation, observation.form.subject), left=left)
        unheard = (answer_of(seat, "unheard") for seat in others if seat not in heard)
        answers = (*unheard, *answers)
    return replace(observation, **{tail.field: answers})


class _Check:
    """The checks on one observation at one table."""

    def __init__(self, observation: Event, table: Table, state: TurnState) -> None:
        self.observation = observation
        self.table = table
        self.state = state
        self.form = observation.form
        self.lexicon: Lexicon = lexicon_of(table)
        self.subject = str(getattr(observation, self.form.subject)) if self.form.subject else ""

    def normalised(self, observation: Kind) -> Kind:
        form = self.form
        if form.subject:
            self.name(self.lexicon.seats, self.subject, form.subject)
        if form.needs is not None and not self.table.edition.rooms:
            _refuse(f"edition {printable(self.table.edition.name)} has no rooms", "event")
        names, lists = _slots(type(observation))
        for name in names:
            self.one(name, *form.parts)
        for part in lists:
            self.several(part)
        for dice in form.parts:
            if isinstance(dice, Dice):
                self.roll(dice)
        match form.tail:
            case Seen(name=name):
                names_there = self.lexicon.of(name.of)
                if not names_there.names:
                    edition = printable(self.table.edition.name)
                    _refuse(f"edition {edition} has no notch: there is nothing to peek at", "event")
                self.one(name)
            case SingleAnswer():
                self.reply(form.tail)
            case AnswerList():
                return self.answered(observation, form.tail)
        return observation

    def one(self, part: Name, *parts: object) -> None:
        """Check the name at a place of the line."""
        name: str | None = getattr(self.observation, part.field)
        if name is None:
            optional = [other for other in parts if isinstance(other, Name) and other is not part]
            if part.unseen and all(getattr(self.observation, other.field) for other in optional):
                return
            if part.unseen:
                who = printable(self.subject)
                _refuse(f"expected the card that {who} {self.form.verb}; found none", part.field)
            return
        self.name(self.lexicon.of(part.of), name, part.field)
        if part.nobody and name == self.subject:
            expected = joined(seat for seat in self.table.seats if seat != name)
            _refuse(
                f"nobody {part.nobody} themselves: expected {expected}; found {printable(name)}",
                part.field,
            )
        if part.of == "cards" and part.held:
            self.hidden(name, part.field)

    def several(self, part: Several) -> None:
        """Check the list at a place of the line."""
        fields = part.fields
        lists: list[tuple[str, ...]] = [getattr(self.observation, field) for field in fields]
        if part.none and sum(map(bool, lists)) != 1:
            _refuse(part.none.format(printable(self.subject)), fields[0])
        for field, names in zip(fields, lists, strict=True):
            self.distinct(names, field, self.lexicon.of(part.of))
            if part.held and self.table.face_up:
                for place, name in enumerate(names):
                    self.hidden(name, field, place)
            match part.size:
                case "suggestion":
                    self.one_of_each(names, self.table.edition.named, field)
                case "accusation":
                    self.one_of_each(names, len(self.table.edition.category), field)
                case "hand":
                    self.hand(names, field)

    def roll(self, part: Dice) -> None:
        """Check a total, or the faces of dice."""
        total: int | None = getattr(self.observation, part.total)
        faces: tuple[str, ...] = getattr(self.observation, part.dice)
        if (total is None) == (not faces) or len(faces) > part.most:
            expected = f"either a total or the faces of at most {part.most} dice"
            _refuse(f"expected {expected}", part.total)
        if total is not None:
            self.name(self.lexicon.totals, str(total), part.total)
        for place, face in enumerate(faces):
            self.name(self.lexicon.faces, face, part.dice, place)
        icons: tuple[str, ...] = getattr(self.observation, part.icons)
        if icons and total is None:
            _refuse("expected the total of the dice before their icons", part.icons)
        for place, face in enumerate(icons):
            self.name(self.lexicon.icons, face, part.icons, place)

    def hand(self, cards: Sequence[str], field: str) -> None:
        """Refuse a hand of another size than the subject's."""
        place = self.table.seats.index(self.subject)
        others = {seat: size for seat, size in self.state.sizes.items() if seat != self.subject}
        try:
            least, most = self.table.size_bounds(others)[place]
        except SetupError as error:
            _refuse(str(error), field)
        count = len(cards)
        if least <= count <= most:
            return
        expected = f"{least}" if least == most else f"{least} or {most}"
        side = f"{'more' if count > most else 'fewer'} cards than the hand holds"
        hint = ""
        if not self.table.hands or self.table.hands[place] is None:
            hint = "; if that is right, give the sizes of the hands"
        whose = printable(self.subject)
        _refuse(
            f"{side}: expected {expected} for {whose}; found {count}{hint}",
            *(field, most if count > most else count - 1),
        )

    def reply(self, tail: SingleAnswer) -> None:
        """Check the answer of the one player asked."""
        asked = getattr(self.observation, tail.seat)
        if asked in self.state.left:
            _refuse(f"{printable(asked)} has left: nobody asks them", tail.seat)
        card = getattr(self.observation, tail.card)
        if card is None:
            return
        if getattr(self.observation, tail.field) != "shows":
            _refuse("only the answer 'shows' has a card", tail.card)
        things = getattr(self.observation, tail.asked)
        self.shown_card(card, self.lexicon.marked_by(things), tail.card)

    def answered(self, observation: Kind, tail: AnswerList) -> Kind:
        """Return the observation with its answers in canonical form."""
        answers: tuple[Answer, ...] = getattr(observation, tail.field)
        asked: tuple[str, ...] = getattr(observation, tail.asked)
        for place, answer in enumerate(answers):
            if answer.seat is not None and answer.seat not in self.lexicon.seats:
                self.name(self.lexicon.seats, answer.seat, tail.field, place, "seat")
            if answer.card is not None:
                self.shown_card(answer.card, asked, tail.field, place, "card")
        left = self.state.left
        canonical = _Answers(self.subject, answers, self.table, tail.field, left).canonical()
        return (
            observation if canonical == answers else replace(observation, **{tail.field: canonical})
        )

    def name(self, names: Names, name: str, *path: str | int) -> None:
        """Refuse what is not one of the names, to the letter."""
        if name not in names:
            error = names.unknown(name)
            _refuse(error.reason, *path, nearest=error.nearest)

    def distinct(self, listed: Sequence[str], field: str, names: Names) -> None:
        """Refuse a list that names something twice."""
        for place, name in enumerate(listed):
            if name not in names:
                self.name(names, name, field, place)
            if name in listed[:place]:
                _refuse(f"{printable(name)} is named twice in the line", field, place)

    def hidden(self, card: str, *path: str | int) -> None:
        """Refuse a card that nobody can have."""
        if card in self.table.face_up:
            _refuse(f"{printable(card)} is face-up on the table: nobody holds it", *path)

    def shown_card(self, card: str, asked: Sequence[str], *path: str | int) -> None:
        """Refuse a card that cannot have been shown."""
        if card not in asked:
            self.name(self.lexicon.cards, card, *path)
            expected = joined(asked)
            _refuse(
                f"{printable(card)} was not asked for: expected {expected}",
                *path,
                nearest=(*asked,),
            )
        self.hidden(card, *path)

    def one_of_each(self, cards: Sequence[str], count: int, field: str) -> None:
        """Refuse cards that are not `count` cards of different categories."""
        kinds = [self.lexicon.kind[card] for card in cards]
        if len(kinds) == count == len(set(kinds)):
            return
        every = [kind.name for kind in self.table.edition.category]
        missing = ""
        if count == len(every):
            wanted = joined((f"one {kind}" for kind in every), "and")
            if set(kinds) != set(every):
                missing = joined((f"no {kind}" for kind in every if kind not in kinds), "and")
        else:
            wanted = f"{count} cards of different categories"
        for place, kind in enumerate(kinds):
            if kind in kinds[:place]:
                pair = joined((cards[kinds.index(kind)], cards[place]), "and")
                also = f", {missing}" if missing else ""
                _refuse(
                    f"two of one category ({kind}): expected {wanted}; found {pair}{also}",
                    *(field, place),
                )
        if len(cards) != count:
            instead = missing or joined(cards or ("none",), "and")
            at = count if len(cards) > count else len(cards) - 1
            left = set(every) - set(kinds) if len(cards) == count - 1 and missing else set()
            near = tuple(card for card, kind in self.lexicon.kind.items() if kind in left)
            _refuse(f"expected {wanted}; found {instead}", field, max(at, 0), nearest=near)


class _Answers:
    """The answers to one suggestion: their order, what follows from it, where the list ends."""

    def __init__(
        self, by: str, answers: Sequence[Answer], table: Table, field: str, left: frozenset[str]
    ) -> None:
        self.by = by
        self.order = table.answering(by, left=left)
        self.answers = answers
        self.table = table
        self.field = field

    def canonical(self) -> tuple[Answer, ...]:
        """
        Return the answers in canonical form.

        Where the first who can shows: in answering order, with the passes that follow from it, and
        closed with an unheard answer without a seat where more may have been answered. Where
        everyone shows: as they stand, without what was not heard. All pass: the passes in
        answering order. None heard: empty.
        """
        for place, answer in enumerate(self.answers):
            self._check(place, answer)
        return self._everyone() if self.table.everyone_shows else self._first()

    def _check(self, place: int, answer: Answer) -> None:
        if answer.seat is None and answer.answer != "unheard":
            self._refuse(f"expected who {answer.answer}; found no player", place, "answer")
        if answer.card is not None and answer.answer != "shows":
            self._refuse("only the answer 'shows' has a card", place, "card")
        if place and self.answers[place - 1].seat is None:
            instead = printable(answer.seat or "?")
            self._refuse(f"expected no answer after '?'; found {instead}", place)
        if answer.seat == self.by:
            self._refuse(f"{printable(self.by)} cannot answer their own suggestion", place, "seat")
        if answer.seat is not None and answer.seat not in self.order:
            expected = joined(self.order) if self.order else "no answer"
            who = printable(answer.seat)
            self._refuse(f"{who} has left: expected {expected}; found {who}", place, "seat")
        if any(answer.seat == other.seat is not None for other in self.answers[:place]):
            self._refuse(f"{printable(answer.seat or '')} answers twice", place, "seat")

    def _everyone(self) -> tuple[Answer, ...]:
        heard = tuple(answer for answer in self.answers if answer.answer != "unheard")
        if len(heard) == len(self.order) and all(answer.answer == "passes" for answer in heard):
            return passes(self.order)
        return heard

    def _first(self) -> tuple[Answer, ...]:
        order = self.order
        by_seat = {answer.seat: answer for answer in self.answers if answer.seat is not None}
        showers = [seat for seat in order if seat in by_seat and by_seat[seat].answer == "shows"]
        heard = [seat for seat, answer in by_seat.items() if answer.answer != "unheard"]
        last = max(map(order.index, heard), default=-1)
        closed = any(answer.seat is None for answer in self.answers)
        if showers and (closed or order.index(showers[0]) < last):
            more = None if closed else order[last]
            place = next(at for at, answer in enumerate(self.answers) if answer.seat == more)
            shower = showers[0]
            reason = f"expected no answer after {printable(shower)} has shown"
            instead = printable(more or "?")
            if by_seat[shower].card is None:
                instead += f"; did you mean '{printable(shower)} passes'?"
            self._refuse(f"{reason}; found {instead}", place)
        answered = [by_seat.get(seat) or answer_of(seat) for seat in order[: last + 1]]
        if showers:
            return tuple(answered)
        while answered and answered[-1].answer == "unheard":
            answered.pop()
        if not answered:
            return ()
        return (*answered, _UNHEARD) if len(answered) < len(order) else tuple(answered)

    def _refuse(self, reason: str, *path: str | int) -> NoReturn:
        _refuse(reason, self.field, *path)


def passes(seats: Sequence[str]) -> tuple[Answer, ...]:
    """Return the answers of seats that all pass."""
    return tuple(map(answer_of, seats))


@lru_cache(maxsize=1024)
def answer_of(seat: str, reply: Reply = "passes", card: str | None = None) -> Answer:
    """Return an answer; a record has the same ones again and again, so it is checked once."""
    return Answer(seat=seat, answer=reply, card=card)


def _refuse(reason: str, *path: str | int, nearest: tuple[str, ...] = ()) -> NoReturn:
    raise InvalidObservation(reason, path=path, nearest=nearest)
