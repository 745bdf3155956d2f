"""
What a careful friend would ask about a line before it is logged; each question is a `Doubt`.

A reading that may become an entry is a `Candidate`, which knows the log around its place.
`find_doubts` refuses a line that the viewer's own hand rules out. It asks about a line that
contradicts the log; otherwise about a card that the viewer must have seen or cannot have seen,
about missing answers, and about turns and other rules of play. `cards_doubt` asks for a hand, or
for the rest of one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, reduce
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from clue_solver import errors
from clue_solver.conversation.changes import END, LogPlace, normalise_entries, with_entry
from clue_solver.errors import listed
from clue_solver.game import Game
from clue_solver.inference.deduction import Deduction
from clue_solver.knowledge.viewer import everyones_knowledge, knowledge_of
from clue_solver.notation.canonical import format_answer, format_line
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.notation.names import joined, numbered
from clue_solver.notation.places import answer_of, normalise, passes
from clue_solver.notation.reading import Answerable, Reading, reading_of
from clue_solver.notation.vocabulary import PHRASES
from clue_solver.record.contents import Record
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Observation
from clue_solver.rules.play import Breach
from clue_solver.rules.table import Table
from clue_solver.rules.turns import over_since

DoubtKind = Literal[
    "clash",  # the line contradicts the log
    "card seen",  # it leaves out a card that the viewer was shown
    "card shown",  # it leaves out a card that the viewer has shown
    "not seen",  # it tells a card that the viewer cannot have seen
    "no answers",  # it has no answers, or none from somewhere on
    "replaced",  # the entry that it replaces tells of another player or of something else
    "turn",  # it is not that seat's turn, that seat is out, or the game is over
    "rule",  # it is against another rule of play
    "actor",  # it does not say who acts, and that is not certain
    "lacking",  # it leaves out a name or a word, or means several things
    "late",  # it is the answer that an entry lacks
    "hand",  # a hand is not recorded
]
"""What a doubt is about."""

YES = ("yes", "y", "sure", "i'm sure", "i am sure", "right", "that's right", "ok", "okay", "yeah")
"""Answers that mean yes."""

MISSED = ("?", "shows ?", "missed", "missed it", "i missed it", "i missed that")
"""Answers that mean that the person missed something, so that the line is logged without it."""

LATER = ("", "n", "no", "later", "not now")
"""Answers that mean that the person will give the hand later."""


class DoubtChoice(Struct, frozen=True):
    """
    One way to settle a doubt.

    Attributes:
        label: The text in a list of choices: `Plum`, `? (missed)`, `Cat skips`.
        reading: The reading that is logged if it is chosen; `None` to give a hand later.
        called: Other answers that choose it, in lower case; each must be typed in full.
        skips: The skips that are logged before the line.

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
        """Whether the answer `yes` chooses it."""
        return "yes" in self.called

    def matches(self, said: str) -> bool:
        """Return whether a text, as `plain` returns it, is the label or another full answer."""
        return said in (plain(self.label), *self.called)

    def is_meant(self, said: str) -> bool:
        """Return whether the label begins with a text, or has all its words."""
        if self.is_yes:  # that has to be said as a whole
            return False
        label, words = plain(self.label), said.split()
        every_word = len(said) > 1 and {*words} <= {*label.split()}
        return label.startswith(said) or (every_word and len({*words}) == len(words))


NO = DoubtChoice("no", called=("n",))
"""The choice that drops a line, so that it can be typed again."""


