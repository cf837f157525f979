"""`balance tune`: the fewest and smallest changes that make armies of equal points fair, written as a patch."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from balance.cli import options
from balance.cli.exits import BROKEN_LIMIT, say_errors, say_json, say_line
from balance.cli.playing import Cache, NoCache
from balance.errors import Fault, UsageError, listed
from balance.files import write_whole
from balance.numbers import SURE, show_fixed, show_interval, show_many, show_probability, show_probability_change
from balance.progress import Forecast, tell
from balance.render.terminal import line, say, table, title
from balance.verbs.means import ALL_CORES, Means, answering
from balance.verbs.shares import parse_band_around_half
from balance.verbs.words import check_new_file, parse_budgets

if TYPE_CHECKING:
    from rich.console import RenderableType

    from balance.analysis.battles import ArmySetting
    from balance.analysis.mean_scores import MeanScores
    from balance.analysis.tune import Tuned
    from balance.analysis.tuning import Target
    from balance.protocol.loaded import LoadedGame

__all__ = ["tune"]

SCHEMA = 1
MOST_SHOWN = 8
"""Rows of entrants."""
BAND = (0.45, 0.55)

Band = Annotated[
    str | None,
    options.option(
        "--band",
        metavar="LOW:HIGH",
        told="Between which per cent every mean score shall lie. Without it as near to 45:55 as can be had; one that "
        "you name is a demand: if it is not met, nothing is written.",
    ),
]
FirstMover = Annotated[
    float | None,
    options.option(
        "--first-mover", metavar="P", told="A demand too: going first adds at most this to the chance to win."
    ),
]
Most = Annotated[int, typer.Option("--changes", metavar="K", min=1, max=20, help="How many numbers may change.")]
Move = Annotated[
    list[str] | None,
    options.option(
        "--move",
        metavar="FIELDS",
        told="What may change: columns such as precision, paths such as weapons.*.cost_points, rules.* or constants.*; "
        "several parted by commas. All costs without it.",
    ),
]
Out = Annotated[Path, typer.Option("--out", metavar="FILE.toml", help="The patch to write.")]


def tune(
    game: options.GameName,
    band: Band = None,
    first_mover: FirstMover = None,
    most: Most = 5,
    move: Move = None,
    changes: options.Changes = None,
    budget: options.Budgets = None,
    out: Out = Path("tuned.toml"),
    force: Annotated[bool, options.flag("--force", told="Replace a file that is there.")] = False,
    nearest: Annotated[bool, options.flag("--nearest", told="Write the nearest to a demand that is not met.")] = False,
    seed: options.Seed = 0,
    catalogue: options.CatalogueFolder = None,
    jobs: options.Jobs = ALL_CORES,
    cache: Cache = None,
    no_cache: NoCache = False,
    more: options.More = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Find the changes, check them on fresh seeds, and write them as a patch; status 1 if a demand is not met."""
    from balance.analysis.foreseen import tune_parts
    from balance.analysis.tune import tune as find
    from balance.core.streams import check_seed
    from balance.protocol.loaded import load

    seed, target = check_seed(seed), _target(band, first_mover)
    check_new_file(out, "--out", "a patch", [".toml"], force)
    loaded = load(game, catalogue)
    setting = _setting(loaded, changes, budget)
    forecast = Forecast(tune_parts(loaded, setting), tell)
    with answering(loaded, Means(jobs, cache=cache, no_cache=no_cache), quiet or as_json, forecast) as runner:
        found = find(runner, setting, target, most, _words(move), seed)
    unmet = "" if band is None and first_mover is None else _unmet(found)
    written = out if found.changes and (nearest or not unmet) else None
    if written:
        write_whole(written, _patch(found).encode())
    _say(found, written, _last(written, game, catalogue), more, as_json)
    if unmet:
        say_errors([unmet])
        raise typer.Exit(BROKEN_LIMIT)


def _say(found: Tuned, written: Path | None, last: str, more: bool, as_json: bool) -> None:
    if as_json:
        say_json(_as_json(found, written))
    else:
        say(*_blocks(found, more))
        say_line(last)


# -- what was asked ---------------------------------------------------------------------------------------------------


def _target(band: str | None, first_mover: float | None) -> Target:
    """Return what every mean score and going first shall be."""
    from balance.analysis.tuning import Target

    return Target(*(BAND if band is None else parse_band_around_half(band)), _share(first_mover))


