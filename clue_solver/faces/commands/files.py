"""The commands on files: editions, examples."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import click

from clue_solver.faces.commands import shared

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


@click.command(
    cls=shared.Command,
    examples=("editions", "editions clue-2015", "editions --template > our-deck.toml"),
)
@click.argument("name", required=False, shell_complete=shared.of_the_shelf)
@click.option("--template", is_flag=True, help="Print an edition file with comments, to change.")
def editions(name: str | None, *, template: bool) -> None:
    """
    List the editions, or show the rules and cards of one.

    NAME is that of a shipped edition, or the path of an edition file.
    """
    from clue_solver.rules import edition as shelf

    if template:
        click.echo(shelf.template(), nl=False)
        return
    from clue_solver.views.editions import edition_details, edition_list

    if name is None:
        known = [shelf.load_edition(shipped) for shipped in shelf.shipped_editions()]
        shared.terminal().print(edition_list(known))
    else:
        shared.terminal().print(edition_details(shelf.load_edition(name)))


def example_files() -> Iterator[tuple[PurePath, bytes]]:
    """Yield the examples, of the installed package, even a zipped one, or beside a checkout's."""
    from importlib import resources

    package = resources.files("clue_solver")
    inside = package / "examples"
    beside = Path(__file__).resolve().parents[3] / "examples"
    yield from _files_in(inside if inside.is_dir() else beside, PurePath())


def _files_in(folder: Traversable, within: PurePath) -> Iterator[tuple[PurePath, bytes]]:
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.startswith((".", "__")):
            continue
        if file.is_dir():
            yield from _files_in(file, within / file.name)
        else:
            yield within / file.name, file.read_bytes()


@click.command(cls=shared.Command, examples=("examples", "examples ~/clue"))
@click.argument("folder", default="examples", type=click.Path(file_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Overwrite files that differ.")
def examples(folder: Path, *, force: bool) -> None:
    """
    Copy games, decks, pads and notebooks to try.

    They go to FOLDER, 'examples' if left out.
    """
    contents = {folder / path: content for path, content in example_files()}
    if not force:
        for there, content in contents.items():
            if there.exists() and there.read_bytes() != content:
                shared.check_free(str(there), force=False)
    for there, content in contents.items():
        there.parent.mkdir(parents=True, exist_ok=True)
        if not there.exists() or there.read_bytes() != content:
            there.write_bytes(content)
        click.echo(there)
