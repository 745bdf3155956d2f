"""The commands by their former names: hidden, with a line that says the new one; they go in 0.3."""

from __future__ import annotations

from pathlib import Path

import click

from clue_solver.faces.commands import afterwards, files, shared


@click.command(hidden=True)
@click.argument("game", required=False, type=click.Path())
def new(game: str | None) -> None:
    """Ask for edition, players, hand sizes and own hand, and write the record's header to GAME."""
    from clue_solver.faces.setup import asked_record
    from clue_solver.record import format_record, save

    shared.renamed("new", "play")
    if game is not None and Path(game).exists():
        raise click.UsageError(f"{game} exists already; nothing was written")
    record = asked_record(Path(game or "").parent)
    if game is None:
        shared.put(format_record(record))
    else:
        save(record, game, form="clue")
        click.echo(f"{game} written; add what happens at the table, one line each", err=True)


@click.command(cls=shared.OnLastGame, hidden=True)
@shared.reads_game
@shared.to_file
@click.option(
    "--to", "form", type=click.Choice(("clue", "jsonl", "dimacs")), help="The form to write."
)
@click.option("--dimacs", "as_cnf", is_flag=True, help="The same as --to dimacs.")
def convert(
    asked: shared.GameOptions, *, output: str | None, form: files.Form | None, as_cnf: bool
) -> None:
    """Write the record of GAME in another form, by default the one of both that it is not in."""
    shared.renamed("convert", "export --as")
    if as_cnf and form not in (None, "dimacs"):
        raise click.UsageError(f"--dimacs and --to {form} are two different forms")
    if as_cnf:
        form = "dimacs"
    meant = files.ENDINGS.get(Path(output or "").suffix.casefold())
    if form is None and meant == "pad":
        raise click.UsageError("a record is no spreadsheet: 'export' writes a pad")
    other: files.Form = "clue" if Path(asked.path).suffix == ".jsonl" else "jsonl"
    files.write_record(asked, output, form or meant or other)


@click.command(hidden=True)
@click.argument("games", nargs=-1, required=True, type=click.Path())
@shared.to_file
@shared.forced
@files.understood_as_json
def merge(games: tuple[str, ...], *, output: str | None, force: bool, as_json: bool) -> None:
    """Lay several viewers' GAMES, notes of one game, together."""
    shared.renamed("merge", "import")
    shared.check_free(output, force=force)
    files.lay_together(games, output=output, force=force, as_json=as_json)


@click.command(cls=shared.OnLastGame, hidden=True)
@click.argument("games", metavar="[GAME]...", nargs=-1, type=click.Path(allow_dash=True))
@shared.as_json
def habits(games: tuple[str, ...], *, as_json: bool) -> None:
    """Learn from finished GAMEs how their players ask, show and accuse."""
    from clue_solver.game import games_in

    shared.renamed("habits", "season --habits")
    afterwards.print_habits(games_in(games), as_json=as_json)