class Doubt(Struct, frozen=True):
    """
    A question about a line, with the choices that settle it.

    Attributes:
        kind: What the question is about.
        text: The question.
        reading: The reading in doubt; `None` if the question is which reading is right.
        choices: The ways to settle it.
        incomplete: The observation that a typed answer may complete, if no choice is picked: a
            suggestion or a question that lacks answers or a shown card, or a hand that lacks cards;
            `None` if there is none.
        entries: The numbers of the entries that the line contradicts.
    """

    kind: DoubtKind
    text: str
    reading: Reading | None = None
    choices: tuple[DoubtChoice, ...] = ()
    incomplete: Observation | None = None
    entries: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return f"<Doubt: {self.kind}: {self.text}>"

    @property
    def only_choice(self) -> DoubtChoice | None:
        """The one name that fits, so that nothing need be asked; `None` if there are others."""
        if self.kind in ("card seen", "card shown"):  # the last choice: it was missed
            return self.choices[0] if len(self.choices) == 2 else None
        return self.choices[0] if self.kind == "lacking" and len(self.choices) == 1 else None

    def keeps_line(self, choice: DoubtChoice) -> bool:
        """Return whether a choice leaves the line unchanged."""
        return choice.reading is not None and choice.reading is self.reading

    def matching_choices(self, text: str) -> tuple[DoubtChoice, ...]:
        """Return the choices that a text can mean, in full or abbreviated, including `NO`."""
        said = plain(text)
        if "passes" in PHRASES.get(said, ()):  # `p` is a pass, not Pat
            return ()
        if said.isdecimal():
            choice = numbered(said, self.choices)
            return () if choice is None else (choice,)
        if whole := tuple(choice for choice in self.choices if choice.matches(said)):
            return whole
        if NO.matches(said):  # `no` may be the next seat's answer alone
            return (NO,) if said == "n" or self.incomplete is None else ()
        return tuple(choice for choice in self.choices if said and choice.is_meant(said))


def choices_of(labelled: Iterable[tuple[str, Reading]]) -> tuple[DoubtChoice, ...]:
    """Return a choice for each label and its reading; a name alone chooses who shows."""
    return tuple(
        DoubtChoice(label, one, (plain(label).removesuffix(" shows"),)) for label, one in labelled
    )


def plain(text: str) -> str:
    """Return a text in lower case, with single spaces and without commas."""
    return " ".join(text.casefold().replace(",", " ").split())


# What the viewer's own hand rules out.

GivenAnswer = tuple[observed.Answer, tuple[str, ...]]
"""An answer, with the cards that were asked for."""


def answers_of(observation: Observation, table: Table) -> list[GivenAnswer]:
    """Return the answers in an observation, each with the cards that were asked for."""
    match observation:
        case observed.Suggestion(cards=cards) | observed.Finger(cards=cards):
            return [(answer, cards) for answer in observation.answers]
        case observed.Question(seat=seat, about=about, answer=said, card=card):
            answer = observed.Answer(seat=seat, answer=said, card=card)
            return [(answer, lexicon_of(table).marked_by(about))]
    return []


def own_hand(record: Record) -> frozenset[str] | None:
    """Return the viewer's whole hand; `None` if it is not recorded."""
    return hand_of(record, record.table.viewer)


def hand_of(record: Record, seat: str | None) -> frozenset[str] | None:
    """Return a seat's whole hand; `None` if it is not recorded."""
    for told in reversed(record.observations):
        if isinstance(told, observed.Hand) and told.seat == seat:
            return frozenset(told.cards)
    return None


def own_refusal(record: Record, observation: Observation) -> errors.NotationError | None:
    """Return why the viewer's recorded hand rules out an observation; `None` if it does not."""
    viewer, own = record.table.viewer, own_hand(record)
    if viewer is None or own is None:
        return None
    for answer, asked in answers_of(observation, record.table):
        held = tuple(card for card in asked if card in own)
        reason = ""
        if answer.seat != viewer:
            continue
        if answer.card is not None and answer.card not in own:
            reason = f"you do not hold {answer.card}: expected {joined(held or ('passes',))}"
        elif answer.answer == "shows" and not held:
            reason = f"you hold none of these cards: expected '{viewer} passes'"
        elif answer.answer == "passes" and held:
            you = f"you hold {joined(held, 'and')}, so you cannot pass"
            reason = f"{you}: type '{viewer} shows {held[0]}'"
        if reason:
            return errors.NotationError(reason, nearest=held)
    match observation:
        case (
            observed.Reveal(seat=seat, card=str(card)) | observed.Look(holder=seat, card=str(card))
        ) if seat == viewer and card not in own:
            return errors.NotationError(f"you do not hold {card}: expected {joined(sorted(own))}")
    return None


def is_ruled_out(record: Record, observation: Observation) -> bool:
    """Return whether the viewer's hand rules out an observation, including what others show."""
    viewer, own = record.table.viewer, own_hand(record) or ()
    answers = answers_of(observation, record.table)
    shown = (answer.card for answer, _ in answers if answer.seat != viewer)
    return own_refusal(record, observation) is not None or any(card in own for card in shown)


