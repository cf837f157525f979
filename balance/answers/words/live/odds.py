"""The odds of an attack, of attacks until the target is out and of a duel as `--json` has them, and as a page shows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

from balance.base.numbers import show_count, show_interval, show_probability, show_probability_change, show_signed
from balance.chance.clauses import MIN_DIFFERENCE, going_first, how_long, show_brief, sides_called, who_wins
from balance.chance.trials.stopping import normal_width, wilson_interval

ATTACKS, ROUNDS, WINNER = "attacks", "rounds", "winner"
WINNERS = {"draw": 0, "a": 1, "b": 2}
"""Who wins -> its code."""
MOST_BARS, LEAST_BAR = 400, 1e-6
Chances = Mapping[int, float]
Part = dict[str, Any]


@dataclass(frozen=True)
class Odds:
    """A law of columns, each tuple of values with its weight, whole or a chance; `n_trials` is 0 if it is exact."""

    columns: tuple[str, ...]
    law: Mapping[tuple[int, ...], Any]
    n_trials: int = 0

    @cached_property
    def pmf(self) -> dict[str, Chances]:
        """Column -> value -> chance, values rising."""
        total, pmf = _sum(self.law.values()), dict[str, Chances]()
        for place, column in enumerate(self.columns):
            weights = dict[int, list[Any]]()
            for values, weight in self.law.items():
                weights.setdefault(values[place], []).append(weight)
            pmf[column] = {value: _sum(weights[value]) / total for value in sorted(weights)}
        return pmf

    def mean(self, column: str) -> float:
        """Return the mean of a column, without rounding on the way."""
        place = self.columns.index(column)
        return float(_sum(values[place] * weight for values, weight in self.law.items()) / _sum(self.law.values()))

    @cached_property
    def p_win(self) -> dict[str, float]:
        """Result of a duel -> its chance; empty where nobody wins."""
        winners = self.pmf.get(WINNER)
        return {} if winners is None else {name: winners.get(code, 0.0) for name, code in WINNERS.items()}

    def either(self, other: Odds) -> Odds:
        """Return the odds where these and others are equally likely, as in duels in which either side goes first."""
        parts = [(odds.law, 2 * _sum(odds.law.values())) for odds in (self, other)]
        law = {
            values: math.fsum(part.get(values, 0) / all_of for part, all_of in parts)
            for values in {**self.law, **other.law}
        }
        return Odds(self.columns, law, self.n_trials + other.n_trials)

    def document(self) -> Part:
        """Return the parts that `--json` has as well."""
        parts = {"pmf": self.pmf, "mean": {column: self.mean(column) for column in self.columns}}
        return {**parts, **({"p_win": self.p_win} if self.p_win else {}), "trials": self.n_trials}

    def ends_of_share(self, share: float) -> tuple[float, float] | None:
        """Return the interval of a simulated chance; None for an exact one."""
        return wilson_interval(round(share * self.n_trials), self.n_trials) if self.n_trials else None

    def ends_of_mean(self, column: str) -> tuple[float, float] | None:
        """Return the interval of a simulated mean; None for an exact one."""
        if not self.n_trials:
            return None
        mean = self.mean(column)
        variance = math.fsum(chance * (value - mean) ** 2 for value, chance in self.pmf[column].items())
        half = normal_width(0.95) * (variance / self.n_trials) ** 0.5
        return mean - half, mean + half


def _sum(values: Iterable[Any]) -> Any:
    """Return a sum: of whole numbers exactly, of others without rounding on the way."""
    numbers = [*values]
    return sum(numbers) if all(isinstance(number, int) for number in numbers) else math.fsum(numbers)


# -- sentences, as the verbs have them --------------------------------------------------------------------------------


def attack_sentence(odds: Odds, names: Mapping[str, str]) -> str:
    """Return what an attack does."""
    words = [_mean_words(odds, "damage")] if "damage" in odds.columns else []
    words += [f"{_mean_words(odds, 'loss')} in return"] if "loss" in odds.columns and odds.mean("loss") else []
    return f"{_against(names)}: {', '.join(words)}{_close(odds)}."


def _mean_words(odds: Odds, column: str) -> str:
    mean, ends = show_brief(odds.mean(column)), odds.ends_of_mean(column)
    if ends is None and len(odds.pmf[column]) == 1:
        return f"always {mean} {column}"
    return f"{mean}{f' ({show_interval(*ends, show=show_brief)})' if ends else ''} {column} on average"


def kill_sentence(odds: Odds, names: Mapping[str, str], limit: int) -> str:
    """Return how many attacks it takes until the target is out."""
    words = how_long("done in", odds.pmf[ATTACKS], odds.mean(ATTACKS), ATTACKS, limit)
    return f"{_against(names)}: {words}{_close(odds)}."


def duel_sentence(odds: Odds, names: Mapping[str, str], advantages: Mapping[str, float]) -> str:
    """Return who wins, what going first is worth, and how long it takes."""
    ends = {name: ends for name, chance in odds.p_win.items() if (ends := odds.ends_of_share(chance))}
    wins = who_wins(sides_called(names, can_win=True), odds.p_win, ends)
    time = how_long("over in", odds.pmf[ROUNDS], odds.mean(ROUNDS), ROUNDS)
    return f"{'; '.join(filter(None, [wins, going_first(advantages), time]))}{_close(odds)}."


def _against(names: Mapping[str, str]) -> str:
    return " against ".join(sides_called({"attacker": names["a"], "defender": names["b"]}, can_win=False).values())


def _close(odds: Odds) -> str:
    return f" ({odds.n_trials:,} simulated trials, 95% intervals)" if odds.n_trials else ""


# -- rows and bars ----------------------------------------------------------------------------------------------------


def mean_row(label: str, column: str, now: Sequence[Odds], before: Sequence[Odds]) -> Part:
    """Return a row of means of a column, each beside what it was."""
    values = [(odds.mean(column), odds.ends_of_mean(column)) for odds in now]
    old = [odds.mean(column) for odds in before if column in odds.columns]
    return {"label": label, "cells": [*_cells(values, old, show_brief, show_signed)]}


def win_rows(names: Mapping[str, str], now: Sequence[Odds], before: Sequence[Odds]) -> Iterator[Part]:
    """Yield a row for the chance of each result of a duel; of a draw only if there is one worth telling."""
    for result, label in {**{side: f"{name} wins" for side, name in names.items()}, "draw": "draw"}.items():
        values = [(odds.p_win[result], odds.ends_of_share(odds.p_win[result])) for odds in now]
        old = [odds.p_win[result] for odds in before]
        if result in names or max([chance for chance, _ in values] + old) >= MIN_DIFFERENCE:
            yield {"label": label, "cells": [*_cells(values, old, _share, show_probability_change)]}


def _share(chance: float) -> str:
    return show_probability(chance, 2)


def _cells(
    values: Sequence[tuple[float, tuple[float, float] | None]],
    old: Sequence[float],
    show: Callable[[float], str],
    change: Callable[[float], str],
) -> Iterator[Part]:
    """Yield the cells of a row: the number, its interval if it is simulated, what it was, and how much it changed."""
    for place, (value, ends) in enumerate(values):
        cell: Part = {"value": value, "text": show(value), "ends": ends and show_interval(*ends, show=show)}
        if place < len(old):
            step = value - old[place]
            cell |= (
                {"was": f"was {show(old[place])}", "change": change(step)}
                if abs(step) > 1e-12
                else {"was": "as before"}
            )
        yield cell


def picture(label: str, chances: Chances, before: Chances) -> Part:
    """Return a distribution as bars: by place its names, chances and chances of at least as much."""
    likely = sorted(sorted(chances, key=lambda value: -chances[value])[:MOST_BARS])
    values = [value for value in likely if chances[value] > LEAST_BAR] or likely
    highest_first = sorted(chances, reverse=True)
    sums = accumulate(chances[value] for value in highest_first)
    at_least = {value: min(1.0, so_far) for value, so_far in zip(highest_first, sums, strict=True)}
    return {
        "label": label,
        "about": "",
        "quantity": label,
        "names": [show_count(value) for value in values],
        "chances": [chances[value] for value in values],
        "at_least": [at_least[value] for value in values],
        "before": [before.get(value, 0.0) for value in values] if before else None,
    }
