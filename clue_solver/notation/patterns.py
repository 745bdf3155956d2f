"""
What people say, as patterns over the roles of words.

A line is a string of roles, a letter each (`vocabulary.LETTERS`). `lines` has the whole lines of
one verb, whose named groups are fields of the observation; `clauses` what a suggestion is made of.
Before a row's slash stand roles, one of which its line must have: without it no pattern is tried,
and none is compiled before its role is first met: reading a record as it is written needs none.

Patterns are regular expressions of which each word is a role: `card` stands for a card, `[a b]` for
one of several, `who:(seat)` is the group `who`, and what is in capitals is spelt out in `_PARTS`.
`stop` is a colon as well, `colon` a colon alone.
After each line and clause there is an example.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from clue_solver.notation.vocabulary import LETTERS
from clue_solver.rules import observations as seen
from clue_solver.rules.forms import Bearers, Name, Several
from clue_solver.rules.observations import Event


class Row(NamedTuple):
    """
    A row of a table of patterns.

    Attributes:
        name: What is said so.
        text: The pattern.
        roles: Try this row only if one of these roles occurs; empty: always.
        example: What somebody says so.
    """

    name: str
    text: str
    roles: frozenset[str]
    example: str


def rows(table: str) -> Iterator[Row]:
    """Yield the rows of a table. Indented lines continue the row."""
    for row in re.finditer(r"^(?:\[?([\w ]+)\]?/)?(\S+) ((?:.|\n )+)", table, re.MULTILINE):
        roles, name, text = row.groups(default="")
        text, _, example = text.replace("\n", "").partition("  # ")
        yield Row(name, text, frozenset(roles.split()), example)


_PARTS = {
    row.name: row.text
    for row in rows("""
SEATS seat((comma|and|comma and)seat)*  # ann, ben and cat
PAIR (seat(comma seat)* comma? and seat|seat)  # ann and ben
WHO who:(SEATS|he|seat he)  # ann she
BY by:(seat|he)?
STOPS (comma|stop)*
CAN [can could did]
NOISE (comma|stop|and|its|for|about|one|to)*
THEN (one|and|its|knows|stop|comma)*  # card and saw
ENDING (but|and|he|its|comma|stop)*
CARDS card(card|comma|stop|and|its|for|about|one)*  # plum, the rope and the hall
DENYING (passes+[denies no none]*|passed|
 ([denies no]+none*|none+|didnt(?=[shows has could can one did]))(comma none)?)
NO [no not none]  # no
LOST [denies no didnt isnt none not passes]+  # was not
HOLDER holder:(seat|name|card)
KNOWS by:(seat)? comma? knows
LACKING HOLDER has?[lacks denies no didnt neither][has holds]?  # ben doesn't have
LACKS LACKING lacks:(card((comma card)*comma?(or|nor)+card|
 ((comma|and)+he?has?[lacks denies didnt no]has?card)+)?)one*
EACH HOLDER lacks lacks:(card((comma|or|and|nor)+card)*)
VERDICT ENDING(right:(right)|
 wrong:(wrong(ENDING wrong)*|LOST(ENDING[comma stop]wrong|right)?))?[comma stop]*
THAT ((?<![passes passed])(one+toshow?|(?<=none)toshow))?(?![one card or to passes passed])
ASKS BY comma?has?suggests seat:(seat)  # ann asked ben
NAY (NO STOPS)+(?=(seat|he)STOPS[has can could did]?[denies none didnt passes passed no])
YEA yes STOPS(?=(seat|he)[has could shows answers did](one|card|$))
REPLY (and|but|comma|stop)*(NAY|YEA)?(to:(seat)|he)?STOPS
 (passes:(([has did says answers]|[can could](?![passes passed]))?
  (DENYING(shows|has)?THAT|didnt)|neither|nobody|skipped)|
 shows:([has could did]?[shows answers has yes could did]?(to?seat)?one*card:(card)?)
 unseen:(unheard)?)
