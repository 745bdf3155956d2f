"""
What a careful friend asks about a whole line before it is taken.

A line that the viewer's own hand rules out is refused (`hands`). For a doubtful line there is a
`Doubt`: a question, and choices with the lines that they tell. One that is not whole is asked about
in `unclear`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property

from msgspec.structs import replace

from clue_solver import errors, notation
from clue_solver.conversation.changes import END, Place, with_told
from clue_solver.conversation.doubts import (
    MISSED,
    Doubt,
    DoubtChoice,
    DoubtKind,
    in_full,
    named_choice,
    plain,
)
from clue_solver.conversation.hands import answers_of, own_hand, own_refusal
from clue_solver.errors import listed, named_entries
from clue_solver.game import Game
from clue_solver.inference.deduction import Deduction
from clue_solver.knowledge.viewer import everyones_knowledge
from clue_solver.notation.places import answer_of, passes
from clue_solver.notation.reading import Reading, reading_of
from clue_solver.rules import forms
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Observation
from clue_solver.rules.play import Breach, Play
from clue_solver.rules.turns import over_since


class Candidate:
    """
    A line that may become an entry, new or edited, with the log before and after it.

    Attributes:
        reading, observation: The line as it was read, and what it tells.
        before, replaced, after: The observations before it, the one that it replaces, if any, and
            those after it.
        new: Whether it goes at the end; otherwise it is an edit.
        play: The state of play before it.
        own: The viewer's hand, as far as it is recorded.
        by: Who does it.
        answers: Its answers.
        laid_open: Whether it tells another's hand: then all that the record holds counts.
    """

    def __init__(self, game: Game, reading: Reading, place: Place = END) -> None:
        log = game.observations
        at = len(log) if place.entry is None else place.entry - 1
        after = at if place.insert else at + 1
        self.game, self.table, self.viewer = game, game.table, game.table.viewer
        self.reading, self.observation, self.place = reading, reading.whole, place
        self.before, self.replaced, self.after = log[:at], log[at:after], log[after:]
        self.new = place.entry is None
        self.play = game.play(at)
        self.own = own_hand(game.record) or frozenset()
        self.by = str(getattr(self.observation, self.observation.form.subject, ""))
        self.answers = answers_of(self.observation, self.table)
        self.laid_open = (
            isinstance(self.observation, observed.Hand) and self.observation.seat != self.viewer
        )

    def fits(self, *observations: Observation) -> bool:
        """Return whether the log can be true with this in the place of the line."""
        try:
            return self.game.fits((*self.before, *observations, *self.after), pooled=self.laid_open)
        except errors.TooLarge:
            return True

    @cached_property
    def sound(self) -> bool:
        """Whether the log can be true without the line."""
        return self.fits()

    def clashes(self) -> bool:
        """Whether the line contradicts a log that can be true without it."""
        return not self.fits(self.observation) and self.sound

    def as_it_stands(self, label: str = "as it stands", *called: str) -> DoubtChoice:
        """Return the choice of the line itself."""
        return DoubtChoice(label, (in_full(self.reading),), stands=True, called=called)

    @property
    def named(self) -> Reading:
        """The line with its player named, as entries before it may change whose turn it is."""
        return replace(in_full(self.reading), guessed=None)

    def doubt(
        self, kind: DoubtKind, question: str, ways: Mapping[str, Observation], seat: str = ""
    ) -> Doubt:
        """Ask which of these ways it was, of those that fit the log, or whether it was missed."""
        choices = []
        for label, way in ways.items():
            if not self.sound or self.fits(way):
                choices.append(named_choice(label, reading_of(way, self.table)))
        shown = self.reading.unseen | ({seat} if seat else set())
        unseen = reading_of(self.observation, self.table, unseen=shown, unheard=True)
        missed = "shows ? (missed)" if seat else "? (missed)"
        choices.append(DoubtChoice(missed, (unseen,), called=MISSED))
        return Doubt(kind, question, tuple(choices), incomplete=self.observation)

    def by_another(self, seat: str | None) -> Iterator[DoubtChoice]:
        """Yield the choice of the same turn by another seat, if that can be."""
        told, table, turns = self.observation, self.table, self.play.turns
        said = notation.without_implied(told, table, left=turns.left)
        changes: dict[str, object] = {told.form.subject: seat}
        if isinstance(told.form.tail, forms.AnswerList):
            field = told.form.tail.field
            answers = tuple(
                each for each in getattr(said, field) if each.seat != seat or each.answer == "shows"
            )
            if {each.answer for each in getattr(told, field)} == {"passes"} and seat is not None:
                answers = passes(table.answering(seat, left=turns.left))
            changes[field] = answers
        with suppress(errors.NotationError):
            other = notation.normalise(replace(said, **changes), table, turns)
            if own_refusal(self.game.record, other) is not None:
                return
            unheard = self.reading.unheard and not getattr(told, "answers", ())
            way = reading_of(other, table, unheard=unheard)
            yield DoubtChoice(f"it was {seat}", (way,), called=(plain(f"that was {seat}"),))


def doubts(game: Game, told: Reading, place: Place = END) -> tuple[Doubt, ...]:
    """
    Return what to ask before a line is taken, the gravest first; nothing if all is plain.

    Raises:
        NotationError: If the viewer's own hand rules it out.
    """
    if (error := own_refusal(game.record, told.whole)) is not None:
        raise error
    entry = Candidate(game, told, place)
    found = [clash_of(entry)]
    if found == [None]:
        found = [card_of(entry), unseen_card_of(entry), no_answers_of(entry)]
    if entry.observation.turn:
        of_turn = [end_of(entry), accuser_of(entry), turn_of(entry), breach_of(entry)]
        found += of_turn[:1] if of_turn[0] else of_turn
    return tuple(doubt for doubt in found if doubt is not None)


def clashes(game: Game, told: Observation, place: Place = END) -> bool:
    """Return whether this contradicts, in its place, a log that is consistent without it."""
    return Candidate(game, reading_of(told, game.table), place).clashes()


def clash_of(entry: Candidate) -> Doubt | None:
    """Ask about a line that contradicts the log, or the deal; or a card that the viewer holds."""
    if entry.clashes():
        log = with_told(entry.game.record, entry.observation, entry.place)
        number = entry.place.entry or len(log.entries)
        deduction = entry.game.changed(log).deduction
        if entry.laid_open:
            deduction = Deduction(everyones_knowledge(log.table, log.observations))
        others: tuple[int, ...] = ()
        try:
            deduction.possible(len(log.entries))
        except errors.Contradiction as clash:
            others = tuple(other for other in clash.entries if other != number)
        against = named_entries(others) if others else "the deal"
        return Doubt("clash", f"This contradicts {against}: are you sure?", entries=others)
    for seat, answer, _ in entry.answers:
        if seat != entry.viewer and answer.card in entry.own:
            question = f"You hold {answer.card}: are you sure that {seat} showed it?"
            return Doubt("held", question)
    return None


# Cards and answers.


def card_of(entry: Candidate) -> Doubt | None:
    """Ask for a card that the viewer must have seen and that the line leaves out."""
    told, said, viewer = entry.observation, entry.reading, entry.viewer
    for at, (seat, answer, cards) in enumerate(entry.answers):
        named = answer.answer != "shows" or answer.card or len(cards) < 2
        if named or seat is None or seat in said.unseen or viewer not in (seat, entry.by):
            continue
        may_be = cards
        if seat == viewer:
            may_be = tuple(card for card in cards if card in entry.own or not entry.own)
        ways = {card: with_shown(told, at, card) for card in may_be}
        if seat == viewer:
            return entry.doubt("card shown", f"Which card did you show {entry.by}?", ways, seat)
        return entry.doubt("card seen", f"Which card did {seat} show you?", ways, seat)
    hidden = told.sight.hidden
    saw = viewer in [getattr(told, field) for field in told.sight.by]
    if not hidden or not saw or said.unheard or getattr(told, hidden) is not None:
        return None
    if isinstance(told.form.tail, forms.SingleAnswer):
        return None
    names = notation.lexicon_of(entry.table).of(told.form.bearers()[hidden]).names
    ways = {name: replace(told, **{hidden: name}) for name in names}
    return entry.doubt("card seen", "What did you see?", ways)


def with_shown(observation: Observation, at: int, card: str | None) -> Observation:
    """Return what was told with the card of one answer."""
    match observation.form.tail:
        case forms.AnswerList(field=field):
            answers = list(getattr(observation, field))
            answers[at] = replace(answers[at], card=card)
            return replace(observation, **{field: tuple(answers)})
        case forms.SingleAnswer(card=field):
            return replace(observation, **{field: card})
    return observation


def with_seen_card(game: Game, told: Reading, place: Place) -> Reading:
    """Return a line with the card that the viewer saw, if only one card is possible."""
    entry = Candidate(game, told, place)
    doubt = card_of(entry)
    if doubt is None or not entry.sound or len(doubt.choices) != 2:  # the last one leaves it out
        return told
    (whole,) = doubt.choices[0].told
    return replace(told, fields=whole.fields, line=whole.line, observation=whole.observation)


def unseen_card_of(entry: Candidate) -> Doubt | None:
    """Ask about a card that the viewer cannot have seen."""
    for at, (seat, answer, _) in enumerate(entry.answers):
        if not answer.card or entry.viewer in (None, entry.by, seat):
            continue
        without = reading_of(with_shown(entry.observation, at, None), entry.table)
        own = tuple(entry.by_another(entry.viewer)) if entry.new and entry.reading.guessed else ()
        they_see = f"{entry.by} and {seat} see that card"
        question = f"Only {they_see} (if all do, '{seat} reveals {answer.card}'): leave it out?"
        if own:
            question = f"It is {entry.by}'s turn, and only {they_see}: was it {entry.viewer}?"
        leave_out = DoubtChoice("shows", (without,), called=("leave it out",))
        return Doubt("not seen", question, (*own, leave_out, entry.as_it_stands()))
    return None


def no_answers_of(entry: Candidate) -> Doubt | None:
    """Ask for the answers of a question that has none, or none from somewhere on."""
    told, table, turns = entry.observation, entry.table, entry.play.turns
    match told.form.tail:
        case forms.AnswerList(field=field, asked=asked) if not entry.reading.unheard:
            heard = [seat for seat, _, _ in entry.answers]
            if heard and heard[-1] is not None:
                return None
            order = table.answering(entry.by, left=turns.left)
            mine = [card for card in getattr(told, asked) if card in entry.own]
            answers: dict[str, tuple[observed.Answer, ...]] = {
                f"{seat} shows {card or ''}".rstrip(): (answer_of(seat, "shows", card),)
                for seat in order
                if seat not in heard and not table.everyone_shows
                for card in (mine if mine and seat == entry.viewer else [None])
            }
            answers["nobody shows"] = passes(order)
            ways = {
                label: notation.normalise(replace(told, **{field: answer}), table, turns)
                for label, answer in answers.items()
            }
            question = "What did the others answer?" if heard else "Who showed a card?"
            return entry.doubt("no answers", question, ways)
        case forms.SingleAnswer(field=field, seat=seat) if getattr(told, field) == "unheard":
            if not entry.reading.unheard:
                ways = {answer: replace(told, **{field: answer}) for answer in ("shows", "passes")}
                question = f"What did {getattr(told, seat)} answer?"
                return entry.doubt("no answers", question, ways)
    return None


# Turns.


def end_of(entry: Candidate) -> Doubt | None:
    """Ask about a turn after the end of the game, or of a seat that is out; or an early end."""
    table, before = entry.table, entry.before
    if not table.keeps("turns"):
        return None
    if not entry.new:
        number = len(before) + 1
        ends = over_since(table, (*before, entry.observation)) == number
        ended = over_since(table, (*before, *entry.replaced))
        if ended or not ends or not any(told.turn for told in entry.after):
            return None
        end = f"This ends the game at entry {number}, and the log goes on after it"
        return Doubt("turn", f"{end}: are you sure?", (entry.as_it_stands(),))
    over = over_since(table, before)
    if over and not any(told.turn == "ends" for told in before[over:]):
        return Doubt("turn", f"The game ended with entry {over}: are you sure?")
    breach = entry.play.check(entry.observation)
    if breach is None or breach.rule not in ("out", "left"):
        return None
    verb, gone = "accuses", "has been out since"
    if breach.rule == "left":
        verb, gone = "leaves", "has left in"
    since = next(
        number
        for number, told in enumerate(before, 1)
        if told.form.verb == verb and getattr(told, "by", "") == entry.by
    )
    return Doubt("turn", f"{entry.by} {gone} entry {since}: are you sure?")


def whose_turn(told: Reading, untaken: str) -> Doubt:
    """
    Ask whether a line that leaves its player out is that seat's all the same.

    It is asked if the line before, which was not taken, may have been that turn.
    """
    left = f"'{errors.printable(untaken)}' was not taken"
    question = f"{left}: is it {told.guessed}'s turn anyway?"
    choice = DoubtChoice(f"it is {told.guessed}'s", (told,), stands=True)
    return Doubt("turn", question, (choice,))


def accuser_of(entry: Candidate) -> Doubt | None:
    """Ask who accuses if that is not said: who has just asked may, and who is next."""
    told, turns = entry.observation, entry.play.turns
    last = next((each for each in reversed(entry.before) if each.turn), None)
    guessed = entry.new and isinstance(told, observed.Accusation) and entry.reading.guessed
    if not guessed or isinstance(last, observed.Skip):
        return None
    if turns.seat is None or turns.seat == entry.by or turns.seat in turns.gone:
        return None
    ways = (
        DoubtChoice(seat, (reading_of(replace(told, by=seat), entry.table),))
        for seat in (turns.seat, entry.by)
    )
    return Doubt("lacking", "Who accuses?", tuple(ways))


_MISSED_A_TURN = ("as it stands", "i missed a turn", "missed a turn")
"""How people say that the log lacks a turn."""

_TYPED_FIRST = ("type that first", "let me type that first")
"""How people say that they tell the turn that the log lacks now."""


def turn_of(entry: Candidate) -> Doubt | None:
    """Ask about a line of another seat than whose turn it is, as far as the log tells."""
    if not entry.table.keeps("turns"):
        return None
    if not entry.new:
        return displaced_turn_of(entry)
    breach = entry.play.check(entry.observation)
    if breach is None or breach.rule != "turn":
        return None
    skipped = listed(breach.skipped)
    skips = (reading_of(observed.Skip(by=seat), entry.table) for seat in breach.skipped)
    called = ("skip", "skips", "skipped", plain(f"{skipped} skipped"))
    label = f"{skipped} {'skip' if breach.skipped[1:] else 'skips'}"
    ways = (
        DoubtChoice(label, (*skips, entry.named), called=called),
        *entry.by_another(breach.turn),
        *_earlier(entry),
        entry.as_it_stands("as it stands, I missed a turn", *_MISSED_A_TURN),
        DoubtChoice(f"let me type {breach.turn}'s turn first", called=_TYPED_FIRST),
    )
    question = f"It is {breach.turn}'s turn: did {skipped} skip?"
    if entry.before[-1:] == (entry.observation,):
        ways = (DoubtChoice("leave it out", called=("that one", "the same")), *ways)
        question = f"This is the same as entry {len(entry.before)}: is it that one?"
    return Doubt("turn", question, ways)


def _earlier(entry: Candidate) -> Iterator[DoubtChoice]:
    """Yield the choice to put it in earlier, if the seat's last turn is missing or was a skip."""
    state = Play.begin(entry.table)
    missing = skip = None
    for number, told in enumerate(entry.before, 1):
        breach = state.check(told)
        if breach is not None and entry.by in breach.skipped:
            missing = number
        state = state.after(told)
        if told.turn and getattr(told, told.form.subject) == entry.by:
            missing = None
            skip = number if isinstance(told, observed.Skip) else None
    if missing is not None:
        place = Place(missing, insert=True)
        yield DoubtChoice(f"earlier, before entry {missing}", (entry.named,), place)
    elif skip is not None and not isinstance(entry.observation, observed.Skip):
        yield _instead(entry, skip)


