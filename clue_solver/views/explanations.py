"""
Reasons, checks, advice and reviews as text, for a terminal.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from clue_solver.answers.advice import Advice, AnswerChance, RankedSuggestion
from clue_solver.answers.corrections import Check, Correction
from clue_solver.answers.decision import decide
from clue_solver.answers.display import figure, percent, share, view
from clue_solver.answers.reasons import Reason, ReasonStep
from clue_solver.answers.review import (
    LABELS,
    Review,
    SeatReview,
    SuggestionReview,
    end_of_game,
)
from clue_solver.answers.season import Season
from clue_solver.answers.turns import OddTurn, OddTurnKind
from clue_solver.errors import Contradiction, counted, listed, named_entries
from clue_solver.notation.names import joined
from clue_solver.rules.table import ENVELOPE
from clue_solver.views.headlines import verdict
from clue_solver.views.reasons import holder_text, step_text, won
from clue_solver.views.text import HABITS, Section, columns, drawn, onlooker, page, quoted
from clue_solver.views.verdicts import judged_text, since_when, won_text

_MOST_CORRECTIONS, _MOST_ALIKE, _NOTABLE, _ANSWERS = 8, 4, 0.005, 6


@page(Reason)
def reason_text(reason: Reason) -> RenderableType:
    """Return why a card is where it is: the entries, and the argument step by step."""
    first, *more = reason_headline(reason)
    return Group(Text(first, "bold"), *map(Text, more), *drawn(reason_sections(reason)))


@page(Check)
def check_text(check: Check) -> RenderableType:
    """Return whether the log is consistent for a viewer, or why not, and suggested corrections."""
    if check.conflict is None:
        return Text("\n".join(check_headlines(check)))
    _, *parts = drawn(check_sections(check))
    return Group(*parts)


@view(Reason, "line")
def reason_line(reason: Reason) -> str:
    """Return where a card is or may be, and the entries behind it, as one line."""
    head = " ".join(reason_headline(reason))
    return f"{head}; {named_entries(reason.entries)}" if reason.entries else head


@view(Check, "line")
def check_line(check: Check) -> str:
    """Return whether the log is consistent, for whom, and how many corrections, as one line."""
    if check.conflict is None:
        return f"the log is consistent; {check.viewer}"
    corrections = f"corrections: {len(check.corrections)}"
    return f"{Contradiction(check.conflict)}; {check.viewer}; {corrections}"


def reason_headline(reason: Reason) -> tuple[str, ...]:
    """Return where a card is or may be, and where no entry says so, what does."""
    if reason.verdict == "open":
        where = "in the envelope" if reason.holder == ENVELOPE else f"with {reason.holder}"
        head = f"{reason.card} may be {where}: {percent(reason.probability)} %."
        if any(abs(influence.change) >= _NOTABLE for influence in reason.moved):
            return (head,)
        return head, "No entry changed this chance by half a percentage point or more."
    if reason.entries:
        return (_fact(reason),)
    supposed = any(step.rule == "told" for step in reason.steps)
    basis = "It follows from what is supposed." if supposed else "It is so in every deal."
    return _fact(reason), basis


def reason_sections(reason: Reason) -> Iterator[Section]:
    """Yield the entries that force a fact and the argument, or those that moved an open one."""
    if reason.verdict == "open":
        yield from _undecided(reason)
        return
    if reason.entries:
        lines = tuple(quoted(reason.lines, reason.entries))
        yield Section(f"{_set(reason.minimum)} that forces it", lines)
    yield Section("The argument", tuple(_argument(reason.steps)))


def check_headlines(check: Check) -> Iterator[str]:
    """Yield that a viewer's log is consistent, and what is odd about its turns."""
    yield f"The log is consistent, as {onlooker(check.viewer)} saw it."
    yield from turn_texts(check.turns)


