"""
The words that a line is made of besides names, by their role in it. Data only.

An unlisted word is either queried or rejected. Phrases are spelt without apostrophes. Those of
`filler` are left out of what is read: nothing there may deny, name or count. No pattern matches
those of `doubtful`, so a line that has one is refused.

What denies has a role of its own by what may be beside it: `passes` and `passed`, the second of
which may hand over a card; `denies` and `didnt` before what is denied (`no card`, `did not show`);
`none` with nothing after it; `not` before a player, right or wrong; `never` before what is known;
`neither` with `nor`; `nobody` and `nil` of all, the second of one player too; `lacks`.
"""

from clue_solver.rules.observations import kinds

_WORDS = """
suggests: suggests*, suggest*, suggested*, suggesting, suggestion, sug, sugg, asks, ask, asked*,
 asking, guesses, guess, guessed*, guessing, says, say, said, saying, proposes, propose, proposed,
 wonders, wondered, calls, called, thinks, think, thought, reckons, reckon, reckoned, suspects,
 suspected, tries, tried, wants, wanted, wants to know, wanted to know, would like to know, like to
 know, queries, queried, question, was it, what about, how about, make suggestion, make a
 suggestion, makes a suggestion, made a suggestion, goes was it, says was it, said was it, asked who
 has, asks who has, who asked, who asks
accuses: accuses*, accuse, accused*, accusing, accusation, final accusation, final answer, makes an
 accusation, made an accusation, has made an accusation, made accusation, tried to accuse
holds: holds, hold, holding, hand, cards, dealt, been dealt, was dealt, in hand
knows: knows, know, saw
skips: skips*, skip, skipped, misses a go, missed a go, misses a turn, missed a turn, sits out, sat
 out, passes turn, passed turn, pass my turn, passed my turn, passes his turn, passes her turn,
 passed his turn, passed her turn, skips his turn, skips her turn, skip my turn, skipped his turn,
 skipped her turn, skipped my turn, didnt get anywhere
leaves: leaves, leave, left, has left, went home, goes home, left the table, leaves the table
rolls: rolls*, roll, rolled, throws, throw, threw
draws: draws, draw, drew
moves: moves to, move to, moved to, moves, move, moved, moves into, moved into, goes to, go to, went
 to, goes into, went into, goes, enters, enter, entered, walks to, walked to, gone in, gone to, gone
 into, got into, got to, took the secret passage to, took the secret passage into, used the secret
 passage to, takes the secret passage to, take the secret passage to, took the passage to, takes the
 passage to, take the passage to, took the passage, takes the passage, take the passage, took the
 secret passage, takes the secret passage, take the secret passage, am in, am now in, is in, is now
 in
stays: stays, stay, stayed, stays where he is, stays where she is
looks: looks at, look at, looked at, looks, look, looked, snoops on, snooped on, snoops, snooped
peeks: peeks, peek, peeked, looks at the envelope, look at the envelope, looked at the envelope,
 looks in the envelope, look in the envelope, looked in the envelope, looks into the envelope, look
 into the envelope, looked into the envelope
reveals: reveals*, reveal, revealed
points: points at, point at, pointed at, points, point, pointed, pointed finger, points finger,
 points the finger at, pointed the finger at
shows: shows*, show, showed*, showing, shown, showd, sh, sho, s, gives, give, gave, answers, answer,
 answered, disproves, disprove, disproved, refutes, refute, refuted, hands, handed, had to show, has
 to show, have to show, let me see, lets me see, who showed, who shows
can: could, can, does, do, did, could help, can help
yes: yes, y, yup, yep, yeah, yea, aye
shown: is shown, was shown, got shown, am shown, were shown, been shown, gets shown, was given, got
 given, got one, got a card, got something, was disproved, is disproved, was refuted, is refuted
passes: passes*, pas, pa, p, x
passed: passed*, pass, passing
didnt: didnt, did not, doesnt, does not, dont, do not
denies: hasnt got, havent got, hadnt got, has not got, have not got, had not got, no, cant, cannot,
 can not, couldnt, could not, hasnt, havent, hadnt, has not, have not, had not, has no, have no, had
 no, isnt having, is not having, not having
none: did not answer, didnt answer, wont show, isnt showing, is not showing, none, nothing, zilch,
 nada, nope, nah, no card, no cards, unable, has none, have none, had none, couldnt help, could not
 help, cant help, cannot help, shakes his head, shakes her head, shook his head, shook her head
not: not, no, nope
isnt: isnt, wasnt, is not, was not
never: no way, theres no way, there is no way
lacks: lacks, lack
has: has, have, had, got, has got, have got, having
nobody: nobody, no body, no one, noone, none of us, no takers
else: nobody else, no one else
nil: none of them, no answer, no answers, no card shown, no cards shown
all: all, everyone, everybody, all three, all of us, all of them, all three of us, they all, anyone,
 anybody
others: others, the others, the other two, the rest, everyone else, everybody else, all the others
both: both, each
neither: neither
nor: nor
but: but, except, except for, apart from, until, till, til
only: only
unheard: did not answer, didnt answer, did not answer yet, didnt answer yet, has not answered yet,
 hasnt answered yet, i did not catch the rest, i didnt catch the rest, i missed the rest, i did not
 hear the rest, i didnt hear the rest
one: one, card, a card, one card, 1 card, cards, any, any cards, any card, anything, something, it,
 them, those, these, thing, one of them, any of them, any of the cards, any of those, any of these,
 of them, of those, a thing, any of it, to all of it, either, to show
right: right, correct, wins, won, win, correctly, r
wrong: wrong, false, mistaken, incorrect, incorrectly, lost, loses, out, failed, w, not it, no luck
he: he, she, they, hes, shes
someone: someone, somebody
turn: turn, go
and: and, n
or: or
by: by, from
to: to
for: for, when, on
about: about
its: its, it was, it is, it might be, did it, that it was, done it, having done it, doing it
too: too, also, as well, likewise
room: room, rm
whether: which, whether
after: after
is: is, was
doubtful: doesnt have to, does not have to, dont have to, do not have to, didnt have to, did not
 have to, has not to, may have, may show, might have, could have, can have
filler: a, an, the, of, in, with, w/, at, that, then, so, ok, okay, um, uh, well, dear, oh, just,
 now, finally, please, kindly, were, am, are, be, been, his, her, him, their, poor, definitely, yay,
 lol, i am afraid, im afraid, im sure, i am sure, im sure that, i am sure that, i saw it, of course,
 using, into, this time, this round
"""
"""
What is said, by its role: the verbs of lines, how players answer, who, how names go
together. Of words with a star a beginning and, of long ones, a slip is understood as well.
"""

