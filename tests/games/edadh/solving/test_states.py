"""Small duels solved: a second telling that shares no code, certificates, and what is too large."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from balance.base.errors import RulesError
from balance.chance.solvers import RoundsSolution, solve_rounds
from balance.game.loaded import load
from balance.games.edadh.solving import exact as states_module
from balance.games.edadh.solving.exact import DuelStates
from balance.games.edadh.solving.moves import POSITION_COLUMNS, selection_values
from balance.games.edadh.solving.numbering import WIDTHS, Numbers, side_key
from balance.games.edadh.solving.solve import moves_of
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


@pytest.mark.slow("test_a_duel_is_certified_below_the_tolerance")
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
        table = np.stack([columns[f"{side}_{name}"] for side in "ab" for name in POSITION_COLUMNS])
        assert len(np.unique(table, axis=1).T) == table.shape[1]


def test_open_selection_is_a_maximum_of_minima_and_a_tie_a_small_game() -> None:
    from balance.games.edadh.rules.mastery import A_ATTACKS, B_ATTACKS, TIE

    cells = np.array([[[1.0, 0.0], [0.0, 1.0]]])
    assert selection_values(A_ATTACKS, cells).tolist() == [0.0]
    assert selection_values(B_ATTACKS, cells).tolist() == [1.0]
    assert selection_values(TIE, cells) == pytest.approx([0.5])


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


def game_of(*asked: str) -> tuple[Any, DuelStates]:
    moves = moves_of(duel(*asked).setup.duel)
    return moves, DuelStates.of(moves)


def test_as_many_states_as_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the limit a duel is solved; one state, or one cell, more is refused in full."""
    moves, found = game_of("archers", "gunners", "a.mp=2", "b.mp=2")
    n = sum(found.layer_sizes)
    assert found.layer_sizes == (18, 23)
    cells = 18 * 144 + 23 * 4  # one troop a side: each pair of cards, then retired or not
    assert DuelStates.of(moves, n).layer_sizes == found.layer_sizes
    with pytest.raises(RulesError) as caught:
        DuelStates.of(moves, n - 1)
    assert str(caught.value) == (
        "this duel is too large to solve exactly: 41 states (1,100 cells) were found, and 11 of them still lead to "
        "others; 40 states are allowed; fewer troops, lower MP (a.mp, b.mp), or the method approximate"
    )
    monkeypatch.setattr(states_module, "MOST_CELLS", cells)
    assert DuelStates.of(moves).layer_sizes == found.layer_sizes
    monkeypatch.setattr(states_module, "MOST_CELLS", cells - 1)
    with pytest.raises(RulesError, match=rf"41 states \({cells:,} cells\) were found, and 0 of them still lead to"):
        DuelStates.of(moves)


def test_the_key_of_a_side_holds_every_column() -> None:
    widths = dict(zip(POSITION_COLUMNS, (12, 11, 15, 3, 4, 9, 1, 2, 3), strict=True))
    assert widths == WIDTHS
    state = {f"b_{name}": np.array([0, 1, (1 << width) - 1, 5 % (1 << width)]) for name, width in widths.items()}
    state |= {"b_mp": np.array([0, -1, -2048, 999]), "over": np.zeros(4)}
    told = []
    for i in range(4):
        bits = "".join(
            format(int(state[f"b_{name}"][i]) % (1 << width), f"0{width}b") for name, width in widths.items()
        )
        told.append(int(bits, 2))
    assert side_key(state, "b").tolist() == told


def test_numbers_are_given_in_the_order_of_keys_first_met() -> None:
    numbers = Numbers()
    given: dict[int, int] = {}
    for keys in ([5, 3, 5, 9], [3, 4], [], [9, 1, 1, 12, 5]):
        found, fresh = numbers.of(np.array(keys, np.int64))
        new = sorted(set(keys) - set(given))
        given |= {key: len(given) + i for i, key in enumerate(new)}
        assert found.tolist() == [given[key] for key in keys]
        assert [keys[place] for place in fresh] == new
        assert [keys.index(key) for key in new] == fresh.tolist()
        assert len(numbers) == len(given)


def test_numbers_are_found_and_not_given() -> None:
    numbers = Numbers()
    assert numbers.find(np.array([4, 7])).tolist() == [-1, -1], "none was met yet"
    assert numbers.of(np.array([40, 7, 40, 9]))[0].tolist() == [2, 0, 2, 1]
    assert numbers.find(np.array([9, 8, 100, -5, 40, 7])).tolist() == [1, -1, -1, -1, 2, 0]
    assert len(numbers) == 3
    assert numbers.of(np.array([8, 9]))[0].tolist() == [3, 1]


def test_cells_of_parts_are_filled_up_to_the_largest() -> None:
    def part(n: int, k: int, m: int, start: int) -> Any:
        leads = np.arange(start, start + n * k * m, dtype=np.int32).reshape(n, k, m)
        return states_module.EndCells(leads, (np.ones((n, k), bool), np.ones((n, m), bool)))

    parts = [part(1, 2, 1, 1), part(2, 1, 3, 10)]
    joined = states_module._concatenate(parts)
    assert [len(each) for each in (*parts, joined)] == [1, 2, 3]
    assert joined.leads.tolist() == [[[1, 0, 0], [2, 0, 0]], [[10, 11, 12], [0, 0, 0]], [[13, 14, 15], [0, 0, 0]]]
    assert joined.legal[0].tolist() == [[True, True], [True, False], [True, False]]
    assert joined.legal[1].tolist() == [[True, False, False], [True] * 3, [True] * 3]


def test_a_known_worth_is_that_of_the_state() -> None:
    moves, found = game_of("archers+shieldsmen", "spears", "a.mp=2", "b.mp=2")
    values = np.arange(sum(found.layer_sizes)) / 1000
    worth = states_module.KnownWorth(moves, found, values)
    first = 0
    for columns, n in zip(found.columns, found.layer_sizes, strict=True):
        assert worth(columns).tolist() == values[first : first + n].tolist(), "in the order of layers"
        mirrored = {**columns, "a_lost": np.full(n, 1, np.int16), "over": np.ones(n, np.int16)}
        assert set(worth(mirrored).tolist()) == {0.0}
        assert set(worth({**mirrored, "b_lost": np.full(n, 3, np.int16)}).tolist()) == {0.5}
        assert set(
            worth({**mirrored, "a_lost": np.zeros(n, np.int16), "b_lost": np.full(n, 3, np.int16)}).tolist()
        ) == {1.0}
        first += n
    assert found.legal(0) == (None, None)
    assert found.legal(len(found.columns) - 1) is found.end_cells.legal
