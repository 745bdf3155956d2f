"""
What a careful friend asks about a line before it is taken, each as a `Doubt`.

`unclear` asks where a line lacks one thing or means several. `doubts` looks at a whole line: what
the viewer's own hand rules out is refused; then it is held against the log, the cards that the
viewer saw, the answers that have to follow, and the turns and rules of play.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from msgspec.structs import replace

from clue_solver import errors, notation
from clue_solver.conversation.changes import Place
from clue_solver.conversation.doubts import (
    LATER,
    MISSED,
    YES,
    Doubt,
    DoubtChoice,
    DoubtKind,
    choices_of,
    plain,
)
from clue_solver.conversation.meaning import (
    Candidate,
    EntryDraft,
    answers_of,
    impossible,
    own_refusal,
    unanswered_entry,
)
from clue_solver.errors import listed, named_entries
from clue_solver.game import Game
from clue_solver.notation.canonical import format_line
from clue_solver.notation.places import answer_of, passes
from clue_solver.notation.reading import Reading, reading_of
from clue_solver.record import Record
from clue_solver.rules import forms
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Observation
from clue_solver.rules.play import Breach
from clue_solver.rules.turns import over_since

_MOST_ASKED = 4
"""The most meanings of a line that are asked about."""

_MOST_CHOICES = 24
"""The most names that a question lists."""


# What a line leaves open.


def unclear(draft: EntryDraft, ways: Sequence[Reading], record: Record) -> Doubt | None:
    """
    Return the question for what a line leaves open; `None` if there are too many ways.

    Args:
        draft: The line.
        ways: All that the line can mean: several things, one with a gap, or a late answer.
        record: The game so far.
    """
    whole = [in_full(way) for way in ways if way.observation is not None]
    if not whole:
        first = ways[0]
        own = first.fields.get("seat") == record.table.viewer or record.finished
        alike = len({way.text for way in ways}) == 1
        if first.kind is observed.Hand and first.fields.get("cards") and own and alike:
            return which_cards(draft, observed.Hand(**first.fields), record)  # the rest of it
        return _gap(draft, ways, record)
    if len(whole) > _MOST_ASKED:
        return None
    opened = unanswered_entry(record) or 0
    if len(whole) == 1 and whole[0].late:
        asked = record.observations[opened - 1]
        answers = getattr(asked, "answers", ())
        heard = tuple(answer for answer in answers if answer.seat is not None)
        asked = asked if heard == answers else replace(asked, answers=heard)
        question = f"Add it to {named_entries([opened])}, {format_line(asked, record.table)}?"
        added = DoubtChoice("yes", draft.with_reading(whole[0], Place(opened)), (*YES, "add it"))
        return Doubt(draft, "late", question, (added,))
    late = [way.late for way in whole]
    labels = _apart([way.line for way in whole])
    if len({*late}) == 2:
        labels = [f"entry {opened}: {way.line}" if way.late else way.line for way in whole]
    about = f", for {named_entries([opened])}" if all(late) else ""
    choices = choices_of(draft, [*zip(labels, whole, strict=True)], Place(opened))
    return Doubt(draft, "lacking", f"Which do you mean{about}?", tuple(choices))


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


def _gap(draft: EntryDraft, ways: Sequence[Reading], record: Record) -> Doubt | None:
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
    question = gap.question if labels[1:] else f"Is it {labels[0]}?"
    if gap.field == "answers":
        shown = answers_of(next(iter(found.values())).whole, record.table)[-1].answer.card
        labels = [f"{name} shows {shown or ''}".rstrip() for name in found]
        question = f"Who shows {shown or 'a card'}?"
    elif None not in kinds:
        question = f"Which {kinds.pop() if len(kinds) == 1 else 'card'}?"
    choices = choices_of(draft, [*zip(labels, found.values(), strict=True)])
    return Doubt(draft, "lacking", question, tuple(choices))


def which_cards(draft: EntryDraft, hand: observed.Hand, record: Record) -> Doubt:
    """Ask for the cards that a hand lacks still."""
    table, sizes = record.table, record.turn_state.sizes
    others = {seat: size for seat, size in sizes.items() if seat != hand.seat}
    least, most = table.size_bounds(others)[table.place_of(hand.seat)]
    left, more = least - len(hand.cards), " more" if hand.cards else ""
    many = f"{left}{more} " if least == most or more else ""
    whose = "do you" if hand.seat == table.viewer else f"did {hand.seat}"
    cards = "card" if many and left == 1 else "cards"
    question = f"Which {many}{cards} {whose} hold?"
    later = DoubtChoice("later", draft, LATER)
    return Doubt(draft, "hand", question, (later,), incomplete=hand)


# What is doubtful about a whole line.


def doubts(game: Game, draft: EntryDraft) -> tuple[Doubt, ...]:
    """
    Return what to ask before a line is taken, the gravest first; nothing if all is plain.

    Raises:
        NotationError: If the viewer's own hand rules it out.
    """
    entry = Candidate(game, draft)
    if (error := own_refusal(game.record, entry.observation)) is not None:
        raise error
    found = [clash_of(entry) or card_held(entry)]
    if found == [None]:
        found = [card_of(entry), card_not_seen(entry), no_answers_of(entry)]
    if entry.observation.turn:
        found.append(turn_of(entry))
    return tuple(filter(None, found))


def sure(entry: Candidate, kind: DoubtKind, question: str, *others: int) -> Doubt:
    """Ask whether a line is right as it stands."""
    yes = DoubtChoice("yes", entry.draft, YES)
    return Doubt(entry.draft, kind, question, (yes,), entries=others)


def clash_of(entry: Candidate) -> Doubt | None:
    """Ask about a line that contradicts the log, or the deal."""
    if not entry.clashes():
        return None
    log, number = entry.log(entry.observation), len(entry.before) + 1
    others: list[int] = []
    try:
        log.possible(log.knowledge.entries)
    except errors.Contradiction as clash:
        others = [other for other in clash.entries if other != number]
    against = named_entries(others) if others else "the deal"
    return sure(entry, "clash", f"This contradicts {against}: are you sure?", *others)


# Cards and answers.


def card_held(entry: Candidate) -> Doubt | None:
    """Ask about a card of the viewer's own that another is said to show."""
    for seat, answer, _ in entry.answers:
        if seat != entry.viewer and answer.card in entry.own:
            question = f"You hold {answer.card}: are you sure that {seat} showed it?"
            return sure(entry, "held", question)
    return None


