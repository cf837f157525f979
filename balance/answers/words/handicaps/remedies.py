"""What `handicap` says of the smallest single changes that make a match-up even."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from balance.analysis.changes.handicaps.remedies import Remedies, Remedy
from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import plain
from balance.answers.blocks.tables import grid
from balance.answers.form import AnswerWords, Records, Terms
from balance.answers.words.handicaps.common import basis, changes_line, even_text, score_text
from balance.base.errors import comma_list
from balance.base.numbers import show_interval, show_many, show_probability

MOST_ROWS = 12
NO_REMEDY = "No single number that may move makes it even"
NEAREST = "; these bring it nearest"


def sentence(remedies: Remedies, terms: Terms) -> str:
    """Return whether it is even as it is, and which smallest change would make it so."""
    text = _as_it_is(remedies)
    if remedies.is_even:
        return text
    even = [remedy for remedy in remedies.remedies if remedy.even]
    if not even:
        return f"{text} {NO_REMEDY}{NEAREST if remedies.remedies else ''}."
    best = even[0]
    ways = "One change makes it even" if len(even) == 1 else f"Each of {show_many(len(even), 'change')} makes it even"
    return f"{text} {ways}, the smallest {best.change}: it then scores {score_text(best.score)}."


def tables(remedies: Remedies) -> Mapping[str, Records]:
    """Return the score after each change, those first that make it even."""
    return {"changes": Records(Remedy, remedies.remedies)}


def _as_it_is(remedies: Remedies) -> str:
    if remedies.match_ups is None:
        who = " against ".join(remedies.entrants)
    else:
        who = f"Over {show_many(remedies.match_ups, 'match-up')} going first"
    verdict = even_text(remedies.score, remedies.band).replace("even,", "even as it is,") if remedies.is_even else ""
    return f"{who} scores {score_text(remedies.score)}: {verdict or even_text(remedies.score, remedies.band)}."


def _body(remedies: Remedies, terms: Terms, more: bool) -> Iterator[Block]:
    """Yield the table of changes, the smallest that help first, and which had no effect or could not be tried."""
    if remedies.is_even:
        return
    rows = [_row(remedy) for remedy in remedies.remedies[:MOST_ROWS]]
    if rows:
        heads = ["change", "from", "score", "on fresh dice", "even"]
        yield grid(heads, rows, right=("score",), whole=("change",))
    if (n_more := len(remedies.remedies) - MOST_ROWS) > 0:
        yield plain(f"{show_many(n_more, 'change')} more that help less: --json lists all.", "aside", gap=True)
    is_field = remedies.match_ups is not None
    if is_field:
        yield plain(
            "a is whoever goes first, b whoever goes second, in every match-up of the field.", "aside", gap=True
        )
    if names := comma_list(remedies.not_measurable_here):
        yield plain(f"Not measurable here, as no move changes anything: {names}.", "aside", gap=True)
    if remedies.no_lost_action:
        yield plain(f"A lost first action is not applicable here: {remedies.no_lost_action}.", "aside", gap=True)
    if is_field:
        yield plain(f"As a bid: balance handicap {terms.command} --kind {remedies.kind} --bid FIELD", "aside")
    elif terms.is_solved:
        ask = f"balance solve {terms.command} {' '.join(remedies.entrants)} --method approximate"
        yield plain(f"What makes it even when both sides play as well as can be found: {ask}", "aside", gap=True)


def _row(remedy: Remedy) -> tuple[str, ...]:
    fresh = "" if remedy.fresh is None else show_interval(remedy.fresh.low, remedy.fresh.high, show_probability)
    return remedy.change, remedy.from_ or "", score_text(remedy.score), fresh, "yes" if remedy.even else "no"


def _basis(remedies: Remedies, terms: Terms) -> str:
    """Return what scores rest on, from the fewest to the most trials in a search that narrows down."""
    *fewer, most = remedies.trials or (0,)
    trials = f"{fewer[0]:,} to {most:,} trials a change" if fewer else f"{remedies.score.n_trials:,} trials each"
    return basis(remedies, remedies.score, trials, terms)


WORDS = AnswerWords.alike(sentence, _body, _basis, tables, changes_line)
