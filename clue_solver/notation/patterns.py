"""
What people say, as patterns over the roles of words.

A line is written as a string of roles, one letter each (`vocabulary.LETTERS`). It is read only if
it matches. `LINES` has the patterns of whole lines with one verb; their named groups are fields of
the observation. Suggestions and questions are sequences of `CLAUSES`; `ORDER` says which may follow
which. Words that mean nothing in their place are dropped (`DROPPED`). What no pattern matches
is refused: hearsay, requests, possibilities, what was done to somebody, an answer taken back.

A row may begin with roles and a slash: it is tried only for lines with one of these roles, and its
pattern is compiled only then. So reading a record in canonical form compiles no pattern.

Patterns are regular expressions over roles: `card` stands for a card, `[a b]` for one of several
roles, `who:(seat)` is the group `who`, and words in capitals are defined in `_PARTS`. Some words
stand for several roles (`_ALIKE`): `stop` also matches a colon, `colon` matches only a colon.
Each line and clause is followed by an example.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from clue_solver.notation.vocabulary import LETTERS
from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Event


class PatternRow(NamedTuple):
    """
    A row of a table of patterns, such as `LINES` or `CLAUSES`.

    Attributes:
        name: The kind of line or clause that the pattern recognises.
        means: What a clause says: that somebody `asks`, `passes` or `shows`, that an answer was
            `unheard`, or `nothing`. In the row it stands after the name and `=`; if it does not, it
            is the same word as the name.
        whose: For a clause that names no player, whose answer it gives: `all` or another member of
            `suggestion.Unnamed`, in lower case. Empty if the row does not say.
        text: The pattern.
        roles: The row is tried only for lines in which a word has one of these roles; empty if it
            is tried for all lines.
        example: A text that the pattern matches.
    """

    name: str
    means: str
    whose: str
    text: str
    roles: frozenset[str]
    example: str


def rows(table: str) -> Iterator[PatternRow]:
    """
    Yield the rows of a table such as `LINES`, which is given as text.

    A row is written `ROLES/NAME=MEANS:WHOSE PATTERN  # EXAMPLE`; these are the attributes of
    `PatternRow`. Only the name and the pattern are needed. An indented line continues the row
    before it.
    """
    for row in re.finditer(r"^(?:\[?([\w ]+)\]?/)?(\S+) ((?:.|\n )+)", table, re.MULTILINE):
        roles, what, text = row.groups(default="")
        name, _, says = what.partition("=")
        means, _, whose = says.partition(":")
        text, _, example = text.replace("\n", "").partition("  # ")
        yield PatternRow(name, means or name, whose, text, frozenset(_roles(roles)), example)


_ALIKE = {
    "stop": "stop colon",
    "has": "have had",
    "one": "one cards",
    "single": "one",
    "shows": "shows show",
    "showed": "shows",
    "denies": "denies cannot",
    "passes": "passes dash",
}
"""
The roles that a word in a pattern stands for, if it does not stand just for the role of its name:
`showed` is the role `shows` alone.
"""


def _roles(text: str) -> list[str]:
    """
    Return the roles that the words of a pattern stand for; some stand for several roles (`_ALIKE`).

    `text` has the words, with spaces between them.
    """
    return [role for word in text.split() for role in _ALIKE.get(word, word).split()]


_PARTS = {
    row.name: row.text
    for row in rows("""
