"""Trays of Runewars told again: how a unit stands, its threat, what losses and new trays do to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Ability:
    """A surge ability; `unique`: once an attack; `plus`: once, for any number of surges."""

    effect: str
    number: int = 1
    cost: int = 1
    unique: bool = False
    plus: bool = False
    condition: str = ""


@dataclass(frozen=True)
class Unit:
    """Who attacks or defends; amounts are texts such as `2`, `stable` or `1+stable`."""

    dice: tuple[str, str, str] = ("1", "1", "0")
    ranged: tuple[str, str, str] = ("0", "0", "0")
    columns: int = 2
    ranks: int = 1
    partial: int = 0
    figures_per_tray: int = 4
    wound_threshold: int = 1
    wounds_suffered: int = 0
    defence: str = "1"
    brutal: str = "0"
    lethal: int = 0
    precise: int = 0
    protected: int = 0
    mortal_ward: int = 0
    guard_rerolls: str = "0"
    regenerate: str = "0"
    add_hits: int = 0
    add_mortal_strikes: int = 0
    surges: tuple[Ability, ...] = ()
    ranged_surges: tuple[Ability, ...] = ()
    surge_discount: int = 0
    upgrade_defence: int = 1
    upgrade_health: int = 0
    upgrade_slots: int = 0
    upgrade_in_centre: bool = False
    conditions: frozenset[str] = field(default_factory=frozenset)
    trays_added: int = 0


@dataclass(frozen=True)
class Standing:
    """What is left of a unit: the health of each ordinary figure, a wounded one last, and of the figure upgrade."""

    figures: tuple[int, ...]
    upgrade: int
    width: int
    conditions: frozenset[str] = field(default_factory=frozenset)

    @property
    def gone(self) -> bool:
        return not self.figures and not self.upgrade


def at_first(unit: Unit) -> Standing:
    """Return how a unit stands before the fight: its wounds have killed whole figures already."""
    trays = unit.columns * unit.ranks + unit.partial
    figures = (unit.wound_threshold,) * (trays * unit.figures_per_tray - unit.upgrade_slots)
    standing = Standing(figures, unit.upgrade_health, unit.columns, unit.conditions)
    return wounded(unit, standing, unit.wounds_suffered)


def n_trays(unit: Unit, standing: Standing) -> int:
    """Return how many trays the figures fill (RW-Q14); a figure upgrade alone stands on one, however small it is."""
    places = len(standing.figures) + (unit.upgrade_slots if standing.upgrade else 0)
    trays = min(1, standing.upgrade)
    while trays * unit.figures_per_tray < places:
        trays += 1
    return trays


def ranks_of(unit: Unit, standing: Standing) -> list[int]:
    """Return the trays of each rank, front rank first."""
    ranks: list[int] = []
    for _ in range(n_trays(unit, standing)):
        if not ranks or ranks[-1] == standing.width:
            ranks.append(0)
        ranks[-1] += 1
    return ranks


def threat(ranks: Sequence[int], edges: Sequence[str], touches: Sequence[str], original: bool = False) -> int:
    """Return the greatest threat of the touched edges of a melee; `touches`: how each touches the partial rank."""
    found = []
    partial = ranks[-1] if ranks[-1] < ranks[0] else 0
    full = sum(rank == ranks[0] for rank in ranks)
    for edge, touch in zip(edges, touches, strict=True):
        if edge == "front":
            found.append(ranks[0])
        elif edge == "side":
            found.append(len(ranks) if original or (partial and touch != "none") else full)
        elif original:
            found.append(ranks[-1])
        else:
            found.append(partial if partial and touch == "only" else ranks[0])
    return max(found)


def narrowed(unit: Unit, standing: Standing) -> Standing:
    """Return a unit whose front rank is as wide as it can be at most: it gets narrower with the last rank alone."""
    trays = n_trays(unit, standing)
    return replace(standing, width=min(standing.width, trays)) if trays else standing


def wounded(unit: Unit, standing: Standing, wounds: int) -> Standing:
    """Return a unit after wounds of ordinary figures, one after the other, the wounded figure first."""
    figures = list(standing.figures)
    for _ in range(min(wounds, sum(figures))):
        figures[-1] -= 1
        if not figures[-1]:
            figures.pop()
    return narrowed(unit, replace(standing, figures=tuple(figures)))


def regenerated(unit: Unit, standing: Standing, number: int) -> Standing:
    """Return a unit with figures put back into the empty slots of its trays."""
    slots = n_trays(unit, standing) * unit.figures_per_tray - (unit.upgrade_slots if standing.upgrade else 0)
    empty = slots - len(standing.figures)
    new = (unit.wound_threshold,) * max(0, min(number, empty))
    return replace(standing, figures=new + standing.figures)


def added_tray(ranks: Sequence[int], width: int) -> list[int]:
    """Return ranks with a tray added to the rear rank, or to a new one behind it; four full ranks are the limit."""
    if ranks[-1] < width and len(ranks) > 1:
        return [*ranks[:-1], ranks[-1] + 1]
    return [*ranks, 1] if len(ranks) < 4 else list(ranks)


def with_tray(unit: Unit, standing: Standing) -> Standing:
    """Return a unit with a complete tray added, if there is a place for it."""
    ranks = ranks_of(unit, standing)
    if added_tray(ranks, standing.width) == ranks:
        return standing
    return replace(standing, figures=(unit.wound_threshold,) * unit.figures_per_tray + standing.figures)


def fill_gap(trays: Sequence[Sequence[int]], slots: int) -> list[list[int]]:
    """Return the ranks once the tray of a figure upgrade in the front rank is destroyed (RW-FIG.2).

    `trays`: the figures on each tray, rank by rank, the gap told as -1; all of the unit's own type.
    """
    ranks = [list(rank) for rank in trays]
    place = ranks[0].index(-1)
    if len(ranks) == 1:
        return [[figures for figures in ranks[0] if figures != -1]]
    fullest = max(range(len(ranks[-1])), key=lambda i: ranks[-1][i])
    ranks[0][place] = ranks[-1].pop(fullest)
    while ranks[0][place] < slots:
        ranks = [rank for rank in ranks if any(rank)]
        if len(ranks) == 1:
            break
        last = [i for i, figures in enumerate(ranks[-1]) if figures][-1]
        ranks[-1][last] -= 1
        ranks[0][place] += 1
        ranks[-1] = [figures for figures in ranks[-1] if figures]
    return [rank for rank in ranks if rank]
