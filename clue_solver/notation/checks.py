"""
Says what is wrong with an observation, and brings it into its one canonical form.

All checks follow from the form that an observation declares, such as how many cards a hand has or
that nobody shows a card to themselves. At a table where only the first who can shows, the passes
before a show follow from the order of the seats: `normalise` fills them in, `without_implied` takes
them away.
"""

from collections.abc import Container, Sequence
from typing import Any, NoReturn, TypeVar

from msgspec.structs import asdict, replace

from clue_solver.errors import NotationError, SetupError, printable
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.notation.names import Names, joined
from clue_solver.notation.places import Fields, Places, answer_of, passes
from clue_solver.rules import forms
from clue_solver.rules.observations import Answer, Event, Inquiry, Question, Reply
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState

Kind = TypeVar("Kind", bound=Event)

_MOST_DICE = 6
"""The most faces of dice in a roll: those of five suspect dice and of the special one."""
_UNHEARD = Answer(answer="unheard")
_NOT_BEGUN = TurnState()


class InvalidObservation(NotationError):
    """
    An observation that makes no sense at its table.

    Attributes:
        path: The part of the observation with the mistake, as fields and indexes:
            `("answers", 0, "card")`.
    """

    def __init__(
        self, reason: str, *, path: tuple[str | int, ...] = (), nearest: tuple[str, ...] = ()
    ) -> None:
        self.path = path
        super().__init__(reason, nearest=nearest)


def normalise(observation: Kind, table: Table, state: TurnState | None = None) -> Kind:
    """
    Return an observation in canonical form: with implied passes, and `?` after incomplete answers.

    Args:
        observation: An observation with each name as the header or the edition has it.
        table: The table at which it was made.
        state: Whose turn it is and who has left, from the earlier lines; if left out, that of a
            game that has not begun.

    Raises:
        InvalidObservation: If it makes no sense at this table; its `path` says which part.
    """
    return _Checks(table, state or _NOT_BEGUN).canonical(observation)


