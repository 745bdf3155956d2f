"""The forms of a page: what each of their buttons would send."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from typing import NamedTuple


class Sent(NamedTuple):
    """What a tap sends: where to, and what of it."""

    action: str
    said: Mapping[str, list[str]]


def buttons(text: str, action: str) -> dict[str, Sent]:
    """What each button of a page's forms of a kind would send, by what it sends itself or says."""
    found: dict[str, Sent] = {}
    for where, form in re.findall(
        rf'<form[^>]*action="([^"]+/{action})"[^>]*>(.*?)</form>', text, re.S
    ):
        said: dict[str, list[str]] = {}
        for field in re.findall(r"<input([^>]*)>", form):
            name, value = (re.search(rf'{key}="([^"]*)"', field) for key in ("name", "value"))
            if 'type="hidden"' in field and name:
                said.setdefault(name[1], []).append(unescape(value[1] if value else ""))
        for button, label in re.findall(r"<button([^>]*)>(.*?)</button>", form, re.S):
            name, value = (re.search(rf'{key}="([^"]*)"', button) for key in ("name", "value"))
            own = {name[1]: [unescape(value[1])]} if name and value else {}
            shown = re.sub(r'<span[^>]*aria-hidden="true">.*?</span>', "", label)
            plain = " ".join(unescape(re.sub(r"<[^>]*>", "", shown)).split())
            sent = Sent(where, said | own)
            found.setdefault(plain, sent)
            if value:
                found.setdefault(unescape(value[1]), sent)
    return found
