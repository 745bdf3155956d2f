"""A progress bar on standard error."""

from __future__ import annotations

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn


def progress_bar(*, hidden: bool = False) -> Progress:
    """Return a progress bar on standard error, disabled if nobody can see it."""
    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    return Progress(
        *Progress.get_default_columns()[:2],
        MofNCompleteColumn(),
        TimeRemainingColumn(elapsed_when_finished=True),
        console=console,
        transient=True,
        disable=hidden or not (console.is_terminal or console.is_jupyter),
        redirect_stdout=False,  # what is printed meanwhile uses the bar's console
        redirect_stderr=False,
    )