SEATS seat((comma|and|plus|comma and)seat)*  # ann, ben and cat
PAIR (seat(comma seat)* comma? and seat|seat)  # ann and ben
WHO who:(SEATS|he|seat he)  # ann she
BY by:(seat|he|owner|mine)?
STOPS (comma|stop)*  # between two clauses
CAN [can could did]
SHOWING (CAN?shows|CAN answers|has|could|did)(to:(seat)(?=one|$))?
LINK (comma|plus|stop|and|its|for|about|by)*  # between a verb and its cards, and two cards
ASKED cards:(card(LINK card){0,SIZE})
ASKING (STOPS asked:(SEATS)(?=stop|comma|about|for|card|$))?(LINK(ASKED|$)|(?=comma))
TURN its?turn:(seat|owner|mine)turn STOPS
THEN (one|and|its|knows|stop|comma)*  # card and saw
ENDING (but|and|he|its|comma|stop)*  # plum, and he was
CARDS card(card|comma|plus|stop|and|its|for|about|one)*  # plum, the rope and the hall
DENYING (passes+[denies no none]*|passed|
 ([denies no]+none*|none+|didnt(?=[shows has could one did]))(comma none)?)
NO [no none]  # no
LONE (?!(seat|he|owner)STOPS[both all])  # not ann both
PASSING LONE who:(SEATS(?=stop|both|all|passed)|PAIR|he|seat he|owner)
 (?!comma[denies no]seat)STOPS[both all]?[says answers has did too]?STOPS
 (DENYING((?<![passes passed none])(show(?!to?[seat card])|(?<!cannot)has|[could did]))?|neither)
 THAT(too(?!seat))?
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
""")
}

LINES = """
accuses/Accusation BY STOPS turn?has?accuses LINK cards:(CARDS)?VERDICT  # ben accuses plum no
accuses/Accusation by:(seat)has?wrong:(wrong)accuses LINK cards:(CARDS)
   # ben made a false accusation plum
accuses/Accusation accuses LINK by:(seat)LINK cards:(CARDS)VERDICT  # accusation: ben plum
holds/Hand seat:(seat|he|owner|mine)?has?holds(to|stop|its|and)*cards:(CARDS)?one*  # my hand: plum
[has got]/Hand seat:(seat|mine)?[has got]+cards:(card(card|comma|and|stop)*)  # i have plum, rope
knows/Knowing KNOWS(HOLDER(has:(card(or card)*))?)?  # ann saw ben plum
knows/Knowing KNOWS holder:(owner)has:(card)  # i saw ben's plum
knows/Knowing KNOWS HOLDER has one?has:()  # ann knows ben has
knows/Knowing KNOWS LACKING lacks:()  # ann knows ben lacks
has/Knowing (KNOWS)?HOLDER has has:(card(or card)*)  # ben has plum or the rope
has/Knowing (KNOWS)?HOLDER has one has:(card((comma|or|and)*card)+)  # ben has one of plum, the rope
has/Knowing holder:(name)has has:()  # the envelope has
lacks/Knowing holder:(name)lacks lacks:()  # the envelope lacks
[lacks denies no didnt neither]/Knowing (KNOWS)?LACKS  # ben has no plum
lacks/Knowing (KNOWS)?EACH  # ann knows ben lacks plum and rope
name/Knowing has:(card)[is moves]holder:(name)  # plum is in the envelope
name/Knowing lacks:(card)isnt holder:(name)  # plum is not in the envelope
never/Knowing never HOLDER has lacks:(card)  # there is no way ben has plum
skips/Skip BY has?skips  # ben skips
didnt/Skip BY has?didnt(has|shows)?suggests one*  # ben did not ask anything
[denies no none]/Skip [denies no none]suggests(by by:(seat))?  # no suggestion from ben
leaves/Leave by:(seat|he|owner|mine)has?leaves  # ben has left
draws/Draw BY has?draws(to|stop|its|and)*kind:(name)?one*  # ben draws passage
moves/Move BY has?moves(to|stop|its|and)*to:([card name])?one*  # ben moves to the hall
stays/Stay BY has?stays  # ben stays
looks/Look BY has?looks(to|stop|its|(?<=looks)one|and)*holder:([seat owner mine name card])?
 THEN(card:(card)|unheard)?one*  # ben looked at ann: plum
