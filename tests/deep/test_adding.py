"""The worked example of the page: an observation added to the running program as it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
DECLARED, REGISTERED = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)

LEAD = """
from clue_solver.rules import forms
from clue_solver.rules.observations import *
from clue_solver.knowledge.evidence import no_statements, statements
"""

TEMPLATE = """
import pytest
class Seen:
    def __init__(self): self.failed = set()
    def pytest_runtest_logreport(self, report):
        if report.failed: self.failed.add(report.nodeid.partition("::test_")[2].partition("[")[0])
seen = Seen()
words = "tests/test_template.py -q -o addopts= -p no:cacheprovider"
pytest.main([*words.split(), "-k", "Claim or drawn"], plugins=[seen])
print("FAILED", *sorted(seen.failed))
"""

UNTOUCHED = {
    "every_kind_is_drawn_by_the_strategies_of_the_tests",
    "it_can_be_chosen_from_lists",
    "its_line_is_completed_word_by_word",
    "the_template_of_an_edition_and_the_reference_have_its_verb",
}
"""The places of the page's table, which need a `case` or a name of their own."""


def failed(*code: str) -> set[str]:
    alone = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    command = [sys.executable, "-c", "\n".join((LEAD, *code, TEMPLATE))]
    done = subprocess.run(command, cwd=ROOT, env=alone, capture_output=True, text=True, check=False)
    last = re.findall(r"^FAILED ([\w ]*)$", done.stdout, re.MULTILINE)
    assert last, done.stdout + done.stderr
    return set(last[-1].split())


def test_the_template_fails_for_each_place_that_was_left_out_and_for_no_other() -> None:
    assert failed(DECLARED, REGISTERED) == UNTOUCHED
    registered = {
        "what_it_says_about_the_cards_is_registered",
    }
    assert failed(DECLARED) >= UNTOUCHED | registered
