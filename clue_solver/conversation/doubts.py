"""
What a careful friend would ask about a line before it is logged; each question is a `Doubt`.

`meaning_doubt` asks which of several meanings is right, or for the one thing that is missing.
`find_doubts` refuses a line that the viewer's own hand rules out. It asks about a line that
contradicts the log; otherwise about a card that the viewer must have seen or cannot have seen,
about missing answers, and about turns and other rules of play. `cards_doubt` asks for a hand, or
for the rest of one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from clue_solver import errors
from clue_solver.conversation.meaning import (
    Candidate,
    hand_of,
    is_ruled_out,
    own_refusal,
    place_of,
)
from clue_solver.errors import listed, named_entries
from clue_solver.game import Game
from clue_solver.notation.canonical import format_answer, format_line
from clue_solver.notation.checks import answers_of, normalise, with_shown_card
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.notation.names import numbered
from clue_solver.notation.places import answer_of, passes
from clue_solver.notation.reading import Answerable, Reading, reading_of
from clue_solver.notation.vocabulary import LATER, MISSED, PHRASES, YES
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
    "not seen",  # it names a card that the viewer cannot have seen
    "no answers",  # it has no answers, or none from somewhere on
    "replaced",  # the entry that it replaces is about another player or something else
    "turn",  # it is not that seat's turn, that seat is out, or the game is over
    "rule",  # it is against another rule of play
    "actor",  # it does not say who acts, and that is not certain
    "lacking",  # it leaves out a name or a word, or means several things
    "late",  # it is the answer that an entry lacks
    "meant",  # it has no meaning, but another line near it has one
    "hand",  # a hand is not recorded
]
"""What a doubt is about."""

_MOST_MEANINGS = 4
"""The most meanings of a line that are offered to choose from."""

_MOST_NAMES = 24
"""The most names that are offered to choose from."""


class DoubtChoice(Struct, frozen=True):
    """
    One way to settle a doubt.

    Attributes:
        label: The text in a list of choices: `Plum`, `? (missed)`, `Cat skips`.
        reading: The reading that is logged if it is chosen; `None` if that does not follow yet,
            because a hand is given later or another line is read first.
        called: Other answers that choose it, in lower case; each must be typed in full.
        earlier: What is logged before the line: turns that players skipped, or a card that
            everybody saw.

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
    earlier: tuple[Reading, ...] = ()

    @property
    def is_yes(self) -> bool:
        """Whether the answer `yes` makes this choice."""
        return "yes" in self.called

    def matches(self, said: str) -> bool:
        """
        Return whether a text is the label or one of the other answers, in full.

        `said` is the text in lower case, with single spaces and without commas.
        """
        return said in (_plain(self.label), *self.called)

    def is_meant(self, said: str) -> bool:
        """Return whether the label begins with the text `said`, or has all words of that text."""
        if self.is_yes:  # that has to be said as a whole
            return False
        label, words = _plain(self.label), said.split()
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
        """
        The choice of the only name that fits, so that nothing has to be asked.

        `None` if several names fit, or if the doubt is not about a missing name.
        """
        if self.kind in ("card seen", "card shown"):  # the last choice is that it was missed
            return self.choices[0] if len(self.choices) == 2 else None
        return self.choices[0] if self.kind == "lacking" and len(self.choices) == 1 else None

    def keeps_line(self, choice: DoubtChoice) -> bool:
        """Return whether a choice leaves the line unchanged."""
        return choice.reading is not None and choice.reading is self.reading

    def matching_choices(self, text: str) -> tuple[DoubtChoice, ...]:
        """
        Return the choices that a text can mean; empty if it means none.

        The text may be the number of a choice, its label, another answer that chooses it, or the
        beginning of the label. `NO` can be among the choices, although it is not in `choices`.
        """
        said = _plain(text)
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


