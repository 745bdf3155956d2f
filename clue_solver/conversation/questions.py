"""
What a careful friend asks about a line before it is taken, where it is whole.

A line that cannot be true, such as one that shows a card that the viewer's recorded hand lacks, is
refused (`hands`). For a doubtful line there is a `Doubt`: a question, and choices with the lines
that they tell. One that is not whole is asked about in `unclear`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import chain, islice

from msgspec.structs import replace

from clue_solver import errors, notation
from clue_solver.conversation.changes import Place, with_told
from clue_solver.conversation.doubts import MISSED, Doubt, DoubtChoice, plain
from clue_solver.conversation.hands import answers_of, own_hand, own_refusal
from clue_solver.conversation.unclear import in_full
from clue_solver.errors import listed, named_entries
from clue_solver.game import Game
from clue_solver.inference.deduction import Deduction
from clue_solver.knowledge.viewer import everyones_knowledge
from clue_solver.notation.places import answer_of, passes
from clue_solver.notation.reading import Reading, reading_of
from clue_solver.record import Record
from clue_solver.rules import forms
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Observation
from clue_solver.rules.play import Breach, Play
from clue_solver.rules.table import Table
from clue_solver.rules.turns import over_since


def late_passes(record: Record) -> Doubt | None:
    """
    Ask about passes that cannot be, as somebody shows before; `None` without them.

    Args:
        record: The record in an order of the players that its entries may not fit.
    """
    table = record.table
    late: dict[str, list[int]] = {}
    for number, told in enumerate(record.observations, 1):
        if not isinstance(told.form.tail, forms.AnswerList) or table.everyone_shows:
            continue
        said = {seat: answer.answer for seat, answer, _ in answers_of(told, table)}
        shown = False
        for seat in table.answering(getattr(told, told.form.subject)):
            if shown and said.get(seat) == "passes":
                late.setdefault(seat, []).append(number)
            shown = shown or said.get(seat) == "shows"
    if not late:
        return None
    entries = tuple(sorted({*chain.from_iterable(late.values())}))
    passed = f"You said that {listed(late)} passed ({named_entries(entries)})"
    question = f"{passed}, but in that order somebody shows before. Take the order, without that?"
    return Doubt("seats", question, entries=entries)


class NewEntry:
    """
    A line in the place where it may be taken, a new one or an edit, and the log around it.

    Attributes:
        reading, observation: The line as it was read, and what it tells.
        before, after: The observations that are before and after it.
        replaced: The observation that it replaces, if any.
        new: Whether it goes at the end; otherwise it is an edit.
        play: The state of play before it.
        own: The viewer's hand, as far as it is recorded.
        by: Who does it.
        answers: Its answers.
        laid_open: Whether it tells another's hand: then all that the record holds counts.
    """

    def __init__(self, game: Game, reading: Reading, place: Place) -> None:
        log = game.observations
        at = len(log) if place.entry is None else place.entry - 1
        self.new = place.entry is None
        self.replaced = None if self.new or place.insert else log[at]
        self.before = log[:at]
        self.after = log[at:] if self.replaced is None else log[at + 1 :]
        self.place = place
        self.game = game
        self.table = game.table
        self.viewer = game.table.viewer
        self.reading, self.observation = reading, reading.told
        self.play = game.play(at)
        self.own = own_hand(game.record) or frozenset()
        self.by = str(getattr(self.observation, self.observation.form.subject, ""))
        self.answers = answers_of(self.observation, self.table)
        self.laid_open = (
            isinstance(self.observation, observed.Hand) and self.observation.seat != self.viewer
        )

    @property
    def whole(self) -> Reading:
        """The line with its player named, as entries before it may change whose turn it is."""
        return replace(in_full(self.reading), guessed=None)

    def as_it_stands(self, label: str = "as it stands", *called: str) -> DoubtChoice:
        """Return the choice of the line itself."""
        return DoubtChoice(label, (in_full(self.reading),), stands=True, called=called)

    def fits(self, *observations: Observation) -> bool:
        """Return whether the log can be true with this in the place of the line."""
        try:
            return self.game.fits((*self.before, *observations, *self.after), pooled=self.laid_open)
        except errors.TooLarge:
            return True

    @cached_property
    def stands(self) -> bool:
        """Whether the line is an edit that changes nothing, in a log that can be true."""
        if self.replaced != self.observation:
            return False
        try:
            self.game.deduction.possible(len(self.game.observations))
        except errors.ClueError:
            return False
        return True

    @cached_property
    def sound(self) -> bool:
        """Whether the log can be true without the line."""
        return self.stands or self.fits()

    def clashes(self) -> bool:
        """Whether the line contradicts a log that can be true without it."""
        return not self.stands and not self.fits(self.observation) and self.sound

    def filled(self, ways: Mapping[str, Observation]) -> list[DoubtChoice]:
        """Return the ways that fit the log, as choices by their names."""
        return [
            DoubtChoice(name, (reading_of(way, self.table),))
            for name, way in ways.items()
            if not self.sound or self.fits(way)
        ]

    def shown_by(self, seat: str, at: int, cards: Iterable[str]) -> list[DoubtChoice]:
        """Return the ways that fit the log in which a seat has shown one of the cards."""
        ways = {card: with_shown(self.observation, at, card) for card in cards}
        if not self.stands:
            return self.filled(ways)
        # The log says that one was shown: it is any that the seat can have.
        return [
            DoubtChoice(card, (reading_of(way, self.table),))
            for card, way in ways.items()
            if self.game.can_have(card, seat)
        ]

    def by_another(self, seat: str | None) -> Iterator[DoubtChoice]:
        """Yield the choice of the same turn by another seat, where it can be."""
        with suppress(errors.NotationError):
            retold = _retold(self.observation, seat, self.table, self.play.turns.left)
            other = notation.normalise(retold, self.table, self.play.turns)
            if own_refusal(self.game.record, other) is not None:
                return
            unheard = self.reading.unheard and not getattr(self.observation, "answers", ())
            told = reading_of(other, self.table, unheard=unheard)
            yield DoubtChoice(f"it was {seat}", (told,), called=(plain(f"that was {seat}"),))


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


def _retold(told: Observation, seat: str | None, table: Table, left: frozenset[str]) -> Observation:
    """Return the same told of another seat; who passes before a card is shown follows anew."""
    by = getattr(told, told.form.subject)
    observation = replace(told, **{told.form.subject: seat})
    tail = observation.form.tail
    if not isinstance(tail, forms.AnswerList):
        return observation
    answers: tuple[observed.Answer, ...] = getattr(observation, tail.field)
    shows = [answer for answer in answers if answer.answer == "shows"]
    passed = [answer for answer in answers if answer.answer == "passes"]
    follows = bool(shows) and not table.everyone_shows
    kept = tuple(
        answer
        for answer in answers
        if answer in shows or (answer.seat != seat and not (follows and answer in passed))
    )
    if seat is not None and len(passed) == len(table.answering(by, left=left)):
        kept = passes(table.answering(seat, left=left))
    return replace(observation, **{tail.field: kept})


def doubts_of(entry: NewEntry) -> tuple[Doubt, ...]:
    """Return what to ask before a line is taken, the gravest first."""
    clash = clash_of(entry) or own_card_of(entry)
    found = [clash]
    if clash is None:
        found = [card_of(entry), unseen_card_of(entry), no_answers_of(entry)]
    turns = entry.table.keeps("turns")
    if entry.observation.turn and entry.new:
        out = end_of(entry) if turns else None
        found += [out] if out else [accuser_of(entry), turn_of(entry) if turns else None]
        if out is None:
            found.append(breach_of(entry))
    elif entry.observation.turn and turns:
        found += [early_end_of(entry) or displaced_turn_of(entry)]
    return tuple(doubt for doubt in found if doubt is not None)


def clash_of(entry: NewEntry) -> Doubt | None:
    """Ask about a line that contradicts the log, or else the deal."""
    if not entry.clashes():
        return None
    log = with_told(entry.game.record, entry.observation, entry.place)
    number = entry.place.entry or len(log.entries)
    if entry.laid_open:
        deduction = Deduction(everyones_knowledge(log.table, log.observations))
    else:
        deduction = entry.game.changed(log).deduction
    conflict: tuple[int, ...] = ()
    try:
        deduction.possible(len(log.entries))
    except errors.Contradiction as clash:
        conflict = clash.entries
    others = tuple(other for other in conflict if other != number)
    against = named_entries(others) if others else "the deal"
    return Doubt("clash", f"This contradicts {against}: are you sure?", entries=others)


def own_card_of(entry: NewEntry) -> Doubt | None:
    """Ask about a card that another seat shows, and the viewer holds."""
    for seat, answer, _ in entry.answers:
        if seat != entry.viewer and answer.card in entry.own:
            question = f"You hold {answer.card}: are you sure that {seat} showed it?"
            return Doubt("clash", question)
    return None


def card_of(entry: NewEntry) -> Doubt | None:
    """Ask for a card that the viewer must have seen and that the line leaves out."""
    told, said, viewer = entry.observation, entry.reading, entry.viewer

    def asked(kind: str, question: str, ways: list[DoubtChoice], seat: str = "") -> Doubt:
        left_out = said.left_out | {seat} if seat else said.left_out
        unseen = reading_of(told, entry.table, left_out=left_out, unheard=True)
        label = "shows ? (missed)" if seat else "? (missed)"
        missed = DoubtChoice(label, (unseen,), called=MISSED)
        return Doubt(kind, question, (*ways, missed), incomplete=told)

    for at, (seat, answer, cards) in enumerate(entry.answers):
        named = answer.answer != "shows" or answer.card or len(cards) < 2
        if named or seat is None or seat in said.left_out:
            continue
        if seat == viewer:
            held = [card for card in cards if card in entry.own or not entry.own]
            question = f"Which card did you show {entry.by}?"
            return asked("card shown", question, entry.shown_by(seat, at, held), seat)
        if viewer == entry.by:
            question = f"Which card did {seat} show you?"
            return asked("card seen", question, entry.shown_by(seat, at, cards), seat)
    hidden = told.sight.hidden
    single = isinstance(told.form.tail, forms.SingleAnswer)
    if not hidden or single or said.unheard or getattr(told, hidden) is not None:
        return None
    if viewer not in [getattr(told, field) for field in told.sight.by]:
        return None
    names = notation.lexicon_of(entry.table).of(told.form.bearers()[hidden]).names
    ways = entry.filled({name: replace(told, **{hidden: name}) for name in names})
    return asked("card seen", "What did you see?", ways)


def unseen_card_of(entry: NewEntry) -> Doubt | None:
    """Ask about a card that was shown where the viewer could not see it."""
    for at, (seat, answer, _) in enumerate(entry.answers):
        if not answer.card or entry.viewer in (None, entry.by, seat):
            continue
        without = reading_of(with_shown(entry.observation, at, None), entry.table)
        own = tuple(entry.by_another(entry.viewer)) if entry.new and entry.reading.guessed else ()
        they_see = f"{entry.by} and {seat} see that card"
        question = f"Only {they_see} (if all do, '{seat} reveals {answer.card}'): leave it out?"
        if own:
            question = f"It is {entry.by}'s turn, and only {they_see}: was it {entry.viewer}?"
        choices = (
            *own,
            DoubtChoice("shows", (without,), called=("leave it out",)),
            entry.as_it_stands(),
        )
        return Doubt("not seen", question, choices)
    return None


def no_answers_of(entry: NewEntry) -> Doubt | None:
    """Ask for the answers of a question that has none, or none from somewhere on."""
    told, table = entry.observation, entry.table
    question = "Who showed a card?"
    ways: dict[str, Observation] = {}
    match told.form.tail:
        case _ if entry.reading.unheard:
            return None
        case forms.AnswerList(field=field, asked=asked):
            answers: tuple[observed.Answer, ...] = getattr(told, field)
            if answers and answers[-1].seat is not None:
                return None
            if answers:
                question = "What did the others answer?"
            order = table.answering(entry.by, left=entry.play.turns.left)
            heard = {answer.seat for answer in answers}
            mine = [card for card in getattr(told, asked) if card in entry.own]
            said = {"nobody shows": passes(order)}
            shows = {
                f"{seat} shows {card or ''}".rstrip(): (answer_of(seat, "shows", card),)
                for seat in order
                if seat not in heard and not table.everyone_shows
                for card in (mine if mine and seat == entry.viewer else [None])
            }
            for label, answer in (shows | said).items():
                way = replace(told, **{field: answer})
                ways[label] = notation.normalise(way, table, entry.play.turns)
        case forms.SingleAnswer(field=field, seat=seat) if getattr(told, field) == "unheard":
            question = f"What did {getattr(told, seat)} answer?"
            ways = {answer: replace(told, **{field: answer}) for answer in ("shows", "passes")}
        case _:
            return None
    unseen = reading_of(told, table, unheard=True)
    missed = DoubtChoice("? (missed)", (unseen,), called=MISSED)
    choices = (*entry.filled(ways), missed)
    return Doubt("no answers", question, choices, incomplete=told)


def end_of(entry: NewEntry) -> Doubt | None:
    """Ask about the first turn after the end of the game, or of a seat that is out of it."""
    before = entry.before
    over = over_since(entry.table, before)
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


def early_end_of(entry: NewEntry) -> Doubt | None:
    """Ask about an earlier entry that ends the game, where the log goes on after it."""
    number = len(entry.before) + 1
    if over_since(entry.table, (*entry.before, entry.observation)) != number:
        return None
    was = () if entry.replaced is None else (entry.replaced,)
    if over_since(entry.table, (*entry.before, *was)) or not any(t.turn for t in entry.after):
        return None
    question = f"This ends the game at entry {number}, and the log goes on after it: are you sure?"
    return Doubt("turn", question, (entry.as_it_stands(),))


def whose_turn(told: Reading) -> Doubt:
    """
    Ask whether a line that leaves its player out is that seat's all the same.

    It is asked where the line before was left without an answer, which may have been that turn.
    """
    question = f"The line before was not taken: is it {told.guessed}'s turn anyway?"
    choice = DoubtChoice(f"it is {told.guessed}'s", (told,), stands=True)
    return Doubt("turn", question, (choice,))


def accuser_of(entry: NewEntry) -> Doubt | None:
    """Ask who accuses, where who has just asked may, or who is next, and it is not said."""
    asked = entry.play.turns.seat
    last = next((told for told in reversed(entry.before) if told.turn), None)
    again = isinstance(entry.observation, observed.Accusation) and not isinstance(
        last, observed.Skip
    )
    if not (again and asked and entry.reading.guessed) or asked in (
        entry.by,
        *entry.play.turns.gone,
    ):
        return None
    ways = (
        DoubtChoice(seat, (reading_of(replace(entry.observation, by=seat), entry.table),))
        for seat in (asked, entry.by)
    )
    return Doubt("lacking", "Who accuses?", tuple(ways))


def _skipping(seats: Sequence[str]) -> tuple[str, ...]:
    """Return how people say that players skipped, besides by the label of that choice."""
    return "skip", "skips", "skipped", plain(f"{listed(seats)} skipped")


_MISSED_A_TURN = ("as it stands", "i missed a turn", "missed a turn")
"""How people say that the log lacks a turn."""


def turn_of(entry: NewEntry) -> Doubt | None:
    """Ask about a line of another seat than whose turn it is, as far as the log tells."""
    breach = entry.play.check(entry.observation)
    if breach is None or breach.rule != "turn":
        return None
    turn, skipped = breach.turn, breach.skipped
    skips = (reading_of(observed.Skip(by=seat), entry.table) for seat in skipped)
    label = f"{listed(skipped)} skip{'s' * (len(skipped) == 1)}"
    ways = (
        DoubtChoice(label, (*skips, entry.whole), called=_skipping(skipped)),
        *entry.by_another(turn),
        *_earlier(entry),
        entry.as_it_stands("as it stands, I missed a turn", *_MISSED_A_TURN),
    )
    question = f"It is {turn}'s turn: did {listed(skipped)} skip?"
    if entry.before and entry.before[-1] == entry.observation:
        ways = (DoubtChoice("leave it out", called=("that one", "the same")), *ways)
        question = f"This is the same as entry {len(entry.before)}: is it that one?"
    return Doubt("turn", question, ways)


def _earlier(entry: NewEntry) -> Iterator[DoubtChoice]:
    """Yield the choice to put it in where the seat's last turn is missing, or was a skip."""
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
        yield DoubtChoice(f"earlier, before entry {missing}", (entry.whole,), place)
    elif skip is not None and not isinstance(entry.observation, observed.Skip):
        yield _instead(entry, skip)


