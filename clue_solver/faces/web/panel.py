"""The panels of choices on a page, the values of its forms, and the result of a form."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import parse_qs

from clue_solver.conversation.dialog import PendingLine
from clue_solver.conversation.doubts import Doubt

Query = Mapping[str, Sequence[str]]
Form = dict[str, list[str]]


def form_in(text: str) -> Form:
    """Return the values in an encoded form or URL query; empty if it has too many fields."""
    with suppress(ValueError):
        return parse_qs(text, keep_blank_values=True, max_num_fields=200, errors="replace")
    return {}


def text_in(form: Query, name: str) -> str:
    """Return the first value of the field `name`; empty if the field is missing."""
    return "".join(form.get(name, ())[:1])


def number_in(form: Query, name: str) -> int | None:
    """Return the first value of the field `name` as a number; `None` if it is not a number."""
    text = text_in(form, name)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else None


class Choice(NamedTuple):
    """
    A button or link of a panel.

    Attributes:
        label: The text on the button.
        value: The value that it sends, in the form field that its row or else its panel names.
        href: The address that a link leads to; empty for a button.
        on: Whether it is already chosen.
        main: Whether it is the usual choice.
        off: Whether it is disabled.
        out: Whether the sheet rules it out, so that it is dimmed.
        role: What it stands for, if it is drawn in a special way: `seat`, `card`, `room` or
            `die`; `roll` or `accuse` for these actions; `apart` for an answer unlike the others.
        of: The name of that player, card, room or face of a die.
    """

    label: str
    value: str = ""
    href: str = ""
    on: bool = False
    main: bool = False
    off: bool = False
    out: bool = False
    role: str = ""
    of: str = ""


class Row(NamedTuple):
    """
    A row of choices.

    Attributes:
        title: The title of the row.
        choices: The choices.
        name: The form field that holds the chosen value; empty if a tap sends it at once.
        own: Whether the title stands on a line of its own, above the choices.
    """

    title: str
    choices: tuple[Choice, ...]
    name: str = ""
    own: bool = False


class Panel(NamedTuple):
    """
    A form with choices.

    Attributes:
        action: The action of the form, which says how it is processed.
        field: The form field that a tap sends if its row names none.
        title, remark: The question, and an explanation.
        rows: The rows of choices.
        columns: The cards of each category, of which one may be picked per column.
        fields: Names and values of the hidden fields.
        button: The label of the button that sends the form; empty if a tap on a choice does.
        before: The label of that button until enough cards are picked; empty if it is the same.
        most: If above 0, how many cards can be picked. Once so many are picked and it is known who
            asks, the form sends itself.
        folded: The label under which the panel is collapsed; empty if it is open.
        accuses: Whether it makes an accusation.
        error: Why its request was refused; empty if it was not.
    """

    action: str
    field: str = "line"
    title: str = ""
    remark: str = ""
    rows: tuple[Row, ...] = ()
    columns: tuple[Row, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    button: str = ""
    before: str = ""
    most: int = 0
    folded: str = ""
    accuses: bool = False
    error: str = ""


class FormAnswer(NamedTuple):
    """
    The result of a form, which the next page shows.

    Attributes:
        error: Why nothing was done; empty if there was no error.
        late: The version of the page, if nothing was done because the log has changed since.
        line: The line that was sent but not logged.
        asked: The question about that line.
        pending: The line and the answers to earlier questions about it.
        tab: The tab to show; empty for the one of the form.
        done: What was done, if the page would not show it otherwise.
        chosen: What was chosen in a dealt game and has to be confirmed.
    """

    error: str = ""
    late: str = ""
    line: str = ""
    asked: Doubt | None = None
    pending: PendingLine = PendingLine()
    tab: str = ""
    done: str = ""
    chosen: tuple[str, ...] = ()


NOTHING = FormAnswer()
"""The result of a form if there is nothing to show."""