def with_line(game: Game, reading: Reading, place: LogPlace = END) -> Game:
    """
    Return the game with a line added at a place.

    Raises:
        NotationError: If the viewer's own hand rules it out, or if it or a later entry makes no
            sense.
        ArgumentError: If there is no such place.
    """
    if (error := own_refusal(game.record, reading.whole)) is not None:
        raise error
    if place == END and reading.table is game.table and reading.state == game.play().turns:
        return game.changed(game.record.extended(reading.whole, comment=reading.comment))
    record = with_entry(game.record, reading.whole, place, reading.comment)
    return game.changed(normalise_entries(record, game.record))


# What the log rules out.


class Candidate:
    """
    A reading that may become an entry, with the log around its place.

    Attributes:
        game: The game so far.
        reading: The reading.
        observation: The observation of the reading.
        place: The place in the log where it goes.
        skips: The skips to log before it, in the same step.
        before, after: The observations before and after its place.
        replaced: The observation that it replaces; empty if it is new.
        play: The state of play before it.
        own: The viewer's hand; empty if it is not recorded.
        by: The seat that acts; empty if no seat does.
        answers: Its answers, each with the cards that were asked for.
    """

    def __init__(
        self, game: Game, reading: Reading, place: LogPlace = END, skips: Sequence[Reading] = ()
    ) -> None:
        self.game, self.table, self.viewer = game, game.table, game.table.viewer
        self.reading, self.observation = reading, reading.whole
        self.place, self.skips = place, tuple(skips)
        skipped = reduce(with_line, skips, game)
        log = skipped.observations
        at = len(log) if place.entry is None else place.entry - 1
        after = at if place.insert else at + 1
        self.before, self.replaced, self.after = log[:at], log[at:after], log[after:]
        self.play = skipped.play(at)
        self.own = own_hand(game.record) or frozenset()
        self.by = str(getattr(self.observation, self.observation.form.subject, ""))
        self.answers = answers_of(self.observation, self.table)

    def fits(self, *told: Observation) -> bool:
        """Return whether the log is consistent with these observations in place of the line."""
        log = self._log(*told)
        try:
            return log.consistent(log.knowledge.entries)
        except errors.TooLarge:
            return True

    @cached_property
    def log_is_consistent(self) -> bool:
        """Whether the log is consistent without the line."""
        return self.fits()

    @property
    def clashes(self) -> bool:
        """Whether the line contradicts a log that is consistent without it."""
        return not self.fits(self.observation) and self.log_is_consistent

    def conflict(self) -> tuple[int, ...]:
        """Return the numbers of the entries that the line contradicts."""
        log = self._log(self.observation)
        try:
            log.possible(log.knowledge.entries)
        except errors.Contradiction as clash:
            return tuple(other for other in clash.entries if other != len(self.before) + 1)
        return ()

    def _log(self, *told: Observation) -> Deduction:
        """Return what follows from the log with these observations in place of the line."""
        log, line = (*self.before, *told, *self.after), self.observation
        table = self.game.table
        # Another's hand is laid open at the end: then it counts whatever anybody has seen.
        if isinstance(line, observed.Hand) and line.seat != self.viewer:
            return Deduction(everyones_knowledge(table, log))
        return Deduction(knowledge_of(table, log, viewer=table.viewer))


# What is doubtful about a whole line.


def find_doubts(line: Candidate) -> list[Doubt]:
    """
    Return the doubts about a line, most serious first; empty if there are none.

    Raises:
        NotationError: If the viewer's own hand rules the line out.
    """
    if (error := own_refusal(line.game.record, line.observation)) is not None:
        raise error
    clash = clash_doubt(line)
    found = [clash]
    if clash is None:
        found = [shown_card_doubt(line), unseen_card_doubt(line), no_answers_doubt(line)]
    found.append(replaced_doubt(line))
    if line.observation.turn:
        found.append(turn_doubt(line))
    return [doubt for doubt in found if doubt is not None]


