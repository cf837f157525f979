"""The conformance check that every game must pass, shipped or not.

`check_game("name")` asks a few questions of every question kind and returns what is wrong, an empty tuple if nothing
is. It looks at the promises the toolkit relies on: columns and types; inputs left alone; the same dice give the same
result; a batch of n is n batches of one; literal, compiled and exact agree (just the lanes, where no exact distribution
can be had); weights sum to the denominator; swapping the sides mirrors the result; every trial ends; orders are legal
and depend on nothing that is hidden; what the game declares is true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from balance.base.errors import BalanceError, DistributionError, RollsError
from balance.catalogue import Catalogue, load_table
from balance.chance.exact.enumeration import exact_distribution, expand, list_starts, plan_step
from balance.chance.pmf import Pmf
from balance.chance.pmf.agreement import same_distribution_test
from balance.chance.rolls.process import Process, n_trials, take_trials
from balance.chance.rolls.requests import Request
from balance.chance.rolls.rolls import ProxyRolls, Rolls
from balance.chance.trials.lockstep import simulate
from balance.game.authoring.choice_checks import check_choices, dice, hides, walk
from balance.game.game import LANES, Game, QuestionKind
from balance.game.loaded import LoadedGame, load
from balance.game.question.question import Question, ask
from balance.game.registry import shipped_folder

SMALLEST_P = 1e-6
"""A sample disagrees with its distribution below this p-value: at most one false alarm in some ten thousand checks."""
N_TRIALS = 4096
"""Trials of each simulated comparison."""
N_HIDING = 16
"""Pairs of entrants at most that are looked at for something hidden."""
MIRROR_SIDES = {"a": "b", "b": "a"}


def check_game(game: str | Game, catalogue: Path | str | Catalogue | None = None, n_pairs: int = 4) -> tuple[str, ...]:
    """Return everything that is wrong with a game; an empty tuple means that it conforms.

    Parameters
    ----------
    game
        A game, its name, or the path of its file.
    catalogue
        A catalogue or its folder (default: the one that the game is found with).
    n_pairs
        Number of pairs of entrants to ask about, spread over the catalogue.

    >>> check_game("warforged", n_pairs=1)
    ()
    """
    loaded_game = load(game, catalogue)
    problems = list(_declaration_problems(loaded_game))
    for kind in loaded_game.definition.kinds.values():
        for side_a, side_b in _pairs(loaded_game, kind, n_pairs):
            place = f"{kind.name} {side_a} {side_b}"
            try:
                question = loaded_game.ask(kind.name, side_a, side_b)
            except BalanceError as error:
                problems.append(f"{place}: cannot be asked: {error}")
                continue
            problems += [f"{place}: {problem}" for check in CHECKS for problem in _problems_of(check, question)]
        problems += [f"{kind.name}: {problem}" for problem in _hidden_choices(loaded_game, kind)]
    return tuple(problems)


def _problems_of(check: Check, question: Question) -> Iterator[str]:
    """Yield the problems that a check finds, and any RollsError of a policy as a problem too."""
    try:
        yield from check(question)
    except RollsError as error:
        yield str(error)


def _hidden_choices(game: LoadedGame, kind: QuestionKind) -> Iterator[str]:
    """Yield a problem if the game declares `conceal`, but nothing is hidden in any of many questions."""
    questions = (game.ask(kind.name, side_a, side_b) for side_a, side_b in _pairs(game, kind, N_HIDING))
    if kind.conceal and not any(map(hides, questions)):
        yield "`conceal` changes nothing"


def _pairs(game: LoadedGame, kind: QuestionKind, n_pairs: int) -> list[tuple[str, str]]:
    """Return up to `n_pairs` pairs of entrants of both sides, spread over the catalogue."""
    firsts, seconds = map(game.ids, kind.takes)
    stride = max(1, len(firsts) // n_pairs)
    chosen_firsts = firsts[::stride][:n_pairs]
    return [(first, seconds[(7 * i + 3) % len(seconds)]) for i, first in enumerate(chosen_firsts)]


def _declaration_problems(loaded_game: LoadedGame) -> Iterator[str]:
    """Yield faults of the game's record: kinds that do not exist, entrants, and the table of rule ids."""
    game = loaded_game.definition
    for entrant_kind in game.entrant_kinds:
        ids = loaded_game.ids(entrant_kind)
        if not ids or len(set(ids)) != len(ids):
            yield f"has no {entrant_kind.name}, or names one twice"
        for entrant in ids:
            if (
                not entrant_kind.label(loaded_game.catalogue, entrant)
                or entrant_kind.cost_points(loaded_game.catalogue, entrant) < 0
            ):
                yield f"{entrant}: no label, or a negative cost"
    for name, kind in game.kinds.items():
        if name != kind.name:
            yield f"question kind {kind.name!r} is filed under {name!r}"
        roles = [column.role for column in kind.columns.values() if column.role]
        if len(set(roles)) < len(roles):
            yield f"{name}: declares two columns for one role"
        if not kind.played or not kind.cannot_see:
            yield f"{name}: does not say how it is played (`played`) or what it leaves out (`cannot_see`)"
        for option, short in kind.shorts.items():
            if short.field not in kind.situation.model_fields:
                yield f"{name}: --{option} is to be short for situation.{short.field}, which does not exist"
        if kind.beside and kind.beside not in game.kinds:
            yield f"{name}: is to be answered beside {kind.beside}, which does not exist"
    if game.file is not None:  # a game file has rules and no ids of them
        return
    try:
        if game.file is None:  # a game file has no list of rules
            load_table(game.rule_ids, shipped_folder(game))
    except BalanceError as error:
        yield str(error)


