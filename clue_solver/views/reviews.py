"""
Finished games in words: the story, the highlights and the players of one; a season; standings.

A game's highlights are put into words only here, for the page and the terminal alike.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from msgspec.structs import replace

from clue_solver.answers.advice import LEAST_GAIN
from clue_solver.answers.display import chance_text, share, view
from clue_solver.answers.review import (
    AccusationReview,
    Highlight,
    HighlightKind,
    Review,
    SeatReview,
    SuggestionReview,
)
from clue_solver.answers.season import Season
from clue_solver.answers.standings import Standings
from clue_solver.errors import counted, listed, plural, sentences
from clue_solver.inference.rounding import sort_key
from clue_solver.views.charts import accuracy_chart, chance_chart
from clue_solver.views.document import STYLE, Block, Line, Rows, as_html, document
from clue_solver.views.headlines import odds
from clue_solver.views.sentences import a_chance, card_list, clause, possessive, subject, verb_form

_HIGHLIGHTS: dict[HighlightKind, str] = {
    "proof": "{seat} solved it (chance before: {before})",
    "swing": "{whose} chance rose from {before} to {after}",
    "lead": "{seat} took the lead (chance up from {before} to {after})",
    "out": "{seat} made a wrong accusation{sure} and {was} out of the game",
    "rash": "{seat} accused too early{sure} and {was} out of the game",
    "missed win": "{seat} could have won, but didn't accuse",
    "unused proof": "{seat} could already have won, but didn't accuse",
    "wasted question": "{seat} suggested {cards}; another suggestion could have revealed far more",
    "lucky": "{seat} {was} lucky: the answer revealed far more than expected",
    "unlucky": "{seat} {was} unlucky: the answer revealed far less than expected",
}
"""The sentence for each kind of highlight."""

LIKELIER = 0.1
"""
How much likelier a card must be in the envelope than a card that was named, to be recommended in
its place for that reason.
"""

_GUESS = 0.1
"""The chance of an accusation below which it was a guess, even if it was right."""

QUALITY = (
    "“Quality”: how much a player could expect to learn from each suggestion; 100% means the best "
    "one within reach every time."
)
MISTAKES = (
    "“Mistakes”: suggestions graded “mistake” or “blunder”, accusations made too early, "
    "and missed chances to win."
)
"""The explanations of two columns, for a review and a season."""

GRADING = (
    "Grades show how much a player could expect to learn, not how lucky the answer was; naming a "
    "card that is almost certainly in another player's hand teaches little. From best to worst: "
    "best or nearly best, good, weak, mistake, blunder. An advised suggestion may be graded lower: "
    "advice is about winning, not only about learning. “Lucky”: the answer revealed far more than "
    "expected; “unlucky”: far less."
)
"""The explanation of the grades of suggestions."""


@view(Highlight, "sentence")
def highlight_text(highlight: Highlight) -> str:
    """Return a highlight as a sentence."""
    return sentences(_highlight_clause(highlight, None))


def _highlight_clause(highlight: Highlight, viewer: str | None) -> str:
    """Return a highlight as a clause that calls the viewer `you`; `None` for no viewer."""
    seat = highlight.seat
    return _HIGHLIGHTS[highlight.kind].format(
        seat=subject([seat], viewer),
        whose=possessive(seat, viewer),
        was=verb_form("was", many=seat == viewer),
        cards=", ".join(highlight.cards),
        before=_chance_text(highlight.before),
        after=_chance_text(highlight.after),
        sure=f", with {a_chance(highlight.before)} of being right," if highlight.before else "",
    )


def _chance_text(known: float) -> str:
    """
    Return in percent a chance that a seat's own notes gave.

    It is shown as 100% only if `known` is exactly 1, so if the seat could prove it.
    """
    return chance_text(known, proved=known == 1.0)


@view(Review, "sentence")
def review_sentence(review: Review, which: str = "story") -> str:
    """Return the story of a game, or with `unjudged` what could not be judged."""
    return sentences(*(_unjudged_parts(review) if which == "unjudged" else _story_parts(review)))


def story_for(review: Review, seat: str | None) -> list[str]:
    """
    Return the sentences of a game's story for one seat: those about it come first, with `you`.
    """
    parts, plain = _parts_for(review, seat), _parts_for(review, None)
    own = [part for part, other in zip(parts, plain, strict=True) if part != other]
    if seat and not any("mistake" in part or "graded" in part for part in own):
        own.insert(0, _own_mistakes(review, seat))
    return [sentences(part) for part in (*own, *(part for part in parts if part not in own))]


def _parts_for(review: Review, viewer: str | None) -> list[str]:
    """
    Return the sentences of a game's story, and those on what was not judged.

    They call the viewer `you`; `None` for no viewer.
    """
    review = replace(review, table=replace(review.table, viewer=viewer))
    return [*_story_parts(review), *_unjudged_parts(review)]


def _own_mistakes(review: Review, seat: str) -> str:
    """Return how many mistakes a seat made, and where."""
    if found := review.mistakes(seat):
        places = listed(f"{each.entry}" for each in found)
        many = counted(len(found), "mistake")
        return f"you made {many}, at {plural('entry', len(found))} {places}"
    graded = [each for each in review.suggestions if each.seat == seat and each.label]
    return "you made no big mistakes" if graded else "you made no suggestion that can be graded"


def _story_parts(review: Review) -> Iterator[str]:
    """
    Yield the sentences of a game's story, for reading aloud.

    A chance is the one that the player's own notes gave to the solution, or to the accusation.
    """
    # How it ended, who accused wrongly before, who could have won, and who was luckiest.
    viewer = review.table.viewer
    yield _ending_clause(review)
    events = [*review.of("rash", "out", "missed win")]
    events += _most_important(review.of("lucky")) + _most_important(review.of("unlucky"))
    for each in events:
        yield f"{_when(each)} {_highlight_clause(each, viewer)}"

    # What each player who is judged should have done instead: what cost most. A suggestion that
    # solved it is mentioned only if it is the player's only mistake.
    mistakes: list[Highlight] = []
    well: list[str] = []
    guessed = [each.seat for each in review.accusations if each.right and _is_guess(each)]
    for seat in review.seats:
        undone = [*review.of("wasted question", "unused proof", seat=seat.seat)]
        costly = [each for each in undone if not _solved_it(review, each)]
        mistakes += _most_important(costly or undone)
        if undone or not seat.whole or review.mistakes(seat.seat) or seat.seat in guessed:
            continue
        labels = [each.label for each in review.suggestions if each.seat == seat.seat]
        if labels and all(labels):
            well.append(seat.seat)
    for worst in sorted(mistakes, key=lambda each: each.entry):
        yield f"{_when(worst)} {_mistake_clause(review, worst)}"
    if len(well) == len(review.seats):
        yield "nobody made a big mistake"
    elif well:
        yield f"{subject(well, viewer)} made no big mistakes"


def _when(highlight: Highlight) -> str:
    """
    Return when a highlight happened, such as `at entry 7`; for a missed chance, `after entry 7`.
    """
    after = highlight.kind in ("missed win", "unused proof")
    return f"{'after' if after else 'at'} entry {highlight.entry}"


def _most_important(found: Iterable[Highlight]) -> list[Highlight]:
    """
    Return a list with the most important highlight, the first of equals; empty if there is none.
    """
    return sorted(found, key=lambda each: (-sort_key(each.weight), each.entry))[:1]


def _ending_clause(review: Review) -> str:
    """Return who won, when, and with what certainty."""
    won = next((each for each in review.accusations if each.right), None)
    viewer = review.table.viewer
    if won is None:
        out = {each.seat for each in review.accusations}
        if len(out) == len(review.seats):
            return "nobody won"
        ending = "the log ends before anyone wins"
        solved = [seat.seat for seat in review.seats if seat.proved is not None]
        if len(solved) == len(review.seats):
            return f"{ending}; everyone could have solved it"
        more = "" if all(seat.held for seat in review.seats) else ", perhaps others too"
        return f"{ending}; {subject(solved, viewer)} had solved it{more}" if solved else ending
    proved = review.seat(won.seat).proved
    if proved is not None:
        when = f"at entry {proved}" if proved else "before the first entry"
        missed = {each.seat for each in review.of("missed win")}
        proofs = [each.seat for each in review.of("proof")]
        too = [seat for seat in proofs if seat not in {won.seat, *missed}]
        ending = f"{subject([won.seat], viewer)} solved it {when} and won at entry {won.entry}"
        return f"{ending}; {subject(too, viewer)} had solved it too" if too else ending
    winner = subject([won.seat], viewer)
    if _is_guess(won):
        chance = odds(won.chance)
        how = f"with a chance of {chance}" if chance else "against long odds"
        return f"{winner} guessed right at entry {won.entry}, {how}"
    how = "" if won.verdict == "unknown" else f", with {a_chance(won.chance)} of being right"
    return f"{winner} won at entry {won.entry}{how}"


def _is_guess(made: AccusationReview) -> bool:
    """Return whether an accusation was a guess, as far as is known."""
    return made.verdict != "unknown" and made.chance < _GUESS


def _solved_it(review: Review, mistake: Highlight) -> bool:
    """Return whether a mistake is a wasted question whose answer solved the game all the same."""
    proved = review.seat(mistake.seat).proved
    return mistake.kind == "wasted question" and mistake.entry == proved


def _mistake_clause(review: Review, mistake: Highlight) -> str:
    """Return what a player should have done instead of a mistake."""
    viewer = review.table.viewer
    if _solved_it(review, mistake):
        whose = possessive(mistake.seat, viewer)
        return f"{whose} suggestion solved it, though another promised to reveal far more"
    return f"{subject([mistake.seat], viewer)} should have {_better_action(review, mistake)}"


def _better_action(review: Review, mistake: Highlight) -> str:
    """Return what would have been better than a mistake, and why."""
    if mistake.kind == "unused proof":
        return "accused"
    asked = next(each for each in review.suggestions if each.entry == mistake.entry)
    edition = review.table.edition
    better = [card for card in asked.best if card not in asked.cards]
    worse = [card for card in asked.cards if card not in asked.best]
    steps = f"suggested {card_list(better, edition)} instead of {card_list(worse, edition)}"
    if room := next((card for card in better if card in edition.rooms), ""):
        rest = [card for card in asked.best if card != room]
        steps = f"gone to the {room} and suggested {card_list(rest, edition)}"
    return ": ".join(filter(None, (steps, _waste_reason(review, asked))))


def _waste_reason(review: Review, asked: SuggestionReview) -> str:
    """Return why a suggestion could reveal too little, given what its player knew."""
    edition, viewer = review.table.edition, review.table.viewer
    who = subject([asked.seat], viewer)
    if asked.shower is not None:
        much = "little" if asked.gain >= LEAST_GAIN else "nothing"
        shower = subject([asked.shower], viewer)
        return f"{who} could tell that {shower} would show a card, so there was {much} to learn"
    replaced = [card for card in asked.cards if card not in asked.best]
    if known := [card for card in replaced if asked.inside[card] <= 0]:
        verb = verb_form("wasn't", many=len(known) > 1)
        return f"{who} already knew that {card_list(known, edition)} {verb} in the envelope"
    instead = [
        (asked.inside[better] - asked.inside[card], better, card)
        for better in asked.best
        for card in replaced
        if better not in asked.cards and edition.category_of[better] == edition.category_of[card]
    ]
    more, better, card = max(instead, default=(0.0, "", ""))
    if more < LIKELIER:
        return ""
    likelier, less = (
        f"{card_list([name], edition)} ({_chance_text(asked.inside[name])})"
        for name in (better, card)
    )
    return f"as far as {who} knew, {likelier} was likelier to be in the envelope than {less}"


def _unjudged_parts(review: Review) -> Iterator[str]:
    """Yield what could not be judged, and why."""
    viewer = review.table.viewer
    part = [seat.seat for seat in review.seats if not seat.whole]
    if len(part) == len(review.seats):
        yield "the log doesn't show every card that each player saw, so nobody is graded"
    elif part:
        others = len(part) > 1 and viewer not in part
        so = "they aren't graded" if others else clause(part, "isn't graded", viewer)
        yield f"the log doesn't show every card that {subject(part, viewer)} saw, so {so}"
    if review.open_upto:
        yield f"up to entry {review.open_upto}, too much was unknown to judge everything fully"


def review_page(review: Review) -> str:
    """Return a review as a complete HTML file."""
    from clue_solver.views.html import page  # only pages need its templates

    title, *blocks = document(review)
    log = Rows("The log", [(str(number), line) for number, line in enumerate(review.lines, 1)])
    return page(title.text, STYLE, as_html([*blocks, log]))  # type: ignore[union-attr]


@view(Review, "document")
def review_document(review: Review) -> Iterator[Block]:
    """Yield a whole review."""
    yield Line(f"Solution: {', '.join(review.solution)}", "bold")
    yield Line(review.story)
    if review.unjudged:
        yield Line(review.unjudged, "dim")
    if whole := [seat for seat in review.seats if seat.whole and seat.timeline]:
        yield chance_chart(review)
        yield _player_rows(review, whole)
        end = "just before the winner accused" if review.winner else "when the log ended"
        yield Line(
            "“Solved it”: when a player could prove the solution. “Final chance”: how "
            f"likely the true solution was, judging by a player's notes, {end}. {QUALITY} "
            f"{MISTAKES}",
            "dim",
        )
    rows = []
    for entry, points in groupby(review.turning_points, key=lambda each: each.entry):
        rows.append((str(entry), review.lines[entry - 1]))
        told = (_highlight_clause(each, review.table.viewer) for each in points)
        rows.append(("", sentences(*told)))
    if rows:
        title = "Turning points: the biggest jumps in a player's chance of the right solution"
        yield Rows(title, rows, ("entry", ""))
    if graded := review.graded:
        yield accuracy_chart(review)
        heads = ("entry", "player", "suggested", "grade", "best available suggestion")
        asked = [_suggestion_row(review, each) for each in graded]
        yield Rows("Suggestions", asked, heads, (1, 2, 3, 4))
        yield Line(GRADING, "dim")


def _player_rows(review: Review, seats: Sequence[SeatReview]) -> Rows:
    """Return a table of the players: what they knew, their suggestions, their luck."""
    lasts = [seat.after(review.over - 1) for seat in seats]
    out = {each.seat for each in review.of("rash", "out")}
    columns = {
        "player": [seat.seat for seat in seats],
        "solved it": ["never" if seat.proved is None else f"entry {seat.proved}" for seat in seats],
        "final chance": [
            "out" if seat.seat in out else "-" if last is None else _chance_text(last.true_chance)
            for seat, last in zip(seats, lasts, strict=True)
        ],
        "quality": ["-" if seat.accuracy is None else share(seat.accuracy) for seat in seats],
    }
    kinds: dict[HighlightKind, str] = {"lucky": "lucky breaks", "unlucky": "bad breaks"}
    for kind, head in kinds.items():
        if any(review.of(kind)):
            breaks = (len([*review.of(kind, seat=seat.seat)]) for seat in seats)
            columns[head] = [*map(str, breaks)]
    columns["mistakes"] = [str(len(review.mistakes(seat.seat))) for seat in seats]
    return Rows("Players", [*zip(*columns.values(), strict=True)], tuple(columns), (0,))


def _suggestion_row(review: Review, asked: SuggestionReview) -> Sequence[str]:
    """Return a suggestion's row in the table of suggestions."""
    luck = [each.kind for each in review.of("lucky", "unlucky") if each.entry == asked.entry]
    grade = "weak" if asked.label == "inaccuracy" else asked.label
    return (
        str(asked.entry),
        asked.seat,
        ", ".join(asked.cards),
        f"{grade or '-'} ({luck[0]})" if luck else grade or "-",
        "same" if asked.label == "best" else ", ".join(asked.best),
    )