def turn_texts(turns: Sequence[OddTurn] | None) -> Iterator[str]:
    """
    Yield what is odd about the turns of a log, a sentence each; `None` where they are not judged.

    >>> odd = OddTurn(7, "again", "Ben", "Cat"), OddTurn(9, "left out", "Dan", "Cat")
    >>> print(*turn_texts(odd))
    Entry 7: Ben takes two turns in a row. Entry 9: it was Cat's turn, not Dan's.
    """
    if turns is None:
        yield "Turns are not judged: many are missing from these notes."
        return
    for turn in turns:
        yield f"Entry {turn.entry}: {_ODD_TURNS[turn.kind].format(turn.seat, turn.expected)}."


_ODD_TURNS: Mapping[OddTurnKind, str] = {
    "again": "{0} takes two turns in a row",
    "left out": "it was {1}'s turn, not {0}'s",
    "out": "{0} takes a turn, but is out of the game",
}


def check_sections(check: Check) -> Iterator[Section]:
    """Yield which entries contradict each other, why, odd turns, and suggested corrections."""
    if check.conflict:
        title = f"{_set(check.minimum)} that cannot all be true"
        yield Section(title, tuple(quoted(check.lines, check.conflict)))
    yield Section("The argument", tuple(_argument(check.steps)))
    odd = tuple(("", text) for text in turn_texts(check.turns))
    if odd:
        yield Section("The order of turns", odd)
    if not check.corrections:
        yield Section("No correction of one or two entries makes the log consistent.", ())
        return
    best = _diverse(check.corrections)
    rows = [row for correction in best for row in _correction(correction)]
    if len(check.corrections) > len(best):
        rows.append(("", f"and {len(check.corrections) - len(best)} more"))
    order = "likeliest first" if best[0].weighed else "commonest slips first, as too many deals fit"
    yield Section(f"Suggested corrections, {order}", tuple(rows))


def _set(minimum: bool) -> str:
    return "A smallest set of entries" if minimum else "A set of entries, perhaps not the smallest,"


def _fact(reason: Reason) -> str:
    if reason.holder == ENVELOPE:
        verb = "holds" if reason.verdict == "holds" else "does not hold"
        return f"The envelope {verb} {reason.card}."
    verb = "has" if reason.verdict == "holds" else "cannot have"
    return f"{reason.holder} {verb} {reason.card}."


def _undecided(reason: Reason) -> Iterator[Section]:
    for how, sign in (("likelier", 1), ("less likely", -1)):
        title = f"Entries that made it {how}"
        rows = []
        for influence in reason.moved:
            if sign * influence.change >= _NOTABLE:
                ((label, line),) = quoted(reason.lines, [influence.entry])
                rows.append((label, f"{_rise(influence.before, influence.after)}  {line}"))
        if rows:
            yield Section(title, tuple(rows))
    if reason.by_rules is not None and abs(reason.probability - reason.by_rules) >= _NOTABLE:
        rise = _rise(reason.by_rules, reason.probability)
        yield Section("What people usually do", (("", f"{rise}  {HABITS}"),))


def _rise(before: float, after: float) -> str:
    """Return from which chance to which, in percent."""
    return f"{figure(before)} -> {share(after)}"


def _argument(steps: Sequence[ReasonStep]) -> Iterator[tuple[str, str]]:
    """Yield the steps with their numbers; neighbours of one kind as one line."""
    numbered = list(enumerate(steps, 1))
    for _, run in groupby(numbered, lambda pair: _alike(*pair)):
        group = list(run)
        first, step = group[0]
        label = _span(first, group[-1][0])
        facts = [step.fact for _, step in group if step.fact]
        uses = f"  [{_spans(step.uses)}]" if step.uses else ""
        if len(facts) < 2:
            yield label, step_text(step) + uses
            continue
        who = listed(dict.fromkeys(holder_text(fact.holder) for fact in facts))
        many = len({fact.holder for fact in facts}) > 1
        has = facts[0].verdict == "holds"
        verb = "have" if many or not has else "has"
        lead = who if has else f"{who} {'do' if many else 'does'} not"
        cards = listed(dict.fromkeys(fact.card for fact in facts), "and" if has else "or")
        yield label, f"{lead} {verb} {cards}: {step_text(step, claim=False)}{uses}"