def _choices_of(labelled: Iterable[tuple[str, Reading]]) -> tuple[DoubtChoice, ...]:
    """
    Return a choice for each label with its reading.

    A choice such as `Cat shows` can also be made with just the name.
    """
    return tuple(
        DoubtChoice(label, one, (_plain(label).removesuffix(" shows"),)) for label, one in labelled
    )


def _plain(text: str) -> str:
    """Return a text in lower case, with single spaces and without commas."""
    return " ".join(text.casefold().replace(",", " ").split())


# What is doubtful about a whole line.


def find_doubts(candidate: Candidate) -> list[Doubt]:
    """
    Return the doubts about a line, most serious first; empty if there are none.

    Raises:
        NotationError: If the viewer's own hand rules the line out.
    """
    if (error := own_refusal(candidate.game.record, candidate.observation)) is not None:
        raise error
    clash = _clash_doubt(candidate)
    found = [clash]
    if clash is None:
        found = [
            _shown_card_doubt(candidate),
            _unseen_card_doubt(candidate),
            _unseen_hand_doubt(candidate),
            _no_answers_doubt(candidate),
        ]
    found.append(_replaced_doubt(candidate))
    if candidate.observation.turn:
        found.append(_turn_doubt(candidate))
    return [doubt for doubt in found if doubt is not None]


def _confirm_doubt(candidate: Candidate, kind: DoubtKind, text: str, *others: int) -> Doubt:
    """
    Return the question whether a line is right as it was typed.

    Args:
        candidate: The line.
        kind: What the question is about.
        text: The question.
        others: The numbers of the entries that the line contradicts.
    """
    yes = DoubtChoice("yes", candidate.reading, YES)
    return Doubt(kind, text, candidate.reading, (yes,), entries=others)


def _clash_doubt(candidate: Candidate) -> Doubt | None:
    """
    Return the question whether a line is right although it contradicts the log.

    `None` if it does not contradict it.
    """
    if not candidate.clashes:
        return None
    others = candidate.conflict()
    against = named_entries(others) if others else "what is known"
    text = f"This contradicts {against}: are you sure?"
    return _confirm_doubt(candidate, "clash", text, *others)


def _replaced_doubt(candidate: Candidate) -> Doubt | None:
    """
    Return the question whether a line may replace an entry of another player or of another kind.

    `None` if it replaces none of these. A skip may be replaced by any line of the same player.
    """
    for old in candidate.replaced:
        if old.actor != candidate.by or type(old) not in (
            observed.Skip,
            type(candidate.observation),
        ):
            entry = f"entry {candidate.place.entry}, '{reading_of(old, candidate.table).line}'"
            return _confirm_doubt(candidate, "replaced", f"This replaces {entry}: are you sure?")
    return None


# What is asked about a line without a single meaning.


def meant_doubt(text: str, line: str) -> Doubt:
    """
    Return the question whether another line was meant than the one that was typed.

    Args:
        text: The question.
        line: The other line, which is read in place of the typed one if the answer is `yes`.
    """
    return Doubt("meant", text, choices=(DoubtChoice(f"yes: {line}", called=YES),))


def meaning_doubt(meant: Sequence[Reading], record: Record, *, edits: bool) -> Doubt | None:
    """
    Return the question which meaning is right; `None` if there are too many to choose from.

    Args:
        meant: The readings that `meanings` found: several, one with a gap, or a late answer.
        record: The game so far.
        edits: Whether the line changes an entry, so that it may give a hand anew.

    Raises:
        NotationError: If the line adds cards to a hand that is recorded.
    """
    # No complete reading: ask for the rest of a hand, or for the one name that is missing.
    whole = [one.restate(one.whole) for one in meant if one.observation is not None]
    if not whole:
        first = meant[0]
        askable = first.fields.get("seat") == record.table.viewer or record.finished
        alike = len({one.text for one in meant}) == 1
        if first.kind is observed.Hand and first.fields.get("cards") and askable and alike:
            if not edits:
                _refuse_second_hand(first.fields["seat"], record)
            return cards_doubt(observed.Hand(**first.fields), record)  # the rest of the hand
        return _gap_doubt(meant, record)
    if len(whole) > _MOST_MEANINGS:
        return None
    # One late answer: ask whether it belongs to its entry. Several readings: ask which is meant.
    entries = [place_of(one, record).entry for one in whole]
    if len(whole) == 1 and (late := whole[0].late) is not None:
        line = format_line(late, record.table)
        text = f"Add it to {_entry_names(entries)}, '{line}'?"
        return Doubt("late", text, choices=(DoubtChoice("yes", whole[0], (*YES, "add it")),))
    labels = _distinct_parts([one.text for one in whole])
    if len({*entries}) > 1:
        labels = [
            f"entry {entry}: {one.text}" if entry else one.text
            for entry, one in zip(entries, whole, strict=True)
        ]
    about = "" if None in entries else f", for {_entry_names(entries)}"
    choices = _choices_of(zip(labels, whole, strict=True))
    return Doubt("lacking", f"Which do you mean{about}?", choices=choices)


