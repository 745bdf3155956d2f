"""The help of a game: examples of lines in its edition, and the commands."""

import re
from collections.abc import Iterable, Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from clue_solver.conversation.commands import COMMANDS, GameCommand
from clue_solver.game import Game
from clue_solver.notation import TurnState, lexicon_of
from clue_solver.notation.places import Places
from clue_solver.rules.observations import Draw, kinds
from clue_solver.rules.table import Table

FIRST = ("lists", "advise", "undo", "edit", "hints", "hands", "new")
"""The commands on the first page of the help."""

_EXAMPLES = (
    ("Suggestion", "{b} {cards}: {d}", "{B} suggests; who shows a card"),
    ("Suggestion", "{a} {cards}: {c} {card}", "{C} shows {A} this one"),
    ("Suggestion", "{b} {cards}: -", "nobody shows one"),
    ("Accusation", "{b} accuses {all}: wrong", "or right"),
    ("Roll", "{a} rolls {roll}", "the dice"),
    ("Move", "{a} moves to {room}", "where a piece goes"),
    ("Finger", "{b} points at {cards}: {d}", "the finger, and who has one of them"),
    ("Peek", "{a} peeks: {suspect}", "the notch of the envelope"),
    ("Question", "{a} asks {b} about {suspect}: no", "the question"),
    ("Draw", "{b} draws passage", "a clue card"),
    ("Skip", "{b} skips", "a turn without a suggestion"),
    ("Hand", "{a} holds {all} ...", "your hand"),
    ("Suggestion", "{b} {cards}: ?", "the answers were not heard"),
    (
        "Suggestion",
        "{b} {cards}; {d} nope",
        "'nope', 'no' and 'pass' mean the same; ';' works like ':'",
    ),
    ("Suggestion", "me {cards}: {c} shows ?", "left out on purpose; me and i are {A}"),
    ("Look", "{a} looks at {place}: {card}", "a card that you see there"),
    ("Reveal", "{c} reveals {card} to {a}", "or to all: {C} reveals {card}"),
    ("Nobody", "nobody reveals {card}", "no player has it"),
    ("Knowing", "{c} has {card}", "anything else you know; 'lacks' works too"),
    ("Stay", "{b} stays", "in the room"),
    ("Leave", "{b} leaves", "nobody asks {B} any more"),
)
"""Examples of lines: the kind of observation, the line, its meaning; most common first."""

_CLUES = {
    "left": "{other} reveals {card} to {next}",
    "all": "{other} reveals {card}",
    "one": "{other} reveals {card} to {by}",
    "move": "{by} moves to {room}",
    "passage": "{by} moves to {room}",
}
"""The line to type after each kind of clue card; other kinds name a card to reveal."""


def help_text(
    table: Table, words: Iterable[str], *, more: bool, keys: bool = True, how: str = ""
) -> RenderableType:
    """
    Return the help of a game.

    Args:
        table: The table, whose players and cards the examples use.
        words: The commands that can be used here.
        more: Whether to return the whole help instead of the first page.
        keys: Whether the commands have keys.
        how: How to play, in place of the examples of lines.
    """
    lines, commands = Grid.grid(padding=(0, 2, 0, 0)), Grid.grid(padding=(0, 2, 0, 0))
    for line, says in [] if how else [*example_lines(table)][: None if more else 8]:
        lines.add_row(Text(line, "bold"), Text(says))
    for command in COMMANDS:
        if command.word not in words or not (more or command.word in FIRST):
            continue
        if command.word in ("board", "pieces") and table.edition.board is None:
            continue
        example = with_names(command.example, table)
        key = key_of(command)
        before = "/" if not keys else f"{key}, " if key else ""
        commands.add_row(Text(f"{before}{command.word} {example}".rstrip()), command.does)
    rest = "Tab completes, Up brings the last line back, Esc goes back. "
    rest += "Ctrl+P finds everything." if more else "help more: all."
    head = how or "Type what happens, in full or in short, then Enter:"
    indented = Padding(Group(lines, commands), (0, 0, 0, 2))
    return Group(head, indented, *([rest] if keys else []))


def key_of(command: GameCommand) -> str:
    """Return the first key of a command as a keyboard labels it; empty if it has none."""
    key = command.keys.partition(",")[0]
    return "Esc" if key == "escape" else "+".join(part.capitalize() for part in key.split("+"))