def _alike(number: int, step: ReasonStep) -> object:
    """Return what neighbours must share to be told in one line."""
    if step.fact is None or step.rule == "cases":
        return number
    return step.fact.verdict, step.rule, step.entries, step.uses, step_text(step, claim=False)


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def _spans(numbers: Sequence[int]) -> str:
    """
    Return ascending numbers with runs of them joined.

    >>> _spans((1, 2, 3, 6, 8, 9))
    '1-3, 6, 8-9'
    """
    runs = groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])
    spans = [[number for _, number in run] for _, run in runs]
    return ", ".join(_span(run[0], run[-1]) for run in spans)


def _diverse(corrections: Sequence[Correction]) -> list[Correction]:
    """Return the likeliest corrections, a few for each set of entries that they change."""
    alike = Counter[tuple[int | None, ...]]()
    chosen = []
    for correction in corrections:
        places = tuple(change.entry for change in correction.changes)
        alike[places] += 1
        if alike[places] <= _MOST_ALIKE:
            chosen.append(correction)
    return chosen[:_MOST_CORRECTIONS]


def _correction(correction: Correction) -> Iterator[tuple[str, str]]:
    label = "100 %" if correction.probability == 1 else f"{percent(correction.probability)} %"
    for change in correction.changes:
        where = "header" if change.entry is None else f"entry {change.entry}"
        if not change.before:
            yield label, f"before {where}: {change.after}"
            label = "and"
            continue
        yield label, f"{where}: {change.before}"
        yield "", f"{'':{len(where) - 3}}  -> {change.after}"
        label = "and"


@page(Advice)
def advice_text(advice: Advice, *, most: int = 10, explain: bool = False) -> RenderableType:
    """Return what to do and why, then the choices; `explain`, what the chances mean."""
    told, why = verdict(advice)
    parts: list[RenderableType] = [Text(told, "bold"), Text(why)]
    heads, rows = ranking(advice, most=most)
    if rows:
        table = columns(heads, rows, words={"suggestion": None})
        legend = "; ".join(f"{head}: {_COLUMNS[head]}" for head in heads if head in _COLUMNS)
        parts += [Text(), Text(choices_title(advice), "bold"), table, Text(legend, "dim")]
    parts += drawn(advice_sections(advice))
    return Group(*parts, *(drawn([_PLAYED_ON]) if explain else ()))


_COLUMNS = {
    "wins": "your chance to win if you ask that, where games were played on",
    "bits": "what it tells",
    "settles": "that you know all after it",
    "best after": "your best guess then",
    "reach": "how likely the dice take you there",
}

_PLAYED_ON = Section(
    "What the chances to win mean",
    (
        (
            "accuse now",
            "the chance that it is right; where others may name own cards on purpose, the smaller "
            "one: with what they ask for taken as a hint, or without",
        ),
        (
            "ask on",
            "ask the advised question first, if the dice let you, then in each of your turns ask "
            "for the likeliest cards, in a room that you can reach",
        ),
        ("ask first", "ask that question now, as if you were in its room, then go on as above"),
    ),
)


@view(Advice, "line")
def advice_line(advice: Advice) -> str:
    """Return whose advice it is, and what to do, as one line."""
    return f"{advice.viewer}: {verdict(advice).text}"


