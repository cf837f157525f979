"""What armies of equal points say of each loadout and card, in all settings at once, and the words for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from balance.analysis.prices.verdicts import NOT_MEASURABLE
from balance.base.numbers import show_fixed
from balance.reporting import literal
from balance.reporting.sections.common.words import Pages

DEPENDS_ON_PLAY = "depends on play"
DEPENDS_ON_SETTING = "depends on the setting"
VERDICT_TEXTS = {
    "too dear": "too dear",
    "too cheap": "too cheap",
    "fair": "fair",
    DEPENDS_ON_SETTING: DEPENDS_ON_SETTING,
    DEPENDS_ON_PLAY: DEPENDS_ON_PLAY,
    NOT_MEASURABLE: NOT_MEASURABLE,
    "not yet known": "not yet known",
}
"""Verdicts as people are told them."""


@dataclass(frozen=True)
class PriceVerdict:
    """A loadout or card in every setting.

    Attributes
    ----------
    name
        For people, plain.
    cost
        As printed, in points.
    rows
        Setting -> what was found there.
    """

    name: str
    cost: float
    rows: Mapping[str, Mapping[str, Any]]

    @property
    def verdict(self) -> str:
        """What is said in all settings together: a verdict that one of them turns is none."""
        words = {row["verdict"] for row in self.rows.values()}
        for word in (DEPENDS_ON_PLAY, NOT_MEASURABLE):
            if word in words:
                return word
        if len(words) == 1:
            return str(next(iter(words)))
        return "not yet known" if len(words - {"not yet known"}) < 2 else DEPENDS_ON_SETTING

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest end of its intervals over all settings."""
        rows = self.rows.values()
        return min(row["low"] for row in rows), max(row["high"] for row in rows)

    @property
    def off(self) -> float:
        """How much of its cost it is off at least, in every setting; 0 where an interval holds its cost."""
        low, high = self.ends
        return max(self.cost - high, low - self.cost, 0.0) / max(self.cost, 1.0)


def price_verdicts(pages: Pages, table: str) -> list[PriceVerdict]:
    """Return all loadouts ("fair_costs") or cards ("fair_card_costs"), in their order; nothing where none is judged.

    Parameters
    ----------
    pages
        The run.
    table
        `fair_costs` for loadouts, `fair_card_costs` for cards.
    """
    frame = pages.table(table)
    if frame is None:
        return []
    key = "entrant" if "entrant" in frame.columns else "card"
    rows_of_entries: dict[str, dict[str, Any]] = {}
    for row in frame.iter_rows(named=True):
        rows_of_entries.setdefault(row[key], {})[row["setting"]] = row
    return [_price_verdict(pages, name, rows) for name, rows in rows_of_entries.items()]


def _price_verdict(pages: Pages, name: str, rows: Mapping[str, Mapping[str, Any]]) -> PriceVerdict:
    first = next(iter(rows.values()))
    return PriceVerdict(first.get("label") or pages.name(name), first["cost_points"], rows)


def setting_titles(pages: Pages) -> dict[str, str]:
    """Return the title of each setting, by id, as marked text."""
    frame = pages.table("army_settings")
    rows = [] if frame is None else frame.select("setting", "title").rows()
    return {name: literal(title) for name, title in rows}


def in_setting(pages: Pages, setting: str, text: str) -> str:
    """Return what is said of a setting with its title before it, where there are several.

    Parameters
    ----------
    pages
        The run.
    setting
        The id of a setting.
    text
        What is said of it, as marked text.

    Examples
    --------
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
    """Return the ends of an interval in points.

    Parameters
    ----------
    low, high
        The ends, in points.

    Examples
    --------
    >>> between(15.04, 18.3), between(15.01, 15.02)
    ('15 to 18.3', '15')
    """
    return " to ".join(dict.fromkeys(map(points, (low, high))))
