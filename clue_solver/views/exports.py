"""
Answers as pandas tables, for other programs.

pandas comes with the `notebook` extra and is imported when a table is requested.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from clue_solver.answers.advice import Advice, RankedSuggestion
from clue_solver.answers.display import AnswerValue, view
from clue_solver.answers.report import Report
from clue_solver.answers.review import Highlight, Moment, Review, SuggestionReview
from clue_solver.answers.season import PlayerResult, PlayerSeason, Season
from clue_solver.errors import ArgumentError, import_extra, listed
from clue_solver.game import Game
from clue_solver.game.games import Evaluated, Games
from clue_solver.rules import observations as observed

if TYPE_CHECKING:
    from pandas import DataFrame


def _expect(what: str, *tables: str) -> None:
    """Raise an `ArgumentError` if `what` is none of the tables that an answer has."""
    if what not in tables:
        message = f"what: expected {listed(tables, 'or')}; found {what!r}"
        raise ArgumentError(message, argument="what")


@view(Report, "frame")
def report_table(report: Report, what: str) -> DataFrame:
    """
    Return a table of a report.

    Args:
        report: The report.
        what: `marginals`, with a row for each card in play, under its category, and a column for
            each holder, all `nan` if no deal is possible; or `solutions`, with a column for each
            category and `probability`, likeliest first.

    Raises:
        ArgumentError: If there is no such table.
        MissingExtra: If pandas is not installed.
    """
    _expect(what, "marginals", "solutions")
    pandas = import_extra("pandas")
    if what == "marginals":
        category = report.table.edition.category_of
        places = [(category[card], card) for card in report.cards]
        index = pandas.MultiIndex.from_tuples(places, names=["category", "card"])
        return pandas.DataFrame(report.probabilities, index=index, columns=list(report.holders))
    heads = [kind.name for kind in report.table.edition.category]
    rows = [(*cards, chance) for cards, chance in report.solutions]
    return pandas.DataFrame(rows, columns=[*heads, "probability"])


@view(Game, "frame")
def game_table(game: Game) -> DataFrame:
    """
    Return a row for each entry of a game, numbered from 1.

    Columns: `kind`; `by`, the seat that acts or whose hand it is; `of`, the other seat or place
    that it concerns; `cards`, the named cards; `answer`; `shower` and `shown`, who showed which
    card, as far as recorded (a peek shows a feature); `line`, the entry as a line. A value that the
    entry does not have is `None`; several values are joined by commas.

    Raises:
        MissingExtra: If pandas is not installed.
    """
    pandas = import_extra("pandas")
    columns = ["kind", "by", "of", "cards", "answer", "shower", "shown"]
    rows = [_row(observation) for observation in game.observations]
    frame = pandas.DataFrame(rows, columns=columns, dtype=object)
    frame["line"] = pandas.Series(game.lines, dtype=object)
    frame.index = pandas.RangeIndex(1, len(rows) + 1, name="entry")
    return frame


@view(Advice, "frame")
def advice_table(advice: Advice) -> DataFrame:
    """
    Return a row for each possible suggestion, best first, ranked from 1.

    The columns are the attributes of `RankedSuggestion`.

    Raises:
        MissingExtra: If pandas is not installed.
    """
    frame = _frame(RankedSuggestion, advice.suggestions)
    frame.index = import_extra("pandas").RangeIndex(1, len(frame) + 1, name="rank")
    return frame


@view(Review, "frame")
def review_table(review: Review, what: str) -> DataFrame:
    """
    Return a table of a review.

    The columns are the attributes of `Moment`, `SuggestionReview` (without `inside`) or
    `Highlight`. The index is the entry; in the timeline, the seat and the entry.

    Args:
        review: The review.
        what: `timeline`, with a row for each seat and entry (entry 0 is before the log); or
            `suggestions` or `highlights`, with a row for each.

    Raises:
        ArgumentError: If there is no such table.
        MissingExtra: If pandas is not installed.
    """
    _expect(what, "timeline", "suggestions", "highlights")
    if what == "suggestions":
        return _frame(SuggestionReview, review.suggestions).set_index("entry")
    if what == "highlights":
        return _frame(Highlight, review.highlights).set_index("entry")
    frame = _frame(Moment, [moment for seat in review.seats for moment in seat.timeline])
    seats = [seat.seat for seat in review.seats for _ in seat.timeline]
    frame.insert(0, "seat", seats)
    return frame.set_index(["seat", "entry"])


@view(Season, "frame")
def season_table(season: Season, what: str) -> DataFrame:
    """
    Return a table of a season.

    The columns are the attributes of `PlayerResult` and of `PlayerSeason`.

    Args:
        season: The season.
        what: `games`, with a row for each game and player, in order; or `players`, with a row for
            each player.

    Raises:
        ArgumentError: If there is no such table.
        MissingExtra: If pandas is not installed.
    """
    _expect(what, "players", "games")
    if what == "games":
        return _frame(PlayerResult, season.rows)
    return _frame(PlayerSeason, season.players).set_index("seat")


def _frame(kind: type[AnswerValue], rows: Sequence[AnswerValue]) -> DataFrame:
    """
    Return a table with a row for each value and a typed column for each attribute in `_TYPES`.
    """
    pandas = import_extra("pandas")
    columns = {}
    for name, annotation in kind.__annotations__.items():
        values = [getattr(row, name) for row in rows]
        if annotation == "Cards" or annotation.startswith("tuple[str"):
            values = [", ".join(each) for each in values]
        dtype = _TYPES.get(annotation)
        if dtype is not None:
            columns[name] = pandas.Series(values, dtype=dtype)
    return pandas.DataFrame(columns)


_TYPES = {
    "str": "string",
    "str | None": "string",
    "tuple[str, ...]": "string",
    "Cards": "string",
    "HighlightKind": "string",
    "Label | None": "string",
    "bool": "boolean",
    "int": "object",  # deals may be more than 64 bits hold
    "int | None": "Int64",
    "float": "float64",
    "float | None": "Float64",
}
"""The pandas type of a column by the attribute's annotation; other attributes are left out."""


