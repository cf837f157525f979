"""What the first page says of prices: what to change, to what, how sure, and what cannot be known from here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import polars as pl

from balance.analysis.prices.price_list import DEPENDS_ON_PLAY
from balance.analysis.prices.verdicts import NOT_MEASURABLE
from balance.base.numbers import show_many, show_probability, show_probability_change
from balance.reporting import Callout, literal
from balance.reporting.sections.common.judged import (
    DEPENDS_ON_SETTING,
    SAID,
    Judged,
    between,
    judged,
    points,
    setting_titles,
    where,
)
from balance.reporting.sections.common.words import Pages, list_words

__all__ = ["advice_callout", "advice_findings"]

MOST_CHANGES = 5
MOST_EXAMPLES = 2
OFF = ("overpriced", "underpriced")


def advice_callout(pages: Pages) -> Callout | None:
    """Return what prices come to; None where armies of equal points did not meet."""
    loadouts, cards = judged(pages, "fair_costs"), judged(pages, "fair_card_costs")
    if not loadouts:
        return None
    share = pages.run.manifest["study"]["verdicts"]
    within = f"within {show_probability(share['share'], 0)} of the cost, or {pages.points(share['points'])}"
    settings, words = len(setting_titles(pages)), pages.words
    everywhere = f" in each of {settings} settings" if settings > 1 else ""
    off = any(one.verdict in OFF for one in (*loadouts, *cards))
    if not off and {one.verdict for one in loadouts} == {"fair"}:
        all_of_them = literal(show_many(len(loadouts), words.entrant, words.entrants))
        text = (
            f"**Fair.** Each of {all_of_them} costs what armies of equal points say{everywhere}, {within}. "
            f"{_counted(cards, 'card', 'cards')}"
        )
        return Callout("key", "No price needs to change", text)
    counted = _counted(loadouts, literal(words.entrant), literal(words.entrants))
    text = f"{counted} Fair is what scores one half at equal points{everywhere}, {within}."
    return Callout("key", "What to change" if off else "What is known of prices", text)


def _counted(found: Sequence[Judged], one: str, many: str) -> str:
    """Return how many have which verdict, as one sentence."""
    counts = Counter(each.verdict for each in found)
    told = [
        f"**{show_many(counts[word], 'is', 'are')} {said}**"
        if word in OFF
        else f"{counts[word]} {_be(counts[word], said)}"
        for word, said in SAID.items()
        if counts[word]
    ]
    return f"Of {show_many(len(found), one, many)}, {list_words(told)}." if found else ""


def _be(n: int, said: str) -> str:
    """Return a verdict as the end of a clause."""
    if said.startswith("depends"):
        return said if n == 1 else said.replace("depends", "depend")
    return f"is {said}" if n == 1 else f"are {said}"


def advice_findings(pages: Pages) -> list[str]:
    """Return what to change, what hangs on the setting or on play, the scale, and what is not known, as marked text."""
    loadouts, cards = judged(pages, "fair_costs"), judged(pages, "fair_card_costs")
    if not loadouts:
        return []
    return [
        *_changes(pages, cards, "Cards to change"),
        *_no_card(loadouts, cards),
        *_changes(pages, loadouts, f"{pages.words.entrants.capitalize()} farthest off"),
        *_hanging(pages, loadouts, cards),
        *_scale(pages),
        *_unknown(pages, loadouts, cards),
        *_verified(pages),
    ]


def _changes(pages: Pages, found: Sequence[Judged], head: str) -> list[str]:
    """Return who is farthest off for certain, whatever the setting and the way of playing, and what it should cost."""
    off = sorted((one for one in found if one.verdict in OFF), key=lambda one: (-one.off, one.name))
    if not off:
        return []
    first = [f"the {MOST_CHANGES} farthest off of {len(off)}"] if len(off) > MOST_CHANGES else []
    titles = list(setting_titles(pages).values())
    first += [f"with {' / '.join(titles)}"] if len(titles) > 1 else []
    told_first = f" ({'; '.join(first)})" if first else ""
    told = [f"**{literal(one.name)}** costs {points(one.cost)}, should cost {_in_each(one)}" for one in off]
    return [f"**{literal(head)}**{told_first}: {'; '.join(told[:MOST_CHANGES])}."]


def _in_each(one: Judged) -> str:
    """Return the interval of a fair cost in each setting, in their order."""
    return " / ".join(between(row["low"], row["high"]) for row in one.rows.values())


def _no_card(loadouts: Sequence[Judged], cards: Sequence[Judged]) -> list[str]:
    """Return that no card can be named, where it is not for want of anything that is off."""
    if any(one.verdict in OFF for one in cards) or not any(one.verdict in OFF for one in loadouts):
        return []
    return ["**No card can be named:** none is off for certain in every setting, whoever carries it."]


def _hanging(pages: Pages, loadouts: Sequence[Judged], cards: Sequence[Judged]) -> list[str]:
    """Return whose price hangs on the setting, with a few examples, and whose on how it is played."""
    told = []
    found = [one for one in (*loadouts, *cards) if one.verdict == DEPENDS_ON_SETTING]
    if found:
        counted = _both(pages, loadouts, cards, DEPENDS_ON_SETTING)
        such = ", such as " if len(found) > MOST_EXAMPLES else ": "
        examples = "; ".join(_by_setting(pages, one) for one in found[:MOST_EXAMPLES])
        told.append(f"**Depends on the setting:** {counted}{such}{examples}.")
    if hanging := _both(pages, loadouts, cards, DEPENDS_ON_PLAY):
        told.append(f"**Depends on play:** {hanging}, among ways of playing that are near the top.")
    return told


def _by_setting(pages: Pages, one: Judged) -> str:
    titles = setting_titles(pages)
    words = [f"{SAID[row['verdict']]} with {titles[setting]}" for setting, row in one.rows.items()]
    return f"{literal(one.name)} ({', '.join(words)})"


def _both(pages: Pages, loadouts: Sequence[Judged], cards: Sequence[Judged], word: str) -> str:
    """Return how many loadouts and how many cards have a verdict; empty if none."""
    words = pages.words
    counts = [
        (sum(one.verdict == word for one in loadouts), literal(words.entrant), literal(words.entrants)),
        (sum(one.verdict == word for one in cards), "card", "cards"),
    ]
    return list_words([show_many(n, one, many) for n, one, many in counts if n])


def _scale(pages: Pages) -> list[str]:
    frame = pages.table("army_scale")
    if frame is None:
        return []
    told = [where(pages, row["setting"], literal(row["because"])) for row in frame.iter_rows(named=True)]
    return [f"**Is a point worth the same in dear and in cheap ones?** {'. '.join(told)}."]


def _unknown(pages: Pages, loadouts: Sequence[Judged], cards: Sequence[Judged]) -> list[str]:
    """Return what cannot be known from here, and why."""
    told = []
    if open_ones := _both(pages, loadouts, cards, "not yet known"):
        told.append(f"{open_ones} (the interval reaches across the tolerance, or another setting or split is open)")
    hidden = [one for found in (cards, loadouts) for one in found if one.verdict == NOT_MEASURABLE]
    if hidden:
        first = next(row for row in hidden[0].rows.values() if row["verdict"] == NOT_MEASURABLE)
        counted = _both(pages, loadouts, cards, NOT_MEASURABLE)
        told.append(f"{counted} not measurable here ({literal(hidden[0].name)} {literal(first['because'])})")
    return [f"**What cannot be known from here:** {'; '.join(told)}."] if told else []


def _verified(pages: Pages) -> list[str]:
    """Return how far scores lie from one half before and after, played at budgets that were not fitted."""
    frame = pages.table("army_checks")
    if frame is None:
        return []
    told = []
    for setting in frame["setting"].unique(maintain_order=True):
        rows = frame.filter(setting=setting)
        means = rows.group_by("armies", maintain_order=True).agg(pl.col("rms_before", "rms_after").mean())
        parts = [
            f"{_KINDS[row['armies']]} {_off(row['rms_before'])} at printed costs, {_off(row['rms_after'])} at fair ones"
            for row in means.drop_nulls().iter_rows(named=True)
        ]
        told.append(where(pages, setting, "; ".join(parts)))
    budgets = list_words([points(budget) for budget in frame["budget"].unique().sort()])
    return [
        f"**Checked by playing** armies of equal points ({budgets}), on dice that no cost was fitted to. Scores "
        f"lie off one half (root mean square, without what dice add). {'. '.join(told)}."
    ]


_KINDS = {"alike": "armies of one kind", "mixed": "mixed armies"}


def _off(rms: float) -> str:
    return show_probability_change(rms).lstrip("+")