def advice_sections(advice: Advice) -> Iterator[Section]:
    """Yield what stands under the choices."""
    if advice.certain:
        return
    accuse = advice.accuse
    if accuse.advice == "wait":
        cards = ", ".join(accuse.cards)
        yield Section(f"Why not accuse {cards}", (("", accuse.why),))
    if advice.now:
        bonus = ((f"{use.gain:.2f}", use.action) for use in advice.now)
        yield Section("Now the bonus die (bits)", tuple(bonus))
    if advice.ask:
        best = advice.ask.suggestion
        steps = [(f"{use.gain:.2f}", use.action) for use in best.then]
        if steps:
            yield Section("Then the bonus die (bits in all)", tuple(steps))
        listed = [*best.answers[:_ANSWERS]]
        listed += (answer for answer in best.answers[_ANSWERS:] if not answer.shows)
        rows = [(share(answer.probability), _answer(answer)) for answer in listed]
        others = 1.0 - sum(answer.probability for answer in listed)
        if others >= _NOTABLE:
            rows.append((share(others), "something else"))
        yield Section(f"Possible answers to {', '.join(best.cards)}", tuple(rows))
    if advice.left_out:
        unweighed = f"{advice.left_out:,} more suggestions, with fewer open cards, were left out."
        yield Section(unweighed, ())
    if advice.bonus and not advice.now and not (advice.ask and advice.ask.suggestion.then):
        bonus = ((f"{use.gain:.2f}", use.action) for use in advice.bonus[:6])
        yield Section("Bonus die (bits)", tuple(bonus))
    if advice.opponents:
        close = (
            ("out" if opponent.out else share(opponent.knows), opponent.seat)
            for opponent in advice.opponents
        )
        yield Section("Opponents who may already know the solution", tuple(close))


def choices_title(advice: Advice) -> str:
    """Return what stands over the suggestions."""
    return "If you ask instead" if decide(advice).kind == "accuse" else "What to ask"


def ranking(advice: Advice, *, most: int = 10) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """
    Return what can be asked as a table: its headings, and a row for each, the verdict's first.

    There is no row where nothing is left to ask.
    """
    choices = () if advice.certain else advice.choices
    played = any(suggestion.win is not None for suggestion in choices)
    board = any(suggestion.reach < 1 for suggestion in choices)
    heads = ("bits", "settles", "best after")
    heads = (*(("wins",) if played else ()), *heads, *(("reach",) if board else ()), "suggestion")
    return heads, [
        tuple(_cells(suggestion, played=played, board=board)) for suggestion in choices[:most]
    ]


def _cells(suggestion: RankedSuggestion, *, played: bool, board: bool) -> Iterator[str]:
    if played:
        yield "" if suggestion.win is None else won(suggestion.win, suggestion.win_error)
    yield f"{suggestion.gain:.2f}" + ("" if not suggestion.error else f" ±{suggestion.error:.2f}")
    yield share(suggestion.settles)
    yield share(suggestion.best_after)
    if board:
        yield share(suggestion.reach)
    yield ", ".join(suggestion.cards)


def _answer(answer: AnswerChance) -> str:
    if not answer.shows:
        return "nobody shows"
    return ", ".join(f"{seat} shows {card}" for seat, card in answer.shows)


GLOSSARY = (
    ("chance", "how likely a player's own notes made the true solution, by all deals that fit"),
    ("left", "about how many solutions were still open; a bit halves them"),
    (
        "accuracy",
        "a suggestion's gain, the bits it should bring, as a share of the best; ± the error",
    ),
    ("luck", "bits that answers brought beyond the gain; from 1 bit on an answer is (un)lucky"),
)
"""The words of a review."""

LABELLED = (
    "best, good, inaccuracy, mistake: up to {}, {}, {} and {} bits less than the best; "
    "blunder: more"
)
"""What the labels of suggestions mean."""


def review_glossary() -> tuple[tuple[str, str], ...]:
    """Return the words of a review with what they mean, five lines."""
    marks = LABELLED.format(*(f"{most:g}" for most in LABELS.values()))
    return (*GLOSSARY, ("label", marks))


