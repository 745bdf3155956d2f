"""Where lines come from: a terminal, which brings earlier ones back, or a pipe."""

import sys
from contextlib import suppress
from shutil import get_terminal_size
from textwrap import wrap
from typing import TextIO

import click

from clue_solver.faces.prompt import Prompt


class LineInput:
    """
    The lines that come in.

    Attributes:
        asks: Whether somebody is there to be asked.
        pasted: The lines that were pasted and are not taken yet.
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
        Return the next line without its end; `None` after the last, or where nobody types.

        Pasted lines are no `answer` to what is asked: they come after it.
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
        """Return the answer to a question, or what an empty one stands for; abort at the end."""
        shown = wrapped(f"{question} [{default}]: " if default else f"{question}: ")
        if not self.asks:
            click.echo(shown, err=True)
        answer = self.next(shown)
        if answer is None:
            raise click.Abort
        return answer.strip() or default

    def choose(self, question: Prompt) -> str:
        """Return the answer to a question, which may be told by its number; abort at the end."""
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
        """Return whether something asked is so."""
        answers = "Y/n" if default else "y/N"
        while True:
            answer = self.ask(f"{question} [{answers}]").casefold()
            if not answer:
                return default
            if answer in ("y", "yes", "n", "no"):
                return answer.startswith("y")


def wrapped(text: str, *, indent: int = 0) -> str:
    """
    Return a text with its lines broken between words where a terminal shows it.

    Args:
        text: The text; spaces at its ends stay.
        indent: How far lines after the first begin.
    """
    return folded(text, get_terminal_size().columns - 1, indent) if sys.stderr.isatty() else text


def folded(text: str, width: int, indent: int) -> str:
    """Return a text in lines of so many columns, those after the first indented."""
    lines = wrap(
        text, width, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(lines) + (" " if text.endswith(" ") else "")


def tell(text: str, *, indent: int = 0) -> None:
    """Say something to the person who is asked, words whole; later lines are indented."""
    click.echo(wrapped(text, indent=indent), err=True)