""")
}

LINES = """
accuses/Accusation BY STOPS turn?has?accuses NOISE cards:(CARDS)?VERDICT  # ben accuses plum no
accuses/Accusation accuses NOISE by:(seat)NOISE cards:(CARDS)VERDICT  # accusation: ben plum
has/Hand seat:(seat)?has+cards:(card(card|comma|and|stop)*)  # i have plum and the rope
knows/Knowing KNOWS(HOLDER((has one?)?has:(card(or card)*))?)?  # ann saw ben plum
knows/Knowing KNOWS HOLDER has one has:(card((comma|or|and)+card)*)  # saw ben has one of plum, rope
knows/Knowing KNOWS LACKS  # ann knows ben does not have plum
knows/Knowing KNOWS EACH  # ann knows ben lacks plum and rope
knows/Knowing KNOWS HOLDER has one?has:()  # ann knows ben has
knows/Knowing KNOWS LACKING lacks:()  # ann knows ben lacks
has/Knowing HOLDER has one?has:(card(or card)*)  # ben has plum or the rope
has/Knowing HOLDER has one has:(card((comma|or|and)*card)*)  # ben has one of plum, the rope
has/Knowing holder:(name)has has:()  # the envelope has
lacks/Knowing holder:(name)lacks lacks:()  # the envelope lacks
[lacks denies no didnt neither]/Knowing LACKS  # ben has no plum
lacks/Knowing EACH  # ben lacks plum and rope
name/Knowing has:(card)[is moves]holder:(name)  # plum is in the envelope
name/Knowing lacks:(card)isnt holder:(name)  # plum is not in the envelope
never/Knowing never HOLDER has lacks:(card)  # there is no way ben has plum
didnt/Skip BY has?didnt(has|shows)?suggests one*  # ben did not ask anything
by/Skip [denies no none]suggests by by:(seat)  # no suggestion from ben
rolls/Roll BY has?rolls(total:(name)icons:((name|comma|and)+)?)?  # ben rolls 5, glass
got/Roll BY got total:(name)  # ben got a 4
rolls/Roll BY has?rolls dice:((name|card|comma|and)+)  # ben rolls plum, plum, green, glass
peeks/Peek BY has?peeks to?name?THEN(feature:(card)|unheard)?  # ben peeked and saw purple
reveals/Reveal seat:(seat)has?reveals(to?all)?one*card:(card)?
 (to(all|to:(seat)))?  # cat reveals rope to dan
reveals/Nobody nobody reveals card:(card)?  # nobody reveals plum
shows/Reveal seat:(seat)has?hadto?shows to?all one*card:(card)  # ben showed everybody the rope
suggests/Question ASKS(about|for)?  # ann asked ben
suggests/Question ASKS(about|for|stop|comma)?about:(card((and|comma|or)*card)*)
 (REPLY)?  # ann asked ben about plum, he had none
suggests/Question ASKS(about|for|stop|comma)?about:(card((and|comma|or)*card)*?)
 comma?shows:(card:(card))  # ann asked ben about plum, brains plum
"""
"""The lines of each kind but suggestions, with a role that they cannot do without."""

CLAUSES = """
asked/asks asked:(seat)asked by:(seat)(about|for)*  # i was asked by dan for plum
[suggests says suspects thinks points]/asks (when(?=(seat|he)[suggests says]))?BY comma?has?
 verb:(suggests|says|points|(?<=seat)suspects|thinks(?=(NOISE its?)*card))
 (?!STOPS[passes passed denies none no])(STOPS asked:(SEATS)(?=stop|comma|about|for|card|$))?
 (about|for|stop|comma|one)*  # ann asks ben
moves/asks BY has?moves to?stop?(?=card(comma|and|stop)*card)  # ann goes: plum, rope
turn/asker its?by:(seat)turn STOPS(?=NOISE card|(seat|he)[suggests says])  # ann's turn: plum
moves/goes BY moves to?card:(card)(and|comma|stop)*
 (?=[suggests says])  # ann went to the hall and asked
