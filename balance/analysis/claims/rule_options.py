"""Which readings of ambiguous rules would change a conclusion.

Each alternative reading of each rule option is put in force alone, and the field plays again: all entrants, from both
seats, against a *panel* of opponents that stands for the field (one per group, see `choose_panel`). Ratings are fitted
to the panel's match-ups under the reading and as the rules stand, so that changes of rank can be reported.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from balance.analysis.scores.field import groups_of
from balance.analysis.scores.ratings import fit_ratings
from balance.analysis.scores.scores import read_scores
from balance.analysis.scores.tables import measure_duel, measure_means, round_floats
from balance.base.arrays import FloatArray
from balance.engine.query import Query, override
from balance.engine.runner import Runner
from balance.game.loaded import LoadedGame

PANEL_SIZE = 10
MOST_SWEEPS = 20
_WORDS = ("switch", "value", "usual", "ambiguity", "level", "meaning", "sentence")
LEVELS = ("A", "B")
"""Levels of play that the question kinds of a game cover."""
ALIKE = 9
"""Digits by which entrants are ranked."""


@dataclass(frozen=True)
class Panel:
    """Opponents that stand for the field.

    `names` and `places`: m opponents, and their places among the entrants. `weights`: `float64[m]`, adding up to 1: the
    share of the field that each stands for.
    """

    names: tuple[str, ...]
    places: npt.NDArray[np.int64]
    weights: FloatArray


def choose_panel(names: Sequence[str], going_first: FloatArray, size: int = PANEL_SIZE) -> Panel:
    """Return one opponent per group such that scores against the panel follow those against the field.

    `going_first` is `float64[n, n]`: what the row scores against the column going first. From the median of each group
    by score, one group after the other changes to the member that lowers the mean square difference between weighted
    panel scores and field scores most, until no change helps. Of more than `size` groups, some evenly spaced by score
    are taken.

    >>> choose_panel(["a+x", "a+y"], np.array([[0.5, 0.9], [0.1, 0.5]])).weights.tolist()
    [0.5, 0.5]
    """
    score = (going_first + 1.0 - going_first.T) / 2
    field, groups = score.mean(1), groups_of(names)
    members = [np.flatnonzero(groups == group) for group in range(int(groups.max()) + 1)]
    members = _space_evenly(members, field, size)
    weights = np.array([len(group) for group in members], np.float64)
    weights /= weights.sum()
    picks = [int(group[np.argsort(field[group], kind="stable")][(len(group) - 1) // 2]) for group in members]
    for _ in range(MOST_SWEEPS):
        before = list(picks)
        for place, group in enumerate(members):
            rest = score[:, picks] @ weights - score[:, picks[place]] * weights[place] - field
            misfit = np.mean((rest[:, None] + score[:, group] * weights[place]) ** 2, axis=0)
            if misfit.min() < misfit[group == picks[place]][0] - 1e-12:
                picks[place] = int(group[int(np.argmin(misfit))])
        if picks == before:
            break
    places = np.array(picks, np.int64)
    return Panel(tuple(names[place] for place in picks), places, weights)


def _space_evenly(members: list[npt.NDArray[np.int64]], field: FloatArray, size: int) -> list[npt.NDArray[np.int64]]:
    """Return at most `size` of the groups, evenly spaced by mean score, in their own order."""
    if len(members) <= size:
        return members
    order = sorted(range(len(members)), key=lambda group: (float(field[members[group]].mean()), group))
    places = np.unique(np.linspace(0, len(order) - 1, size).round().astype(int)).tolist()
    return [members[group] for group in sorted(order[place] for place in places)]


def panel_gap(panel: Panel, going_first: FloatArray) -> float:
    """Return the largest difference between an entrant's weighted score against the panel and that against the field.

    `going_first` is `float64[n, n]`: what the row scores against the column going first.
    """
    score = (going_first + 1.0 - going_first.T) / 2
    return float(np.abs(score[:, panel.places] @ panel.weights - score.mean(1)).max())


@dataclass(frozen=True)
class Reading:
    """One alternative reading: the assignment that puts it in force, and what the rules file says of it."""

    switch: str
    value: str
    usual: str
    ambiguity: str
    level: str
    meaning: str
    sentence: str

    @property
    def assignment(self) -> str:
        """The override that puts it in force, such as `rules.faces=0-9`."""
        return f"rules.{self.switch}={self.value}"


def other_readings(game: LoadedGame, changes: Sequence[str] = ()) -> list[Reading]:
    """Return every reading, of rule options at levels A and B, that is not in force after the changes."""
    from balance.catalogue import show_value

    settings = dict(text.removeprefix("rules.").split("=", 1) for text in changes if text.startswith("rules."))
    readings = []
    for switch in game.catalogue.rule_options.values():
        usual = settings.get(switch.name, show_value(getattr(game.catalogue.rules, switch.name)))
        sentences = dict(switch.readings)
        for value in switch.allowed:
            if value != usual and switch.level in LEVELS:
                words = (switch.ambiguity, switch.level, switch.meaning, sentences.get(value, ""))
                readings.append(Reading(switch.name, value, usual, *words))
    return readings


@dataclass(frozen=True)
class ReadingStudy:
    """Scores and damage under each of r readings.

    `first` and `second`: `float64[r + 1, n, m]`: what each of n entrants scores against each of m opponents of the
    panel, going first and second; the first layer is the rules as they stand. `damage`: `float64[r + 1, p]`: mean
    damage of one action over pairs of attacker and target, or p = 0.
    """

    readings: tuple[Reading, ...]
    first: FloatArray
    second: FloatArray
    damage: FloatArray


def compare_readings(
    runner: Runner,
    names: Sequence[str],
    panel: Panel,
    attackers: Sequence[str] = (),
    changes: Sequence[str] = (),
    attack_changes: Sequence[str] = (),
    gain: str = "damage",
) -> ReadingStudy:
    """Play the panel's match-ups, and one action of each attacker on each target, under every other reading.

    `changes` are made in every duel and `attack_changes` in every attack, of which `gain` is the column that says what
    it achieved.
    """
    readings = other_readings(runner.game, [*changes, *attack_changes])
    layers = [(), *((reading.assignment,) for reading in readings)]
    turn_orders = [
        (a, b, layer)
        for name in names
        for foe in panel.names
        for a, b in ((name, foe), (foe, name))
        for layer in layers
    ]
    duel, attack = (runner.game.definition.name_about(role) for role in ("winner", "effect"))
    asks = [Query(duel, a, b, override(changes, layer), "a") for a, b, layer in turn_orders]
    rows = runner(asks, measure_duel, "rule readings")
    scores = np.array([row["p_a"] + row["p_draw"] / 2 for row in rows if row is not None])
    grid = scores.reshape(len(names), len(panel.names), 2, len(layers)).transpose(2, 3, 0, 1)
    pairs = [(attacker, target) for attacker in attackers for target in runner.game.targets]
    asks = [Query(attack, *pair, override(attack_changes, layer)) for pair in pairs for layer in layers]
    means = [row.get(gain, 0.0) for row in runner(asks, measure_means, "rule readings") if row is not None]
    damage = np.array(means, np.float64).reshape(len(pairs), len(layers)).T
    return ReadingStudy(tuple(readings), grid[0], 1.0 - grid[1], damage)


def fit_layers(study: ReadingStudy, panel: Panel) -> FloatArray:
    """Return the strengths of entrants fitted to the scores of each layer, `float64[r + 1, n]`."""
    n, m = study.first.shape[1:]
    thetas = []
    for first, second in zip(study.first, study.second, strict=True):
        scores, counts = np.zeros((2, n, n))
        for place, column in enumerate(panel.places.tolist()):
            scores[:, column], counts[:, column] = first[:, place], panel.weights[place] * m
            scores[column, :], counts[column, :] = 1.0 - second[:, place], panel.weights[place] * m
        thetas.append(fit_ratings(scores, counts).theta)
    return np.array(thetas)


def reading_table(study: ReadingStudy, names: Sequence[str], panel: Panel) -> pl.DataFrame:
    """Return one row per alternative reading, the largest change of a score first.

    The columns are `switch`, `value`, `usual`, `ambiguity`, `level`, `meaning`, `sentence`; `n_asked`, `n_changed`
    (match-ups whose score moves by more than 1e-9), `largest_change` of a score and where (`entrant`, `opponent`),
    `mean_change` (absolute), `first_mover_change` (of the mean advantage), `largest_damage_change` (of the mean of one
    action), `largest_rank_change` and `rank_entrant`.
    """
    thetas = fit_layers(study, panel)
    # Entrants that are alike keep one order: their last digits differ between processors.
    ranks = np.argsort(np.argsort(-thetas.round(ALIKE), axis=1, kind="stable"), axis=1)
    score = (study.first + study.second) / 2
    rows = []
    for number, reading in enumerate(study.readings, start=1):
        change = score[number] - score[0]
        is_changed = (
            np.maximum(abs(study.first[number] - study.first[0]), abs(study.second[number] - study.second[0])) > 1e-9
        )
        entrant, opponent = np.unravel_index(int(np.argmax(np.abs(change))), change.shape)
        advantage = ((study.first - study.second) @ panel.weights).mean(1)
        places = np.abs(ranks[number] - ranks[0])
        damage = study.damage[number] - study.damage[0] if study.damage.shape[1] else np.zeros(1)
        rows.append(
            {name: getattr(reading, name) for name in _WORDS}
            | {"n_asked": change.size, "n_changed": int(is_changed.sum())}
            | {"largest_change": float(change[entrant, opponent]), "entrant": names[int(entrant)]}
            | {"opponent": panel.names[opponent], "mean_change": float(np.abs(change).mean())}
            | {"first_mover_change": float(advantage[number] - advantage[0])}
            | {"largest_damage_change": float(damage[int(np.argmax(np.abs(damage)))])}
            | {"largest_rank_change": int(places.max()), "rank_entrant": names[int(np.argmax(places))]}
        )  # fmt: skip
    schema: dict[str, type[pl.DataType]] = dict.fromkeys(_WORDS, pl.String)
    schema |= {"n_asked": pl.Int64, "n_changed": pl.Int64, "largest_change": pl.Float64, "entrant": pl.String}
    schema |= {"opponent": pl.String, "mean_change": pl.Float64, "first_mover_change": pl.Float64}
    schema |= {"largest_damage_change": pl.Float64, "largest_rank_change": pl.Int64, "rank_entrant": pl.String}
    frame = round_floats(pl.DataFrame(rows, schema=schema))
    return frame.sort(frame["largest_change"].abs(), descending=True, maintain_order=True)


def panel_of(runner: Runner, entrants: Sequence[str] | None) -> tuple[tuple[str, ...], Panel]:
    """Return the ids of a field (None for all entrants) as the rules stand, and a panel of opponents for it."""
    scores = read_scores(runner, entrants)
    return scores.names, choose_panel(scores.names, scores.first)


def rule_readings(runner: Runner, entrants: Sequence[str] | None = None) -> pl.DataFrame:
    """Return what each alternative reading of the rules would change; columns as in `reading_table`.

    The field is by default everybody: with many entrants this takes a minute.
    """
    names, panel = panel_of(runner, entrants)
    return reading_table(compare_readings(runner, names, panel), names, panel)
