"""What is told of a solution: openings, how mixed play is, what players by rule score, what a number is worth."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from balance.base.errors import RulesError
from balance.chance.solvers import RoundsSolution, solve_matrix_games, solve_rounds
from balance.game.loaded import load
from balance.game.solution import SolutionTable
from balance.games.edadh.cards.records import LEVELS
from balance.games.edadh.duel.duel_state import Duel
from balance.games.edadh.policies.policy import CardMix, Uniform
from balance.games.edadh.solving import solution_tables as tables
from balance.games.edadh.solving import solve as module
from balance.games.edadh.solving.estimate import Estimate
from balance.games.edadh.solving.exact import DuelStates
from balance.games.edadh.solving.look_ahead import LookAhead, score
from balance.games.edadh.solving.moves import Moves
from balance.games.edadh.solving.solution_tables import (
    against_players,
    mixing_table,
    never_played,
    opening_of_play,
    opening_table,
    skill_table,
    useless_table,
)
from balance.games.edadh.solving.training import moves_of

OPENING = SolutionTable(
    "opening",
    "",
    ("card", "a most", "b most"),
    ((1, 0.5, 0.2), (2, 0.0, 0.3), (3, 0.5, 0.5), (4, 0.0, 1e-12), (5, 1e-6, 2e-6)),
)


def moves(a: str, b: str, *changes: str) -> Moves:
    return moves_of(load("edadh").ask("duel", a, b, list(changes)).setup.duel)


def test_cards_that_no_optimal_opening_plays_are_listed_side_by_side() -> None:
    """A millionth is not yet a use."""
    assert [never_played(OPENING, side) for side in "ab"] == [(2, 4, 5), (4,)]
    assert useless_table(OPENING).rows == (("a", "2, 4, 5"), ("b", "4"))


def test_a_side_that_plays_every_card_has_none() -> None:
    rows = tuple((card, 0.25, 0.25) for card in range(1, 5))
    assert useless_table(SolutionTable("opening", "", OPENING.columns, rows)).rows == (("a", "none"), ("b", "none"))


def found_with(rows: list[Any], columns: list[Any]) -> RoundsSolution:
    solution = solve_rounds(DuelStates.of(moves("archers", "gunners", "a.mp=1", "b.mp=1")), 2, 0.5)
    policies = [tuple(np.array(policy) for policy in each) for each in (rows, columns)]
    return replace(solution, row_policies=policies[0], column_policies=policies[1])


def test_how_mixed_play_is() -> None:
    """Cards used in each state of a turn; a millionth is not yet a use. The end of a Period is no turn."""
    first = [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.4, 0.3, 0.3], [1 - 1e-6, 1e-6, 0.0]]
    other = [[0.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 0.0]]
    second = [[1.0, 0.0, 0.0], [0.9, 0.05, 0.05]]
    table = mixing_table(found_with([first, second, [[1.0]]], [other, second[:1], [[1.0]]]))
    assert table.columns == ("turn", "side", "states", "one card", "cards", "most")
    assert table.rows == (
        (1, "a", 4, 0.5, "1.75", 3),
        (1, "b", 4, 0.75, "1.25", 2),
        (2, "a", 2, 0.5, "2.00", 3),
        (2, "b", 1, 1.0, "1.00", 1),
    )
    assert table.differences == ()


def test_how_optimal_play_opens() -> None:
    """Shares are cut at 0 and 1; least and most are those over all optimal ways to play."""
    duel = moves("archers+shieldsmen", "spears", "a.mp=2", "b.mp=2")
    states = DuelStates.of(duel)
    table = opening_table(states, solve_rounds(states, 60, 0.5))
    assert [row[0] for row in table.rows] == list(range(1, 13))
    cells = np.array([[float(cell) for cell in row[1:]] for row in table.rows])
    assert cells.min() >= 0 and cells.max() <= 1
    assert cells[:, [0, 3]].sum(axis=0) == pytest.approx([1, 1])
    for plays, least, most in (cells[:, :3].T, cells[:, 3:].T):
        assert (least <= plays + 1e-9).all() and (plays <= most + 1e-9).all()


def test_how_play_that_was_found_opens() -> None:
    """The mixes of the first turn, card by card."""
    found = solve_matrix_games(np.random.default_rng(2).random((1, 12, 12)))
    table = opening_of_play(found)
    assert table.columns == ("card", "a plays", "b plays")
    assert [row[0] for row in table.rows] == list(range(1, 13))
    assert [row[1] for row in table.rows] == found.row_strategies[0].tolist()
    assert [row[2] for row in table.rows] == found.column_strategies[0].tolist()


def test_scores_against_players_by_rule() -> None:
    """Every cell is the mean score of duels on dice of that name; a gain is what is above the value."""
    duel = moves("shieldsmen", "spears", "a.mp=4", "b.mp=4")
    worth = Estimate(duel)
    player = LookAhead(worth=worth)
    players = {"random": Uniform(), "high": Uniform(CardMix((0,) * 6 + (1,) * 6))}
    table = skill_table(against_players(duel, player, players, 3, 30), 0.4, 30)
    assert [row[0] for row in table.rows] == ["random", "high"]
    for name, a, a_gains, b, b_gains in table.rows:
        weaker = players[str(name)]
        assert a == score(duel, (player, weaker), 30, 3, f"a against {name}")
        assert b == 1 - score(duel, (weaker, player), 30, 3, f"b against {name}")
        assert (a_gains, b_gains) == (float(a) - 0.4, float(b) - 0.6)
    assert table.columns == ("against", "a scores", "a gains", "b scores", "b gains")
    assert table.differences == ("a gains", "b gains")
    assert table.title == (
        "Solved play against players by rule: scores, and the gain on its own value. Means of 30 duels, each right to "
        "about 17.9 pp."
    )
    rough = skill_table({}, 0.4, 30, 0.1)
    assert rough.title == (
        "The play that was found against players by rule: scores, and the gain on its own value. Means of 30 duels, "
        "each right to about 17.9 pp; gains, to about 20.5 pp."
    )


def raised(duel: Duel) -> list[tuple[int, str, str, Duel]]:
    return [(me, troop.id, stat, changed) for me, troop, stat, changed in tables.raised_by_one(duel)]


def test_every_number_is_raised_by_one() -> None:
    """Of every troop of either side, at the level that is fought at; an att that is not there stays away."""
    duel = moves("archers+shieldsmen/archers", "blunderbuss", "situation.level=melee").duel
    at_range = replace(duel, levels=np.array([0], np.int8))
    stats = ("ml", "mp_bonus", "protection", "piercing", "att", "def", "od", "dd", "discard_value", "psyche")
    for asked, without in ((duel, set[str]()), (at_range, {"shieldsmen", "blunderbuss"})):
        level = LEVELS[int(asked.levels[0])]
        found = raised(asked)
        told = [
            (me, troop, stat)
            for me, troop in ((0, "archers"), (0, "shieldsmen"), (1, "blunderbuss"))
            for stat in stats
            if not (stat == "att" and troop in without)
        ]
        assert [each[:3] for each in found] == told
        for me, troop, stat, changed in found:
            name = stat if stat in ("discard_value", "psyche") else f"{level}_{stat}"
            for side, (force, own) in enumerate(zip(changed.arena.forces, asked.arena.forces, strict=True)):
                assert force.unit.arrangements == own.unit.arrangements
                for card, printed in zip(force.troops, own.troops, strict=True):
                    more = {name: getattr(printed, name) + 1} if (side, card.id) == (me, troop) else {}
                    assert card == printed.model_copy(update=more)
            assert replace(changed, arena=asked.arena).mp == asked.mp


@pytest.mark.parametrize("mp", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_what_one_more_of_a_number_is_worth(monkeypatch: pytest.MonkeyPatch, mp: int) -> None:
    """Gains are those of the side itself; a duel that is too large then is left out."""
    duel = moves("archers", "gunners", f"a.mp={mp}", f"b.mp={mp}").duel
    table = tables.stat_table(duel, 0.5)
    told = {}
    for me, _, stat, changed in raised(duel):
        value = solve_rounds(DuelStates.of(moves_of(changed)), 60, 0.5).values[0] - 0.5
        told["ab"[me], stat] = value if me == 0 else -value
    assert {(row[0], row[2]): row[3] for row in table.rows} == pytest.approx(told)
    assert {row[1] for row in table.rows} == {"Archers", "Gunners"}
    sizes = {(me, stat): sum(DuelStates.of(moves_of(changed)).layer_sizes) for me, _, stat, changed in raised(duel)}
    most = max(n for n in sizes.values() if n < max(sizes.values()))
    monkeypatch.setattr(tables, "MOST_VARIED", most)
    left = {(str(row[0]), str(row[2])) for row in tables.stat_table(duel, 0.5).rows}
    assert left == {("ab"[me], stat) for (me, stat), n in sizes.items() if n <= most} != set(told)


@pytest.mark.parametrize(("few", "n_tables"), [(41, 5), (40, 4)])
def test_a_duel_of_few_states_is_told_by_its_numbers_too(
    monkeypatch: pytest.MonkeyPatch, few: int, n_tables: int
) -> None:
    monkeypatch.setattr(module, "FEW_STATES", few)
    monkeypatch.setattr(module, "stat_table", lambda duel, value: SolutionTable("stats", "", (), ()))
    found = module.solve_exactly(moves("archers", "gunners", "a.mp=2", "b.mp=2"), {}, 0)
    assert (found.n_states, len(found.tables)) == (41, n_tables)


def test_the_method_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = load("edadh").ask("duel", "archers", "gunners", ["a.mp=2", "b.mp=2"]).setup
    for name in ("solve_exactly", "solve_approximately"):
        monkeypatch.setattr(module, name, lambda moves, *rest, name=name: (name, moves.duel.arena, *rest))
    solve: Any = module.solve
    assert solve(setup, "exact", 3) == ("solve_exactly", setup.duel.arena, setup.players, 3)
    assert solve(setup, "approximate", 4) == ("solve_approximately", setup.duel.arena, setup.players, 4)
    with pytest.raises(RulesError):
        solve(load("edadh").ask("duel", "archers", "gunners", ["rules.combine_late=true"]).setup, "exact", 0)
