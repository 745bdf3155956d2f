"""What a form or an address says: values by name."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from urllib.parse import parse_qs

Query = Mapping[str, Sequence[str]]
Said = dict[str, list[str]]


def said_in(text: str) -> Said:
    """Return what an encoded text says; nothing of one that is too long."""
    with suppress(ValueError):
        return parse_qs(text, keep_blank_values=True, max_num_fields=200, errors="replace")
    return {}


def one(said: Query, name: str) -> str:
    """Return what stands under a name; empty if nothing does."""
    return "".join(said.get(name, ())[:1])


def number_in(said: Query, name: str) -> int | None:
    """Return a number that stands under a name; `None` where it is none."""
    text = one(said, name)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else None
