"""A rating with everything in it, made by hand."""

from __future__ import annotations

from balance.playtests.model.answer import (
    Caution,
    Change,
    Cycle,
    FirstMover,
    GoodnessOfFit,
    Oddity,
    PairChance,
    RateSettings,
    Rating,
    RatingAnswer,
    Spread,
    Verdict,
)
from balance.playtests.source import LogSource

NAMES = ("Elves", "Dwarves", "Orcs", "Undead")


def rating(value: float, verdict: Verdict, more: int | None, chance: float) -> Rating:
    low, high = max(0.0, chance - 0.1), min(1.0, chance + 0.1)
    why = "" if more else "more than 10,000: it looks to be at the edge of the band"
    ends = value, value - 0.4, value + 0.4
    return Rating(verdict, chance, low, high, 24.0, chance, low, high, more, why, None, *ends)


def whole_rating(names: tuple[str, ...] = NAMES, log: LogSource | None = None) -> RatingAnswer:
    """Return a rating in which everything happens: all verdicts, a cycle, an odd evening, cautions."""
    one, two, three, four = names
    ratings = {
        two: rating(0.1, "not yet known", 12, 0.52),
        one: rating(1.0, "overpowered", None, 0.7),
        three: rating(-0.1, "fair", None, 0.49),
        four: rating(-1.0, "underpowered", None, 0.3),
    }
    order = [*ratings]
    pairs = tuple(
        PairChance(a, b, 0.5 + (j - i) / 20, 0.4, 0.7, float(i and 6), 0.5 if i else None)
        for i, a in enumerate(order)
        for j, b in enumerate(order)
        if i < j
    )
    changes = (
        Change(one, 1.0, 0.2, "overpowered", "not yet known"),
        Change(two, 0.1, 0.15, "not yet known", "not yet known"),
    )
    return RatingAnswer(
        1,
        "rate",
        log or LogSource("log.csv", n_games=8.0, n_sessions=2),
        RateSettings(),
        ratings,
        FirstMover(0.2, 0.1, 0.3, 0.55, 0.52, 0.58, 10.0, 5.0, 15.0, "overpowered", 48.0, None, ""),
        0.08,
        pairs,
        (Cycle((one, two, three), 0.5, 0.2, 0.9, True, 30.0), Cycle((two, three, four), 0.1, -0.2, 0.4, False, 30.0)),
        (
            Oddity("session", "2", "entrant", one, True, 8.0, 1.0, 0.4875, 0.0004, 4.1, changes),
            Oddity("player", "Ada", "seat", "first", False, 9.0, 0.0, 0.5, 0.02, -4.5, ()),
        ),
        (Spread("strengths", 0.6, 0.3, 1.2), Spread("session", 0.2, 0.0, 0.6)),
        GoodnessOfFit(30.5, 35, 48.0, 48),
        (Caution("few games", "fewer than 10 games each: Undead"),),
    )
