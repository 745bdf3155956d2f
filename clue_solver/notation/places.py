"""
The places of a line: which names may stand there, what is wrong, and what is left out.

All of it follows from the form that an observation declares: which names a place takes, that
nobody shows a card to themselves, how long a list is. Prompts, completions and menus offer what a
line leaves out; `normalise` brings a complete observation into its one canonical form.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NoReturn, TypeVar

from msgspec import Struct
from msgspec.structs import asdict, replace

from clue_solver.errors import NotationError, SetupError, printable
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.notation.names import Names, joined
from clue_solver.rules import forms
from clue_solver.rules.observations import Answer, Event, Reply
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState

Kind = TypeVar("Kind", bound=Event)
Fields = Mapping[str, Any]
"""The known fields of an observation, by their names."""

NOBODY = "nobody"
"""The choice that means that all players passed."""

UNHEARD = "no idea"
"""The menu's label for leaving out an answer."""

_MOST_DICE = 6
_UNHEARD = Answer(answer="unheard")
_NOT_BEGUN = TurnState()


class InvalidObservation(NotationError):
    """
    An observation that makes no sense at its table.

    Attributes:
        path: The part with the mistake: `("answers", 0, "card")`.
    """

    def __init__(
        self, reason: str, *, path: tuple[str | int, ...] = (), nearest: tuple[str, ...] = ()
    ) -> None:
        self.path = path
        super().__init__(reason, nearest=nearest)


class Gap(Struct, frozen=True):
    """
    Something that a line leaves out.

    Attributes:
        field: The field of the observation to which it belongs.
        expected: What belongs there, for error messages: `a card`.
        names: The possible values, in order.
        needed: Whether the observation is incomplete without it.
        question: How a menu asks for it; empty if no menu does.
        without: The menu's label for leaving it out; empty if it cannot be left out.
        seat: The seat whose answer it is; empty if it is no answer.
    """

    field: str
    expected: str
    names: tuple[str, ...]
    needed: bool = True
    question: str = ""
    without: str = ""
    seat: str = ""


def normalise(observation: Kind, table: Table, state: TurnState | None = None) -> Kind:
    """
    Return an observation in canonical form: implied passes filled in, lists of answers closed.

    Args:
        observation: An observation that uses the canonical names.
        table: The table at which it was made.
        state: Whose turn it is and who has left, from the earlier lines; if left out, that of a
            game that has not begun.

    Raises:
        InvalidObservation: If it makes no sense at this table; its `path` says which part.
    """
    return Places(table, state or _NOT_BEGUN).checked(observation)


