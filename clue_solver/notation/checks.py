"""
Checking an observation against the table, and bringing it to its one canonical form.

What is checked follows from the form that the observation declares: each name is one of those that
can stand in its place, nobody does to themselves what one does to others, lists have their size.
"""

from collections.abc import Container, Sequence
from functools import lru_cache
from typing import NoReturn, TypeVar

from msgspec.structs import replace

from clue_solver.errors import NotationError, SetupError, printable
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.notation.names import Names, joined
from clue_solver.rules import turns
from clue_solver.rules.forms import AnswerList, Dice, Name, Seen, Several, SingleAnswer
from clue_solver.rules.observations import Answer, Event, Reply
from clue_solver.rules.table import Table

Kind = TypeVar("Kind", bound=Event)

TurnState = turns.TurnState

BY_MISTAKE = "a pass by mistake is written as not heard, `Ben ?`, with a comment behind the line"
"""What to write instead of `Ben passes wrongly`."""

_UNHEARD = Answer(answer="unheard")
_BEGUN = TurnState()


class InvalidObservation(NotationError):
    """
    An observation that has no meaning at its table.

    Attributes:
        path: The part that is at fault: `("answers", 0, "card")`.
    """

    def __init__(
        self, reason: str, *, path: tuple[str | int, ...] = (), nearest: tuple[str, ...] = ()
    ) -> None:
        self.path = path
        super().__init__(reason, nearest=nearest)


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
    check = _Check(observation, table, state or _BEGUN)
    check.parts()
    tail = observation.form.tail
    if not isinstance(tail, AnswerList):
        return observation
    answers = check.answers(tail)
    same = answers == getattr(observation, tail.field)
    return observation if same else replace(observation, **{tail.field: answers})


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


def passes(seats: Sequence[str]) -> tuple[Answer, ...]:
    """Return the answers of seats that all pass."""
    return tuple(map(answer_of, seats))


@lru_cache(maxsize=1024)
def answer_of(seat: str, reply: Reply = "passes", card: str | None = None) -> Answer:
    """Return an answer; a record has the same ones again and again, so it is checked once."""
    return Answer(seat=seat, answer=reply, card=card)


