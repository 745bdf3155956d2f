"""
What people say, as patterns over the roles of words.

A line is a string of roles, a letter each (`scan.ROLES`). `LINES` has the whole lines of one verb,
whose named groups are fields of the observation; `CLAUSES` what a suggestion is made of.
"""

import re

from clue_solver.notation.scan import ROLES
from clue_solver.rules import observations as seen
from clue_solver.rules.forms import Name, Several
from clue_solver.rules.observations import Event

_SPELT = {**ROLES, "stop": f"{ROLES['stop']}{ROLES['colon']}"}
_WORD = re.compile(r"\[[a-z_ ]+\]|\(\?P<\w+>|[a-z_]+")


def _pattern(text: str) -> re.Pattern[str]:
    """Return a pattern over roles as one over their letters; `[...]` is one of several."""

    def letters(found: re.Match[str]) -> str:
        word = found[0]
        if word.startswith("("):
            return word
        roles = word.strip("[]").split()
        spelt = "".join([_SPELT[role] for role in roles])
        return f"[{spelt}]" if len(spelt) > 1 else spelt

    return re.compile(_WORD.sub(letters, text).replace(" ", ""))


_SEATS = "seat((comma|and|comma and)seat)*"
_PAIR = "(seat(comma seat)* comma? and seat|seat)"
_WHO = f"(?P<who>{_SEATS}|he|seat he)"
_STOPS = "(comma|stop)*"
_DENYING = (
    "(passes+(denies|none)*|(denies+ none*|none+|didnt(?=[shows has can one]))(comma none)?|passed)"
)
_NOISE = "(comma|stop|and|or|its|for|about|one|to)*"
_CARDS = "card(card|comma|stop|and|or|its|for|about|one)*"
_BY = "(?P<by>seat|he)?"
_HOLDER = "(?P<holder>seat|name|card)"
_SEEN = "((?P<card>card)|unheard)?"
_NO_CARD = "(?![one card or])"
_ENDING = "(but|and|he|its|comma|stop)*"
_DENIED = "(denies|didnt|none|not|passes)"
_VERDICT = (
    f"{_ENDING}((?P<right>right)|(?P<wrong>wrong({_ENDING} wrong)*"
    f"|{_DENIED}+({_ENDING}[comma stop] wrong|right)?))?{_ENDING}"
)
_REPLY = (
    f"((?P<passes>(has|can|suggests)?{_DENYING}(shows|has)? one*|neither|nobody)"
    "|(?P<shows>(has|can)?[shows has yes]?(to? seat)? one*(?P<card>card)?)(?P<left_out>unheard)?)"
)

