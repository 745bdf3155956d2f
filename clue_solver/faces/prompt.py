"""A question to a person, for every interface."""

from typing import NamedTuple

from clue_solver.notation.names import Names, numbered


class Prompt(NamedTuple):
    """
    A question to a person, with its choices if there are any.

    Attributes:
        title: The question.
        choices: The label and the value of each choice; empty if the answer is typed.
        line: The line that the question is about, as far as it is known.
        seat: The player whose answer to a suggestion is asked for; empty for other questions.
        hint: A remark that helps to answer.
        fault: What was wrong with the last answer.
        usual: The answer if only Enter is pressed; `None` if there is none.
        typed: The text that is already filled in.
        example: An example of an answer.
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
        """The values of the choices."""
        return tuple(value for _, value in self.choices)

    def with_text(self, text: str, fault: str) -> "Prompt":
        """Return the question with `text` filled in, and with the `fault` of the last answer."""
        usual = text if text or not self.choices or "" in self.values else self.values[0]
        typed = "" if usual in self.values else text
        return self._replace(usual=usual, typed=typed, fault=fault)

    def fault_of(self, text: str) -> str:
        """Return a message that a text is not an answer, and which answers it may stand for."""
        names = self._names
        if len(names.candidates(text)) > 1:
            return names.error_for(text).reason
        near = names.nearest(text)
        meant = f"; did you mean '{near[0]}'?" if near else ""
        return f"this is not one of the answers{meant}"

    def value_in(self, text: str) -> str | None:
        """
        Return the value of the only choice that a text means; `None` if it means none or several.

        The text may be the number of a choice, or the beginning of its label or of a word in that.
        """
        if text.isdecimal():
            return numbered(text, self.values)
        meant = self._names.candidates(text)
        return dict(self.choices)[meant[0]] if len(meant) == 1 else None

    @property
    def _names(self) -> Names:
        """The labels of the choices."""
        return Names("answer", (label for label, _ in self.choices))