def _setting(loaded: LoadedGame, changes: list[str] | None, budget: str | None) -> ArmySetting:
    from balance.analysis.price_list import army_setting

    budgets = None if budget is None else parse_budgets(budget)
    return army_setting(loaded, changes=changes or (), budgets=budgets)


def _words(move: list[str] | None) -> list[str]:
    return [word for one in move or () for word in one.split(",") if word]


def _share(value: float | None) -> float | None:
    if value is not None and not 0 < value < 1:
        allowed = "a share between 0 and 1, such as 0.05"
        raise UsageError(Fault("is no chance to win", "--first-mover", found=f"{value:g}", allowed=allowed))
    return value


# -- what was found ---------------------------------------------------------------------------------------------------


def _unmet(found: Tuned) -> str:
    """Return what of a demand is not met; nothing where it is, or may be."""
    if found.reached != "not reached":
        return ""
    target, after = found.target, found.after
    told = []
    if (n := found.within(after)) < len(found.entrants):
        told.append(f"{n} of {len(found.entrants)} mean scores lie in {_band_text(found)}")
    if target.first_mover is not None and abs(after.first_mover) > target.first_mover:
        gain = show_probability_change(after.first_mover)
        told.append(f"going first adds {gain}, more than {show_probability(target.first_mover)}")
    tip = "allow more with --changes, let other numbers move with --move, or take the nearest with --nearest"
    reason = listed(told) if told else f"some mean score lies outside {_band_text(found)} for certain"
    return f"not met by {show_many(found.most, 'change')} of {found.n_tried} numbers: {reason}; {tip}"


def _band_text(found: Tuned) -> str:
    return show_interval(found.target.low, found.target.high, lambda x: f"{100 * x:g}%")


def _told(found: Tuned) -> str:
    """Return in a sentence what the changes reach."""
    n, of = found.within(found.after), len(found.entrants)
    many = show_many(len(found.changes), "change")
    begin = f"{many}, and" if found.changes else "Nothing has to change:"
    if found.reached == "reached":
        return f"{begin} all {of} mean scores lie in {_band_text(found)} for certain."
    if found.reached == "not yet known":
        return f"{begin} {n} of {of} mean scores lie in {_band_text(found)}; for some it is not yet known for certain."
    if not found.changes:
        return f"Nothing that may move brings scores nearer: {n} of {of} mean scores lie in {_band_text(found)}."
    times = found.before.spread / max(found.after.spread, 1e-9)
    near = f"the spread of mean scores shrinks {show_fixed(times, 1)} times, and {n} of {of} lie in {_band_text(found)}"
    return f"{show_many(found.most, 'change')} cannot bring all mean scores into the band; with {many} {near}."


def _blocks(found: Tuned, more: bool = False) -> Iterator[RenderableType]:
    """Yield what to print, from top to bottom."""
    yield title(f"{found.loaded.game.title}: tuned", found.reached if found.changes else "as it is")
    yield line(_told(found), after=1)
    if found.changes:
        yield table(["change", "from", "to"], [(one.path, one.old, one.new) for one in found.changes], ("from", "to"))
    rows = [(name, *(show(one) for one in (found.before, found.after))) for name, show in _measures(found, more)]
    yield table(["armies of equal points", "before", "after"], rows, ("before", "after"))
    if more and (shown := _farthest(found)):
        heads = ["farthest from the band", "cost", "before", "after", "95% interval"]
        yield table(heads, shown, heads[1:4])
    yield line(_checked(found, more), "dim", after=int(more))


def _measures(found: Tuned, more: bool) -> list[tuple[str, Any]]:
    """Return what is told before and after: its name, and how it is shown."""
    of = len(found.entrants)
    told: list[tuple[str, Any]] = [
        (f"mean scores in {_band_text(found)}", lambda one: f"{found.within(one)} of {of}"),
        ("lowest mean score", lambda one: show_probability(float(one.scores.min()))),
        ("highest mean score", lambda one: show_probability(float(one.scores.max()))),
        ("going first adds", _first_mover),
    ]
    return [*told, ("spread of mean scores", lambda one: show_probability(one.spread))] if more else told