def _refuse_second_hand(seat: str, record: Record) -> None:
    """Raise a `NotationError` if a seat's whole hand is recorded already."""
    if (known := hand_of(record, seat)) is not None:
        whose = "your" if seat == record.table.viewer else f"{seat}'s"
        raise errors.NotationError(f"{whose} hand is logged already: {listed(sorted(known))}")


def _entry_names(entries: Sequence[int | None]) -> str:
    """Return the numbers of entries in words: `entries 3 and 5`. `None` among them is left out."""
    return named_entries(sorted({entry for entry in entries if entry is not None}))


def _distinct_parts(lines: Sequence[str]) -> list[str]:
    """Return lines without the parts with which all of them begin, or all of them end."""
    parts = [re.split(r"(?<=[,:]) ", line) for line in lines]
    for end in (0, -1):
        while all(len(each) > 1 for each in parts) and len({each[end] for each in parts}) == 1:
            for each in parts:
                del each[end]
    return [" ".join(each).rstrip(",:") for each in parts]


def _gap_doubt(meant: Sequence[Reading], record: Record) -> Doubt | None:
    """
    Return the question for the only name that a line leaves out.

    `None` if it lacks more than that, or if too many names fit. `meant` are its readings.
    """
    if len({(one.kind, *(gap.field for gap in one.gaps)) for one in meant}) > 1:
        return None
    (gap,) = meant[0].gaps
    # The names that fit the gap, each with the line that it completes.
    found: dict[str, Reading] = {}
    for one in meant:
        for name, filled in one.filled.items():
            if filled.observation is None or is_ruled_out(record, filled.whole):
                continue
            if name in found:
                return None  # it is open, too, which line is meant
            found[name] = filled.restate(filled.whole)
    if not 0 < len(found) <= _MOST_NAMES:
        return None
    # The question: who shows, which card of a category, or what the gap itself asks.
    labels = [*found]
    kinds = {record.table.edition.category_of.get(name) for name in found}
    text = gap.question
    if gap.field == "answers":
        answers = [answers_of(one.whole, record.table)[-1][0] for one in found.values()]
        labels = [format_answer(answer) for answer in answers]
        text = f"Who shows {answers[0].card or 'a card'}?"
    elif None not in kinds:
        text = f"Which {kinds.pop() if len(kinds) == 1 else 'card'}?"
    choices = _choices_of(zip(labels, found.values(), strict=True))
    return Doubt("lacking", text, choices=choices)


# Cards and answers.


