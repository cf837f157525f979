"""What `balance stability` prints: verdicts that hold in every setting, what others depend on, and how it was had."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from balance.analysis.play.matrix import PlayWorth
from balance.analysis.play.stability import DEPENDS, MOVED
from balance.analysis.play.stable_prices import StablePrices
from balance.analysis.prices.verdicts import shown
from balance.analysis.scores.usual_prices import fair_within
from balance.base.errors import listed
from balance.base.numbers import (
    show_count,
    show_fixed,
    show_interval,
    show_many,
    show_probability,
    show_probability_change,
)
from balance.verbs.render.armies.play_text import ladder_json
from balance.verbs.render.armies.price_text import tolerance_said
from balance.verbs.render.terminal import line, table, title

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["as_json", "as_text"]

SCHEMA = 1
MOST_ROWS, FIRST_ROWS = 24, 7
MOST_SCENES = 4
"""Settings that a first screen names."""
Row = dict[str, Any]


def as_text(found: StablePrices, ladder: PlayWorth | None = None, more: bool = False) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom."""
    loaded, settings = found.loaded, show_many(len(found.scenes), "setting")
    yield title(f"{loaded.game.title}: which prices hold", f"{found.scenes[0].setting.kind}, {settings}")
    cards, loadouts = found.cards.to_dicts(), found.loadouts.to_dicts()
    if not more:
        yield from _first_screen(found, cards, loadouts)
        return
    yield from _said(found, "card", "cards", cards)
    yield from _said(found, "loadout", "loadouts", loadouts)
    yield from _why(cards)
    yield from _agreements(found)
    yield line(_calibrated(found), after=1)
    yield line(tolerance_said(found.tolerance, found.loaded.words.points), "dim")
    yield from _how(found, ladder)


def _first_screen(found: StablePrices, cards: Sequence[Row], loadouts: Sequence[Row]) -> Iterator[RenderableType]:
    """Yield how many verdicts hold in every setting, the cards that are farthest off, and how it was had."""
    yield line(f"{_counted('card', 'cards', cards)} {_counted('loadout', 'loadouts', loadouts)}", after=1)
    yield _table(found, "card", _ordered(cards)[:FIRST_ROWS])
    yield line(tolerance_said(found.tolerance, found.loaded.words.points), "dim")
    names = "; ".join(scene.name for scene in found.scenes[:MOST_SCENES])
    more = len(found.scenes) - MOST_SCENES
    told = f"Simulated in {show_many(len(found.scenes), 'setting')}: {names}{f' and {more} more' if more > 0 else ''}"
    yield line(f"{told}; seed {found.seed}. Fair and its interval are by the first. All of it: --more", "dim")


def _counted(one: str, many: str, rows: Sequence[Row]) -> str:
    """Return how many have each verdict, in a sentence."""
    counts = Counter(row["verdict"] for row in rows)
    told = listed(f"{n} {word}" for word, n in sorted(counts.items(), key=lambda each: (-each[1], each[0])))
    return f"{show_many(len(rows), one, many).capitalize()}: {told}."


def _ordered(rows: Sequence[Row]) -> list[Row]:
    """Return the prices, those first that are certainly wrong whatever is played."""
    return sorted(rows, key=lambda row: (row["verdict"] not in ("overpriced", "underpriced"), -_off(row)))


def _said(found: StablePrices, one: str, many: str, rows: Sequence[Row]) -> Iterator[RenderableType]:
    """Yield how many have each verdict, and the prices, those first that are certainly wrong whatever is played."""
    yield line(_counted(one, many, rows), "bold")
    yield _table(found, one, _ordered(rows)[:MOST_ROWS])
    if len(rows) > MOST_ROWS:
        yield line(f"{len(rows) - MOST_ROWS} more: --json lists all", "dim", 1)


def _table(found: StablePrices, one: str, rows: Sequence[Row]) -> RenderableType:
    cells = [
        (
            row["label"],
            shown(row["cost_points"]),
            shown(row["fair_points"]),
            show_interval(row["low"], row["high"], shown),
            show_interval(row["least"], row["most"], shown),
            fair_within(
                row["verdict"], row["cost_points"], row["low"], row["high"], found.tolerance.of(row["cost_points"])
            ),
        )
        for row in rows
    ]
    return table([one, "costs", "fair", "95% interval", "over settings", "verdict"], cells, ("costs", "fair"))