class _Check:
    """The checks on one observation at one table."""

    def __init__(self, observation: Event, table: Table, state: TurnState) -> None:
        self.observation = observation
        self.table = table
        self.state = state
        self.form = observation.form
        self.lexicon = lexicon_of(table)
        self.subject = str(getattr(observation, self.form.subject)) if self.form.subject else ""

    def parts(self) -> None:
        """Check all but a list of answers, in the order of the line."""
        form = self.form
        if form.subject:
            self.named(self.lexicon.seats, self.subject, form.subject)
        if form.needs is not None and not self.table.edition.rooms:
            _refuse(f"edition {printable(self.table.edition.name)} has no rooms", "event")
        for part in form.parts:
            match part:
                case Name():
                    self.one(part)
                case Several():
                    self.several(part)
                case Dice():
                    self.roll(part)
        match form.tail:
            case Seen(name=name):
                if not self.lexicon.of(name.of).names:
                    edition = printable(self.table.edition.name)
                    _refuse(f"edition {edition} has no notch: there is nothing to peek at", "event")
                self.one(name)
            case SingleAnswer():
                self.reply(form.tail)

    def one(self, part: Name) -> None:
        """Check the name at a place of the line."""
        name: str | None = getattr(self.observation, part.field)
        if name is None:
            others = [other for other in self.form.parts if isinstance(other, Name)]
            told = any(getattr(self.observation, other.field) for other in others)
            if part.unseen and others and not told:
                who = printable(self.subject)
                _refuse(f"expected the card that {who} {self.form.verb}; found none", part.field)
            return
        self.named(self.lexicon.of(part.of), name, part.field)
        if part.nobody and name == self.subject:
            expected = joined(seat for seat in self.table.seats if seat != name)
            found = f"expected {expected}; found {printable(name)}"
            _refuse(f"nobody {part.nobody} themselves: {found}", part.field)
        if part.of == "cards" and part.held:
            self.hidden(name, part.field)

    def several(self, part: Several) -> None:
        """Check the list at a place of the line."""
        lists: dict[str, tuple[str, ...]] = {
            field: getattr(self.observation, field) for field in part.fields
        }
        if part.none and sum(map(bool, lists.values())) != 1:
            _refuse(part.none.format(printable(self.subject)), part.fields[0])
        names_there = self.lexicon.of(part.of)
        for field, names in lists.items():
            for place, name in enumerate(names):
                self.named(names_there, name, field, place)
                if name in names[:place]:
                    _refuse(f"{printable(name)} is named twice in the line", field, place)
            for place, name in enumerate(names if part.held else ()):
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
        icons: tuple[str, ...] = getattr(self.observation, part.icons)
        if (total is None) == (not faces) or len(faces) > part.most:
            expected = f"either a total or the faces of at most {part.most} dice"
            _refuse(f"expected {expected}", part.total)
        if icons and total is None:
            _refuse("expected the total of the dice before their icons", part.icons)
        if total is not None:
            self.named(self.lexicon.totals, str(total), part.total)
        for place, face in enumerate(faces):
            self.named(self.lexicon.faces, face, part.dice, place)
        for place, face in enumerate(icons):
            self.named(self.lexicon.icons, face, part.icons, place)

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
        reason = f"{side}: expected {expected} for {printable(self.subject)}; found {count}{hint}"
        _refuse(reason, field, most if count > most else count - 1)

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
        self.shown(card, self.lexicon.marked_by(things), tail.card)

    def named(self, names: Names, name: str, *path: str | int) -> None:
        """Refuse what is not one of the names, to the letter."""
        if name not in names:
            error = names.unknown(name)
            _refuse(error.reason, *path, nearest=error.nearest)

    def hidden(self, card: str, *path: str | int) -> None:
        """Refuse a card that nobody can have."""
        if card in self.table.face_up:
            _refuse(f"{printable(card)} is face-up on the table: nobody holds it", *path)

    def shown(self, card: str, asked: Sequence[str], *path: str | int) -> None:
        """Refuse a card that cannot have been shown."""
        if card not in asked:
            self.named(self.lexicon.cards, card, *path)
            reason = f"{printable(card)} was not asked for: expected {joined(asked)}"
            _refuse(reason, *path, nearest=(*asked,))
        self.hidden(card, *path)

    def one_of_each(self, cards: Sequence[str], count: int, field: str) -> None:
        """Refuse cards that are not `count` cards of different categories."""
        kinds = [self.lexicon.kind[card] for card in cards]
        if len(kinds) == count == len(set(kinds)):
            return
        every = [kind.name for kind in self.table.edition.category]
        wanted = f"{count} cards of different categories"
        missing = []
        if count == len(every):
            wanted = joined((f"one {kind}" for kind in every), "and")
            missing = [kind for kind in every if kind not in kinds]
        lacking = joined((f"no {kind}" for kind in missing), "and") if missing else ""
        for place, kind in enumerate(kinds):
            if kind in kinds[:place]:
                found = joined((cards[kinds.index(kind)], cards[place]), "and")
                found = ", ".join(filter(None, (found, lacking)))
                reason = f"two of one category ({kind}): expected {wanted}; found {found}"
                _refuse(reason, field, place)
        one_less = len(cards) == count - 1
        near = [card for card, kind in self.lexicon.kind.items() if one_less and kind in missing]
        found = lacking or joined(cards or ("none",), "and")
        place = count if len(cards) > count else max(len(cards) - 1, 0)
        _refuse(f"expected {wanted}; found {found}", field, place, nearest=(*near,))

    def answers(self, tail: AnswerList) -> tuple[Answer, ...]:
        """
        Return the answers to a suggestion in canonical form.

        Where the first who can shows: in answering order, with the passes that follow from it, and
        closed with an unheard answer without a seat where more may have been answered. Where
        everyone shows: as they stand, without what was not heard. All pass: the passes in
        answering order. None heard: empty.
        """
        answers: tuple[Answer, ...] = getattr(self.observation, tail.field)
        asked: tuple[str, ...] = getattr(self.observation, tail.asked)
        order = self.table.answering(self.subject, left=self.state.left)
        for place, answer in enumerate(answers):
            self.answer(answer, asked, order, answers[:place], tail.field, place)
        if not self.table.everyone_shows:
            return _up_to_the_first(answers, order, tail.field)
        heard = tuple(answer for answer in answers if answer.answer != "unheard")
        if len(heard) == len(order) and all(answer.answer == "passes" for answer in heard):
            return passes(order)
        return heard

    def answer(
        self,
        answer: Answer,
        asked: Sequence[str],
        order: Sequence[str],
        before: Sequence[Answer],
        *path: str | int,
    ) -> None:
        """Check one of several answers."""
        seat = answer.seat
        if seat is not None:
            self.named(self.lexicon.seats, seat, *path, "seat")
        elif answer.answer != "unheard":
            _refuse(f"expected who {answer.answer}; found no player", *path, "answer")
        if answer.card is not None:
            self.shown(answer.card, asked, *path, "card")
            if answer.answer != "shows":
                _refuse("only the answer 'shows' has a card", *path, "card")
        if before and before[-1].seat is None:
            _refuse(f"expected no answer after '?'; found {printable(seat or '?')}", *path)
        if seat is None:
            return
        if seat == self.subject:
            _refuse(f"{printable(seat)} cannot answer their own suggestion", *path, "seat")
        if seat not in order:
            expected = joined(order) if order else "no answer"
            found = printable(seat)
            _refuse(f"{found} has left: expected {expected}; found {found}", *path, "seat")
        if any(seat == other.seat for other in before):
            _refuse(f"{printable(seat)} answers twice", *path, "seat")


def _up_to_the_first(
    answers: Sequence[Answer], order: Sequence[str], field: str
) -> tuple[Answer, ...]:
    """Return answers in canonical form where the first who can shows."""
    by_seat = {answer.seat: answer for answer in answers if answer.seat is not None}
    heard = [seat for seat in order if seat in by_seat and by_seat[seat].answer != "unheard"]
    if not heard:
        return ()
    shower = next((seat for seat in heard if by_seat[seat].answer == "shows"), None)
    closed = any(answer.seat is None for answer in answers)
    # Nobody answers after the first who shows.
    if shower is not None and (closed or shower != heard[-1]):
        more = None if closed else heard[-1]
        place = next(at for at, answer in enumerate(answers) if answer.seat == more)
        who = printable(shower)
        reason = f"expected no answer after {who} has shown; found {printable(more or '?')}"
        if by_seat[shower].card is None:
            reason += f"; did you mean '{who} passes'?"
        _refuse(reason, field, place)
    # Who answered before the last that was heard, and is not told, passed.
    asked = order[: order.index(heard[-1]) + 1]
    answered = tuple([by_seat.get(seat) or answer_of(seat) for seat in asked])
    return answered if shower or len(asked) == len(order) else (*answered, _UNHEARD)


def _refuse(reason: str, *path: str | int, nearest: tuple[str, ...] = ()) -> NoReturn:
    raise InvalidObservation(reason, path=path, nearest=nearest)
