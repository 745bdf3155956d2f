"""
What every command shares: standard output as a screen or a pipe, exit statuses, common options.

The commands import what they need when they run, and their choices stand here and there as texts,
so that help and completion come at once.
"""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

import click

from clue_solver.errors import escape

if TYPE_CHECKING:
    from rich.console import Console

UNUSABLE, CONTRADICTORY = 2, 3
"""Exit statuses: something cannot be read or used; the log contradicts itself."""


policy = click.option(
    "--shows",
    type=click.Choice(("random", "none", "sticky")),
    help="How a player chooses which card to show; the record's choice if left out.",
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


def put(text: str) -> None:
    """Print a file's text as it is; on a terminal nothing in it is obeyed."""
    if sys.stdout.isatty():
        text = "".join(f"{escape(line, most=len(line) + 1)}\n" for line in text.splitlines())
    click.echo(text, nl=False)


def terminal() -> Console:
    """Return standard output for rich to draw on: nothing in a text is markup."""
    from rich.console import Console

    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a name may hold what the terminal has not
    return Console(highlight=False, markup=False, emoji=False)
