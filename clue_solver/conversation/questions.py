"""
What a careful friend asks about a whole line before it is taken.

A line that the viewer's own hand rules out is refused. For a doubtful line there is a `Doubt`: a
question, and choices with the lines that they tell. One that is not whole is asked about in
`unclear`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress

from msgspec.structs import replace

from clue_solver import errors, notation
from clue_solver.conversation.changes import Place
from clue_solver.conversation.doubts import (
    MISSED,
    Doubt,
    DoubtChoice,
    DoubtKind,
    choices_of,
    in_full,
    plain,
)
from clue_solver.conversation.meaning import Candidate, EntryDraft, own_refusal
from clue_solver.errors import listed, named_entries
from clue_solver.game import Game
from clue_solver.notation.places import answer_of, passes
from clue_solver.notation.reading import Reading, reading_of
from clue_solver.rules import forms
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Observation
from clue_solver.rules.play import Breach, Play
from clue_solver.rules.turns import over_since


def doubts(game: Game, draft: EntryDraft) -> tuple[Doubt, ...]:
    """
    Return what to ask before a line is taken, the gravest first; nothing if all is plain.

    Raises:
        NotationError: If the viewer's own hand rules it out.
    """
    entry = Candidate(game, draft)
    if (error := own_refusal(game.record, entry.observation)) is not None:
        raise error
    found = [clash_of(entry)]
    if found == [None]:
        found = [card_of(entry), unseen_card_of(entry), no_answers_of(entry)]
    turns = doubts_of_turn(entry) if entry.observation.turn else ()
    return (*filter(None, found), *turns)


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


def clash_of(entry: Candidate) -> Doubt | None:
    """Ask about a line that contradicts the log, or the deal; or a card that the viewer holds."""
    if entry.clashes():
        log, number = entry.log(entry.observation), len(entry.before) + 1
        others: tuple[int, ...] = ()
        try:
            log.possible(log.knowledge.entries)
        except errors.Contradiction as clash:
            others = tuple(other for other in clash.entries if other != number)
        against = named_entries(others) if others else "the deal"
        question = f"This contradicts {against}: are you sure?"
        return Doubt(entry.draft, "clash", question, entries=others)
    for seat, answer, _ in entry.answers:
        if seat != entry.viewer and answer.card in entry.own:
            question = f"You hold {answer.card}: are you sure that {seat} showed it?"
            return Doubt(entry.draft, "held", question)
    return None


# Cards and answers.


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
    choices = choices_of(entry.draft, fitting)
    shown = entry.reading.unseen | ({seat} if seat else set())
    unseen = reading_of(entry.observation, entry.table, unseen=shown, unheard=True)
    missed = "shows ? (missed)" if seat else "? (missed)"
    choices.append(DoubtChoice(missed, entry.draft.retold(unseen), called=MISSED))
    return Doubt(entry.draft, kind, question, tuple(choices), incomplete=entry.observation)


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
            return doubt_of(entry, "card shown", f"Which card did you show {entry.by}?", ways, seat)
        return doubt_of(entry, "card seen", f"Which card did {seat} show you?", ways, seat)
    hidden = told.sight.hidden
    saw = viewer in [getattr(told, field) for field in told.sight.by]
    if not hidden or not saw or said.unheard or getattr(told, hidden) is not None:
        return None
    if isinstance(told.form.tail, forms.SingleAnswer):
        return None
    names = notation.lexicon_of(entry.table).of(told.form.bearers()[hidden]).names
    ways = {name: replace(told, **{hidden: name}) for name in names}
    return doubt_of(entry, "card seen", "What did you see?", ways)


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


def unseen_card_of(entry: Candidate) -> Doubt | None:
    """Ask about a card that the viewer cannot have seen."""
    for at, (seat, answer, _) in enumerate(entry.answers):
        if not answer.card or entry.viewer in (None, entry.by, seat):
            continue
        without = reading_of(with_shown(entry.observation, at, None), entry.table)
        own = tuple(by_another(entry, entry.viewer)) if entry.new and entry.reading.guessed else ()
        they_see = f"{entry.by} and {seat} see that card"
        question = f"Only {they_see} (if all do, '{seat} reveals {answer.card}'): leave it out?"
        if own:
            question = f"It is {entry.by}'s turn, and only {they_see}: was it {entry.viewer}?"
        leave_out = DoubtChoice("shows", entry.draft.retold(without), called=("leave it out",))
        stays = DoubtChoice("as it stands", entry.draft)
        return Doubt(entry.draft, "not seen", question, (*own, leave_out, stays))
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
            return doubt_of(entry, "no answers", question, ways)
        case forms.SingleAnswer(field=field, seat=seat) if getattr(told, field) == "unheard":
            if not entry.reading.unheard:
                ways = {answer: replace(told, **{field: answer}) for answer in ("shows", "passes")}
                question = f"What did {getattr(told, seat)} answer?"
                return doubt_of(entry, "no answers", question, ways)
    return None


# Turns.


def doubts_of_turn(entry: Candidate) -> Iterator[Doubt]:
    """Yield what is doubtful about whose turn it is, and about other rules of play."""
    draft, table, before = entry.draft, entry.table, entry.before
    keeps_turns = table.keeps("turns")
    if not entry.new:
        if keeps_turns and (doubt := early_end_of(entry) or displaced_turn_of(entry)):
            yield doubt
        return
    over = over_since(table, before) if keeps_turns else 0
    if over and not any(told.turn == "ends" for told in before[over:]):
        yield Doubt(draft, "turn", f"The game ended with entry {over}: are you sure?")
        return
    breach = entry.play.check(entry.observation)
    if keeps_turns and breach is not None and breach.rule in ("out", "left"):
        verb, gone = (
            ("accuses", "been out since") if breach.rule == "out" else ("leaves", "left in")
        )
        since = next(
            number
            for number, told in enumerate(before, 1)
            if told.form.verb == verb and getattr(told, "by", "") == entry.by
        )
        yield Doubt(draft, "turn", f"{entry.by} has {gone} entry {since}: are you sure?")
        return
    if (doubt := accuser_of(entry)) is not None:
        yield doubt
    if breach is None:
        return
    if breach.rule == "turn" and keeps_turns:
        yield turn_of(entry, breach)
    elif not breach.of_turns and breach.rule != "over" and table.keeps("play"):
        yield Doubt(draft, "rule", f"{_broken(entry, breach)}. Is that right anyway?")


def early_end_of(entry: Candidate) -> Doubt | None:
    """Ask about an edit that ends the game before the log does."""
    table, number = entry.table, len(entry.before) + 1
    ends = over_since(table, (*entry.before, entry.observation)) == number
    ended = over_since(table, (*entry.before, *entry.replaced))
    if ended or not ends or not any(told.turn for told in entry.after):
        return None
    question = f"This ends the game at entry {number}, and the log goes on after it: are you sure?"
    return Doubt(entry.draft, "turn", question, (DoubtChoice("as it stands", entry.draft),))


def whose_turn(draft: EntryDraft, untaken: str) -> Doubt:
    """
    Ask whether a line that leaves its player out is that seat's all the same.

    It is asked if the line before, which was not taken, may have been that turn.
    """
    seat = draft.reading.guessed if draft.reading else None
    question = f"'{errors.printable(untaken)}' was not accepted. Is it {seat}'s turn anyway?"
    return Doubt(draft, "turn", question, (DoubtChoice(f"it is {seat}'s", draft),))


def accuser_of(entry: Candidate) -> Doubt | None:
    """Ask who accuses if that is not said: who has just asked may, and who is next."""
    told, turns = entry.observation, entry.play.turns
    last = next((each for each in reversed(entry.before) if each.turn), None)
    guessed = isinstance(told, observed.Accusation) and entry.reading.guessed
    if not guessed or isinstance(last, observed.Skip):
        return None
    if turns.seat is None or turns.seat == entry.by or turns.seat in turns.gone:
        return None
    ways = []
    for seat in (turns.seat, entry.by):
        way = reading_of(replace(told, by=seat), entry.table)
        ways.append(DoubtChoice(seat, entry.draft.retold(way)))
    return Doubt(entry.draft, "lacking", "Who accuses?", tuple(ways))


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
        way = entry.draft.retold(reading_of(other, table, unheard=unheard))
        yield DoubtChoice(f"it was {seat}", way, called=(plain(f"that was {seat}"),))


_MISSED_A_TURN = ("as it stands", "i missed a turn", "missed a turn")
"""How people say that the log lacks a turn."""

_TYPED_FIRST = ("type that first", "let me type that first")
"""How people say that they tell the turn that the log lacks now."""


def turn_of(entry: Candidate, breach: Breach) -> Doubt:
    """Ask about a line of another seat than whose turn it is, as far as the log tells."""
    skipped = listed(breach.skipped)
    skips = tuple(reading_of(observed.Skip(by=seat), entry.table) for seat in breach.skipped)
    called = ("skip", "skips", "skipped", plain(f"{skipped} skipped"))
    label = f"{skipped} {'skip' if breach.skipped[1:] else 'skips'}"
    ways = (
        DoubtChoice(label, entry.draft.retold(_named(entry), skips=skips), called=called),
        *by_another(entry, breach.turn),
        *_earlier(entry),
        DoubtChoice("as it stands, I missed a turn", entry.draft, called=_MISSED_A_TURN),
        DoubtChoice(f"let me type {breach.turn}'s turn first", called=_TYPED_FIRST),
    )
    question = f"It is {breach.turn}'s turn: did {skipped} skip?"
    if entry.before[-1:] == (entry.observation,):
        ways = (DoubtChoice("leave it out", called=("that one", "the same")), *ways)
        question = f"This is the same as entry {len(entry.before)}. Is it a repeat of that entry?"
    return Doubt(entry.draft, "turn", question, ways)


def _named(entry: Candidate) -> Reading:
    """Return the line with its player named, as entries before it may change whose turn it is."""
    return replace(in_full(entry.reading), guessed=None)


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
        there = entry.draft.retold(_named(entry), Place(missing, insert=True))
        yield DoubtChoice(f"earlier, before entry {missing}", there)
    elif skip is not None and not isinstance(entry.observation, observed.Skip):
        yield _instead(entry, skip)


def _instead(entry: Candidate, skip: int) -> DoubtChoice:
    """Return the choice to put it in the place of a skip."""
    label = f"in place of entry {skip}, {entry.by} skips"
    return DoubtChoice(label, entry.draft.retold(_named(entry), Place(skip)))


def displaced_turn_of(entry: Candidate) -> Doubt | None:
    """Ask about an edit that gives a turn to a seat against the order of turns."""
    next_turn = next((told for told in entry.after if told.turn), None)
    skip, stays = observed.Skip(by=entry.by), DoubtChoice("as it stands", entry.draft)
    if not entry.replaced and next_turn == skip != entry.observation:
        number = len(entry.before) + 1 + entry.after.index(skip)
        question = f"{entry.by} skips in entry {number}: does this take its place?"
        return Doubt(entry.draft, "turn", question, (_instead(entry, number), stays))
    seat = entry.play.turns.turn(entry.table)
    if entry.replaced:
        seat = getattr(entry.replaced[0], entry.replaced[0].form.subject)
    if seat is None or (entry.replaced and seat == entry.by):
        return None
    if _odd_turns(entry, entry.observation) <= _odd_turns(entry, *entry.replaced):
        return None
    was = tuple(by_another(entry, seat)) if seat != entry.by else ()
    sure = f"was it {seat}" if was else "are you sure"
    question = f"It is {seat}'s turn here, not {entry.by}'s: {sure}?"
    if seat == entry.by:
        question = f"{seat} has the next turn in the log as well: are you sure?"
    return Doubt(entry.draft, "turn", question, (*was, stays))


def _odd_turns(entry: Candidate, *told: Observation) -> int:
    """Return how many turns go against their order from here on, with this in the line's place."""
    state, count = entry.play, 0
    for each in (*told, *entry.after):
        breach = state.check(each)
        count += breach is not None and breach.of_turns
        state = state.after(each)
    return count


# Other rules of play.


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
    "place accuses": "{by} is not in a room",
    "place stays": "{by} is not in a room",
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