_LINES: dict[str, tuple[type[Event], tuple[str, ...]]] = {
    "accuses": (
        seen.Accusation,
        (
            f"{_BY}{_STOPS}turn? has? accuses{_NOISE}(?P<cards>{_CARDS})?{_VERDICT}",
            f"accuses{_NOISE}(?P<by>seat){_NOISE}(?P<cards>{_CARDS}){_VERDICT}",
        ),
    ),
    "holds": (seen.Hand, (f"(?P<seat>seat)? has? holds(stop|its)*(?P<cards>{_CARDS})?",)),
    "knows": (
        seen.Knowing,
        (
            f"(?P<by>seat)? comma? knows({_HOLDER}(has one?)?(?P<has>card(or card)*)?)?",
            f"(?P<by>seat)? comma? knows{_HOLDER}"
            "has?(lacks|denies|didnt|neither)has?(?P<lacks>card((comma|or|and|nor)+card)*)?",
        ),
    ),
    "skips": (seen.Skip, (f"{_BY} has? skips one*",)),
    "leaves": (seen.Leave, ("(?P<by>seat) has? leaves",)),
    "rolls": (
        seen.Roll,
        (
            f"{_BY} has? rolls((?P<total>name)(?P<icons>(name|comma|and)+)?)?",
            f"{_BY} has? rolls(?P<dice>(name|card|comma|and)+)",
        ),
    ),
    "draws": (seen.Draw, (f"{_BY} has? draws(?P<kind>name)? one*",)),
    "moves": (seen.Move, (f"{_BY} has? moves to?(?P<to>card|name)?",)),
    "stays": (seen.Stay, (f"{_BY} has? stays",)),
    "looks": (
        seen.Look,
        (
            f"{_BY} has? looks to?(one|and)*(?P<holder>seat|name|card)?"
            f"(one|and|its|knows|stop|comma)*{_SEEN}",
        ),
    ),
    "peeks": (
        seen.Peek,
        (f"{_BY} has? peeks to? name?(one|and|its|knows|stop|comma)*((?P<feature>card)|unheard)?",),
    ),
    "reveals": (
        seen.Reveal,
        ("(?P<seat>seat) has? reveals(to? all)? one*(?P<card>card)?(to(all|(?P<to>seat)))?",),
    ),
    "nobody": (seen.Nobody, ("nobody reveals(?P<card>card)?",)),
    "shows": (seen.Reveal, ("(?P<seat>seat) has? shows to? all one*(?P<card>card)",)),
    "has": (seen.Hand, ("(?P<seat>seat)? has+(?P<cards>card(card|comma|and|stop)*)",)),
    "suggests": (
        seen.Question,
        (
            f"{_BY} comma? has? suggests(?P<seat>seat)((about|for)"
            "((?P<about>card((and|comma|or)*card)*)"
            f"((and|but|comma|stop)*((?P<to>seat)|he)?{_STOPS}{_REPLY})?)?)?",
            f"{_BY} has? suggests(?P<seat>seat)(?P<about>card)",
        ),
    ),
}
"""The patterns of each kind of line but suggestions, by a role that it cannot do without."""

_FACTS = (
    f"{_HOLDER}has one?(?P<has>card(or card)*)",
    f"{_HOLDER}(suggests he)? has?(lacks|denies|didnt|neither)has?"
    "(?P<lacks>card((comma|or|and|nor)+card)*)",
    f"never{_HOLDER}has(?P<lacks>card)",
)
"""What the viewer knows, said without who knows it."""
_IDLE = (
    f"{_BY} has? didnt(has|shows)? suggests one*",
    "(denies|none)suggests by(?P<by>seat)",
)
"""What says that a turn passes without a suggestion."""

