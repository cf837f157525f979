"""What everything should cost in every setting: ways of playing that count, maps, scales; and what holds in all.

Each setting has its own battles of legal armies (see `battle_prices`), and its own verdicts (see `price_verdicts`). A
verdict counts only if it is the same in all of them; else it depends on play, on the map, on the scale or on all of
these (see `stability`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Annotated

from balance.analysis.armies.battles import ArmySetting
from balance.analysis.play.playing import with_play
from balance.analysis.prices.answer import Price
from balance.analysis.prices.asked import card_of, known_cards, unseen_fields
from balance.analysis.prices.entries import price_entries
from balance.analysis.prices.fewest_costs import FewestCosts, fewest_costs
from balance.analysis.prices.fits.battle_prices import N_BATTLES, BattlePrices, battle_prices
from balance.analysis.prices.over_settings import PLAY, joint_price
from balance.analysis.prices.verdicts import PriceVerdict, PriceVerdicts, price_verdicts
from balance.analysis.scores.cards import priced_parts
from balance.analysis.scores.usual_prices import Tolerance
from balance.analysis.stability.agreement import Agreement, Costs, compare_costs
from balance.base.answers import Doc
from balance.base.errors import UsageError
from balance.engine.runner import Runner
from balance.game.loaded import LoadedGame

SCALE = "scale"


@dataclass(frozen=True)
class Scene:
    """A setting in which prices are judged, and the facets that tell it from others.

    `facets`: (facet, value), such as ("play", "greedy"), ("map", "dense"), ("scale", "250 points").
    """

    facets: tuple[tuple[str, str], ...]
    setting: ArmySetting

    @property
    def name(self) -> str:
        """Values of its facets, separated by commas.

        >>> Scene((("play", "kite_hold"), ("map", "dense")), ArmySetting("lineup", ())).name
        'kite hold, dense'
        """
        return ", ".join(value.replace("_", " ") for _, value in self.facets)


def scenes_of(
    game: LoadedGame,
    setting: ArmySetting,
    ways: Sequence[str],
    over: Mapping[str, Sequence[str]] | None = None,
    scales: Sequence[tuple[float, float]] = (),
) -> tuple[Scene, ...]:
    """Return every setting: ways of playing (both sides alike) times scales times values of `over`.

    `over` is path -> values, such as "situation.map" -> ("open", "dense"), and the last word of the path is the facet;
    `scales` are (budget, unit limit), by default the budgets of the setting. Raise UsageError for no way of playing,
    nothing to vary over, or two facets of one name.

    >>> from balance.game.loaded import load
    >>> at = ArmySetting("lineup", ((250, 7),))
    >>> found = scenes_of(load("warforged"), at, ["focus"], {"situation.actions": ["pool", "per_unit"]}, [(150, 4)])
    >>> found[1].name, found[1].setting.changes, found[1].setting.budgets
    ('focus, per unit, 150 war points', ('situation.actions=per_unit',), ((150, 4),))
    """
    kind, values_by_path = game.definition.kinds[setting.kind], over or {}
    facets = [PLAY, *(path.rpartition(".")[2] for path in values_by_path), *([SCALE] if scales else [])]
    if not ways or not all(values_by_path.values()) or len(set(facets)) < len(facets):
        raise UsageError(
            f"settings vary over {', '.join(facets)}", "each once, and each with a value; at least one way of playing"
        )
    sizes: list[tuple[tuple[float, float], ...]] = [setting.budgets]
    if scales:
        sizes = [(scale,) for scale in scales]
    scenes = []
    for way, values, budgets in product(ways, product(*values_by_path.values()), sizes):
        changes = tuple(f"{path}={value}" for path, value in zip(values_by_path, values, strict=True))
        kept_changes = tuple(text for text in setting.changes if text.partition("=")[0] not in values_by_path)
        at = replace(with_play(kind, setting, way), changes=(*kept_changes, *changes), budgets=budgets)
        size = [f"{budgets[0][0]:g} {game.words.points}"] if scales else []
        scenes.append(Scene(tuple(zip(facets, (way, *values, *size), strict=True)), at))
    return tuple(scenes)


@dataclass(frozen=True)
class StableCard(Price):
    """The price of a card in every setting."""

    table: Annotated[str, Doc("Where the catalogue has it; empty for what is bought whole.")]


@dataclass(frozen=True, repr=False)
class StablePrices:
    """Prices in every setting, and what holds in all.

    * `game` and `seed`: of which game, and how it was had.
    * `scenes`: the settings; the first is the one whose fair costs are told.
    * `prices`, `fewest`, `verdicts`: one for each.
    * `loadouts` and `cards`: by id; a fair cost and what dice leave open of it are those of the first setting.
    * `tolerance`: by how much a cost may miss and be fair.
    """

    game: LoadedGame
    seed: int
    scenes: tuple[Scene, ...]
    prices: tuple[BattlePrices, ...]
    fewest: tuple[FewestCosts, ...]
    verdicts: tuple[PriceVerdicts, ...]
    loadouts: Mapping[str, Price]
    cards: Mapping[str, StableCard]
    tolerance: Tolerance = field(default_factory=Tolerance)

    @property
    def costs(self) -> dict[str, Costs]:
        """Name of the setting -> fair costs of loadouts there."""
        return {
            scene.name: Costs(
                dict(zip(prices.entrants, prices.fair.tolist(), strict=True)),
                dict(zip(prices.entrants, prices.handicap_error.tolist(), strict=True)),
            )
            for scene, prices in zip(self.scenes, self.prices, strict=True)
        }

    @property
    def agreements(self) -> tuple[Agreement, ...]:
        """Agreement of each other setting with the first."""
        return tuple(compare_costs(self.costs, self.scenes[0].name))


def stable_prices(
    runner: Runner,
    scenes: Sequence[Scene],
    seed: int = 0,
    *,
    entrants: Sequence[str] | None = None,
    tolerance: Tolerance | None = None,
    n_battles: int = N_BATTLES,
    precision: float | None = None,
) -> StablePrices:
    """Return prices in every setting, and the one verdict on each loadout and card that they come to.

    Settings are from `scenes_of`; `n_battles` and `precision` are for each, as in `battle_prices`. Raise UsageError
    where there is no setting, or the prices are not of the kind that can be judged.
    """
    if not scenes:
        raise UsageError("no setting to judge prices in", "name a way of playing")
    game, kind = runner.game, scenes[0].setting.kind
    names = tuple(game.members_of(kind) if entrants is None else entrants)
    parts = priced_parts(game, names)
    cards = {part: card_of(game, part) for entrant_parts in parts for part in entrant_parts}
    priced_cards = known_cards(cards)
    tolerance = tolerance or Tolerance.usual(card.cost for card in priced_cards.values())
    invisible = unseen_fields(game, kind, dict(zip(names, parts, strict=True)), cards)
    prices = tuple(
        battle_prices(runner, scene.setting, seed, names, n_battles=n_battles, precision=precision) for scene in scenes
    )
    fewest = tuple(
        fewest_costs(price_entries(setting_prices, parts, priced_cards), tolerance) for setting_prices in prices
    )
    verdicts = tuple(
        price_verdicts(costs, parts, tolerance, setting_prices.n_battles, invisible)
        for costs, setting_prices in zip(fewest, prices, strict=True)
    )
    loadouts = {
        name: _price(game.label(name), scenes, [of_scene.loadouts[name] for of_scene in verdicts], tolerance)
        for name in names
    }
    of_cards = {
        name: StableCard(
            **vars(_price(label, scenes, [of_scene.cards[name] for of_scene in verdicts], tolerance)), table=table
        )
        for name, (table, label, _) in cards.items()
    }
    return StablePrices(game, seed, tuple(scenes), prices, fewest, verdicts, loadouts, of_cards, tolerance)


def _price(label: str, scenes: Sequence[Scene], verdicts: Sequence[PriceVerdict], tolerance: Tolerance) -> Price:
    """Return what is said of something that was judged in every setting."""
    settings = [(dict(scene.facets), verdict) for scene, verdict in zip(scenes, verdicts, strict=True)]
    return joint_price(label, settings, tolerance)
