"""
Why, in sentences: the steps of an argument, the suggestion to make, whether to accuse.
"""

from clue_solver.answers.advice import AccuseAdvice, AskAdvice, RoomAdvice, WinChances
from clue_solver.answers.decision import Decision
from clue_solver.answers.display import percent, share, view
from clue_solver.answers.reasons import ReasonStep
from clue_solver.answers.report import Fact
from clue_solver.errors import counted, listed, named_entries
from clue_solver.rules import observations as observed
from clue_solver.rules.table import ENVELOPE

_BECAUSE = {
    "placed": "{who} has it",
    "only place": "nowhere else is left",
    "full": "the hand is full with {cards}",
    "full of none": "the hand holds no card",
    "needed": "only {cards} are left for the hand, and it needs them all",
    "category taken": "the envelope holds {cards}, and only one of each kind",
    "last of category": "of {cards} it is the only one left",
    "only of category": "it is the only one of its kind in play",
    "either-or": "{place} has at least one of {any_card}{entries}, and none of the others",
    "not all": "{place} does not have all of {cards}{entries}, but has the others",
    "full of either-ors": "the hand is full with what must be among {cards}{entries}",
    "shared": "{who} need one each of {cards}{entries}",
    "hands full": "{cards} fill the hands of {who}",
    "hands needed": "{who} need all of {cards}",
    "cases": "every case ends in what cannot be: {cases}{entries}",
    "counted": "it is so however the cards are dealt{entries}; there are too many cases to list",
    "supposed": "supposed",
    "clash": "{who} would both have and lack {cards}",
}
"""What each rule says of a fact."""

_CANNOT_BE = {
    "only place": "{cards} has no place left",
    "full": "{place} holds {size} and cannot have {cards}",
    "needed": "too few cards are left for {place}'s hand",
    "last of category": "none of {cards} is left",
    "either-or": "{place} has at least one of {any_card}{entries}, but can have none",
    "not all": "{place} does not have all of {cards}{entries}, yet has them",
    "full of either-ors": "{place} has no place left for all that must be among {cards}{entries}",
    "hands full": "{cards} are too many for {who}",
    "hands needed": "{cards} are too few for {who}",
    "counted": "the cards cannot be dealt so{entries}; there are too many cases to list",
}
"""What a rule says, where that is something else, of what cannot be."""


def holder_text(holder: str) -> str:
    """Return what a sentence calls a holder."""
    return "the envelope" if holder == ENVELOPE else holder


@view(ReasonStep, "sentence")
def step_text(step: ReasonStep, *, claim: bool = True) -> str:
    """Return a step of an argument: what it shows, if wanted, and why."""
    shown = _claim(step.fact) if step.fact else "that cannot be"
    return f"{shown}: {_why(step)}" if claim else _why(step)


def _claim(fact: Fact) -> str:
    verb = ("hold", "holds") if fact.holder == ENVELOPE else ("have", "has")
    does = verb[1] if fact.verdict == "holds" else f"does not {verb[0]}"
    return f"{holder_text(fact.holder)} {does} {fact.card}"


def _why(step: ReasonStep) -> str:
    """Return why a step is so, in the words of its rule."""
    entries = f" ({named_entries(step.entries)})" if step.entries else ""
    if step.rule == "told":
        return _told(step) + entries
    if step.rule == "cases" and len(step.cases) == 1:
        return f"suppose not; {_case(step.cases[0])}{entries}"
    rule: str = step.rule
    if rule == "full" and step.fact and not step.cards:
        rule = "full of none"
    elif rule == "last of category" and step.fact and len(step.cards) == 1:
        rule = "only of category"
    words = _BECAUSE[rule] if step.fact else _CANNOT_BE.get(rule, _BECAUSE[rule])
    who = listed(map(holder_text, step.holders))
    return words.format(
        who=who,
        place=holder_text(step.fact.holder) if step.fact else who,
        cards=listed(step.cards),
        any_card=listed(step.cards, "or"),
        size=counted(step.size, "card"),
        cases="; or ".join(f"suppose {_case(case)}" for case in step.cases),
        entries=entries,
    )


def _case(case: tuple[ReasonStep, ...]) -> str:
    """Return what follows in a case, down to what cannot be."""
    words = []
    for step in case:
        if step.fact is None:
            words.append(f"which cannot be: {_why(step)}")
        elif step.rule == "supposed":
            words.append(_claim(step.fact))
        else:
            words.append(f"then {step_text(step)}")
    return "; ".join(words)


