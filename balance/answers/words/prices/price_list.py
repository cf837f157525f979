"""What `price` says of all cards: whether the game is fair, what to change, what that does, and how sure it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from balance.analysis.play.ways import CountedWay
from balance.analysis.prices.answer import CardPrice, LoadoutPrice, Price, Prices, PriceSettings
from balance.analysis.prices.scale import SCALE_TOLERANCE
from balance.analysis.prices.verdicts import AS_ALL, NOT_KNOWN, NOT_WORTH, OFF_VERDICTS, show_cost
from balance.analysis.scores.usual_prices import Tolerance
from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import Paragraph, Title, Verbatim, plain
from balance.answers.blocks.tables import Table, grid
from balance.answers.form import AnswerWords, Records, Screen, Terms
from balance.answers.words.changes.patches import patch_lines
from balance.answers.words.lists import highest, list_words
from balance.answers.words.prices.unfair import never_worth, what_stays, worse_by_numbers
from balance.base.answers import Budget, headings_of, text_under
from balance.base.errors import comma_list
from balance.base.numbers import show_interval, show_many, show_probability, show_units

MOST_ROWS, FIRST_ROWS, MOST_NAMED = 24, 6, 8
ORDER = (*OFF_VERDICTS, NOT_WORTH, AS_ALL, NOT_KNOWN)
"""Verdicts in the order in which they are shown; all others come last."""
THEN = ("fair", "95% interval", "is")
EVERYWHERE = "in every setting"
Nouns = tuple[str, str]
"""What one and many of those who are priced are called."""
CARDS = ("card", "cards")
KINDS = {"lineup": "line-ups without a board", "advance": "line-ups that walk"}
YES = {"yes": "Yes", "no": "No", "costs yes, match-ups no": "Costs yes, match-ups no", "not yet known": "Not yet known"}
"""What the answer to the question whether a game is fair begins with."""


def sentence(prices: Prices, terms: Terms) -> str:
    """Return whether the game is fair, and how much it is not."""
    card, cards, loadouts = _priced(prices, terms)
    if len(prices.loadouts) == 1:
        (price,) = prices.loadouts.values()
        return f"{price.label} alone cannot be judged: points are only compared with those of another {card[0]}."
    parts = [_reason(prices, terms)]
    is_scale = prices.proposal is not None and prices.proposal.power is not None
    if _off(loadouts) and _off(cards) and not is_scale:
        parts.append(f"Of {show_many(len(cards), *card)} {_counts(cards)}")
    return f"{YES[prices.is_fair]}: {'. '.join(parts)}."


def _reason(prices: Prices, terms: Terms) -> str:
    """Return why a game is fair or not: who is off, the power of costs, or how lopsided match-ups are."""
    nouns, rows = (terms.entrant, terms.entrants), prices.loadouts
    typical = f"a typical match-up is {prices.typical_match_up.before.odds}"
    if prices.proposal is not None and prices.proposal.power is not None:
        return f"{_scale_text(prices.proposal.power)}; no single cost explains it, and {typical}"
    if off := _off(rows) or _off(prices.cards):
        first, *more = highest([*off.values()], _distance, "{:.2f}".format).rows
        who = _counts(rows, nouns) if _off(rows) else f"no {nouns[0]} is surely off, but {_counts(prices.cards, CARDS)}"
        cost = f"costs {show_cost(first.cost)} and should cost {_fair_text(first)}"
        alike = f" (with {show_many(len(more), 'other')} as far)" if more else ""
        return f"{who}; farthest off is {first.label}{alike}, which {cost}"
    if prices.is_fair == "costs yes, match-ups no":
        share = show_probability(1 - (prices.unfair.share_of_strength or 0.0), 0)
        return f"no {nouns[0]} is off, but {typical}; {share} of that is who meets whom, which no cost mends"
    words = {price.verdict for price in rows.values()}
    if words == {"fair"} and prices.is_fair != "not yet known":
        return f"all {show_many(len(rows), *nouns)} are fair within the tolerance, and {typical}"
    counted = rows if NOT_KNOWN in words else prices.cards
    return f"{_counts(rows, nouns)}; {typical}{_settles(counted) if prices.is_fair == 'not yet known' else ''}"


def _scale_text(power: float) -> str:
    way = "too slowly" if power > 1 else "too fast"
    return f"costs rise {way}: all of them to the power {power:.2f} would be fair"


def _settles(prices: Mapping[str, LoadoutPrice]) -> str:
    """Return the option that should settle what is not yet known."""
    needed = max((price.battles for price in prices.values()), default=0)
    return f"; --battles {needed} should settle it" if needed else ""


def short(prices: Prices, terms: Terms) -> Screen:
    """Return the answer, who is off, what the proposal does, and in which setting that was judged."""
    nouns, cards, loadouts = _priced(prices, terms)
    rows = _in_order(cards)
    shown = ([price for price in rows if price.verdict in ORDER[:3]] or rows)[:FIRST_ROWS]
    body: list[Block] = [_table(nouns[0], shown), *_effect(prices, nouns), *what_stays(prices, terms)]
    body += [*worse_by_numbers(prices.loadouts, few=True), *never_worth(loadouts or cards, few=True)]
    more = f"All {len(rows)} {nouns[1]}, and more: --more. " if len(rows) > len(shown) else "More: --more. "
    example = next(name for name, price in cards.items() if price is rows[0])
    texts = [
        judged_in_brief(prices.settings), tolerance_text(prices.settings.tolerance, terms.points),
        f"{more}One of them: balance price {terms.command} {example}",
    ]  # fmt: skip
    foot = [plain(" ".join(texts), "aside"), *_patch(prices)]
    return Screen([_title(terms), plain(sentence(prices, terms), gap=True)], body, foot)


def full(prices: Prices, terms: Terms) -> Iterator[Block]:
    """Yield all there is to say of prices: what is bought first, then its cards."""
    nouns, cards, loadouts = _priced(prices, terms)
    yield _title(terms)
    yield plain(sentence(prices, terms), gap=True)
    for (singular, plural), rows in (((terms.entrant, terms.entrants), loadouts), (nouns, cards)):
        if rows:
            yield plain(f"{_counts(rows, (singular, plural))}:", "strong")
            yield _table(singular, _in_order(rows)[:MOST_ROWS])
            if len(rows) > MOST_ROWS:
                yield plain(f"{len(rows) - MOST_ROWS} more: --json lists all", "aside", gap=True)
    yield from _effect(prices, nouns)
    yield from what_stays(prices, terms, more=True)
    yield from worse_by_numbers(prices.loadouts)
    yield from never_worth(loadouts or cards)
    for (singular, plural), rows in (((terms.entrant, terms.entrants), loadouts), (nouns, cards)):
        yield from _open((singular, plural), rows)
    yield plain(f"Scale (the same if within {SCALE_TOLERANCE:g} of 1): {prices.scale.because}.", gap=True)
    yield plain(convention_text(bool(loadouts)), "aside")
    for split in prices.card_sums.free if loadouts else ():
        yield plain(f"Free in that: {split.sentence}.", "aside")
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
    return Title(f"{terms.title}: is it fair?", ("where armies of equal points meet",))


def _priced(prices: Prices, terms: Terms) -> tuple[Nouns, Mapping[str, LoadoutPrice], Mapping[str, LoadoutPrice]]:
    """Return what cards are called, the cards, and the loadouts, none where nobody is made of several cards."""
    if list(prices.cards) == list(prices.loadouts):
        return (terms.entrant, terms.entrants), prices.cards, {}
    return CARDS, prices.cards, prices.loadouts


def _off(prices: Mapping[str, LoadoutPrice]) -> dict[str, LoadoutPrice]:
    """Return what costs too much or too little."""
    return {name: price for name, price in prices.items() if price.verdict in OFF_VERDICTS}


def _distance(price: Price) -> float:
    """Return how far a cost lies from the range of fair ones, as a share of it."""
    return max(price.cost - price.high, price.low - price.cost, 0.0) / max(price.cost, 1e-9)


def _in_order(prices: Mapping[str, LoadoutPrice]) -> list[LoadoutPrice]:
    """Return prices by verdict, those that are certainly off first, the farthest off first."""

    def order(price: LoadoutPrice) -> tuple[int, float, str]:
        place = (
            ORDER.index(price.verdict) if price.verdict in ORDER[1:] else 0 if price.verdict in ORDER else len(ORDER)
        )
        return max(place - 1, 0), -_distance(price), price.label

    return sorted(prices.values(), key=order)


def _counts(prices: Mapping[str, LoadoutPrice], nouns: Nouns | None = None) -> str:
    """Return how many have which verdict, those first that are off; `nouns` unless it was said of how many."""
    counts = Counter(price.verdict for price in prices.values())
    words = sorted(counts, key=lambda word: (ORDER.index(word) if word in ORDER else len(ORDER), word))
    first, *rest = words
    n = counts[first]
    verb = "" if first.startswith("depend") else "is " if n == 1 else "are "
    of = f" of {show_many(len(prices), *nouns)}" if nouns else ""
    who = of.replace(" of", "all", 1) or "all" if n == len(prices) > 1 else f"{n}{of}"
    others = [f"{counts[word]} {plural_verdict(word, counts[word])}" for word in rest]
    return list_words([f"{who} {verb}{plural_verdict(first, n)}", *others])


def plural_verdict(word: str, n: int) -> str:
    """Return a verdict as it is said of so many.

    >>> plural_verdict("depends on play", 1), plural_verdict("depends on play", 2)
    ('depends on play', 'depend on play')
    """
    return word.replace("depends", "depend", 1) if n > 1 else word


def _table(singular: str, prices: Sequence[LoadoutPrice]) -> Table:
    """Return what is said of each, what it costs, should cost by the proposal, and what is fair."""
    proposed = [price.proposed_cost if isinstance(price, CardPrice) else None for price in prices]
    proposes, headings = any(cost is not None for cost in proposed), headings_of(type(prices[0]))
    tells = any(price.elsewhere for price in prices)
    rows = [
        (
            price.label,
            price.verdict,
            show_cost(price.cost),
            *(["" if cost is None else f"{cost}"] if proposes else []),
            show_cost(price.fair),
            show_interval(price.low, price.high, show_cost),
            *([elsewhere_text(price)] if tells else []),
            *(text_under(price, key, heading) for key, heading in headings.items()),
        )
        for price, cost in zip(prices, proposed, strict=True)
    ]
    more = [heading.head for heading in headings.values()]
    heads = [singular, "is", "costs", *(["make it"] if proposes else []), "fair", "range"]
    return grid([*heads, *(["elsewhere"] if tells else []), *more], rows, right=("costs", "make it", "fair", *more))


def elsewhere_text(price: LoadoutPrice) -> str:
    """Return whether a verdict holds in every setting, else what the first of the others would have it cost."""
    if price.in_every_setting:
        return EVERYWHERE
    other = next((other for other in price.elsewhere if other.verdict != price.verdict), None)
    return "" if other is None else f"{other.setting.rpartition(', ')[2]}: {show_cost(other.fair)}"


def _effect(prices: Prices, nouns: Nouns) -> Iterator[Block]:
    """Yield what the proposal does, played on fresh dice, beside all cards repriced; or that no cost helps."""
    typical, proposal, n = prices.typical_match_up, prices.proposal, len(prices.cards)
    if not typical.before.match_ups:
        return
    every = f"all {show_many(n, *nouns)} repriced would give {typical.after_all.odds}"
    if proposal is not None:
        what = f"{show_many(len(proposal.costs), 'cost')} changed"
        text = f"With {what} a typical match-up is {proposal.after.odds} instead of {proposal.before.odds}"
        yield plain(f"{text} (played on fresh dice); {every}.", gap=True)
    elif _off(prices.cards):
        yield plain(f"No change of costs that was played brings match-ups nearer to even; {every}.", gap=True)
    for card, changes in prices.other_numbers.items():
        label = prices.cards[card].label
        texts = [f"{change.field.replace('_', ' ')} {change.new} instead of {change.old}" for change in changes[:2]]
        what = f"{', or '.join(texts)}, would make it fair" if texts else "no single change of a number was found"
        yield plain(f"No cost makes {label} worth taking: {what} (balance price GAME {card}).")
    if prices.no_whole_cost:
        names = comma_list(prices.cards[card].label for card in prices.no_whole_cost[:MOST_NAMED])
        yield plain(f"No whole cost is fair for {names}: change other numbers (balance price GAME CARD).")


def kind_text(kind: str) -> str:
    """Return what battles of a kind are called in the sentence that says in which setting something is judged.

    >>> kind_text("lineup"), kind_text("battle"), kind_text("raid")
    ('line-ups without a board', 'battles', 'raids')
    """
    return KINDS.get(kind, f"{kind}s")


def judged_in_brief(settings: PriceSettings) -> str:
    """Return in which setting verdicts hold and by how many battles, in a sentence."""
    plays = [_way(way) for way in settings.ways if way.place != "out"]
    both = [f"both sides playing {' or '.join(plays)}"] if plays else []
    board = " on the board" if any(name in KINDS for name in settings.beside) else ""
    setting = ", ".join([f"{kind_text(settings.kind)}{board}", *both, *_changes(settings)])
    return (
        f"Judged in {setting}: {settings.battles:,} battles in all, {_budgets(settings.budgets)}, seed {settings.seed}."
    )


def settings_text(settings: PriceSettings, terms: Terms) -> str:
    """Return in which setting verdicts hold, by which ways of playing, and what stands beside."""
    texts = [judged_in_brief(settings)]
    if opened := [f"{_way(way)} ({way.because})" for way in settings.ways if way.place == "out"]:
        texts.append(f"Ways of playing left out: {'; '.join(opened)}.")
    if settings.beside:
        texts.append(f"Asked as well, though no verdict turns on it: {'; '.join(settings.beside)}.")
    boards = [kind for kind in terms.army_kinds if kind != settings.kind and kind not in settings.beside]
    texts += [f"Not asked: {kind_text(kind)} (balance price {terms.command} --kind {kind})." for kind in boards]
    return " ".join(texts)


def _way(way: CountedWay) -> str:
    return way.play.replace("_", " ")


def convention_text(has_parts: bool) -> str:
    """Return by which convention the cost of a loadout is split between its cards."""
    if not has_parts:
        return ""
    return "A loadout is bought; its cost is split between its cards as near to today's costs as can be."


def tolerance_text(tolerance: Tolerance, unit: str = "points") -> str:
    """Return within what a cost is fair, and how that is set; `unit` is what the game calls its points."""
    share = f"{100 * tolerance.share:g}"
    if tolerance.points is None:
        step = show_units(show_cost(tolerance.grid), unit)
        return f"Fair is within {share}%, or nearer than the next cost, {step} away (--tolerance {share})."
    points = f"{tolerance.points:g}"
    least = show_units(show_cost(tolerance.points), unit)
    return f"Fair is within {share}%, at least {least} (--tolerance {share}:{points})."


def _changes(settings: PriceSettings) -> list[str]:
    """Return what of the setting is not as by default."""
    return [text.replace("=", " = ", 1) for text in (*settings.changes, *map("=".join, settings.choices.items()))]


def _budgets(budgets: Sequence[Budget]) -> str:
    return f"budgets {comma_list(f'{budget.points:g} ({budget.units:g} units)' for budget in budgets)}"


def judgement(settings: PriceSettings, terms: Terms) -> Iterator[Paragraph]:
    """Yield how prices were judged."""
    yield plain(settings_text(settings, terms), "aside")
    if terms.cannot_see:
        heads = "; ".join(text.partition(":")[0] for text in terms.cannot_see)
        yield plain(f"What it cannot see: {heads}.", "aside")


def _fair_text(price: Price) -> str:
    return f"{show_cost(price.fair)} ({show_interval(price.low, price.high, show_cost)})"


def _open(nouns: Nouns, prices: Mapping[str, LoadoutPrice]) -> Iterator[Block]:
    """Yield what cannot be known from here, and why."""
    singular, plural = nouns
    words = {price.verdict for price in prices.values()} - {"fair", *OFF_VERDICTS}
    for word in sorted(words):
        matches = [price for price in prices.values() if price.verdict == word]
        yield plain(f"{word.capitalize()}: {show_many(len(matches), singular, plural)}", "strong")
        rows = [(price.label, because_text(price)) for price in matches[:MOST_NAMED]]
        yield grid([singular, "because"], rows)
        if len(matches) > MOST_NAMED:
            yield plain(f"{len(matches) - MOST_NAMED} more: --json lists all", "aside", gap=True)


def because_text(price: Price) -> str:
    """Return why a verdict is what it is, and the option that should settle one that is not yet known."""
    return f"{price.because}; --battles {price.battles} should settle it" if price.battles else price.because
