"""`balance play` and `balance stability`: what play is worth, and which verdicts on prices hold whatever is played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from balance.cli import completing, options
from balance.cli.exits import say_json
from balance.cli.playing import Cache, Executor, NoCache, Scheduler
from balance.cli.pricing import TolerableText
from balance.errors import Fault, UsageError
from balance.render.terminal import say
from balance.verbs.means import ALL_CORES, Means, answering
from balance.verbs.prices import meeting_of, try_meeting
from balance.verbs.words import parse_budgets, parse_tolerance

if TYPE_CHECKING:
    from balance.analysis.battles import ArmySetting
    from balance.analysis.play import PlayWorth
    from balance.analysis.stable_prices import StablePrices
    from balance.protocol.loaded import LoadedGame

__all__ = ["play", "stability"]

EVERY = "all"
Kind = Annotated[
    str,
    options.argument("[KIND]", "The kind of question in which armies meet; the first without it.", completing.meetings),
]
Ways = Annotated[
    str | None,
    options.option(
        "--ways", metavar="NAME[,...]", told="Ways of playing, or `all`; those that are quick to play without it."
    ),
]
Pairs = Annotated[
    int, options.option("--pairs", metavar="N", told="Pairs of armies for each match-up.", min=8, max=1_000_000)
]
Slow = Annotated[
    int,
    options.option(
        "--slow", metavar="N", told="Pairs of armies where a way is not quick to play.", min=8, max=1_000_000
    ),
]
Near = Annotated[
    float,
    options.option(
        "--near", metavar="POINTS", told="Rating points behind the best that still count as near the top.", min=0
    ),
]
Over = Annotated[
    list[str] | None,
    options.option(
        "--over", metavar="PATH=VALUE,...", told="What verdicts must hold over, such as a map; may be repeated."
    ),
]
Scales = Annotated[
    str | None,
    options.option(
        "--scales", metavar="POINTS:UNITS[,...]", told="Budgets with unit limits over which verdicts must hold too."
    ),
]
Battles = Annotated[
    int, options.option("--battles", metavar="N", told="Battles of each setting, at most.", min=1000, max=100_000_000)
]
Precision = Annotated[
    float,
    options.option(
        "--precision",
        metavar="SHARE",
        told="Stop in a setting when every price is known to this share of its cost; 0 plays all battles.",
        min=0,
        max=1,
    ),
]


def play(
    game: options.GameName,
    kind: Kind = "",
    ways: Ways = None,
    changes: options.Changes = None,
    choices: options.Choices = None,
    budget: options.Budgets = None,
    pairs: Pairs = 512,
    slow: Slow = 64,
    near: Near = 50.0,
    seed: options.Seed = 0,
    catalogue: options.CatalogueFolder = None,
    jobs: options.Jobs = ALL_CORES,
    executor: Executor = "auto",
    scheduler: Scheduler = None,
    cache: Cache = None,
    no_cache: NoCache = False,
    more: options.More = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Play every way of playing against every other, with the same armies on the same luck."""
    from balance.analysis.play import play_worth
    from balance.core.streams import check_seed
    from balance.protocol.loaded import load
    from balance.render import play_text

    check_seed(seed)
    loaded = load(game, catalogue)
    setting = meeting_of(loaded, kind, budget, changes, choices, everybody=False)
    names = _ways(loaded, setting.kind, ways)
    with answering(loaded, Means(jobs, executor, scheduler, cache, no_cache), quiet or as_json) as runner:
        found = play_worth(runner, setting, seed, names, n_pairs=pairs, n_slow=slow, near_points=near)
    if as_json:
        say_json(play_text.as_json(found, loaded))
    else:
        say(*play_text.as_text(found, loaded, more))


def stability(
    game: options.GameName,
    kind: Kind = "",
    over: Over = None,
    scales: Scales = None,
    ways: Ways = None,
    changes: options.Changes = None,
    choices: options.Choices = None,
    budget: options.Budgets = None,
    battles: Battles = 131_072,
    precision: Precision = 0.05,
    pairs: Pairs = 512,
    near: Near = 50.0,
    tolerance: TolerableText = None,
    more: options.More = False,
    seed: options.Seed = 0,
    catalogue: options.CatalogueFolder = None,
    jobs: options.Jobs = ALL_CORES,
    executor: Executor = "auto",
    scheduler: Scheduler = None,
    cache: Cache = None,
    no_cache: NoCache = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Say which verdicts on prices are the same by every way of playing near the top, and over maps and scales."""
    from balance.analysis.play import play_worth
    from balance.analysis.stable_prices import scenes_of, stable_prices
    from balance.core.streams import check_seed
    from balance.protocol.loaded import load

    loaded, seed, allowed = load(game, catalogue), check_seed(seed), parse_tolerance(tolerance)
    sizes = parse_budgets(scales) if scales is not None else ()
    setting = meeting_of(loaded, kind, budget, changes, choices, everybody=not sizes)
    names, varied = _ways(loaded, setting.kind, ways), _over(over)
    _check_scenes(loaded, setting, names, varied, sizes)
    with answering(loaded, Means(jobs, executor, scheduler, cache, no_cache), quiet or as_json) as runner:
        ladder = None if names else play_worth(runner, setting, seed, n_pairs=pairs, near_points=near)
        scenes = scenes_of(loaded, setting, names or (ladder.near_the_top if ladder else ()), varied, sizes)
        found = stable_prices(runner, scenes, seed, n_battles=battles, precision=precision or None, tolerance=allowed)
    _say(found, ladder, more, as_json)


def _say(found: StablePrices, ladder: PlayWorth | None, more: bool, as_json: bool) -> None:
    from balance.render import stability_text

    if as_json:
        say_json(stability_text.as_json(found, ladder))
    else:
        say(*stability_text.as_text(found, ladder, more))


def _check_scenes(
    loaded: LoadedGame,
    setting: ArmySetting,
    names: tuple[str, ...],
    varied: dict[str, tuple[str, ...]],
    sizes: Sequence[tuple[float, float]],
) -> None:
    """Refuse a budget that buys nothing and a setting that cannot be, before the long work begins."""
    from balance.analysis.budgets import check_budgets
    from balance.analysis.play import ways_of
    from balance.analysis.stable_prices import scenes_of

    for size in sizes:  # each is a setting of its own
        check_budgets(loaded, setting.kind, [size], option="--scales ")
    for scene in scenes_of(loaded, setting, names or ways_of(loaded.game.kinds[setting.kind]), varied, sizes):
        try_meeting(loaded, scene.setting)


def _ways(loaded: LoadedGame, kind: str, text: str | None) -> tuple[str, ...]:
    """Return the ways of playing that are named, none where nobody names any."""
    from balance.analysis.play import ways_of

    asked = loaded.game.kinds[kind]
    quick = ways_of(asked)
    if text is None:
        return ()
    if text == EVERY:
        return (*quick, *(name for name in asked.policies[next(iter(asked.habits))].options if name not in quick))
    return ways_of(asked, text.split(","))


def _over(texts: list[str] | None) -> dict[str, tuple[str, ...]]:
    """Return the texts of --over as path -> values."""
    found: dict[str, tuple[str, ...]] = {}
    faults = []
    for text in texts or []:
        path, _, values = text.partition("=")
        named = tuple(dict.fromkeys(values.split(",")))
        if not path or "" in named or path in found:
            faults.append(Fault("is nothing to hold over", "--over", found=text, allowed="PATH=VALUE,VALUE, each once"))
        found[path] = named
    if faults:
        raise UsageError(faults)
    return found