@view(Season, "document")
def season_document(season: Season) -> Iterator[Block]:
    """Yield a season's players, and what the columns mean."""
    title = f"{counted(season.games, 'game')}, {counted(len(season.players), 'player')}"
    if season.unfinished:
        title += f"; {counted(season.unfinished, 'unfinished game')} skipped"
    rows = []
    for player in season.players:
        won = f"{player.wins} of {player.games}"
        quality, luck, mistakes = "-", "-", str(player.mistakes or "-")
        if player.accuracy is not None:  # else no suggestion is graded
            quality = share(player.accuracy)
            luck = f"{player.luck:+d}" if player.luck else "0"
            mistakes = str(player.mistakes)
        rows.append((player.seat, won, quality, luck, mistakes, f"{player.rating:.0f}"))
    heads = ("player", "won", "quality", "luck", "mistakes", "rating")
    yield Rows(title, rows, heads, (0,))
    yield Line(f"{QUALITY} “Luck”: lucky answers minus unlucky ones. {MISTAKES}", "dim")


@view(Standings, "document")
def standings_document(standings: Standings) -> Iterator[Block]:
    """Yield who won how often, and how often the first player won."""
    rows = []
    for player in standings.players:
        low, high = player.interval
        rate, interval = f"{100 * player.rate:.1f}%", f"{100 * low:.1f} to {100 * high:.1f}%"
        counts = (str(player.games), str(player.wins), rate, interval)
        rows.append((player.player, *counts, str(player.wrong_accusations)))
    heads = ("player", "games", "wins", "rate", "95% interval", "wrong")
    title = f"{', '.join(standings.editions)}: {counted(standings.games, 'game')}"
    yield Rows(title, rows, heads, (0,))
    yield Line(f"The first player won {100 * standings.first:.1f}% of the games.")
    yield Line(f"Games without a winner: {standings.unsolved}")