def _row(observation: observed.Observation) -> tuple[str | None, ...]:
    """
    Return an entry's cells: its kind, by, of, cards, answer, shower and shown columns.

    A cell is `None` if the entry has no such value.
    """
    fields = {name: getattr(observation, name) for name in observation.__struct_fields__}
    by = fields.pop(observation.form.subject, None)
    others = [fields.get(name) for name in ("seat", "holder", "to", "kind")]
    cards = (
        fields.get("cards") or fields.get("about") or fields.get("has") or fields.get("lacks") or ()
    )
    of, answer = next(filter(None, others), None), fields.get("answer")
    shower, shown = None, fields.get("card") or fields.get("feature")
    match observation:
        case observed.Inquiry(answers=answers):
            shows = [each for each in answers if each.answer == "shows"]
            answer = _join(" ".join(filter(None, (each.seat, each.answer))) for each in answers)
            shower = _join(each.seat for each in shows)
            if any(each.card for each in shows):
                shown = _join(each.card or "?" for each in shows)
        case observed.Question(answer="shows"):
            shower = of
        case observed.Reveal():
            shower = by
        case observed.Nobody(card=card):
            cards, shown = (card,), None
        case observed.Accusation(right=right):
            answer = "right" if right else "wrong"
        case observed.Knowing(has=has):
            answer = "has" if has else "lacks"
        case observed.Roll(total=total, icons=icons, dice=dice):
            of = _join((str(total), *icons)) if total is not None else _join(dice)
    kind = str(observation.__struct_config__.tag)
    return kind, by, of, _join(cards), answer, shower, shown


def _join(names: Iterable[str | None]) -> str | None:
    """Return names with commas between them; `None` if there are none."""
    return ", ".join(name for name in names if name) or None


@view(Games, "frame")
def games_table(games: Games, what: str) -> DataFrame:
    """
    Return a table of several games.

    Args:
        games: The games.
        what: `games` for one row per game: its name, edition, players, viewer, numbers of entries
            and suggestions, who went first, who won, and the solution. `entries` for one row per
            entry: the columns of a single game's table, after the name of the game.

    Raises:
        ArgumentError: If there is no such table.
        MissingExtra: If pandas is not installed.
    """
    _expect(what, "games", "entries")
    pandas = import_extra("pandas")
    if what == "entries":
        frames = [game_table(game) for game in games]
        for frame, game in zip(frames, games, strict=True):
            players = map(game.players.get, frame["by"])
            frame.insert(2, "by_player", pandas.Series(players, frame.index, object))
        return pandas.concat(frames, keys=games.names, names=["game"]).reset_index()
    columns = ["game", "edition", "seats", "players", "viewer", "entries", "suggestions"]
    columns += ["first", "first_player", "winner", "winner_player", "accusations", "solution"]
    rows = [_game_row(name, game) for name, game in zip(games.names, games, strict=True)]
    return pandas.DataFrame(rows, columns=columns)


def _game_row(name: str, game: Game) -> tuple[Any, ...]:
    """Return the row of a game in the table of games."""
    table, players = game.table, game.players
    log = game.observations
    asked = [each for each in log if isinstance(each, observed.Suggestion)]
    accused = [each for each in log if isinstance(each, observed.Accusation)]
    won = [each for each in accused if each.right]
    turns = (each.actor for each in log if each.turn)
    first = table.first or next(turns, None)
    winner = won[-1].by if won else None
    return (
        *(name, table.edition.name, ", ".join(table.seats), ", ".join(players.values())),
        *(table.viewer, len(log), len(asked)),
        *(first, players.get(first or "")),
        *(winner, players.get(winner or "")),
        len(accused),
        ", ".join(won[-1].cards if won else table.solution) or None,
    )


@view(Evaluated, "frame")
def evaluated_table(known: Evaluated, what: str) -> DataFrame:
    """
    Return a table of evaluated positions.

    Args:
        known: The positions.
        what: `positions`, with a row for each position, or `marginals`, with a row for each card
            and holder in each position.

    Raises:
        ArgumentError: If there is no such table.
        MissingExtra: If pandas is not installed.
    """
    _expect(what, "positions", "marginals")
    pandas = import_extra("pandas")
    count = len(known.entries)
    keys: dict[str, Any] = {
        "game": known.games,
        "viewer": known.viewers,
        "player": known.players,
        "entry": known.entries,
    }
    if what == "positions":
        likely = known.solutions.reshape(count, -1)
        return pandas.DataFrame(
            {
                **keys,
                "consistent": known.consistent,
                "deals": known.deals.tolist(),
                "bits": known.bits,
                "chance": likely.max(axis=1),
            }
        )
    labels = [range(count), known.cards, known.holders]
    index = pandas.MultiIndex.from_product(labels, names=["position", "card", "holder"])
    verdicts = np.array(["open", "holds", "lacks"], object)[known.verdicts.ravel()]
    columns = {"probability": known.marginals.ravel(), "verdict": verdicts}
    cells = pandas.DataFrame(columns, index=index).reset_index()
    of_each = pandas.DataFrame(keys).loc[cells.pop("position")].reset_index(drop=True)
    return pandas.concat([of_each, cells], axis=1)