class _Checks(Places):
    """
    Checks the observations made at one table, after the earlier lines.

    What a method refuses, it refuses by raising `InvalidObservation`.
    """

    def canonical(self, observation: Kind) -> Kind:
        """
        Return an observation in canonical form.

        Implied passes are filled in, and `?` is added after answers that are not complete.

        Args:
            observation: An observation with each name as the header or the edition has it.

        Raises:
            InvalidObservation: If it makes no sense at this table.
        """
        # What the edition does not have.
        form = observation.form
        missing = ""
        if form.needs is not None and not self.table.edition.rooms:
            missing = "rooms"
        elif isinstance(form.tail, forms.Name) and not self.lexicon.of(form.tail.of).names:
            missing = "notch: there is nothing to peek at"
        if missing:
            _refuse(f"edition {printable(self.table.edition.name)} has no {missing}", "event")
        # The names in each field, and what each part of the form asks of them.
        fields = asdict(observation)
        by = observation.actor
        for field, bearers in form.bearers.items():
            self._check_names(field, fields.get(field), bearers)
        for part in (*form.parts, form.tail):
            match part:
                case forms.Name(field=field, nobody=nobody, held=held):
                    if nobody and fields[field] == by:
                        others = joined(seat for seat in self.table.seats if seat != by)
                        found = f"expected {others}; found {printable(by)}"
                        _refuse(f"nobody {nobody} themselves: {found}", field)
                    if held:
                        self._check_hidden(fields[field], field)
                case forms.Several():
                    self._check_list(part, fields, by)
                case forms.Dice():
                    self._check_roll(fields)
        # What is missing.
        for gap in self.gaps(type(observation), fields):
            if gap.needed:
                reason = f"expected {gap.expected}; found none"
                _refuse(reason, gap.field, nearest=gap.names[:12])
        # The answers, which alone may have to be brought into canonical form.
        match form.tail:
            case forms.SingleAnswer():
                self._check_reply(fields)
            case forms.AnswerList():
                answers = self._canonical_answers(fields, by)
                if answers != fields["answers"]:
                    return replace(observation, answers=answers)
        return observation

    def _check_names(self, field: str, value: Any, bearers: forms.Bearers) -> None:
        """
        Refuse names in a field that are not of the kind that belongs there.

        Also refuse a name that occurs twice, unless the names are faces or icons of dice.

        Args:
            field: The name of the field.
            value: Its value: a tuple of names, a name, or `None`.
            bearers: The kind of names that belong there.
        """
        names = value if isinstance(value, tuple) else [] if value is None else [str(value)]
        for at, name in enumerate(names):
            path = (field, at) if names is value else (field,)
            self._check_known(self.lexicon.of(bearers), name, *path)
            if name in names[:at] and bearers not in ("faces", "icons"):
                _refuse(f"{printable(name)} is named twice in the line", *path)

    def _check_list(self, part: forms.Several, fields: Fields, by: str) -> None:
        """
        Refuse a list with too few or too many names, or with a wrong mix of categories.

        Args:
            part: The part of the line's form that describes the list.
            fields: The observation's fields.
            by: The seat that acts.
        """
        given = [field for field in part.fields if fields[field]]
        if len(given) > 1:
            _refuse(f"expected {joined(part.fields)}; found both", given[-1])
        for field in given:
            for at, name in enumerate(fields[field]):
                if part.held:
                    self._check_hidden(name, field, at)
            if part.size == "hand":
                self._check_hand(part, fields[field], by)
            elif part.size != "any":
                self._check_one_of_each(part, fields[field], by)

    def _check_hand(self, part: forms.Several, cards: Sequence[str], by: str) -> None:
        """
        Refuse a list of the cards in a hand if it is not as long as the hand can be.

        Args:
            part: The part of the line's form that describes the list.
            cards: The cards.
            by: The seat whose hand it is.
        """
        field = part.fields[0]
        try:
            least, most = self.sizes(part, by)
        except SetupError as error:
            _refuse(str(error), field)
        count = len(cards)
        if least <= count <= most:
            return
        expected = f"{least}" if least == most else f"{least} or {most}"
        side = "more" if count > most else "fewer"
        reason = f"{side} cards than the hand holds: expected {expected} for {printable(by)}"
        hint, at = "", self.table.seats.index(by)
        sizes = [*(self.table.hands or [None] * len(self.table.seats))]
        if sizes[at] is None:
            sizes[at] = count
            line = ", ".join("?" if size is None else str(size) for size in sizes)
            hint = f"; if that is right, add the header line 'hands: {line}'"
        _refuse(f"{reason}; found {count}{hint}", field, min(count - 1, most))

    def _check_one_of_each(self, part: forms.Several, cards: Sequence[str], by: str) -> None:
        """
        Refuse a list of cards if two are of one category or there are too many.

        Args:
            part: The part of the line's form that describes the list.
            cards: The cards.
            by: The seat that acts.
        """
        field, most = part.fields[0], self.sizes(part, by)[1]
        kinds = [self.lexicon.category_of[card] for card in cards]
        if len(kinds) <= most and len({*kinds}) == len(kinds):
            return
        every = [kind.name for kind in self.table.edition.category]
        wanted = f"{most} cards of different categories"
        lacking = ""
        if most == len(every):
            wanted = joined((f"one {kind}" for kind in every), "and")
            lacking = joined((f"no {kind}" for kind in every if kind not in kinds), "and")
        for at, kind in enumerate(kinds):
            if kind in kinds[:at]:
                found = joined((cards[kinds.index(kind)], cards[at]), "and")
                found = ", ".join(filter(None, (found, lacking)))
                reason = f"two of one category ({kind}): expected {wanted}; found {found}"
                _refuse(reason, field, at)
        _refuse(f"expected {wanted}; found {joined(cards, 'and')}", field, most)

    def _check_roll(self, fields: Fields) -> None:
        """Refuse a roll unless it has either a total or the faces of dice."""
        total, faces = fields["total"], fields["dice"]
        if (total is not None and faces) or len(faces) > _MOST_DICE:
            expected = f"either a total or the faces of at most {_MOST_DICE} dice"
            _refuse(f"expected {expected}", "total")
        if fields["icons"] and total is None:
            _refuse("expected the total of the dice before their icons", "icons")

    def _check_reply(self, fields: Fields) -> None:
        """Refuse a question with an impossible answer, or to a seat that has left."""
        if fields["seat"] in self.state.left:
            _refuse(left_reason(fields["seat"]), "seat")
        cards = self.lexicon.marked_by(fields["about"])
        self._check_shown(fields["answer"], fields["card"], cards, "card")

    def _check_known(self, names: Names, name: str, *path: str | int) -> None:
        """
        Refuse the text `name` if it is not exactly one of `names`.

        `path` says where in the observation it is, as fields and indexes: `answers`, 0, `card`.
        """
        if name not in names.forms:
            error = names.error_for(name)
            _refuse(error.reason, *path, nearest=error.nearest)

    def _check_hidden(self, card: str | None, *path: str | int) -> None:
        """
        Refuse a card that lies face-up, because nobody holds it.

        `path` says where in the observation it is, as fields and indexes: `answers`, 0, `card`.
        """
        if card in self.table.face_up:
            _refuse(f"{printable(str(card))} is face up on the table: nobody holds it", *path)

    def _check_shown(
        self, reply: Reply, card: str | None, asked: Sequence[str], *path: str | int
    ) -> None:
        """
        Refuse a shown card that was not asked for, lies face-up, or is part of a pass.

        Args:
            reply: The word of the answer.
            card: The card that the answer names; `None` if it names none.
            asked: The cards that were asked for.
            path: Where the card is in the observation.
        """
        if card is None:
            return
        if card not in asked:
            self._check_known(self.lexicon.cards, card, *path)
            reason = f"{printable(card)} was not asked for: expected {joined(asked)}"
            _refuse(reason, *path, nearest=(*asked,))
        self._check_hidden(card, *path)
        if reply != "shows":
            _refuse("only the answer 'shows' can name a card", *path)

    # The answers of several seats.

    def _canonical_answers(self, fields: Fields, by: str) -> tuple[Answer, ...]:
        """
        Return the answers to a suggestion in canonical form.

        If only the first seat that can show does so, the answers are in answering order, and the
        passes that follow from it are filled in. An unheard answer without a seat comes last if
        later answers are possible. If everyone shows, the answers are those given, without unheard
        ones. If all pass, they are the passes in answering order. If no answer was heard, there are
        none.

        Args:
            fields: The fields of the suggestion.
            by: The seat that suggests.
        """
        answers: tuple[Answer, ...] = fields["answers"]
        order = self.table.answering(by, left=self.state.left)
        heard: list[str] = []
        for at, answer in enumerate(answers):
            path = "answers", at
            self._check_shown(answer.answer, answer.card, fields["cards"], *path, "card")
            if at and answers[at - 1].seat is None:
                found = printable(answer.seat or "?")
                _refuse(f"expected no answer after '?'; found {found}", *path)
            if answer.seat is not None:
                self._check_known(self.lexicon.seats, answer.seat, *path, "seat")
                wrong = "answers twice" if answer.seat in heard else ""
                if answer.seat == by:
                    wrong = "cannot answer their own suggestion"
                elif answer.seat not in order:
                    expected = joined(order) if order else "no answer"
                    wrong = f"has left: expected {expected}; found {printable(answer.seat)}"
                if wrong:
                    _refuse(f"{printable(answer.seat)} {wrong}", *path, "seat")
                heard.append(answer.seat)
            elif answer.answer != "unheard":
                _refuse(f"expected who {answer.answer}; found no player", *path, "answer")
        if not self.table.everyone_shows:
            return self._up_to_the_first(answers, order, by)
        given = tuple(answer for answer in answers if answer.answer != "unheard")
        if len(given) == len(order) and all(answer.answer == "passes" for answer in given):
            return passes(order)
        return given

    def _up_to_the_first(
        self, answers: Sequence[Answer], order: Sequence[str], by: str
    ) -> tuple[Answer, ...]:
        """
        Return answers in canonical form at a table where only the first who can show does so.

        Args:
            answers: The answers.
            order: The seats in the order in which they answer.
            by: The seat that suggests.
        """
        by_seat = {answer.seat: answer for answer in answers if answer.seat is not None}
        heard = [seat for seat in order if seat in by_seat and by_seat[seat].answer != "unheard"]
        if not heard:
            return ()
        shower = next((seat for seat in heard if by_seat[seat].answer == "shows"), None)
        closed = any(answer.seat is None for answer in answers)
        # Nobody answers after the first who shows.
        if shower is not None and (closed or shower != heard[-1]):
            more = None if closed else heard[-1]
            wrong = next(at for at, answer in enumerate(answers) if answer.seat == more)
            who = printable(shower)
            reason = f"expected no answer after {who} has shown; found {printable(more or '?')}"
            if more in heard and answers.index(by_seat[more]) < answers.index(by_seat[shower]):
                side = self.table.order or self.table.edition.order
                reason += f"; {printable(order[0])}, on {printable(by)}'s {side}, answers first"
            elif by_seat[shower].card is None:
                reason += f"; did you mean '{who} passes'?"
            _refuse(reason, "answers", wrong)
        # Seats before the last answer that was heard passed, unless something else is known.
        asked = order[: order.index(heard[-1]) + 1]
        answered = tuple([by_seat.get(seat) or answer_of(seat) for seat in asked])
        return answered if shower or len(asked) == len(order) else (*answered, _UNHEARD)