def wanted_line(game: Game) -> str:
    """Return an example of the line to type after a roll or a clue card; empty if none is due."""
    play, edition = game.play(), game.table.edition
    last = game.observations[-1] if game.observations else None
    if isinstance(last, Draw):
        table, other = game.table, game.table.after(last.by)
        kinds_of = {kind.name: kind.cards for kind in edition.category}
        cards = kinds_of.get(last.kind, edition.cards)
        said = {"by": last.by, "other": other, "next": table.after(other)}
        said |= {
            "card": _short_name(cards[0].name, table),
            "room": _short_name(edition.rooms[0], table),
        }
        line = _CLUES.get(last.kind, "{other} reveals {card}, or nobody reveals {card}")
        return f"clue card, {line.format(**said).casefold()}"
    if play.pending and play.due == play.turn:
        actions = [edition.bonus[face] for face in play.dice if face in edition.bonus]
        if actions:
            return f"bonus die, {' '.join(f'{action} ...' for action in actions)}"
    if not edition.suspect_dice or not play.may("rolls"):
        return ""
    faces = [*[*edition.features][: edition.suspect_dice], *[*edition.bonus][:1]]
    return f"rolls {' '.join(face[:4] for face in faces)}".casefold()


def example_lines(table: Table) -> Iterator[tuple[str, str]]:
    """
    Yield example lines for a table, each with its meaning.

    >>> from clue_solver import load
    >>> next(example_lines(load("examples/classic.clue").table))
    ('ben sca kni con: dan', 'Ben suggests; who shows a card')
    """
    places = Places(table, TurnState())
    offered = {kind.__name__ for kind in kinds() if places.is_offered(kind.form)}
    said = _placeholders(table)
    looks = [form for form in _EXAMPLES if form[0] == "Look"] if table.slots else []
    for kind, line, meaning in dict.fromkeys((*looks, *_EXAMPLES)):
        if kind in offered:
            yield line.format(**said), meaning.format(**said)


def _placeholders(table: Table) -> dict[str, str]:
    """Return the names that fill the placeholders of the examples at a table."""
    edition = table.edition
    own = table.viewer or table.seats[0]
    at = table.seats.index(own)
    around = [*table.seats[at:], *table.seats[:at]]
    cards = [
        kind.cards[number % len(kind.cards)].name for number, kind in enumerate(edition.category)
    ]
    die = [*edition.features][: edition.suspect_dice]
    short = [_short_name(card, table) for card in cards]
    between = ", " if any(" " in card for card in short) else " "
    seats = (*around[:2], around[-1], around[-1 if len(around) > 2 else 0])
    who = {letter: seat.casefold() for letter, seat in zip("abcd", seats, strict=True)}
    who |= {letter.upper(): seat for letter, seat in zip("abcd", seats, strict=True)}
    return who | {
        "A": "you" if table.viewer else own,
        "cards": between.join(short[: edition.named]),
        "all": between.join(short),
        "card": short[0],
        "room": _short_name(edition.rooms[0], table) if edition.rooms else "",
        "roll": " ".join((*die, *[*edition.bonus][:1])).casefold() if die else "7",
        "suspect": [*edition.features, ""][0].casefold(),
        "place": (table.slots[0].name if table.slots else around[1]).casefold(),
    }


def with_names(example: str, table: Table) -> str:
    """
    Return a command's example with the players and cards of a table.

    >>> from clue_solver import load
    >>> with_names("ben has rope", load("examples/diced.clue").table)
    'leo has brawn scarlett'
    """
    edition, seats = table.edition, table.seats
    least, over = divmod(table.dealt, len(seats))
    names = dict(zip(("Ann", "Ben", "Cat"), (*seats, seats[0]), strict=False))
    names |= {name.casefold(): seat.casefold() for name, seat in names.items()}
    for place, word in enumerate(("plum", "rope", "hall")):
        if place < len(edition.category):
            names[word] = edition.category[place].cards[0].name.casefold()
        else:
            example = re.sub(rf",? {word}\b", "", example)
    sizes = ", ".join(str(least + (place < over)) for place in range(len(seats)))
    if "?" in example:  # who plays whom
        return ", ".join(edition.suspects[: len(seats)]).casefold()
    example = example.replace("Ann, Ben, Cat", ", ".join(seats)).replace("5, 5, 4, 4", sizes)
    return re.sub(r"\w+", lambda word: names.get(word[0], word[0]), example)


def _short_name(card: str, table: Table) -> str:
    """Return the shortest unambiguous abbreviation of a card, with at least three letters."""
    card = card.casefold()
    first, last = len(card.partition(" ")[0]), len(card.rpartition(" ")[2])
    lengths = (*range(3, first + 1), *range(len(card) - last + 3, len(card)))
    cards = lexicon_of(table).cards
    short = (card[:length] for length in lengths)
    return next((each for each in short if len(cards.candidates(each)) == 1), card)
