"""Interprets the titles of columns and the labels of lines."""

import re

from clue_solver.exchange import terms
from clue_solver.exchange.marks import meaning_of
from clue_solver.notation.names import words_of
from clue_solver.rules.table import ENVELOPE

_REMARK = r"(my )?(comments?|rmks?|notes?|remarks?|thoughts|bemerkung(en)?|remarques?|notas?)"
PAD = {
    "holder": r"holder|owner|who( ?s)? ?(has|got|holds)?( it)?|whose|held by|has it|"
    r"location|with|wer( hat)?( sie| es)?|qui( la| a)?|quien( la)?( tiene)?|chi( l| ce l)?( ha)?|"
    r"wie( heeft)?( hem| m)?",
    "lacks": r"(who )?(not|doesnt|hasnt|has not|lacks)( with| held by| have)?|"
    r"wer( hat)?( sie| es)? nicht|qui (ne )?(la|a) pas|quien no( la)?( tiene)?|wie( heeft)? niet|"
    r"cleared|ruled out|without",
    "face-up": r"table|face up|open|public",
    "remark": _REMARK,
    "aside": r"(sub)?totals?|sum|category|type|legend|key|nr|no|known|done|count|score|status",
}
LOG = {
    "aside": r"nr|no|number|turn|index|row|time|date|round|id|step|timestamp|when|points|score|"
    r"tour|beurt|runde|zug|turno|count|done|status|known",
    "kind": r"type|kind|action|move|suggestion or accusation",
    "verdict": r"accusation|accuses|verdict|right|outcome",
    "passes": r".*\b(pass\w*|could ?nt|cant|cannot|could not|says no|none|no card|no help|nothing|"
    r"has not|didnt)\b.*|no|without",
    "shown": r"(?!.*(\bby\b|\d)).*(\b(card|saw|seen|showed me|shown|response|karte|kaart|carte|"
    r"carta)\b.*|did \w+ show)",
    "answers": r".*\b(answers?|responses?|results?|happened|replies)\b.*",
    "shower": r"sh by|.*\b(show\w*|disprov\w*|refut\w*|respon\w*|answer\w*|had|proved|from whom|"
    r"zeigt|getoond|gezeigt|montre|muestra|mostro|ensena)\b.*|yes|ja|oui|si",
    "asker": r".*\b(ask\w*|by|player|suggest\w*|guess\w*|turn|name|person|fragt|vra\w+|spieler|"
    r"speler|joueur|demande|jugador|pregunta|detective)\b.*|wer|qui|quien|who",
    "cards": r".*\b(cards|suggest\w*|guess|asked (for|about)|suspect|weapon|room|character|who|"
    r"card ?\d|whom|what|where|place|"
    r"persoon|wapen|kamer|waffe|raum|ort|arme|lieu|arma|lugar|sala|stanza)\b.*",
    "remark": _REMARK,
}
"""Patterns for the titles of columns, by meaning; the likelier meanings come first."""
REPLIES = {
    **dict.fromkeys(("pass", "passes", "passed", "no", "couldn't", "can't", "n", "none"), "passes"),
    **dict.fromkeys(("show", "shows", "showed", "shown", "yes", "y"), "shows"),
}
"""The texts for an answer in a table with one row for each answer."""
COLUMN_MEANINGS = (
    *("card", "holder", "lacks", ENVELOPE, "face-up", "asker", "cards", "shower", "shown"),
    *("passes", "answers", "kind", "verdict", "remark", "aside"),
)
"""The possible meanings of a column, apart from players."""
_OWN_COLUMN = re.compile(r"(?i)\s+[-\u2013\u2014]\s+(?:me|my hand|my cards)$")
"""The text after the name in the title of the writer's own column."""


def roles_of(title: str, roles: dict[str, str]) -> list[str]:
    """Return the meanings that a title can have, the likeliest first."""
    words = terms.spelt(title)
    return [role for role in roles if words and re.fullmatch(roles[role], words)]


def is_text(cell: str) -> bool:
    """Whether a cell has letters, and not only a colour or a number."""
    return bool(re.search(r"[^\W\d_]|\?", cell)) and " #" not in cell


def is_talk(cell: str) -> bool:
    """Whether a cell is a sentence rather than a mark."""
    return len(re.findall(r"[^\W\d_]{2,}", cell)) > 1 and not meaning_of(cell)


def whose(title: str) -> tuple[str, bool]:
    """
    Return the name in a title, and whether it is the name of the writer.

    >>> whose("Ann - me"), whose("me (Nora)"), whose("Ben (Plum)")
    (('Ann', True), ('Nora', True), ('Ben', False))
    """
    plain = _OWN_COLUMN.sub("", title)
    name, inside = terms.without_brackets(plain)
    own = [terms.fold_text(each) in terms.WRITERS for each in (name, inside)]
    return inside if own == [True, False] and inside else name, any(own) or plain != title


def is_name(title: str) -> bool:
    """Whether a title can be a player's name, which has one to three words."""
    words = words_of(title)
    return 0 < len(words) < 4 and not re.search(r"[,:#=?]", title) and len(title) < 30