def _instead(entry: Candidate, skip: int) -> DoubtChoice:
    """Return the choice to put it in the place of a skip."""
    label = f"in place of entry {skip}, {entry.by} skips"
    return DoubtChoice(label, (entry.named,), Place(skip))


def displaced_turn_of(entry: Candidate) -> Doubt | None:
    """Ask about an edit that gives a turn to a seat against the order of turns."""
    next_turn = next((told for told in entry.after if told.turn), None)
    skip = observed.Skip(by=entry.by)
    if not entry.replaced and next_turn == skip != entry.observation:
        number = len(entry.before) + 1 + entry.after.index(skip)
        question = f"{entry.by} skips in entry {number}: does this take its place?"
        return Doubt("turn", question, (_instead(entry, number), entry.as_it_stands()))
    seat = entry.play.turns.turn(entry.table)
    if entry.replaced:
        seat = getattr(entry.replaced[0], entry.replaced[0].form.subject)
    if seat is None or (entry.replaced and seat == entry.by):
        return None
    if _odd_turns(entry, entry.observation) <= _odd_turns(entry, *entry.replaced):
        return None
    was = tuple(entry.by_another(seat)) if seat != entry.by else ()
    sure = f"was it {seat}" if was else "are you sure"
    question = f"It is {seat}'s turn here, not {entry.by}'s: {sure}?"
    if seat == entry.by:
        question = f"{seat} has the next turn in the log as well: are you sure?"
    return Doubt("turn", question, (*was, entry.as_it_stands()))