def _processes(question: Question) -> list[Process]:
    return [process for lane in LANES for process in question.kind.processes(question.setup, lane)]


def _columns(question: Question) -> Iterator[str]:
    for process in _processes(question):
        columns = simulate(process, dice(0, 100))
        if tuple(columns) != tuple(question.kind.columns):
            yield f"reports {tuple(columns)}, declares {tuple(question.kind.columns)}"
        for name, values in columns.items():
            if values.dtype.kind not in "iu":
                yield f"column {name} is {values.dtype}{list(values.shape)}, should be 100 integers"


def _inputs_alone(question: Question) -> Iterator[str]:
    for process in _processes(question):
        for number, state in walk(process, 64, len(process.steps)):
            before = {name: values.copy() for name, values in state.items()}
            after = process.step(number)(state, dice(number, n_trials(state)))
            if set(after) != set(before):
                yield f"a step turns columns {sorted(before)} into {sorted(after)}"
                return
            if any(not np.array_equal(state[name], before[name]) for name in before):
                yield "a step changes the state it was given"


def _same_dice(question: Question) -> Iterator[str]:
    for process in _processes(question):
        first, two = (simulate(process, dice(0, 200)) for _ in range(2))
        if any(not np.array_equal(first[name], two[name]) for name in first):
            yield "the same dice give different results"


def _record_answer(answers: list[Any], rolls: Rolls, request: Request[Any]) -> Any:
    """Answer as the rolls do, and append the answer to a list."""
    answers.append(rolls.answer(request))
    return answers[-1]


def _replay_answer(answers: Iterator[Any], rolls: Rolls, request: Request[Any]) -> Any:
    """Return the next recorded answer, whatever the request."""
    return next(answers)


def _row(answer: Any, row: int) -> Any:
    """Return the part of an answer, an array or arrays by name, that belongs to one trial."""
    part = slice(row, row + 1)
    return {name: values[part] for name, values in answer.items()} if isinstance(answer, dict) else answer[part]


def _batches(question: Question) -> Iterator[str]:
    """Yield a problem unless a batch of n trials equals n batches of one on the same answers, choices included."""
    for process in _processes(question):
        for number, state in walk(process, 24, len(process.steps)):
            recorded_answers: list[Any] = []
            rolls = dice(number, n_trials(state))
            after = process.step(number)(state, ProxyRolls(rolls, partial(_record_answer, recorded_answers)))
            for row in range(rolls.n):
                answers = iter([_row(answer, row) for answer in recorded_answers])
                row_state = take_trials(state, slice(row, row + 1))
                replay = ProxyRolls(dice(0, 1), partial(_replay_answer, answers))
                alone = process.step(number)(row_state, replay)
                if any(not np.array_equal(after[name][row], alone[name][0]) for name in after):
                    yield "a trial in a batch differs from the same trial alone"
                    return


def _name_problems(question: Question) -> Iterator[str]:
    """Yield a problem if a code that occurs in a column of categories has no name, or two codes share one."""
    kind = question.kind
    if not kind.categories:
        return
    distribution, _ = question.known_distribution(N_TRIALS, seed=5)
    for column, names in kind.categories.items():
        if column in distribution.columns and (nameless := set(distribution[column].tolist()) - set(names)):
            yield f"{column} can be {', '.join(map(str, sorted(nameless)))}, which has no name"
        if len(set(names.values())) < len(names):
            yield f"two codes of {column} have one name"


