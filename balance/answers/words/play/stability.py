"""What `stability` says of prices: verdicts that hold in every setting, what others depend on, and how it was had."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from balance.analysis.prices.answer import Price
from balance.analysis.prices.over_settings import DEPENDS
from balance.analysis.prices.verdicts import OFF_VERDICTS, show_cost
from balance.analysis.stability.agreement import MOVE_ERRORS, Agreement
from balance.analysis.stability.answer import Stability
from balance.analysis.stability.stable_prices import StableCard
from balance.answers.blocks.document import Block
from balance.answers.blocks.lines import Paragraph, Title, plain
from balance.answers.blocks.tables import Table, grid
from balance.answers.form import AnswerWords, Records, Screen, Terms
from balance.answers.words.prices.price_list import kind_text, plural_verdict, tolerance_text
from balance.base.errors import comma_list
from balance.base.numbers import (
    show_count,
    show_fixed,
    show_interval,
    show_many,
    show_probability,
    show_probability_change,
)

MOST_ROWS, FIRST_ROWS = 24, 7
MOST_SCENES = 4
"""Settings that a first screen names."""


def sentence(stability: Stability, terms: Terms) -> str:
    """Return how many cards and loadouts have each verdict."""
    return f"{_counts('card', stability.cards)} {_counts('loadout', stability.loadouts)}"


def short(stability: Stability, terms: Terms) -> Screen:
    """Return how many verdicts hold in every setting, the cards that are farthest off, and how it was had."""
    names = [scene.name for scene in stability.settings]
    more = f" and {len(names) - MOST_SCENES} more" if len(names) > MOST_SCENES else ""
    judged = f"Judged in {kind_text(stability.settings[0].kind)}, {_settings_text(stability)}"
    text = f"{judged}: {'; '.join(names[:MOST_SCENES])}{more}; seed {stability.seed}."
    return Screen(
        [
            _title(stability, terms),
            plain(sentence(stability, terms), gap=True),
            _table("card", _in_order(stability.cards)[:FIRST_ROWS]),
            plain(tolerance_text(stability.tolerance, terms.points), "aside"),
            plain(f"{text} Fair and its interval are by the first. All of it: --more", "aside"),
        ]
    )


def full(stability: Stability, terms: Terms) -> Iterator[Block]:
    """Yield all verdicts, what they depend on, how the settings agree, and how it was had."""
    yield _title(stability, terms)
    yield from _verdicts("card", stability.cards)
    yield from _verdicts("loadout", stability.loadouts)
    yield from _dependencies(stability)
    yield from _agreements(stability)
    yield _calibration(stability)
    yield plain(tolerance_text(stability.tolerance, terms.points), "aside")
    yield from _method(stability)


def tables(stability: Stability) -> Mapping[str, Records]:
    """Return the tables of cards, of loadouts, and of how the settings agree with the first."""
    return {
        "cards": Records(StableCard, stability.cards, "card"),
        "loadouts": Records(Price, stability.loadouts, "entrant"),
        "agreements": Records(Agreement, stability.agreement),
    }


WORDS = AnswerWords(sentence, short, full, tables)


def _title(stability: Stability, terms: Terms) -> Title:
    details = f"{stability.settings[0].kind}, {_settings_text(stability)}"
    return Title(f"{terms.title}: which prices hold", (details,))


def _settings_text(stability: Stability) -> str:
    return show_many(len(stability.settings), "setting")


def _counts(noun: str, prices: Mapping[str, Price]) -> str:
    """Return how many have each verdict, in a sentence."""
    counts = Counter(price.verdict for price in prices.values())
    in_order = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    counts_text = comma_list(f"{n} {plural_verdict(word, n)}" for word, n in in_order)
    return f"{show_many(len(prices), noun).capitalize()}: {counts_text}."


def _in_order(prices: Mapping[str, Price]) -> list[Price]:
    """Return the prices, those first that are certainly wrong whatever is played, the farthest off first."""
    return sorted(prices.values(), key=lambda price: (price.verdict not in OFF_VERDICTS, -_off(price)))


def _off(price: Price) -> float:
    return abs(price.fair - price.cost) / max(price.cost, 1.0)


def _verdicts(noun: str, prices: Mapping[str, Price]) -> Iterator[Block]:
    """Yield how many have each verdict, and the prices in order."""
    yield plain(_counts(noun, prices), "strong")
    yield _table(noun, _in_order(prices)[:MOST_ROWS])
    if len(prices) > MOST_ROWS:
        yield plain(f"{len(prices) - MOST_ROWS} more: --json lists all", "aside", gap=True)


def _table(noun: str, prices: Sequence[Price]) -> Table:
    rows = [
        (
            price.label,
            show_cost(price.cost),
            show_cost(price.fair),
            show_interval(price.low, price.high, show_cost),
            show_interval(price.dice_low, price.dice_high, show_cost),
            price.verdict,
        )
        for price in prices
    ]
    return grid([noun, "costs", "fair", "over all settings", "dice alone", "verdict"], rows, right=("costs", "fair"))


def _dependencies(stability: Stability) -> Iterator[Block]:
    """Yield what those cards depend on that depend on something."""
    cards = [card for card in stability.cards.values() if card.verdict.startswith(DEPENDS)]
    if cards:
        yield grid(["card", "verdict", "because"], [(card.label, card.verdict, card.because) for card in cards])


def _agreements(stability: Stability) -> Iterator[Block]:
    """Yield how fair costs of loadouts move from the first setting to the others."""
    if len(stability.settings) < 2:
        return
    yield plain(f"Fair costs of loadouts beside those with {stability.settings[0].name}:", "strong")
    rows = [
        (
            agreement.other,
            "" if agreement.correlation is None else show_fixed(agreement.correlation, 3),
            f"{len(agreement.moved)} of {agreement.loadouts}",
            show_probability(agreement.rms),
        )
        for agreement in stability.agreement
    ]
    heads = ["setting", "correlation", f"off by more than {MOVE_ERRORS:g} errors", "typical difference"]
    yield grid(heads, rows, right=heads[1:])


def _calibration(stability: Stability) -> Paragraph:
    """Return how well the fits foretell battles that they were not fitted to."""
    bins = [battles for scene in stability.settings for battles in scene.calibration]
    worst = max(bins, key=lambda battles: abs(battles.observed - battles.predicted))
    off = show_probability_change(worst.observed - worst.predicted)
    text = (
        f"Battles that were not fitted, in tenths by their predicted chance: farthest off is {off} (percentage points),"
        f" where {show_probability(worst.predicted)} was predicted and {show_probability(worst.observed)} seen."
    )
    return plain(text, gap=True)


def _method(stability: Stability) -> Iterator[Block]:
    n_battles = [scene.battles for scene in stability.settings]
    worst = max(
        handicap.error / stability.loadouts[name].cost
        for scene in stability.settings
        for name, handicap in scene.handicaps.items()
    )
    yield plain(
        f"How it was had: random legal armies in mirrored pairs, {show_count(min(n_battles))} to "
        f"{show_count(max(n_battles))} battles a setting; the largest standard error is {show_probability(worst)} of a "
        f"cost; seed {stability.seed}. Settings: {'; '.join(scene.name for scene in stability.settings)}.",
        "aside",
    )
    if stability.play is not None:
        names = comma_list(stability.play.counted)
        yield plain(f"Ways of playing that count: {names} (see `balance play`).", "aside")
