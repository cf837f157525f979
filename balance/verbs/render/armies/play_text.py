"""What `balance play` prints: the ladder, the matrix, and how it was had; as text and as one JSON object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from balance.analysis.play.matrix import PlayWorth, Way
from balance.base.errors import listed
from balance.base.numbers import SURE, show_count, show_probability, show_probability_change
from balance.game.loaded import LoadedGame
from balance.verbs.render.screens import rests_on, screen_of
from balance.verbs.render.terminal import line, table, table_in_parts

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["as_json", "as_text", "ladder_json"]

SCHEMA = 1
HEADS_SAID = "Behind: rating points behind the best, 50 of which are a score of 57.1%."
HEADS = ("both play", "behind", "±", "score", "first, % points", "stand-offs", "near top")


def as_text(found: PlayWorth, loaded: LoadedGame, more: bool = True) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom: all of it, or the first screen."""
    where = rests_on(loaded, f"simulated, {show_count(found.n_battles)} battles, seed {found.seed}")
    foot = _how(found) if more else _asked_shortly(found)
    return screen_of(_gap(found), _parts(found), where, more, foot=foot)


def _asked_shortly(found: PlayWorth) -> Iterator[RenderableType]:
    """Yield what was asked otherwise than by default, and what the table's heads mean, in short."""
    setting = found.setting
    changed = [text.replace("=", " = ", 1) for text in (*setting.changes, *map("=".join, setting.choices))]
    if changed:
        yield line(f"Changed: {listed(changed)}.")
    budgets = listed(f"{points:g} ({units:g} units)" for points, units in setting.budgets)
    yield line(f"In {setting.kind}s of random legal armies, budgets {budgets}. {HEADS_SAID}", "dim")


def _parts(found: PlayWorth) -> Iterator[RenderableType]:
    """Yield the ladder, the matrix, and what goes in circles."""
    rows = [_row(way) for way in found.ladder]
    shown = [at for at in range(len(HEADS)) if at != 5 or found.ladder[0].stand_offs is not None]
    yield table([HEADS[at] for at in shown], [[row[at] for at in shown] for row in rows], HEADS[1:6])
    yield line("What the row scores against the column, each going first as often:", "bold")
    yield from _matrix(found)
    yield line(_circles(found), after=1)


def _row(way: Way) -> list[str]:
    return [
        way.name.replace("_", " "),
        f"{way.behind:.0f}",
        f"{SURE * way.behind_error:.0f}" if way.behind else "",
        show_probability(way.score),
        show_probability_change(way.advantage, unit=""),
        "" if way.stand_offs is None else show_probability(way.stand_offs),
        "yes" if way.near else "no",
    ]


def _matrix(found: PlayWorth) -> Iterator[RenderableType]:
    order = [found.names.index(way.name) for way in found.ladder]
    names = [found.names[at] for at in order]
    cells = [
        [names[row].replace("_", " "), *("" if i == j else show_probability(found.mirrored[i, j]) for j in order)]
        for row, i in enumerate(order)
    ]
    yield from table_in_parts(["", *names], cells, names)


def _gap(found: PlayWorth) -> str:
    best, last = found.ladder[0], found.ladder[-1]
    return (
        f"From {last.name.replace('_', ' ')} to {best.name.replace('_', ' ')} there are {found.gap:.0f} rating points, "
        f"give or take {SURE * last.behind_error:.0f}; going first is worth {found.going_first:.0f}."
    )


def _circles(found: PlayWorth) -> str:
    told = (
        f"{show_probability(found.cyclic)} of the matrix goes in circles, which no ladder can show; luck alone would "
        f"show {show_probability(found.cyclic_noise)}."
    )
    if found.cycles:
        told += f" Each beats the next for certain: {'; '.join(', '.join(one) for one in found.cycles[:3])}."
    return told


def _how(found: PlayWorth) -> Iterator[RenderableType]:
    setting = found.setting
    budgets = listed(f"{points:g} ({units:g} units)" for points, units in setting.budgets)
    made = listed(text.replace("=", " = ", 1) for text in (*setting.changes, *map("=".join, setting.choices)))
    yield line(
        f"How it was had: {setting.kind}, random legal armies, budgets {budgets}; {made or 'all else as by default'}; "
        f"{show_count(found.n_battles)} battles, every two ways with the same armies from both seats on the same luck, "
        f"seed {found.seed}.",
        "dim",
    )
    yield line(
        f"{HEADS_SAID} First: what going first adds where "
        "both play so. Near the top: not certainly more than "
        f"{found.near_points:g} points behind the best.",
        "dim",
    )


def as_json(found: PlayWorth, loaded: LoadedGame) -> dict[str, Any]:
    """Return the one object that --json prints."""
    return {
        "schema": SCHEMA,
        "game": loaded.game.name,
        "verb": "play",
        **ladder_json(found),
        "rules_version": loaded.catalogue.rules_version,
        "catalogue_sha256": loaded.catalogue.sha256,
    }


def _way_json(way: Any) -> dict[str, Any]:
    """Return one step of the ladder."""
    return {
        "play": way.name,
        "rating": way.rating,
        "error": way.error,
        "behind": way.behind,
        "behind_error": way.behind_error,
        "near_the_top": way.near,
        "score": way.score,
        "first_mover_advantage": way.advantage,
        "stand_offs": way.stand_offs,
    }


def ladder_json(found: PlayWorth) -> dict[str, Any]:
    """Return the ladder, the matrix and how they were had."""
    setting, names = found.setting, found.names
    pairs = [(i, j) for i in range(len(names)) for j in range(len(names))]
    return {
        "ladder": [_way_json(way) for way in found.ladder],
        "matrix": [
            {
                "first": names[i],
                "second": names[j],
                "score": float(found.scores[i, j]),
                "both_seats": float(found.mirrored[i, j]),
                "both_seats_error": float(found.mirrored_error[i, j]) if i != j else None,
                "stand_offs": None if found.ladder[0].stand_offs is None else float(found.stand_offs[i, j]),
                "battles": int(2 * found.n_pairs[i, j]),
            }
            for i, j in pairs
        ],
        "near_the_top": list(found.near_the_top),
        "gap": found.gap,
        "going_first": found.going_first,
        "cyclic_share": found.cyclic,
        "cyclic_share_of_luck": found.cyclic_noise,
        "cycles": [list(one) for one in found.cycles],
        "settings": {
            "kind": setting.kind,
            "changes": list(setting.changes),
            "choices": dict(setting.choices),
            "budgets": [{"points": points, "units": units} for points, units in setting.budgets],
            "near_points": found.near_points,
            "battles": found.n_battles,
            "seed": found.seed,
        },
    }
