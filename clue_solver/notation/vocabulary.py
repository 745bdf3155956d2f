"""
The words that a line may have besides names, sorted by role. Data only.

A line with a word that is not listed is refused or asked about. Phrases are spelt without
apostrophes. Words of the role `filler` are dropped before reading, so none may deny, name or count.
`oh`, `so`, `of`, `him`, `in`, `that`, `then`, `now`, `adverb`, `whether` and `is` are dropped only
where `patterns.DROPPED` says so. No pattern has the role `unreadable`.

Two words have different roles wherever a pattern must tell them apart: `have` is about now and
`had` about an answer, `show` is a request and `shows` an answer, `could` is about an answer and
`can` about an ability. So a line that no pattern matches is refused; only what depends on names or
on the end of the line has a rule of its own, in `scan.ways`.

Denials: `passes`, `passed` and `dash`; `denies`, `cannot` and `didnt` before what is denied (`no
card`, `did not show`); `none` on its own; `unanswered` after the name of who did not answer; `not`
and `nay` before a player; `never` before a known fact; `neither` with `nor`; `nobody`, `noneof` and
`nil` for all players, `nil` for a single player as well; `lacks`.
"""

from itertools import product

from clue_solver.rules.observations import kinds

_WORDS = """
suggests: suggests*|suggest*|suggested*|suggesting|suggestion|sug|sugg, asks|ask|asked*|asking,
 is|was|am suggesting|asking|guessing,
 guesses|guess|guessed*|guessing, claims|claim|claimed, question,
 proposes|propose|proposed, queries|queried, was it, what|how about,
 makes|make|made a| suggestion, goes|says|said was it,
 wants|wanted|like to know, would|id like to know
suspects: suspects
whoasked: who asks|asked
whohas: asks|asked who has
thinks: thinks|think|thought, reckons|reckon|reckoned, suspected, wonders|wondered,
 tries|tried, wants|wanted
says: says|say|said|saying, calls|called, was like
accuses: accuses*|accuse|accused*|accusing|accusation, final accusation|answer,
 made|makes an| accusation, has made an accusation, tried to accuse
holds: holds|hold|holding|hand|cards, am|is holding, been|was| dealt, in hand
knows: knows|know|saw
skips: skips*|skip|skipped|skipping, is|am skipping, misses|missed a|his|her go|turn,
 sits|sat out, pass|passes|passed|skip|skips|skipped my|his|her| turn, didnt get anywhere
skipped: skips|skip|skipped|skipping
leaves: leaves|leave, has left, went|goes home, left|leaves the table
got: got|get|gets|getting
rolls: rolls*|roll|rolled|throws|throw|threw
draws: draws|draw|drew
moves: moves*|move|moved|goes|enters|enter|entered, gone in,
 moves|move|moved|goes|go|went|walks|walked|comes|came|gone|got to|into,
 takes|take|took|used the secret| passage to|, took the secret passage into, am|is now| in
stays: stays|stay|stayed, stays|stayed in his|her|the room, stays where he|she is
looks: looks|look|looked at|, snoops|snooped on|
peeks: peeks|peek|peeked at|, looks|look|looked at|in|into the envelope
reveals: reveals*|reveal|revealed
points: points|point|pointed at|, points|pointed the| finger, points|pointed the finger at
shows: shows*|showed*|showing|shown|showd|sh|sho|s, is show|showing, gives|gave,
 disproves|disproved|refutes|refuted it| with|, hands|handed, let|lets me see,
 who showed|shows
show: answer with, show|give|answer|disprove|refute
answers: answers|answered, answers|answered with
hadto: had to
unreadable: says|said nothing, may|will have|show|pass|ask|suggest|do,
 may|will may|will have|show|pass, passed|passes|pass me
must: must
miss: miss
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
none: not a sausage, didnt answer, did not answer, wont show, isnt showing,
 is not showing, none|nothing|zilch|nada|nope|nah, no card|cards, unable, has|have|ve|had none,
 couldnt|cant|cannot help, could not help, shakes|shook his|her head, \u2717|\u2718
not: not
minus: -
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
one: one|card|any|anything|something|it|those|these|thing|either, a|one|1|any card,
 any cards, one|any of them, any of the cards, any of those|these|it, of them|those|us, a thing,
 to all of it
toshow: to show
right: right|correct|wins|won|win|correctly|r|\u2713|\u2714
wrong: wrong|false|mistaken|incorrect|incorrectly|lost|loses|out|failed|w, not it, no luck,
 made|makes a| wrong|false, isnt|wasnt it, is|was not it, \u2717|\u2718
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
room: room
whether: which|whether
after: after
is: is|was|are|were|am|be|been|being
asked: is|was|got|been|am|were asked by|from, asked by
him: her|him|their|them
his: his
in: in|at|into|with|w/|using
oh: oh|dear|poor|yay|well, well dear
so: so|ok|okay|kindly
um: um|uh
of: of
filler: a|an|the|man|woman, on the dice, let me see, i am afraid,
 im afraid|sure, im sure that, i am sure that|, i saw it, this time|round,
 =|@|)|"|\u201c|\u201d
that: that
now: now
then: then
adverb: lol, just|definitely|finally, of course
colon: :, answer
stop: ;|>|.|!|(|\u2013|\u2014|--|->
dots: ..|...|....
comma: ,|/
plus: +
own: myself
mine: my|im|mine
numbers: two|three|four|five|six|seven|eight|nine|ten|eleven|twelve
"""
"""
The words of each role: verbs of lines, answers, words for players, joining words, signs.

`a|b` stands for either word, `a|` for one word or none. Words with a star may be abbreviated.
"""

