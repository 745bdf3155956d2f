"""Reads lines from a terminal, with a history, or from a pipe."""

import sys
from contextlib import suppress
from shutil import get_terminal_size
from typing import TextIO

import click

from clue_solver.faces.prompt import Prompt
from clue_solver.notation.names import numbered


class LineInput:
    """
    The lines of an input. It can also ask the person who types them.

    Args:
        stream: The input. If it is standard input and a terminal, questions can be asked.

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
            prompt: What a terminal shows before the line.
            answer: Whether the line answers a question, so that pasted lines have to wait.
        """
        if not self.asks:
            return next((line.rstrip("\r\n") for line in self._stream), None)
        if answer or not self.pasted:
            try:
                self.pasted[:0] = input(prompt).splitlines() or [""]
            except (EOFError, OSError):  # the terminal may be gone
                return None
        return self.pasted.pop(0)

    def choose(self, question: Prompt) -> str:
        """
        Ask a question once, and return the answer; the number of a choice becomes its value.

        An empty answer means the usual one. Raises `click.Abort` if the input has ended.
        """
        usual = question.usual or question.example
        if question.fault:  # the choices are still visible
            tell(f"  {question.fault}", indent=2)
        else:
            if question.hint:
                tell(f"({question.hint})")
            for number, (label, _) in enumerate(question.choices, 1):
                tell(f"{number:>3}  {label}", indent=5)
        default = usual
        if usual in question.values:
            default = str(question.values.index(usual) + 1)
        title = question.title.rstrip("?")
        shown = f"{title} [{default}]: " if default else f"{title}: "
        if not self.asks:
            click.echo(shown, err=True)
        answer = self.next(f"{_wrap(shown.strip())} ")
        if answer is None:
            raise click.Abort
        answer = answer.strip() or usual
        chosen = numbered(answer, question.values)
        return answer if chosen is None else chosen

    def choose_one(self, question: Prompt) -> str:
        """Ask a question until one of its choices is made, and return the value of that choice."""
        answer = self.choose(question)
        while answer not in question.values:
            meant = question.value_in(answer) if answer else None
            again = question._replace(fault=question.fault_of(answer))
            answer = meant or self.choose(again)
        return answer


def tell(text: str, *, indent: int = 0) -> None:
    """
    Print a message on standard error, wrapped to the width of the terminal.

    All lines after the first are indented by `indent` columns.
    """
    click.echo(_wrap(text, indent=indent), err=True)


def _wrap(text: str, *, indent: int = 0) -> str:
    """
    Return a text wrapped to the width of the terminal, if standard error is one.

    All lines after the first are indented by `indent` columns.
    """
    if not sys.stderr.isatty():
        return text
    columns = get_terminal_size().columns - 1
    return click.wrap_text(text, columns, subsequent_indent=" " * indent)
