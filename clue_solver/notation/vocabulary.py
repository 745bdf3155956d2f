"""
The words that a line is made of besides names, by their role in it. Data only.

A word that is not listed makes the line a question or an error. Phrases are spelt without
apostrophes. Those of `filler` are left out of what is read: nothing there may deny, name or count.
`oh`, `so`, `of`, `him`, `in`, `that`, `then`, `now`, `adverb`, `room`, `whether` and `is` are left
out only where `patterns.SILENT` says so; `silent` is in no pattern, so that it stops a line.

Words have a role of their own wherever one of them can be said and another cannot: `have` is of
now and `had` of an answer, `show` is asked for and `shows` was done, `could` tells of an answer and
`can` of an ability. So what no pattern has is never read, and needs no rule that refuses it.

What denies is `passes`, `passed` or `dash`; `denies`, `cannot` and `didnt` before what is denied
(`no card`, `did not show`); `none` with nothing after it, `unanswered` behind who did not answer;
`not` before a player, right or wrong, and `nay` before a player; `never` before what is known;
`neither` with `nor`; `nobody`, `noneof` and `nil` of all, the last of one player too; `lacks`.
"""

from itertools import product

from clue_solver.rules.observations import kinds

_WORDS = """
suggests: suggests*|suggest*|suggested*|suggesting|suggestion|sug|sugg, asks|ask|asked*|asking,
 is|was|am suggesting|asking|guessing,
 guesses|guess|guessed*|guessing, proposes|propose|proposed, queries|queried, was it,
 what|how about, makes|make|made a| suggestion, goes|says|said was it,
 wants|wanted|like to know, would|id like to know
suspects: suspects
whoasked: who asks|asked
whohas: asks|asked who has
thinks: thinks|think|thought, reckons|reckon|reckoned, suspected, wonders|wondered,
 tries|tried, wants|wanted
says: says|say|said|saying, calls|called
accuses: accuses*|accuse|accused*|accusing|accusation, final accusation|answer,
 made|makes an| accusation, has made an accusation, tried to accuse
holds: holds|hold|holding|hand|cards, am|is holding, been|was| dealt, in hand
knows: knows|know|saw
skips: skips*|skip|skipped, misses|missed a|his|her go|turn, sits|sat out, passes|passed turn,
 pass|passed|skip|skipped my turn, passes|passed|skips|skipped his|her turn, didnt get anywhere
skipped: skips|skip|skipped
leaves: leaves|leave, has left, went|goes home, left|leaves the table
got: got|get|gets|getting
rolls: rolls*|roll|rolled|throws|throw|threw
draws: draws|draw|drew
moves: moves*|move|moved to|, moves|moved into, goes|go|went to, goes|went into, goes,
 enters|enter|entered, walks|walked|comes|came to|into, gone in|to|into, got to|into,
 takes|take|took|used the secret| passage to|, took the secret passage into, am|is now| in
stays: stays|stay|stayed, stays|stayed in his|her|the room, stays where he|she is
looks: looks|look|looked at|, snoops|snooped on|
peeks: peeks|peek|peeked, looks|look|looked at|in|into the envelope
reveals: reveals*|reveal|revealed
points: points|point|pointed at|, points|pointed the| finger, points|pointed the finger at
shows: shows*|showed*|showing|shown|showd|sh|sho|s, is show|showing, gives|gave,
 disproves|disproved|refutes|refuted, hands|handed, let|lets me see,
 who showed|shows
show: show|give|answer|disprove|refute
answers: answers|answered
hadto: had to
silent: says|said nothing, may|will have|show|pass|ask|suggest|do,
 may|will may|will have|show|pass, passed|passes|pass me
must: must|miss
can: can
could: could help|
did: does|do|did
yes: yes|y|yup|yep|yeah|yea|aye|\u2713|\u2714
shown: is|was|got|am|were|been|gets shown, was|got given, got one|something, got a card,
 was|is disproved|refuted
passes: passes*|pas|pa|p|x
passed: passed*|pass|passing
didnt: didnt|doesnt|dont, did|does|do not
denies: hasnt|havent|hadnt got|, has|have|ve|had not got|, has|have|ve|had no,
 isnt having, is| not having
cannot: cant|cannot|couldnt, can|could not
no: no, oh no
nay: no
unanswered: gave| no answer|answers
none: didnt answer, did not answer, wont show, isnt showing,
 is not showing, none|nothing|zilch|nada|nope|nah, no card|cards, unable, has|have|ve|had none,
 couldnt|cant|cannot help, could not help, shakes|shook his|her head, \u2717|\u2718
not: not|-
dash: -
isnt: isnt|wasnt, is|was not
never: no way, theres no way, there is no way
lacks: lacks|lack
have: has|have|having|ve, has|have|ve|s got
had: had
nobody: nobody|noone, no body|one, none of us, no takers
else: nobody else, no one else
noneof: none
nil: no card|cards shown
all: all|everyone|everybody|anyone|anybody, they all
others: others, the others, the| other, the rest,
 everyone|everybody else, all the others
both: both|each
neither: neither
nor: nor
but: but|except, except for, apart from
till: until|till|til
only: only
unheard: did not answer yet|, didnt answer yet|, has not answered yet, hasnt answered yet,
 i did not catch|hear the rest, i didnt catch|hear the rest, i missed the rest, ?
cards: cards
one: one|card|any|anything|something|it|them|those|these|thing|either, a|one|1|any card,
 any cards, one|any of them, any of the cards, any of those|these|it, of them|those|us, a thing,
 to all of it
toshow: to show
right: right|correct|wins|won|win|correctly|r|\u2713|\u2714
wrong: wrong|false|mistaken|incorrect|incorrectly|lost|loses|out|failed|w, not it, no luck,
 isnt|wasnt it, is|was not it, \u2717|\u2718
he: he|she|they|hes|shes
someone: someone|somebody, i dont know who, i do not know who
turn: turn|go
and: and|n|&
or: or
by: by|from
to: to
for: for|on
when: when
about: about
its: its, it was|is, it might be, did it, that it was, having| done it, doing it
too: too|also|likewise, as well
room: room|rm
whether: which|whether
after: after
is: is|was|are|were|am|be|been|being
asked: is|was|got|been|am|were asked by|from, asked by
him: his|her|him|their
in: in|at
oh: oh|dear|poor|yay|well, well dear
so: so|ok|okay|um|uh|kindly
of: of|with|w/|using|into
filler: a|an|the|at, on the dice, i am afraid,
 im afraid|sure, im sure that, i am sure that|, i saw it, this time|round,
 =|@|)|"|\u201c|\u201d
that: that
now: now|lol
then: then
adverb: just|definitely|finally, of course
colon: :
stop: ;|>|.|!|(|\u2013|\u2014|--|->
dots: ..|...|....
comma: ,|/
plus: +
own: myself
mine: my|im
numbers: two|three|four|five|six|seven|eight|nine|ten|eleven|twelve
no slips: while|write|quite|greet|greed|greek|sturdy|danger|slips|ships|snips|skims,
 slows|slowed|shots|shops|stows|snows|snowed|stowed|shooed|shoved|shored|paused|pauses|parsed,
 pasted|posses|axed|rules
"""
"""
What is said, by its role: verbs of lines, how players answer, who, how names go together, signs.

`a|b` stands for one of the words, `a|` for one or none. Of words with a star a beginning and, of
long ones, a slip is understood as well.
"""