def doubt_of(
    entry: Candidate,
    kind: DoubtKind,
    question: str,
    ways: Mapping[str, Observation],
    seat: str = "",
) -> Doubt:
    """Ask which of these ways it was, of those that fit the log, or whether it was missed."""
    fitting = [
        (label, reading_of(way, entry.table))
        for label, way in ways.items()
        if not entry.sound or entry.fits(way)
    ]
    shown = entry.reading.unseen | ({seat} if seat else set())
    unseen = reading_of(entry.observation, entry.table, unseen=shown, unheard=True)
    missed = DoubtChoice("? (missed)", entry.draft.with_reading(unseen), MISSED)
    choices = (*choices_of(entry.draft, fitting), missed)
    return Doubt(entry.draft, kind, question, choices, incomplete=entry.observation)


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
    names = notation.lexicon_of(entry.table).of(told.form.bearers()[hidden]).names
    ways = {name: replace(told, **{hidden: name}) for name in names}
    return doubt_of(entry, "card seen", "What did you see?", ways)


def with_seen_card(game: Game, draft: EntryDraft) -> EntryDraft:
    """Return a line with the card that the viewer saw, if only one card is possible."""
    entry = Candidate(game, draft)
    doubt = card_of(entry)
    if doubt is None or not entry.sound or len(doubt.choices) != 2:  # the last one leaves it out
        return draft
    (whole,) = doubt.choices[0].readings[-1:]
    told = entry.reading
    told = replace(told, fields=whole.fields, line=whole.line, observation=whole.observation)
    return replace(draft, reading=told)


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
        they_see = f"{entry.by} and {seat} see that card"
        question = f"Only {they_see} (if all do, '{seat} reveals {answer.card}'): leave it out?"
        own = [*by_another(entry, entry.viewer)] if entry.new and entry.reading.guessed else []
        if own:
            question = f"It is {entry.by}'s turn, and only {they_see}: was it {entry.viewer}?"
        leave_out = DoubtChoice("shows", entry.draft.with_reading(without), ("leave it out",))
        choices = [*own, leave_out, DoubtChoice("as it stands", entry.draft)]
        choices[0] = replace(choices[0], called=(*choices[0].called, *YES))
        return Doubt(entry.draft, "not seen", question, tuple(choices))
    return None


def no_answers_of(entry: Candidate) -> Doubt | None:
    """Ask for the answers of a question that has none, or none from somewhere on."""
    told, table, turns = entry.observation, entry.table, entry.play.turns
    tail = told.form.tail
    if entry.reading.unheard:
        return None
    if isinstance(tail, forms.SingleAnswer) and getattr(told, tail.field) == "unheard":
        ways = {answer: replace(told, **{tail.field: answer}) for answer in ("shows", "passes")}
        question = f"What did {getattr(told, tail.seat)} answer?"
        return doubt_of(entry, "no answers", question, ways)
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
    question = "What did the others answer?" if heard else "Who showed a card?"
    return doubt_of(entry, "no answers", question, ways)


# Turns and other rules of play.