def _weights(question: Question) -> Iterator[str]:
    """Yield a problem unless the weights of a step sum to its denominator, from each of a few states."""
    for process in _processes(question):
        state = take_trials(list_starts(process)[0], slice(3))
        for number in range(len(process.steps)):
            step = process.step(number)
            try:
                origin, after, weights, denominator = expand(step, state, plan_step(step, state))
            except DistributionError:
                return
            sums = np.array([sum(weights[origin == row].tolist()) for row in range(n_trials(state))])
            exact = weights.dtype != np.float64
            if (sums != denominator).any() if exact else np.abs(sums / denominator - 1).max() > 1e-12:
                yield f"the weights of a step sum to {sums.tolist()}, not to {denominator}"
            state = take_trials(after, slice(3))


def _exactness(question: Question) -> Iterator[str]:
    """Yield a problem unless the exact distribution sums to 1 and equals the list of every die, if that is small."""
    distribution = question.distribution
    n_orders = len(question.kind.processes(question.setup, "literal"))
    total = 1.0 if distribution.is_exact else float(distribution.total) / n_orders
    if abs(total - 1) > 1e-9:
        yield f"the exact distribution sums to {total}: some trials never end"
    if question.kind.unbounded:
        return
    for process in question.kind.processes(question.setup, "literal"):
        try:
            by_die = exact_distribution(process, each_die=True)
        except DistributionError:
            continue
        if by_die != exact_distribution(process):
            yield "counting dice and listing every die give different distributions"


def _agreement(question: Question) -> Iterator[str]:
    """Yield a problem unless samples of both lanes agree with the exact distribution by a G-test."""
    for lane in LANES:
        p_value = question.simulate(N_TRIALS, seed=5, lane=lane).agreement.p_value
        if p_value < SMALLEST_P:
            yield f"{N_TRIALS} trials of {lane} play do not agree with the exact distribution (p = {p_value:.1e})"


def _lanes_agree(question: Question) -> Iterator[str]:
    """Yield a problem unless literal and compiled samples agree in every column, by a test of each."""
    side_by_side, one_by_one = (question.simulate(N_TRIALS, seed=5, lane=lane).distribution for lane in LANES)
    for column in question.kind.columns:
        p_value = same_distribution_test(side_by_side.marginal(column), one_by_one.marginal(column)).p_value
        if p_value < SMALLEST_P:
            yield f"literal and compiled play disagree about {column} (p = {p_value:.1e})"


def _mirror(question: Question) -> Iterator[str]:
    """Yield a problem unless swapping the sides and the turn order swaps the chances to win."""
    kind, (side_a, side_b) = question.kind, question.entrants
    if not {"a", "b"} <= set(kind.winners):
        return
    firsts = kind.mirrored_orders or (None, None)
    if question.why_no_distribution:
        yield from _mirrored_samples(question, *firsts)
        return
    if firsts[0] is None:
        return
    as_given = ask(question.game, kind.name, (side_a, side_b), first=firsts[0]).p_win()
    as_mirrored = ask(question.game, kind.name, (side_b, side_a), first=firsts[1]).p_win()
    if any(abs(p - as_mirrored[MIRROR_SIDES.get(name, name)]) > 1e-9 for name, p in as_given.items()):
        yield f"swapping the sides does not mirror the result: {as_given} against {as_mirrored}"


def _mirrored_samples(question: Question, first: str | None, swapped_first: str | None) -> Iterator[str]:
    """Yield a problem unless samples with sides and turn order swapped agree, once winners are swapped back."""
    game, kind, (side_a, side_b) = question.game, question.kind, question.entrants
    swapped_winners = {value: kind.winners[MIRROR_SIDES.get(name, name)] for name, value in kind.winners.items()}
    given_answer = ask(game, kind.name, (side_a, side_b), first=first).simulate(N_TRIALS, seed=6)
    as_given = given_answer.distribution.marginal(kind.winner)
    mirrored_answer = ask(game, kind.name, (side_b, side_a), first=swapped_first).simulate(N_TRIALS, seed=7)
    as_mirrored = mirrored_answer.distribution.marginal(kind.winner)
    mirrored_sample = Pmf.of(
        {
            swapped_winners[row[0]]: n
            for row, n in zip(as_mirrored.outcomes.tolist(), as_mirrored.weights.tolist(), strict=True)
        },
        kind.winner,
    )
    if (p_value := same_distribution_test(as_given, mirrored_sample).p_value) < SMALLEST_P:
        yield f"swapping the sides does not mirror the result (p = {p_value:.1e})"


def _distribution(question: Question) -> Iterator[str]:
    """Yield problems of the exact distribution and both lanes, or of the lanes alone where there is none."""
    for check in (_lanes_agree,) if question.why_no_distribution else (_weights, _exactness, _agreement):
        yield from check(question)


Check: TypeAlias = Callable[[Question], Iterator[str]]
CHECKS: tuple[Check, ...] = (
    _columns,
    _inputs_alone,
    _same_dice,
    _batches,
    check_choices,
    _name_problems,
    _mirror,
    _distribution,
)
"""What every question promises."""
