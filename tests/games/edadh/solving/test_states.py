"""Small duels solved: a second telling that shares no code, certificates, and what is too large."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from balance.errors import RulesError
from balance.games.edadh.solving.moves import OWN, selected
from balance.games.edadh.solving.solve import moves_of, never_played
from balance.games.edadh.solving.states import DuelStates
from balance.protocol.loaded import load
from balance.solvers import RoundsSolution, solve_rounds
from tests.games.edadh.literal import begin, fresh


def solved(*asked: str) -> RoundsSolution:
    """Solve a duel without the tables that go with it."""
    asked_duel = duel(*asked).setup.duel
    return solve_rounds(DuelStates.of(moves_of(asked_duel)), asked_duel.max_periods, 0.5)


def duel(a: str, b: str, *changes: str) -> Any:
    return load("edadh").ask("duel", a, b, list(changes))


@pytest.mark.rule(
    "WE-CARD.2",
    "WE-INIT.1",
    "WE-INIT.2",
    "WE-INIT.3",
    "WE-TROOP.1",
    "WE-TROOP.2",
    "WE-TROOP.3",
    "WE-FEW.1",
    "WE-FEW.2",
    "WE-FEW.3",
    "WE-FEW.4",
)
@pytest.mark.rule("WE-MP.1", "WE-MP.2", "WE-PROT.1", "WE-PROT.2", "WE-DMG.1", "WE-DMG.2", "WE-XDMG.1", "WE-DISC.1")
@pytest.mark.rule("WE-EOP.1", "WE-EOP.2", "WE-EOP.3", "WE-RETIRE.1", "WE-SHAKE.1", "WE-SHAKE.2", "WE-WIN.1", "WE-WIN.3")
@pytest.mark.parametrize(
    ("a", "b", "mp", "periods"),
    [
        (("shieldsmen",), ("spears",), (3, 4), 4),
        (("archers",), ("gunners",), (4, 2), 3),
        (("archers",), ("spears", "gunners"), (2, 2), 2),
        (("shieldmaidens",), ("spears",), (5, 5), 2),
        (("archers", "shieldsmen"), ("spears",), (2, 2), 2),
        (("archers", "shieldsmen"), ("gunners", "spears"), (2, 1), 1),
    ],
)
def test_values_against_a_literal_telling(
    a: tuple[str, ...], b: tuple[str, ...], mp: tuple[int, int], periods: int
) -> None:
    told = begin(fresh(mp[0], *a), fresh(mp[1], *b), periods)
    limits = (f"a.mp={mp[0]}", f"b.mp={mp[1]}", f"situation.max_periods={periods}")
    solution = solved("+".join(a), "+".join(b), *limits)
    assert solution.values[0] == pytest.approx(told, abs=1e-9)
    assert solution.converged and solution.exploitability < 1e-6


@pytest.mark.rule("WE-EOP.1", "WE-WIN.1", "WE-WIN.3")
@pytest.mark.parametrize("shaken", [False, True])
@pytest.mark.parametrize("mp", [(1, 60), (1, 1), (2, 1)])
@pytest.mark.parametrize("damage", [(30, 0), (0, 30), (30, 99), (4, 4), (3, 0)])
def test_starts_that_are_decided_or_nearly(mp: tuple[int, int], damage: tuple[int, int], shaken: bool) -> None:
    """Damage above MP: the side is beaten when the Period ends, and no duel comes to the choices after it."""
    sides = [
        fresh(mp[me], troop)._replace(damage=damage[me], shaken=shaken)
        for me, troop in enumerate(("shieldsmen", "spears"))
    ]
    changes = [f"{side}.{name}={getattr(told, name)}" for side, told in zip("ab", sides, strict=True)
               for name in ("mp", "damage", "shaken")]  # fmt: skip
    solution = solved("shieldsmen", "spears", *changes, "situation.max_periods=2")
    assert solution.values[0] == pytest.approx(begin(*sides, 2), abs=1e-9)
    assert solution.converged


def test_a_lost_duel_is_worth_nothing_however_it_is_played() -> None:
    solution = duel("spears", "shieldsmen", "a.mp=1", "a.damage=30").solve()
    assert (solution.value, solution.lower, solution.upper, solution.converged) == (0.0, 0.0, 0.0, True)
    assert all(float(gain) == 0 for row in solution.tables[-1].rows for gain in row[3:])
    assert duel("spears", "shieldsmen", "a.mp=1", "a.damage=30", "b.mp=1", "b.damage=9").solve().value == 0.5


def test_a_duel_is_certified_below_the_tolerance() -> None:
    solution = solved("shieldsmen", "spears", "a.mp=12", "b.mp=12")
    assert solution.converged
    assert solution.upper[0] - solution.lower[0] <= solution.exploitability < 1e-6


def test_equal_sides_are_worth_the_same() -> None:
    assert solved("archers", "gunners", "a.mp=6", "b.mp=6").values[0] == pytest.approx(0.5, abs=1e-9)


def test_every_lead_is_a_state_or_an_end() -> None:
    states = DuelStates.of(moves_of(duel("archers+shieldsmen", "spears", "a.mp=2", "b.mp=2").setup.duel))
    total = sum(states.layer_sizes)
    leads = [block[2] for layer in states.turn_cells for cells in layer for block in cells.blocks]
    assert all(((lead >= 0) & (lead < total + 3)).all() for lead in leads)
    for columns in states.columns:
        table = np.stack([columns[f"{side}_{name}"] for side in "ab" for name in OWN])
        assert len(np.unique(table, axis=1).T) == table.shape[1]


def test_open_selection_is_a_maximum_of_minima_and_a_tie_a_small_game() -> None:
    from balance.games.edadh.mastery import A_ATTACKS, B_ATTACKS, TIE

    cells = np.array([[[1.0, 0.0], [0.0, 1.0]]])
    assert selected(A_ATTACKS, cells).tolist() == [0.0]
    assert selected(B_ATTACKS, cells).tolist() == [1.0]
    assert selected(TIE, cells) == pytest.approx([0.5])


def test_the_tables_tell_what_is_never_played_and_what_numbers_are_worth() -> None:
    solution = duel("shieldsmen", "spears", "a.mp=5", "b.mp=5").solve()
    assert solution.kind == "exact" and solution.lower <= solution.value <= solution.upper
    opening, never, mixing, skill, stats = solution.tables
    assert [row[0] for row in opening.rows] == list(range(1, 13))
    for side in "ab":
        played = opening.columns.index(f"{side} plays")
        assert sum(float(row[played]) for row in opening.rows) == pytest.approx(1, abs=1e-9)
        useless = never_played(opening, side)
        assert 0 < len(useless) < 12
        assert dict(never.rows)[side] == ", ".join(map(str, useless))
        assert all(float(row[played]) < 1e-6 for row in opening.rows if row[0] in useless)
    assert all(0 <= float(row[3]) <= 1 for row in mixing.rows)
    assert all(float(gain) > -0.07 for row in skill.rows for gain in (row[2], row[4]))
    gains = {(row[0], row[2]): float(row[3]) for row in stats.rows}
    assert gains["a", "def"] > 0 and min(gains.values()) > -1e-6


@pytest.mark.parametrize(
    ("sides", "changes", "message"),
    [
        (("angueth_learning", "huaos_dzaa_learning"), ("a.mp=9",), "too large to solve exactly"),
        (("angueth_terrain", "huaos_dzaa_terrain"), (), "movement"),
        (("archers", "gunners"), ("rules.combine_late=true",), "combine_late"),
        (("archers", "gunners"), ("a.combat_master=champion",), "a.combat_master"),
        (("archers", "gunners"), ("rules.eop3_order=a_first",), "eop3_order"),
    ],
)
def test_what_cannot_be_solved_says_why(sides: tuple[str, str], changes: tuple[str, ...], message: str) -> None:
    with pytest.raises(RulesError, match=message):
        duel(*sides, *changes).solve()