def _told(step: ReasonStep) -> str:
    """Return what the entry says about the fact."""
    fact = step.fact
    match step.told:
        case None:
            return "it is supposed"
        case observed.Hand():
            return "the whole hand is known"
        case (
            observed.Suggestion(by=by, cards=asked)
            | observed.Finger(by=by, cards=asked)
            | observed.Question(by=by, about=asked)
        ) if fact is not None:
            return f"shown to {by}" if fact.verdict == "holds" else f"passed on {listed(asked)}"
        case observed.Look(by=by):
            return f"{by} saw it there"
        case observed.Reveal():
            return "revealed"
        case observed.Nobody():
            return "nobody revealed it"
        case observed.Accusation(right=True) if fact is None:
            return "the accusation was right, yet a card of it lies face-up"
        case observed.Suggestion() | observed.Finger() | observed.Question() if fact is None:
            return "a card was shown, yet all that were asked for lie face-up"
        case observed.Accusation(right=True):
            return "the accusation was right"
        case observed.Accusation():
            return "the accusation was wrong"
        case observed.Peek() if fact is None:
            return "the notch shows one card, and that has one colour"
        case observed.Peek(feature=feature):
            return f"no other card shows {feature} in the notch"
        case _:
            return "it is known"


@view(AskAdvice, "sentence")
def ask_text(advice: AskAdvice) -> str:
    """Return why a suggestion is the one to make."""
    chosen = advice.suggestion
    other = advice.other or chosen
    likely = zip(chosen.cards, advice.chances, strict=bool(advice.chances))
    named = ", ".join(f"{card} {share(chance)}" for card, chance in likely)
    match advice.reason:
        case "most":
            return "no question gains more information"
        case "own":
            return f"naming {_cards(chosen.own)} of your own gains more than twice as much"
        case "spared":
            return "no other gains more, and it names fewer of your own cards"
        case "later":
            return (
                f"{', '.join(other.cards)} gains {other.gain:.2f} bits at once, this "
                f"{chosen.gain:.2f}, but naming {_cards(other.own)} of your own leaves less to "
                "build on"
            )
        case "likeliest":
            return f"the likeliest cards in the envelope: {named}"
        case "wins":
            if advice.other is None:
                return f"these are the likeliest cards ({named}), and no question clearly wins more"
            return (
                f"asking for the likeliest cards, {', '.join(other.cards)}, wins only "
                f"{share(other.win or 0.0)}; this tells {chosen.gain:.2f} bits ({named} in the "
                "envelope)"
            )


def _cards(number: int) -> str:
    return "a card" if number == 1 else f"{number} cards"


def won(win: float | None, error: float | None) -> str:
    """Return a chance to win with its error."""
    return f"{share(win or 0.0)} ± {max(round(100 * (error or 0.0)), 1)}"


_BARRED = "you can accuse only in a room"
_FIRST = {"suggestion": "your suggestion", "bonus die": "the bonus die"}


@view(AccuseAdvice, "sentence")
def accuse_text(advice: AccuseAdvice) -> str:
    """Return why to accuse, or why not yet."""
    weighed = advice.weighed
    barred = f", but {_BARRED}" if advice.barred else ""
    if advice.reason == "certain":
        after = f": accuse {_after(weighed.after)}" if weighed.after and not barred else ""
        return f"it is certain{after}{barred}"
    right = "is" if advice.advice == "accuse" else "would be"
    return f"it {right} right {share(weighed.now)}{weighed_text(advice)}{barred}"


def weighed_text(advice: AccuseAdvice) -> str:
    """Return what is weighed against the chance of an accusation, to go on with after it."""
    weighed, win, text = advice.weighed, advice.weighed.win, ""
    if advice.reason == "first":
        text = f", but {share(weighed.first or 0.0)} after what you can still do in your turn"
    if advice.reason == "risk":
        return (
            f"; another player knows it already with {share(weighed.risk)}, so that waiting wins "
            f"{share(1.0 - weighed.risk)} at most"
        )
    if win is None:
        return text
    text += _chances(win, weighed.now)
    if advice.advice == "accuse" and win.later is not None and win.equal:
        return (
            f"{text}. Asking first wins as much and tells the others more; waiting for the next "
            f"turn wins {share(win.later)}"
        )
    if advice.advice == "wait" and advice.reason == "played" and win.now > win.wait:
        text += "" if advice.barred else ". That is too close: you cannot take an accusation back"
    return text