def confirm_doubt(line: Candidate, kind: DoubtKind, text: str, *others: int) -> Doubt:
    """Ask whether a line is right as typed; `others` are the entries that it contradicts."""
    return Doubt(kind, text, line.reading, (DoubtChoice("yes", line.reading, YES),), None, others)


def clash_doubt(line: Candidate) -> Doubt | None:
    """Ask whether a line that contradicts the log, or the deal, is right."""
    if not line.clashes:
        return None
    others = line.conflict()
    against = errors.named_entries(others) if others else "the deal"
    text = f"This contradicts {against}: are you sure?"
    return confirm_doubt(line, "clash", text, *others)


def replaced_doubt(line: Candidate) -> Doubt | None:
    """Ask about a line that replaces an entry of another player, or other than a skip."""
    for old in line.replaced:
        by = getattr(old, old.form.subject, "")
        if by != line.by or type(old) not in (observed.Skip, type(line.observation)):
            text = f"This replaces entry {line.place.entry}, '{reading_of(old, line.table).line}'"
            return confirm_doubt(line, "replaced", f"{text}: are you sure?")
    return None


# Cards and answers.


def missing_doubt(
    line: Candidate, kind: DoubtKind, text: str, options: Mapping[str, Observation], seat: str = ""
) -> Doubt:
    """
    Ask for what a line leaves out, with the choices that are consistent with the log.

    Args:
        line: The line.
        kind: The kind of doubt.
        text: The question.
        options: The complete observations, by their labels in the list of choices.
        seat: The seat whose shown card is asked for; empty if no card is.
    """
    fitting = [
        (label, line.reading.told_as(option))
        for label, option in options.items()
        if not line.log_is_consistent or line.fits(option)
    ]
    shown = line.reading.unseen | ({seat} if seat else set())
    missed = reading_of(line.observation, line.table, unseen=shown, unheard=True)
    called = (*MISSED, *YES, "skip") if shown else MISSED  # or `skip` may be the next's pass
    choices = (*choices_of(fitting), DoubtChoice("? (missed)", missed, called))
    return Doubt(kind, text, line.reading, choices, incomplete=line.observation)


def shown_card_doubt(line: Candidate) -> Doubt | None:
    """Ask for a card that the viewer must have seen but the line does not name."""
    told, said, viewer = line.observation, line.reading, line.viewer
    for at, (answer, cards) in enumerate(line.answers):
        seat = answer.seat
        named = answer.answer != "shows" or answer.card or len(cards) < 2
        if named or seat is None or seat in said.unseen or viewer not in (seat, line.by):
            continue
        if seat != viewer:
            options = {card: with_shown_card(told, at, card) for card in cards}
            text = f"Which card did {seat} show you?"
            return missing_doubt(line, "card seen", text, options, seat)
        held = [card for card in cards if card in line.own or not line.own]
        options = {card: with_shown_card(told, at, card) for card in held}
        text = f"Which card did you show {line.by}?"
        return missing_doubt(line, "card shown", text, options, seat)
    hidden = "" if line.answers else told.sight.hidden
    saw = viewer in [getattr(told, field) for field in told.sight.by]
    if not hidden or not saw or said.unheard or getattr(told, hidden) is not None:
        return None
    names = lexicon_of(line.table).of(told.form.bearers[hidden]).names
    options = {name: replace(told, **{hidden: name}) for name in names}
    return missing_doubt(line, "card seen", "What did you see?", options)


def with_shown_card(observation: Observation, at: int, card: str | None) -> Observation:
    """Return an observation with another card, or no card, in its answer at index `at`."""
    if not isinstance(observation, observed.Suggestion | observed.Finger):
        return replace(observation, card=card)
    answers = list(observation.answers)
    answers[at] = replace(answers[at], card=card)
    return replace(observation, answers=tuple(answers))


def unseen_card_doubt(line: Candidate) -> Doubt | None:
    """Ask about a card that the line names but the viewer cannot have seen."""
    for at, (answer, _) in enumerate(line.answers):
        seat = answer.seat
        if not answer.card or line.viewer in (None, line.by, seat):
            continue
        without = reading_of(with_shown_card(line.observation, at, None), line.table)
        guessed = line.reading.guessed
        only = f"It is {line.by}'s turn, and only {line.by}" if guessed else f"Only {line.by}"
        everybody = f"if everybody saw it, type '{seat} reveals {answer.card}'"
        text = f"{only} and {seat} see that card; {everybody}. Leave it out?"
        leave_out = DoubtChoice("leave it out", without, YES)
        choices = (leave_out, DoubtChoice("keep it", line.reading))
        return Doubt("not seen", text, line.reading, choices)
    return None


