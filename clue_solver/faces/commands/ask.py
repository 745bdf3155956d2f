"""The commands that ask about a game: report, why, check, advise."""

from __future__ import annotations

from typing import Any

import click

from clue_solver.errors import Contradiction
from clue_solver.faces.commands import shared


@click.command(
    cls=shared.OnLastGame,
    examples=(
        "report evening.clue",
        "report evening.clue --upto 9 --viewer Ben",
        "report --suppose 'Ben has Rope'",
    ),
)
@shared.reads_game
@shared.asks
@shared.as_json
def report(asked: shared.GameOptions, *, as_json: bool) -> None:
    """
    Show the detective's sheet: who has what, and how likely.

    GAME is a record; '-' reads standard input. Without it the last game is meant.
    """
    answer = asked.game.report(**asked.seen)
    if as_json:
        click.echo(answer.to_json())
    else:
        from clue_solver.views.charts import ASCII, UNICODE
        from clue_solver.views.document import render

        console = shared.terminal()
        marks = ASCII if console.options.ascii_only else UNICODE
        console.print(render(answer, width=console.width, marks=marks, lines=asked.game.lines))
    if not answer.consistent:
        raise Contradiction(answer.conflict)


@click.command(
    cls=shared.OnLastGame,
    examples=("why evening.clue rope ben", "why plum envelope", "why rope ben --upto 9"),
)
@shared.reads_game
@shared.asks
@click.argument("card", shell_complete=shared.of_the_game("cards", "holders"))
@click.argument("holder", shell_complete=shared.of_the_game("holders"))
@shared.as_json
def why(asked: shared.GameOptions, card: str, holder: str, *, as_json: bool) -> None:
    """
    Explain why somebody has a card, or cannot have it.

    HOLDER is a player, the envelope or a face-down slot; CARD may be abbreviated. Where it is open,
    it names the entries of GAME that made it more or less likely.
    """
    answer = asked.game.why(card, holder, **asked.seen)
    if as_json:
        click.echo(answer.to_json())
    else:
        from clue_solver.views.document import render

        shared.terminal().print(render(answer))


@click.command(cls=shared.OnLastGame, examples=("check evening.clue", "check"))
@shared.reads_game
@shared.asks
@shared.as_json
def check(asked: shared.GameOptions, *, as_json: bool) -> None:
    """
    Find what contradicts itself in the log, and how to mend it.

    It names the entries of GAME that cannot all be true, the likeliest corrections, and the entries
    that do not follow the order of turns.
    """
    answer = asked.game.check(**asked.seen)
    if as_json:
        click.echo(answer.to_json())
    else:
        from clue_solver.views.document import render

        shared.terminal().print(render(answer))
    if answer.conflict is not None:
        raise Contradiction(answer.conflict)


@click.command(
    cls=shared.OnLastGame,
    examples=(
        "advise evening.clue",
        "advise --at Hall --roll 7",
        "advise --rooms Hall,Study --top 3",
    ),
)
@shared.reads_game
@shared.asks
@click.option(
    "--rooms",
    metavar="LIST",
    shell_complete=shared.of_the_game("rooms"),
    help="The rooms that you can reach: Hall,Study.",
)
@click.option(
    "--at",
    metavar="ROOM",
    shell_complete=shared.of_the_game("rooms"),
    help="Where you are; the board tells what you can reach. Default: as GAME says.",
)
@click.option("--roll", type=int, help="What you rolled. Default: every roll counts.")
@click.option(
    "--dice",
    metavar="LIST",
    help="Your roll in Clue Diced: three suspects and the bonus die, Plum,Green,Orchid,glass.",
)
@click.option("--top", type=click.IntRange(min=1), help="How many suggestions to list.")
@click.option("--explain", is_flag=True, help="Show all numbers, and what they mean.")
@shared.as_json
def advise(
    asked: shared.GameOptions,
    *,
    top: int | None,
    explain: bool,
    as_json: bool,
    **turn: Any,
) -> None:
    """
    Say what to ask next, and whether to accuse now.

    It also says which other players of GAME may be about to solve it.
    """
    with shared.working("advice"):
        answer = asked.game.advice(**asked.seen, **turn)
    if as_json:
        click.echo(answer.top(top).to_json() if top else answer.to_json())
    else:
        from clue_solver.views.document import render
        from clue_solver.views.sentences import ending_text

        upto = asked.seen["upto"]
        record = asked.game.record
        if over := (record if upto is None else record.upto(upto)).ended:
            click.echo(f"The game is over: {ending_text(over)}")
        else:
            shared.terminal().print(render(answer, most=top, explain=explain))
