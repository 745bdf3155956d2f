"""
The words and signs that note-takers use, and functions that normalise texts to compare them.

Marks, answers and whatever the user types are compared by `fold_text`, which keeps signs; titles by
`plain` and names by `notation.names.words_of`, which drop them. `plain_name` only takes away the
signs around a name that is looked up or shown.
"""

import re
from collections.abc import Iterator

from clue_solver.notation.names import words_of

WRITERS = {"me", "i", "myself", "mine", "ich", "moi", "je", "yo", "io", "ik", "eu"}
WRITERS |= {"jag", "jeg", "mig", "in my hand", "my hand", "my card", "my own"}
"""Words by which people refer to themselves in their own notes."""
UNHEARD = {"", "unknown", "missed", "not heard", "didnt hear", "didnt see", "forgot", "unheard"}
UNHEARD |= {"hidden", "secret", "not seen", "unseen", "nan", "a card", "something"}
"""What people write if they do not know who showed a card, or which card."""
_NO_ONES = (
    r"niemand|keiner|personne(?: ne)?|aucun|nadie|ninguno|nessuno|ningu[eé]m|"
    r"(?:all|everyone) (?:no|pass(?:ed|es)?)"
)
_NOBODY = re.compile(
    rf"(?:nobody|no ?one|no1|none|nothing|{_NO_ONES})"
    r"(?: (?:did|could|can|show\w*|had|has|at all|else)\b.*)?"
)
_SURE = "envelope envelop solution casefile umschlag enveloppe sobre busta"
SURE_ENVELOPES = {"case file", *_SURE.split()}
"""Words that can only mean the envelope."""
_PERHAPS = (
    "soln sol env killer murderer murder culprit crime case truth final secret hidden answer file "
    "confidential middle center centre pile guilty whodunnit whodunit dossier losung tater mord "
    "solucion soluzione oplossing kuvert coupable culpable unknown missing e"
)
ENVELOPES = SURE_ENVELOPES | {*_PERHAPS.split()}
"""Words that may mean the envelope."""
RIGHT = {"right", "correct", "won", "true", "richtig", "juste", "correcto", "correcta"}
WRONG = {"wrong", "incorrect", "lost", "false", "falsch", "faux", "incorrecto", "incorrecta"}
"""Words for a right and for a wrong accusation."""
SIGNS = str.maketrans(
    dict.fromkeys("❌✘", " ✗")
    | dict.fromkeys("✅✔", " ✓")
    | dict.fromkeys("⇒➔➜➡", "→")
    | {"\ufe0f": ""}
)
"""The signs that people use for answers, each with the sign of the notation that replaces it."""
ACCUSES = re.compile(r"(?i)\b(?:accus|anklag|acus)\w*")
"""A word which shows that a row or a line is an accusation."""
SKIPS = re.compile(
    r"(?i)^skip|\b(?:no|without a) (?:guess|suggestion|question)\b|\b(?:asked|asks) nothing\b"
)
"""Words which show that a player made no suggestion in a turn."""
TURN = re.compile(
    r"(?i)['\u2019]?s?\s*\b(?:turn|go|asks?|guess\w*|suggest\w*)\W*$|^(?:turn|tour)\b"
)
"""Words beside a player's name in a heading above that player's turn."""
NUMBERED = re.compile(r"(?i)^\W*(?:turn|round|go|move|suggestion|guess)?\W*\d+\W*")
"""The number of a turn at the start of a line."""
PARTING = re.compile(
    r"\s*(?:\bw/|[,;/&+|@]|\s[-\u2013\u2014](?=\s)|"
    r"(?<!\S)(?:and|with|in|using|und|mit|im|et|avec|dans|con|met|com)(?!\S))\s*"
)
"""The separators between the cards or players of a list."""
LISTED = re.compile(r"\s*(?:[,;/&+\t]|\b(?:and|nor|or)\b)\s*")
"""The separators between the names of a list that is not a suggestion."""
_TITLES = "M Mr Ms Mrs Dr Col Prof Rev Sgt Mme Mlle Sr Sra Srta Fr Frl Hr Sig Ds"
STOPS = "".join(rf"(?<!\b{title})" for title in _TITLES.split()) + r"\.(?:\s+|$)"
"""A full stop at the end of a sentence, but not after a title such as `Mr`."""
_DENIES = re.compile(
    r"(?i)\b(?:not?|never|without|lacks|cleared|ruled out|cannot|cant|couldnt|didnt|hasnt|nichts?|"
    r"pas|kein\w*)\b|n['\u2019]t\b|^no "
)
_UNSURE = re.compile(
    r"(?i)\?|\b(?:maybe|perhaps|prob\w*|poss\w*|might|could|think|guess|unsure|sure|likely|hunch|"
    r"vielleicht|wohl|evtl|quiz[áa]s?|creo|tal vez|forse|credo|peut-être|sans doute|misschien)\b"
)
_BRACKETS = re.compile(r"(.*?)\s*[(\[]\s*([^()\[\]]*?)\s*[)\]]\s*")
_ORNAMENT = re.compile(r"^[^\w(\[]+(?=\w)|[^\w\s.'\u2019()\[\]?!]+$")
_WORDS = {
    "nobody": rf"(?:{_NO_ONES})(?: (?:heeft iets|hat (?:et)?was|n.a rien|tiene nada|ha niente|"
    r"tem nada|kon\w*|kann|konnte|peut|pu[eo]de|può|pôde))?",
    "shows me": "me montre|m.a montré|zeigte? mir|me (?:muestra|mostró|enseña|enseñó)(?: a)?|"
    "mi (?:mostra|ha mostrato)|me mostrou|toont me",
    r"shows \1": r"laat(?: me| mij| hem| haar)? (.+?) zien",
    "shows": "(?:mi |gli |le )?(?:fa|ha fatto) vedere|"
    "montre|a montré|zeigte?|muestra|mostró|enseña|enseñó|mostra|ha mostrato|mostrou|"
    "toonde|toont",
    "no": r"(?<=\w )n(?=\s*(?:[,;]|$))",
    "passes": "passt|passe|pasa|passa|hat nichts|n.a rien|no tiene(?: nada)?|heeft niets",
    "has": "hat|habe|tiene|tengo",
    "a card": "eine karte|une carte|una carta|een kaart|uma carta",
    "asks": "fragte?|pregunta|preguntó|demande|chiede|vraagt|vroeg|pergunta|verdächtigt|soupçonne",
    "I suggest": r"(?:my suggestion|i(?:['\u2019]m| am) (?:saying|asking|suggesting|guessing|going"
    r" with)|i(?:['\u2019]ll| will) (?:say|ask|suggest|guess|go with))\b(?: is| for| about)?:?",
    r"\1": r"(yes|shows?|showed(?: me)?),? (?:it was|namely)(?: the)?",
    r"\1 shows": r"(?:(?:it )?was )?(?:refuted|disproved|disproven|shown|beaten) by (\w+)",
}
"""Words of the notation, with patterns for other wordings of each."""
_VARIANTS = dict.fromkeys((0xFE0E, 0xFE0F))