def _after(actions: tuple[str, ...]) -> str:
    return f"after {listed(_FIRST[action] for action in actions)}"


def when(decision: Decision) -> str:
    """Return when to accuse, by whose turn it is and what comes before it in the turn."""
    after = _after(decision.after) if decision.after else ""
    if decision.later:
        return f"on your turn{', ' if after else ''}{after}"
    return after or "now"


def _chances(win: WinChances, right: float) -> str:
    """Return the chances to win by accusing now, which may be as likely right, and by asking on."""
    text, now = "", f"; accusing now wins {share(win.now)}"
    if win.read is not None and share(win.read) != share(win.trusted):
        text = f"; now only {share(win.now)} if others name own cards on purpose"
    elif share(win.trusted) != share(win.now):
        against = "against" if win.now < win.trusted else "for"
        text = f"{now}, since it speaks {against} these cards that nobody has accused yet"
    elif share(win.now) != share(right):
        text = now
    return f"{text}; asking on wins {won(win.wait, win.error)}"


def heading_text(heading: RoomAdvice) -> str:
    """Return where to go, and what it is worth to ask or look there."""
    return f"{heading_steps(heading)} ({heading.gain:.2f} bits there)"


def heading_steps(heading: RoomAdvice) -> str:
    """Return where to go, and how."""
    steps = heading.steps
    way = "" if steps is None else f", {counted(steps, 'step')}"
    if heading.through is not None:
        way = f" by the passage of the {heading.through}"
    look = " and look" if heading.look else ""
    return f"head for the {heading.room}{way}{look}"


def asking_steps(decision: Decision) -> str:
    """Return what to ask, and what to do before it."""
    steps = f"ask {', '.join(decision.ask)}"
    if decision.stay:
        steps = f"stay and {steps}"
    if decision.look is not None and decision.roll:
        return f"roll, go to the {decision.look} if you can, look, then {steps}"
    if decision.look is not None:
        return f"go to the {decision.look} and look, then {steps}"
    return f"roll, then {steps} if you can" if decision.roll else steps


def timed(decision: Decision, steps: str) -> str:
    """Return steps as the beginning of a sentence, which says if they are for a later turn."""
    return f"On your turn {steps}" if decision.later else f"{steps[0].upper()}{steps[1:]}"


_STAGES = {"first": "First look: ", "changed": "On a closer look: "}


@view(Decision, "sentence")
def decision_text(decision: Decision) -> str:
    """Return what to do now, in one line, and whether that is the first look, or changes it."""
    text = _decision_text(decision)
    if decision.stage is None:
        return text
    return f"{_STAGES[decision.stage]}{text[0].lower()}{text[1:]}"


def _decision_text(decision: Decision) -> str:
    cards = ", ".join(decision.cards)
    likely = "(certain)" if decision.certain else f"({percent(decision.probability)} %)"
    match decision.kind:
        case "over":
            return f"The game is over: {cards}"
        case "opened":
            request = f"say what it held, such as 'envelope has {decision.cards[0]}'"
            return f"You have opened the envelope: {request}"
        case "solution":
            return f"{'The solution' if decision.certain else 'Likeliest'}: {cards} {likely}"
        case "barred":
            return f"Certain: {cards}; {_BARRED}"
        case "accuse":
            text = f"Accuse {when(decision)}: {cards} {likely}"
            if decision.wait is not None:
                text += f"; asking on wins {share(decision.wait)}"
        case "ask":
            text = f"{timed(decision, asking_steps(decision))}; do not accuse yet {likely}"
        case "bonus":
            uses = ", or ".join(use.action for use in decision.bonus)
            text = f"Use the bonus die: {uses}; do not accuse yet {likely}"
        case "go" if decision.heading is not None:
            go = timed(decision, heading_text(decision.heading))
            text = f"{go}; do not accuse yet {likely}"
        case "wait":
            text = f"Do not accuse yet {likely}"
    if decision.rival is not None:
        text += f"; {decision.rival.seat} may know: {share(decision.rival.knows)}"
    return text
