"""
The commands on whole files: import, export and merge notes, review finished games, learn habits,
copy the examples.

Before them what every command shares: standard output as a screen or a pipe, exit statuses, common
options. The commands import what they need when they run, and their choices stand here and there as
texts, so that help and completion come at once.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeVar

import click

from clue_solver.errors import ClueError, Contradiction, RecordError, escape

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem
    from rich.console import Console

    from clue_solver.answers.review import Review
    from clue_solver.exchange.imports import Imported, Unsaid
    from clue_solver.exchange.merging import Merged
    from clue_solver.record import Record
    from clue_solver.workers import Effort

Outcome = TypeVar("Outcome")
Completing = Callable[[click.Context, click.Parameter, str], list[str]]

UNUSABLE, CONTRADICTORY = 2, 3
"""Exit statuses: something cannot be read or used; the log contradicts itself."""


class OnLastGame(click.Command):
    """A command whose game may be left out: the one that was written to last is meant then."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the last game before the arguments where one is missing, and say so."""
        arguments = [param for param in self.params if isinstance(param, click.Argument)]
        options = [param for param in self.params if isinstance(param, click.Option)]
        parser = click.Command(self.name, params=[*options]).make_parser(ctx)
        answers = not ctx.resilient_parsing and not set(ctx.help_option_names).intersection(args)
        if answers and len(parser.parse_args([*args])[1]) == len(arguments) - 1:
            from clue_solver.faces.setup import last_game

            path = last_game()
            click.echo(f"the last game, {path}", err=True)
            args = [str(path), *args]
        return super().parse_args(ctx, args)


def of_the_game(*kinds: Literal["seats", "viewers", "cards", "holders", "rooms"]) -> Completing:
    """Return what completes a word by names at the table of the game, or of the last one."""

    def completing(ctx: click.Context, _param: click.Parameter, typed: str) -> list[str]:
        from clue_solver.faces.setup import last_game
        from clue_solver.notation import lexicon_of
        from clue_solver.record import load_record

        with suppress(ClueError):
            named = ctx.params.get("game")
            path = Path(named) if named and Path(named).is_file() else last_game()
            table = load_record(path).table
            lexicon = lexicon_of(table)
            rooms = [card for card, kind in lexicon.kind.items() if kind == "room"]
            names = {
                "seats": lexicon.seats.names, "viewers": lexicon.viewers.names,
                "cards": lexicon.cards.names, "holders": lexicon.holders.names, "rooms": rooms,
            }  # fmt: skip
            every = dict.fromkeys(name for kind in kinds for name in names[kind])
            done, comma, last = typed.rpartition(",")
            return [f"{done}{comma}{name}" for name in _begun(every, last)]
        return []

    return completing