WORDS: dict[str, list[str]] = {}
"""The words and phrases of each role."""
SPELT_OUT: list[str] = []
"""The words with a star."""
for _row in _WORDS.replace("\n ", " ").strip().splitlines():
    _role, _, _text = _row.partition(": ")
    WORDS[_role] = _text.replace("*", "").split(", ")
    SPELT_OUT += [_word[:-1] for _word in _text.split(", ") if _word[-1] == "*"]
for _kind in kinds():  # a kind that is added is read by its verb alone
    _verb = _kind.form.verb
    if _verb not in WORDS["suggests"]:
        WORDS.setdefault(_verb, [_verb, _verb.removesuffix("s")])

PHRASES: dict[str, tuple[str, ...]] = {}
"""The roles that a word or a phrase can play."""
for _role, _phrases in WORDS.items():
    for _phrase in _phrases:
        PHRASES[_phrase] = (*PHRASES.get(_phrase, ()), _role)

OWN = ("my", "myself", "im", "ive", "id")
"""What the viewer says of themselves besides `i` and `me`."""

SIGNS: dict[str, tuple[str, ...]] = {
    "?": ("unheard",),
    "-": ("passes", "not"),
    ":": ("colon",),
    "&": ("and",),
    **dict.fromkeys((*";>.!()\u2013\u2014", "--", "->"), ("stop",)),
    **dict.fromkeys(",/+", ("comma",)),
    **dict.fromkeys('=@"\u201c\u201d', ("filler",)),
    **dict.fromkeys("\u2717\u2718", ("none", "wrong")),
    **dict.fromkeys("\u2713\u2714", ("yes", "right")),
}
"""What signs say; of any other sign nothing is known."""

FACES = {"?": "question", "nothing": "blank"}
"""What people say of faces of dice, besides their names."""

NUMBERS = (
    *("two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "eleven", "twelve"),
)

NO_SLIPS = ("while", "write", "quite", "greet", "greed", "greek", "sturdy", "danger")
"""Words that are no slip of a card."""
