"""
The command line: parses arguments, asks the game, prints the answer.

Exit status: 0 for an answer, 1 if interrupted, 2 for input that cannot be read or used, 3 for a log
that contradicts itself, 4 for a game that could not be written to its file. Results go to standard
output, messages to standard error.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from itertools import chain
from typing import Any

import click

from clue_solver import __version__
from clue_solver.errors import ClueError, Contradiction, system_reason
from clue_solver.faces.commands import arena, ask, at_table, editions, notes, shared

SECTIONS = {
    "At the table": (at_table.play, at_table.games, at_table.serve, at_table.practise),
    "Ask about a game": (ask.report, ask.why, ask.check, ask.advise),
    "Afterwards": (ask.review, ask.season),
    "Notes and decks": (notes.import_, notes.export, editions.editions, editions.examples),
    "For programmers": (arena.arena,),
}
"""The commands in the order of the help, by heading."""

for _each in chain.from_iterable(SECTIONS.values()):
    _each.epilog = shared.STATUSES


class Commands(click.Group):
    """The group of all commands; it turns errors into messages and exit statuses."""

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002
        formatter: click.HelpFormatter,
    ) -> None:
        """List the commands by section, each with its whole first sentence."""
        widest = max(map(len, self.commands))
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl(
                    [
                        (str(each.name).ljust(widest), each.get_short_help_str(limit=100))
                        for each in commands
                    ]
                )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; the word `help`, alone or before a command, means `--help`."""
        return super().parse_args(ctx, [*args[1:], "--help"] if args[:1] == ["help"] else args)

    def invoke(self, ctx: click.Context) -> Any:
        """
        Run a command, and exit with the status that fits its outcome.

        A `ClueError` or an `OSError` is printed as one message on standard error.
        """
        try:
            answer = super().invoke(ctx)
            if shared.ENDED_EARLY in ctx.meta:
                ctx.exit(shared.STOPPED)
            return answer
        except ClueError as error:
            click.echo(f"error: {error}{self._option(ctx, error.argument)}", err=True)
            contradictory = isinstance(error, Contradiction)
            ctx.exit(shared.CONTRADICTORY if contradictory else shared.UNUSABLE)
        except BrokenPipeError:
            raise
        except OSError as error:
            with suppress(OSError):  # nobody may be there to be told
                where = error.filename or "cannot write"
                click.echo(f"error: {where}: {system_reason(error)}", err=True)
            ctx.exit(shared.UNUSABLE)

    def _option(self, ctx: click.Context, argument: str) -> str:
        """
        Return the option that sets an argument of the running command, such as ` (--seed)`.

        The text is empty if no option does.
        """
        command = self.get_command(ctx, ctx.invoked_subcommand or "")
        params = command.params if command else []
        return next((f" ({param.opts[-1]})" for param in params if param.name == argument), "")


@click.group(
    cls=Commands,
    commands=[*chain.from_iterable(SECTIONS.values())],
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
    epilog="'clue-solver help COMMAND' has examples.",
)
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def main(ctx: click.Context) -> None:
    """
    The deduction assistant for Clue and Cluedo.

    You log what happens at the table. The program says what is certain, how likely the rest is,
    why, and what to suggest. Without a command, it starts 'play'.
    """
    if ctx.invoked_subcommand is not None:
        return
    if shared.is_terminal(sys.stdin, sys.stdout):
        ctx.invoke(at_table.play)
    else:
        click.echo(ctx.get_help())
