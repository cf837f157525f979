"""`balance.play` and `balance.stability`: how strong ways of playing are, and which verdicts on prices hold by all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from balance.base.errors import Fault, UsageError, gathering
from balance.base.numbers import show_probability
from balance.verbs.call import parameters
from balance.verbs.call.means import ALL_CORES, means_of, runner_for
from balance.verbs.call.parameters import Parameter
from balance.verbs.call.result import Result, as_result
from balance.verbs.call.verb import verb
from balance.verbs.call.words import (
    Budgets,
    Choices,
    Names,
    budgets_of,
    changes_of,
    choices_of,
    names_of,
    open_game,
    parse_tolerance,
)
from balance.verbs.prices import field_of, meeting_of, try_meeting

if TYPE_CHECKING:
    from balance.analysis.armies.battles import ArmySetting
    from balance.analysis.play.ladder import Ladder, Play
    from balance.analysis.play.matrix import PairSetting
    from balance.analysis.stability.answer import Stability
    from balance.analysis.stability.pair_stability import PairStability
    from balance.engine.runner import Runner
    from balance.game.loaded import LoadedGame
    from balance.game.question.choices import Changes

ALL_WAYS = "all"
"""Stands for every way of playing, those that are not quick to play too."""
Over = Mapping[str, Sequence[object]] | Sequence[str] | str | None
"""What verdicts must hold over: path -> values, or texts such as "situation.map=open,dense"."""
MeetingKind = Annotated[
    str, Parameter("The kind of question in which armies meet (default: the first).", "[KIND]", offers="meetings")
]
Ways = Annotated[Names, Parameter("Ways of playing, or `all` (default: those that are quick to play).", "NAME[,...]")]
ArmyPairs = Annotated[
    int | None,
    Parameter(
        "Pairs of armies for each match-up (default: 512, or 128 where a trial is long).", "N", low=8, high=1000000
    ),
]
Near = Annotated[float, Parameter("Rating points that a way may be behind the best and count.", "POINTS", low=0)]


@verb
def play(
    game: parameters.Game,
    kind: MeetingKind = "",
    *,
    among: Annotated[
        Names, Parameter("Which adventures, where sides come in such pairs (default: all).", "NAME[,...]")
    ] = None,
    ways: Ways = None,
    set: parameters.Set = None,
    choose: parameters.Choose = None,
    budget: parameters.ArmyBudgets = None,
    pairs: ArmyPairs = None,
    slow: Annotated[int, Parameter("Pairs of armies where a way is not quick to play.", "N", low=8, high=1000000)] = 64,
    near: Near = 20.0,
    seed: parameters.Seed = 0,
    catalogue: parameters.Catalogue = None,
    jobs: parameters.Jobs = ALL_CORES,
    executor: parameters.Executor = "auto",
    scheduler: parameters.Scheduler = None,
    verify: parameters.Verify = None,
    cache: parameters.CacheFolder = None,
    fresh: parameters.Fresh = False,
    quiet: parameters.Quiet = False,
) -> Result[Play]:
    """Play every way of playing against every other, with the same armies on the same luck.

    Returns
    -------
    Result
        Its `value` has the ways that count, such as `result.value.counted`; its tables are `ladder`, `matrix` (what the
        row scores against the column, each going first as often) and `seats` (what who goes first scores).

    Raises
    ------
    BalanceError
        Armies do not meet in this game, there are no such ways, or a word makes no sense.
    """
    from balance.analysis.play.ladder import play_of
    from balance.analysis.play.matrix import PairSetting
    from balance.analysis.play.pairs import pair_play_worth
    from balance.analysis.play.playing import play_worth
    from balance.answers.form import Terms
    from balance.answers.words.play.ladder import WORDS
    from balance.chance.rolls.streams import check_seed

    check_seed(seed)
    opened_game = open_game(game, catalogue)
    setting = _setting(opened_game, kind, among, set, choose, budget)
    names = _ways(opened_game, setting.kind, ways)
    with runner_for(opened_game, means_of(jobs, executor, scheduler, cache, verify, fresh), quiet) as runner:
        if isinstance(setting, PairSetting):
            worth = pair_play_worth(runner, setting, seed, names, n_pairs=pairs, n_slow=slow)
        else:
            worth = play_worth(runner, setting, seed, names, n_pairs=pairs, n_slow=slow)
    return as_result("play", play_of(opened_game, worth, near), WORDS, Terms.of(opened_game, setting.kind))


def _setting(
    game: LoadedGame, kind: str, among: Names, changes: Changes | str, choices: Choices, budget: Budgets
) -> ArmySetting | PairSetting:
    """Return how armies meet, or for a kind whose entrants come in pairs which pairs do; raise UsageError otherwise."""
    if game.pairs_of(kind):
        return _pair_setting(game, kind, among, changes, choices, budget)
    if among is not None:
        raise UsageError("§among is about entrants that come in pairs, and armies are drawn", "leave it out")
    return meeting_of(game, kind, budget, changes, choices, buys_all=False)


def _pair_setting(
    game: LoadedGame, kind: str, among: Names, changes: Changes | str, choices: Choices, budget: Budgets
) -> PairSetting:
    """Return which pairs meet, all of the game without `among`; raise UsageError for a budget or an illegal pair."""
    from balance.analysis.play.matrix import PairSetting

    faults = list[Fault]()
    if budget is not None:
        faults.append(Fault("§budget is about armies that are drawn", tip="leave it out"))
    setting = PairSetting(kind, tuple(names_of(among) or game.pairs_of(kind)), changes_of(changes))
    with gathering(faults):
        setting = replace(setting, choices=tuple(choices_of(choices).items()))
    for pair in setting.pairs:
        with gathering(faults):
            game.ask(kind, *game.pair(kind, pair, ""), setting.changes, None, **dict(setting.choices))
    if faults:
        raise UsageError(list(dict.fromkeys(faults)))
    return setting


@verb
def stability(
    game: parameters.Game,
    kind: MeetingKind = "",
    *,
    among: parameters.Loadouts = None,
    over: Annotated[
        Over, Parameter("What verdicts must hold over, such as a map; may be repeated.", "PATH=VALUE,...", of=list[str])
    ] = None,
    scales: Annotated[
        Budgets, Parameter("Budgets with unit limits over which verdicts must hold too.", "POINTS:UNITS[,...]")
    ] = None,
    ways: Ways = None,
    set: parameters.Set = None,
    choose: parameters.Choose = None,
    budget: parameters.ArmyBudgets = None,
    battles: Annotated[int, Parameter("Battles of each setting, at most.", "N", low=1000, high=100000000)] = 131_072,
    precision: Annotated[
        float,
        Parameter(
            "Stop in a setting when every price is known to this share of its cost; 0 plays all battles.",
            "SHARE",
            low=0,
            high=1,
        ),
    ] = 0.05,
    pairs: ArmyPairs = None,
    near: Near = 20.0,
    tolerance: parameters.PriceTolerance = None,
    seed: parameters.Seed = 0,
    catalogue: parameters.Catalogue = None,
    jobs: parameters.Jobs = ALL_CORES,
    executor: parameters.Executor = "auto",
    scheduler: parameters.Scheduler = None,
    verify: parameters.Verify = None,
    cache: parameters.CacheFolder = None,
    fresh: parameters.Fresh = False,
    quiet: parameters.Quiet = False,
) -> Result[Stability] | Result[PairStability]:
    """Work out which verdicts on prices are the same by every way of playing that counts, and over maps and scales.

    Returns
    -------
    Result
        Its `value` has the prices, such as `value.cards["shotgun"].fair`; its tables are `cards`, `loadouts` and
        `agreements` of the settings. Of a kind whose entrants come in pairs it is who is favoured, by each way of
        playing that counts and in each setting, such as `value.rows[0].score`; its table is `pairs`.

    Raises
    ------
    BalanceError
        Armies do not meet in this game, there are no such ways, or a word makes no sense.
    """
    from balance.analysis.play.ladder import Ladder
    from balance.analysis.play.playing import play_worth
    from balance.analysis.stability.answer import Stability
    from balance.analysis.stability.stable_prices import scenes_of, stable_prices
    from balance.answers.form import Terms
    from balance.answers.words.play import stability as words
    from balance.chance.rolls.streams import check_seed

    opened_game, seed, margin = open_game(game, catalogue), check_seed(seed), parse_tolerance(tolerance)
    if opened_game.pairs_of(kind):
        means = means_of(jobs, executor, scheduler, cache, verify, fresh)
        if scales is not None:
            raise UsageError("§scales is about armies that are drawn", "leave it out")
        pair_setting = _pair_setting(opened_game, kind, among, set, choose, budget)
        with runner_for(opened_game, means, quiet) as runner:
            return _of_pairs(
                runner, pair_setting, _ways(opened_game, kind, ways), _over(over), seed, battles, pairs, near
            )
    field, sizes = field_of(opened_game, among), budgets_of(scales) or ()
    setting = meeting_of(opened_game, kind, budget, set, choose, names=field, buys_all=not sizes)
    names, ranges = _ways(opened_game, setting.kind, ways), _over(over)
    _check_scenes(opened_game, setting, names, ranges, sizes)
    with runner_for(opened_game, means_of(jobs, executor, scheduler, cache, verify, fresh), quiet) as runner:
        ladder = None if names else Ladder.of(play_worth(runner, setting, seed, n_pairs=pairs), near)
        scenes = scenes_of(opened_game, setting, names or _counted(ladder), ranges, sizes)
        prices = stable_prices(
            runner, scenes, seed, entrants=field, n_battles=battles, precision=precision or None, tolerance=margin
        )
    return as_result("stability", Stability.of(prices, ladder), words.WORDS, Terms.of(opened_game, setting.kind))


def _of_pairs(
    runner: Runner,
    setting: PairSetting,
    names: tuple[str, ...],
    ranges: dict[str, tuple[str, ...]],
    seed: int,
    battles: int,
    pairs: int | None,
    near: float,
) -> Result[PairStability]:
    """Return the result of `stability` on pairs; without named ways, those that count by a ladder played first."""
    from balance.analysis.play.ladder import Ladder
    from balance.analysis.play.pairs import pair_play_worth
    from balance.analysis.stability.pair_stability import HELD_TRIALS, pair_stability
    from balance.answers.form import Terms
    from balance.answers.words.play import pair_stability as words

    ladder = None if names else Ladder.of(pair_play_worth(runner, setting, seed, n_pairs=pairs), near)
    ways, n_trials = names or _counted(ladder), min(battles, HELD_TRIALS)
    answer = pair_stability(runner, setting, ways, ranges, seed, n_trials=n_trials, ladder=ladder)
    return as_result("stability", answer, words.WORDS, Terms.of(runner.game, setting.kind))


def _counted(ladder: Ladder | None) -> tuple[str, ...]:
    """Return the ways that count, () without a ladder; raise UsageError where every one ends in stand-offs."""
    if ladder is None or ladder.counted:
        return ladder.counted if ladder else ()
    shares = {way.play: way.stand_offs or 0.0 for way in ladder.ladder}
    mean = show_probability(sum(shares.values()) / len(shares))
    raise UsageError(
        f"not measurable: {mean} of the battles are stand-offs, whichever way both sides play",
        f"name a way of playing all the same: §ways={min(shares, key=lambda way: shares[way])}",
    )


def _check_scenes(
    game: LoadedGame,
    setting: ArmySetting,
    names: tuple[str, ...],
    ranges: dict[str, tuple[str, ...]],
    sizes: Sequence[tuple[float, float]],
) -> None:
    """Raise UsageError, before the long work, for a budget that buys too little or a setting that cannot be asked."""
    from balance.analysis.armies.budgets import check_budgets
    from balance.analysis.play.playing import ways_of
    from balance.analysis.stability.stable_prices import scenes_of

    for size in sizes:  # each is a setting of its own
        check_budgets(game, setting.kind, [size], option="§scales=")
    for scene in scenes_of(game, setting, names or ways_of(game.definition.kinds[setting.kind]), ranges, sizes):
        try_meeting(game, scene.setting)


def _ways(game: LoadedGame, kind: str, ways: Names) -> tuple[str, ...]:
    """Return the ways of playing that are named; empty without names, "all" meaning every one, the quick ones first."""
    from balance.analysis.play.playing import ways_of

    question_kind = game.definition.kinds[kind]
    quick, names = ways_of(question_kind), names_of(ways)
    if names is None:
        return ()
    if names == [ALL_WAYS]:
        return (
            *quick,
            *(name for name in question_kind.policies[next(iter(question_kind.habits))].options if name not in quick),
        )
    return ways_of(question_kind, names)


def _over(over: Over) -> dict[str, tuple[str, ...]]:
    """Return values to vary by path, each once; raise UsageError for a text that is not "path=value,value".

    >>> _over(["situation.map=open,dense"]) == _over({"situation.map": ["open", "dense"]})
    True
    """
    if isinstance(over, Mapping):
        texts = [f"{path}={','.join(map(str, values))}" for path, values in over.items()]
    else:
        texts = [over] if isinstance(over, str) else list(over or ())
    ranges: dict[str, tuple[str, ...]] = {}
    faults = []
    for text in texts:
        path, _, values = text.partition("=")
        names = tuple(dict.fromkeys(values.split(",")))
        if not path or "" in names or path in ranges:
            faults.append(Fault("is nothing to hold over", "§over", found=text, allowed="PATH=VALUE,VALUE, each once"))
        ranges[path] = names
    if faults:
        raise UsageError(faults)
    return ranges
