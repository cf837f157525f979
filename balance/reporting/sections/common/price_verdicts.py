"""What is said of the price of each loadout and card in the setting that leads, and what others say beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from balance.analysis.prices.over_settings import DEPENDS
from balance.analysis.prices.verdicts import AS_ALL, NOT_KNOWN, NOT_MEASURABLE, NOT_WORTH, OFF_VERDICTS
from balance.answers.words.lists import list_words
from balance.answers.words.prices.price_list import plural_verdict
from balance.base.numbers import show_fixed, show_many
from balance.reporting.sections.common.words import Pages

What: TypeAlias = Literal["loadouts", "cards"]
_FRAMES: Mapping[What, Mapping[str, str]] = {
    "loadouts": {"fair_costs": "army_settings", "stable_costs": "play_settings"},
    "cards": {"fair_card_costs": "army_settings", "stable_card_costs": "play_settings"},
}
"""Tables of prices, those that lead first -> the table of their settings."""
FAMILIES = (*OFF_VERDICTS, NOT_WORTH, AS_ALL, DEPENDS, NOT_KNOWN, "fair", NOT_MEASURABLE)
"""Verdicts without what they depend on, in the order in which they are told."""


@dataclass(frozen=True)
class PriceVerdict:
    """A loadout or card in every setting of a run, of which the first leads: its verdict is the verdict.

    `name`: for people, plain. `cost`: as printed, in points. `rows`: title of a setting -> what was found there:
    `fair_points`, the range from `low` to `high` that the `verdict` rests on, whether it holds `in_every_setting`, what
    is said `elsewhere`, and a whole cost if one is proposed; runs made before a column was told lack it.
    """

    name: str
    cost: float
    rows: Mapping[str, Mapping[str, Any]]

    @property
    def leading(self) -> Mapping[str, Any]:
        """What the setting that leads says."""
        return next(iter(self.rows.values()))

    @property
    def verdict(self) -> str:
        """The verdict in the setting that leads."""
        return str(self.leading["verdict"])

    @property
    def family(self) -> str:
        """The verdict without what it depends on: one of `FAMILIES`."""
        return DEPENDS if self.verdict.startswith(DEPENDS) else self.verdict

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest fair cost that the verdict rests on, in points, not below 0."""
        return max(self.leading["low"], 0.0), self.leading["high"]

    @property
    def elsewhere(self) -> str:
        """Whether the verdict holds in every setting; else what the first of the others says that says otherwise."""
        others = [f"{title}: {row['verdict']}" for title, row in list(self.rows.items())[1:]]
        beside = self.leading.get("elsewhere") or []
        if self.leading.get("in_every_setting") and (others or beside):
            beside = ["in every setting"]
        return next((text for text in (*others, *beside) if f": {self.verdict}" not in text), "")

    @property
    def off(self) -> float:
        """The distance of its cost from the range of fair costs, as a share of the cost; 0 inside the range."""
        low, high = self.ends
        return max(self.cost - high, low - self.cost, 0.0) / max(self.cost, 1.0)

    @property
    def proposed(self) -> int | None:
        """The whole cost that was played and is proposed, None if none is."""
        points = self.leading.get("proposed_points")
        return None if points is None else int(points)


def price_verdicts(pages: Pages, what: What) -> list[PriceVerdict]:
    """Return the verdicts on all `loadouts` or `cards`, in their order; [] where none is judged.

    What is bought whole, such as a formation, is a loadout and no card.
    """
    key = {"loadouts": "entrant", "cards": "card"}[what]
    whole_costs = _whole_costs(pages) if what == "loadouts" else {}
    entries: dict[str, dict[str, Mapping[str, Any]]] = {}
    for table, settings in _FRAMES[what].items():
        frame, titles = pages.table(table), _titles(pages, settings)
        for row in [] if frame is None else frame.iter_rows(named=True):
            if what == "cards" and row["table"] == "":
                continue
            rows = entries.setdefault(f"{row.get('table', '')} {row[key]}", {})
            title = titles.get(row["setting"], row["setting"])
            title = f"{title} ({row['setting']})" if title in rows else title
            rows[title] = row | whole_costs.get((row["setting"], row[key]), {})
    return [_price_verdict(pages, key, rows) for rows in entries.values()]


