"""Advice as a headline: what to do now, and a remark with the main reason and the odds."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from clue_solver.answers.advice import AccuseAdvice, Advice, BonusUse, RoomAdvice
from clue_solver.answers.display import chance_text, view
from clue_solver.errors import counted, listed, sentences
from clue_solver.rules.observations import Look
from clue_solver.views.sentences import a_chance, card_list, verb_form

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
"""The chances that have a name, such as 2 in 3."""

LEAST = 1 / 60
"""The least chance that is mentioned; below it next to nothing is known."""

LEAST_CHANGE = 0.03
"""How much the others' suggestions must change a chance for the change to be mentioned."""


class Headline(NamedTuple):
    """
    What to do now.

    Attributes:
        text: The instruction, in a short sentence.
        remark: The main reason and the odds; empty if there is nothing to add.
    """

    text: str
    remark: str = ""


def odds(chance: float) -> str:
    """
    Return a chance in words, rounded to a simple ratio; empty if it is close to 0.

    Even a chance of 1 is only `almost certainly`: this is for what is not proved.

    >>> odds(0.64), odds(0.09), odds(0.004), odds(1.0)
    ('about 2 in 3', 'about 1 in 12', '', 'almost certainly')
    """
    if chance < LEAST:
        return ""
    near = min(_ODDS, key=lambda known: max(known / chance, chance / known))
    return _ODDS[near] if near == max(_ODDS) else f"about {_ODDS[near]}"


def headline(advice: Advice, *, rivals: bool = True) -> Headline:
    """
    Return what to do now, as a short instruction with the main reason.

    Args:
        advice: The advice. Quick advice, which better advice will soon replace, gives no numbers.
        rivals: Whether to name the rival who may know the solution.
    """
    cards = ", ".join(advice.accuse.cards)
    now = odds(advice.accuse.probability)
    match advice.kind:
        case "over":
            return Headline(f"The game is over: {cards}.")
        case "opened":
            request = f"Log what was in it, for example “envelope has {advice.accuse.cards[0]}”."
            return Headline("You have opened the envelope.", request)
        case "solution" if advice.certain:
            return Headline(f"It was {cards}.", "That is certain.")
        case "solution":
            if not now:
                return Headline("It is too early to tell.")
            return Headline(f"Most likely: {cards}.", sentences(f"{now}{_bluff_clause(advice)}"))
        case "barred":
            return Headline(f"It was {cards}.", "That is certain; you can accuse only in a room.")
    to_do = {
        "accuse": _accuse,
        "ask": _ask,
        "use": _use,
        "go": _go,
        "wait": _wait,
    }[advice.kind](advice)
    rival = rival_text(advice) if rivals else ""
    return to_do._replace(remark=" ".join(filter(None, (to_do.remark, rival))))


def _accuse(advice: Advice) -> Headline:
    """Return the headline if the advice is to accuse."""
    accuse = advice.accuse
    steps = f"accuse: {', '.join(accuse.cards)}"
    if accuse.after:
        first = dict.fromkeys(
            "suggestion" if v == "suggests" else "bonus die" for v in accuse.after
        )
        steps = f"accuse after {listed(f'the {name}' for name in first)}: "
        steps += ", ".join(accuse.cards)
    elif not advice.later:
        steps = f"accuse now: {', '.join(accuse.cards)}"
    text = f"{instruction(advice, steps)}."
    if accuse.certain:
        return Headline(text, "That is certain.")
    better = f"Waiting wins less often{_bluff_clause(advice)}."
    return Headline(text, better if advice.quick else f"{right_text(accuse)} {better}")


def _bluff_clause(advice: Advice) -> str:
    """
    Return what to add to a sentence about chances: `, unless somebody bluffs`.

    Empty if the chances do not rely on how people usually play.
    """
    return ", unless somebody bluffs" if advice.habits else ""


def _ask(advice: Advice) -> Headline:
    """Return the headline if the advice is to make a suggestion."""
    asked = advice.ask
    assert asked is not None
    text = f"{instruction(advice, asking_steps(advice))}."
    if advice.roll and asked.look is None:
        return Headline(text, "Once you've rolled, log the roll and ask again.")
    if advice.beaten:
        return Headline(
            text, "In simulated games, it wins more often than suggesting the likeliest cards."
        )
    only = f"You can suggest only in the {advice.only}." if advice.only else ""
    why = sentences(*_likely_cards(advice, asked.cards))
    return Headline(text, " ".join(filter(None, (only, why))))


def _likely_cards(advice: Advice, asked: Sequence[str]) -> Iterator[str]:
    """Yield clauses that say which cards of a suggestion are likely in the envelope, and why."""
    edition, sheet, questions = advice.edition, advice.by_sheet, advice.by_questions
    sure, bets, hints = [], [], []
    for card in asked if questions else ():
        rivals = [
            other
            for other in questions
            if edition.category_of[other] == edition.category_of[card] and other != card
        ]
        if card in advice.in_envelope:
            sure.append(card)
        elif sheet[card] > max(sheet[other] for other in rivals) + LEAST:
            bets.append(card)
        elif questions[card] > max(
            sheet[card] + LEAST_CHANGE, *(questions[other] + LEAST for other in rivals)
        ):
            by_play, by_sheet = chance_text(questions[card]), chance_text(sheet[card])
            hints.append(f"{card_list([card], edition)} ({by_play}, not {by_sheet})")
    if sure:
        yield f"{card_list(sure, edition)} {verb_form('is', many=len(sure) > 1)} in the envelope"
    if bets:
        these = "these" if tuple(bets) == tuple(asked) else card_list(bets, edition)
        best = "is your best bet" if len(bets) == 1 else "are your best bets"
        yield f"{these} {best} for the envelope"
    if (sure or bets) and not hints:
        yield from _no_better_room(advice, [card for card in asked if card not in (*sure, *bets)])
    if hints:
        yield f"the others' play makes {listed(hints)} likelier than your sheet says"