def left_reason(seat: str) -> str:
    """Return the message that a player who has left the game cannot be asked."""
    return f"{printable(seat)} has left the game and can't be asked"


def answers_of(observation: Event, table: Table) -> Sequence[tuple[Answer, tuple[str, ...]]]:
    """Return the answers in an observation, each with the cards that were asked for."""
    match observation:
        case Inquiry(cards=cards, answers=answers):
            return [(answer, cards) for answer in answers]
        case Question(seat=seat, about=about, answer=said, card=card):
            answer = Answer(seat=seat, answer=said, card=card)
            return [(answer, lexicon_of(table).marked_by(about))]
    return []


def with_shown_card(observation: Kind, at: int, card: str | None) -> Kind:
    """
    Return an observation with another card shown, or with no card named.

    Args:
        observation: A suggestion, or another observation with a card.
        at: The index of the answer that shows the card. It counts only for suggestions.
        card: The card; `None` to name none.
    """
    if not isinstance(observation, Inquiry):
        return replace(observation, card=card)
    answers = list(observation.answers)
    answers[at] = replace(answers[at], card=card)
    return replace(observation, answers=tuple(answers))


def answered_seats(observation: Event) -> frozenset[str]:
    """Return the seats of the answers in a suggestion; empty for other observations."""
    answers: tuple[Answer, ...] = getattr(observation, "answers", ())
    return frozenset(answer.seat for answer in answers if answer.seat is not None)