def _odd_turns(entry: Candidate, *told: Observation) -> int:
    """Return how many turns go against their order from here on, with this in the line's place."""
    state, count = entry.play, 0
    for each in (*told, *entry.after):
        breach = state.check(each)
        count += breach is not None and breach.of_turns
        state = state.after(each)
    return count


# Other rules of play.


def breach_of(entry: Candidate) -> Doubt | None:
    """Ask about a line against a rule of play, turns apart."""
    if not entry.new or not entry.table.keeps("play"):
        return None
    breach = entry.play.check(entry.observation)
    if breach is None or breach.of_turns or breach.rule == "over":
        return None
    return Doubt("rule", f"{_broken(entry, breach)}. Is that right anyway?")


_BROKEN = {
    "again": "{by} has done that already in this turn",
    "again draws": "{by} has drawn a clue card for each icon",
    "again moves": "{by} has moved already",
    "again rolls": "{by} has rolled already",
    "again stays": "{by} has moved already",
    "dice": "The bonus die does not show that",
    "dice draws": "There is no icon in that roll, and no clue card",
    "dice rolls": "The dice cannot show that",
    "dice suggests": "The dice show {right}",
    "look": "{by} looks at the card in {there} first",
    "order": "It is too late for that in this turn",
    "place": "{by} cannot get to {there} from here",
    "place accuses": "{by} stands in no room",
    "place stays": "{by} stands in no room",
    "reach": "{by} cannot get to {there} from here",
    "stay": "{by} has to leave {there} first",
}
"""What is said of a broken rule: of a verb in particular, or of any."""

