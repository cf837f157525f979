"""What a study will cost before it is run: a few of its tasks are tried, and the rest is taken to be like them.

The time of the tables of luck and of neighbours is told from a small part of each:

* A field of `[[luck]]`: a few of its duels, as many times as there are duels.
* Its pairs: the first one. Where it has to be simulated it is tried with few groups of games, as time grows with them.
* `[[neighbours]]`: the first card against one opponent; each card of the table meets all of them.
* Changes in points: some battles, for the steps that `balance price` takes of each card.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import median
from time import perf_counter

from balance.analysis.changes.handicaps.handicap import N_BATTLES
from balance.analysis.changes.neighbours.card_steps import steps_of
from balance.analysis.changes.neighbours.neighbours import FIELD, neighbourhood
from balance.analysis.changes.neighbours.priced_item import as_printed
from balance.analysis.luck.field import check_size, fields_of, measure_score
from balance.analysis.prices.asked import army_setting
from balance.engine.query import digest
from balance.engine.runner import Runner
from balance.engine.source import Source
from balance.engine.store import encode_tally
from balance.game.loaded import LoadedGame
from balance.study.frames.army_prices import economies_of, expected_battles, meeting_of, try_battles
from balance.study.frames.battles import expected_fights, try_fights
from balance.study.frames.gaps import plan_of
from balance.study.frames.luck import AskedLuck, PairLuck, asked_luck
from balance.study.frames.neighbours import whom_it_meets
from balance.study.match_ups.jobs import Piece, Recipe, play, solve
from balance.study.match_ups.match_ups import score_estimate
from balance.study.match_ups.plan import MatchUpTask, blocks_for, plan_tasks
from balance.study.match_ups.verdict import expected_more
from balance.study.settings.neighbours import NeighbourStudy
from balance.study.settings.settings import Study

N_TRIED_TASKS = 8
"""Tasks tried of each kind, spread over the plan."""
BYTES_PER_ROW = 60
"""What a row of the tables takes on disk, compressed, with some to spare."""
N_TRIED_DUELS = 8
"""Duels of a field that are tried, spread over it."""
FEW_GROUPS = 64
"""Groups of games with which a pair is tried."""


@dataclass(frozen=True)
class Forecast:
    """What to expect.

    Attributes
    ----------
    n_tasks, n_exact
        Match-ups in all, and those with an exact distribution.
    n_duels
        Duels to solve for the tables of cards; 0 if there are to be none.
    pairs
        About how many mirrored pairs will be played.
    seconds
        About how long, with the given number of workers and nothing kept from before.
    size
        About how many bytes the folder will hold.
    n_tables, n_solutions, n_conclusions
        Tables that the report declares, games that it solves, and conclusions that it holds against assumed values; how
        long those take is not known before.
    n_battles
        About how many battles of armies are fought for prices and between ways of playing, at least; 0 if none.
    n_luck, n_cards
        Tables of luck, and cards whose neighbourhood is looked at.
    """

    n_tasks: int
    n_exact: int
    n_duels: int
    pairs: int
    seconds: float
    size: int
    n_tables: int = 0
    n_solutions: int = 0
    n_conclusions: int = 0
    n_battles: int = 0
    n_luck: int = 0
    n_cards: int = 0


def forecast(study: Study, sides: Mapping[str, LoadedGame], n_jobs: int = 1) -> Forecast:
    """Return what a study will cost with `n_jobs` processes, from trials of a few of its tasks.

    `sides` comes from `sides_of`, the catalogue as it is first. Raises `BalanceError` if the study cannot be played.
    """
    game = next(iter(sides.values()))
    tasks = plan_tasks(study, sides) if "match_ups" in study.metrics else ()
    exact = [task for task in tasks if task.exact]
    sampled_tasks = [task for task in tasks if not task.exact]
    solve_seconds, is_solvable = _solve_seconds(exact, sides)
    if not is_solvable:
        exact, sampled_tasks = [], list(tasks)
    play_seconds, pairs, task_bytes = _play_costs(study, sampled_tasks, sides)
    n_duels, per_duel = 0, 0.0
    if "cards" in study.metrics:
        names = study.choose(game)
        n_duels = len(names) ** 2 if game.definition.kind_about("winner") is not None else 0
        per_duel = _duel_seconds(study, game, names) if n_duels else 0.0
    n_battles, fight_seconds = _battles(study, game)
    seconds = solve_seconds * len(exact) + play_seconds * len(sampled_tasks) + per_duel * n_duels + fight_seconds
    seconds += luck_and_neighbour_seconds(study, game)
    rows = 10 * len(tasks) + 4 * n_duels
    size = int(task_bytes * len(sampled_tasks) + 400 * len(exact) + BYTES_PER_ROW * rows)
    total = study.settings.budget.total
    n_pairs = int(pairs * len(sampled_tasks))
    n_pairs = min(n_pairs, total or n_pairs)
    plan = plan_of(study, game)
    report_counts = len(plan.report.tables), len(plan.solutions), len(plan.robustness)
    table_counts = len(study.settings.luck), sum(len(table.cards) for table in study.settings.neighbours)
    return Forecast(
        len(tasks), len(exact), n_duels, n_pairs, seconds / n_jobs, size, *report_counts, n_battles, *table_counts
    )


def _spread(tasks: Sequence[MatchUpTask]) -> list[MatchUpTask]:
    step = max(1, len(tasks) // N_TRIED_TASKS)
    return list(tasks[step // 2 :: step][:N_TRIED_TASKS])


def _solve_seconds(tasks: Sequence[MatchUpTask], sides: Mapping[str, LoadedGame]) -> tuple[float, bool]:
    """Return the median seconds of an exact distribution, and whether any of those tried is small enough.

    A median, as the first one also pays for setup.
    """
    durations, is_solvable = [], not tasks
    for task in _spread(tasks):
        source, start = Source.of(sides[task.side]), perf_counter()
        is_solvable |= solve(source, [task])[0] is not None
        durations.append(perf_counter() - start)
    return (median(durations) if durations else 0.0), is_solvable


def _play_costs(
    study: Study, tasks: Sequence[MatchUpTask], sides: Mapping[str, LoadedGame]
) -> tuple[float, float, float]:
    """Return the mean seconds, pairs and stored bytes of a simulated task."""
    sample = _spread(tasks)
    budget, confidence = study.settings.budget, 1 - (1 - study.settings.confidence) / max(1, len(tasks))
    seconds = pairs = size = 0.0
    for task in sample:
        game = sides[task.side]
        recipe = Recipe(task.query.pairing_key(game.definition), ((0, task),), study.settings.lane)
        for block in (0, 1):  # the first one also pays for what is set up once
            result = play([Source.of(game)], study.settings.seed, [Piece(0, recipe, block, 1)])[0]
        estimate = score_estimate(result.tally.counts, task.kind(game).winners, confidence)
        planned = blocks_for(budget.trials or budget.cap, task) * task.pairs_per_block
        all_pairs = estimate.n_trials + expected_more(estimate, budget, planned)
        blocks = blocks_for(all_pairs, task)
        seconds += result.seconds * blocks
        pairs += blocks * task.pairs_per_block
        size += len(encode_tally(digest([]), result.tally)) * blocks.bit_length()
    n = max(1, len(sample))
    return seconds / n, pairs / n, size / n


def _battles(study: Study, game: LoadedGame) -> tuple[int, float]:
    """Return about how many battles of armies there will be, and their seconds, as timed in the first setting."""
    n_battles, seconds = 0, 0.0
    if (economies := economies_of(study, game)) and study.judges_prices:
        names, setting = study.choose(game), meeting_of(economies[0], game, study.changes)
        start = perf_counter()
        n_tried = try_battles(Runner(game), setting, names, study.settings.seed)
        battle_seconds = (perf_counter() - start) / n_tried
        n_battles = sum(expected_battles(economy, game, len(names)) for economy in economies)
        seconds = battle_seconds * n_battles
    for table in study.settings.battles if study.fights else []:
        start = perf_counter()
        n_tried = try_fights(study, Runner(game), table, study.choose(game))
        battle_seconds, n = (perf_counter() - start) / n_tried, expected_fights(table, game)
        n_battles, seconds = n_battles + n, seconds + battle_seconds * n
    return n_battles, seconds


def _duel_seconds(study: Study, game: LoadedGame, names: Sequence[str]) -> float:
    start, duel = perf_counter(), game.definition.name_about("winner")
    pairs = list(zip(names[: 2 * N_TRIED_TASKS : 2], names[1 : 2 * N_TRIED_TASKS : 2], strict=False)) or [
        (names[0], names[0])
    ]
    for a, b in pairs:
        _ = game.ask(duel, a, b, study.changes(duel), "a").known_distribution()
    return (perf_counter() - start) / len(pairs)


def luck_and_neighbour_seconds(study: Study, game: LoadedGame) -> float:
    """Return about how many seconds all `[[luck]]` and `[[neighbours]]` of a study take in one process."""
    questions = [asked_luck(table, study, game) for table in study.settings.luck]
    luck_seconds = sum(_field_seconds(question, game) + _pair_seconds(question, game) for question in questions)
    return luck_seconds + sum(_card_seconds(table, study, game) for table in study.settings.neighbours)


def _sides(question: AskedLuck, game: LoadedGame) -> tuple[Sequence[str], Sequence[str]]:
    """Return the ids that may be drawn for either side of a field."""
    fields = fields_of(game, question.kind, question.field or (), question.seed)
    return fields[0], fields[-1]


def _field_seconds(question: AskedLuck, game: LoadedGame) -> float:
    """Return the seconds of a field: the median of some duels, as the first also pays for setup, times their number."""
    if question.field is None:
        return 0.0
    side_a, side_b = _sides(question, game)
    durations, first = [], (*question.kind.mirrored_orders, None)[0]
    for at in range(0, len(side_a), max(1, len(side_a) // N_TRIED_DUELS)):
        query = replace(question.query(side_a[at], side_b[-1 - at % len(side_b)]), first=first)
        start = perf_counter()
        measure_score(question.seed, query.to(game))
        durations.append(perf_counter() - start)
    return median(durations) * check_size(question.kind, [len(side_a), len(side_b)], question.luck_study.play)


def _pair_seconds(question: AskedLuck, game: LoadedGame) -> float:
    """Return the seconds of the pairs: the first one's, or that of the ends of the field, times their number."""
    pairs = question.pairs
    if not pairs:
        side_a, side_b = _sides(question, game)
        pairs = ((side_a[0], side_b[-1]),) * min(question.luck_study.even, len(side_a) // 2)
    if not pairs:
        return 0.0
    n_groups = min(FEW_GROUPS, question.luck_study.groups)
    try_pair = partial(PairLuck(question.seed, n_groups), question.query(*pairs[0]).to(game))
    start = perf_counter()
    is_exact, times = not try_pair()["pair"]["n_games"], 1.0
    if not is_exact:  # once more, now that everything is set up
        start, times = perf_counter(), question.luck_study.groups / n_groups
        try_pair()
    return (perf_counter() - start) * times * len(pairs)


def _card_seconds(table: NeighbourStudy, study: Study, game: LoadedGame) -> float:
    field, changes = whom_it_meets(table, study, game)
    opponents = field or game.ids(game.kind(game.definition.name_about("winner")).takes[1])
    n_met = len(field) or min(FIELD, len(opponents))
    start = perf_counter()
    neighbourhood(Runner(game), table.cards[0], opponents[:1], changes, study.settings.seed)
    duels = (perf_counter() - start) * n_met * len(table.cards)
    return duels + (_points_seconds(table.cards, study, game) if table.points else 0.0)


def _points_seconds(cards: Sequence[str], study: Study, game: LoadedGame) -> float:
    """Return the seconds of the battles that price every step of some cards and each card as it is."""
    setting = army_setting(game, buys_all=False)
    start = perf_counter()
    n_tried = try_battles(Runner(game), setting, game.members_of(setting.kind), study.settings.seed)
    battle_seconds, n_played = (perf_counter() - start) / n_tried, 0
    for card in cards:
        item = as_printed(game, setting, card)
        steps = steps_of(game, setting.kind, item.cards, item.members, may_add_words=True)
        n_played += 1 + sum(step.has_effect for step in steps)
    return battle_seconds * n_played * N_BATTLES
