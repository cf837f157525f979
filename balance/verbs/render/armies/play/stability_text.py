"""What `balance stability` prints: verdicts that hold in every setting, what others depend on, and how it was had."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from balance.analysis.play.matrix import PlayWorth
from balance.analysis.play.stability import MOVE_ERRORS
from balance.analysis.play.stable_prices import StablePrices
from balance.analysis.prices.over_settings import DEPENDS, OFF_VERDICTS
from balance.analysis.prices.verdicts import show_cost
from balance.analysis.scores.usual_prices import fair_within
from balance.answers.media.terminal import line, table, title
from balance.answers.words.prices import plural_verdict, tolerance_text
from balance.base.errors import comma_list
from balance.base.numbers import (
    show_count,
    show_fixed,
    show_interval,
    show_many,
    show_probability,
    show_probability_change,
)
from balance.verbs.render.armies.play.text import ladder_json

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.answers.documents import play


SCHEMA: Final = 1
MOST_ROWS, FIRST_ROWS = 24, 7
MOST_SCENES = 4
"""Settings that a first screen names."""
Row = dict[str, Any]


def as_text(
    stable_prices: StablePrices, ladder: PlayWorth | None = None, more: bool = False
) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom.

    Parameters
    ----------
    stable_prices
        The prices in every setting.
    ladder
        The ladder of ways of playing, if it was played for.
    more
        Whether everything is printed, instead of the first screen.
    """
    game, settings = stable_prices.game, show_many(len(stable_prices.scenes), "setting")
    yield title(f"{game.definition.title}: which prices hold", f"{stable_prices.scenes[0].setting.kind}, {settings}")
    cards, loadouts = (
        [vars(price) for price in prices.values()] for prices in (stable_prices.cards, stable_prices.loadouts)
    )
    if not more:
        yield from _first_screen(stable_prices, cards, loadouts)
        return
    yield from _verdict_table(stable_prices, "card", "cards", cards)
    yield from _verdict_table(stable_prices, "loadout", "loadouts", loadouts)
    yield from _dependencies(cards)
    yield from _agreements(stable_prices)
    yield line(_calibration(stable_prices), after=1)
    yield line(tolerance_text(stable_prices.tolerance, stable_prices.game.words.points), "dim")
    yield from _method(stable_prices, ladder)


def _first_screen(
    stable_prices: StablePrices, cards: Sequence[Row], loadouts: Sequence[Row]
) -> Iterator[RenderableType]:
    """Yield how many verdicts hold in every setting, the cards that are farthest off, and how it was had."""
    yield line(f"{_verdict_counts('card', 'cards', cards)} {_verdict_counts('loadout', 'loadouts', loadouts)}", after=1)
    yield _table(stable_prices, "card", _in_order(cards)[:FIRST_ROWS])
    yield line(tolerance_text(stable_prices.tolerance, stable_prices.game.words.points), "dim")
    names = "; ".join(scene.name for scene in stable_prices.scenes[:MOST_SCENES])
    more = len(stable_prices.scenes) - MOST_SCENES
    settings = show_many(len(stable_prices.scenes), "setting")
    text = f"Simulated in {settings}: {names}{f' and {more} more' if more > 0 else ''}"
    yield line(f"{text}; seed {stable_prices.seed}. Fair and its interval are by the first. All of it: --more", "dim")


def _verdict_counts(singular: str, plural: str, rows: Sequence[Row]) -> str:
    """Return how many have each verdict, in a sentence."""
    counts = Counter(row["verdict"] for row in rows)
    in_order = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    counts_text = comma_list(f"{n} {plural_verdict(word, n)}" for word, n in in_order)
    return f"{show_many(len(rows), singular, plural).capitalize()}: {counts_text}."


def _in_order(rows: Sequence[Row]) -> list[Row]:
    """Return the prices, those first that are certainly wrong whatever is played."""
    return sorted(rows, key=lambda row: (row["verdict"] not in OFF_VERDICTS, -_off(row)))


def _verdict_table(
    stable_prices: StablePrices, singular: str, plural: str, rows: Sequence[Row]
) -> Iterator[RenderableType]:
    """Yield how many have each verdict, and the prices, those first that are certainly wrong whatever is played."""
    yield line(_verdict_counts(singular, plural, rows), "bold")
    yield _table(stable_prices, singular, _in_order(rows)[:MOST_ROWS])
    if len(rows) > MOST_ROWS:
        yield line(f"{len(rows) - MOST_ROWS} more: --json lists all", "dim", 1)


def _table(stable_prices: StablePrices, singular: str, rows: Sequence[Row]) -> RenderableType:
    cells = [
        (
            row["label"],
            show_cost(row["cost"]),
            show_cost(row["fair"]),
            show_interval(row["low"], row["high"], show_cost),
            show_interval(row["dice_low"], row["dice_high"], show_cost),
            fair_within(
                row["verdict"],
                row["cost"],
                row["low"],
                row["high"],
                stable_prices.tolerance.of(row["cost"]),
            ),
        )
        for row in rows
    ]
    return table([singular, "costs", "fair", "over all settings", "dice alone", "verdict"], cells, ("costs", "fair"))


def _off(row: Row) -> float:
    return abs(float(row["fair"]) - float(row["cost"])) / max(float(row["cost"]), 1.0)