def _first_mover(one: MeanScores) -> str:
    return f"{show_probability_change(one.first_mover)} ± {show_fixed(100 * SURE * one.first_mover_error, 1)}"


def _farthest(found: Tuned) -> list[Sequence[str]]:
    """Return the entrants that lie farthest outside the band after the changes."""
    scores, errors = found.after.scores, found.after.errors
    beyond = [max(found.target.low - score, score - found.target.high) for score in scores.tolist()]
    order = sorted((at for at, by in enumerate(beyond) if by > 0), key=lambda at: -beyond[at])
    return [
        (
            found.loaded.label(found.entrants[at]),
            " → ".join(dict.fromkeys(f"{cost:g}" for cost in found.costs[:, at])),
            show_probability(float(found.before.scores[at])),
            show_probability(float(scores[at])),
            show_interval(*_ends(float(scores[at]), float(errors[at])), show_probability),
        )
        for at in order[:MOST_SHOWN]
    ]


def _ends(score: float, error: float) -> tuple[float, float]:
    return max(score - SURE * error, 0.0), min(score + SURE * error, 1.0)


def _checked(found: Tuned, more: bool) -> str:
    """Return what a mean score is, how before and after are known, and by what band they are judged."""
    budgets = found.setting.budgets
    told = (
        "A mean score is what armies of one kind score against all others at equal points, from "
        f"{budgets[0][0]:g} to {budgets[-1][0]:g}, a draw counted half; simulated before and after on fresh armies "
        f"and dice, {found.after.n_pairs:,} pairs of battles of each, seed {found.seed}. Band {_band_text(found)} "
        "(--band)."
    )
    if found.unseen and (more or not found.changes):
        told += (
            f" Nothing here shows what {show_many(len(found.unseen), 'other number')} would do: {listed(found.unseen)}."
        )
    if not more:
        return f"{told} Farthest from it, and more: --more"
    return f"{told} The spread is the root mean square from 50%, without what dice add."


def _last(written: Path | None, game: str, catalogue: Path | None) -> str:
    """Return where the patch is, and how to see all that it does."""
    if written is None:
        return "Nothing was written."
    base = [] if catalogue is None else ["--base", str(catalogue)]
    command = shlex.join(["balance", "compare", game, *base, "--patch", str(written)])
    return f"Wrote {written}. What it does to everything: {command}"


def _patch(found: Tuned) -> str:
    from balance.study.patch import patch_text

    told = f"Found by balance tune {found.loaded.game.name}, seed {found.seed}: {_told(found)}"
    changes = [(one.path, one.old, one.new) for one in found.changes]
    return patch_text(f"Tuned to {_band_text(found)}", changes, told)


def _as_json(found: Tuned, written: Path | None) -> dict[str, Any]:
    """Return the one object that --json prints; the same question gives the same bytes."""
    catalogue, target = found.loaded.catalogue, found.target
    return {
        "schema": SCHEMA,
        "game": found.loaded.game.name,
        "verb": "tune",
        "seed": found.seed,
        "target": {"low": target.low, "high": target.high, "first_mover": target.first_mover, "changes": found.most},
        "verdict": found.reached,
        "foretold": found.foretold,
        "changes": [{"path": one.path, "from": one.old, "to": one.new} for one in found.changes],
        "setting": {
            "kind": found.setting.kind,
            "budgets": [{"points": points, "units": units} for points, units in found.setting.budgets],
            "changes": list(found.setting.changes),
        },
        "before": _scores_json(found, found.before, 0),
        "after": _scores_json(found, found.after, 1),
        "not_measurable_here": list(found.unseen),
        "patch": None if written is None else str(written),
        "rules_version": catalogue.rules_version,
        "catalogue_sha256": catalogue.sha256,
    }


def _scores_json(found: Tuned, one: MeanScores, side: int) -> dict[str, Any]:
    entrants = {}
    for name, cost, score, error in zip(
        found.entrants, found.costs[side].tolist(), one.scores.tolist(), one.errors.tolist(), strict=True
    ):
        low, high = _ends(score, error)
        entrants[name] = {"cost": cost, "score": score, "low": low, "high": high}
    return {
        "in_band": found.within(one),
        "spread": one.spread,
        "first_mover": {"advantage": one.first_mover, "error": one.first_mover_error},
        "pairs_each": one.n_pairs,
        "entrants": entrants,
    }
