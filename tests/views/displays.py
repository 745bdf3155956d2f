"""Games to show: an ordinary one, one of hostile names, one that contradicts itself."""

from __future__ import annotations

from pathlib import Path

from clue_solver import Game, Table, load, parse_record
from clue_solver.notation import parse_line
from clue_solver.record import Record
from clue_solver.rules.edition_files import parse_edition

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
HOSTILE = ("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "&amp;", "_x", "$\\frac$")

EVENING = load(EXAMPLES / "evening.clue")
CLASH = Game(
    parse_record(
        "edition: clue-classic\nplayers: Ann, Ben, Cat\nviewer: Ann\n\n"
        "Ann suggests Plum, Rope, Hall: Ben shows Rope\n"
        "Ann suggests Plum, Knife, Hall: Ben shows Knife\n"
        "Cat reveals Rope\n"
    )
)


def hostile() -> Game:
    """A finished game whose players, cards, categories and edition bear names that are markup."""
    evil, image, amp, hidden, formula = HOSTILE
    script, quote = (name.replace(">", "") for name in (evil, image))
    kinds = {
        "who": (script, "Plum", "Green", "White"),
        "with": (quote, amp, "Rope"),
        "where": (hidden, formula, "Hall"),
    }
    text = f"title = '{evil}'\n"
    for name, cards in kinds.items():
        listed = ", ".join("{ name = '" + card + "' }" for card in cards)
        text += f"[[category]]\nname = '{name}'\nplural = '{image}'\ncards = [{listed}]\n"
    seats = (evil, image, formula)
    table = Table(edition=parse_edition(text, name="evil.toml"), seats=seats, viewer=evil)
    record = Record(table=table)
    for line in (
        f"{evil} holds Plum, {amp}, Hall",
        f"{image} holds Green, {hidden}",
        f"{formula} holds White, {quote}",
        f"{evil} suggests {script}, {quote}, {hidden}: {image} shows {hidden}",
        f"{image} suggests Plum, Rope, Hall: {formula} passes, {evil} shows Plum",
        f"{evil} accuses {script}, Rope, {formula}: right",
    ):
        record = record.append(parse_line(line, table, record.turn_state))
    return Game(record)