def _instead(entry: NewEntry, skip: int) -> DoubtChoice:
    """Return the choice to put it in the place of a skip."""
    label = f"in place of entry {skip}, {entry.by} skips"
    return DoubtChoice(label, (entry.whole,), Place(skip))


def displaced_turn_of(entry: NewEntry) -> Doubt | None:
    """Ask about an edit that gives a turn to a seat against the order of turns."""
    after = next((told for told in entry.after if told.turn), None)
    skips = observed.Skip(by=entry.by)
    if entry.replaced is None and after == skips != entry.observation:
        number = len(entry.before) + 1 + entry.after.index(skips)
        question = f"{entry.by} skips in entry {number}: does this take its place?"
        ways = (_instead(entry, number), entry.as_it_stands())
        return Doubt("turn", question, ways)
    old = () if entry.replaced is None else (entry.replaced,)
    if not all(told.turn for told in old):
        return None
    subjects = [getattr(told, told.form.subject) for told in old]
    (seat,) = subjects or [entry.play.turns.turn(entry.table)]
    same = seat == entry.by
    if seat is None or (same and old) or _jumps(entry, entry.observation) <= _jumps(entry, *old):
        return None
    was = () if same else tuple(entry.by_another(seat))
    question = f"It is {seat}'s turn here, not {entry.by}'s: are you sure?"
    if was:
        question = question.replace("are you sure", f"was it {seat}")
    if same:
        question = f"{seat} has the next turn in the log as well: are you sure?"
    return Doubt("turn", question, (*was, entry.as_it_stands()))