rolls/Roll BY has?rolls(total:(name)icons:((name|comma|plus|and)+)?)?  # ben rolls 5, glass
got/Roll BY got total:(name)  # ben got a 4
rolls/Roll BY has?rolls dice:((name|card|comma|and)+)  # ben rolls plum, plum, green, glass
peeks/Peek BY has?peeks to?name?THEN(feature:(card)|unheard)?  # ben peeked and saw purple
reveals/Reveal seat:(seat)has?reveals(to?all)?one*card:(card)?
 (to(all|to:(seat)))?  # cat reveals rope to dan
reveals/Nobody nobody reveals card:(card)?  # nobody reveals plum
shows/Reveal seat:(seat)has?hadto?shows to?all one*card:(card)  # ben showed everybody the rope
"""
"""The patterns of whole lines, for every kind of observation but suggestions and questions."""

CLAUSES = """
asked/asks asked:(seat)asked by:(seat)LINK ASKED  # i was asked by dan for plum
suggests/question=asks BY comma?has?suggests asked:(seat)(about|for|stop|comma)*
 cards:(card((and|comma|or)*card)*)?  # ann asked ben about plum
[suggests says thinks]/asks (TURN)?when?BY have?(suggests|says|thinks)ASKING
   # ann asks ben: plum
suspects/asks by:(seat)suspects LINK ASKED  # ben suspects plum, rope, hall
whoasked/asks its by:(seat)whoasked LINK ASKED  # it was ann who asked plum
whohas/asks BY whohas cards:(card((comma|or|comma or)card)*)  # ann asked who has plum or rope
points/points=asks BY has?points LINK cards:(card(LINK card){0,9})?  # ann points at plum
[suggests says]/asks (BY have?moves)?to?room:(card)(?=[comma and stop seat he])
 (comma|and|stop)*also:(seat|he)?(suggests|says)LINK ASKED  # ann went to the hall, asked plum
moves/asks BY has?moves to?stop?cards:(card(LINK card)+)  # ann goes: plum, rope
turn/asks TURN LINK ASKED  # ann's turn: plum
says/asks its?ASKED STOPS says by:(seat)  # plum, rope, hall says ben
says/asks its?ASKED STOPS by:(seat|he)says(?![yes no none denies passes passed])
   # plum, rope, hall he says
by/asks its?ASKED STOPS by by:(seat)(?=.)  # plum, rope, hall by ben, cat no
asks (by:(seat)STOPS)?(for|about|comma|stop)*ASKED  # ann: plum, rope
[when had]/had_asked=asks (?=when|[seat he]had)when?BY had?(suggests|says|thinks)ASKING
  # when ann asked plum
[for its owner mine stop]/asked_for=asks STOPS(for|its|stop|(?<=show)(?=[owner mine]))
 by:(seat|owner|mine)?(about|comma|stop)*ASKED  # for ann's plum
colon/colon=nothing colon  # :
passes/passes_too=passes who:(seat)passes  # dan, ann passes
neither/passes neither who:(seat((nor|or|and)seat)+)
 CAN?[shows has]?THAT  # neither ann nor ben
neither/passes neither[can could did has shows]who:(seat)  # neither can ann
passes PASSING  # ann: no
passed/turn_passed=passes ^next:(passed)$  # pass
[no none]/denied=passes ([no none]+[comma stop]+)+PASSING  # no, ann has none
after/after=passes after PASSING  # after ann passed
skipped/skips=passes (who:(seat|he)skipped|next:(skipped))(?=comma|stop|and|but|$)  # ann skips
dash/dashes=passes who:(seat)dash  # ann -
didnt/didnt=passes WHO STOPS both?didnt
 (?![shows answers hadto must has could one passes passed suggests says card did])  # ann did not
both/passes both[says answers has did]?DENYING
 [shows has could]?THAT  # i asked ann and ben, both passed
all/nobody=passes:all [has got]?[denies no none]one*by all  # nothing from anyone
by/passes has?[denies no none nil unanswered]one*toshow?by who:(SEATS)
 (?![seat both has shows could yes denies none passes passed did no])  # nothing from ann