_CLAUSES = (
    # Who asks whom.
    ("asks", "(?P<asked>seat)suggests by(?P<by>seat)(about|for)*"),
    (
        "asks",
        f"{_BY}comma? has?(?P<verb>suggests|points)(?!{_STOPS}{_DENYING})"
        f"({_STOPS}(?P<asked>{_SEATS})(?=stop|comma|about|for|card|$))?(about|for|stop|comma|one)*",
    ),
    ("asker", f"its?(?P<by>seat)turn{_STOPS}(?={_NOISE}card|(seat|he)suggests)"),
    ("goes", "(?P<by>seat|he)? moves to?(?P<card>card)(and|comma|stop)*(?=suggests)"),
    # Who passes.
    ("passes", "neither(?P<who>seat(nor|or|and)seat)(shows|has|can)? one*"),
    ("passes", "neither(can|has|shows)(?P<who>seat)"),
    (
        "passes",
        f"((denies|not|none){_STOPS})*(?P<who>{_SEATS})(stop|both|all|(?=passed)){_STOPS}"
        f"(suggests|has|can)?{_DENYING}(shows|has|can)?one*{_NO_CARD}",
    ),
    (
        "passes",
        f"((denies|not|none){_STOPS})*(?P<who>{_PAIR}|he|seat he){_STOPS}both?"
        f"(suggests|has|can)?{_STOPS}({_DENYING}(shows|has|can)?|neither)one*{_NO_CARD}",
    ),
    ("didnt", f"{_WHO}{_STOPS}both? didnt(?![shows has can one passes passed suggests card])"),
    ("both", f"both(suggests|has|can)?{_DENYING}(shows|has|can)?one*"),
    ("nobody", "has?(denies|none)one* by all"),
    (
        "passes",
        f"has?(denies|none)one* by(?P<who>{_SEATS})"
        "(?![both has shows can yes denies none passes passed])",
    ),
    ("passes", "not(?P<who>seat)"),
    (
        "nobody",
        f"((denies|none|not){_STOPS})?(but? nobody(can?(shows|has|can)(seat(?=one))?)?"
        f"|all both? has? suggests?{_DENYING}(shows|has)?)one*{_NO_CARD}",
    ),
    ("others", f"others both? has?{_DENYING}(shows|has)? one*"),
    # Who shows.
    (
        "but",
        "but(?P<who>seat)(comma? he)?(has? shows|can|has|yes)?(to?(?P<to>seat))? one*"
        "(?P<card>card)? one*",
    ),
    ("shows", "((?P<to>seat)comma?)? shown by(?P<who>seat)(?P<card>card)? one*"),
    ("shows", "((?P<to>seat)comma?)?(shown|has)one*(?P<card>card)? by(?P<who>seat)"),
    ("from", "and?(?P<card>card)by(?P<who>seat)"),
    ("left_out", f"{_WHO}(shows|has)+unheard"),
    (
        "shows",
        f"only?(?P<who>{_SEATS}|he|seat he|someone)both?{_STOPS}has?can?"
        "(shows|yes|reveals)(to? all)?(to?(?P<to>seat)(?!shows|has|denies|none|passes|passed))?"
        " one*(?P<card>card)? one*",
    ),
    ("shows", f"only?{_WHO}(has|holds)(one+|one*(?P<card>card)one*)"),
    ("shows", f"only?{_WHO}both?can(?=stop|comma|and|but|$)"),
    ("shown_to", "to(?P<to>seat)"),
    ("unheard", "but?(?P<who>seat)unheard"),
    ("rest", "unheard"),
    ("shows", "(?:^|(?<=[stop comma and]))has?shows(to?(?P<to>seat))? one*(?P<card>card)? one*"),
    # Names and signs alone.
    ("asker", f"(?P<by>seat){_STOPS}(?=(its|for|and|about)*card)"),
    ("colon", "colon"),
    ("late", "yes?(?P<who>seat)(stop?(?P<card>card))?"),
    ("asks", "for(?P<by>seat)"),
    ("card", "(its|for|by|about)*(?P<card>card)"),
    (
        "lone",
        "(?:^|(?<=[comma stop card passes denies none passed]))"
        "(passes|((denies|none)(comma none)?|passed)one*)",
    ),
    ("nothing", "comma|stop|and|for|about|its(?=card|seat suggests)|or(?=card)"),
)
"""
What the clauses of a suggestion say and how, tried in this order at each word.

`by` asks; `asked` is asked; `who` passes or shows; `to` is shown a card.
"""

REPLY = _pattern(f"(and|but|comma|stop)*((?P<to>seat)|he)?{_STOPS}{_REPLY}")
"""What the one player who was asked answers."""


def _usual(kind: type[Event]) -> str:
    """Return the pattern of a line that has none here, by its form: the verb, then its names."""
    form = kind.form
    names = [part.field for part in form.parts if isinstance(part, Name)]
    lists = [part.fields[0] for part in form.parts if isinstance(part, Several)]
    fields = [f"(?P<{name}>seat|card|name)?" for name in names]
    fields += [f"(?P<{name}>{_CARDS})?" for name in lists]
    return f"(?P<{form.subject}>seat|he)? has? {form.verb} {''.join(fields)}"


_KNOWN = {kind for kind, _ in _LINES.values()} | {seen.Suggestion, seen.Finger}
_LINES |= {kind.form.verb: (kind, (_usual(kind),)) for kind in seen.kinds() if kind not in _KNOWN}

KINDS = {
    ROLES[role]: (kind, tuple(map(_pattern, patterns))) for role, (kind, patterns) in _LINES.items()
}
"""The patterns of whole lines, by the letter of the role."""
BARE = _pattern("(?P<cards>card(card|comma|and)*)")
"""A list of cards and nothing else, which may be the viewer's hand."""
FACT = tuple(map(_pattern, _FACTS))
IDLE = tuple(map(_pattern, _IDLE))
CLAUSES = tuple((name, _pattern(text)) for name, text in _CLAUSES)