def _jumps(entry: NewEntry, *observations: Observation) -> int:
    """Return how often turns are left out, with this in the line's place, up to the next."""
    following = islice((told for told in entry.after if told.turn), 1)
    state = entry.play
    count = 0
    for told in (*observations, *following):
        breach = state.check(told)
        count += breach is not None and breach.rule in ("turn", "out", "left")
        state = state.after(told)
    return count


def breach_of(entry: NewEntry) -> Doubt | None:
    """Ask about a line against a rule of play, turns apart."""
    breach = entry.play.check(entry.observation) if entry.table.keeps("play") else None
    if breach is None or breach.rule in ("turn", "out", "left", "over"):
        return None
    question = f"{_broken(entry, breach)}. Is that right anyway?"
    return Doubt("rule", question)


_FIRST = {"draws": "draws a clue card"} | dict.fromkeys(
    ("looks", "asks", "peeks", "points"), "uses the bonus die"
)
"""What comes first in a turn, where its verb alone does not say it."""


def _broken(entry: NewEntry, breach: Breach) -> str:
    """Return which rule is broken, and by what."""
    by, roll, right = entry.by, breach.roll, breach.expected
    place = str(breach.place)
    there = f"the square {place}" if re.fullmatch("[A-Z]{1,2}[0-9]+", place) else f"the {place}"
    match breach.rule, entry.observation.form.verb:
        case "reach", _ if roll is not None and (far := _steps(entry, place)):
            return f"{by} rolled {roll}: {there} is {far} steps away"
        case "reach", _ if roll is not None:
            return f"{by} cannot get to {there} with {_article(roll)} {roll}"
        case "place", "stays" | "accuses":
            return f"{by} stands in no room"
        case "place", _ if right:
            return f"{by} is in the {listed(right, 'or')}, not in {there}"
        case "reach" | "place", _:
            return f"{by} cannot get to {there} from here"
        case "stay", _:
            return f"{by} has to leave {there} first"
        case "look", _:
            return f"{by} looks at the card in {there} first"
        case "again", "rolls":
            return f"{by} has rolled already"
        case "again", "moves" | "stays":
            return f"{by} has moved already"
        case "again", "draws":
            return f"{by} has drawn a clue card for each icon"
        case "again", _:
            return f"{by} has done that already in this turn"
        case "dice", "rolls":
            return "The dice cannot show that"
        case "dice", "draws":
            return "There is no icon in that roll, and no clue card"
        case "dice", "suggests":
            return f"The dice show {listed(right)}"
        case "dice", _:
            return "The bonus die does not show that"
        case "deck", _:
            return "No such clue card is left in the deck"
        case "order", _ if right:
            return f"{by} {_FIRST.get(right[0], right[0])} first"
        case "order", _:
            return "It is too late for that in this turn"
    return f"{entry.table.edition.title} does not have that"


def _article(number: int) -> str:
    """Return what stands before a number: an 8, an 11, an 18; a 7."""
    return "an" if str(number)[0] == "8" or number in (11, 18) else "a"


def _steps(entry: NewEntry, place: str) -> int | None:
    """Return the steps from where the piece stands to a room, where both are known."""
    play = entry.play.turn_of(entry.by)
    ground = play.rules.ground
    here = play.place(entry.by)
    return ground.steps_to(here, place) if here is not None and place in ground.bit else None


def with_seen_card(entry: NewEntry) -> Reading:
    """Return a line with the card that the viewer saw, where it can be one card alone."""
    said = entry.reading
    doubt = card_of(entry) if entry.sound else None
    if doubt is None:
        return said
    *cards, _ = doubt.choices  # the last choice leaves the card out
    if len(cards) != 1:
        return said
    (whole,) = cards[0].told
    return replace(said, fields=whole.fields, line=whole.line, observation=whole.observation)