def without_implied(
    observation: Kind,
    table: Table,
    explicit: frozenset[str] | None = None,
    *,
    left: Container[str] = (),
) -> Kind:
    """
    Return an observation without the passes that `normalise` filled in.

    If it is unknown which answers were typed, as for a line from a file, a pass before a show is
    dropped: it follows from the order of the seats. If nobody is known to show, the last of several
    passes is kept, because the earlier ones may have been filled in. The seats without an answer
    are then marked unheard, so that a wrong seating order cannot create passes.

    Args:
        observation: An observation in canonical form.
        table: The table at which it was made.
        explicit: The seats whose answers were typed; `None` if that is unknown.
        left: The seats that had left the table.
    """
    if not isinstance(observation, Inquiry) or table.everyone_shows:
        return observation
    answers = observation.answers
    passing = [answer for answer in answers if answer.answer == "passes"]
    if explicit is not None or any(answer.answer == "shows" for answer in answers):
        filled_in = [answer for answer in passing if answer.seat not in (explicit or ())]
        answers = tuple(answer for answer in answers if answer not in filled_in)
    elif len(passing) > 1 and answers[-1].seat is None:
        heard = answered_seats(observation)
        others = table.answering(observation.actor, left=left)
        unheard = (answer_of(seat, "unheard") for seat in others if seat not in heard)
        answers = (*unheard, *answers)
    return replace(observation, answers=answers)


def _refuse(reason: str, *path: str | int, nearest: tuple[str, ...] = ()) -> NoReturn:
    """
    Raise an `InvalidObservation`.

    Args:
        reason: The message.
        path: The part of the observation with the mistake, as fields and indexes.
        nearest: What may have been meant, likeliest first.
    """
    raise InvalidObservation(reason, path=path, nearest=nearest)
