"""
The places of a line: which names may stand there, and which of them a line leaves empty.

All of this follows from the form that an observation declares: it says which names a place takes
and how long a list is. Prompts, completions and menus offer what can fill a `Gap`.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from clue_solver.errors import printable
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.notation.names import Names, joined
from clue_solver.rules import forms
from clue_solver.rules.observations import Answer, Event, Reply
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState

Fields = Mapping[str, Any]
"""The values of the known fields of an observation, by the names of the fields."""

NOBODY = "nobody"
"""The word for no player: where a line names who acts, or as the answer that all passed."""

UNHEARD = "no idea"
"""The menu's label for leaving out an answer."""


class Gap(Struct, frozen=True):
    """
    Something that a line leaves out.

    Attributes:
        field: The field of the observation to which it belongs.
        expected: What belongs there, for error messages: `a card`.
        options: The names and words that may fill it, in order, each with the fields that it sets
            and their values; an empty word stands for an answer that was not heard.
        needed: Whether the observation is incomplete without it.
        question: How a menu asks for it; empty if no menu does.
        without: The menu's label for leaving it out; empty if it cannot be left out.
        seat: The seat whose answer it is; empty if it is no answer.
    """

    field: str
    expected: str
    options: Mapping[str, Fields]
    needed: bool = True
    question: str = ""
    without: str = ""
    seat: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names and words that may fill the gap."""
        return tuple([name for name in self.options if name])


class Places:
    """
    What may stand in each place of a line.

    This depends on the table, and on the state of the turns before the line.
    """

    def __init__(self, table: Table, state: TurnState) -> None:
        self.table = table
        self.state = state
        self.lexicon = lexicon_of(table)

    # What may stand there.

    def is_possible(self, form: forms.Form) -> bool:
        """
        Return whether lines of a form can be made at this table.

        They can if there is at least one name for each of their places: in an edition whose cards
        share no features, for example, there is none for what a peek shows.
        """
        names = [part.of for part in (*form.parts, form.tail) if isinstance(part, forms.Name)]
        needed = [*names, *([form.needs] if form.needs else [])]
        return all(self._names_of(bearers).names for bearers in needed)

    def is_offered(self, form: forms.Form) -> bool:
        """
        Return whether menus and completions offer lines of a form.

        These are the forms that are possible at this table (`is_possible`) and whose verb the
        edition uses.
        """
        verb = form.verb if form.subject else "nobody"
        return verb in self.table.edition.verbs and self.is_possible(form)

    def _names_of(self, of: forms.Bearers) -> Names:
        """Return the names of a kind that menus offer; of the kind `spots` these are the rooms."""
        return self.lexicon.rooms if of == "spots" else self.lexicon.of(of)

    def sizes(self, part: forms.Several, by: str) -> tuple[int, int]:
        """
        Return the smallest and the largest number of names that a list may have.

        Args:
            part: The part of the line's form that describes the list.
            by: The seat that acts.

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

    def replies(self, seat: str, asked: Sequence[str]) -> dict[str, Answer]:
        """
        Return the answers that a seat can give if some cards are asked for.

        Args:
            seat: The seat that answers.
            asked: The cards that are asked for.

        Returns:
            The answers by word: `shows` for a card that the writer does not see, the name of each
            card that can be shown, and `passes`.
        """
        cards = [card for card in asked if card not in self.table.face_up]
        shows = {card: answer_of(seat, "shows", card) for card in cards}
        return {"shows": answer_of(seat, "shows"), **shows, "passes": answer_of(seat)}

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
            seats = [seat for seat in self.table.seats if seat not in fields.values()]
            options = _options(form.subject, seats)
            yield Gap(form.subject, f"who {form.verb}", options, question=f"Who {form.verb}?")
        for part in (*form.parts, form.tail):
            match part:
                case forms.Name(field=field) if fields.get(field) is None:
                    yield self._name_gap(part, form, fields, by)
                case forms.Several():
                    yield from self._list_gaps(part, fields, by)
                case forms.Dice():
                    yield from self._dice_gaps(part, fields)
                case forms.Verdict(field=field, words=words) if field not in fields:
                    options = _options(field, words)
                    yield Gap(field, "right or wrong", options, question=part.question)
                case forms.AnswerList():
                    yield from self._answer_gaps(fields, by)
                case forms.SingleAnswer() if fields.get("about"):
                    yield from self._reply_gaps(fields)

    def _name_gap(self, part: forms.Name, form: forms.Form, fields: Fields, by: str | None) -> Gap:
        """
        Return the gap for a missing name.

        A name that the writer may not have seen is needed only if the line has no other name.

        Args:
            part: The part of the form that describes the name.
            form: The form of the line.
            fields: The fields known so far.
            by: The seat that acts; `None` if it is not known.
        """
        names = [name.field for name in form.parts if isinstance(name, forms.Name)]
        others = [fields.get(name) for name in names if name != part.field]
        needed = part is not form.tail and not part.optional and not (part.unseen and any(others))
        without = "everyone" if part.optional and all(others) else ""
        without = "I did not see it" if part.unseen else without
        # The names that may stand there; the subject's own comes last.
        every = self.table.cards if part.held else self._names_of(part.of).names
        choice = [name for name in every if name != by]
        if by in every and not part.nobody:
            choice.append(by)
        options = _options(part.field, choice)
        return Gap(part.field, part.wanted, options, needed, part.question, without)

    def _list_gaps(self, part: forms.Several, fields: Fields, by: str | None) -> Iterator[Gap]:
        """
        Yield a gap for each name that a list still lacks; for a hand a single gap.

        `by` is the seat that acts; `None` if it is not known.
        """
        begun = [field for field in part.fields if field in fields]
        field = next((field for field in begun if fields[field]), (*begun, *part.fields)[0])
        names: tuple[str, ...] = fields.get(field, ())
        if not begun and len(part.fields) > 1:
            lists = {each: {each: ()} for each in part.fields}
            yield Gap(field, joined(part.fields), lists, question="What?")
        if by is None and part.size == "hand":
            return
        least, most = self.sizes(part, by or "")
        lacking = max(least, 1) - len(names)
        if names and len(names) >= most:
            return
        # What belongs there, and the names that may be added to those that it has.
        category_of = self.lexicon.category_of
        named = {category_of.get(name) for name in names}
        every = self.table.cards if part.of == "cards" else self.lexicon.of(part.of).names
        left = [name for name in every if name not in names]
        expected = "a card to ask about" if field == "about" else "a card"
        if part.size in ("suggestion", "accusation"):
            if len(named) < len(names):
                return
            left = [card for card in self.lexicon.cards.names if category_of[card] not in named]
            kinds = [kind.name for kind in self.table.edition.category]
            expected = joined(f"a {kind}" for kind in kinds if kind not in named)
        if part.size in ("hand", "accusation") and not names:
            expected = "the cards"
        elif part.size == "hand":
            expected = f"{lacking} more cards" if lacking > 1 else "one more card"
        question = "" if names and part.size == "any" and not part.between else part.question
        without = "Done" if lacking <= 0 and names else ""
        options = _options(field, {name: (*names, name) for name in left})
        gap = Gap(field, expected, options, lacking > 0, question, without)
        yield from [gap] * (1 if part.size == "hand" else max(lacking, 1))

    def _dice_gaps(self, part: forms.Dice, fields: Fields) -> Iterator[Gap]:
        """
        Yield the gap for what a roll lacks next, if anything.

        It is the total, the icons in the total, or the face of one more die. `fields` has the
        fields known so far.
        """
        edition, expected = self.table.edition, "what was rolled"
        total, faces = fields.get("total"), fields.get("dice", ())
        if total is not None and self.table.clues and not fields.get("icons"):
            counts = [] if edition.board is None else edition.board.icons_in(total)
            for icon in self.lexicon.icons.names[:1]:
                rolled = [(icon,) * count for count in counts if count]
                options = _options("icons", {", ".join(icons): icons for icons in rolled})
                without = f"no {icon}" if 0 in counts else ""
                yield Gap("icons", "icons", options, False, f"With the {icon}?", without)
        elif total is None and edition.rooms and not faces:
            dice = 2 if edition.board is None else edition.board.dice  # two is usual
            totals = range(dice, 6 * dice + 1)
            options = _options("total", {str(total): total for total in totals})
            yield Gap("total", expected, options, question=part.question)
        elif total is None:
            suspects = tuple(edition.features)
            special = tuple(face for face in self.lexicon.faces.names if face not in suspects)
            dice_left = [*[suspects] * edition.suspect_dice, special][len(faces) :] or [()]
            if dice_left[0] or not faces:
                options = _options("dice", {face: (*faces, face) for face in dice_left[0]})
                yield Gap("dice", expected, options, not faces, part.question)

    def _reply_gaps(self, fields: Fields) -> Iterator[Gap]:
        """
        Yield the gap for a missing answer to a question, or for the card that it shows.

        `fields` has the fields known so far.
        """
        seat, answer = fields["seat"], fields.get("answer", "unheard")
        replies = self.replies(seat, self.lexicon.marked_by(fields["about"]))
        if answer == "unheard":
            options = {
                word: {"answer": one.answer, "card": one.card} for word, one in replies.items()
            }
            yield Gap("answer", "the answer", options, False, "The answer?", UNHEARD, seat)
        elif answer == "shows" and fields.get("card") is None:
            shown = _options("card", [one.card for one in replies.values() if one.card])
            yield Gap("card", "a card", shown, needed=False)

    def _answer_gaps(self, fields: Fields, by: str | None) -> Iterator[Gap]:
        """
        Yield the gap for the next answer that a suggestion lacks, if any.

        At a table where only the first who can show does so, the gap asks who shows a card, then
        which card. Where everyone shows, it asks for the answer of the next seat.

        Args:
            fields: The fields known so far.
            by: The seat that suggests; `None` if it is not known.
        """
        answers: tuple[Answer, ...] = fields.get("answers", ())
        order = self.table.answering(by, left=self.state.left) if by is not None else ()
        heard = {one.seat for one in answers}
        left = [seat for seat in order if seat not in heard]
        asked = fields.get("cards", ())
        if any(one.seat is None and one.answer == "shows" for one in answers):
            told = {
                seat: tuple([one if one.seat else replace(one, seat=seat) for one in answers])
                for seat in order
            }
            yield Gap("answers", "who shows", _options("answers", told))
        elif self.table.everyone_shows and left:
            seat, question = left[0], f"And {printable(left[0])}?"
            replies = {**self.replies(seat, asked), "": answer_of(seat, "unheard")}
            told = {word: (*answers, one) for word, one in replies.items()}
            options = _options("answers", told)
            yield Gap("answers", "an answer", options, False, question, UNHEARD, seat)
        elif not answers and order:
            told = {seat: (answer_of(seat, "shows"),) for seat in order} | {NOBODY: passes(order)}
            options = _options("answers", told)
            yield Gap("answers", "who shows", options, False, "Who shows a card?", UNHEARD)
        elif answers and not self.table.everyone_shows:  # else it was asked with the answer
            *before, last = answers
            if last.seat and last.answer == "shows" and last.card is None:
                replies = self.replies(last.seat, asked)
                del replies["passes"]
                told = {word: (*before, one) for word, one in replies.items()}
                options = _options("answers", told)
                yield Gap("answers", "a card", options, False, "Which card?", seat=last.seat)


def _options(field: str, values: Mapping[str, Any] | Sequence[str]) -> dict[str, Fields]:
    """
    Return the choices that can fill a gap if each of them sets the same field (`Gap.options`).

    Args:
        field: The name of the field.
        values: The value that each choice gives to the field, by the word that the menu shows; or a
            list of names, which are both words and values.
    """
    named = values if isinstance(values, Mapping) else dict(zip(values, values, strict=True))
    return {word: {field: value} for word, value in named.items()}


def passes(seats: Sequence[str]) -> tuple[Answer, ...]:
    """Return a pass for each of the seats."""
    return tuple(map(answer_of, seats))


@lru_cache(maxsize=1024)
def answer_of(seat: str, reply: Reply = "passes", card: str | None = None) -> Answer:
    """
    Return an answer of a seat, with the card that it shows; `None` if it was not seen, or for a
    pass.

    It is cached, because equal answers recur in a record.
    """
    return Answer(seat=seat, answer=reply, card=card)
