"""What a page asks, for a game that is logged as for one that is dealt: choices in rows."""

from typing import NamedTuple


class Choice(NamedTuple):
    """
    Something to tap.

    Attributes:
        label: What it says.
        value: What it sends, in the field of its row; a whole line where its row has none.
        href: Where it leads, where it sends nothing.
        on: Whether it is chosen already.
        main: Whether it is the usual one.
        off: Whether it cannot be chosen now.
        clash: Whether it contradicts the log.
        face: The face of a die that it tells.
    """

    label: str
    value: str = ""
    href: str = ""
    on: bool = False
    main: bool = False
    off: bool = False
    clash: bool = False
    face: str = ""


class Row(NamedTuple):
    """
    Choices beside each other.

    Attributes:
        title: What they are.
        choices: The choices.
        name: The field of a form that has the one that is chosen, and sent with others; empty
            where a tap sends it at once.
        own: Whether the title stands above them, as something to do first.
        folded: Whether only the title is seen before it is tapped.
    """

    title: str
    choices: tuple[Choice, ...]
    name: str = ""
    own: bool = False
    folded: bool = False


class Panel(NamedTuple):
    """
    What is asked.

    Attributes:
        action: What the form does.
        field: What a tap sends, where the row has no field of its own.
        title, remark: What is asked, and what to know for it.
        rows: The choices.
        columns: The cards by category, of which one of a column may be chosen.
        fields: What the form says besides: names and values.
        button: What sends what is chosen; empty where a tap does.
        most: How many cards are chosen at most, where each choice says what goes with it; who asks
            for so many is sent by itself.
        folded: What it is called while it is folded; empty where it is open.
    """

    action: str
    field: str = "line"
    title: str = ""
    remark: str = ""
    rows: tuple[Row, ...] = ()
    columns: tuple[Row, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    button: str = ""
    most: int = 0
    folded: str = ""