minus/minus=passes minus who:(seat)  # -ann
not/not_first=passes not who:(seat)(?=.)  # not ann, not ben
not/not=passes not who:(seat)  # not ann
nay/no=passes nay who:(seat)$  # no ann
[nil unanswered]/passes LONE who:(PAIR)STOPS both?(has|shows)?[nil unanswered]  # ann no card shown
too/too=passes (and|but)*too who:(seat)  # also ann
too/too=passes (and|but)*who:(seat|he)comma?([could has did]*too|too[could did])  # ann did too
[nobody else]/else=passes:all (and|but)*[nobody else](?!did)SHOWING THAT  # nobody else could
nil/nil=passes:all (NO STOPS)?nil  # no card shown
[nobody noneof all]/nobody=passes:all (NO STOPS)?
 (but?(nobody|noneof one?(?=[could can shows has]))(SHOWING|(?<!nobody)can)?|
  all one?both?has?[says answers]?DENYING[shows has]?)THAT  # nobody could show
others/others=passes:others others both?has?(DENYING(shows|has)?THAT|didnt)  # the others passed
[but till]/but=shows [but till]who:(seat)(comma?he)?(has?hadto?shows|could|did|has|yes)?
 (to?to:(seat))?one*card:(card)?one*  # but ben showed ann the rope
by/shows (to:(seat)comma?)?shown by who:(seat)card:(card)?one*  # was disproved by ben with the rope
by/from=shows (to:(seat)comma?)?[shown has got yes one]one*card:(card)?by who:(seat)
   # ann got the rope from ben
by/from=shows and?card:(card)shown?by who:(seat)  # and the rope from ben
[shows answers yes reveals could did]/shows (?<![nobody else nil])only?
 LONE who:(SEATS|he|seat he|someone|owner)both?STOPS
 has?(hadto shows|showed|(?<!comma)show(?!to?seat$)|answers|(says|answers)?yes|reveals|did shows)
 (to?all(?=single*card))?(to?to:(seat)(?![shows has denies no none passes passed]))?
 (single*(?!card)unseen:(unheard)?|card:(card)single*)  # ann showed me one
had/shows only?WHO had(one+toshow?|one*card:(card)one*)  # ann had the rope
has/has_one=shows only?WHO has one+toshow?  # ann has one
has/has_card=shows only?WHO has one*card:(card)one*  # ann has the rope
[could has did]/shows only?LONE WHO both?[could has did](?=stop|comma|and|but|$)  # ann could
to/shown_to=nothing to to:(seat)  # to ann
unheard/unheard but?who:(seat)unheard  # ann ?
unheard/rest=unheard:rest others?unheard  # i missed the rest
doubt/colon=nothing (?<=card)doubt(?=.)  # plum, rope, hall? ann showed
[shows answers]/shown=shows (?:^|(?<=[stop comma and but]))has?(hadto?shows|answers)
 (to?to:(seat))?one*card:(card)?one*  # showed one
[shows answers yes has could did]/replied=shows has?(shows|answers|yes|has|could|did)(to?to:(seat))?
 one*card:(card)?one*unseen:(unheard)?  # shows ?
bare_card=shows (?<![neither for about])yes?who:(seat)stop?card:(card)  # cat rope
bare=shows (?<![neither for about])(yes|(?<![and but])(only(?=seat$))?)who:(seat)  # cat
more=shows (?<=[comma stop])who:(seat)[shows answers]?  # ann, ben
[dash passes no]/bare_next=shows (?<=[dash passes no])(?<!no no)(?<!no comma no)who:(seat)
   # - - cat
card=shows (?<!no)card:(card)$  # rope
[denies didnt]/next=passes next:((denies|didnt has?)(comma none)?one*toshow?)
 (?=comma|stop|and|but|card|$)  # couldn't
