"""
What is typed and said at a table comes to what it means or to a question, never to else.

The canonical line of an observation, and its inverse. Right lines with a word left out, doubled,
swapped or misspelt: none is taken for another.
"""

from __future__ import annotations

import random
import re
from difflib import get_close_matches
from pathlib import Path

import pytest

from clue_solver.notation.canonical import format_line, parse_canonical
from clue_solver.notation.reader import parse_line
from clue_solver.record.files import parse_record
from clue_solver.rules.observations import Leave
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState
from tests.observing import CLUE
from tests.rows import rows_in
from tests.transcripts import Typed, by_reader, judge, same, state_before, transcripts


def verdicts(file: str) -> list[tuple[str, bool, str]]:
    """What each line of a file became, whether it means an entry, and what came of it."""
    found = []
    for typed in transcripts(Path(__file__).with_name(f"{file}.txt")):
        came = by_reader(typed)
        told = f"{typed.place}: {' // '.join(typed.lines)}: {came}"
        found.append((judge(typed, came), typed.due[0] not in "?!", told))
    return found


def test_a_typed_line_is_taken_for_what_it_means_or_asked_about_where_it_must_be() -> None:
    assert [told for verdict, _, told in verdicts("typed") if verdict != "right"] == []


@pytest.mark.parametrize(("file", "share"), [("said", 0.85), ("tempting", 0.7)])
def test_nothing_that_is_said_is_misread_and_most_of_what_means_an_entry_is_taken(
    file: str, share: float
) -> None:
    found = verdicts(file)
    assert [told for verdict, _, told in found if verdict in ("misread", "asked amiss")] == []
    meant = [verdict for verdict, means, _ in found if means]
    assert meant.count("right") >= share * len(meant)


REFUSED = rows_in(Path(__file__).with_name("refused.txt"))
TYPED = transcripts(Path(__file__).with_name("typed.txt"))
CANONICAL = [typed for typed in TYPED if typed.lines == (typed.due,)]


@pytest.mark.parametrize("typed", CANONICAL, ids=lambda typed: typed.due)
def test_a_line_in_other_words_is_left_to_the_reader(typed: Typed) -> None:
    table, state = state_before(typed)
    line = typed.due
    assert parse_canonical(line, table, state) == parse_line(line, table, state)
    for other in (line.upper(), line.replace(" ", "  "), f"{line}.", f"{line},", f"well, {line}"):
        assert parse_canonical(other, table, state) is None


@pytest.mark.parametrize("line", [line for (line,) in REFUSED["not canonical"]])
def test_a_line_without_a_meaning_is_none(line: str) -> None:
    assert parse_canonical(line, CLUE) is None


def test_nobody_is_everybody_who_is_left() -> None:
    gone = TurnState().after(Leave(by="Cat"))
    told = parse_canonical("Ann suggests Plum, Rope, Hall: nobody shows", CLUE, gone)
    assert told is not None
    assert format_line(told, CLUE) == "Ann suggests Plum, Rope, Hall: Ben passes, Dan passes"
    assert parse_canonical(format_line(told, CLUE), CLUE, gone) == told
    assert parse_canonical("Ann suggests Plum, Rope, Hall: Cat shows", CLUE, gone) is None


RIGHT = [
    typed
    for name in ("typed", "said")
    for typed in transcripts(Path(__file__).with_name(f"{name}.txt"))
    if typed.due[0] not in "?!" and "names:" not in typed.header
]
DENIED = re.compile(r"passes|nobody|lacks|wrong|skips")
DENIALS = re.compile(
    r"p|pa|pas|pass\w*|no|not|none|nope|nothing|nobody|neither|nor|never|nah|lacks|wrong|cannot"
    r"|all|\w+n't|(do|does|did|could|ca|has|have|is|was)nt"
)
WORDS = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[-\u2717]")
SIGNS = {"-", "x", "\u2717"}
"""What denies, or parts what stands around it."""
OWN = {"i", "me", "my", "mine", "us", "we", "i've", "i'm", "i'd"}


def edited(line: str, lot: random.Random) -> tuple[str, str]:
    """A line with one edit, and which."""
    words = line.split()
    way = lot.choice(("left out", "doubled", "swapped", "misspelt"))
    at = lot.randrange(len(words))
    if way == "left out":
        words.pop(at)
    elif way == "doubled":
        words.insert(at, words[at])
    elif way == "swapped":
        words.insert(at, words.pop(at - 1))
    elif len(words[at]) > 3:  # a slip in a shorter one makes another word of it
        words[at] = misspelt(words[at], lot)
    return " ".join(words), way


def misspelt(word: str, lot: random.Random) -> str:
    """A word with a letter left out, doubled, swapped with the next, or another one."""
    at = lot.randrange(len(word) - 1)
    slips = (
        word[:at] + word[at + 1 :],
        word[: at + 1] + word[at:],
        word[:at] + word[at : at + 2][::-1] + word[at + 2 :],
        word[:at] + lot.choice("aeinrst") + word[at + 1 :],
    )
    return lot.choice(slips)


def amiss(line: str, entry: str, due: str, table: Table) -> str:
    """What an entry tells and its line does not, or the other way round; empty if nothing."""
    line = line.casefold().replace("\u2019", "'").replace(" ?", "?")
    words = WORDS.findall(line)
    spoken = {seat: seat for seat in table.seats}
    for card in table.edition.cards:
        colour = table.edition.aliases.get(card.feature or "", ())
        spoken[card.name] = " ".join((card.name, card.title or "", *card.aliases, *colour))
    told = re.findall("|".join(sorted(map(re.escape, spoken), key=len, reverse=True)), entry)
    shows = re.findall(r"([^,:]+) shows", entry)
    for name, text in spoken.items():
        said = sum(stands_for(word, text) for word in words)
        covered = name in table.seats and ("nobody" in entry or f"{name.casefold()}?" in line)
        if name.casefold() in words and name not in told and not covered:
            return f"{name} is not told"
        if name in table.cards and said < told.count(name):
            return f"{name} is not said"
        if f" {name}" in shows and not said and not (name == table.viewer and OWN & {*words}):
            return f"{name} is not said to show"
    denials = [word for word in words if DENIALS.fullmatch(word)]
    if denials and DENIED.search(due) and not DENIED.search(entry):
        return "a denial is lost"
    if re.search(r"passes(, \?)?$|nobody|lacks", entry) and not (denials or SIGNS & {*words}):
        return "nothing is denied"
    return ""


def stands_for(word: str, name: str) -> bool:
    """Whether a word begins one of a name's words, or is nearly one of them."""
    parts = WORDS.findall(name.casefold())
    said = word.removesuffix("'s")
    return any(part.startswith(said) for part in parts) or bool(get_close_matches(said, parts))


def misread_edits(seed: int | str, count: int) -> list[str]:
    """What comes of so many edits that is no reading of the edited line."""
    lot = random.Random(seed)
    found = []
    for _ in range(count):
        typed = lot.choice(RIGHT)
        line, way = edited(typed.lines[-1], lot)
        lines = (*typed.lines[:-1], line)
        came = by_reader(typed._replace(lines=lines))
        if came.entries and not same(came.entries, typed.due):
            table = parse_record(typed.header).table
            why = (
                way if way == "misspelt" else amiss(" ".join(lines), came.entries, typed.due, table)
            )
            if why:
                found.append(f"{line}: {came} ({why}; it was {typed.due})")
    return found


def test_edited_lines_are_right_or_asked_about_or_refused() -> None:
    assert misread_edits(55, 150) == []
