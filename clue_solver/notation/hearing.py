"""
The words of a line as people say it: names, and what other words say by tables of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from clue_solver.notation.lexicon import Lexicon, lexicon_of
from clue_solver.notation.names import Reach, slips, words_of
from clue_solver.notation.words import OPINION
from clue_solver.rules.table import Table

_SAID = {
    "asks": "asks, suggests, guesses",
    "ask": (
        "ask, asked, asking, question, questions, queried, queries, suggest, suggested, "
        "suggesting, suggestion, sugest, sugests, sugested, sug, sugg, guess, guessed, guessing, "
        "tried, tries, propose, proposes, proposed, wonders, wondered, called, calls, wants, "
        "wanted, wanted to know, wants to know, would like to know, what about, how about, was it, "
        "make suggestion, make a suggestion, makes a suggestion, made a suggestion, "
        "suspects, suspected, thinks, think, thought, reckon, reckons, reckoned, claims, claimed, "
        "goes was it, says was it, said was it, like to know"
    ),
    "say": "say, says, said",
    "asked": "was asked, am asked, is asked, got asked",
    "accuse": (
        "accuse, accuses, accused, accusing, accusation, makes an accusation, final answer, made "
        "an accusation, has made an accusation, makes accusation, made accusation, final "
        "accusation, went for it, goes for it, tried to accuse"
    ),
    "solve": "solved it, solves it",
    "show": (
        "answer, answers, answered, show, shows, showed, showing, shown, showd, gave, gives, give, "
        "disproved, disproves, disprove, refuted, refutes, refute, let me see, lets me see, "
        "handed, had to show, has to show, have to show"
    ),
    "could": "could, can, did",
    "shown": (
        "is shown, was shown, got shown, am shown, were shown, been shown, gets shown, was "
        "disproved, is disproved, was refuted, was given, got given"
    ),
    "have": "have, has, had, hold, holds, holding, got, having, owns",
    "no": (
        "no, not, nope, nah, none, nothing, zilch, nada, x, "
        "doesnt, dont, does not, do not, did not, didnt, cant, cannot, can not, couldnt, could "
        "not, hasnt, havent, hadnt, isnt, wasnt, shakes his head, shakes her head, shook his "
        "head, shook her head, unable"
    ),
    "pass": "pass, passes, passed, passing",
    "never": "no way, there is no way, theres no way",
    "neither": "neither",
    "nor": "nor",
    "unheard": "did not answer yet, didnt answer yet, has not answered yet, hasnt answered yet",
    "draw": "draw, draws, drew, drawn",
    "dice": "on the dice",
    "yes": "yes, yep, yeah, yea, aye",
    "nobody": (
        "nobody, no body, nobody else, no one, noone, no one else, none of us, no takers, no "
        "answer, no answers, no card shown, no cards shown, not a sausage"
    ),
    "all": (
        "all, everyone, everybody, all three, all of us, all of them, all three of us, everyone "
        "else, everybody else, all the others, anyone, anybody"
    ),
    "someone": "someone, somebody, i do not know who, i dont know who",
    "others": "others, other two, rest",
    "both": "both",
    "except": "but, except, except for, apart from, until, till, til",
    "he": "he, she",
    "him": "him, her, his, their",
    "hand": "hand, my hand, my cards, dealt",
    "skip": (
        "skip, skips, skipped, sk, misses a go, missed a go, misses a turn, missed a turn, passes "
        "his turn, passes her turn, passed his turn, passed her turn, pass my turn, passed my "
        "turn, skips his turn, skips her turn, skip my turn, skipped his turn, skipped her turn, "
        "skipped my turn, sits out, sat out"
    ),
    "idle": (
        "didnt get anywhere, did not get anywhere, stayed in the corridor, walked about in the "
        "corridor, nothing happened, couldnt get to a room"
    ),
    "roll": "roll, rolls, rolled, throw, throws, threw",
    "move": (
        "am in, am now in, is in, is now in, move, moves, moved, go to, go into, goes to, goes "
        "into, went to, went into, went in, walks, walked, gone in, gone to, gone into, enter, "
        "enters, entered, into, got into, got to, took the secret passage, takes the secret "
        "passage, used the secret passage"
    ),
    "stay": "stay, stays, stayed, stays where he is, stays where she is",
    "look": "look, looks, looked, snoop, snoops, snooped, snooped on, snoops on",
    "peek": "peek, peeks, peeked",
    "see": "saw, sees",
    "reveal": "reveal, reveals, revealed",
    "right": "right, correct, wins, won, win, correctly",
    "wrong": (
        "wrong, false, mistaken, incorrect, incorrectly, lost, loses, out, failed, no luck, not it"
    ),
    "turn": "turn, turns, turn to play, turn to go, turn to move, go, up, next",
    "for": "for, when, whether, it was, its, it is, it might be, on",
    "to": "to",
    "by": "by, from",
    "or": "or",
    "maybe": "maybe, perhaps, might, probably",
    "point": "point, points, pointed, point at, points at, pointed at",
    "hunch": "must be, must have, must ask, must show",
    "lead": "sorry, actually, wait, oops",
    "undo": (
        "undo, undo that, undo it, scratch that, take that back, take it back, delete that, "
        "delete the last line, forget that, forget that last one, strike that, take back"
    ),
    "mean": "mean, means, meant",
    "and": "and, n",
    "as": "as",
    "filler": (
        "a, an, the, of, in, with, w, also, then, so, ok, okay, um, uh, well, dear, lol, oh, at, "
        "about, that, who, which, any, anything, either, it, them, those, these, thing, card, "
        "cards, one, something, some, is, was, were, are, be, am, been, did it, do it, doing it, "
        "done it, just, now, finally, only, kindly, please, too, there, room, rm, two people, one "
        "weapon, two rooms, woman, committed, crime, did it with, after, of course, done, made, "
        "makes, make, i did not catch the rest, i didnt catch the rest, help, yay, definitely, i "
        "saw it, unless i misheard, weapon was, room was, suspect was, offed him, killed him, "
        "murdered him, murdered, killed, i know, having done it, this time, this round, "
        "poor, i am afraid, using, like, own, your, told me, tells me, i am sure, i am "
        "sure that, i know that, could help, to all of it, in order, that it was, at the "
        "envelope, looked in the envelope, looked in envelope, player"
    ),
}
"""What words and phrases say, by what that is to a clause; `filler` tells nothing."""

_KIND = {said.strip(): kind for kind, text in _SAID.items() for said in text.split(",")}
KNOWN = frozenset(_KIND)
"""The words that tell something in speech."""

_LONG_VERBS = {
    verb: _KIND[verb]
    for verb in (
        *("asked", "suggests", "suggested", "guesses", "guessed", "accuses", "accused"),
        *("shows", "showed", "passes", "passed"),
    )
}
"""Verbs of which slips are understood."""
_LONGEST = max(len(said.split()) for said in _KIND)
_SPLIT = {
    "i'm": "i am",
    "i've": "i have",
    "i'd": "i",
    "ive": "i have",
    "im": "i am",
    "he's": "he is",
    "she's": "she is",
    "hes": "he is",
    "shes": "she is",
    "it's": "it is",
    "mustered": "mustard",
    "double six(es)?": "12",
    "snake eyes": "2",
}
_OPENINGS = ("let me see", "let me think", "before")
_SIGNS = {"(": "for", "\u2717": "no", "\u2718": "no", "\u2713": "yes", "\u2714": "yes"}
_OWN = ("i", "me", "myself", "my", "mine", "we")
_QUESTIONS = ("is", "are", "does", "do", "did", "who", "can", "could", "have", "which")
"""What begins a question to somebody, and no line."""
_NO_SLIPS = ("while", "write", "quite", "greet", "greed", "greek", "sturdy", "danger")
_NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_TITLES = "mr|mrs|ms|dr|prof|col|rev|sgt|mme"
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*|-+|[^\w\s]")


class Unclear(Exception):
    """A line that is not understood; with the word that is not, if it is one."""


class Word(NamedTuple):
    """
    Some words of a line.

    Attributes:
        kind: What they say: a key of the table, `card`, `seat`, `number` or `break`.
        names: What they can stand for: cards, a seat, a number.
        feature, slot: The feature or the face-down slot that they can be, too.
        owns: Whether they end in `'s`, or are `my`.
        apart: Whether more than `and` stands between them and the word before.
    """

    kind: str
    names: tuple[str, ...] = ()
    feature: str = ""
    slot: str = ""
    owns: bool = False
    apart: bool = False


def words_of_speech(line: str, table: Table) -> list[Word]:
    """Return the words of a line but for those that tell nothing; `Unclear` if one is unknown."""
    text = re.sub(r"(?<=\w)-(?=\w)", " ", line.casefold().replace("\u2019", "'"))
    text = re.sub(rf"\b({_TITLES})\.", r"\1", text)
    for short, whole in _SPLIT.items():
        text = re.sub(rf"\b{short}\b", whole, text)
    names = lexicon_of(table)
    for opinion in reversed([*OPINION.finditer(text)]):
        after = _WORD.findall(text[opinion.end() :])
        if opinion.start() and (not after or _of_player(after, names)):
            text = f"{text[: opinion.start()]} maybe {text[opinion.end() :]}"
    typed = _WORD.findall(text)
    for opening in _OPENINGS:
        if text.startswith(opening):
            typed = typed[len(opening.split()) :]
    if typed[:1] and typed[0] in _QUESTIONS:
        raise Unclear
    found: list[Word] = []
    at = 0
    apart = False
    while at < len(typed):
        size, word = _word_at(typed, at, names, table)
        at += size
        if word.kind == "break" and found and found[-1].kind == "seat":
            follows = _word_at(typed, at, names, table)[1].kind if typed[at:] else ""
            said = {"-": "break" if follows == "card" else "no", "?": "maybe"}
            word = word._replace(kind=said.get(typed[at - 1][0], "break"))
        if word.kind in ("filler", "break", "and"):
            apart = apart or word.kind != "and"
        if word.kind not in ("filler", "and"):
            found.append(word._replace(apart=apart))
            apart = word.kind == "break"
    for place in range(len(found) - 2, 0, -1):
        if found[place].kind == "as":  # `scarlett as the brains`
            both = [name for name in found[place - 1].names if name in found[place + 1].names]
            found[place - 1 : place + 2] = [Word("card", tuple(both))]
            if len(both) != 1:
                raise Unclear
    return found


def _of_player(typed: Sequence[str], names: Lexicon) -> bool:
    """Return whether words begin with a player: `that Ben`, `it was him`."""
    said = next((word for word in typed if word not in ("that", "it", "was", "maybe")), "")
    return bool(names.seats.exact(said)) or _KIND.get(said) in ("he", "nobody", "someone")


def _word_at(typed: Sequence[str], at: int, names: Lexicon, table: Table) -> tuple[int, Word]:
    """Return the longest word or phrase that begins here, and of how many words it is."""
    if not typed[at][0].isalnum():
        return 1, Word(_SIGNS.get(typed[at], "break"))
    for size in range(min(max(_LONGEST, names.cards.longest), len(typed) - at), 0, -1):
        parts = typed[at : at + size]
        text = " ".join(parts)
        base = text.removesuffix("'s")
        whose = base[:-1] if base[-1] == "s" and len(base) > 2 and base not in _KIND else base
        own = size == 1 and text in _OWN and table.viewer is not None
        if own and text not in map(str.casefold, table.seats):
            return size, Word("seat", (str(table.viewer),), owns=text in ("my", "mine"))
        for said in (base, whose):
            if seats := names.seats.exact(said):
                return size, Word("seat", seats, owns=said != text)
        if word := _card(base, names, exact=True):
            return size, word
        if (kind := _KIND.get(text.replace("'", ""))) is not None:
            return size, Word(kind)
    for group in (names.icons, names.faces):
        for size in (2, 1):
            if face := group.exact(" ".join(typed[at : at + size])):
                return size, Word("number", face)
    if clues := names.clues.exact(typed[at]):
        return 1, Word("clue", clues)
    if typed[at].isdigit():
        return 1, Word("number", (typed[at],))
    if typed[at] in _NUMBERS:
        return 1, Word("number", (str(_NUMBERS.index(typed[at])),))
    for size in (2, 1):
        parts = typed[at : at + size]
        text = " ".join(parts)
        if len(parts) < size or any(part in _KIND or not part[0].isalnum() for part in parts):
            continue
        if word := _card(text.removesuffix("'s"), names, exact=False):
            return size, word
        if size == 1 and len(seats := names.seats.readings(text)) == 1:
            return 1, Word("seat", seats)
        if len(near := _slips_of(text, table)) == 1:
            return size, Word("card", near)
    verbs = {kind for verb, kind in _LONG_VERBS.items() if slips(typed[at], verb) == (1, False)}
    if len(verbs) == 1 and len(typed[at]) > 4:
        return 1, Word(verbs.pop())
    raise Unclear(typed[at])


def _slips_of(text: str, table: Table) -> tuple[str, ...]:
    """Return the cards that a text is a slip of: one letter, or two of a long name."""
    found: dict[str, None] = {}
    if len(text) < 5 or text in _NO_SLIPS:
        return ()
    for card in table.edition.cards:
        for form in (words_of(name) for name in (card.name, card.title or "", *card.aliases)):
            for part in (" ".join(form), *form):
                slip = slips(text, part) if part[:1] == text[:1] and len(part) > 3 else None
                most = 2 if len(part) > 9 else 1
                if slip is not None and not slip[1] and slip[0] <= most:
                    found[card.name] = None
    return tuple(found)


def mended(line: str, table: Table) -> str:
    """Return a line with the one card in the place of each word that is a slip of it alone."""
    names = lexicon_of(table)

    def meant(word: re.Match[str]) -> str:
        text = word[0].casefold()
        known = text in _KIND or any(
            group.readings(text, reach=Reach.ALL) for group in (names.things, names.holders)
        )
        near = () if known else _slips_of(text, table)
        return near[0] if len(near) == 1 else word[0]

    return re.sub(r"[^\W\d_]+", meant, line)


def _card(text: str, names: Lexicon, *, exact: bool) -> Word | None:
    """Return the card, feature or slot that a text is, or begins; `None` if it is none."""
    if len(text) < 2:
        return None
    feature = names.features.exact(text) if names.features.names else ()
    slots = tuple(name for name in names.places.exact(text) if name not in names.seats)
    if exact and not (names.cards.exact(text) or feature or slots):
        return None
    reach = Reach.ALL if len(text) > 2 else Reach.WORDS
    cards = names.cards.readings(text, reach=reach)
    if not (cards or slots):
        return None
    return Word("card", cards, "".join(feature[:1]), "".join(slots[:1]))
