"""The commands for editions and examples."""

from __future__ import annotations

from pathlib import Path

import click

from clue_solver.faces.commands import shared


@click.command()
@click.argument("name", required=False)
@click.option("--template", is_flag=True, help="Print a commented edition file for you to adapt.")
def editions(name: str | None, *, template: bool) -> None:
    """
    List the editions, or show the cards and rules of one.

    NAME is a shipped edition, or the path of an edition file.

    \b
    Examples:
      clue-solver editions
      clue-solver editions clue-2015
      clue-solver editions --template > our-deck.toml
    """
    from clue_solver.rules.edition_files import load_edition, shipped_editions
    from clue_solver.rules.edition_files import template as template_text

    if template:
        click.echo(template_text(), nl=False)
        return
    from clue_solver.views.editions import edition_details, edition_list

    if name is None:
        known = [load_edition(shipped) for shipped in shipped_editions()]
        shared.terminal().print(edition_list(known))
    else:
        shared.terminal().print(edition_details(load_edition(name)))


@click.command()
@click.argument("folder", default="examples", type=click.Path(file_okay=False, path_type=Path))
def examples(folder: Path) -> None:
    """
    Copy example games, decks, pads and notebooks to a folder.

    They go to FOLDER (by default, 'examples'). An existing file that differs is left unchanged.

    \b
    Examples:
      clue-solver examples
      clue-solver examples ~/clue
    """
    installed = Path(__file__).resolve().parents[2] / "examples"
    source = installed if installed.is_dir() else installed.parents[1] / "examples"  # a checkout
    for file in sorted(source.rglob("*")):
        within = file.relative_to(source)
        if file.is_dir() or any(part.startswith((".", "__")) for part in within.parts):
            continue
        there = folder / within
        there.parent.mkdir(parents=True, exist_ok=True)
        if there.exists() and there.read_bytes() != file.read_bytes():
            click.echo(f"{there}: your file differs and was left unchanged", err=True)
            continue
        there.write_bytes(file.read_bytes())
        click.echo(there)