def _off(row: Row) -> float:
    return abs(float(row["fair_points"]) - float(row["cost_points"])) / max(float(row["cost_points"]), 1.0)


def _why(cards: Sequence[Row]) -> Iterator[RenderableType]:
    """Yield what those cards depend on that depend on something."""
    rows = [(row["label"], row["verdict"], row["because"]) for row in cards if row["verdict"].startswith(DEPENDS)]
    if rows:
        yield table(["card", "verdict", "because"], rows)


def _agreements(found: StablePrices) -> Iterator[RenderableType]:
    """Yield how fair costs of loadouts move from the first setting to the others."""
    if len(found.scenes) < 2:
        return
    yield line(f"Fair costs of loadouts beside those with {found.scenes[0].name}:", "bold")
    rows = [
        (
            one.other,
            "" if one.correlation is None else show_fixed(one.correlation, 3),
            f"{len(one.moved)} of {one.n}",
            show_probability(one.rms),
        )
        for one in found.agreements
    ]
    heads = ["setting", "correlation", f"off by more than {MOVED:g} errors", "typical difference"]
    yield table(heads, rows, heads[1:])


def _calibrated(found: StablePrices) -> str:
    """Say how well the fits foretell battles that they were not fitted to."""
    bins = [one for prices in found.prices for one in prices.bins]
    worst = max(bins, key=lambda one: abs(one.observed - one.predicted))
    off = show_probability_change(worst.observed - worst.predicted)
    return (
        f"Battles that were not fitted, in tenths by their predicted chance: farthest off is {off} (percentage points),"
        f" where {show_probability(worst.predicted)} was predicted and {show_probability(worst.observed)} seen."
    )


def _how(found: StablePrices, ladder: PlayWorth | None) -> Iterator[RenderableType]:
    n = [prices.n_battles for prices in found.prices]
    worst = max(prices.worst for prices in found.prices)
    yield line(
        f"How it was had: random legal armies in mirrored pairs, {show_count(min(n))} to {show_count(max(n))} battles "
        f"a setting; the largest standard error is {show_probability(worst)} of a cost; seed {found.seed}. Settings: "
        f"{'; '.join(scene.name for scene in found.scenes)}.",
        "dim",
    )
    if ladder is not None:
        yield line(f"Ways of playing near the top: {listed(ladder.near_the_top)} (see `balance play`).", "dim")


def as_json(found: StablePrices, ladder: PlayWorth | None = None) -> dict[str, Any]:
    """Return the one object that --json prints."""
    loaded = found.loaded
    return {
        "schema": SCHEMA,
        "game": loaded.game.name,
        "verb": "stability",
        "cards": {row["card"]: _priced(found, row) for row in found.cards.to_dicts()},
        "loadouts": {row["entrant"]: _priced(found, row) for row in found.loadouts.to_dicts()},
        "settings": [_scene(found, at) for at in range(len(found.scenes))],
        "agreement": [
            {
                "one": one.one,
                "other": one.other,
                "correlation": one.correlation,
                "moved": list(one.moved),
                "loadouts": one.n,
                "rms": one.rms,
            }
            for one in found.agreements
        ],
        "play": None if ladder is None else ladder_json(ladder),
        "seed": found.seed,
        "rules_version": loaded.catalogue.rules_version,
        "catalogue_sha256": loaded.catalogue.sha256,
    }


def _priced(found: StablePrices, row: Row) -> dict[str, Any]:
    names = ("label", "low", "high", "least", "most", "verdict", "because", "depends")
    told = {"cost": row["cost_points"], "fair": row["fair_points"], **{name: row[name] for name in names}}
    return told | {"tolerance": found.tolerance.of(row["cost_points"])}


def _scene(found: StablePrices, at: int) -> dict[str, Any]:
    scene, prices, verdicts = found.scenes[at], found.prices[at], found.verdicts[at]
    each = zip(prices.entrants, prices.handicap.tolist(), prices.handicap_error.tolist(), strict=True)
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
        "handicaps": {name: {"points": points, "error": error} for name, points, error in each},
        "verdicts": {
            "loadouts": {name: one.verdict for name, one in verdicts.loadouts.items()},
            "cards": {name: one.verdict for name, one in verdicts.cards.items()},
        },
        "calibration": [
            {"predicted": one.predicted, "observed": one.observed, "error": one.error, "battles": one.n_battles}
            for one in prices.bins
        ],
    }
