"""What armies of equal points say of each loadout and card, in all settings at once, and the words for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from balance.analysis.prices.over_settings import DEPENDS
from balance.analysis.prices.verdicts import AS_ALL, NOT_KNOWN, NOT_MEASURABLE, NOT_WORTH, OFF_VERDICTS
from balance.answers.words.lists import list_words
from balance.base.numbers import show_fixed, show_many
from balance.reporting import Cell, literal
from balance.reporting.sections.common.words import Pages

What: TypeAlias = Literal["loadouts", "cards"]
_FRAMES: Mapping[What, tuple[str, str]] = {
    "loadouts": ("fair_costs", "stable_costs"),
    "cards": ("fair_card_costs", "stable_card_costs"),
}
FAMILIES = (*OFF_VERDICTS, NOT_WORTH, AS_ALL, DEPENDS, NOT_KNOWN, "fair", NOT_MEASURABLE)
"""Verdicts without what they depend on, in the order in which they are told."""
_BOARD = "board:"
"""Before the ids of settings in which battles on a board were fought: they may be called as settings of armies are."""


@dataclass(frozen=True)
class PriceVerdict:
    """A loadout or card in every setting of a run, of which the first leads: its verdict is the verdict.

    `name`: for people, plain. `cost`: as printed, in points. `rows`: setting -> what was found there: `fair_points`,
    the range from `low` to `high` that the `verdict` rests on, the interval of dice alone from `dice_low` to
    `dice_high`, whether it holds `in_every_setting`, what is said `elsewhere`, and a whole cost if one is proposed.
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
    def is_off(self) -> bool:
        """Whether it is surely too dear or too cheap."""
        return self.verdict in OFF_VERDICTS

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
        if self.leading.get("in_every_setting"):
            return "in every setting"
        others = [f"{name}: {row['verdict']}" for name, row in list(self.rows.items())[1:]]
        texts = [*others, *(self.leading.get("elsewhere") or [])]
        return next((text for text in texts if f": {self.verdict}" not in text), "")

    @property
    def off(self) -> float:
        """The distance of its cost from the range of fair costs, as a share of the cost; 0 inside the range."""
        low, high = self.ends
        return max(self.cost - high, low - self.cost, 0.0) / max(self.cost, 1.0)

    @property
    def distance(self) -> float:
        """The distance of its cost from the fair cost of the first setting, as a share of the cost."""
        return abs(float(next(iter(self.rows.values()))["fair_points"]) - self.cost) / max(self.cost, 1.0)

    @property
    def proposed(self) -> int | None:
        """The whole cost proposed for a card, None if none is; of a loadout the mean fair cost, rounded.

        A loadout's is at least 1, as what costs nothing is bought without end.
        """
        rows = list(self.rows.values())
        if "proposed_points" in rows[0]:
            return next((int(row["proposed_points"]) for row in rows if row.get("proposed_points") is not None), None)
        return max(1, round(float(sum(row["fair_points"] for row in rows)) / len(rows)))


def price_verdicts(pages: Pages, what: What) -> list[PriceVerdict]:
    """Return the verdicts on all `loadouts` or `cards`, in their order; [] where none is judged.

    What is bought whole, such as a formation, is a loadout and no card.
    """
    key = {"loadouts": "entrant", "cards": "card"}[what]
    entries: dict[str, list[tuple[str, dict[str, Any]]]] = {}
    for table in _FRAMES[what]:
        frame = pages.table(table)
        for row in [] if frame is None else frame.iter_rows(named=True):
            if what == "cards" and row.get("table") == "":
                continue
            setting = _BOARD * table.startswith("stable") + row["setting"]
            entries.setdefault(f"{row.get('table', '')} {row[key]}", []).append((setting, row))
    return [_price_verdict(pages, key, dict(rows)) for rows in entries.values()]


def price_source(pages: Pages, what: What) -> str:
    """Return the first table of the run that holds price verdicts on `loadouts` or `cards`; "" without one."""
    return next((name for name in _FRAMES[what] if pages.table(name) is not None), "")


def _price_verdict(pages: Pages, key: str, rows: Mapping[str, Mapping[str, Any]]) -> PriceVerdict:
    first = next(iter(rows.values()))
    return PriceVerdict(first.get("label") or pages.name(first[key]), first["cost_points"], rows)


def all_setting_titles(pages: Pages) -> dict[str, str]:
    """Return id -> title, as marked text, of each setting that verdicts hold in, battles on a board among them."""
    boards = pages.table("play_settings")
    rows = [] if boards is None or pages.table("stable_costs") is None else boards.select("setting", "title").rows()
    return setting_titles(pages) | {_BOARD + name: literal(title) for name, title in rows}


def setting_titles(pages: Pages) -> dict[str, str]:
    """Return id -> title, as marked text, of each setting of armies."""
    frame = pages.table("army_settings")
    rows = [] if frame is None else frame.select("setting", "title").rows()
    return {name: literal(title) for name, title in rows}


def by_certainty(entries: Sequence[PriceVerdict]) -> list[PriceVerdict]:
    """Return entries with those surely off first, each group by distance from the range of fair costs."""
    return sorted(entries, key=lambda entry: (entry.verdict not in OFF_VERDICTS, -entry.off, entry.name))


def dice_cell(entry: PriceVerdict) -> Cell:
    """Return the interval of a fair cost by the dice of the first setting alone.

    >>> dice_cell(PriceVerdict("Ox", 20, {"dry": {"dice_low": 19.04, "dice_high": 21.0}}))
    Cell(text='19 to 21', sort=None)
    """
    row = next(iter(entry.rows.values()))
    low, high = max(row["dice_low"], 0.0), row["dice_high"]
    return Cell(between(low, high), None, low, high)


def count_verdicts(entries: Sequence[PriceVerdict], noun: str, plural: str) -> str:
    """Return how many of at least one entry have which verdict, as one sentence; the nouns are marked text.

    >>> count_verdicts([PriceVerdict("Ox", 20, {"dry": {"verdict": "fair"}})], "card", "cards")
    'Of 1 card, 1 is fair.'
    """
    counts = Counter(entry.family for entry in entries)
    texts = [
        f"**{_be(counts[word], word)}**" if word in OFF_VERDICTS else _be(counts[word], word)
        for word in FAMILIES
        if counts[word]
    ]
    return f"Of {show_many(len(entries), noun, plural)}, {list_words(texts)}."


def _be(n: int, word: str) -> str:
    """Return how many have a verdict, as a clause with the verb in agreement."""
    if word == DEPENDS:
        return f"{n} {'depends' if n == 1 else 'depend'} on the setting"
    return f"{show_many(n, 'is', 'are')} {word}"


def in_setting(pages: Pages, setting: str, text: str) -> str:
    """Return marked text on a setting, headed by its title where there are several.

    >>> from types import SimpleNamespace
    >>> in_setting(SimpleNamespace(table=lambda name: None), "pool", "fair costs rise")
    'Fair costs rise'
    """
    titles = setting_titles(pages)
    sentence = f"{titles[setting]}: {text}" if len(titles) > 1 else text
    return f"{sentence[:1].upper()}{sentence[1:]}"


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