@page(Review)
def review_text(review: Review) -> RenderableType:
    """Return the whole review."""
    parts: list[RenderableType] = [
        Text(review_headline(review), "bold"),
        Text(review.story),
        Text(),
        Text("The players", "bold"),
        columns(*review_players(review), words={"player": None}),
    ]
    if partly := review_partly(review):
        parts.append(Text(partly, "dim"))
    parts += drawn(review_sections(review))
    if review.suggestions:
        best = "best: the most that a suggestion in reach could gain, by the same notes"
        parts += [Text(), Text("The suggestions (expected bits)", "bold")]
        parts += [*_suggestion_lines(review), Text(best, "dim")]
    return Group(*parts, *drawn((Section("What the words mean", review_glossary()),)))


def _suggestion_lines(review: Review) -> Iterator[RenderableType]:
    """Yield the suggestions, each a row of short cells over what was said, which is never cut."""
    heads, rows = review_suggestions(review)
    asked, answer, better = (heads.index(head) for head in ("asked", "answer", "better"))
    short = [place for place in range(len(heads)) if place not in (asked, answer, better)]
    words = [heads.index(head) for head in ("player", "label")]
    widths = {place: max(cell_len(row[place]) for row in (heads, *rows)) for place in short}
    for row in (heads, *rows):
        cells = (
            row[place].ljust(widths[place]) if place in words else row[place].rjust(widths[place])
            for place in short
        )
        yield Text("  ".join(cells), "dim" if row is heads else "")
        if row is not heads:
            said = f"{row[asked]}: {row[answer]}"
            yield Padding(Text(said), (0, 0, 0, widths[0] + 2))
            if row[better]:
                yield Padding(Text(f"better: {row[better]}"), (0, 0, 0, widths[0] + 2))


@view(Review, "line")
def review_line(review: Review) -> str:
    """Return which game it was, and how it ended, as one line."""
    return f"{review_headline(review)}; {review_summary(review)}"


def review_headline(review: Review) -> str:
    """Return which game it was and what the envelope held."""
    return f"{review.table.edition.title}: {', '.join(review.solution)}"


def review_sections(review: Review) -> Iterator[Section]:
    """Yield what stands beside the tables: turning points, accusations, missed deductions."""
    if review.turning:
        turning = ((str(point.entry), point.text) for point in review.turning)
        yield Section("Turning points", tuple(turning))
    if review.accusations:
        judged = (
            f"{accusation.seat}: {', '.join(accusation.cards)}. {judged_text(accusation)}"
            for accusation in review.accusations
        )
        entries = (str(accusation.entry) for accusation in review.accusations)
        yield Section("Accusations", tuple(zip(entries, judged, strict=True)))
    if review.missed_wins:
        missed = (
            (str(win.entry), f"{win.seat} could prove the solution and did not accuse")
            for win in review.missed_wins
        )
        yield Section("Missed wins", tuple(missed))
    if review.unused:
        unused = (
            (
                str(deduction.entry),
                f"{deduction.seat} {deduction.what} ({since_when(deduction.since)})",
            )
            for deduction in review.unused
        )
        yield Section("Missed deductions", tuple(unused))
    if review.left_out:
        yield Section("Left out", tuple(("", line) for line in review.left_out))


def review_players(review: Review) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the players as a table: its headings, and a row of cells for each."""
    heads = ("player", "proved", "at 50 %", "chance", "left", "accuracy", "luck")
    end = end_of_game(review.accusations, review.entries)
    return heads, [tuple(_player(seat, end)) for seat in review.seats]


def review_partly(review: Review) -> str:
    """Return what cannot be judged, as a sentence; empty where the record holds what all saw."""
    seats = [seat.seat for seat in review.seats if not seat.whole]
    if not seats:
        return ""
    held = f"The record does not hold all that {joined(seats, 'and')} saw"
    return f"{held}: what does not follow from the rest is not judged."


def review_suggestions(review: Review) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the suggestions as a table: its headings, and a row of cells for each."""
    heads = ("entry", "player", "asked", "label", "answer", "gain", "best", "luck", "better")
    rows = [tuple(_suggestion(suggestion, review.lines)) for suggestion in review.suggestions]
    return heads, rows


