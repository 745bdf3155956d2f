"""What the commands answer about a game, as lines that a diff reads; see README.md."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.yardstick.commands import run

TOO_LONG = ("face-down-6.clue", "questions-8-eleven.clue")
"""Games about which advice would take a quarter of a minute at each entry."""
TOO_OPEN = ("master.clue",)
"""Games so open that a review weighs only some of the questions, as many as its work allows."""

ASKED = ("lucky", "unlucky", "wasted question")
"""What is said of a question that is weighed."""

Answer = dict[str, Any]


def answers(game: str) -> Iterator[str]:
    """Yield what is answered at three entries of a game in the working folder, then its review."""
    last = _asked("report", game)["entries"]
    for upto in sorted({last // 3, 2 * last // 3, last}):
        yield from ("", f"after entry {upto}", *_position(game, upto))
    yield from ("", *_review(game))


def _asked(command: str, game: str, *more: str) -> Answer:
    """Return what a command answers, or says where it does not answer."""
    said = run([command, game, "--json", *more])
    answer = next((line for line in said.splitlines() if line.startswith("{")), None)
    return json.loads(answer) if answer else {"said": said.strip()}


def _position(game: str, upto: int) -> Iterator[str]:
    at = ("--upto", str(upto))
    report = _asked("report", game, *at)
    yield from _sheet(report)
    for card, holder in _cells(report):
        yield from _why(_asked("why", game, card, holder, *at))
    yield from _check(_asked("check", game, *at))
    if report["viewer"] != "spectator" and report["consistent"] and game not in TOO_LONG:
        yield from _advice(_asked("advise", game, *at))


def _sheet(report: Answer) -> Iterator[str]:
    solutions = report["solutions"]
    yield f"{report['viewer']}: deals {report['deals']}, bits {_number(report['bits'])}"
    for row in report["cards"]:
        chances, verdicts = row["probability"], row["verdict"]
        shown = {"lacks": ".", "holds": "holds"}
        marks = (f"{who}={shown.get(verdicts[who]) or _number(chances[who])}" for who in verdicts)
        yield f"  {row['card']}: {' '.join(marks)}"
    for solution in solutions[:5]:
        yield f"  {_number(solution['probability'])} {', '.join(solution['cards'])}"
    if solutions:
        yield f"  solutions: {len(solutions)}"


def _cells(report: Answer) -> list[tuple[str, str]]:
    """Return ten cells to ask about: of what is held, lacked and open, from all over the sheet."""
    own = report["viewer"]
    pools: dict[str, list[tuple[str, str]]] = {"holds": [], "lacks": [], "open": []}
    for row in report["cards"]:
        if row["verdict"].get(own) != "holds":
            for holder, verdict in row["verdict"].items():
                if holder != own:
                    pools[verdict].append((row["card"], holder))
    chosen = []
    for most, cells in zip((2, 4, 4), pools.values(), strict=True):
        count = min(most, len(cells))
        chosen += [cells[(2 * place + 1) * len(cells) // (2 * count)] for place in range(count)]
    return chosen


def _why(why: Answer) -> Iterator[str]:
    if "said" in why:
        yield f"why: {why['said']}"
        return
    entries = " ".join(map(str, why["entries"]))
    least = ", a smallest set" if why["minimum"] else ""
    yield f"why {why['card']} {why['holder']}: {why['verdict']} by entries {entries}{least}"
    for moved in why.get("moved", ()):
        yield f"    {moved['entry']}: {_number(moved['before'])} to {_number(moved['after'])}"
    if why["verdict"] == "open":
        by_rules = why.get("by_rules")
        yield f"    by the rules alone: {by_rules if by_rules is None else _number(by_rules)}"
    yield from _steps(why["steps"])


def _steps(steps: list[Answer]) -> Iterator[str]:
    for number, step in enumerate(steps, 1):
        fact = step["fact"]
        what = f"{fact['card']} {fact['holder']} {fact['verdict']}" if fact else "-"
        told = "".join(f" {entry}" for entry in step["entries"])
        yield f"    {number} {what}: {step['rule']}{told} {step['uses'] or ''}".rstrip()


def _check(check: Answer) -> Iterator[str]:
    if check["consistent"]:
        yield "check: consistent"
        return
    yield f"check: conflict {' '.join(map(str, check['conflict']))}"
    yield from _steps(check["why"])
    yield f"  corrections: {len(check['corrections'])}"
    for one in check["corrections"][:5]:
        yield f"  {_number(one['probability'])} {one['entry']}: {one['after']}"


def _advice(advice: Answer) -> Iterator[str]:
    """Yield the verdict and what tells most; what to ask hangs on games that are played on."""
    if "said" in advice:
        yield f"advise: {advice['said']}"
        return
    accuse = advice["accuse"]
    chance = _number(accuse["probability"])
    yield f"advise: {accuse['advice']} {', '.join(accuse['cards'])} {chance}"
    for one in advice["suggestions"][:10]:
        gain, best = _number(one["gain"], 3), _number(one["best_after"], 3)
        yield f"  {gain} {best} {', '.join(one['cards'])}"


def _review(game: str) -> Iterator[str]:
    """Yield the review as far as the record holds what a seat saw."""
    review = _asked("review", game)
    if "said" in review:
        yield f"review: {review['said'].partition(';')[0]}"
        return
    seats = {seat["seat"]: seat for seat in review["seats"] if seat["whole"]}
    yield f"review: {', '.join(review['solution'])}, won by {review['winner']}"
    for name, seat in seats.items():
        judged = () if game in TOO_OPEN else ("accuracy",)
        numbers = (f"{what} {_number(seat[what], 3)}" for what in judged)
        proved = f"proved {seat['proved']}"
        yield f"  {name}: {', '.join((proved, *numbers))}"
        for moment in seat["timeline"]:
            bits, chance = _number(moment["bits"]), _number(moment["true_chance"])
            yield f"    {moment['entry']}: {moment['deals']} {bits} {chance}"
    for one in review["suggestions"]:
        if one["seat"] in seats and game not in TOO_OPEN:
            gains = ", ".join(_number(one[what], 3) for what in ("gain", "best_gain", "luck"))
            yield f"  {one['entry']} {one['seat']}: {one['label']}, {gains}"
    for one in review["accusations"]:
        if one["seat"] in seats:
            yield f"  {one['entry']} {one['seat']}: {one['verdict']}, {_number(one['chance'])}"
    for one in review["highlights"]:
        if one["seat"] in seats and (game not in TOO_OPEN or one["kind"] not in ASKED):
            chances = f"{_number(one['before'])} to {_number(one['after'])}"
            yield f"  {one['entry']} {one['seat']}: {one['kind']}, {chances}"
    if len(seats) == len(review["seats"]):
        yield f"  {review['story']}"


def _number(number: float | None, digits: int = 6) -> str:
    return "-" if number is None else f"{round(number, digits) + 0.0:.{digits}f}"
