"""Combats on the board whose local situation is that of a question of the kind `combat`: by the same columns."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.process import State
from balance.games.battlelore.adventure.terms.choices import Choice
from balance.games.battlelore.rules.combat import COMBAT_COLUMNS
from tests.games.battlelore.adventure.scenes import Owner, Scene, battle_of, scene
from tests.games.battlelore.asking import READINGS, Case, ask, name_of
from tests.games.battlelore.reference import DEFAULT

POWERS = {"": [0], "web": [2, 1, 0], "poison": [3, 1, 0], "poison web": [3, 2, 1, 0]}
ROWS = "ABCDEFGHI"
COLUMNS = tuple(name for name in COMBAT_COLUMNS if name not in ("hits", "flags", "lore", "vacated", "trampled"))
"""What is compared."""


@dataclass
class Rider(Owner):
    """The attacker's owner, whose riders stay as near to their first target as they can."""

    target: int = 0

    def weigh(self, battle: Any, state: State, choice: Choice) -> IntArray:
        if choice.name == "pursuit":
            foe = state["cell"][choice.trial, 1, self.target]
            apart = battle.field.distances[choice.about["cell"] + 1, foe + 1].astype(np.int64)
            begins = choice.about["cell"] == state["cell"][choice.trial, 0, 0]
            return np.asarray(-4 * (apart != 1) + begins)
        return super().weigh(battle, state, choice)


def free_hexes(case: Case) -> Case:
    """Return a case with as many hexes behind both units as the board has where `staged` puts them."""
    a, t, how = case
    near = 1 if how.get("melee", True) else 2
    return {**a, "free": 8 - t["free"] - near}, t, how


def staged(case: Case, n: int, seed: int) -> Scene:
    """Return the scene of a case: the target stands as many rows from its edge as it has free hexes."""
    a, t, how = case
    row, melee = 8 - t["free"], how.get("melee", True)
    at, on = f"{ROWS[row - (1 if melee else 2)]}6", f"{ROWS[row]}6"
    beside = [f"{ROWS[row]}5", f"{ROWS[row]}7"]
    friends = dict.fromkeys(beside, "green_foot") if t["supported"] else {}
    if u := how.get("u"):
        friends = {f"{ROWS[row]}{5 + 2 * (row % 2)}": name_of(u)}
    own = dict.fromkeys([f"{at[0]}5", f"{at[0]}7"], "green_foot") if a["supported"] else {}
    readings = dict(map(READINGS.__getitem__, how.get("readings", DEFAULT)))
    changed: dict[str, Any] = {name: value if value != "false" else False for name, value in readings.items()}
    terrain = {at: a["terrain"], on: t["terrain"]}
    battle = battle_of({at: name_of(a), **own}, {on: name_of(t), **friends}, terrain, lore=True, **changed)
    bonus = [int(bool(u)), -1] if how.get("pursues") else [-1]
    wishes = {"gain": [1], "power": POWERS[a["power"]], "bonus": bonus, "ignore": [9 - k for k in range(10)]}
    defends = {"back": [int(how.get("backs", True))], "ignore": wishes["ignore"], "power": POWERS[t["power"]]}
    made = scene(battle, n, seed, Rider(wishes, target=int(bool(u))), Owner(defends))
    for side, one in enumerate((a, t)):
        for column in ("figures", "poisoned", "stored"):
            made.put(column, side, 0, one[column])
    if u:
        made.put("figures", 1, 1, u["figures"])
    made.put("webbed", 1, 0, t["webbed"])
    made.state["moved"][:, 0], made.state["bonus"][:, 0] = a["moved"], a["extra"]
    return made


def outcomes(case: Case, n: int, seed: int) -> Counter[tuple[int, ...]]:
    """Fight a case on the board, and count its outcomes by `COLUMNS`."""
    a, t, how = case
    fought = staged(case, n, seed).fight().check()
    state, tally = fought.state, _tally(fought)
    u = how.get("u")
    figures, alive = state["figures"], state["figures"] > 0
    columns = {
        "figures_lost": t["figures"] - figures[:, 1, 0],
        "eliminated": ~alive[:, 1, 0],
        "attacker_figures_lost": a["figures"] - figures[:, 0, 0],
        "attacker_eliminated": ~alive[:, 0, 0],
        "attacker_banners": state["banners"][:, 0],
        "defender_banners": state["banners"][:, 1],
        "lore_gained": state["tokens"][:, 0],
        "defender_lore_gained": state["tokens"][:, 1],
        "stored_lore": state["stored"][:, 0, 0],
        "webbed": state["webbed"][:, 1, 0],
        "poisoned": state["poisoned"][:, 1, 0],
        **tally,
    }
    struck = figures[:, 1, 1 if u else 0]
    columns["bonus_figures_lost"] = np.where(tally["bonus_melee"], tally.pop("struck_before") - struck, 0)
    table = np.stack([np.asarray(columns[name], np.int64) for name in COLUMNS], axis=1)
    return Counter(map(tuple, table.tolist()))


def _tally(fought: Scene) -> dict[str, IntArray]:
    """Return what the watch was told of each trial, added up."""
    names = ("hexes_retreated", "attacker_hexes_retreated", "battle_back", "gained_ground", "bonus_melee")
    tally: dict[str, IntArray] = {name: np.zeros(fought.n, np.int64) for name in (*names, "struck_before")}
    lost = np.zeros((fought.n, fought.battle.n_slots), np.int64)
    begin = fought.state["figures"][:, 1].astype(np.int64)
    for what, side, rows, fields in reversed(fought.events):
        if what == "hit" and side == 1:
            lost[rows, fields["unit"]] += fields["lost"]
        elif what == "battle" and fields["kind"] == "bonus":
            tally["bonus_melee"][rows] = 1
            tally["struck_before"][rows] = begin[rows, fields["target"]] + lost[rows, fields["target"]]
            tally["hexes_retreated"][rows] = 0
        elif what == "battle" and fields["kind"] == "back":
            tally["battle_back"][rows[fields["unit"] == 0]] = 1
        elif what == "gain":
            tally["gained_ground"][rows] = 1
        elif what == "retreat":
            tally["attacker_hexes_retreated" if side == 0 else "hexes_retreated"][rows] += 1
    return tally


def worst_deviation(case: Case, n: int, seed: int) -> float:
    """Return how far the board is from the exact distribution, in standard deviations of the worst outcome.

    Outcomes that are expected less than ten times are taken together.
    """
    exact = ask(case).distribution
    names = list(COMBAT_COLUMNS)
    chances: Counter[tuple[int, ...]] = Counter()
    for row, weight in zip(exact.outcomes.tolist(), exact.weights.tolist(), strict=True):
        chances[tuple(row[names.index(name)] for name in COLUMNS)] += weight / exact.total
    counts = outcomes(case, n, seed)
    common = [row for row, chance in chances.items() if chance * n >= 10]
    pairs: list[tuple[float, float]] = [(counts[row], chances[row]) for row in common]
    pairs.append((n - sum(count for count, _ in pairs), max(1 - sum(chance for _, chance in pairs), 3 / n)))
    assert set(counts) <= set(chances), set(counts) - set(chances)
    return max(
        float(abs(count - n * chance) / (n * chance * (1 - chance)) ** 0.5) for count, chance in pairs if chance < 1
    )