def _dependencies(cards: Sequence[Row]) -> Iterator[RenderableType]:
    """Yield what those cards depend on that depend on something."""
    rows = [(row["label"], row["verdict"], row["because"]) for row in cards if row["verdict"].startswith(DEPENDS)]
    if rows:
        yield table(["card", "verdict", "because"], rows)


def _agreements(stable_prices: StablePrices) -> Iterator[RenderableType]:
    """Yield how fair costs of loadouts move from the first setting to the others."""
    if len(stable_prices.scenes) < 2:
        return
    yield line(f"Fair costs of loadouts beside those with {stable_prices.scenes[0].name}:", "bold")
    rows = [
        (
            agreement.second,
            "" if agreement.correlation is None else show_fixed(agreement.correlation, 3),
            f"{len(agreement.moved_entrants)} of {agreement.n}",
            show_probability(agreement.rms),
        )
        for agreement in stable_prices.agreements
    ]
    heads = ["setting", "correlation", f"off by more than {MOVE_ERRORS:g} errors", "typical difference"]
    yield table(heads, rows, heads[1:])


def _calibration(stable_prices: StablePrices) -> str:
    """Say how well the fits foretell battles that they were not fitted to."""
    bins = [calibration_bin for prices in stable_prices.prices for calibration_bin in prices.bins]
    worst = max(bins, key=lambda calibration_bin: abs(calibration_bin.observed - calibration_bin.predicted_chance))
    off = show_probability_change(worst.observed - worst.predicted_chance)
    return (
        f"Battles that were not fitted, in tenths by their predicted chance: farthest off is {off} (percentage points),"
        f" where {show_probability(worst.predicted_chance)} was predicted and {show_probability(worst.observed)} seen."
    )


def _method(stable_prices: StablePrices, ladder: PlayWorth | None) -> Iterator[RenderableType]:
    n = [prices.n_battles for prices in stable_prices.prices]
    worst = max(prices.worst for prices in stable_prices.prices)
    yield line(
        f"How it was had: random legal armies in mirrored pairs, {show_count(min(n))} to {show_count(max(n))} battles "
        f"a setting; the largest standard error is {show_probability(worst)} of a cost; seed {stable_prices.seed}. "
        f"Settings: {'; '.join(scene.name for scene in stable_prices.scenes)}.",
        "dim",
    )
    if ladder is not None:
        yield line(f"Ways of playing near the top: {comma_list(ladder.near_the_top)} (see `balance play`).", "dim")


def as_json(stable_prices: StablePrices, ladder: PlayWorth | None = None) -> play.Stability:
    """Return the one object that --json prints.

    Parameters
    ----------
    stable_prices
        The prices in every setting.
    ladder
        The ladder of ways of playing, if it was played for.
    """
    game = stable_prices.game
    return {
        "schema": SCHEMA,
        "game": game.definition.name,
        "verb": "stability",
        "cards": {name: _price_json(stable_prices, vars(price)) for name, price in stable_prices.cards.items()},
        "loadouts": {name: _price_json(stable_prices, vars(price)) for name, price in stable_prices.loadouts.items()},
        "settings": [_scene(stable_prices, at) for at in range(len(stable_prices.scenes))],
        "agreement": [
            {
                "one": agreement.first,
                "other": agreement.second,
                "correlation": agreement.correlation,
                "moved": list(agreement.moved_entrants),
                "loadouts": agreement.n,
                "rms": agreement.rms,
            }
            for agreement in stable_prices.agreements
        ],
        "play": None if ladder is None else ladder_json(ladder),
        "seed": stable_prices.seed,
        "rules_version": game.catalogue.rules_version,
        "catalogue_sha256": game.catalogue.sha256,
    }


def _price_json(stable_prices: StablePrices, row: Row) -> play.StableCost:
    return {
        "cost": row["cost"],
        "fair": row["fair"],
        "label": row["label"],
        "low": row["low"],
        "high": row["high"],
        "dice_low": row["dice_low"],
        "dice_high": row["dice_high"],
        "verdict": row["verdict"],
        "because": row["because"],
        "depends": list(row["depends"]),
        "tolerance": stable_prices.tolerance.of(row["cost"]),
    }


def _scene(stable_prices: StablePrices, at: int) -> play.PriceScene:
    scene, prices, verdicts = stable_prices.scenes[at], stable_prices.prices[at], stable_prices.verdicts[at]
    handicaps = zip(prices.entrants, prices.handicap.tolist(), prices.handicap_error.tolist(), strict=True)
    return {
        "name": scene.name,
        "facets": dict(scene.facets),
        "kind": scene.setting.kind,
        "changes": list(scene.setting.changes),
        "choices": dict(scene.setting.choices),
        "budgets": [{"points": points, "units": units} for points, units in scene.setting.budgets],
        "battles": prices.n_battles,
        "log_odds_per_point": prices.per_point,
        "going_first": {"log_odds": prices.going_first, "error": prices.first_error},
        "handicaps": {name: {"points": points, "error": error} for name, points, error in handicaps},
        "verdicts": {
            "loadouts": {name: verdict.verdict for name, verdict in verdicts.loadouts.items()},
            "cards": {name: verdict.verdict for name, verdict in verdicts.cards.items()},
        },
        "calibration": [
            {
                "predicted": calibration_bin.predicted_chance,
                "observed": calibration_bin.observed,
                "error": calibration_bin.error,
                "battles": calibration_bin.n_battles,
            }
            for calibration_bin in prices.bins
        ],
    }