no/next=passes next:(no)comma none(one*toshow?)?  # no, nothing
next=passes next:(passes(comma?passes)*|passed|no(comma?no)*|none)((?<![passes passed])one+toshow?)?
 (?![passes passed one to])  # no
nothing (comma|stop|and|but|for|about)(?=.)  # ann, ben
"""
"""
The patterns of a suggestion's or a question's clauses: who asks whom, who passes, who shows.

A row begins with the name of the clause, for `ORDER`. After `=` comes what it means, if that is not
its name, and after `:` whose answer it is if nobody is named: `nobody=passes:all`.

At each word of a line the rows are tried in this order. If one statement begins with another, the
longer one comes first: a seat with its answer before the seat alone. A denial comes before an
answer that begins alike: `ann has none` before `ann has one`.

The groups are players: `by` asks, or whoever has the `turn`; `asked` is asked; `who` passes or
shows, or the words `next` if nobody is named; `to` is shown the card.
"""

_ANSWER = """passes>passed others>all shows>shown has_one>shown shown>shown from>shown bare>ended
 bare_card>shown unheard>passed rest>ended"""
"""The steps of `ORDER` for clauses that may follow the cards, or another pass."""
_ANEW = """skips>passed denied>passed minus>noted no>passed didnt>passed next>next card>ended
 nobody>all nil>all"""
"""The steps of `ORDER` for other clauses that may begin the answers."""

ORDER: dict[str, dict[str, str]] = {}
"""
Which clauses may follow at each stage of a suggestion, and the stage each one leads to.

A line begins at `start`, or at `late` if it answers a suggestion of an earlier line. After a
question it is `asked`, and after the cards of a suggestion `told`. Then somebody `passed`, `next`
passed without being named, somebody is `noted` as not showing, `all` passed, or a card was `shown`;
where everybody answers, `each` may show one. After a name alone the line is `ended`, or names are
`listed` where everybody answers. In stages that end with `first` the answers stand before the
suggestion; `again` is what may follow that suggestion.
"""
for _row in rows(f"""
start question>asked points>told asks>told turn_passed>told passes>passed_first shows>shown_first
 from>shown_first nobody>nobody_first
passed_first passes>passed_first shows>shown_first from>shown_first had_asked>again
 asked_for>again
shown_first passes>shown_first after>shown_first shown_to>shown_first asks>again had_asked>again
 asked_for>again
nobody_first had_asked>again asked_for>again
again passes>again after>again shows>again
asked passes>asked shows>asked has_one>asked has_card>asked replied>asked bare_card>asked
 next>asked card>asked denied>asked no>asked didnt>asked nobody>asked nil>asked unheard>asked
 rest>asked skips>asked colon>asked
told {_ANSWER} {_ANEW} not_first>noted colon>told else>all
late {_ANSWER} {_ANEW} not>noted has_card>shown
passed {_ANSWER} no>passed too>passed else>all has_card>shown but>shown
next passes>passed others>all shows>shown has_one>shown has_card>shown shown>shown
 bare_next>ended bare_card>shown card>ended but>shown rest>ended