def _whole_costs(pages: Pages) -> dict[tuple[str, str], dict[str, int | None]]:
    """Return setting and id -> the cost proposed for what is bought whole, which is a loadout and its only card."""
    frame = pages.table("fair_card_costs")
    rows = [] if frame is None else frame.filter(table="").iter_rows(named=True)
    return {(row["setting"], row["card"]): {"proposed_points": row["proposed_points"]} for row in rows}


def _titles(pages: Pages, settings: str) -> dict[str, str]:
    """Return id -> title of each setting that a table tells of, plain."""
    frame = pages.table(settings)
    return {} if frame is None else dict(frame.select("setting", "title").iter_rows())


def price_source(pages: Pages, what: What) -> str:
    """Return the first table of the run that holds price verdicts on `loadouts` or `cards`; "" without one."""
    return next((name for name in _FRAMES[what] if pages.table(name) is not None), "")


def _price_verdict(pages: Pages, key: str, rows: Mapping[str, Mapping[str, Any]]) -> PriceVerdict:
    first = next(iter(rows.values()))
    return PriceVerdict(first.get("label") or pages.name(first[key]), first["cost_points"], rows)


def leading_rows(pages: Pages, name: str) -> list[dict[str, Any]]:
    """Return the rows of a table that tell of the setting that leads; [] without the table."""
    frame = pages.table(name)
    return [] if frame is None or not frame.height else frame.filter(setting=frame["setting"][0]).to_dicts()


def by_certainty(entries: Sequence[PriceVerdict]) -> list[PriceVerdict]:
    """Return entries with those surely off first, each group by distance from the range of fair costs."""
    return sorted(entries, key=lambda entry: (entry.verdict not in OFF_VERDICTS, -entry.off, entry.name))


def count_verdicts(entries: Sequence[PriceVerdict], noun: str, plural: str) -> str:
    """Return how many of at least one entry have which verdict, as one sentence; the nouns are marked text.

    >>> count_verdicts([PriceVerdict("Ox", 20, {"dry": {"verdict": "fair"}})], "card", "cards")
    'Of 1 card, 1 is fair.'
    """
    counts = Counter(entry.verdict for entry in sorted(entries, key=lambda entry: FAMILIES.index(entry.family)))
    texts = [f"**{_be(n, word)}**" if word in OFF_VERDICTS else _be(n, word) for word, n in counts.items()]
    return f"Of {show_many(len(entries), noun, plural)}, {list_words(texts)}."


def _be(n: int, word: str) -> str:
    """Return how many have a verdict, as a clause with the verb in agreement."""
    if word.startswith(DEPENDS):
        return f"{n} {plural_verdict(word, n)}"
    return f"{show_many(n, 'is', 'are')} {word}"


def settling_text(pages: Pages, entries: Sequence[PriceVerdict]) -> str:
    """Return the command that should settle what is not yet known; "" where nothing is, or no battles would."""
    needed = max(entry.leading.get("battles") or 0 for entry in entries)
    command = f"balance price {pages.run.manifest['game']} --battles {needed}"
    return f"What is not yet known, `{command}` should settle." if needed else ""


def points(value: float) -> str:
    """Return points to a tenth, none from a hundred on.

    >>> points(24.04), points(8.46), points(131.4)
    ('24', '8.5', '131')
    """
    return show_fixed(value, 0 if abs(value) >= 100 else 1).removesuffix(".0")


def between(low: float, high: float) -> str:
    """Return the ends of an interval in points, one number if they round alike.

    >>> between(15.04, 18.3), between(15.01, 15.02)
    ('15 to 18.3', '15')
    """
    return " to ".join(dict.fromkeys(map(points, (low, high))))