_FIRST = {"draws": "draws a clue card"} | dict.fromkeys(
    ("looks", "asks", "peeks", "points"), "uses the bonus die"
)
"""What comes first in a turn, if the verb alone does not say it."""


def _broken(entry: Candidate, breach: Breach) -> str:
    """Return which rule is broken, and by what."""
    by, rule, verb, expected = entry.by, breach.rule, entry.observation.form.verb, breach.expected
    place = str(breach.place)
    there = f"the square {place}" if re.fullmatch("[A-Z]{1,2}[0-9]+", place) else f"the {place}"
    if rule == "reach" and breach.roll is not None:
        far = _steps(entry, place)
        if not far:
            return f"{by} cannot get to {there} with {_article(breach.roll)} {breach.roll}"
        return f"{by} rolled {breach.roll}: {there} is {far} steps away"
    if expected and rule == "order":
        return f"{by} {_FIRST.get(expected[0], expected[0])} first"
    if expected and rule == "place" and verb not in ("stays", "accuses"):
        return f"{by} is in the {listed(expected, 'or')}, not in {there}"
    lacking = f"{entry.table.edition.title} does not have that"
    text = _BROKEN.get(f"{rule} {verb}", _BROKEN.get(rule, lacking))
    return text.format(by=by, there=there, right=listed(expected))


def _article(number: int) -> str:
    """Return what stands before a number: an 8, an 11, an 18; a 7."""
    return "an" if str(number)[0] == "8" or number in (11, 18) else "a"


def _steps(entry: Candidate, place: str) -> int | None:
    """Return the steps from where the piece stands to a room; `None` if either is not known."""
    play = entry.play.turn_of(entry.by)
    ground = play.rules.ground
    here = play.place(entry.by)
    return ground.steps_to(here, place) if here is not None and place in ground.bit else None
