"""One verdict on a loadout or card over the settings that count, and the range of its fair cost over them.

A *setting* is given by its *facets*: how both sides play, the map, the scale or anything else. The range of a fair cost
is that of its intervals in all settings together, and the verdict is what that range says, so that no other range can
contradict it: wholly on one side of the tolerance it is *too dear* or *too cheap*, wholly within *fair*. Where two
settings are each sure of another word it *depends on* those facets which change the word alone, all else being equal.
Where a setting cannot see what is asked it is no evidence either way, unless none can.

Which settings count is not decided here: the game as its rulebook prints it, by every way of playing that counts. What
abstractions and house rules say stands beside (see `price_list`). The order of the settings, their names and copies of
a setting change nothing but the names that are shown.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from balance.analysis.prices.answer import Price
from balance.analysis.prices.verdicts import NOT_KNOWN, NOT_MEASURABLE, PriceVerdict, show_cost
from balance.analysis.scores.usual_prices import Tolerance
from balance.base.errors import UsageError, comma_list
from balance.base.numbers import show_interval

Facets = Mapping[str, str]
"""Facet -> its value in a setting, such as play -> greedy."""
PLAY = "play"
DEPENDS = "depends on "
"""Begins what is said of a price that is one thing here and another there; what it depends on follows."""
MOST_TOLD = 4
"""Settings, or values of a facet, that are named one by one; of more settings, what those of a word share."""


@dataclass(frozen=True)
class Judgement:
    """The verdict on something over all settings.

    `verdict`: one of the words found, "not yet known", or "depends on ...". `because`: which settings say what, where
    they differ; empty where they agree. `depends`: the facets that it depends on: play first, the others in the order
    of their names.
    """

    verdict: str
    because: str = ""
    depends: tuple[str, ...] = ()


def joint_price(label: str, settings: Sequence[tuple[Facets, PriceVerdict]], tolerance: Tolerance) -> Price:
    """Return a price with the one verdict that those in several settings come to; at least one, the first in force."""
    first = settings[0][1]
    telling = [(facets, verdict) for facets, verdict in settings if verdict.verdict != NOT_MEASURABLE] or settings
    verdicts = [verdict for _, verdict in telling]
    low, high = min(verdict.low for verdict in verdicts), max(verdict.high for verdict in verdicts)
    judgement = stable_verdict([(facets, verdict.verdict) for facets, verdict in settings])
    numbers = f"costs {show_cost(first.cost)}, armies of equal points say {_fair_text(first.fair, low, high)}"
    own_reason = next((verdict.because for verdict in verdicts if verdict.verdict == judgement.verdict), "")
    parts = [own_reason] if judgement.verdict == NOT_MEASURABLE else [numbers, judgement.because or own_reason]
    battles = max(verdict.battles for verdict in verdicts) if judgement.verdict == NOT_KNOWN else 0
    return Price(
        label, first.cost, first.fair, low, high, first.dice_low, first.dice_high, judgement.verdict,
        "; ".join(filter(None, parts)), judgement.depends, tolerance.of(first.cost), battles,
    )  # fmt: skip


def _fair_text(fair: float, low: float, high: float) -> str:
    if show_cost(low) == show_cost(high):
        return show_cost(fair)
    return f"{show_cost(fair)} ({show_interval(low, high, show_cost)})"


_Setting = tuple[tuple[str, str], ...]


def stable_verdict(verdicts: Iterable[tuple[Facets, str]]) -> Judgement:
    """Return the one judgement that follows from verdicts in several settings.

    Raise UsageError for no setting, settings with different facets, or one setting with two verdicts.

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
        return Judgement(NOT_KNOWN, _explanation(measurable, _telling_facets(measurable)))
    depends = _depends(sure)
    facets = depends if _tells(measurable, depends) else _telling_facets(measurable)
    return Judgement(DEPENDS + _and([_facet_text(name) for name in depends]), _explanation(measurable, facets), depends)


def _once(verdicts: Iterable[tuple[Facets, str]]) -> dict[_Setting, str]:
    """Return the word of each setting, copies merged; raise UsageError as `stable_verdict` says."""
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
    """Return the facets in which the nearest settings with different words differ: a single facet each if possible."""
    apart = [
        tuple(name for (name, x), (_, y) in zip(first, second, strict=True) if x != y)
        for (first, word), (second, different) in combinations(sure.items(), 2)
        if word != different
    ]
    min_length = min(map(len, apart))
    facets = {name for names in apart if len(names) == min_length for name in names}
    return tuple(sorted(facets, key=lambda name: (name != PLAY, name)))


def _telling_facets(by_setting: Mapping[_Setting, str]) -> tuple[str, ...]:
    """Return the smallest set of facets whose values determine the word; all that vary if none does."""
    varying = tuple(sorted(name for name, values in _values(by_setting).items() if len(values) > 1))
    sets = (names for n in range(1, len(varying)) for names in combinations(varying, n))
    return next((names for names in sets if _tells(by_setting, names)), varying)


def _tells(by_setting: Mapping[_Setting, str], facets: Sequence[str]) -> bool:
    """Return whether the values of these facets determine the word."""
    return len({(_of(setting, facets), word) for setting, word in by_setting.items()}) == len(
        {_of(setting, facets) for setting in by_setting}
    )


def _of(setting: _Setting, facets: Sequence[str]) -> _Setting:
    return tuple((name, value) for name, value in setting if name in facets)


def _explanation(by_setting: Mapping[_Setting, str], facets: Sequence[str]) -> str:
    """Return which settings say what: by their values of `facets` if few, else by what the settings of a word share."""
    by_word: dict[str, set[_Setting]] = {}
    for setting, word in by_setting.items():
        by_word.setdefault(word, set()).add(setting)
    places = {word: sorted({_of(setting, facets) for setting in settings}) for word, settings in by_word.items()}
    if sum(map(len, places.values())) <= MOST_TOLD:
        return "; ".join(f"{word} {' or '.join(map(_facts, places[word]))}" for word in sorted(places))
    return "; ".join(f"{word} {_shared_text(by_word[word], by_setting)}" for word in sorted(by_word))


def _shared_text(settings: Collection[_Setting], all_settings: Collection[_Setting]) -> str:
    """Return how many of all settings these are, and the facets of which they have only some of the values."""
    values, all_values = _values(settings), _values(all_settings)
    shared = [
        f"{name} {' or '.join(sorted(values[name])).replace('_', ' ')}"
        for name in sorted(values, key=lambda name: (name != PLAY, name))
        if len(values[name]) < min(len(all_values[name]), MOST_TOLD + 1)
    ]
    count = f"in {len(settings)} of {len(all_settings)} settings"
    return f"{count} ({', '.join(shared)})" if shared else count


def _values(settings: Iterable[_Setting]) -> dict[str, set[str]]:
    """Return facet -> its values in some settings."""
    values: dict[str, set[str]] = {}
    for setting in settings:
        for name, value in setting:
            values.setdefault(name, set()).add(value)
    return values


def _facts(setting: _Setting) -> str:
    parts = [f"if both sides play {value}" for name, value in setting if name == PLAY]
    rest = [f"{name} {value}" for name, value in setting if name != PLAY]
    return ", ".join([*parts, *([f"with {comma_list(rest)}"] if rest else [])]) or "in the only setting"


def _facet_text(facet: str) -> str:
    return facet if facet == PLAY else f"the {facet}"


def _and(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