neither/passes neither who:(seat((nor|or|and)seat)+)
 CAN?[shows has]?THAT  # neither ann nor ben
neither/passes neither[can could did has shows]who:(seat)  # neither can ann
passes (after|(no STOPS|none[comma stop]+)*)who:(SEATS(?=stop|both|all|passed)|PAIR|he|seat he)
 (?!comma[denies no]seat)STOPS[both all]?[says answers has did too]?STOPS
 (DENYING((?<![passes passed none])(shows(?!to?[seat card])|[has can could did]))?|neither)
 THAT(too(?!seat))?  # ann: no
skipped/skips! (who:(seat)skipped|next:(skipped))(?=comma|stop|and|but|$)  # ann skips
didnt/didnt after?WHO STOPS both?didnt
 (?![shows answers hadto must has can could one passes passed suggests
 says card did])  # ann did not
both/passes both[says answers has did]?DENYING
 [shows has can could]?THAT  # i asked ann and ben, both passed
all/nobody has?[denies no none]one*by all  # nothing from anyone
by/passes has?[denies no none nil unanswered]one*toshow?by who:(SEATS)
 (?![seat both has shows can could yes denies none passes passed did no])  # nothing from ann
not/not not who:(seat)  # not ann
[nil unanswered]/passes! who:(PAIR)STOPS both?(has|shows)?[nil unanswered]  # ann no card shown
too/too! (and|but)*too who:(seat)  # also ann
too/too! (and|but)*who:(seat|he)comma?([could has did]*too|too[could did])  # ann did too
[nobody noneof else nil all]/nobody (NO STOPS(?!nil))?
 (but?(nobody|noneof one?(?=[can could shows has])|else|nil)
  ((CAN?shows|CAN answers?|has)(seat(?=one))?)?|
  all both?has?[says answers]?DENYING[shows has]?)THAT  # nobody could show
others/others! others both?has?DENYING(shows|has)?THAT  # the others passed
[but till]/but [but till]who:(seat)(comma?he)?(has?hadto?shows|could|did|has|yes)?
 (to?to:(seat))?one*card:(card)?one*  # but ben showed ann the rope
by/shows (to:(seat)comma?)?shown by who:(seat)card:(card)?one*  # was disproved by ben with the rope
by/shows (to:(seat)comma?)?[shown has yes one]one*card:(card)?by who:(seat)  # one from ben
by/bare! and?card:(card)by who:(seat)  # and the rope from ben
unheard/shows WHO(shows|has)+unseen:(unheard)  # ann shows ?
[shows answers yes reveals could did]/shows only?who:(SEATS|he|seat he|someone)both?STOPS
 has?(hadto?shows|answers|(says|answers)yes|yes|reveals|did shows|could shows(?!to?(seat|one*card)))
 (to?all(?=one*card))?(to?to:(seat)(?![shows has denies no none passes passed]))?
 one*card:(card)?one*  # ann showed me one
has/shows only?WHO has(one+toshow?|one*card:(card)one*)  # ann has the rope
[can could has did]/shows! only?WHO both?[can could has did](?=stop|comma|and|but|$)  # ann could
to/shown_to to to:(seat)  # to ann
unheard/unheard! but?who:(seat)unheard  # ann ?
unheard/rest! others?unheard  # i missed the rest
[shows answers]/shown! (?:^|(?<=[stop comma and]))has?(hadto?shows|answers)
 (to?to:(seat))?one*card:(card)?one*  # showed one
asker by:(seat)STOPS(?=(its|for|and|about)*card)  # ann: plum
colon/colon colon  # :
bare! (?<![neither for about])(yes|only(?=seat$))?who:(seat)(stop?card:(card))?
 (?!STOPS[nobody nil])  # cat rope
