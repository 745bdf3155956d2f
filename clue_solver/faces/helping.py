"""
The help of a game: examples of lines in its edition, and the commands.

The examples here name Ann, Ben, Cat and Plum, Rope, Hall. The help shows them with the players and
cards of the game in place of these.
"""

import re
from collections.abc import Iterable, Iterator

from clue_solver.conversation.commands import COMMANDS, GameCommand
from clue_solver.game import Game
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.notation.places import Places
from clue_solver.rules.edition import Edition
from clue_solver.rules.observations import Draw, kinds
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState
from clue_solver.views.document import Block, Line, Rows

_EXAMPLES = (
    ("Look", "ann looks at ben: plum", "a card that you see there"),
    ("Suggestion", "ben plum rope hall: cat", "Ben suggests; who shows a card"),
    ("Suggestion", "ann plum rope hall: ben plum", "Ben shows you this one"),
    ("Suggestion", "ben plum rope hall: -", "nobody shows one"),
    ("Accusation", "ben accuses plum rope hall: wrong", "or right"),
    ("Roll", "ann rolls 7", "the dice"),
    ("Move", "ann moves to hall", "where a piece goes"),
    ("Finger", "ben points at plum rope hall: cat", "the finger, and who has one of the cards"),
    ("Peek", "ann peeks: orchid", "the notch of the envelope"),
    ("Question", "ann asks ben about orchid: no", "the question"),
    ("Draw", "ben draws passage", "a clue card"),
    ("Skip", "ben skips", "a turn without a suggestion"),
    ("Hand", "ann holds plum rope hall ...", "your hand"),
    ("Suggestion", "ben plum rope hall: ?", "the answers were not heard"),
    ("Suggestion", "ben plum rope hall; cat nope", "or 'no', or 'pass'; ';' works like ':'"),
    ("Suggestion", "me plum rope hall: ben shows ?", "'me' is you; ? leaves the card out"),
    ("Reveal", "ben reveals plum to ann", "without 'to' and a name: to everybody"),
    ("Nobody", "nobody reveals plum", "no player has it"),
    ("Knowing", "ben has plum", "anything else you know; 'lacks' works too"),
    ("Stay", "ben stays", "in the room"),
    ("Leave", "ben leaves", "nobody asks Ben any more"),
)
"""Examples of lines, the most common first: the kind of observation, the line, its meaning."""

_KEYS = "Tab completes, Up brings the last line back, Esc goes back. Ctrl+P finds everything."

_LINES = """\
You can leave out the / before a word that cannot begin a
line, such as undo. Answer a question with a number, a
name, y or n. After n the doubtful line is not accepted,
and Up brings it back. Another line waits until the
question is answered. Enter alone is not an answer."""

_CLUES = {
    "left": "ben reveals plum to cat",
    "all": "ben reveals plum",
    "one": "ben reveals plum to ann",
    "move": "ann moves to hall",
    "passage": "ann moves to hall",
    "suspect": "ben reveals plum, or nobody reveals plum",
    "weapon": "ben reveals rope, or nobody reveals rope",
    "room": "ben reveals hall, or nobody reveals hall",
}
"""The line to type after Ann has drawn a clue card, by the kind of the card."""


def help_document(
    table: Table, words: Iterable[str], *, keys: bool = True, how: str = ""
) -> Iterator[Block]:
    """
    Yield the help of a game.

    Args:
        table: The table, whose players and cards the examples use.
        words: The commands that can be used here.
        keys: Whether the interface has keys for commands.
        how: A text on how to play, which replaces the examples of lines; empty for the examples.
    """
    lines = "Type what happens, in full or abbreviated, then press Enter:"
    yield Line(how) if how else Rows(lines, [*example_lines(table)], words=(0, 1))
    commands = []
    for command in COMMANDS:
        if command.word not in words:
            continue
        if command.word == "pieces" and table.edition.board is None:
            continue
        key = key_of(command)
        before = "/" if not keys else f"{key}, " if key else ""
        example = _command_example(command, table)
        commands.append((f"{before}{command.word} {example}".rstrip(), command.does))
    yield Rows("Commands", commands, words=(0, 1))
    yield Line(_KEYS if keys else _LINES)
    if keys and table.slots:
        yield Line("▫ heads a card that lies in a room.")


