"""
What a careful friend asks about a line before it is taken, each as a `Doubt` with its choices.

`unclear` asks where a line lacks one thing or means several. `doubts` looks at a whole line: what
the viewer's own hand rules out is refused; then it is held against the log, the cards that the
viewer saw, the answers that have to follow, and the turns and rules of play. `hand_doubt` asks for
a hand that is not recorded.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from clue_solver import errors, notation
from clue_solver.conversation.meaning import (
    Candidate,
    answers_of,
    impossible,
    missing_hand,
    own_refusal,
    unanswered_entry,
)
from clue_solver.errors import listed, named_entries
from clue_solver.game import Game
from clue_solver.notation.canonical import format_line
from clue_solver.notation.places import answer_of, passes
from clue_solver.notation.reading import Reading, reading_of
from clue_solver.notation.vocabulary import PHRASES
from clue_solver.record import Record
from clue_solver.rules import forms
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Observation
from clue_solver.rules.play import Breach
from clue_solver.rules.turns import over_since

_MOST_MEANINGS = 4
"""The most meanings of a line that are offered."""

_MOST_CHOICES = 24
"""The most names that a doubt lists."""

DoubtKind = Literal[
    "clash",  # the line contradicts the log
    "card seen",  # it leaves out a card that the viewer was shown
    "card shown",  # it leaves out a card that the viewer has shown
    "not seen",  # it tells a card that the viewer cannot have seen
    "no answers",  # it has no answers, or none from somewhere on
    "turn",  # it is not that seat's turn, that seat is out, or the game is over
    "rule",  # it is against another rule of play
    "lacking",  # it leaves out a name or a word, or means several things
    "late",  # it is the answer that an entry lacks
    "hand",  # a hand is not recorded
]
"""What a doubt is about."""

YES = ("yes", "y", "sure", "i'm sure", "i am sure", "right", "that's right", "ok", "okay", "yeah")
"""How people say yes."""

MISSED = ("?", "shows ?", "missed", "missed it", "i missed it", "i missed that", *YES)
"""How people say that they did not see, so that the line is taken as it is."""

LATER = ("", "n", "no", "later", "not now")
"""How people say that they do not tell a hand now."""


class DoubtChoice(Struct, frozen=True):
    """
    One way to settle a doubt.

    Attributes:
        label: What a list calls it: `Plum`, `? (missed)`, `Cat skips`.
        reading: What the line tells with it; `None` for a hand that is told later.
        called: Other texts that mean it, whole, in lower case.
        skips: The skips that it puts in before the line.

    >>> from clue_solver import Session, load
    >>> from clue_solver.conversation.dialog import Dialog
    >>> dialog = Dialog(Session(load("examples/classic.clue").record.upto(4)))
    >>> doubt = dialog.say("dan suggests plum, rope, hall").doubt
    >>> doubt.text, [choice.label for choice in doubt.choices]
    ('Who showed a card?', ['Ann shows Plum', '? (missed)'])
    """

    label: str
    reading: Reading | None = None
    called: tuple[str, ...] = ()
    skips: tuple[Reading, ...] = ()

    @property
    def is_yes(self) -> bool:
        """Whether `yes` says it."""
        return "yes" in self.called

    def matches(self, said: str) -> bool:
        """Return whether a plain text is the label, or one of the words that it is `called`."""
        return said in (plain(self.label), *self.called)

    def is_meant(self, said: str) -> bool:
        """Return whether a text begins its label, or has words of it and one that it alone has."""
        label, words = plain(self.label), {*said.split()}
        named = label.startswith(said) or (words <= {*label.split()} and words & {*self.called})
        return bool(named) and not self.is_yes


NO = DoubtChoice("no", called=("n",))
"""Leaves a line, to be written anew."""


class Doubt(Struct, frozen=True):
    """
    What is doubtful about a line, and how that can be settled.

    Attributes:
        kind: What it is about.
        text: What a person is asked.
        reading: What the line tells as it stands; `None` if that is what is asked.
        choices: How it may be settled.
        incomplete: What lacks its answers, or a hand that lacks cards, where these may be told
            instead of a choice.
        entries: The entries that it is about.
    """

    kind: DoubtKind
    text: str
    reading: Reading | None = None
    choices: tuple[DoubtChoice, ...] = ()
    incomplete: Observation | None = None
    entries: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return f"<Doubt: {self.kind}: {self.text}>"

    def keeps_line(self, choice: DoubtChoice) -> bool:
        """Return whether a choice takes the line unchanged."""
        return choice.reading is not None and choice.reading is self.reading

    def fitting(self, text: str) -> tuple[DoubtChoice, ...]:
        """Return the choices that a text means, whole or by its beginning; `NO` is among them."""
        said = plain(text)
        if "passes" in PHRASES.get(said, ()):  # `p` is a pass, not Pat
            return ()
        if said.isdecimal():
            return self.choices[int(said) - 1 : int(said)] if int(said) else ()
        if whole := tuple(choice for choice in self.choices if choice.matches(said)):
            return whole
        if NO.matches(said):  # `no` may be the next seat's answer alone
            return (NO,) if said == "n" or self.incomplete is None else ()
        return tuple(choice for choice in self.choices if said and choice.is_meant(said))


def choices_of(ways: Sequence[tuple[str, Reading]]) -> tuple[DoubtChoice, ...]:
    """
    Return a choice for each way that a line can mean, also called by the words that it alone has.

    Args:
        ways: What a list calls each way, and the way.
    """
    words = [{*plain(label).split()} for label, _ in ways]
    having = Counter(word for each in words for word in each)
    choices = []
    for (label, way), each in zip(ways, words, strict=True):
        own = [word for word in each if having[word] == 1]
        called = (*own, plain(label).removesuffix(" shows"))  # a name alone is who shows
        choices.append(DoubtChoice(label, way, called))
    return tuple(choices)


def plain(text: str) -> str:
    """Return words in lower case, without commas."""
    return " ".join(text.casefold().replace(",", " ").split())


# What a line leaves open.


def unclear(ways: Sequence[Reading], record: Record) -> Doubt | None:
    """
    Return the doubt about what a line leaves open; `None` if there are too many ways.

    Args:
        ways: All that the line can mean: several things, one with a gap, or a late answer.
        record: The game so far.
    """
    whole = [in_full(way) for way in ways if way.observation is not None]
    if not whole:
        first = ways[0]
        own = first.fields.get("seat") == record.table.viewer or record.finished
        alike = len({way.text for way in ways}) == 1
        if first.kind is observed.Hand and first.fields.get("cards") and own and alike:
            return which_cards(observed.Hand(**first.fields), record)  # the rest of it
        return _gap(ways, record)
    if len(whole) > _MOST_MEANINGS:
        return None
    opened = unanswered_entry(record) or 0
    if len(whole) == 1 and whole[0].late:
        line = format_line(record.observations[opened - 1], record.table)
        text = f"Add it to {named_entries([opened])}, '{line}'?"
        return Doubt("late", text, choices=(DoubtChoice("yes", whole[0], (*YES, "add it")),))
    late = [way.late for way in whole]
    labels = _apart([way.line for way in whole])
    if len({*late}) == 2:
        labels = [f"entry {opened}: {way.line}" if way.late else way.line for way in whole]
    about = f", for {named_entries([opened])}" if all(late) else ""
    choices = choices_of([*zip(labels, whole, strict=True)])
    return Doubt("lacking", f"Which do you mean{about}?", choices=choices)


def in_full(way: Reading) -> Reading:
    """Return a whole reading with its canonical line, to be told anew."""
    return replace(way, line=format_line(way.whole, way.table))


def _apart(lines: Sequence[str]) -> list[str]:
    """Return the parts in which lines differ, from the first to the last."""
    parts = [re.split(r"(?<=[,:]) ", line) for line in lines]
    for end in (0, -1):
        while all(len(each) > 1 for each in parts) and len({each[end] for each in parts}) == 1:
            for each in parts:
                del each[end]
    return [" ".join(each).rstrip(",:") for each in parts]


def _gap(ways: Sequence[Reading], record: Record) -> Doubt | None:
    """Ask for the one name that a line leaves out."""
    gap = ways[0].gap
    if gap is None or len({(way.kind, way.gap and way.gap.field) for way in ways}) > 1:
        return None
    found: dict[str, Reading] = {}
    for way in ways:
        for name in way.gap.names if way.gap else ():
            with suppress(errors.NotationError):
                filled = way.filled(name)
                if not filled.observation or impossible(record, filled.observation):
                    continue
                if name in found:
                    return None  # more than that is open
                found[name] = in_full(filled)
    if not 0 < len(found) <= _MOST_CHOICES:
        return None
    labels = [*found]
    kinds = {record.table.edition.category_of.get(name) for name in found}
    text = gap.question
    if gap.field == "answers":
        shown = answers_of(next(iter(found.values())).whole, record.table)[-1].answer.card
        labels = [f"{name} shows {shown or ''}".rstrip() for name in found]
        text = f"Who shows {shown or 'a card'}?"
    elif None not in kinds:
        text = f"Which {kinds.pop() if len(kinds) == 1 else 'card'}?"
    choices = choices_of([*zip(labels, found.values(), strict=True)])
    return Doubt("lacking", text, choices=choices)


def which_cards(hand: observed.Hand, record: Record) -> Doubt:
    """Ask for the cards that a hand lacks still."""
    table, sizes = record.table, record.turn_state.sizes
    others = {seat: size for seat, size in sizes.items() if seat != hand.seat}
    least, most = table.size_bounds(others)[table.place_of(hand.seat)]
    left, more = least - len(hand.cards), " more" if hand.cards else ""
    many = f"{left}{more} " if least == most or more else ""
    whose = "do you" if hand.seat == table.viewer else f"did {hand.seat}"
    cards = "card" if many and left == 1 else "cards"
    text = f"Which {many}{cards} {whose} hold?"
    later = DoubtChoice("later", called=LATER)
    return Doubt("hand", text, choices=(later,), incomplete=hand)


def hand_doubt(game: Game) -> Doubt | None:
    """Ask for a hand that is not recorded; `None` if all are."""
    seat = missing_hand(game)
    return None if seat is None else which_cards(observed.Hand(seat, ()), game.record)


# What is doubtful about a whole line.


def doubts(entry: Candidate) -> list[Doubt]:
    """
    Return what to ask before a line is taken, the gravest first; nothing if all is plain.

    Raises:
        NotationError: If the viewer's own hand rules it out.
    """
    if (error := own_refusal(entry.game.record, entry.observation)) is not None:
        raise error
    found = [clash_of(entry)]
    if found == [None]:
        found = [card_of(entry), card_not_seen(entry), no_answers_of(entry)]
    if entry.observation.turn:
        found.append(turn_of(entry))
    return [doubt for doubt in found if doubt is not None]


def sure(entry: Candidate, kind: DoubtKind, text: str, *others: int) -> Doubt:
    """Ask whether a line is right as it stands."""
    return Doubt(kind, text, entry.reading, (DoubtChoice("yes", entry.reading, YES),), None, others)


def clash_of(entry: Candidate) -> Doubt | None:
    """Ask about a line that contradicts the log, or the deal."""
    if not entry.clashes():
        return None
    others = entry.clashing()
    against = named_entries(others) if others else "the deal"
    return sure(entry, "clash", f"This contradicts {against}: are you sure?", *others)


# Cards and answers.


def doubt_of(
    entry: Candidate, kind: DoubtKind, text: str, ways: Mapping[str, Observation], seat: str = ""
) -> Doubt:
    """Ask which of these ways it was, of those that fit the log, or whether it was missed."""
    fitting = [
        (label, reading_of(way, entry.table))
        for label, way in ways.items()
        if not entry.sound or entry.fits(way)
    ]
    shown = entry.reading.unseen | ({seat} if seat else set())
    unseen = reading_of(entry.observation, entry.table, unseen=shown, unheard=True)
    called = (*MISSED, "skip") if shown else MISSED  # else `skip` may be the next player's pass
    choices = (*choices_of(fitting), DoubtChoice("? (missed)", unseen, called))
    return Doubt(kind, text, entry.reading, choices, incomplete=entry.observation)


def card_of(entry: Candidate) -> Doubt | None:
    """Ask for a card that the viewer must have seen and that the line leaves out."""
    told, said, viewer = entry.observation, entry.reading, entry.viewer
    for at, (seat, answer, cards) in enumerate(entry.answers):
        named = answer.answer != "shows" or answer.card or len(cards) < 2
        if named or seat is None or seat in said.unseen or viewer not in (seat, entry.by):
            continue
        if seat != viewer:
            ways = {card: with_shown(told, at, card) for card in cards}
            return doubt_of(entry, "card seen", f"Which card did {seat} show you?", ways, seat)
        held = [card for card in cards if card in entry.own or not entry.own]
        ways = {card: with_shown(told, at, card) for card in held}
        return doubt_of(entry, "card shown", f"Which card did you show {entry.by}?", ways, seat)
    hidden = told.sight.hidden
    saw = viewer in [getattr(told, field) for field in told.sight.by]
    if not hidden or not saw or said.unheard or getattr(told, hidden) is not None:
        return None
    if isinstance(told.form.tail, forms.SingleAnswer):
        return None
    names = notation.lexicon_of(entry.table).of(told.form.bearers[hidden]).names
    ways = {name: replace(told, **{hidden: name}) for name in names}
    return doubt_of(entry, "card seen", "What did you see?", ways)


def with_seen_card(entry: Candidate) -> Candidate:
    """Return a line with the card that the viewer saw, if only one card is possible."""
    doubt = card_of(entry)
    if doubt is None or not entry.sound or len(doubt.choices) != 2:  # the last one leaves it out
        return entry
    whole = doubt.choices[0].reading
    assert whole is not None
    told = replace(
        entry.reading, fields=whole.fields, line=whole.line, observation=whole.observation
    )
    return Candidate(entry.game, told, entry.place, entry.skips)


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


def card_not_seen(entry: Candidate) -> Doubt | None:
    """Ask about a card that the viewer cannot have seen."""
    for at, (seat, answer, _) in enumerate(entry.answers):
        if not answer.card or entry.viewer in (None, entry.by, seat):
            continue
        without = reading_of(with_shown(entry.observation, at, None), entry.table)
        guessed = entry.reading.guessed
        only = f"It is {entry.by}'s turn, and only {entry.by}" if guessed else f"Only {entry.by}"
        they_see = f"{only} and {seat} see that card"
        text = f"{they_see} (if all do, '{seat} reveals {answer.card}'): leave it out?"
        leave_out = DoubtChoice("shows", without, ("leave it out", *YES))
        choices = (leave_out, DoubtChoice("as it stands", entry.reading))
        return Doubt("not seen", text, entry.reading, choices)
    return None


def no_answers_of(entry: Candidate) -> Doubt | None:
    """Ask for the answers of a question that has none, or none from somewhere on."""
    told, table, turns = entry.observation, entry.table, entry.play.turns
    tail = told.form.tail
    if entry.reading.unheard:
        return None
    if isinstance(tail, forms.SingleAnswer) and getattr(told, tail.field) == "unheard":
        ways = {answer: replace(told, **{tail.field: answer}) for answer in ("shows", "passes")}
        return doubt_of(entry, "no answers", f"What did {getattr(told, tail.seat)} answer?", ways)
    heard = [seat for seat, _, _ in entry.answers]
    if not isinstance(tail, forms.AnswerList) or (heard and heard[-1] is not None):
        return None
    order = table.answering(entry.by, left=turns.left)
    mine = [card for card in getattr(told, tail.asked) if card in entry.own]
    answers: dict[str, tuple[observed.Answer, ...]] = {
        f"{seat} shows {card or ''}".rstrip(): (answer_of(seat, "shows", card),)
        for seat in order
        if seat not in heard and not table.everyone_shows
        for card in (mine if mine and seat == entry.viewer else [None])
    }
    answers["nobody shows"] = passes(order)
    ways = {
        label: notation.normalise(replace(told, **{tail.field: answer}), table, turns)
        for label, answer in answers.items()
    }
    text = "What did the others answer?" if heard else "Who showed a card?"
    return doubt_of(entry, "no answers", text, ways)


# Turns and other rules of play.


def turn_of(entry: Candidate) -> Doubt | None:
    """Ask about a line that is against the order of turns, or another rule of play."""
    table = entry.table
    if entry.place.entry is not None:
        return early_end_of(entry) if table.keeps("turns") else None
    if (doubt := accuser_of(entry)) is not None:
        return doubt
    breach = entry.play.check(entry.observation)
    if breach is None or not table.keeps("turns" if breach.of_turns else "play"):
        return None
    match breach.rule:
        case "over":
            over = over_since(table, entry.before)
            return sure(entry, "turn", f"The game ended with entry {over}: are you sure?")
        case "turn":
            return skips_of(entry, breach)
        case "out":
            return sure(entry, "turn", f"{entry.by} is out after a wrong accusation: are you sure?")
        case "left":
            return sure(entry, "turn", f"{entry.by} has left: are you sure?")
        case "reach" if (doubt := there_already(entry, breach)) is not None:
            return doubt
    return sure(entry, "rule", f"{_broken(entry, breach)}. Is that right anyway?")


def there_already(entry: Candidate, breach: Breach) -> Doubt | None:
    """Ask whether a piece stays that is said to move to where it is, if it may."""
    stay = reading_of(observed.Stay(by=entry.by), entry.table)
    if entry.play.place(entry.by) != breach.place or entry.play.check(stay.whole) is not None:
        return None
    choices = (
        DoubtChoice(stay.line, stay, ("stays", "stay", "stayed", *YES)),
        DoubtChoice("as it stands", entry.reading),
    )
    text = f"{entry.by} is in the {breach.place} already: did {entry.by} stay?"
    return Doubt("rule", text, entry.reading, choices)


def early_end_of(entry: Candidate) -> Doubt | None:
    """Ask about an edit that ends the game before the log does."""
    table, number = entry.table, len(entry.before) + 1
    ends = over_since(table, (*entry.before, entry.observation)) == number
    ended = over_since(table, (*entry.before, *entry.replaced))
    if ended or not ends or not any(told.turn for told in entry.after):
        return None
    text = f"This would end the game at entry {number}, but the log goes on after it: are you sure?"
    return sure(entry, "turn", text)


def whose_turn(told: Reading, untaken: str) -> Doubt:
    """
    Ask whether a line that leaves its player out is that seat's all the same.

    It is asked if the line before, which was not taken, may have been that turn.
    """
    seat = told.guessed
    text = f"'{errors.printable(untaken)}' is not in the log. Is this line {seat}'s all the same?"
    return Doubt("turn", text, told, (DoubtChoice(f"it is {seat}'s", told, ("it is", *YES)),))


def accuser_of(entry: Candidate) -> Doubt | None:
    """Ask who accuses if that is not said: who has just asked may, and who is next, if not you."""
    told, turns = entry.observation, entry.play.turns
    guessed = isinstance(told, observed.Accusation) and entry.reading.guessed
    own = entry.by == entry.viewer
    if not guessed or own or turns.seat in (None, entry.by) or not turns.goes_on(turns.seat):
        return None
    seats = (turns.seat, entry.by)
    ways = [(seat, reading_of(replace(told, by=seat), entry.table)) for seat in seats]
    return Doubt("lacking", "Who accuses?", entry.reading, choices_of(ways))


def skips_of(entry: Candidate, breach: Breach) -> Doubt:
    """Ask about a line of another seat than whose turn it is, as far as the log tells."""
    skipped = listed(breach.skipped)
    skips = tuple(reading_of(observed.Skip(by=seat), entry.table) for seat in breach.skipped)
    skip = f"{skipped} {'skip' if breach.skipped[1:] else 'skips'}"
    named = replace(in_full(entry.reading), guessed=None)  # after skips it is another's turn
    said = ("skip", "skips", "skipped", plain(f"{skipped} skipped"))
    missed = ("as it stands", "i missed a turn", "missed a turn")
    ways = (
        DoubtChoice(skip, named, (*said, *YES), skips),
        DoubtChoice("as it stands, I missed a turn", entry.reading, missed),
    )
    text = f"It is {breach.turn}'s turn: did {skipped} skip?"
    return Doubt("turn", text, entry.reading, ways)


def _broken(entry: Candidate, breach: Breach) -> str:
    """Return which rule is broken, and by what."""
    by, place, verb = entry.by, str(breach.place), entry.observation.form.verb
    there = f"the square {place}" if re.fullmatch("[A-Z]{1,2}[0-9]+", place) else f"the {place}"
    expected = listed(breach.expected, "or")
    match breach.rule:
        case "again":
            return f"{by} has already done that this turn"
        case "dice" if verb == "suggests":
            return f"The dice show {listed(breach.expected)}"
        case "dice":
            return "The dice do not show that"
        case "look":
            return f"{by} looks at the card in {there} first"
        case "order":
            first, late = breach.expected[:1], "It is too late for that in this turn"
            return f"{by} {first[0]} first" if first else late
        case "place" if verb in ("accuses", "stays"):
            return f"{by} is not in a room"
        case "place" if expected:
            return f"{by} is in the {expected}, not in {there}"
        case "place" | "reach":
            how = "from here" if breach.roll is None else f"with a roll of {breach.roll}"
            return f"{by} cannot get to {there} {how}"
        case "stay":
            return f"{by} has to leave {there} first"
    return f"{entry.table.edition.title} does not have that"