class Places:
    """What may stand in each place of a line, at one table and after some earlier lines."""

    def __init__(self, table: Table, state: TurnState) -> None:
        self.table = table
        self.state = state
        self.lexicon = lexicon_of(table)

    # What may stand there.

    def is_possible(self, form: forms.Form) -> bool:
        """Return whether the table has at least one name for every place of a form."""
        names = [part.of for part in (*form.parts, form.tail) if isinstance(part, forms.Name)]
        needed = [*names, *([form.needs] if form.needs else [])]
        return all(self._names_of(bearers).names for bearers in needed)

    def is_offered(self, form: forms.Form) -> bool:
        """Return whether menus and completions offer a form: the edition must use its verb."""
        verb = form.verb if form.subject else "nobody"
        return verb in self.table.edition.verbs and self.is_possible(form)

    def _names_of(self, of: forms.Bearers) -> Names:
        """Return the names that menus offer from a group; from `spots` they offer only rooms."""
        return self.lexicon.rooms if of == "spots" else self.lexicon.of(of)

    def choice(self, part: forms.Name, by: str) -> tuple[str, ...]:
        """Return the names that may stand at a place, likeliest first."""
        names = self.table.cards if part.held else self._names_of(part.of).names
        others = tuple(name for name in names if name != by)
        return others if part.nobody or by not in names else (*others, by)

    def sizes(self, part: forms.Several, by: str) -> tuple[int, int]:
        """
        Return the smallest and the largest number of names that a list may have.

        Raises:
            SetupError: If the sizes of the hands do not add up.
        """
        edition = self.table.edition
        match part.size:
            case "suggestion":
                return edition.named, edition.named
            case "accusation":
                return len(edition.category), len(edition.category)
            case "hand":
                sizes = {seat: size for seat, size in self.state.sizes.items() if seat != by}
                return self.table.size_bounds(sizes)[self.table.seats.index(by)]
        return 1, len(self.lexicon.of(part.of).names)

    def remaining(self, part: forms.Several, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return the names that may be added to a list which already has some."""
        every = self.lexicon.of(part.of).names
        if part.size in ("suggestion", "accusation"):
            named = {self.lexicon.category_of[card] for card in names}
            return tuple(card for card in every if self.lexicon.category_of[card] not in named)
        every = self.table.cards if part.of == "cards" else every
        return tuple(name for name in every if name not in names)

    def replies(self, asked: Sequence[str]) -> tuple[str, ...]:
        """Return the possible answers to a suggestion of some cards: a show, each card, a pass."""
        return ("shows", *self.showable(asked), "passes")

    def showable(self, cards: Sequence[str]) -> tuple[str, ...]:
        """Return which of the cards a player may hold: those not face-up on the table."""
        return tuple(card for card in cards if card not in self.table.face_up)

    # What a line leaves out.

    def gaps(self, kind: type[Event], fields: Fields) -> Iterator[Gap]:
        """
        Yield what a line leaves out, in the order of the line.

        A list has one gap for each missing name.

        Args:
            kind: The kind of observation.
            fields: The fields known so far.
        """
        form = kind.form
        by = fields.get(form.subject)
        if form.subject and by is None:
            seats = tuple(seat for seat in self.table.seats if seat not in fields.values())
            yield Gap(form.subject, f"who {form.verb}", seats, question=f"Who {form.verb}?")
        for part in (*form.parts, form.tail):
            match part:
                case forms.Name(field=field) if fields.get(field) is None:
                    yield self._name_gap(part, form, fields, by)
                case forms.Several():
                    yield from self._list_gaps(part, fields, by)
                case forms.Dice():
                    yield from self._dice_gaps(part, fields)
                case forms.Verdict(field=field, words=words) if field not in fields:
                    yield Gap(field, "right or wrong", tuple(words), question=part.question)
                case forms.AnswerList():
                    yield from self._answer_gaps(fields, by)
                case forms.SingleAnswer() if fields.get("about"):
                    yield from self._reply_gaps(fields)

    def _name_gap(self, part: forms.Name, form: forms.Form, fields: Fields, by: str | None) -> Gap:
        """
        Return the gap for a missing name.

        A name that may be unseen is needed only if the line has no other name.
        """
        names = [name.field for name in form.parts if isinstance(name, forms.Name)]
        others = [fields.get(name) for name in names if name != part.field]
        needed = part is not form.tail and not part.optional and not (part.unseen and any(others))
        without = "everyone" if part.optional and all(others) else ""
        without = "I did not see it" if part.unseen else without
        choice = self.choice(part, by or "")
        return Gap(part.field, part.wanted, choice, needed, part.question, without)

    def _list_gaps(self, part: forms.Several, fields: Fields, by: str | None) -> Iterator[Gap]:
        """Yield the gaps of a list: one for each missing name, but a single one for a hand."""
        begun = [field for field in part.fields if field in fields]
        field = next((field for field in begun if fields[field]), (*begun, *part.fields)[0])
        names: tuple[str, ...] = fields.get(field, ())
        if not begun and len(part.fields) > 1:
            yield Gap(field, joined(part.fields), part.fields, question="What?")
        if by is None and part.size == "hand":
            return
        least, most = self.sizes(part, by or "")
        lacking = max(least, 1) - len(names)
        if names and len(names) >= most:
            return
        expected = "a card to ask about" if field == "about" else "a card"
        if part.size in ("hand", "accusation") and not names:
            expected = "the cards"
        elif part.size == "hand":
            expected = f"{lacking} more cards" if lacking > 1 else "one more card"
        elif part.size != "any":
            kinds = {self.lexicon.category_of.get(name) for name in names}
            if len(kinds) < len(names):
                return
            every = self.table.edition.category
            expected = joined(f"a {kind.name}" for kind in every if kind.name not in kinds)
        question = "" if names and part.size == "any" and not part.between else part.question
        without = "Done" if lacking <= 0 and names else ""
        left = self.remaining(part, names)
        gap = Gap(field, expected, left, lacking > 0, question, without)
        yield from [gap] * (1 if part.size == "hand" else max(lacking, 1))

    def _dice_gaps(self, part: forms.Dice, fields: Fields) -> Iterator[Gap]:
        """Yield the gap for the total, for the icons in it, or for the face of the next die."""
        edition = self.table.edition
        total, faces = fields.get("total"), fields.get("dice", ())
        expected = "what was rolled"
        if total is not None and self.table.clues and not fields.get("icons"):
            counts = [] if edition.board is None else edition.board.icons_in(total)
            for icon in self.lexicon.icons.names[:1]:
                names = tuple([", ".join([icon] * count) for count in counts if count])
                without = f"no {icon}" if 0 in counts else ""
                yield Gap("icons", "icons", names, False, f"With the {icon}?", without)
        elif total is None and edition.rooms and not faces:
            dice = 2 if edition.board is None else edition.board.dice  # or not recorded
            totals = tuple(map(str, range(dice, 6 * dice + 1)))
            yield Gap("total", expected, totals, question=part.question)
        elif total is None:
            suspects = tuple(edition.features)
            special = tuple(face for face in self.lexicon.faces.names if face not in suspects)
            dice_left = [*[suspects] * edition.suspect_dice, special][len(faces) :] or [()]
            if dice_left[0] or not faces:
                yield Gap("dice", expected, dice_left[0], not faces, part.question)

    def _reply_gaps(self, fields: Fields) -> Iterator[Gap]:
        """Yield the gap for the answer of the player asked, or for the card shown."""
        asked = self.lexicon.marked_by(fields["about"])
        answer, seat = fields.get("answer", "unheard"), fields["seat"]
        if answer == "unheard":
            replies = self.replies(asked)
            yield Gap("answer", "the answer", replies, False, "The answer?", UNHEARD, seat)
        elif answer == "shows" and fields.get("card") is None:
            yield Gap("card", "a card", self.showable(asked), needed=False)

    def _answer_gaps(self, fields: Fields, by: str | None) -> Iterator[Gap]:
        """Yield the gap for who shows, or which card; if everyone answers, for the next answer."""
        answers: tuple[Answer, ...] = fields.get("answers", ())
        last = answers[-1] if answers else None
        order = self.table.answering(by, left=self.state.left) if by is not None else ()
        heard = {one.seat for one in answers}
        left = [seat for seat in order if seat not in heard]
        asked = fields.get("cards", ())
        if any(one.seat is None and one.answer == "shows" for one in answers):
            yield Gap("answers", "who shows", order)
        elif self.table.everyone_shows and left:
            question = f"And {printable(left[0])}?"
            replies = self.replies(asked)
            yield Gap("answers", "an answer", replies, False, question, UNHEARD, left[0])
        elif last is None and order:
            seats = (*order, NOBODY)
            yield Gap("answers", "who shows", seats, False, "Who shows a card?", UNHEARD)
        elif last is not None and last.seat and last.answer == "shows" and last.card is None:
            if self.table.everyone_shows:
                return  # it was asked with the answer
            shown = ("shows", *self.showable(asked))
            yield Gap("answers", "a card", shown, False, "Which card?", seat=last.seat)

    def filled(self, fields: Fields, field: str, name: str) -> dict[str, Any]:
        """
        Return the fields of an observation after one gap is filled.

        Args:
            fields: The fields known so far.
            field: The field with the gap.
            name: What fills the gap, one of its `names`.
        """
        value: Any = name
        match field:
            case "answers":
                value = self._fill_answers(fields, name)
            case "answer" if name not in ("passes", "shows"):
                return {**fields, "answer": "shows", "card": name}
            case "right":
                value = name == "right"
            case "total":
                value = int(name)
            case "icons":
                value = tuple(name.split(", "))
            case "has" | "lacks" if name in ("has", "lacks"):
                return {**fields, name: ()}
            case "about" | "cards" | "has" | "lacks" | "dice":
                value = (*fields.get(field, ()), name)
        return {**fields, field: value}

    def _fill_answers(self, fields: Fields, name: str) -> tuple[Answer, ...]:
        """
        Return the answers after their gap is filled with who shows, a card or an answer.

        An empty name means that the next answer was not heard.
        """
        answers: tuple[Answer, ...] = fields.get("answers", ())
        order = self.table.answering(fields["by"], left=self.state.left)
        if any(one.seat is None and one.answer == "shows" for one in answers):
            return tuple(one if one.seat else replace(one, seat=name) for one in answers)
        if self.table.everyone_shows:
            return (*answers, _answer_in(order[len(answers)], name))
        if answers:
            return (*answers[:-1], _answer_in(str(answers[-1].seat), name))
        return passes(order) if name == NOBODY else (answer_of(name, "shows"),)

    # What is wrong.

    def checked(self, observation: Kind, *, whole: bool = False) -> Kind:
        """
        Return an observation in canonical form.

        Args:
            observation: The observation.
            whole: Whether it is known to have no needed gap.

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
        by = str(fields[form.subject]) if form.subject else ""
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
        for gap in () if whole else self.gaps(type(observation), fields):
            if gap.needed:
                reason = f"expected {gap.expected}; found none"
                _refuse(reason, gap.field, nearest=gap.names[:12])
        # The answers, which alone may have to be brought into canonical form.
        match form.tail:
            case forms.SingleAnswer():
                self._check_reply(fields)
            case forms.AnswerList():
                answers = self._canonical(fields, by)
                if answers != fields["answers"]:
                    return replace(observation, answers=answers)
        return observation

    def _check_names(self, field: str, value: Any, bearers: forms.Bearers) -> None:
        """Refuse unknown names in a field, and repeated ones unless they are faces of dice."""
        names = value if isinstance(value, tuple) else [] if value is None else [str(value)]
        for at, name in enumerate(names):
            path = (field, at) if names is value else (field,)
            self._check_known(self.lexicon.of(bearers), name, *path)
            if name in names[:at] and bearers not in ("faces", "icons"):
                _refuse(f"{printable(name)} is named twice in the line", *path)

    def _check_list(self, part: forms.Several, fields: Fields, by: str) -> None:
        """Refuse a list with too few or too many names, or with a wrong mix of categories."""
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
        """Refuse a hand of the wrong size."""
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
        hint = ""
        if not self.table.hands or self.table.hands[self.table.seats.index(by)] is None:
            hint = "; if that is right, give the sizes of the hands"
        _refuse(f"{reason}; found {count}{hint}", field, min(count - 1, most))

    def _check_one_of_each(self, part: forms.Several, cards: Sequence[str], by: str) -> None:
        """Refuse two cards of one category, and more cards than may be named."""
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
        """Refuse an impossible answer to a question."""
        if fields["seat"] in self.state.left:
            _refuse(left_and_asked(fields["seat"]), "seat")
        cards = self.lexicon.marked_by(fields["about"])
        self._check_shown(fields["answer"], fields["card"], cards, "card")

    def _check_known(self, names: Names, name: str, *path: str | int) -> None:
        """Refuse a text that is not exactly one of the names."""
        if name not in names.forms:
            error = names.error_for(name)
            _refuse(error.reason, *path, nearest=error.nearest)

    def _check_hidden(self, card: str | None, *path: str | int) -> None:
        """Refuse a card that lies face-up, which nobody holds."""
        if card in self.table.face_up:
            _refuse(f"{printable(str(card))} is face up on the table: nobody holds it", *path)

    def _check_shown(
        self, reply: Reply, card: str | None, asked: Sequence[str], *path: str | int
    ) -> None:
        """Refuse a shown card that was not asked for, lies face-up, or is part of a pass."""
        if card is None:
            return
        if card not in asked:
            self._check_known(self.lexicon.cards, card, *path)
            reason = f"{printable(card)} was not asked for: expected {joined(asked)}"
            _refuse(reason, *path, nearest=(*asked,))
        self._check_hidden(card, *path)
        if reply != "shows":
            _refuse("only the answer 'shows' can name a card", *path)

    # Answers of several.

    def _canonical(self, fields: Fields, by: str) -> tuple[Answer, ...]:
        """
        Return the answers to a suggestion in canonical form.

        If only the first who can shows: in answering order, with the implied passes filled in; if
        later answers are possible, an unheard one without a seat comes last. If everyone shows: as
        given, without unheard answers. If all pass: the passes in answering order. If no answer was
        heard: empty.
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
        """Return answers in canonical form at a table where only the first who can shows."""
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
        # Who answered before the last that was heard, and is not told, passed.
        asked = order[: order.index(heard[-1]) + 1]
        answered = tuple([by_seat.get(seat) or answer_of(seat) for seat in asked])
        return answered if shower or len(asked) == len(order) else (*answered, _UNHEARD)


def left_and_asked(seat: str) -> str:
    """Return why a question to a player who has left the game is refused."""
    return f"{printable(seat)} has left the game and can't be asked"


def answered_seats(observation: Event) -> frozenset[str]:
    """Return the seats that answer in an observation."""
    tail = observation.form.tail
    answers = getattr(observation, tail.field) if isinstance(tail, forms.AnswerList) else ()
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
    tail = observation.form.tail
    if not isinstance(tail, forms.AnswerList) or table.everyone_shows:
        return observation
    answers: tuple[Answer, ...] = getattr(observation, tail.field)
    passing = [answer for answer in answers if answer.answer == "passes"]
    if explicit is not None or any(answer.answer == "shows" for answer in answers):
        filled_in = [answer for answer in passing if answer.seat not in (explicit or ())]
        answers = tuple(answer for answer in answers if answer not in filled_in)
    elif len(passing) > 1 and answers[-1].seat is None:
        heard = answered_seats(observation)
        others = table.answering(getattr(observation, observation.form.subject), left=left)
        unheard = (answer_of(seat, "unheard") for seat in others if seat not in heard)
        answers = (*unheard, *answers)
    return replace(observation, **{tail.field: answers})


def passes(seats: Sequence[str]) -> tuple[Answer, ...]:
    """Return a pass for each of the seats."""
    return tuple(map(answer_of, seats))


@lru_cache(maxsize=1024)
def answer_of(seat: str, reply: Reply = "passes", card: str | None = None) -> Answer:
    """Return an answer. Cached, so that an answer which recurs in a record is checked only once."""
    return Answer(seat=seat, answer=reply, card=card)


def _answer_in(seat: str, name: str) -> Answer:
    """
    Return a seat's answer.

    `name` is `passes`, `shows` or the name of the card shown; empty if the answer was not heard.
    """
    if name in ("passes", "shows"):
        return answer_of(seat, "passes" if name == "passes" else "shows")
    return answer_of(seat, "shows", name) if name else answer_of(seat, "unheard")


def _refuse(reason: str, *path: str | int, nearest: tuple[str, ...] = ()) -> NoReturn:
    raise InvalidObservation(reason, path=path, nearest=nearest)
