"""Whether a verdict is the same however it is played, on whatever map, at whatever scale.

A verdict is found in several *settings*, each told by its *facets*: how both sides play, the map, the scale, or
anything else. One judgement follows:

* the same word in every setting: that word;
* two different ones: it *depends on* those facets which change the word alone, all else being equal; play that
  nobody near the top of the ladder plays is left out before (see `play`), for what loses is no reason to doubt a price;
* one word, but some settings do not know yet: *not yet known*. Where a setting cannot see what is asked (*not
  measurable here*), it is no evidence either way, unless none can.

The order of the settings, their names and copies of a setting change nothing but the names that are told.

Numbers are held beside each other as well: how fair costs of two settings go together, and how many differ by more than
three standard errors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
import numpy.typing as npt

from balance.analysis.prices.verdicts import NOT_KNOWN, NOT_MEASURABLE
from balance.base.errors import UsageError, comma_list

FloatArray = npt.NDArray[np.float64]
Facets = Mapping[str, str]
"""Facet -> its value in a setting, such as play -> greedy."""
PLAY = "play"
DEPENDS = "depends on "
MOST_TOLD = 4
"""Settings that are named for each word."""
MOVE_ERRORS = 3.0
"""Standard errors beyond which two fair costs are not the same."""


@dataclass(frozen=True)
class Judgement:
    """What is said of something over all settings.

    Attributes
    ----------
    verdict
        One of the words found, "not yet known", or "depends on ...".
    because
        Which settings say what, where they differ; empty where they agree.
    depends
        The facets that it depends on: play first, the others in the order of their names.
    """

    verdict: str
    because: str = ""
    depends: tuple[str, ...] = ()


_Setting = tuple[tuple[str, str], ...]


def stable_verdict(verdicts: Iterable[tuple[Facets, str]]) -> Judgement:
    """Return the one judgement that verdicts in several settings come to.

    Parameters
    ----------
    verdicts
        Each setting, all told by the same facets, and what it says.

    Raises
    ------
    UsageError
        No setting, settings told by different facets, or one setting that says two things.

    Examples
    --------
    >>> dense, sparse = {"play": "greedy", "map": "dense"}, {"play": "greedy", "map": "open"}
    >>> stable_verdict([(dense, "fair"), (sparse, "fair")])
    Judgement(verdict='fair', because='', depends=())
    >>> one = stable_verdict([(dense, "too dear"), (sparse, "fair"), ({**dense, "play": "hold"}, "too dear")])
    >>> one.verdict, one.because
    ('depends on the map', 'fair with map open; too dear with map dense')
    """
    by_setting = _once(verdicts)
    measurable = {setting: word for setting, word in by_setting.items() if word != NOT_MEASURABLE} or by_setting
    words = sorted(set(measurable.values()))
    if len(words) == 1:
        return Judgement(words[0])
    sure = {setting: word for setting, word in measurable.items() if word != NOT_KNOWN}
    if len(set(sure.values())) == 1:
        return Judgement(NOT_KNOWN, _explanation(measurable, _varying_facets(measurable)))
    depends = _depends(sure)
    facets = depends if _tells(measurable, depends) else _varying_facets(measurable)
    return Judgement(DEPENDS + _and([_facet_text(name) for name in depends]), _explanation(measurable, facets), depends)


def _once(verdicts: Iterable[tuple[Facets, str]]) -> dict[_Setting, str]:
    """Return what each setting says, copies of a setting once."""
    by_setting: dict[_Setting, str] = {}
    for facets, word in verdicts:
        setting = tuple(sorted(facets.items()))
        if by_setting.setdefault(setting, word) != word:
            raise UsageError(f"one setting says {by_setting[setting]!r} and {word!r}: {_facts(setting)}")
    if not by_setting:
        raise UsageError("no setting was judged", "name at least one way of playing")
    if len({tuple(name for name, _ in setting) for setting in by_setting}) > 1:
        raise UsageError("settings are told by different facets", "name the map of each, or of none")
    return by_setting


def _depends(sure: Mapping[_Setting, str]) -> tuple[str, ...]:
    """Return the facets that alone change the word; where none does alone, those of the nearest that disagree."""
    apart = [
        tuple(name for (name, x), (_, y) in zip(first, second, strict=True) if x != y)
        for (first, word), (second, different) in combinations(sure.items(), 2)
        if word != different
    ]
    min_length = min(map(len, apart))
    facets = {name for names in apart if len(names) == min_length for name in names}
    return tuple(sorted(facets, key=lambda name: (name != PLAY, name)))


def _varying_facets(by_setting: Mapping[_Setting, str]) -> tuple[str, ...]:
    """Return the facets that are not the same in all settings."""
    values: dict[str, set[str]] = {}
    for setting in by_setting:
        for name, value in setting:
            values.setdefault(name, set()).add(value)
    return tuple(sorted(name for name, options in values.items() if len(options) > 1))


def _tells(by_setting: Mapping[_Setting, str], facets: Sequence[str]) -> bool:
    """Whether the values of some facets tell the word."""
    return len({(_of(setting, facets), word) for setting, word in by_setting.items()}) == len(
        {_of(setting, facets) for setting in by_setting}
    )


def _of(setting: _Setting, facets: Sequence[str]) -> _Setting:
    return tuple((name, value) for name, value in setting if name in facets)


def _explanation(by_setting: Mapping[_Setting, str], facets: Sequence[str]) -> str:
    """Return which settings say what, by some of their facets."""
    by_word: dict[str, set[_Setting]] = {}
    for setting, word in by_setting.items():
        by_word.setdefault(word, set()).add(_of(setting, facets))
    return "; ".join(f"{word} {_settings_text(by_word[word])}" for word in sorted(by_word))


def _settings_text(places: Iterable[_Setting]) -> str:
    texts = [_facts(setting) for setting in sorted(places)]
    more = len(texts) - MOST_TOLD
    return " or ".join(texts[:MOST_TOLD]) + (f" and in {more} more" if more > 0 else "")


def _facts(setting: _Setting) -> str:
    parts = [f"if both sides play {value}" for name, value in setting if name == PLAY]
    rest = [f"{name} {value}" for name, value in setting if name != PLAY]
    return ", ".join([*parts, *([f"with {comma_list(rest)}"] if rest else [])]) or "in the only setting"


def _facet_text(facet: str) -> str:
    return facet if facet == PLAY else f"the {facet}"


def _and(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


# -- numbers beside each other ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Costs:
    """Fair costs of entrants in a setting, by id, each with its standard error in points."""

    fair: Mapping[str, float]
    error: Mapping[str, float]


@dataclass(frozen=True)
class Agreement:
    """How the fair costs of two settings agree.

    Attributes
    ----------
    first, second
        The settings.
    correlation
        Of fair costs; None where they do not vary.
    moved_entrants, n
        How many of n entrants differ by more than three standard errors of the difference.
    rms
        Root mean square of the difference as a share of the mean of both, without what simulation adds.
    """

    first: str
    second: str
    correlation: float | None
    moved_entrants: tuple[str, ...]
    n: int
    rms: float


def compare_costs(costs: Mapping[str, Costs], base: str | None = None) -> Iterator[Agreement]:
    """Yield how settings agree: each with the base, or every two of them.

    The simulations behind two settings are taken to be independent.

    Parameters
    ----------
    costs
        Setting -> fair costs of entrants there.
    base
        The setting that all others are compared with.

    Raises
    ------
    UsageError
        The base is no setting.

    Examples
    --------
    >>> one, other = Costs({"ant": 4.0, "ox": 9.0}, {"ant": 0.1, "ox": 0.1}), Costs(
    ...     {"ant": 4.1, "ox": 12.0}, {"ant": 0.1, "ox": 0.1})
    >>> [(agreement.moved_entrants, agreement.n) for agreement in compare_costs({"greedy": one, "hold": other})]
    [(('ox',), 2)]
    """
    if base is not None and base not in costs:
        raise UsageError(f"{base!r} is no setting; there are {comma_list(costs)}")
    names = list(costs)
    pairs = combinations(names, 2) if base is None else product([base], [name for name in names if name != base])
    for first, second in pairs:
        yield _agreement(first, second, costs[first], costs[second])


def _agreement(first: str, second: str, a: Costs, b: Costs) -> Agreement:
    common = [name for name in a.fair if name in b.fair]
    x, y = (np.array([costs.fair[name] for name in common], np.float64) for costs in (a, b))
    noise = np.array([np.hypot(a.error[name], b.error[name]) for name in common], np.float64)
    moved_entrants = tuple(name for name, far in zip(common, np.abs(x - y) > MOVE_ERRORS * noise, strict=True) if far)
    level = np.maximum((np.abs(x) + np.abs(y)) / 2, 1e-9)
    square = float(np.mean(((x - y) ** 2 - noise**2) / level**2)) if common else 0.0
    return Agreement(first, second, _correlation(x, y), moved_entrants, len(common), max(square, 0.0) ** 0.5)


def _correlation(x: FloatArray, y: FloatArray) -> float | None:
    if len(x) < 3 or np.ptp(x) < 1e-9 or np.ptp(y) < 1e-9:
        return None
    return float(np.corrcoef(x, y)[0, 1])