def turn_of(entry: Candidate) -> Doubt | None:
    """Ask about a line that is against the order of turns, or another rule of play."""
    table, before = entry.table, entry.before
    keeps_turns = table.keeps("turns")
    if not entry.new:
        return early_end_of(entry) if keeps_turns else None
    over = over_since(table, before) if keeps_turns else 0
    if over and not any(told.turn == "ends" for told in before[over:]):
        return sure(entry, "turn", f"The game ended with entry {over}: are you sure?")
    if (doubt := accuser_of(entry)) is not None:
        return doubt
    breach = entry.play.check(entry.observation)
    if breach is None or not table.keeps("turns" if breach.of_turns else "play"):
        return None
    match breach.rule:
        case "over":
            return None
        case "turn":
            return skips_of(entry, breach)
        case "out":
            return sure(entry, "turn", f"{entry.by} is out after a wrong accusation: are you sure?")
        case "left":
            return sure(entry, "turn", f"{entry.by} has left: are you sure?")
    return sure(entry, "rule", f"{_broken(entry, breach)}. Is that right anyway?")


def early_end_of(entry: Candidate) -> Doubt | None:
    """Ask about an edit that ends the game before the log does."""
    table, number = entry.table, len(entry.before) + 1
    ends = over_since(table, (*entry.before, entry.observation)) == number
    ended = over_since(table, (*entry.before, *entry.replaced))
    if ended or not ends or not any(told.turn for told in entry.after):
        return None
    question = f"This ends the game at entry {number}, and the log goes on after it: are you sure?"
    return sure(entry, "turn", question)


def whose_turn(draft: EntryDraft, untaken: str) -> Doubt:
    """
    Ask whether a line that leaves its player out is that seat's all the same.

    It is asked if the line before, which was not taken, may have been that turn.
    """
    seat = draft.reading.guessed if draft.reading else None
    question = f"'{errors.printable(untaken)}' was not accepted. Is it {seat}'s turn anyway?"
    return Doubt(draft, "turn", question, (DoubtChoice(f"it is {seat}'s", draft, YES),))


def accuser_of(entry: Candidate) -> Doubt | None:
    """Ask who accuses if that is not said: who has just asked may, and who is next."""
    told, turns = entry.observation, entry.play.turns
    guessed = isinstance(told, observed.Accusation) and entry.reading.guessed
    if not guessed or turns.seat in (None, entry.by) or not turns.goes_on(turns.seat):
        return None
    seats = (turns.seat, entry.by)
    ways = [(seat, reading_of(replace(told, by=seat), entry.table)) for seat in seats]
    return Doubt(entry.draft, "lacking", "Who accuses?", tuple(choices_of(entry.draft, ways)))


def by_another(entry: Candidate, seat: str | None) -> Iterator[DoubtChoice]:
    """Yield the choice of the same turn by another seat, if that can be."""
    told, table, turns = entry.observation, entry.table, entry.play.turns
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
        if own_refusal(entry.game.record, other) is not None:
            return
        unheard = entry.reading.unheard and not getattr(told, "answers", ())
        way = entry.draft.with_reading(reading_of(other, table, unheard=unheard))
        yield DoubtChoice(f"it was {seat}", way, (plain(f"that was {seat}"),))


def skips_of(entry: Candidate, breach: Breach) -> Doubt:
    """Ask about a line of another seat than whose turn it is, as far as the log tells."""
    skipped = listed(breach.skipped)
    skips = tuple(reading_of(observed.Skip(by=seat), entry.table) for seat in breach.skipped)
    skip = f"{skipped} {'skip' if breach.skipped[1:] else 'skips'}"
    named = replace(in_full(entry.reading), guessed=None)  # after skips it is another's turn
    said = ("skip", "skips", "skipped", plain(f"{skipped} skipped"))
    missed = ("as it stands", "i missed a turn", "missed a turn")
    first = ("type that first", "let me type that first")
    ways = (
        DoubtChoice(skip, entry.draft.with_reading(named, skips=skips), (*said, *YES)),
        *by_another(entry, breach.turn),
        DoubtChoice("as it stands, I missed a turn", entry.draft, missed),
        DoubtChoice(f"let me type {breach.turn}'s turn first", called=first),
    )
    question = f"It is {breach.turn}'s turn: did {skipped} skip?"
    return Doubt(entry.draft, "turn", question, ways)


def _broken(entry: Candidate, breach: Breach) -> str:
    """Return which rule is broken, and by what."""
    by, place, verb = entry.by, str(breach.place), entry.observation.form.verb
    there = f"the square {place}" if re.fullmatch("[A-Z]{1,2}[0-9]+", place) else f"the {place}"
    expected = listed(breach.expected, "or")
    match breach.rule:
        case "again":
            return f"{by} has done that already in this turn"
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
