"""How a line is typed, by examples: what every help at the table begins with."""

FORMS = (
    ("ann mus wr lou: cat mus", "Ann suggests, Cat shows one"),
    ("ann mus wr lou ben no, cat", "no, nope, pass: has none"),
    ("mus wr lou; cat", "; and > are :"),
    ("ann mus wr lou: no", "nobody shows; so does -"),
    ("ann mus wr lou: ben pass, ?", "the rest was not heard"),
    ("ann mus wr lou: ben ?, cat", "Ben was not heard"),
    ("ann mus wr lou: cat shows ?", "left out on purpose"),
    ("me mus wr lou: cat mus", "me and i are you"),
    ("skip, ben skips", "a turn without a suggestion"),
    ("ben leaves", "nobody asks him any more"),
    ("rolls 7, ben moves to hall", "dice, and where a piece is"),
    ("ann stays, ben moves to h21", "in the room; to a square"),
    ("rolls 5, glass", "a die shows the icon"),
    ("draws passage", "a clue card"),
    ("ben accuses mus wr lou wrong", "or right"),
    ("ann holds pl ro ha st kn gr", "your hand"),
    ("cat has plum, ben lacks rope", "what you know besides"),
    ("ann knows ben lacks rope", "what Ann knows besides"),
    ("leo points at brains plum, brawn green: mia", "the finger of Clue Diced"),
    ("ann asks ben about plum: no", "one player is asked"),
    ("ann looks at ben: plum", "a card of a hand"),
    ("ann peeks: plum", "the envelope's notch"),
    ("cat reveals rope to ben", "or to all: cat reveals rope"),
    ("nobody reveals plum", "no player has it"),
)
"""A line, which may be typed so, and what it says in at most 28 columns."""