def no_answers_doubt(line: Candidate) -> Doubt | None:
    """Return a doubt that asks for the missing answers; `None` if none are missing."""
    told, table, turns = line.observation, line.table, line.play.turns
    if line.reading.unheard:
        return None
    options: dict[str, Observation] = {}
    if isinstance(told, observed.Question) and told.answer == "unheard":
        options["shows"] = replace(told, answer="shows")
        options["passes"] = replace(told, answer="passes")
        return missing_doubt(line, "no answers", f"What did {told.seat} answer?", options)
    heard = [answer.seat for answer, _ in line.answers]
    if not isinstance(told, observed.Suggestion | observed.Finger) or (heard and heard[-1]):
        return None
    order = table.answering(line.by, left=turns.left)
    mine = [card for card in told.cards if card in line.own]
    given: dict[str, tuple[observed.Answer, ...]] = {}
    for seat in order if not table.everyone_shows else ():
        for card in mine if mine and seat == line.viewer else [None]:
            if seat not in heard:
                shows = answer_of(seat, "shows", card)
                given[format_answer(shows)] = (shows,)
    given["nobody shows"] = passes(order)
    for label, answers in given.items():
        options[label] = normalise(replace(told, answers=answers), table, turns)
    text = "What did the others answer?" if heard else "Who showed a card?"
    return missing_doubt(line, "no answers", text, options)


# Turns and other rules of play.


def turn_doubt(line: Candidate) -> Doubt | None:
    """Return the doubt about a line that breaks the order of turns or another rule of play."""
    table = line.table
    if line.place.entry is not None:
        return early_end_doubt(line) if table.keeps("turns") else None
    if (doubt := accuser_doubt(line)) is not None:
        return doubt
    breach = line.play.check(line.observation)
    if breach is None or not table.keeps("turns" if breach.of_turns else "play"):
        return None
    match breach.rule:
        case "over":
            what = f"The game ended with entry {over_since(table, line.before)}"
        case "turn":
            return skip_doubt(line, breach)
        case "out":
            what = f"{line.by} is out after a wrong accusation"
        case "left":
            what = f"{line.by} has left"
        case _:
            text = f"{_breach_text(line, breach)}. Log it all the same?"
            return confirm_doubt(line, "rule", text)
    return confirm_doubt(line, "turn", f"{what}: are you sure?")


def early_end_doubt(line: Candidate) -> Doubt | None:
    """Ask about an edit that would end the game before the last entry."""
    table, number = line.table, len(line.before) + 1
    ends = over_since(table, (*line.before, line.observation)) == number
    ended = over_since(table, (*line.before, *line.replaced))
    if ended or not ends or not any(told.turn for told in line.after):
        return None
    text = f"This would end the game at entry {number}, but the log goes on after it: are you sure?"
    return confirm_doubt(line, "turn", text)


def untaken_turn_doubt(reading: Reading, other: Reading | None, untaken: str) -> Doubt:
    """
    Ask who a line without a player is about, if the line before it was refused.

    Args:
        reading: The reading of the line, for the player guessed.
        other: Its reading for the next player, if it can be theirs.
        untaken: The refused line; it may have been the first player's turn.
    """
    both = [one for one in (reading, other) if one is not None]
    labels = (str(one.fields[one.kind.form.subject]) for one in both)
    text = f"'{errors.printable(untaken)}' is not in the log. Who is this line about?"
    return Doubt("actor", text, reading, choices_of(zip(labels, both, strict=True)))


def accuser_doubt(line: Candidate) -> Doubt | None:
    """Ask who accuses if the line does not say: the player who has just asked, or the next one."""
    told, turns = line.observation, line.play.turns
    guessed = isinstance(told, observed.Accusation) and line.reading.guessed
    last, following = turns.seat, turns.turn(line.table)
    if not guessed or last is None or not turns.goes_on(last) or following in (None, last):
        return None
    seats = (last, following)
    labelled = [(seat, reading_of(replace(told, by=seat), line.table)) for seat in seats]
    return Doubt("actor", "Who accuses?", line.reading, choices_of(labelled))


