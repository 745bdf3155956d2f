"""
What to do now as a headline, and beneath it half a why and the odds, in words.

The same as a line, for lines and programs, is `reasons.decision_text`.
"""

from typing import NamedTuple

from clue_solver.answers.advice import Advice
from clue_solver.answers.decision import Decision, decide
from clue_solver.answers.display import share
from clue_solver.errors import sentences
from clue_solver.views.reasons import asking_steps, heading_steps, timed, weighed_text, when, won

_SHORTLY = {
    "most": "It tells you most",
    "own": "Your own cards in it make the answer tell more",
    "spared": "It tells you as much as any, and names fewer of your own cards",
    "later": "It leaves you more to build on",
    "likeliest": "The likeliest cards",
    "wins": "It wins most often",
}
"""Why to ask something, by the reason of the advice."""

_ODDS = {
    19 / 20: "almost certainly",
    9 / 10: "9 in 10",
    4 / 5: "4 in 5",
    3 / 4: "3 in 4",
    2 / 3: "2 in 3",
    3 / 5: "3 in 5",
    1 / 2: "1 in 2",
    2 / 5: "2 in 5",
    **{1 / number: f"1 in {number}" for number in (3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 40, 50)},
}
"""Chances that people name."""

LEAST = 1 / 60
"""What is less likely is not told: nothing is known yet."""


class Headline(NamedTuple):
    """
    What to do now.

    Attributes:
        text: That, in a short sentence.
        remark: Half a why, and the odds; empty where there is nothing to say.
    """

    text: str
    remark: str = ""


def odds(chance: float) -> str:
    """
    Return about how likely something is, in words; empty if hardly at all.

    >>> odds(0.64), odds(0.09), odds(0.004), odds(1.0)
    ('about 2 in 3', 'about 1 in 12', '', 'certainly')
    """
    if chance < LEAST:
        return ""
    if chance >= 1:
        return "certainly"
    near = min(_ODDS, key=lambda known: max(known / chance, chance / known))
    return _ODDS[near] if near == max(_ODDS) else f"about {_ODDS[near]}"


def headline(decision: Decision) -> Headline:
    """Return what to do now."""
    cards = ", ".join(decision.cards)
    now = odds(decision.probability)
    match decision.kind:
        case "over":
            found = Headline(f"The game is over: {cards}.")
        case "opened":
            request = f"Say what it held, such as “envelope has {decision.cards[0]}”."
            found = Headline("You have opened the envelope.", request)
        case "solution" if decision.certain:
            found = Headline(f"It was {cards}.", "That is certain.")
        case "solution":
            found = Headline(f"Likeliest: {cards}.", sentences(now))
            if not now:
                found = Headline("It is too early to tell.")
        case "barred":
            found = Headline(f"It was {cards}.", "That is certain; you can accuse only in a room.")
        case "accuse":
            found = _accuse(decision, cards)
        case "ask":
            found = Headline(f"{timed(decision, asking_steps(decision))}.", _why(decision))
        case "bonus":
            uses = ", or ".join(use.action for use in decision.bonus)
            found = Headline(f"Use the bonus die: {uses}.", _guess(decision))
        case "go" if decision.heading is not None:
            go = timed(decision, heading_steps(decision.heading))
            found = Headline(f"{go}.", _guess(decision))
        case _:
            found = Headline("Do not accuse yet.", _guess(decision))
    rival = decision.rival
    if rival is not None and (known := odds(rival.knows)):
        found = found._replace(remark=f"{found.remark} {rival.seat} may know: {known}.".strip())
    if decision.stage == "first":
        found = found._replace(remark=f"{found.remark} A first look.".strip())
    if decision.stage == "changed":
        found = found._replace(remark=f"Better, on a closer look. {found.remark}".strip())
    return found


def verdict(advice: Advice) -> Headline:
    """Return what to do with its odds, in words and per cent; and why, where it is not certain."""
    decision = decide(advice)
    text = headline(decision).text
    if decision.certain:
        return Headline(text, "That is certain.")
    ask, accuse = advice.ask, advice.accuse
    chance, why = _guess(decision), ""
    if decision.kind == "accuse":
        chance = f"It is right {_exactly(accuse.probability)}."
        why = weighed_text(accuse).lstrip("; ,")
    elif decision.kind == "ask" and ask is not None:
        best, why = ask.suggestion, ask.why
        then = f"your best guess is then right {_exactly(best.best_after)}"
        if best.win is not None:
            known, wins = odds(best.win), won(best.win, best.win_error)
            then = f"your chance to win is then {known or 'hardly any'} ({wins})"
            if known == "certainly":
                then = f"you then win almost certainly ({wins})"
        if best.reach < 1:
            then = f"if the dice take you there, {_exactly(best.reach)}, {then}"
        chance = sentences(then)
    elif decision.kind == "go" and decision.heading is not None:
        gain = f"asking there brings {decision.heading.gain:.2f} bits"
        none = "Nothing in reach tells more" if advice.suggestions else "No room is in reach"
        why = f"{none}; {gain}"
    return Headline(f"{text} {chance}".strip(), sentences(why))


def _exactly(chance: float) -> str:
    """Return how likely something is, in words and per cent."""
    return f"{odds(chance) or 'hardly ever'} ({share(chance)})"


def _accuse(decision: Decision, cards: str) -> Headline:
    text = f"Accuse {when(decision)}: {cards}."
    if decision.certain:
        return Headline(text, "It is certain.")
    remark = f"Right {odds(decision.probability) or 'hardly ever'}"
    if decision.wait is not None and odds(decision.wait):
        remark += f"; asking on wins {odds(decision.wait)}"
    return Headline(text, f"{remark}.")


def _why(decision: Decision) -> str:
    """Return why to ask that in half a sentence, and the odds."""
    why = sentences(_SHORTLY[decision.reason]) if decision.reason is not None else ""
    after = odds(decision.best_after)
    if after == "certainly":
        why += " Then you know it."
    elif after:
        why += f" Then your best guess is right {after}."
    return why.strip()


def _guess(decision: Decision) -> str:
    """Return how good the best guess is, where that is something."""
    now = odds(decision.probability)
    return f"Your best guess is right {now}." if now else ""