def _missing_doubt(
    candidate: Candidate,
    kind: DoubtKind,
    text: str,
    options: Mapping[str, Observation],
    seat: str = "",
) -> Doubt:
    """
    Return the question for what a line leaves out.

    The choices are those options that are consistent with the log, and that it was missed.

    Args:
        candidate: The line.
        kind: The kind of doubt.
        text: The question.
        options: The complete observations that the line may stand for, by their labels in the list
            of choices.
        seat: The seat whose shown card is asked for; empty if no card is.
    """
    fitting = [
        (label, candidate.reading.restate(option))
        for label, option in options.items()
        if not candidate.log_is_consistent or candidate.fits(option)
    ]
    shown = candidate.reading.unseen | ({seat} if seat else set())
    told, said = candidate.observation, candidate.reading.explicit
    missed = reading_of(told, candidate.table, explicit=said, unseen=shown, unheard=True)
    called = (*MISSED, *YES, "skip") if shown else MISSED  # otherwise `skip` may be a pass
    choices = (*_choices_of(fitting), DoubtChoice("? (missed)", missed, called))
    return Doubt(kind, text, candidate.reading, choices, incomplete=candidate.observation)


def _shown_card_doubt(candidate: Candidate) -> Doubt | None:
    """
    Return the question for a card that the viewer must have seen but the line does not name.

    `None` if there is no such card.
    """
    told, said, viewer = candidate.observation, candidate.reading, candidate.viewer
    for at, (answer, cards) in enumerate(candidate.answers):
        seat = answer.seat
        named = answer.answer != "shows" or answer.card or len(cards) < 2
        if named or seat is None or seat in said.unseen or viewer not in (seat, candidate.by):
            continue
        kind: DoubtKind = "card seen"
        text = f"Which card did {seat} show you?"
        if seat == viewer:
            kind, text = "card shown", f"Which card did you show {candidate.by}?"
        options = {card: with_shown_card(told, at, card) for card in cards}
        return _missing_doubt(candidate, kind, text, options, seat)
    hidden = "" if candidate.answers else told.sight.hidden
    saw = viewer in [getattr(told, field) for field in told.sight.by]
    if not hidden or not saw or said.unheard or getattr(told, hidden) is not None:
        return None
    names = lexicon_of(candidate.table).of(told.form.bearers[hidden]).names
    options = {name: replace(told, **{hidden: name}) for name in names}
    return _missing_doubt(candidate, "card seen", "What did you see?", options)


def _unseen_card_doubt(candidate: Candidate) -> Doubt | None:
    """
    Return the question whether to leave out a card that the viewer cannot have seen.

    `None` if the line names no such card.
    """
    for at, (answer, _) in enumerate(candidate.answers):
        seat = answer.seat
        if not (answer.card and seat) or candidate.viewer in (None, candidate.by, seat):
            continue
        told, said = candidate.observation, candidate.reading
        hidden = with_shown_card(told, at, None)
        without = reading_of(hidden, candidate.table, explicit=said.explicit)
        only = f"It is {candidate.by}'s turn, and only" if said.guessed else "Only"
        text = f"{only} {candidate.by} and {seat} see that card. Leave it out?"
        choices = [DoubtChoice("leave it out", without, YES)]
        reveal = observed.Reveal(seat=seat, card=answer.card)
        if candidate.place.entry is None and candidate.fits(reveal, hidden):
            seen = (reading_of(reveal, candidate.table),)
            choices.append(DoubtChoice("everybody saw it", without, earlier=seen))
        choices.append(DoubtChoice("keep it", candidate.reading))
        return Doubt("not seen", text, candidate.reading, tuple(choices))
    return None


def _unseen_hand_doubt(candidate: Candidate) -> Doubt | None:
    """
    Return a question if the line states another player's whole hand before the game is over.

    It asks whether to log the hand all the same, because the viewer's sheet does not use it before
    the end. Returns `None` if the line states no such hand, or if the game is over.
    """
    told, viewer, over = candidate.observation, candidate.viewer, candidate.game.record.finished
    if over or viewer is None or not isinstance(told, observed.Hand) or told.seat == viewer:
        return None
    ignored = f"Before the game is over, {viewer}'s sheet does not use {told.seat}'s whole hand"
    text = f"{ignored}, only single cards that {viewer} has seen. Log it all the same?"
    return _confirm_doubt(candidate, "not seen", text)