def skip_doubt(line: Candidate, breach: Breach) -> Doubt:
    """Ask whether the players skipped whose turns the log lacks before this line."""
    skipped = listed(breach.skipped)
    skips = tuple(reading_of(observed.Skip(by=seat), line.table) for seat in breach.skipped)
    skip = f"{skipped} {'skip' if breach.skipped[1:] else 'skips'}"
    written = format_line(line.observation, line.table)
    named = replace(line.reading, line=written, guessed=None)  # after skips it is another's turn
    said = ("skip", "skips", "skipped", plain(f"{skipped} skipped"))
    whose = "their turns" if breach.skipped[1:] else f"{skipped}'s turn"
    missed = (*MISSED, "i missed a turn", "missed a turn", "as it stands")
    choices = (
        DoubtChoice(skip, named, (*said, *YES), skips),
        DoubtChoice(f"? (I missed {whose})", line.reading, missed),
    )
    text = f"It is {breach.turn}'s turn: did {skipped} skip?"
    return Doubt("turn", text, line.reading, choices)


def _breach_text(line: Candidate, breach: Breach) -> str:
    """Return a sentence that says which rule the line breaks."""
    by, place, verb = line.by, str(breach.place), line.observation.form.verb
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
            return f"{by} has to look at the card in {there} first"
        case "order":
            if not breach.expected:
                return "It is too late for that this turn"
            doing, first = re.sub("e?s$", "ing", verb), breach.expected[0]
            before = f"In this edition a player {first} before {doing}"
            return f"{before}. {by} has not done so yet this turn"
        case "place" if verb in ("accuses", "stays"):
            return f"{by} is not in a room"
        case "place" if expected:
            return f"{by} is in the {expected}, not in {there}"
        case "reach" if line.play.place(by) == breach.place:
            return f"{by} is in {there} already"
        case "place" | "reach":
            how = "from where they are" if breach.roll is None else f"with a roll of {breach.roll}"
            return f"{by} cannot get to {there} {how}"
        case "stay":
            return f"{by} has to leave {there} first"
    return f"{line.table.edition.title} does not have that"


# Hands that are not recorded.


def concerns_hand(observation: Observation, table: Table) -> bool:
    """Return whether the viewer asks or answers in an observation, so that the own hand matters."""
    seats = [answer.seat for answer, _ in answers_of(observation, table)]
    if isinstance(observation, Answerable):
        seats.append(getattr(observation, observation.form.subject))
    return table.viewer in seats


def missing_hand(game: Game) -> str | None:
    """
    Return the seat whose hand to ask for; `None` if no hand is missing.

    It is the viewer, or once the game is over any seat. Recorded hands, and hands of which every
    card is certain, are not asked for.
    """
    record = game.record
    for seat in record.table.seats if record.finished else (game.table.viewer,):
        if seat is not None and hand_of(record, seat) is None and not _is_known(game, seat):
            return seat
    return None


def _is_known(game: Game, seat: str) -> bool:
    """Return whether each card that a seat may hold is certainly in its hand."""
    holder = 1 << game.table.index_of(seat)
    try:
        may_hold = game.deduction.possible(len(game.observations))
    except errors.Contradiction:
        return False
    return all(mask == holder for mask in may_hold if mask & holder)


def cards_doubt(hand: observed.Hand, record: Record) -> Doubt:
    """Ask for the cards that are still missing from a hand."""
    table, sizes = record.table, record.turn_state.sizes
    others = {seat: size for seat, size in sizes.items() if seat != hand.seat}
    least, most = table.size_bounds(others)[table.index_of(hand.seat)]
    left, other = least - len(hand.cards), "other " if hand.cards else ""
    cards = f"{other}cards"
    if other or least == most:
        cards = f"{other}card" if left == 1 else f"{left} {other}cards"
    whose = "do you" if hand.seat == table.viewer else f"did {hand.seat}"
    text = f"Which {cards} {whose} hold?"
    later = DoubtChoice("later", called=LATER)
    return Doubt("hand", text, choices=(later,), incomplete=hand)