def in_english(text: str) -> str:
    """
    Return a text with the words of suggestions and answers replaced by those of the notation.

    >>> in_english("Luc me montre Bureau"), in_english("shown by Ben")
    ('Luc shows me Bureau', 'Ben shows')
    """
    for english, others in _WORDS.items():
        text = re.sub(rf"(?i)\b(?:{others})\b", english, text)
    return text


def spelling(text: str) -> str:
    """Return a text without extra spaces or variant forms of signs."""
    return " ".join(text.translate(_VARIANTS).split())


def fold_text(text: str) -> str:
    """
    Return a text in lower case, without extra spaces or variant forms of signs, for comparing.

    >>> fold_text(" Yes "), fold_text("✔\\ufe0f")
    ('yes', '✔')
    """
    return spelling(text).casefold()


def plain(title: str) -> str:
    """Return the words of a title in lower case, without punctuation or accents."""
    return " ".join(words_of(title.replace("_", " ")))


def is_envelope(title: str, *, sure: bool = False) -> bool:
    """
    Return whether a title can mean the envelope; with `sure`, whether it can mean nothing else.

    >>> is_envelope("Murder envelope", sure=True), is_envelope("Killer", sure=True)
    (True, False)
    """
    words = [word for word in plain(title).split() if word not in ("in", "cards", "card", "of")]
    whole = " ".join(words)
    known = whole.replace(" ", "") in ENVELOPES or (bool(words) and {*words} <= ENVELOPES)
    return known and (not sure or whole in SURE_ENVELOPES or bool({*words} & SURE_ENVELOPES))


def verdict(text: str) -> str:
    """Return whether a text calls an accusation `right` or `wrong`; empty if it is not clear."""
    words = {*words_of(text)}
    if bool(words & RIGHT) == bool(words & WRONG):
        return ""
    return "right" if words & RIGHT else "wrong"


def denies(title: str) -> bool:
    """Return whether a text has a negation, such as `hat nichts`."""
    return bool(_DENIES.search(title))


def is_nobody(text: str) -> bool:
    """
    Return whether a text means that nobody showed a card: a dash, or words such as `no one`.

    >>> is_nobody("No-one could!"), is_nobody("ningu\u00e9m"), is_nobody("-"), is_nobody("Nobby")
    (True, True, True, False)
    """
    return bool(_NOBODY.fullmatch(plain(text))) or fold_text(text) in ("-", "\u2013", "\u2014")


def is_unsure(text: str) -> bool:
    """Return whether a text shows that its writer is not certain."""
    return bool(_UNSURE.search(text))


def plain_name(text: str) -> str:
    """Return a name without signs around it. A text of signs alone is returned unchanged."""
    return _ORNAMENT.sub("", text).strip() or text


def without_brackets(name: str) -> tuple[str, str]:
    """
    Split a name from the text in brackets after it; remove the signs around the name.

    >>> without_brackets("Cat (Miss Scarlett)"), without_brackets("**B***"), without_brackets("???")
    (('Cat', 'Miss Scarlett'), ('B', ''), ('???', ''))
    """
    name = plain_name(name)
    match = _BRACKETS.fullmatch(name)
    return (match[1], match[2]) if match and match[1] else (name, "")


def phrases_in(text: str) -> Iterator[str]:
    """Yield a text, and each sequence of one to three words in it."""
    yield text
    words = re.findall(r"[\w'\u2019-]+\.?", text)
    for at in range(len(words)):
        for size in range(1, 4):
            yield " ".join(words[at : at + size])
