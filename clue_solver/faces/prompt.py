"""A question to a person, in every face."""

from typing import NamedTuple


class Prompt(NamedTuple):
    """
    One question to a person, in every face.

    Attributes:
        title: What is asked.
        choices: The answers: what the list shows, and what it stands for; none where it is typed.
        line: The line that is asked about, so far.
        seat: Whose answer to a suggestion it is, where each seat is asked for.
        hint: What to know for it.
        fault: What was wrong with the last answer.
        usual: What Enter alone answers; `None` where it answers nothing.
        typed: What is typed already.
        example: What may be typed.
    """

    title: str
    choices: tuple[tuple[str, str], ...] = ()
    line: str = ""
    seat: str = ""
    hint: str = ""
    fault: str = ""
    usual: str | None = None
    typed: str = ""
    example: str = ""

    @property
    def values(self) -> tuple[str, ...]:
        """What the answers stand for."""
        return tuple(value for _, value in self.choices)

    def answer_in(self, text: str) -> str | None:
        """Return the answer with this number, or the first that begins so, or has such a word."""
        text = text.casefold()
        if text.isdecimal():
            number = int(text[:6])
            return self.values[number - 1] if 0 < number <= len(self.choices) else None
        labels = [(label.casefold(), value) for label, value in self.choices]
        begun = [value for label, value in labels if label.startswith(text)]
        within = [value for label, value in labels if f" {text}" in label]
        return next(iter(begun or within), None)
