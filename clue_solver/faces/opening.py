"""
The questions before a game: which one to go on with, or how to set up a new one.

Every interface of the terminal asks them in its own way, and sends each answer to the generator.
It sends `None` to go back to the question before.
"""

from collections.abc import Collection, Generator
from pathlib import Path

from clue_solver.errors import ClueError, NotationError
from clue_solver.faces import setup
from clue_solver.faces.games import KeptGame, last_table
from clue_solver.faces.prompt import Prompt
from clue_solver.faces.setup import FIELDS, USUAL, NewGame, Typed
from clue_solver.record import header
from clue_solver.rules.table import Table

Opening = Generator[tuple[Prompt, NewGame | None], str | None, NewGame | str]
"""
Yields a question, and the new game as far as it is set up, if one is. Receives the answer. In the
end it returns the new game, or the path of a saved one, or the name of another way to begin.
"""

_NEW, _AGAIN = "new", "again"
"""The ways to set up a game: with other players, and with those of the last game."""


def opening(
    path: Path | None,
    typed: Typed | None,
    *,
    person: bool,
    kept: Collection[KeptGame] = (),
    others: tuple[str, ...] = (),
    hint: str = "",
) -> Opening:
    """
    Ask how to begin. If a new game is set up, ask for those of its fields that are not known.

    Args:
        path: The file of a new game; `None` if none is given. If one is, saved games are offered
            only once the person goes back from the first question about the new game.
        typed: The known fields of a new game; `None` to ask how to begin.
        person: Whether a person answers. A person is also asked how to begin, about doubtful names
            and about fields that may be left out.
        kept: The saved games to offer.
        others: Other ways to begin a game.
        hint: What to say below the first question.

    Raises:
        ClueError: If there is no such edition.
    """
    asks, every = person and typed is None, path is None
    last = last_table() if person else None
    texts = dict.fromkeys(FIELDS, "") | (typed or {})  # the text that each question begins with
    known = {*(typed or {})}
    while True:
        # How to begin, if there is more than one way.
        start = _starting_question((), last)
        if every:
            start = _starting_question(kept, last, others)._replace(hint=hint)
        chosen: str | None = _NEW
        if asks and len(start.choices) > 1:
            chosen = yield start, None
            while chosen not in start.values:
                fault = "" if chosen is None else start.fault_of(chosen)
                chosen = yield start._replace(hint="Ctrl+Q quits.", fault=fault), None
        if chosen not in (_NEW, _AGAIN):
            return str(chosen)
        # What a new game is like; whoever goes back from there is offered everything.
        again = last if chosen == _AGAIN else None
        if again is not None:
            known = {"edition", "players", "viewer"}
            for name in (*known, "face_down", "pieces", "first"):
                texts[name] = header.format_value(again, name.replace("_", "-")) or ""
        new = yield from _questions(texts, known, again, person=person)
        if new is not None:
            return new
        asks, every, known = True, True, set()


def _starting_question(
    kept: Collection[KeptGame], last: Table | None, others: tuple[str, ...] = ()
) -> Prompt:
    """
    Return the question how to begin, with its choices in this order.

    They are the unfinished games among `kept`, a new game at the table `last` or at another one,
    the `others`, and the finished games.
    """
    going, over = (
        [(f"{verb} {game.summary}", str(game.path)) for game in kept if game.over == ended]
        for verb, ended in (("Continue", False), ("Review", True))
    )
    ways = [("A new game", _NEW)]
    if last is not None:
        same = f"{last.edition.title}; {', '.join(last.seats)}"
        again = f"A new game, same table as last time: {same}"
        ways = [(again, _AGAIN), ("A new game at another table", _NEW)]
    choices = (*going, *ways, *((way, way) for way in others), *over)
    return Prompt("How would you like to start?", choices, usual=choices[0][1])


def _questions(
    texts: Typed, known: Collection[str], last: Table | None, *, person: bool
) -> Generator[tuple[Prompt, NewGame], str | None, NewGame | None]:
    """
    Ask for the unknown fields of a new game; after a wrong answer, ask again.

    Args:
        texts: The text that is filled in for each field; updated with each answer.
        known: The names of the fields that are not asked for.
        last: The table of the last game, if its players play again; `None` for a new table.
        person: Whether a person answers.

    Returns:
        The game; `None` if the person went back from the first question.
    """
    begins = (texts["edition"] if "edition" in known else "") or USUAL
    edition = last.edition if last else setup.find_edition(begins)
    texts["edition"] = edition.name
    new = NewGame(edition, {name: texts[name] if name in known else "" for name in FIELDS}, last)
    fields = [name for name in FIELDS if name not in known]
    asked: list[int] = []  # the places of the fields that were asked for
    doubted: set[str] = set()  # nobody is asked twice
    place, fault, refused = 0, "", ""
    while place < len(fields):
        name = fields[place]
        question = new.question(name, person=person)
        if question is None:
            place += 1
            continue
        asking = question.with_text(texts[name], fault)
        text = yield asking._replace(typed=refused or asking.typed), new
        fault = refused = ""
        if text is None:
            if not asked:
                return None
            place = asked.pop()
            new = new._replace(typed=new.typed | {fields[place]: ""})
            continue
        before, texts[name] = texts[name], text
        try:
            answered = new.with_answer(name, text)
            doubts = setup.doubtful_players(answered.table) if person and name == "players" else ()
            for doubt, otherwise in doubts:
                if doubt not in doubted:
                    doubted.add(doubt)
                    raise NotationError(f"{doubt} If so, press Enter again; if not, {otherwise}.")
        except ClueError as error:
            fault = f"✗ {error}"
            if question.choices:  # Enter takes the same choice as before
                texts[name], refused = before, text
            continue
        new = answered
        asked.append(place)
        place += 1
    return new.whole