noted not>noted minus>noted bare>ended bare_card>shown shows>shown
all but>shown shows>shown
shown passes>shown after>shown shows>shown didnt>shown others>ended shown_to>shown
each {_ANSWER} after>each didnt>each shown_to>each
ended dashes>ended more>ended
listed passes_too>passed shows>shown bare>ended bare_card>shown dashes>ended more>ended
"""):
    _steps = [_step.partition(">") for _step in _row.text.split()]
    ORDER[_row.name] = {"nothing": _row.name, **{says: then for says, _, then in _steps}}


@cache
def pattern(text: str, size: int = 3) -> re.Pattern[str]:
    """
    Compile a pattern over roles to a regular expression over their letters.

    Args:
        text: The pattern.
        size: How many cards a suggestion names.
    """
    parts = {**_PARTS, "SIZE": str(size - 1)}
    while re.search("[A-Z]", text):
        text = re.sub("[A-Z]+", lambda part: parts[part[0]], text)
    text = re.sub(r"(\w+):\(", r"(?P<\1>", text)
    return re.compile(re.sub(r"\[[a-z ]+\]|\(\?P<\w+>|[a-z]+", _letters, text).replace(" ", ""))


def _letters(found: re.Match[str]) -> str:
    """
    Return the letters that stand for some roles in a compiled pattern.

    Several roles become a set of letters in brackets, of which one must match. The start of a named
    group, as in `(?P<cards>`, is returned as it is.

    Args:
        found: The match of the roles, or of the start of the group, in the text of a pattern.
    """
    if found[0].startswith("("):
        return found[0]
    letters = "".join([LETTERS[role] for role in _roles(found[0].strip("[]"))])
    return f"[{letters}]" if len(letters) > 1 else letters


@cache
def lines() -> dict[str, list[tuple[type[Event], str]]]:
    """
    Return the patterns of whole lines, by role.

    Returns:
        For each role, the patterns to try on a line that has a word of this role. Each pattern
        comes after the kind of observation that it recognises.
    """
    kinds = {kind.__name__: kind for kind in observed.kinds()}
    found: dict[str, list[tuple[type[Event], str]]] = {}
    for row in rows(LINES):
        for role in row.roles:
            found.setdefault(role, []).append((kinds[row.name], row.text))
    return found


@lru_cache(maxsize=1024)
def clauses(
    stage: str, roles: frozenset[str], size: int
) -> list[tuple[PatternRow, re.Pattern[str], str]]:
    """
    Return the clauses that may come next in a suggestion or a question.

    Args:
        stage: How far the line has been read, as a key of `ORDER`, such as `told`.
        roles: The roles that occur in the line.
        size: How many cards a suggestion names.

    Returns:
        For each clause its row, its compiled pattern and the stage that it leads to.
    """
    return [
        (row, pattern(row.text, size), ORDER[stage][row.name])
        for row in rows(CLAUSES)
        if row.name in ORDER[stage] and (not row.roles or row.roles & roles)
    ]


DROPPED = """
is is(?=right|wrong)|(?<=[suggests accuses holds turn one])is(?!in)  # my hand is plum
is (?<=[seat he])is(?=only)  # plum rope hall: ben was the only one
whether (?<=[suggests thinks])whether  # ben wonders whether plum
that (?<=.)that(?=.)  # ben says that plum
him (?<=[shows none])[him his]|[him his](?=suggests)  # plum rope hall: ben showed him the rope
in (^|(?<=[card name its suggests thinks says accuses points stays isnt of looks])
 |(?<=[card so um] comma)|(?<=card[so um])|(?<=looks one)|(?<=by seat))in(?=[so um]?[card name])
  # plum in the hall
of of(?!seat)(?=.)  # suggestion of plum
then then(?=..)  # then ben passes
now now(?=..)(?!seat)|^now(?=..)  # now plum rope hall
so so(?=..)|(?<=..)so  # so plum rope hall
um um(?=..)|(?<=..)um(?=.)  # um, plum rope hall
oh ^oh(?=..)  # well, plum rope hall
adverb (?<![could denies didnt isnt hadto must no not never])adverb(?=.)(?!seat)|(?<=card)adverb
   # ben finally shows
mine (?<=[seat shows])mine  # plum rope hall: i showed ben my rope
dots dots(?=.)  # plum... rope
comma (?<=.)comma$  # ben has plum, i saw it
"""
"""
Patterns of the places where a word means nothing and is dropped. In all other places it is read
like any other word.
"""


@cache
def dropped_words() -> re.Pattern[str]:
    """
    Return the compiled pattern that finds the words of a line which mean nothing where they stand.

    It is made from `DROPPED`, and searches the letters of the words' roles.
    """
    return re.compile("|".join([pattern(row.text).pattern for row in rows(DROPPED)]))