WORDS: dict[str, list[str]] = {}
"""The words and phrases of each role."""
SPELT_OUT: list[str] = []
"""The words with a star."""
for _row in _WORDS.replace("\n ", " ").strip().splitlines():
    _role, _, _text = _row.partition(": ")
    WORDS[_role] = []
    for _phrase in _text.split(", "):
        for _words in product(*[_word.split("|") for _word in _phrase.split()]):
            _spelt = " ".join(filter(None, _words))
            WORDS[_role].append(_spelt.removesuffix("*"))
            if _spelt.endswith("*"):
                SPELT_OUT.append(_spelt.removesuffix("*"))
for _kind in kinds():  # a kind that is added is read by its verb alone
    _verb = _kind.form.verb
    if _verb not in WORDS["suggests"]:
        WORDS.setdefault(_verb, [_verb, _verb.removesuffix("s")])

OWN = WORDS.pop("own")
"""What the viewer says of themselves besides `i` and `me`."""
MINE = WORDS.pop("mine")
"""What the viewer says of what is theirs, or of what they are doing."""
NUMBERS = WORDS.pop("numbers")
"""The numbers from two on."""
NO_SLIPS = WORDS.pop("no slips")
"""Words that are no slip of a card or a verb."""

PHRASES: dict[str, tuple[str, ...]] = {}
"""The roles that a word, a phrase or a sign can play; of any other sign nothing is known."""
for _role, _phrases in WORDS.items():
    for _phrase in _phrases:
        PHRASES[_phrase] = (*PHRASES.get(_phrase, ()), _role)

LETTERS = {
    role: chr(0x400 + place)
    for place, role in enumerate(("seat", "owner", "mine", "card", "name", "doubt", *WORDS))
}
"""The letter of each role, with which patterns are matched; Cyrillic, so none means anything."""

FACES = {"?": "question", "nothing": "blank"}
"""What people say of faces of dice, besides their names."""