def of_files(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:
    """Complete a game by files, and since it may be left out, by what may follow it."""
    from click.shell_completion import CompletionItem

    arguments = [each for each in ctx.command.params if isinstance(each, click.Argument)]
    follow = [after for one, after in pairwise(arguments) if one is param]
    items = (item for each in follow for item in each.shell_complete(ctx, typed))
    return [CompletionItem(typed, type="file"), *items]


def of_the_shelf(_ctx: click.Context, _param: click.Parameter, typed: str) -> list[CompletionItem]:
    """Complete a word by the names of the shipped editions, or by files."""
    from click.shell_completion import CompletionItem

    from clue_solver.rules.edition import shipped_editions

    names = (CompletionItem(name) for name in shipped_editions() if name.startswith(typed))
    return [CompletionItem(typed, type="file"), *names]


def _begun(names: Iterable[str], typed: str) -> Iterator[str]:
    """Yield the names that begin so, each as one word of a shell."""
    for name in names:
        word = name.replace(" ", "-")
        if word.casefold().startswith(typed.casefold()):
            yield word


def policies(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that say how players are expected to choose."""
    asks = click.option(
        "--asks",
        metavar="MODEL",
        help="How players choose what to ask: any, adaptive (learned from the log), careful or "
        "'careful 0.3', single players behind it ('careful, Ben any'); the record's model if left "
        "out, else adaptive.",
    )
    shows = click.option(
        "--shows",
        type=click.Choice(("random", "none", "sticky")),
        help="How a player chooses which card to show; the record's choice if left out.",
    )
    return shows(asks(command))


as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


def by_machines(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that say who does the work where there is much of it."""
    jobs = click.option(
        "--jobs",
        type=click.IntRange(min=-1),
        default=-1,
        metavar="N",
        callback=_some_jobs,
        help="How many processes to use for many games; all cores if left out.",
    )
    scheduler = click.option(
        "--scheduler",
        metavar="ADDRESS",
        help="Let the machines of a dask cluster do it instead: tcp://host:8786.",
    )
    return jobs(scheduler(command))


def _some_jobs(_ctx: click.Context, _param: click.Parameter, jobs: int) -> int:
    if jobs == 0:
        raise click.BadParameter("expected a number of processes, or -1 for all cores; found 0")
    return jobs


def took(effort: Effort) -> None:
    """Say what a cluster took."""
    workers = f"{effort.workers} worker{'s' * (effort.workers != 1)}"
    click.echo(
        f"{workers}: {effort.worked:.1f} s of work in {effort.waited:.1f} s, "
        f"{effort.ratio:.2f} times as fast as one",
        err=True,
    )


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


STDOUT = "-"

to_file = click.option(
    "-o",
    "--output",
    type=click.Path(allow_dash=True),
    callback=lambda _context, _option, path: None if path == STDOUT else path,
    help="Where to write it; standard output if left out.",
)
forced = click.option(
    "--force", is_flag=True, help="Write over a file that is there, and what contradicts itself."
)
understood_as_json = click.option(
    "--json", "as_json", is_flag=True, help="Say what was understood as one JSON object."
)


@click.command("import")
@click.argument("file", type=click.Path(allow_dash=True))
@to_file
@click.option(
    "--edition",
    metavar="NAME",
    shell_complete=of_the_shelf,
    help="A shipped edition, or the path of a file.",
)
@click.option("--players", metavar="LIST", default="", help="The players, clockwise: Ann,Ben,Cat.")
@click.option("--viewer", metavar="SEAT", help="Whose notes these are.")
@click.option("--hands", metavar="LIST", default="", help="Hand sizes, same order: 5,5,?.")
@click.option("--hand", metavar="LIST", default="", help="The viewer's own cards.")
@click.option("--face-up", metavar="LIST", default="", help="Cards that lie open: White,Rope.")
@click.option("--face-down", metavar="LIST", default="", help="Undealt cards: Hall,Pool 3.")
@click.option("--order", type=click.Choice(("left", "right")), help="Who answers first.")
@click.option("--answers", type=click.Choice(("first", "all")), help="Who shows a card.")
@click.option(
    "--mark", "marks", multiple=True, metavar="MARK=MEANING",
    help="What a mark on a pad means: 'X=lacks', 'o=has', '-=maybe'; may be given more than once.",
)  # fmt: skip
@click.option("--names", metavar="LANGUAGE", help="The language of the cards' names: de, fr, es.")
@click.option("--mend", is_flag=True, help="Take the name proposed for each that is spelt wrong.")
@click.option(
    "--leave", multiple=True, metavar="COLUMN",
    help="A column to leave aside; may be given more than once.",
)  # fmt: skip
@click.option("--sheet", metavar="NAME", help="Which sheet of a workbook.")
@forced
@understood_as_json
def import_(
    file: str,
    *,
    output: str | None,
    players: str,
    face_up: str,
    marks: tuple[str, ...],
    force: bool,
    as_json: bool,
    **said: Any,
) -> None:
    """
    Write the notes in FILE as a game record.

    FILE is a detective's pad (cards down, players across), a table of suggestions or another
    program's log, as CSV, a workbook (.xlsx, .ods), markdown or JSON, or a record. What was
    understood goes to standard error. On a terminal what the notes do not say is asked for, and
    what was understood is shown before it is written.
    """
    from clue_solver.exchange.marks import parse_marks
    from clue_solver.exchange.pads import import_notes

    _check_free(output, force=force)
    if _wrote_deck(file, output):
        return
    said |= {
        "players": _listed(players), "face_up": _listed(face_up), "marks": parse_marks(marks)
    }  # fmt: skip
    asks = file != STDOUT and not as_json and _can_ask()
    told, asked = _imported(partial(import_notes, file), said, asks=asks)
    given = Path(file).parent if told.kind == "record" else Path()
    record = _placed(told.record, given, output)
    answer = told.to_dict() if as_json else None
    if asked:
        from clue_solver.record import format_record

        for line in (*_understood(told), *format_record(record).splitlines()):
            click.echo(escape(line, most=len(line) + 1), err=True)
        if not click.confirm("Write this?", default=True, err=True):
            click.echo("nothing was written", err=True)
            return
    lines = (lambda _: ()) if asked else (lambda _: _understood(told))
    _write(record, output, answer=answer, lines=lines, force=force)


def _wrote_deck(file: str, output: str | None) -> bool:
    """Write the edition that a deck of another program is to a TOML file; whether it is one."""
    if Path(output or "").suffix != ".toml":
        return False
    from clue_solver.exchange.grid import decoded
    from clue_solver.exchange.programs import deck_of
    from clue_solver.record.files import content_of, write_whole
    from clue_solver.rules.edition import parse_edition

    text = deck_of(decoded(content_of(file), name=file)[0], name=file)
    if text is None:
        raise RecordError("expected a deck (.clueVariety) to write an edition of", path=file)
    cards = len(parse_edition(text, name=str(output)).names)
    write_whole(text.encode(), str(output))
    click.echo(f"{output} written: an edition of {cards} cards", err=True)
    return True


def _can_ask() -> bool:
    """Whether a person sits at both ends."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def _imported(
    reading: Callable[..., Imported], said: dict[str, Any], *, asks: bool
) -> tuple[Imported, bool]:
    """Return what notes tell, and whether a person was asked for what they do not say."""
    from clue_solver.exchange.imports import Unclear

    asked = False
    while True:
        try:
            return reading(**said), asked
        except Unclear as error:
            if not asks or error.faults or not error.questions:
                raise
            for question in error.questions:
                said |= _answered(question, said)
            asked = True


def _answered(question: Unsaid, said: dict[str, Any]) -> dict[str, Any]:
    """Ask a person a question of the notes; return the argument that the answer is."""
    name = question.argument
    click.echo(question.text, err=True)
    if name == "marks":
        kind = click.Choice(question.choices)
        told = {
            mark: click.prompt(f"'{escape(mark)}' means", type=kind, err=True)
            for mark in question.marks
        }
        return {name: {**said[name], **told}}
    if name == "mend":
        return {name: click.confirm("Are they meant?", default=True, err=True) or _give_up()}
    if name == "leave":
        if not click.confirm("Leave it aside?", default=False, err=True):
            _give_up()
        return {name: (*said[name], question.column)}
    choice = click.Choice(question.choices) if question.choices else None
    answer = click.prompt(name.replace("_", " "), type=choice, err=True)
    return {name: _listed(answer) if name == "players" else answer}


def _give_up() -> NoReturn:
    raise click.ClickException("nothing was written: mend the notes and import them again")


SHEETS = (".csv", ".tsv", ".xlsx", ".ods", ".xls", ".numbers")
"""The endings of files that spreadsheets open."""


@click.command()
@click.argument("game", type=click.Path(allow_dash=True))
@click.option("--pad", is_flag=True, help="As a pad: the same as --as pad.")
@click.option(
    "--as",
    "form",
    type=click.Choice(("pad", "suggestions")),
    help="A pad, or the table of suggestions; a pad if left out.",
)
@to_file
@click.option(
    "--viewer",
    metavar="SEAT",
    shell_complete=of_the_game("seats"),
    help="Whose pad; the record's viewer if left out.",
)
@click.option("--upto", type=click.IntRange(min=0), metavar="ENTRY", help="As of this entry.")
@forced
def export(
    game: str,
    *,
    pad: bool,
    form: str | None,
    output: str | None,
    viewer: str | None,
    upto: int | None,
    force: bool,
) -> None:
    """
    Write what a viewer can know of GAME as a detective's pad, or its suggestions as a table.

    Both are CSV, or a workbook where OUTPUT ends in .xlsx or .ods. On a pad a tick has the card, a
    dot has it not; cells of one column with the same number are an either-or that is still open:
    at least one of these cards is there.
    """
    from clue_solver.exchange.pads import export_pad, export_suggestions
    from clue_solver.game import load
    from clue_solver.record.files import write_whole

    if pad and form == "suggestions":
        raise click.UsageError("--pad and --as suggestions are two different forms")
    ending = Path(output or "").suffix.casefold()
    if ending in (".xls", ".numbers", ".clue", ".jsonl", ".json", ".pdf", ".html"):
        raise click.UsageError(f"expected .csv, .xlsx or .ods to write to; found {ending}")
    _check_free(output, force=force)
    write = export_suggestions if form == "suggestions" else export_pad
    table = write(load(game), viewer=viewer, upto=upto)
    if output is None:
        put(table.to_csv())
    elif ending in (".xlsx", ".ods"):
        write_whole(table.to_workbook(ending), output)
    else:
        write_whole(table.to_csv().encode("utf-8-sig"), output)
    if table.left_out:
        entries = ", ".join(map(str, table.left_out))
        what = "that not all of the cards named are in one place, which no pad can say"
        if form == "suggestions":
            what = "what is no suggestion and no accusation"
        click.echo(
            f"not on the {'table' if form == 'suggestions' else 'pad'}: {what} (entry {entries})",
            err=True,
        )


@click.command()
@click.argument("games", nargs=-1, required=True, type=click.Path())
@to_file
@forced
@understood_as_json
def merge(games: tuple[str, ...], *, output: str | None, force: bool, as_json: bool) -> None:
    """Lay several viewers' GAMES, notes of one game, together; where they differ is named."""
    from clue_solver.exchange.merging import merge as lay_together
    from clue_solver.record import load_record

    _check_free(output, force=force)
    records = [load_record(game) for game in games]
    merged = lay_together(records, names=_names(games), force=force)
    record = _placed(merged.record, Path(games[0]).parent, output)
    answer = merged.to_dict() if as_json else None
    _write(record, output, answer=answer, lines=partial(_laid, merged), force=force)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(" ".join(item.split()) for item in text.split(",")) if text.strip() else ()


def _names(paths: Sequence[str]) -> tuple[str, ...]:
    """What to call notebooks: their files' names, or their paths where two are called the same."""
    names = [os.path.basename(path) for path in paths]  # noqa: PTH119
    return tuple(names if len(set(names)) == len(names) else paths)


def _check_free(output: str | None, *, force: bool) -> None:
    if output is not None and os.path.exists(output) and not force:  # noqa: PTH110
        reason = "there is such a file already; nothing was written (--force writes over it)"
        raise RecordError(reason, path=output)


def _placed(record: Record, beside: Path, output: str | None) -> Record:
    """Return the record with the path of its edition's file as it is from the record's place."""
    from msgspec.structs import replace

    from clue_solver.rules.edition import shipped_editions

    edition = record.table.edition
    if edition.name in shipped_editions():
        return record
    name = os.path.relpath(beside / edition.name, Path(output or "").parent)
    return replace(record, table=replace(record.table, edition=replace(edition, name=name)))


def _understood(told: Imported) -> Iterator[str]:
    """Yield what was understood of notes, a line each, and what was left aside."""
    yield "understood"
    for line in told.understood:
        yield f"  {line}"
    for mark, meaning, cells in told.marks:
        yield f"  {escape(mark)} is {meaning}, in {cells} cell{'s' * (cells != 1)}"
    if told.aside:
        yield "left aside"
    for line in told.aside:
        yield f"  {line}"


def _laid(merged: Merged, conflict: tuple[int, ...] | None) -> Iterator[str]:
    """Yield what laying notebooks together did, a line each."""
    from clue_solver.notation import format_line

    yield (
        f"{len(merged.names)} notebooks, {len(merged.told)} entries together; "
        f"{merged.filled} filled in from another notebook"
    )
    for number, lacking in merged.missed:
        line = format_line(merged.told[number - 1].entry.observation, merged.record.table)
        where = ", ".join(map(escape, lacking))
        yield f"  entry {number} is not in {where}: {escape(line, most=200)}"
    for told in merged.differences:
        yield f"  they disagree: {told}"
    for number in conflict or ():
        yield f"  entry {number} is {merged.places(number)}"


def _write(
    record: Record,
    output: str | None,
    *,
    answer: dict[str, Any] | None,
    lines: Callable[[tuple[int, ...] | None], Iterable[str]],
    force: bool,
) -> None:
    """
    Say what was understood, and write the record to its file or to standard output.

    Args:
        record, output: What to write, and where.
        answer: What to print as JSON, with the record where it goes to no file; else `None`.
        lines: Gives what to say instead, from the entries that cannot all be true.
        force: Whether to write a record that contradicts itself.

    Raises:
        Contradiction: If its entries cannot all be true; nothing is written then unless forced.
    """
    from clue_solver.exchange.merging import clash
    from clue_solver.notation import format_line
    from clue_solver.record import format_record, save

    conflict = clash(record)
    if answer is not None:
        answer |= {"conflict": None if conflict is None else list(conflict)}
        answer |= {"record": format_record(record)} if output is None else {}
        click.echo(json.dumps(answer, ensure_ascii=False))
    for said in lines(conflict) if answer is None else ():
        click.echo(said, err=True)
    for number in conflict or ():
        line = format_line(record.entries[number - 1].observation, record.table)
        click.echo(f"  {number:>4}  {escape(line, most=200)}", err=True)
    if conflict is not None and not force:
        click.echo("nothing was written (--force writes it all the same)", err=True)
    elif output is not None:
        save(record, output)
        click.echo(f"{output} written: {len(record.entries)} entries", err=True)
    elif answer is None:
        put(format_record(record))
    if conflict is not None:
        raise Contradiction(conflict)


@click.command(cls=OnLastGame)
@click.argument("games", metavar="[GAME]...", nargs=-1, type=click.Path(allow_dash=True))
@click.option(
    "--solution",
    metavar="CARDS",
    shell_complete=of_the_game("cards"),
    help="What the envelope held: 'Plum, Rope, Hall'; what the right accusation says if left out.",
)
@policies
@click.option(
    "--sample",
    type=click.IntRange(min=100),
    metavar="N",
    help="Weigh a suggestion by N random deals where there are too many to count each; "
    "5000 if left out.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, help="Of the random deals.")
@click.option(
    "--deep",
    is_flag=True,
    help="Tell how likely players were to win before and after each decision, too, by games "
    "played on.",
)
@click.option(
    "--html",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Write the review as a page, too; '-' prints the page instead. Of a folder of games: a "
    "folder to write an index and a page for each game to.",
)
@by_machines
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, of many a line each.")
def review(
    games: tuple[str, ...],
    *,
    solution: str | None,
    html: str | None,
    as_json: bool,
    jobs: int,
    scheduler: str | None,
    **how: Any,
) -> None:
    """
    Go through a finished GAME, turn by turn: who could have known what, and what came of it.

    The record may hold any number of hands; the more, the more is told. With several games there is
    a line for each, all cores work on them, and one that fails leaves the others as they are. A
    folder stands for the records in it; then --html names a folder, too, for an index and a page
    for each game. Without a game it is the last one.
    """
    from clue_solver.game import games_in

    folders = any(Path(each).is_dir() for each in games)
    games = tuple(games_in(games))
    if folders:
        if solution is not None:
            raise click.UsageError("--solution is for one game; found a folder")
        _batch(games, as_json=as_json, pages=html, jobs=jobs, scheduler=scheduler, **how)
        return
    if len(games) > 1:
        if solution is not None or html is not None:
            option = "--solution" if solution is not None else "--html"
            raise click.UsageError(f"{option} is for one game; found {len(games)}")
        if "-" in games:
            raise click.UsageError("standard input can only be reviewed alone")
        _batch(games, as_json=as_json, jobs=jobs, scheduler=scheduler, **how)
        return
    from clue_solver.game import load

    game = load(games[0])
    answer = game.review(solution=solution, **how)
    if html is not None:
        from clue_solver.views.html import review_page

        page = review_page(answer, game.walkthrough())
        if html == STDOUT:
            put(page)
            return
        _written(page, html)
    if as_json:
        click.echo(answer.to_json())
    else:
        from clue_solver.views.explanations import review_text

        terminal().print(review_text(answer))


def _written(content: str, path: str | Path) -> None:
    """Write a page, and say so."""
    from clue_solver.record.files import write_whole

    try:
        write_whole(content.encode("utf-8", "replace"), path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise RecordError(f"cannot write the page: {reason}", path=str(path)) from None
    click.echo(f"{escape(str(path), most=200)} written", err=True)


def _batch(games: tuple[str, ...], *, as_json: bool, pages: str | None = None, **how: Any) -> None:
    """Print a line for each game; messages and the progress bar go to standard error."""
    written: list[tuple[str, str]] = []
    from clue_solver.answers.display import share
    from clue_solver.game import review_all
    from clue_solver.views.explanations import review_summary

    counts, accuracy = Counter[str](), 0.0
    with progress(review_all(games, told=took, **how), len(games)) as outcomes:
        for each in outcomes:
            if each.error is not None:
                click.echo(f"error: {each.error}", err=True)
            if each.review is not None and pages is not None:
                written.append(_page_of(each.path, each.review, pages, written))
            if each.review is not None:
                counts["suggestions"] += len(each.review.suggestions)
                accuracy = sum((one.accuracy for one in each.review.suggestions), accuracy)
                counts.update(accused.verdict for accused in each.review.accusations)
            counts["failed"] += each.review is None
            if as_json:
                told = each.review.to_dict() if each.review else {"schema": 1, "error": each.error}
                click.echo(json.dumps({"file": each.path, **told}, ensure_ascii=False))
            elif each.review is not None:
                click.echo(f"{escape(each.path, most=200)}: {review_summary(each.review)}")
    if not as_json:
        said = [f"{len(games)} games" + f", {counts['failed']} failed" * bool(counts["failed"])]
        if suggestions := counts["suggestions"]:
            mean = share(accuracy / suggestions)
            said.append(f"{suggestions} suggestions of mean accuracy {mean}")
        seldom = ("unlucky", "unknown")
        kinds = ("right", "late", "rash", *(kind for kind in seldom if counts[kind]))
        verdicts = ", ".join(f"{counts[kind]} {kind}" for kind in kinds)
        click.echo("; ".join([*said, f"accusations: {verdicts}"]))
    if pages is not None:
        from clue_solver.views.html import index_page

        _written(index_page(written), Path(pages, "index.html"))
    if counts["failed"]:
        click.get_current_context().exit(UNUSABLE)


def _page_of(
    path: str, review: Review, folder: str, before: Sequence[tuple[str, str]]
) -> tuple[str, str]:
    """Write a game's page into a folder; return its name there, and the game in a line."""
    from clue_solver.game import load
    from clue_solver.views.explanations import review_line
    from clue_solver.views.html import review_page

    name = f"{Path(path).stem}.html"
    if name == "index.html" or name in {each for each, _ in before}:
        name = f"{Path(path).stem}-{len(before) + 1}.html"
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordError(f"cannot write pages: {error.strerror}", path=folder) from None
    _written(review_page(review, load(path).walkthrough()), Path(folder, name))
    return name, f"{Path(path).name}: {review_line(review)}"


@click.command()
@click.argument("games", metavar="GAMES...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--html", metavar="FILE", type=click.Path(allow_dash=True),
    help="Write the season as a page, too; '-' prints the page instead.",
)  # fmt: skip
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Use N processes; else all.")
@click.option("--resume", is_flag=True, help="Take what was found before of games still the same.")
@as_json
def season(
    games: tuple[str, ...], *, html: str | None, jobs: int | None, resume: bool, as_json: bool
) -> None:
    """
    Tell who plays how over many finished GAMES, files or folders of them.

    Per player: wins, own turns until the solution is certain, accuracy, luck, mistakes, habits and
    a rating. Games count in the order given. One that fails leaves the others as they are; an
    interrupted season goes on with --resume.
    """
    from platformdirs import user_cache_path

    from clue_solver.answers.season import gathered
    from clue_solver.game import games_in, season_of_files

    files = games_in(games)
    if not files:
        raise click.UsageError(f"expected records (.clue, .jsonl); found none in {games[0]}")
    memory = user_cache_path("clue-solver") / "season"
    found = season_of_files(files, jobs=jobs or -1, memory=memory, resume=resume)
    with progress(found, len(files)) as outcomes:
        answer = gathered(outcomes)
    for error in answer.failed:
        click.echo(f"error: {error}", err=True)
    if html is not None:
        from clue_solver.views.html import season_page

        if html == STDOUT:
            put(season_page(answer))
        else:
            _written(season_page(answer), html)
    if as_json:
        click.echo(answer.to_json())
    elif html != STDOUT:
        from clue_solver.views.explanations import season_text

        terminal().print(season_text(answer))
    if answer.failed:
        click.get_current_context().exit(UNUSABLE)


def examples_folder() -> Path:
    """Return where the examples are: in the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "examples"
    return inside if inside.is_dir() else package.parent / "examples"


@click.command()
@click.argument("folder", default="examples", type=click.Path(file_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Write over files that are there and differ.")
def examples(folder: Path, *, force: bool) -> None:
    """Copy the examples, games, decks, pads and notebooks, to FOLDER, 'examples' if left out."""
    source = examples_folder()
    for path in (files := [each for each in sorted(source.rglob("*")) if _is_example(each)]):
        there = folder / path.relative_to(source)
        if not force and there.exists() and there.read_bytes() != path.read_bytes():
            _check_free(str(there), force=False)
    for path in files:
        there = folder / path.relative_to(source)
        there.parent.mkdir(parents=True, exist_ok=True)
        if not there.exists() or there.read_bytes() != path.read_bytes():
            there.write_bytes(path.read_bytes())
        click.echo(there)


def _is_example(path: Path) -> bool:
    return path.is_file() and not any(part.startswith((".", "__")) for part in path.parts[-2:])


@click.command(cls=OnLastGame)
@click.argument("games", metavar="[GAME]...", nargs=-1, type=click.Path(allow_dash=True))
@as_json
def habits(games: tuple[str, ...], *, as_json: bool) -> None:
    """
    Learn from finished GAMEs how their players ask, show and accuse.

    It ends with lines for the header of the next game with the same people. The records may hold
    any number of hands; the more, the more is told. All cores work on several games, and one that
    fails leaves the others as they are. Without a game it is the last one.
    """
    from clue_solver import game

    if len(games) == 1:
        answer = game.habits([game.load(games[0])])
    else:
        if "-" in games:
            raise click.UsageError("standard input can only be read alone")
        from clue_solver.answers.habits import gathered

        with progress(game.habits_of_files(games), len(games)) as outcomes:
            answer = gathered(outcomes)
    for error in answer.failed:
        click.echo(f"error: {error}", err=True)
    if as_json:
        click.echo(answer.to_json())
    else:
        from clue_solver.views.explanations import habits_text

        terminal().print(habits_text(answer))
        put("".join(f"{line}\n" for line in answer.header))
    if answer.failed:
        click.get_current_context().exit(UNUSABLE)


@contextmanager
def progress(outcomes: Iterable[Outcome], total: int) -> Iterator[Iterable[Outcome]]:
    """Draw a progress bar on standard error, where that is a terminal, while outcomes are taken."""
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    bar = Progress(
        *Progress.get_default_columns()[:2],
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
        redirect_stdout=sys.stdout.isatty(),  # results in a file or a pipe must not pass by it
    )
    with bar:
        yield bar.track(outcomes, total=total, description="games")
