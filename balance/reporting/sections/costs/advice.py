"""What the first page says of prices: what to change, to what, how sure, and what cannot be known from here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import polars as pl

from balance.analysis.prices.verdicts import NOT_MEASURABLE
from balance.base.numbers import show_many, show_probability, show_probability_change
from balance.reporting import Callout, literal
from balance.reporting.sections.common.price_verdicts import (
    DEPENDS_ON_PLAY,
    DEPENDS_ON_SETTING,
    VERDICT_TEXTS,
    PriceVerdict,
    between,
    in_setting,
    points,
    price_verdicts,
    setting_titles,
)
from balance.reporting.sections.common.words import Pages, list_words

MOST_CHANGES = 5
MOST_EXAMPLES = 2
OFF = ("too dear", "too cheap")


def advice_callout(pages: Pages) -> Callout | None:
    """Return what prices come to; None where armies of equal points did not meet."""
    loadouts, cards = price_verdicts(pages, "fair_costs"), price_verdicts(pages, "fair_card_costs")
    if not loadouts:
        return None
    share = pages.run.manifest["study"]["verdicts"]
    within = f"within {show_probability(share['share'], 0)} of the cost, or {pages.points(share['points'])}"
    settings, words = len(setting_titles(pages)), pages.words
    scope = f" in each of {settings} settings" if settings > 1 else ""
    off = any(entry.verdict in OFF for entry in (*loadouts, *cards))
    if not off and {entry.verdict for entry in loadouts} == {"fair"}:
        all_of_them = literal(show_many(len(loadouts), words.entrant, words.entrants))
        text = (
            f"**Fair.** Each of {all_of_them} costs what armies of equal points say{scope}, {within}. "
            f"{_verdict_counts(cards, 'card', 'cards')}"
        )
        return Callout("key", "No price needs to change", text)
    counts_text = _verdict_counts(loadouts, literal(words.entrant), literal(words.entrants))
    text = f"{counts_text} Fair is what scores one half at equal points{scope}, {within}."
    return Callout("key", "What to change" if off else "What is known of prices", text)


def _verdict_counts(entries: Sequence[PriceVerdict], noun: str, plural: str) -> str:
    """Return how many have which verdict, as one sentence."""
    counts = Counter(entry.verdict for entry in entries)
    texts = [
        f"**{show_many(counts[word], 'is', 'are')} {text}**"
        if word in OFF
        else f"{counts[word]} {_be(counts[word], text)}"
        for word, text in VERDICT_TEXTS.items()
        if counts[word]
    ]
    return f"Of {show_many(len(entries), noun, plural)}, {list_words(texts)}." if entries else ""


def _be(n: int, text: str) -> str:
    """Return a verdict as the end of a clause."""
    if text.startswith("depends"):
        return text if n == 1 else text.replace("depends", "depend")
    return f"is {text}" if n == 1 else f"are {text}"


def advice_findings(pages: Pages) -> list[str]:
    """Return what to change, what hangs on the setting or on play, the scale, and what is not known, as marked text."""
    loadouts, cards = price_verdicts(pages, "fair_costs"), price_verdicts(pages, "fair_card_costs")
    if not loadouts:
        return []
    return [
        *_changes(pages, cards, "Cards to change"),
        *_no_card(loadouts, cards),
        *_changes(pages, loadouts, f"{pages.words.entrants.capitalize()} farthest off"),
        *_dependent_prices(pages, loadouts, cards),
        *_scale(pages),
        *_unknown(pages, loadouts, cards),
        *_checks(pages),
    ]


def _changes(pages: Pages, entries: Sequence[PriceVerdict], head: str) -> list[str]:
    """Return who is farthest off for certain, whatever the setting and the way of playing, and what it should cost."""
    off = sorted((entry for entry in entries if entry.verdict in OFF), key=lambda entry: (-entry.off, entry.name))
    if not off:
        return []
    first = [f"the {MOST_CHANGES} farthest off of {len(off)}"] if len(off) > MOST_CHANGES else []
    titles = list(setting_titles(pages).values())
    first += [f"with {' / '.join(titles)}"] if len(titles) > 1 else []
    told_first = f" ({'; '.join(first)})" if first else ""
    texts = [f"**{literal(entry.name)}** costs {points(entry.cost)}, should cost {_in_each(entry)}" for entry in off]
    return [f"**{literal(head)}**{told_first}: {'; '.join(texts[:MOST_CHANGES])}."]


def _in_each(entry: PriceVerdict) -> str:
    """Return the interval of a fair cost in each setting, in their order."""
    return " / ".join(between(row["low"], row["high"]) for row in entry.rows.values())


def _no_card(loadouts: Sequence[PriceVerdict], cards: Sequence[PriceVerdict]) -> list[str]:
    """Return that no card can be named, where it is not for want of anything that is off."""
    if any(entry.verdict in OFF for entry in cards) or not any(entry.verdict in OFF for entry in loadouts):
        return []
    return ["**No card can be named:** none is off for certain in every setting, whoever carries it."]


def _dependent_prices(pages: Pages, loadouts: Sequence[PriceVerdict], cards: Sequence[PriceVerdict]) -> list[str]:
    """Return whose price hangs on the setting, with a few examples, and whose on how it is played."""
    sentences = []
    dependents = [entry for entry in (*loadouts, *cards) if entry.verdict == DEPENDS_ON_SETTING]
    if dependents:
        count_text = _count_text(pages, loadouts, cards, DEPENDS_ON_SETTING)
        joint = ", such as " if len(dependents) > MOST_EXAMPLES else ": "
        examples = "; ".join(_by_setting(pages, entry) for entry in dependents[:MOST_EXAMPLES])
        sentences.append(f"**Depends on the setting:** {count_text}{joint}{examples}.")
    if play_text := _count_text(pages, loadouts, cards, DEPENDS_ON_PLAY):
        sentences.append(f"**Depends on play:** {play_text}, among ways of playing that are near the top.")
    return sentences


def _by_setting(pages: Pages, entry: PriceVerdict) -> str:
    titles = setting_titles(pages)
    words = [
        f"{VERDICT_TEXTS.get(row['verdict'], row['verdict'])} with {titles[setting]}"
        for setting, row in entry.rows.items()
    ]
    return f"{literal(entry.name)} ({', '.join(words)})"


def _count_text(pages: Pages, loadouts: Sequence[PriceVerdict], cards: Sequence[PriceVerdict], word: str) -> str:
    """Return how many loadouts and how many cards have a verdict; empty if none."""
    words = pages.words
    counts = [
        (sum(entry.verdict == word for entry in loadouts), literal(words.entrant), literal(words.entrants)),
        (sum(entry.verdict == word for entry in cards), "card", "cards"),
    ]
    return list_words([show_many(n, noun, plural) for n, noun, plural in counts if n])


def _scale(pages: Pages) -> list[str]:
    frame = pages.table("army_scale")
    if frame is None:
        return []
    texts = [in_setting(pages, row["setting"], literal(row["because"])) for row in frame.iter_rows(named=True)]
    return [f"**Is a point worth the same in dear and in cheap ones?** {'. '.join(texts)}."]


def _unknown(pages: Pages, loadouts: Sequence[PriceVerdict], cards: Sequence[PriceVerdict]) -> list[str]:
    """Return what cannot be known from here, and why."""
    sentences = []
    if open_ones := _count_text(pages, loadouts, cards, "not yet known"):
        sentences.append(
            f"{open_ones} (the interval reaches across the tolerance, or another setting or split is open)"
        )
    hidden = [entry for group in (cards, loadouts) for entry in group if entry.verdict == NOT_MEASURABLE]
    if hidden:
        first = next(row for row in hidden[0].rows.values() if row["verdict"] == NOT_MEASURABLE)
        count_text = _count_text(pages, loadouts, cards, NOT_MEASURABLE)
        sentences.append(f"{count_text} not measurable here ({literal(hidden[0].name)} {literal(first['because'])})")
    return [f"**What cannot be known from here:** {'; '.join(sentences)}."] if sentences else []


def _checks(pages: Pages) -> list[str]:
    """Return how far scores lie from one half before and after, played at budgets that were not fitted."""
    frame = pages.table("army_checks")
    if frame is None:
        return []
    texts = []
    for setting in frame["setting"].unique(maintain_order=True):
        rows = frame.filter(setting=setting)
        means = rows.group_by("armies", maintain_order=True).agg(pl.col("rms_before", "rms_after").mean())
        parts = [
            f"{_KINDS[row['armies']]} {_off(row['rms_before'])} at printed costs, {_off(row['rms_after'])} at fair ones"
            for row in means.drop_nulls().iter_rows(named=True)
        ]
        texts.append(in_setting(pages, setting, "; ".join(parts)))
    budgets = list_words([points(budget) for budget in frame["budget"].unique().sort()])
    return [
        f"**Checked by playing** armies of equal points ({budgets}), on dice that no cost was fitted to. Scores "
        f"lie off one half (root mean square, without what dice add). {'. '.join(texts)}."
    ]


_KINDS = {"alike": "armies of one kind", "mixed": "mixed armies"}


def _off(rms: float) -> str:
    return show_probability_change(rms).lstrip("+")