def _no_answers_doubt(candidate: Candidate) -> Doubt | None:
    """
    Return the question for the answers that a suggestion or a question lacks; `None` if it lacks
    none.
    """
    told, table, turns = candidate.observation, candidate.table, candidate.play.turns
    if candidate.reading.unheard:
        return None
    options: dict[str, Observation] = {}
    if isinstance(told, observed.Question) and told.answer == "unheard":
        options["shows"] = replace(told, answer="shows")
        options["passes"] = replace(told, answer="passes")
        return _missing_doubt(candidate, "no answers", f"What did {told.seat} answer?", options)
    heard = [answer.seat for answer, _ in candidate.answers]
    if not isinstance(told, observed.Inquiry) or (heard and heard[-1]):
        return None
    order = table.answering(candidate.by, left=turns.left)
    mine = [card for card in told.cards if card in candidate.own]
    given: dict[str, tuple[observed.Answer, ...]] = {}
    for seat in order if not table.everyone_shows else ():
        for card in mine if mine and seat == candidate.viewer else [None]:
            if seat not in heard:
                shows = answer_of(seat, "shows", card)
                given[format_answer(shows)] = (shows,)
    given["nobody shows"] = passes(order)
    for label, answers in given.items():
        options[label] = normalise(replace(told, answers=answers), table, turns)
    text = "What did the others answer?" if heard else "Who showed a card?"
    return _missing_doubt(candidate, "no answers", text, options)


# Turns and other rules of play.


def _turn_doubt(candidate: Candidate) -> Doubt | None:
    """
    Return the question about a line that breaks the order of turns or another rule of play.

    `None` if it breaks none, or only rules that the table ignores.
    """
    table = candidate.table
    if candidate.place.entry is not None:
        return _early_end_doubt(candidate) if table.keeps("turns") else None
    if (doubt := _accuser_doubt(candidate)) is not None:
        return doubt
    breach = candidate.play.check(candidate.observation)
    if breach is None or not table.keeps("turns" if breach.of_turns else "play"):
        return None
    if breach.of_turns and candidate.observation in candidate.before[-1:]:
        number = len(candidate.before)
        return _confirm_doubt(candidate, "turn", f"Entry {number} says the same: log it again?")
    if breach.rule == "turn":
        return _skip_doubt(candidate, breach)
    text = _breach_text(candidate, breach)
    if breach.of_turns or breach.rule == "over":
        return _confirm_doubt(candidate, "turn", f"{text}: are you sure?")
    return _confirm_doubt(candidate, "rule", f"{text}. Log it all the same?")


def _early_end_doubt(candidate: Candidate) -> Doubt | None:
    """
    Return the question whether an edit is right that would end the game before the last entry.

    `None` if the line would not do that.
    """
    table, number = candidate.table, len(candidate.before) + 1
    ends = over_since(table, (*candidate.before, candidate.observation)) == number
    ended = over_since(table, (*candidate.before, *candidate.replaced))
    if ended or not ends or not any(told.turn for told in candidate.after):
        return None
    text = f"This would end the game at entry {number}, but the log goes on after it: are you sure?"
    return _confirm_doubt(candidate, "turn", text)


def untaken_turn_doubt(reading: Reading, other: Reading | None, untaken: str) -> Doubt:
    """
    Return the question whom a line without a player is about, if the line before it was refused.

    Args:
        reading: The reading of the line in which the player who is assumed to act does so.
        other: The reading in which the other possible player acts; `None` if the line cannot be
            theirs.
        untaken: The refused line; it may have been the turn of the first of these players.
    """
    both = [one for one in (reading, other) if one is not None]
    labels = (one.whole.actor for one in both)
    text = f"'{errors.printable(untaken)}' is not in the log. Who is this line about?"
    return Doubt("actor", text, reading, _choices_of(zip(labels, both, strict=True)))


