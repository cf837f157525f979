"""What `price` says of all cards: first what to change, and to what; last how it was judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from balance.analysis.prices.answer import (
    CardAfter,
    CardPrice,
    FewChanges,
    LoadoutAfter,
    LoadoutPrice,
    Price,
    Prices,
    PriceSettings,
)
from balance.analysis.prices.over_settings import OFF_VERDICTS
from balance.analysis.prices.scale import SCALE_TOLERANCE
from balance.analysis.prices.verdicts import show_cost
from balance.analysis.scores.usual_prices import Tolerance, fair_within
from balance.answers.blocks.document import Block, Paragraph, Title, Verbatim, plain
from balance.answers.blocks.tables import Table, grid
from balance.answers.form import AnswerWords, Records, Screen, Terms
from balance.answers.words.changes.patches import patch_lines
from balance.answers.words.unfair import never_worth, what_stays
from balance.base.answers import Budget, headings_of, text_under
from balance.base.errors import comma_list
from balance.base.numbers import show_interval, show_many, show_probability, show_unit, show_units

MOST_ROWS, MOST_NAMED = 12, 8
FIRST_ROWS = 5
"""Rows of cards on a first screen."""
WITHIN = {"fair": "fair within the tolerance"}
THEN = ("fair", "95% interval", "is")
RANGES = ("fair", "range", "dice")
Nouns = tuple[str, str]
"""What one and many of those who are priced are called."""
After = TypeVar("After", CardAfter, LoadoutAfter)


def sentence(prices: Prices, terms: Terms) -> str:
    """Return how many cost too much or too little, who most, and how many of the others are what."""
    nouns, cards, _ = _priced(prices, terms)
    return _answer(terms, nouns, cards)


def short(prices: Prices, terms: Terms) -> Screen:
    """Return the answer in a sentence, what is farthest off, what stays unfair, and how many of the rest there are."""
    card, cards, loadouts = _priced(prices, terms)
    blocks: list[Block] = [_title(terms), plain(_answer(terms, card, cards), gap=True)]
    if prices.changes is not None:
        blocks += _few_changes(prices, prices.changes, FIRST_ROWS)
    else:
        if off := list((_off(cards) or _off(loadouts)).values()):
            blocks.append(_table(card[0] if _off(cards) else "loadout", off[:FIRST_ROWS]))
        blocks += what_stays(prices, terms)
        blocks += never_worth(loadouts or cards, few=True)
        if loadouts:
            blocks.append(plain(_answer(terms, ("loadout", "loadouts"), loadouts)))
    settings, farthest = prices.settings, next(iter(_off(cards)), next(iter(cards)))
    texts = [
        settings_text(settings, terms), tolerance_text(settings.tolerance, terms.points), method_text(settings),
        f"All of it: --more. One card: balance price {terms.command} {farthest}",
    ]  # fmt: skip
    return Screen([*blocks, plain(" ".join(texts), "aside"), *_patch(prices)])


def full(prices: Prices, terms: Terms) -> Iterator[Block]:
    """Yield all there is to say of prices; the few changes that were asked for before all else."""
    card, cards, loadouts = _priced(prices, terms)
    yield _title(terms)
    if prices.changes is not None:
        yield from _few_changes(prices, prices.changes)
    tables = [(card, cards), (("loadout", "loadouts"), loadouts)]
    for nouns, rows in tables:
        yield from _to_change(nouns, rows)
    yield from what_stays(prices, terms, more=True)
    yield from never_worth(loadouts or cards)
    for nouns, rows in tables:
        yield from _open(nouns, rows)
    scale_text = f"the same if within {SCALE_TOLERANCE:g} of 1"
    yield plain(f"Scale ({scale_text}): {prices.scale.because}.", gap=True)
    yield plain(tolerance_text(prices.settings.tolerance, terms.points), "aside")
    yield from judgement(prices.settings, terms)
    yield from _patch(prices)


def _patch(prices: Prices) -> Iterator[Block]:
    """Yield what is said of the patch, where it was asked for."""
    if prices.patch is not None:
        yield Verbatim(patch_lines(prices.patch))


def tables(prices: Prices) -> Mapping[str, Records]:
    """Return the tables of cards and of loadouts."""
    return {
        "cards": Records(CardPrice, prices.cards, "card"),
        "loadouts": Records(LoadoutPrice, prices.loadouts, "entrant"),
    }


WORDS = AnswerWords(sentence, short, full, tables)


def _title(terms: Terms) -> Title:
    return Title(f"{terms.title}: prices", ("where armies of equal points meet",))


def _priced(prices: Prices, terms: Terms) -> tuple[Nouns, Mapping[str, LoadoutPrice], Mapping[str, LoadoutPrice]]:
    """Return what cards are called, the cards, and the loadouts, none where nobody is made of several cards."""
    if list(prices.cards) == list(prices.loadouts):
        return (terms.entrant, terms.entrants), prices.cards, {}
    return ("card", "cards"), prices.cards, prices.loadouts


def settings_text(settings: PriceSettings, terms: Terms) -> str:
    """Return over which settings a verdict holds, and which board was not asked."""
    values: dict[str, dict[str, None]] = {}
    for facets in settings.verdicts_hold_over:
        for name, value in facets.items():
            values.setdefault(name, {})[value] = None
    texts = [f"{name} {comma_list(options)}" for name, options in values.items() if len(options) > 1]
    boards = [kind for kind in terms.army_kinds if kind != settings.kind]
    asked = f"Verdicts hold over {'; '.join(texts)}." if texts else "Verdicts are for one setting."
    return asked + "".join(f" Not asked: the {name} (balance stability {terms.command} {name})." for name in boards)


def _answer(terms: Terms, nouns: Nouns, prices: Mapping[str, LoadoutPrice]) -> str:
    """Return in a sentence how many cost too much or too little, who most, and how many of the others are what."""
    singular, plural = nouns
    if len(prices) == 1:
        (price,) = prices.values()
        return f"{price.label} alone cannot be judged: points are only compared with those of another {singular}."
    off = list(_off(prices).values())
    counts = Counter(price.verdict for price in prices.values() if price.as_proposed not in OFF_VERDICTS)
    rest = comma_list(f"{n} {plural_verdict(WITHIN.get(word, word), n)}" for word, n in counts.most_common())
    if not off:
        return f"No {singular} of {len(prices)} is certainly off by more than the tolerance: {rest}."
    first = off[0]
    count_text = f"{show_many(len(off), singular, plural)} of {len(prices)} should change"
    if n_split := sum(price.verdict not in OFF_VERDICTS for price in off):
        of_them = "" if n_split == len(off) else f"{n_split} of them "
        count_text += f" ({of_them}unless the cost of a loadout is split otherwise: --keep TABLE)"
    fair, interval = _fair(first)
    fair = fair if terms.points.endswith("points") else show_unit(fair, terms.points)
    largest_text = f"{first.label} most, which costs {show_cost(first.cost)} and should cost {fair} ({interval})"
    return f"{count_text}, {largest_text}" + (f"; {rest}." if rest else ".")


def plural_verdict(word: str, n: int) -> str:
    """Return a verdict as it is said of so many.

    >>> plural_verdict("depends on the split", 1), plural_verdict("depends on the split", 2)
    ('depends on the split', 'depend on the split')
    """
    return word.replace("depends", "depend", 1) if n > 1 else word


def tolerance_text(tolerance: Tolerance, unit: str = "points") -> str:
    """Return within what a cost is fair, and how that is set; `unit` is what the game calls its points."""
    share, points = f"{100 * tolerance.share:g}", f"{tolerance.points:g}"
    text = f"Tolerance, within which a cost is fair: {share}%, at least {show_units(show_cost(tolerance.points), unit)}"
    return f"{text} (--tolerance {share}:{points})."


def method_text(settings: PriceSettings) -> str:
    """Return in a sentence where prices come from."""
    armies = f"random armies of equal points, {_budgets(settings.budgets)}"
    text = f"Simulated: {settings.battles:,} {settings.kind}s of {armies}"
    return ", ".join([text, *_changes(settings), f"seed {settings.seed}."])


def _changes(settings: PriceSettings) -> list[str]:
    """Return what of the setting is not as by default."""
    return [text.replace("=", " = ", 1) for text in (*settings.changes, *map("=".join, settings.choices.items()))]


def _budgets(budgets: Sequence[Budget]) -> str:
    return f"budgets {comma_list(f'{budget.points:g} ({budget.units:g} units)' for budget in budgets)}"


def judgement(settings: PriceSettings, terms: Terms) -> Iterator[Paragraph]:
    """Yield how prices were judged."""
    budgets = _budgets(settings.budgets)
    text = f"How it was judged: {settings.kind}, half of the armies alike and half mixed, {budgets}"
    differences = comma_list(_changes(settings)) or "all else as by default"
    yield plain(f"{text}; {differences}; {settings.battles:,} battles, seed {settings.seed}.", "aside")
    if near := [f"{play} ({show_probability(score)})" for play, score in settings.near_the_top.items()]:
        yield plain(f"Ways of playing near the top, by which verdicts must agree: {comma_list(near)}.", "aside")
    if terms.cannot_see:
        heads = "; ".join(text.partition(":")[0] for text in terms.cannot_see)
        yield plain(f"What it cannot see: {heads}.", "aside")


# -- a few changes of costs -------------------------------------------------------------------------------------------


def _few_changes(prices: Prices, changes: FewChanges, max_rows: int = MOST_ROWS) -> Iterator[Block]:
    """Yield the few changes of costs that bring loadouts nearest to fair, who profits and who loses."""
    if changes.cards:
        yield plain(f"Nearest to fair with at most {show_many(changes.most, 'change')} of cost:", "strong")
        yield _after("card", "instead", changes.cards, lambda change: prices.cards[change.card])
    before, after, floor = map(
        show_probability, (changes.unfair.before, changes.unfair.after, changes.unfair.all_cards)
    )
    then = f"then {after}" if changes.cards else "which no change of a cost lessens"
    text = f"Costs of loadouts lie {before} off fair ones (root mean square), {then}"
    yield plain(f"{text}; whole costs for all {len(prices.cards)} cards would leave {floor}.", gap=True)
    if max_rows < MOST_ROWS:
        count_text = f"{show_many(len(changes.profit), 'loadout')} would cost less and {len(changes.lose)} more"
        yield plain(f"{count_text}; --more lists them.")
        return
    for head, loadouts in (("who profits", changes.profit), ("who loses", changes.lose)):
        if loadouts:
            yield _after(head, "then", loadouts[:MOST_ROWS], lambda loadout: prices.loadouts[loadout.entrant])
        if len(loadouts) > MOST_ROWS:
            yield plain(f"{len(loadouts) - MOST_ROWS} more: --json lists all", "aside", gap=True)
    farthest = [
        f"{prices.loadouts[loadout.entrant].label} ({show_cost(loadout.proposed)} for {show_cost(loadout.fair)})"
        for loadout in changes.left
    ]
    yield plain(f"Farthest from fair even at the best costs of all cards: {comma_list(farthest)}.", gap=True)


def _after(head: str, proposed: str, changes: Sequence[After], price_of: Callable[[After], Price]) -> Table:
    """Return who costs what now and then, what is fair, and what is said of the new cost."""
    rows = [
        (
            price_of(change).label,
            show_cost(change.cost),
            show_cost(change.proposed),
            show_cost(price_of(change).fair),
            show_interval(change.low, change.high, show_cost),
            fair_within(change.verdict, change.proposed, change.low, change.high, change.tolerance),
        )
        for change in changes
    ]
    return grid([head, "costs", proposed, *THEN], rows, right=("costs", proposed, "fair"))


# -- tables of prices -------------------------------------------------------------------------------------------------


def _off(prices: Mapping[str, LoadoutPrice]) -> dict[str, LoadoutPrice]:
    """Return what costs too much or too little, those first that do however cost is split, the furthest off first."""
    off = [(name, price) for name, price in prices.items() if price.as_proposed in OFF_VERDICTS]

    def order(item: tuple[str, LoadoutPrice]) -> tuple[bool, float]:
        price = item[1]
        return price.verdict not in OFF_VERDICTS, -abs(price.fair - price.cost) / max(price.cost, 1.0)

    return dict(sorted(off, key=order))


def _to_change(nouns: Nouns, prices: Mapping[str, LoadoutPrice]) -> Iterator[Block]:
    """Yield what costs too much or too little, the furthest off first."""
    (singular, plural), off = nouns, list(_off(prices).values())
    if not off:
        yield plain(f"To change: no {singular} is certainly off by more than the tolerance.", gap=True)
        return
    yield plain(f"To change: {show_many(len(off), singular, plural)} of {len(prices)}", "strong")
    yield _table(singular, off[:MOST_ROWS])
    if len(off) > MOST_ROWS:
        more = show_many(len(off) - MOST_ROWS, f"{singular} more", f"{plural} more")
        yield plain(f"{more}: --json lists all", "aside", gap=True)


def _table(singular: str, prices: Sequence[LoadoutPrice]) -> Table:
    proposed = [price.proposed_cost if isinstance(price, CardPrice) else None for price in prices]
    proposes, headings = any(cost is not None for cost in proposed), headings_of(type(prices[0]))
    rows = [
        (
            price.label,
            _verdict_text(price),
            show_cost(price.cost),
            *(["no cost" if cost is None else f"{cost}"] if proposes else []),
            *_fair(price),
            f"±{show_cost((price.dice_high - price.dice_low) / 2)}",
            *(text_under(price, key, heading) for key, heading in headings.items()),
        )
        for price, cost in zip(prices, proposed, strict=True)
    ]
    more = [heading.head for heading in headings.values()]
    heads = [singular, "is", "costs", *(["make it"] if proposes else []), *RANGES, *more]
    return grid(heads, rows, right=("costs", "make it", "fair", "dice", *more))


def _verdict_text(price: Price) -> str:
    """Return the verdict; a mark says that it is so only if costs are split by the least change."""
    return price.verdict if price.verdict == price.as_proposed else f"{price.as_proposed} *"


def _fair(price: Price) -> tuple[str, str]:
    return show_cost(price.fair), show_interval(price.low, price.high, show_cost)


def _open(nouns: Nouns, prices: Mapping[str, LoadoutPrice]) -> Iterator[Block]:
    """Yield what cannot be known from here, and why."""
    singular, plural = nouns
    words = {price.verdict for price in prices.values()} - {"fair", *OFF_VERDICTS}
    for word in sorted(words):
        matches = [price for price in prices.values() if price.verdict == word]
        yield plain(f"{word.capitalize()}: {show_many(len(matches), singular, plural)}", "strong")
        yield grid([singular, "because"], [(price.label, price.because) for price in matches[:MOST_NAMED]])
        if len(matches) > MOST_NAMED:
            yield plain(f"{len(matches) - MOST_NAMED} more: --json lists all", "aside", gap=True)
