"""Advice in words: what to do and why, what can be asked, what may be answered."""

from collections.abc import Iterator

from clue_solver.answers.advice import Advice, AnswerChance, RankedSuggestion
from clue_solver.answers.decision import decide
from clue_solver.answers.display import share, view
from clue_solver.views.document import Block, Line, Rows
from clue_solver.views.headlines import verdict
from clue_solver.views.reasons import won

_NOTABLE, _ANSWERS = 0.005, 6


@view(Advice, "document")
def advice_document(advice: Advice, *, most: int = 10, explain: bool = False) -> Iterator[Block]:
    """Yield what to do and why, then the choices; `explain`, what the chances mean."""
    told, why = verdict(advice)
    yield Line(told, "bold")
    yield Line(why)
    heads, rows = ranking(advice, most=most)
    if rows:
        yield Rows(choices_title(advice), rows, heads, (len(heads) - 1,))
        legend = "; ".join(f"{head}: {_COLUMNS[head]}" for head in heads if head in _COLUMNS)
        yield Line(legend, "dim")
    yield from advice_sections(advice)
    if explain:
        yield _PLAYED_ON


_COLUMNS = {
    "wins": "your chance to win if you ask that, where games were played on",
    "bits": "what it tells",
    "settles": "that you know all after it",
    "best after": "your best guess then",
    "reach": "how likely the dice take you there",
}

_PLAYED_ON = Rows(
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


def advice_sections(advice: Advice) -> Iterator[Rows]:
    """Yield what stands under the choices."""
    if advice.certain:
        return
    accuse = advice.accuse
    if accuse.advice == "wait":
        cards = ", ".join(accuse.cards)
        yield Rows(f"Why not accuse {cards}", (("", accuse.why),))
    if advice.now:
        bonus = ((f"{use.gain:.2f}", use.action) for use in advice.now)
        yield Rows("Now the bonus die (bits)", tuple(bonus))
    if advice.ask:
        best = advice.ask.suggestion
        steps = [(f"{use.gain:.2f}", use.action) for use in best.then]
        if steps:
            yield Rows("Then the bonus die (bits in all)", tuple(steps))
        listed = [*best.answers[:_ANSWERS]]
        listed += (answer for answer in best.answers[_ANSWERS:] if not answer.shows)
        rows = [(share(answer.probability), _answer(answer)) for answer in listed]
        others = 1.0 - sum(answer.probability for answer in listed)
        if others >= _NOTABLE:
            rows.append((share(others), "something else"))
        yield Rows(f"Possible answers to {', '.join(best.cards)}", tuple(rows))
    if advice.left_out:
        unweighed = f"{advice.left_out:,} more suggestions, with fewer open cards, were left out."
        yield Rows(unweighed, ())
    if advice.bonus and not advice.now and not (advice.ask and advice.ask.suggestion.then):
        bonus = ((f"{use.gain:.2f}", use.action) for use in advice.bonus[:6])
        yield Rows("Bonus die (bits)", tuple(bonus))
    if advice.opponents:
        close = (
            ("out" if opponent.out else share(opponent.knows), opponent.seat)
            for opponent in advice.opponents
        )
        yield Rows("Opponents who may already know the solution", tuple(close))


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