WORDS: dict[str, list[str]] = {}
"""The words and phrases of each role, by role."""
SPELT_OUT: list[str] = []
"""The words that may be abbreviated: those with a star in `_WORDS`."""
for _row in _WORDS.replace("\n ", " ").strip().splitlines():
    _role, _, _text = _row.partition(": ")
    WORDS[_role] = []
    for _phrase in _text.split(", "):
        for _words in product(*[_word.split("|") for _word in _phrase.split()]):
            _spelt = " ".join(filter(None, _words))
            WORDS[_role].append(_spelt.removesuffix("*"))
            if _spelt.endswith("*"):
                SPELT_OUT.append(_spelt.removesuffix("*"))
VERBS = tuple(dict.fromkeys([_kind.form.verb for _kind in kinds()]))
"""The verbs of canonical lines."""

OWN = WORDS.pop("own")
"""The viewer's words for themselves, besides `i` and `me`."""
MINE = WORDS.pop("mine")
"""The viewer's words for what is theirs, or for what they are doing."""
NUMBERS = WORDS.pop("numbers")
"""The number words, from two on."""

# The answers to a question about a line.

YES = (*WORDS["yes"], "sure", "i'm sure", "i am sure", "right", "that's right", "ok", "okay")
"""Ways to say yes."""
MISSED = ("?", "shows ?", "missed", "missed it", "i missed it", "i missed that")
"""Ways to say that something was missed, so that the line is logged without it."""
LATER = ("", "n", "no", "later", "not now")
"""Ways to say that the hand will be given later."""

PHRASES: dict[str, tuple[str, ...]] = {}
"""The roles of each known word, phrase and sign, by its text."""
for _role, _phrases in WORDS.items():
    for _phrase in _phrases:
        PHRASES[_phrase] = (*PHRASES.get(_phrase, ()), _role)

LETTERS = {
    role: chr(0x400 + place)
    for place, role in enumerate(("seat", "owner", "mine", "card", "name", "doubt", *WORDS))
}
"""The letter for each role in patterns. Cyrillic, so that no letter seems to mean anything."""

FACES = {"?": "question", "nothing": "blank"}
"""Other words for some faces of dice, each with the face."""