def _no_better_room(advice: Advice, others: Sequence[str]) -> Iterator[str]:
    """
    Yield a clause if the room among `others` is about as likely in the envelope as any other room.
    """
    rooms = [room for room in advice.edition.rooms if room in advice.by_questions]
    for room in others if advice.only is None else ():
        ways = (advice.by_sheet, advice.by_questions)
        if room in rooms and all(
            way[room] + LEAST >= max(way[each] for each in rooms) for way in ways
        ):
            chance = chance_text(advice.by_sheet[room])
            yield f"{card_list([room], advice.edition)} is about as likely as any other ({chance})"


def _use(advice: Advice) -> Headline:
    """Return the headline if the advice is to use the bonus die."""
    best: dict[str, str] = {}
    for use in advice.uses:
        best.setdefault(use.use.form.verb, bonus_text(use))
    return Headline(f"Use the bonus die: {', or '.join(best.values())}.")


def bonus_text(use: BonusUse) -> str:
    """Return an instruction for the bonus die, such as `look at one of Ben's cards`."""
    verb = use.use.form.verb
    if isinstance(use.use, Look):
        return f"look at one of {use.use.holder}'s cards"
    _, _, what = use.action.partition(f" {verb}")
    return f"{verb.removesuffix('s')}{what}"


def _go(advice: Advice) -> Headline:
    """Return the headline if the advice is to head for a room."""
    assert advice.heading is not None
    why = "You can suggest only in a room; this one is the most promising for its distance."
    if advice.askable:
        why = "No suggestion within reach tells you more."
    steps = heading_steps(advice.heading)
    text = f"Next turn, {steps}." if advice.later else f"{steps[0].upper()}{steps[1:]}."
    return Headline(text, why)


def _wait(advice: Advice) -> Headline:
    """Return the headline if the advice is not to accuse yet."""
    accuse = advice.accuse
    if advice.quick or accuse.win_wait is None:
        return Headline("Don't accuse yet.")
    best = f"Your best accusation ({', '.join(accuse.cards)})"
    return Headline("Don't accuse yet.", f"{right_text(accuse, best)} {waiting_reason(advice)}")


def right_text(accuse: AccuseAdvice, what: str = "It") -> str:
    """
    Return a sentence on how likely the best accusation is right.

    If the way in which the others have played changes this chance, a second sentence says why it
    differs from the sheet.

    Args:
        accuse: The best accusation.
        what: The subject of the sentence.
    """
    right = accuse.probability if accuse.win_now is None else accuse.win_now
    if abs(right - accuse.probability) <= LEAST_CHANGE:
        return f"{what} has {a_chance(right)} of being right."
    return (
        f"{what} has {a_chance(right)} of being right. Your sheet says "
        f"{chance_text(accuse.probability)}, but doesn't count how the others have played."
    )


def waiting_reason(advice: Advice) -> str:
    """Return why not to accuse yet."""
    accuse = advice.accuse
    if (accuse.win_now or 0.0) <= (accuse.win_wait or 0.0):
        return "You'd win more often by waiting."
    if advice.kind == "ask":
        return "Suggest first: you can still accuse in the same turn."
    if not accuse.better(accuse.win_now or 0.0):
        return "In simulated games, waiting won just as often, with fewer wrong accusations."
    return "You can accuse only in a room."


def rival_text(advice: Advice) -> str:
    """Return which rival may know the solution; empty unless a rival is ahead of the viewer."""
    rival = advice.rival
    least = 0.0 if advice.kind == "accuse" else advice.accuse.probability
    if rival is None or advice.certain or rival.knows <= least or not odds(rival.knows):
        return ""
    if rival.knows >= _SURE:
        return f"{rival.seat} almost certainly knows the solution."
    return f"{rival.seat} may know the solution: {odds(rival.knows)}."


_SURE = 0.925
"""The chance from which a rival is said to know the solution almost certainly."""


def asking_steps(advice: Advice) -> str:
    """Return what to suggest, with what to do before it, as an instruction."""
    asked = advice.ask
    assert asked is not None
    steps = f"suggest {', '.join(asked.cards)}"
    if asked.look is not None and advice.roll:
        return f"roll, go to the {asked.look} if you can, look at its card, then {steps}"
    if asked.look is not None:
        return f"go to the {asked.look}, look at its card, then {steps}"
    if advice.stay:
        return f"roll, but stay and {steps}" if advice.roll else f"stay and {steps}"
    return f"roll, then {steps} if you can" if advice.roll else steps


def heading_steps(heading: RoomAdvice) -> str:
    """Return which room to head for, and how far it is."""
    way = " through the passage" if heading.steps == 0 else ""
    if heading.steps:
        way = f" ({counted(heading.steps, 'step')})"
    return f"head for the {heading.room}{way}{' and look at its card' if heading.look else ''}"


def instruction(advice: Advice, steps: str) -> str:
    """
    Return steps as the beginning of a sentence, such as `Roll, then suggest Plum, Rope, Hall`.

    If it is not the viewer's turn, it says `When it is your turn` before them.

    Args:
        advice: The advice.
        steps: The steps, in lower case and without a full stop.
    """
    return f"When it is your turn, {steps}" if advice.later else f"{steps[0].upper()}{steps[1:]}"


@view(Advice, "sentence")
def advice_sentence(advice: Advice) -> str:
    """Return what to do, the main reason and the odds, as one line."""
    return " ".join(filter(None, headline(advice)))
