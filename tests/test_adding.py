"""The worked example of the page: an observation added to the running program as it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "add-observation.md").read_text("utf-8")
DECLARED, REGISTERED = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)

LEAD = """
from clue_solver.rules import forms
from clue_solver.rules.observations import *
from clue_solver.knowledge.clauses import clauses_of, no_clauses
from clue_solver.knowledge.evidence import factors_of, no_factors
"""

CLAIMS = """
from clue_solver.errors import NotationError
from clue_solver.faces.asking import asking
from clue_solver.exchange.merging import merge
from clue_solver.notation import TurnState, completions, format_line, parse_line
from clue_solver.record import from_jsonl, parse_record, to_jsonl, format_record
from clue_solver.session import Session
from tests.observing import CLUE

PLUM = Claim(by="Ann", card="Plum")
assert PLUM == parse_line("a claim pl", CLUE)
assert "Ann claims Plum" == format_line(PLUM, CLUE)
assert "ann claims " in [one.line for one in completions("ann cl", CLUE)]
assert "ann claims Plum" in [one.line for one in completions("ann claims pl", CLUE)]
assert "Ann" == TurnState().after(PLUM).turn(CLUE)
try:
    parse_line("ann claims plum rope", CLUE)
except NotationError as error:
    assert ("expected nothing after 'plum'; found 'rope'", 16) == (error.reason, error.column)
else:
    raise AssertionError("read on after the end")
asker = asking(CLUE, TurnState())
assert "claims to hold a card" in dict(next(asker).choices)
asker.send("Claim")
asker.send("Ben")
try:
    asker.send("Rope")
except StopIteration as chosen:
    assert Claim(by="Ben", card="Rope") == chosen.value
session = Session(parse_record("edition: clue-classic\\nplayers: Ann, Ben, Cat\\n"))
session.tell("ann claims plum")
session.tell("mus wr lou: cat")
suggested = "Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows"
assert session.lines == ("Ann claims Plum", suggested)
assert session.record.observations == from_jsonl(to_jsonl(session.record)).observations
assert session.record == merge([session.record, session.record]).record
assert session.report().consistent
assert format_record(session.record) == format_record(parse_record(format_record(session.record)))
"""

TEMPLATE = """
import pytest
class Seen:
    def __init__(self): self.failed = set()
    def pytest_runtest_logreport(self, report):
        if report.failed: self.failed.add(report.nodeid.partition("::test_")[2].partition("[")[0])
seen = Seen()
words = "tests/test_template.py -k Claim -q -o addopts= -p no:cacheprovider"
pytest.main(words.split(), plugins=[seen])
print("FAILED", *sorted(seen.failed))
"""

UNTOUCHED = {
    "an_edition_can_say_that_its_rules_bring_it_about",
    "it_is_a_row_in_a_table_of_the_log",
    "it_is_drawn_by_the_strategies_of_the_tests",
    "it_stands_on_the_page_of_the_notation",
    "slips_in_it_are_known",
}
"""The places of the page's table, which need a `case` or a name of their own."""


def run(*code: str) -> subprocess.CompletedProcess[str]:
    alone = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    command = [sys.executable, "-c", "\n".join(code)]
    return subprocess.run(command, cwd=ROOT, env=alone, capture_output=True, text=True, check=False)


def failed(*code: str) -> set[str]:
    done = run(LEAD, *code, TEMPLATE)
    last = [
        line
        for line in done.stdout.splitlines()
        if line.split()[:1] == ["FAILED"] and "::" not in line
    ]
    assert last, done.stdout + done.stderr
    return set(last[-1].split()[1:])


def test_the_declared_observation_is_read_written_completed_chosen_kept_and_merged() -> None:
    done = run(LEAD, DECLARED, REGISTERED, CLAIMS)
    assert done.returncode == 0, done.stderr


def test_the_template_fails_for_each_place_that_was_left_out_and_for_no_other() -> None:
    assert failed(DECLARED, REGISTERED) == UNTOUCHED
    registered = {
        "what_it_says_about_the_cards_is_registered",
        "what_it_makes_likely_is_registered",
    }
    assert failed(DECLARED) >= UNTOUCHED | registered