card (its|for|by|about)*card:(card)  # with the rope
passes! (?:^|(?<=[comma stop card and but]))
 next:(denies(comma none)?one*toshow?)(?=comma|stop|and|but|card|$)  # couldn't
passes! (?:^|(?<=[comma stop card passes denies none passed no]))
 next:(passes|passed|no(comma none)?one*toshow?(?![passes passed])|
 none(comma none)?one*toshow?(?![seat passes passed]))(?![one to])  # no
nothing comma|stop|and|for|about|its(?=card|seat suggests)|(?<=[card comma])or(?=card)  # and
"""
"""
What the clauses of a suggestion say and how: who asks whom, who passes, who shows, single names.

Those with a mark come only behind the cards. They are tried in this order at each word, so that
what says more comes before what says less: a seat with all of its answer before the seat alone, and
what denies before what shows, as `ann has none` begins like `ann has one`. `by` asks; `asked` is
asked; `who` passes or shows; `to` is shown.
"""

_BEARERS: dict[Bearers, str] = {
    "seats": "seat",
    "clues": "name",
    "spots": "[card name]",
    "places": "[seat name card]",
    "holders": "[seat name card]",
}
"""What can stand for names of some kind; for those of any other kind a card does."""


def _usual(kind: type[Event]) -> str:
    """Return the pattern of the lines of a kind by its form: the verb, then its names."""
    form = kind.form
    whose = "?" if kind.turn or kind.sight.owner else ""
    pattern = f"{form.subject}:(seat|he){whose} has? {form.verb}"
    if not form.parts:
        return pattern
    pattern += "(to|stop|its|one|and)*"
    for part in form.parts:
        if isinstance(part, Name):
            pattern += f"{part.field}:({_BEARERS.get(part.of, 'card')})?"
        elif isinstance(part, Several):
            pattern += f"{part.fields[0]}:(CARDS)?"
    if isinstance(form.tail, Name):
        pattern += f"THEN({form.tail.field}:(card)|unheard)?"
    return f"{pattern}one*"


@cache
def pattern(text: str) -> re.Pattern[str]:
    """Return a pattern over roles as one over their letters."""
    while re.search("[A-Z]", text):
        text = re.sub("[A-Z]+", lambda part: _PARTS[part[0]], text)
    text = re.sub(r"(\w+):\(", r"(?P<\1>", text)
    return re.compile(re.sub(r"\[[a-z ]+\]|\(\?P<\w+>|[a-z]+", _letters, text).replace(" ", ""))


def _letters(found: re.Match[str]) -> str:
    """Return a role, or those in brackets, as letters, and a group's name unchanged (for `sub`)."""
    if found[0].startswith("("):
        return found[0]
    roles = found[0].strip("[]").replace("stop", "stop colon").split()
    letters = "".join([LETTERS[role] for role in roles])
    return f"[{letters}]" if len(letters) > 1 else letters


@cache
def lines() -> dict[str, list[tuple[type[Event], str]]]:
    """Return the patterns of whole lines, by the roles that they cannot do without."""
    kinds = {kind.__name__: kind for kind in seen.kinds()}
    found: dict[str, list[tuple[type[Event], str]]] = {}
    for row in rows(LINES):
        for role in row.roles:
            found.setdefault(role, []).append((kinds[row.name], row.text))
    for kind in kinds.values():
        if kind.form.verb not in ("asks", "points", *found):
            found[kind.form.verb] = [(kind, _usual(kind))]
    return found


@lru_cache(maxsize=256)
def clauses(roles: frozenset[str]) -> list[tuple[str, re.Pattern[str]]]:
    """Return the patterns of what a suggestion is made of, each with what it says, by its roles."""
    kept = [row for row in rows(CLAUSES) if not row.roles or row.roles & roles]
    return [(row.name, pattern(row.text)) for row in kept]


REPLY = "REPLY"
"""What the one player who was asked answers."""
BARE = "cards:(card(card|comma|and)*)"
"""A list of cards and nothing else, which may be the viewer's hand."""