def review_summary(review: Review) -> str:
    """Return a game of a batch in a line: how it ended, who could prove it, how well they asked."""
    won = next((accusation for accusation in review.accusations if accusation.right), None)
    parts = [won_text(won) if won else "nobody won"]
    end = end_of_game(review.accusations, review.entries)
    sure = [seat for seat in review.seats if seat.proved is not None and seat.proved < end]
    if sure:
        first = min(sure, key=lambda seat: seat.proved or 0)
        if won is None or first.seat != won.seat:
            parts.append(f"{first.seat} could prove it {since_when(first.proved or 0)}")
    if review.suggestions:
        asked = [suggestion.accuracy for suggestion in review.suggestions]
        parts.append(f"accuracy {share(sum(asked) / len(asked))}")
    return ", ".join(parts)


def _player(seat: SeatReview, end: int) -> Iterator[str]:
    yield seat.seat
    for entry in (seat.proved, seat.even):
        yield "never" if entry is None else f"entry {entry}" if entry < end else "at the end"
    last = seat.timeline[end - 1]
    yield share(last.true_chance)
    yield f"{2**last.bits:,.0f}"
    yield "" if seat.accuracy is None else _accuracy(seat)
    yield "" if seat.luck_range is None or seat.luck is None else f"{seat.luck:+.2f}"


def _accuracy(seat: SeatReview) -> str:
    """Return how accurately a player asked, with its error."""
    points = 100 * seat.accuracy_error
    return share(seat.accuracy or 0.0) + (f" ±{points:.0f}" if points >= 0.5 else "")


def _suggestion(suggestion: SuggestionReview, lines: Sequence[str]) -> Iterator[str]:
    yield str(suggestion.entry)
    yield suggestion.seat
    yield ", ".join(suggestion.cards)
    yield ", ".join(filter(None, (suggestion.label, suggestion.fortune)))
    yield lines[suggestion.entry - 1].partition(": ")[2]
    yield f"{suggestion.gain:.2f}"
    yield f"{suggestion.best_gain:.2f}"
    yield "" if suggestion.luck is None else f"{suggestion.luck:+.2f}"
    yield "" if suggestion.label == "best" else ", ".join(suggestion.best)


@page(Season)
def season_text(season: Season) -> RenderableType:
    """Return a season: its players, and how to read the columns."""
    return Group(
        Text(season_headline(season), "bold"),
        columns(*season_players(season), words={"player": 14}),
        *(Text(line, "dim") for line in SEASON_LEGEND),
    )


@view(Season, "line")
def season_headline(season: Season) -> str:
    """Return how many games and players it is about."""
    return f"{counted(season.games, 'game')} of {counted(len(season.players), 'player')}"


SEASON_LEGEND = (
    "mistakes: suggestions far below the best, rash or late accusations; missed: wins not taken",
    "certain: own turns until the solution was provable, in games in which it was",
    "accuracy: what the suggestions could bring, of what the best could have brought",
    "luck: bits that the answers brought beyond those to be expected, a game",
)
"""What the columns of a season mean."""


def season_players(season: Season) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the players of a season as a table: its headings, and a row for each."""
    heads = ("player", "won", "accuracy", "luck", "mistakes", "missed", "certain", "rating")

    return heads, [
        (
            player.seat,
            f"{player.wins} of {player.games}",
            "" if player.accuracy is None else share(player.accuracy),
            "" if player.luck is None else f"{player.luck:+.2f}",
            str(player.mistakes),
            str(player.missed_wins),
            "" if player.turns is None else f"{player.turns:.1f}",
            f"{player.rating:.0f}",
        )
        for player in season.players
    ]
