"""Reads lines from a terminal, with a history, or from a pipe."""

import sys
from contextlib import suppress
from shutil import get_terminal_size
from textwrap import wrap
from typing import TextIO

import click

from clue_solver.faces.prompt import Prompt


class LineInput:
    """
    The input lines, and questions to the person who types them.

    Attributes:
        asks: Whether the input is a terminal, so that questions can be asked.
        pasted: The pasted lines that have not been read yet.
    """

    def __init__(self, stream: TextIO) -> None:
        self.asks = stream.isatty() and stream is sys.stdin
        if self.asks:
            with suppress(ImportError):
                import readline  # noqa: F401  # from now on Up brings lines back
        self.pasted: list[str] = []
        self._stream = stream

    def next(self, prompt: str, *, answer: bool = False) -> str | None:
        """
        Return the next line without its newline; `None` at the end of the input.

        Args:
            prompt: What to print before it at a terminal.
            answer: Whether the line answers a question; then pasted lines have to wait.
        """
        if not self.asks:
            return next((line.rstrip("\r\n") for line in self._stream), None)
        if answer or not self.pasted:
            try:
                self.pasted[:0] = input(prompt).splitlines() or [""]
            except (EOFError, OSError):  # the terminal may be gone
                return None
        return self.pasted.pop(0)

    def ask(self, question: str, default: str = "") -> str:
        """
        Return the answer to a question, or the default if the answer is empty.

        Aborts if the input has ended.
        """
        shown = wrap_to_terminal(f"{question} [{default}]: " if default else f"{question}: ")
        if not self.asks:
            click.echo(shown, err=True)
        answer = self.next(shown)
        if answer is None:
            raise click.Abort
        return answer.strip() or default

    def choose(self, question: Prompt) -> str:
        """
        Return the answer to a question; if it is the number of a choice, return that choice.

        Aborts if the input has ended.
        """
        title = question.title.rstrip("?")
        if question.fault:  # the choices are still to be seen; Enter insists
            tell(f"  {question.fault}", indent=2)
            answer = self.ask(title) or question.usual or ""
        else:
            if question.hint:
                tell(f"({question.hint})")
            for number, (label, _) in enumerate(question.choices, 1):
                tell(f"{number:>3}  {label}", indent=5)
            answer = self.ask(title, question.usual or question.example)
        numbers = map(str, range(1, len(question.choices) + 1))
        return dict(zip(numbers, question.values, strict=True)).get(answer, answer)

    def confirm(self, question: str, *, default: bool = False) -> bool:
        """Return whether the answer to a question is yes."""
        answers = "Y/n" if default else "y/N"
        while True:
            answer = self.ask(f"{question} [{answers}]").casefold()
            if not answer:
                return default
            if answer in ("y", "yes", "n", "no"):
                return answer.startswith("y")


def wrap_to_terminal(text: str, *, indent: int = 0) -> str:
    """
    Return a text wrapped to the width of the terminal; unchanged if there is no terminal.

    Args:
        text: The text; spaces at its ends are kept.
        indent: The indentation of all lines but the first.
    """
    return wrap_text(text, get_terminal_size().columns - 1, indent) if sys.stderr.isatty() else text


def wrap_text(text: str, width: int, indent: int) -> str:
    """Return a text wrapped to `width` columns, with all lines but the first indented."""
    lines = wrap(
        text, width, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(lines) + (" " if text.endswith(" ") else "")


def tell(text: str, *, indent: int = 0) -> None:
    """Print a message on standard error, wrapped to the terminal; later lines are indented."""
    click.echo(wrap_to_terminal(text, indent=indent), err=True)