def _accuser_doubt(candidate: Candidate) -> Doubt | None:
    """
    Return the question who accuses, if the line does not say: who has just asked, or who is next.

    `None` if there is only one player who can have accused.
    """
    told, turns = candidate.observation, candidate.play.turns
    guessed = isinstance(told, observed.Accusation) and candidate.reading.guessed
    last, following = turns.seat, turns.turn(candidate.table)
    if not guessed or last is None or not turns.goes_on(last) or following in (None, last):
        return None
    seats = (last, following)
    labelled = [(seat, reading_of(replace(told, by=seat), candidate.table)) for seat in seats]
    return Doubt("actor", "Who accuses?", candidate.reading, _choices_of(labelled))


def _skip_doubt(candidate: Candidate, breach: Breach) -> Doubt:
    """
    Return the question whether players skipped the turns that the log lacks before a line.

    Args:
        candidate: The line.
        breach: The rule that it breaks, with whose turn it is and who would have skipped.
    """
    skipped = listed(breach.skipped)
    skips = tuple(reading_of(observed.Skip(by=seat), candidate.table) for seat in breach.skipped)
    skip = f"{skipped} {'skip' if breach.skipped[1:] else 'skips'}"
    # After the skips it is another's turn.
    named = replace(candidate.reading.restate(candidate.observation), guessed=None)
    said = ("skip", "skips", "skipped", _plain(f"{skipped} skipped"))
    whose = "their turns" if breach.skipped[1:] else f"{skipped}'s turn"
    missed = (*MISSED, "i missed a turn", "missed a turn", "as it stands")
    choices = (
        DoubtChoice(skip, named, (*said, *YES), skips),
        DoubtChoice(f"? (I missed {whose})", candidate.reading, missed),
    )
    text = f"It is {breach.turn}'s turn: did {skipped} skip?"
    return Doubt("turn", text, candidate.reading, choices)


def _breach_text(candidate: Candidate, breach: Breach) -> str:
    """Return a sentence that says which rule the line breaks."""
    by, place, verb = candidate.by, str(breach.place), candidate.observation.form.verb
    there = f"the square {place}" if re.fullmatch("[A-Z]{1,2}[0-9]+", place) else f"the {place}"
    expected = listed(breach.expected, "or")
    match breach.rule:
        case "over":
            return f"The game ended with entry {over_since(candidate.table, candidate.before)}"
        case "out":
            return f"{by} is out after a wrong accusation"
        case "left":
            return f"{by} has left"
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
        case "reach" if candidate.play.place(by) == breach.place:
            return f"{by} is in {there} already"
        case "place" | "reach":
            how = "from where they are" if breach.roll is None else f"with a roll of {breach.roll}"
            return f"{by} cannot get to {there} {how}"
        case "stay":
            return f"{by} has to leave {there} first"
    return f"{candidate.table.edition.title} does not have that"


# Hands that are not recorded.


def concerns_hand(observation: Observation, table: Table) -> bool:
    """Return whether the viewer asks or answers in an observation, so that their hand matters."""
    seats = [answer.seat for answer, _ in answers_of(observation, table)]
    return isinstance(observation, Answerable) and table.viewer in (observation.actor, *seats)


def missing_hand(game: Game) -> str | None:
    """
    Return the seat whose hand should be asked for; `None` if no hand is missing.

    Before the game is over, only the viewer's hand is asked for; afterwards, any seat's. A hand is
    missing if it is not recorded and not all of its cards are certain.
    """
    record = game.record
    for seat in record.table.seats if record.finished else (game.table.viewer,):
        if seat is not None and hand_of(record, seat) is None and not _is_known(game, seat):
            return seat
    return None


def _is_known(game: Game, seat: str) -> bool:
    """
    Return whether a seat's whole hand is known, because each card that it may hold is certainly
    there.

    False if that would take too long to find out.
    """
    holder = 1 << game.table.index_of(seat)
    try:
        may_hold = game.deduction.possible(len(game.observations))
    except (errors.Contradiction, errors.TooLarge):
        return False
    return all(mask == holder for mask in may_hold if mask & holder)


def cards_doubt(hand: observed.Hand, record: Record) -> Doubt:
    """Return the question for the cards that a hand still lacks."""
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