def key_of(command: GameCommand) -> str:
    """Return the first key of a command as a keyboard labels it; empty if it has none."""
    key = command.keys.partition(",")[0]
    return "Esc" if key == "escape" else "+".join(part.capitalize() for part in key.split("+"))


def wanted_line(game: Game) -> str:
    """
    Return an example of the line that a clue card or special dice call for next.

    The text is empty if nothing does.
    """
    play, edition = game.play(), game.table.edition
    last = game.observations[-1] if game.observations else None
    if isinstance(last, Draw):
        return f"clue card, {with_names(_CLUES[last.kind], game.table, first=last.by)}"
    if play.pending and play.due == play.turn:
        actions = [edition.bonus[face] for face in play.dice if face in edition.bonus]
        if actions:
            return f"bonus die, {' '.join(f'{action} ...' for action in actions)}"
    return f"rolls {_dice(edition)}" if edition.suspect_dice and play.may("rolls") else ""


def example_lines(table: Table) -> Iterator[tuple[str, str]]:
    """
    Yield example lines for a table, each with its meaning.

    >>> from clue_solver import load
    >>> next(example_lines(load("examples/classic.clue").table))
    ('ben sca kni con: cat', 'Ben suggests; who shows a card')
    """
    places = Places(table, TurnState())
    offered = {kind.__name__ for kind in kinds() if places.is_offered(kind.form)}
    looks = () if table.slots else _EXAMPLES[:1]  # most common where cards lie face-down
    for kind, line, meaning in (*_EXAMPLES[len(looks) :], *looks):
        if kind in offered:
            named = table.edition.named if kind == "Suggestion" else None
            yield with_names(line, table, named=named), with_names(meaning, table)


def with_names(text: str, table: Table, *, first: str = "", named: int | None = None) -> str:
    """
    Return an example with the players and cards of a table.

    Args:
        text: The example, which names Ann, Ben, Cat and Plum, Rope, Hall.
        table: The table, whose names replace those.
        first: The seat that stands for Ann; by default the viewer.
        named: How many cards a line names; by default one of each category.

    >>> from clue_solver import load
    >>> with_names("ben has rope", load("examples/diced.clue").table)
    'leo has brawn mus'
    """
    edition, seats = table.edition, table.seats
    at = seats.index(first or table.viewer or seats[0])
    names = {name: seats[(at + n) % len(seats)] for n, name in enumerate(("Ann", "Ben", "Cat"))}
    words = {name.casefold(): seat.casefold() for name, seat in names.items()} | names
    cards = [kind.cards[n % len(kind.cards)].name for n, kind in enumerate(edition.category)]
    for place, word in enumerate(("plum", "rope", "hall")):
        if place < len(cards[:named]):
            words[word] = _short_name(cards[place], table)
        elif " " in text:
            text = re.sub(rf",? {word}\b", "", text)
    words["orchid"] = [*edition.features, ""][0].casefold()
    text = text.replace("Ann, Ben, Cat", ", ".join(seats))
    if edition.suspect_dice:
        text = text.replace("rolls 7", f"rolls {_dice(edition)}")
    if table.slots:
        text = text.replace("looks at ben", f"looks at {table.slots[0].name.casefold()}")
    return re.sub(r"\w+", lambda word: words.get(word[0], word[0]), text)


def _command_example(command: GameCommand, table: Table) -> str:
    """Return an example of what may follow a command's word, with the names of a table."""
    match command.word:
        case "hands":
            return ", ".join(map(str, table.dealt_from(0)))
        case "pieces":
            return ", ".join(table.edition.suspects[: len(table.seats)]).casefold()
    return with_names(command.example, table)


def _dice(edition: Edition) -> str:
    """Return an example of the faces that an edition's special dice show, abbreviated."""
    faces = [*[*edition.features][: edition.suspect_dice], *[*edition.bonus][:1]]
    return " ".join(face[:4] for face in faces).casefold()


def _short_name(card: str, table: Table) -> str:
    """Return the shortest unambiguous abbreviation of a card, with at least three letters."""
    card = card.casefold()
    first, last = len(card.partition(" ")[0]), len(card.rpartition(" ")[2])
    lengths = (*range(3, first + 1), *range(len(card) - last + 3, len(card)))
    cards = lexicon_of(table).cards
    short = (card[:length] for length in lengths)
    return next((each for each in short if len(cards.candidates(each)) == 1), card)
