"""Every way on from a position, against the rules followed one by one: cards, troops, losses; and what is refused."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from balance.base.errors import RulesError
from balance.chance.rolls.process import State, start_state, take_trials
from balance.chance.rolls.rolls import FixedRolls
from balance.chance.solvers import solve_matrix_games
from balance.game.loaded import load
from balance.games.edadh.duel.conflict import take_turn, troop_options
from balance.games.edadh.duel.duel import duel_process
from balance.games.edadh.duel.period import settle
from balance.games.edadh.rules.look_up import TurnTable
from balance.games.edadh.rules.mastery import A_ATTACKS, B_ATTACKS, TIE
from balance.games.edadh.rules.unit import LOSSES, N_LOSSES, STAY, plays_of
from balance.games.edadh.solving import moves as module
from balance.games.edadh.solving.choices import (
    EndChoices,
    Opponent,
    TurnChoices,
    best_response,
    selected_plays,
    values_and_mixes,
)
from balance.games.edadh.solving.moves import (
    POSITION_COLUMNS,
    WORTH,
    Moves,
    chunks,
    not_at_one_level,
    selection_values,
    tie_values,
)
from balance.games.edadh.solving.options import Options
from balance.games.edadh.solving.training import moves_of
from tests.games.edadh.solving.met import met_in_play

SIDES = ("archers:2+shieldmaidens/clanmaidens:2+archers", "spears:2/swords")


@pytest.fixture(scope="module")
def moves() -> Moves:
    return moves_of(load("edadh").ask("duel", *SIDES, ["a.mp=22", "b.mp=24"]).setup.duel)


@pytest.fixture(scope="module")
def met(moves: Moves) -> State:
    """Positions met in play, at the start of a turn or at the end of a Period, as they stand on the table."""
    together = met_in_play(moves, 12, 9)
    return take_trials(together, np.flatnonzero(together["over"] == 0))


def one(state: State, i: int) -> dict[str, int]:
    return {name: int(values[i]) for name, values in state.items()}


def sent(moves: Moves, me: int, at: dict[str, int], role: int) -> list[int]:
    """Return the plays of a side, of those that send and use up alike cards the first."""
    side = "ab"[me]
    state = {name: np.array([value]) for name, value in at.items()}
    mask, right = troop_options(moves.duel, me, state, 2, np.array([role]))
    cards = moves.duel.arena.forces[me].unit.arrangements[at[f"{side}_unit"]]
    told: dict[Any, int] = {}
    for play in plays_of(int(mask[0]), int(right[0])):
        helpers = sorted(cards[c] for c in range(3) if play >> 2 & (1, 2, 4)[c])
        told.setdefault((cards[play & 3], tuple(helpers)), play)
    return list(told.values())


def after_turn(moves: Moves, at: dict[str, int], cards: tuple[int, int], plays: tuple[int, int]) -> dict[str, int]:
    state = {name: np.array([value], np.int16) for name, value in at.items()}
    pair, orders = (tuple(np.array([value], np.int16) for value in values) for values in (cards, plays))
    after = take_turn(moves.duel, moves.resolve, state, (pair[0], pair[1]), (orders[0], orders[1]))
    return one(moves.land(after), 0)


WHO = {TIE: 0, A_ATTACKS: 1, B_ATTACKS: -1}


def test_every_state_after_a_turn(moves: Moves, met: State) -> None:
    playing = take_trials(met, np.flatnonzero(met["turns"] > 0))
    states = take_trials(playing, np.arange(0, len(playing["over"]), 4))
    turns = moves.turns(states)
    n, seen = len(states["over"]), 0
    assert [block.attacker for block in turns.blocks] == [A_ATTACKS, B_ATTACKS, TIE]
    pairs = {(int(a), int(b)) for block in turns.blocks for a, b in zip(*block.cards, strict=True)}
    assert pairs == set(product(range(1, 13), repeat=2))
    for block in turns.blocks:
        assert block.place.shape[:2] == (n, len(block.cards[0]))
        for i in range(n):
            at, role = one(states, i), WHO[block.attacker]
            options = sent(moves, 0, at, role), sent(moves, 1, at, -role)
            for c in range(i % 5, len(block.cards[0]), 11):
                cards = int(block.cards[0][c]), int(block.cards[1][c])
                for p, q in np.ndindex(*block.place.shape[2:]):
                    plays = options[0][min(p, len(options[0]) - 1)], options[1][min(q, len(options[1]) - 1)]
                    place = block.place[i, c, p, q]
                    assert one(turns.after, place) == after_turn(moves, at, cards, plays)
                    seen += 1
            assert block.place.shape[2] >= len(options[0]) and block.place.shape[3] >= len(options[1])
    assert seen > 300


@pytest.mark.parametrize("attacker", WHO)
def test_the_states_after_known_cards(moves: Moves, met: State, attacker: int) -> None:
    playing = take_trials(met, np.flatnonzero(met["turns"] > 0))
    states = take_trials(playing, np.arange(0, len(playing["over"]), 9))
    n = len(states["over"])
    cards = {TIE: (12, 6), A_ATTACKS: (12, 9), B_ATTACKS: (3, 5)}[attacker]
    known = {f"{side} card": np.full(n, value - 1) for side, value in zip("ab", cards, strict=True)}
    place, after = moves.selections({**states, **known}, attacker)
    for i in range(n):
        at, role = one(states, i), WHO[attacker]
        options = sent(moves, 0, at, role), sent(moves, 1, at, -role)
        for p, q in np.ndindex(*place.shape[1:]):
            plays = options[0][min(p, len(options[0]) - 1)], options[1][min(q, len(options[1]) - 1)]
            told = one({name: after[name] for name in states}, place[i, p, q])
            assert told == after_turn(moves, at, cards, plays)


def test_landing_does_the_first_steps_of_a_periods_end(moves: Moves, met: State) -> None:
    hurt = {**met, "a_damage": met["a_damage"] * 3, "a_relief": met["a_relief"] + 2}
    landed = moves.land(hurt)
    seen = set()
    for i in range(len(met["over"])):
        at, found = one(hurt, i), one(landed, i)
        told = dict(at)
        if not at["turns"]:
            lost = {side: at[f"{side}_damage"] > at[f"{side}_mp"] for side in "ab"}
            told["over"] = int(any(lost.values()))
            for side in "ab":
                told[f"{side}_lost"] = int(lost[side])
                told[f"{side}_damage"] = max(0, at[f"{side}_damage"] - at[f"{side}_relief"])
                told |= dict.fromkeys((f"{side}_relief", f"{side}_up", f"{side}_combine"), 0)
        seen.add((at["turns"] == 0, told["over"]))
        for me, side in enumerate("ab"):
            told |= tidied(moves, me, told[f"{side}_unit"], told[f"{side}_up"])
        assert found == told
    assert seen == {(False, 0), (True, 0), (True, 1)}
    over = moves.land({**hurt, "over": np.ones(len(met["over"]), np.int16), "turns": met["turns"] * 0})
    assert np.array_equal(over["a_lost"], met["a_lost"]), "what has ended stays as it ended"


def tidied(moves: Moves, me: int, unit: int, up: int) -> dict[str, int]:
    """Return the first arrangement and mask with the same columns in any order."""
    arrangements = moves.duel.arena.forces[me].unit.arrangements

    def like(u: int, mask: int) -> list[Any]:
        return sorted((column, bool(mask & (1, 2, 4)[c])) for c, column in enumerate(arrangements[u]))

    wanted = like(unit, up)
    found = next((u, mask) for u, mask in product(range(len(arrangements)), range(8)) if like(u, mask) == wanted)
    return {f"{'ab'[me]}_unit": found[0], f"{'ab'[me]}_up": found[1]}


def test_alike_columns_are_put_in_one_order(moves: Moves) -> None:
    for me, force in enumerate(moves.duel.arena.forces):
        n = len(force.unit.arrangements)
        units, masks = np.repeat(np.arange(n), 8), np.tile(np.arange(8), n)
        blank = {f"{side}_{name}": np.zeros(n * 8, np.int16) for side in "ab" for name in ("unit", "up")}
        side = "ab"[me]
        found = moves.tidy({**blank, f"{side}_unit": units, f"{side}_up": masks})
        for i in range(0, n * 8, 3):
            told = tidied(moves, me, int(units[i]), int(masks[i]))
            assert {name: int(found[name][i]) for name in told} == told
        standing = force.unit.front_mask.tolist()
        alike = [tidied(moves, me, u, standing[u])[f"{side}_unit"] for u in range(n)]
        assert moves.canonical_unit(me, np.arange(n)).tolist() == alike


def endings_of(moves: Moves, me: int, at: dict[str, int]) -> set[tuple[int, ...]]:
    """Return every (unit, damage, mp, pile) that a side may make of EOP3: WE-EOP.3 and WE-RETIRE.1 by recursion."""
    side, force = "ab"[me], moves.duel.arena.forces[me]
    unit = force.unit

    def after(u: int, damage: int, mp: int, pile: int) -> set[tuple[int, ...]]:
        cards = unit.arrangements[u]
        most = max(len(column) for column in cards)
        able = [c for c in range(3) if cards[c] and len(cards[c]) == most]
        front = [force.troops[column[0]] for column in cards if column]
        if front and damage > min(troop.discard_value for troop in front):
            found = [
                after(unit.behind[u * 4 + c], max(0, damage - force.troops[cards[c][0]].discard_value), mp, pile + 1)
                for c in able
            ]
            return set().union(*found)
        stays: set[tuple[int, ...]] = {
            (tidied(moves, me, u, int(unit.front_mask[u]))[f"{side}_unit"], damage, mp, pile)
        }
        if mp >= 30:
            return stays
        more = [
            after(unit.behind[u * 4 + c], damage, min(60, mp + force.troops[cards[c][0]].psyche), pile + 1)
            for c in able
        ]
        return stays.union(*more)

    return after(at[f"{side}_unit"], at[f"{side}_damage"], at[f"{side}_mp"], at[f"{side}_pile"])


@pytest.fixture(scope="module")
def ending(moves: Moves, met: State) -> State:
    """Positions at the end of a Period, some with more damage, so that cards must go."""
    last = take_trials(met, np.flatnonzero(met["turns"] == 0))
    last = {**last, "a_damage": last["a_damage"] + np.arange(len(last["over"])) % 4}
    landed = moves.land(last)
    return take_trials(landed, np.flatnonzero(landed["over"] == 0))


def test_every_end_of_a_period(moves: Moves, ending: State) -> None:
    n = len(ending["over"])
    ends = moves.ends(ending)
    own = [moves.endings(me, ending) for me in (0, 1)]
    sizes = set()
    for i in range(n):
        at = one(ending, i)
        for me, side in enumerate("ab"):
            rows = np.flatnonzero(own[me].row == i)
            columns = [own[me].columns[f"{side}_{name}"][rows].tolist() for name in ("unit", "damage", "mp", "pile")]
            found = list(zip(*columns, strict=True))
            assert (set(found), len(found)) == (endings_of(moves, me, at), len(set(found)))
            assert ends.legal[me][i].tolist() == [k < len(rows) for k in range(ends.legal[me].shape[1])]
            sizes.add(len(rows))
    assert {1} < sizes
    told = [(i, p, q) for i in range(n) for p, q in product(*(range(int(legal[i].sum())) for legal in ends.legal))]
    assert list(zip(*(cell.tolist() for cell in ends.cells), strict=True)) == told
    for k in range(0, len(told), 7):
        i, *chosen = told[k]
        state = {name: values[i : i + 1] for name, values in ending.items()}
        for me, option in enumerate(chosen):
            at = np.flatnonzero(own[me].row == i)[option]
            state |= {name: values[at : at + 1] for name, values in own[me].columns.items()}
        settled = one(settle(moves.duel, state, FixedRolls({})), 0)
        for me, side in enumerate("ab"):
            settled |= tidied(moves, me, settled[f"{side}_unit"], settled[f"{side}_up"])
        assert one(ends.after, k) == settled


def test_the_first_step_to_an_ending(moves: Moves, ending: State) -> None:
    """Whoever takes that option first can still come to the ending."""
    choices = EndChoices(moves, ending)
    for me, side in enumerate("ab"):
        own = moves.endings(me, ending)
        assert np.array_equal(own.first, moves.endings(me, ending).first)
        legal = choices.legal[me]
        assert legal is not None
        for i in range(len(ending["over"])):
            rows = np.flatnonzero(own.row == i)
            for option in range(int(legal[i].sum())):
                asked = np.zeros(len(ending["over"]), np.intp)
                asked[i] = option
                assert choices.first(me, asked, np.arange(len(asked)))[i] == own.first[rows[option]]
                assert choices.first(me, np.array([option]), np.array([i])) == own.first[rows[option]]
            stays = [k for k in rows if own.columns[f"{side}_pile"][k] == ending[f"{side}_pile"][i]]
            assert {int(own.first[k]) for k in stays} <= {0}, "who gives up nothing stops at once"


def test_a_selection_is_what_the_attacker_is_sure_of() -> None:
    cells = np.random.default_rng(1).random((40, 3, 2))
    tied = [solve_matrix_games(cells[i : i + 1]).values[0] for i in range(40)]
    first = [max(min(row) for row in game) for game in cells]
    other = [min(max(column) for column in game.T) for game in cells]
    assert selection_values(A_ATTACKS, cells).tolist() == first
    assert selection_values(B_ATTACKS, cells).tolist() == other
    assert selection_values(TIE, cells) == pytest.approx(tied, abs=1e-12)
    assert tie_values(cells) == pytest.approx(tied, abs=1e-12)
    assert tie_values(cells[first == np.array(other)]).tolist() == [
        a for a, b in zip(first, other, strict=True) if a == b
    ]
    for attacker in (A_ATTACKS, B_ATTACKS):
        one_play, theirs = selected_plays(attacker, cells)
        for i, game in enumerate(cells):
            p, q = int(np.argmax(game.min(axis=1))), int(np.argmin(game.max(axis=0)))
            p, q = (p, int(np.argmin(game[p]))) if attacker == A_ATTACKS else (int(np.argmax(game[:, q])), q)
            assert (one_play[i], theirs[i]) == (p, q)


class Told:
    """What states are worth, by a formula of their columns."""

    def __init__(self, moves: Moves, tilt: int) -> None:
        self.moves, self.tilt = moves, tilt

    def __call__(self, state: State) -> Any:
        own = sum(weight * state[f"a_{name}"].astype(float) for weight, name in enumerate(("mp", "damage", "unit"), 1))
        their = sum(weight * state[f"b_{name}"].astype(float) for weight, name in enumerate(("mp", "pile", "unit"), 1))
        return 0.5 + 0.5 * np.sin(own * self.tilt + their)


def test_the_matrix_of_a_turn_and_of_an_end(moves: Moves, met: State, ending: State) -> None:
    worth = Told(moves, 1)
    playing = take_trials(met, np.flatnonzero(met["turns"] > 0))
    states = take_trials(playing, np.arange(0, len(playing["over"]), 8))
    turns, found = moves.turns(states), TurnChoices(moves, states).payoffs(worth)
    for block in turns.blocks:
        cells = selection_values(block.attacker, worth(turns.after)[block.place])
        assert found[:, block.cards[0] - 1, block.cards[1] - 1] == pytest.approx(cells)
    choices, ends = EndChoices(moves, ending), moves.ends(ending)
    payoffs = choices.payoffs(worth)
    assert payoffs.shape == (len(ending["over"]), ends.legal[0].shape[1], ends.legal[1].shape[1])
    assert payoffs[ends.cells] == pytest.approx(worth(ends.after))


def test_a_known_opponent_is_answered_as_well_as_can_be(moves: Moves, ending: State) -> None:
    own, other = Told(moves, 1), Told(moves, 3)
    for choices in (EndChoices(moves, ending), TurnChoices(moves, {k: v[:3] for k, v in first(moves).items()})):
        payoffs, wrong = choices.payoffs(own), choices.payoffs(other)
        game = solve_matrix_games(payoffs, *choices.legal)
        values, mixes = values_and_mixes(choices, own, None)
        assert np.array_equal(values, game.values)
        assert np.array_equal(mixes[0], game.row_strategies) and np.array_equal(mixes[1], game.column_strategies)
        fixed = solve_matrix_games(wrong, *choices.legal)
        legal = [np.ones((len(payoffs), n), bool) if mask is None else mask
                 for n, mask in zip(payoffs.shape[1:], choices.legal, strict=True)]  # fmt: skip
        for side in (0, 1):
            values, mixes = values_and_mixes(choices, own, Opponent(side, other))
            kept = (fixed.row_strategies, fixed.column_strategies)
            assert np.array_equal(mixes[side], kept[side])
            for i, cells in enumerate(payoffs):
                told = kept[side][i] @ cells if side == 0 else cells @ kept[side][i]
                able = np.flatnonzero(legal[1 - side][i])
                best = able[(np.argmin if side == 0 else np.argmax)(told[able].round(9))]
                assert values[i] == pytest.approx(told[best])
                assert mixes[1 - side][i].tolist() == [float(k == best) for k in range(len(told))]
        again = best_response(payoffs, choices, fixed, 1)
        assert again[1][1] is fixed.column_strategies


def first(moves: Moves) -> State:
    return start_state(duel_process(moves.duel, moves.resolve), 4)


def test_states_are_followed_in_parts(monkeypatch: pytest.MonkeyPatch, met: State) -> None:
    assert (module.CHUNK_STATES, WORTH.tolist()) == (400, [0.5, 1.0, 0.0])
    n = len(met["over"])
    monkeypatch.setattr(module, "CHUNK_STATES", n // 2 - 1)
    parts = list(chunks(met))
    assert [len(part["over"]) for part in parts] == [n // 2 - 1, n // 2 - 1, n - 2 * (n // 2 - 1)]
    assert all(np.array_equal(np.concatenate([part[name] for part in parts]), met[name]) for name in met)
    assert POSITION_COLUMNS == ("mp", "damage", "unit", "up", "pile", "relief", "shaken", "combine", "lost")


MESSAGE = "can be neither looked ahead nor solved"


@pytest.mark.parametrize(
    ("sides", "changes", "told"),
    [
        (SIDES, ["rules.combine_late=true"], [f"rules.combine_late: 'true' {MESSAGE}; allowed: false"]),
        (SIDES, ["rules.eop3_order=b_first"], [f"rules.eop3_order: 'b_first' {MESSAGE}; allowed: simultaneous"]),
        (
            ("angueth_warband", "huaos_dzaa_warband"),
            ["situation.level=charge", "b.standard="],
            [
                f"a.combat_master: card {MESSAGE}; allowed: none; set=a.combat_master=",
                f"a.standard: card {MESSAGE}; allowed: none; set=a.standard=",
                f"a.battle_master: card {MESSAGE}; allowed: none; set=a.battle_master=",
                f"b.combat_master: card {MESSAGE}; allowed: none; set=b.combat_master=",
                f"b.battle_master: card {MESSAGE}; allowed: none; set=b.battle_master=",
            ],
        ),
    ],
)
def test_what_is_refused_and_how_it_is_said(sides: tuple[str, str], changes: list[str], told: list[str]) -> None:
    with pytest.raises(RulesError) as caught:
        moves_of(load("edadh").ask("duel", *sides, changes).setup.duel)
    assert [str(fault) for fault in caught.value.faults] == told


def test_turns_are_looked_up_where_that_is_small_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    duel = load("edadh").ask("duel", "archers", "gunners").setup.duel
    assert isinstance(moves_of(duel).resolve, TurnTable)
    monkeypatch.setattr("balance.games.edadh.rules.look_up.MOST_CELLS", 10)
    assert not isinstance(moves_of(duel).resolve, TurnTable)


def test_one_level_throughout_can_be_solved_where_nobody_can_swap() -> None:
    duel = load("edadh").ask("duel", "archers", "gunners", ["situation.level=charge"]).setup.duel
    assert moves_of(duel).duel.arena is duel.arena
    assert not list(not_at_one_level(duel, "no", ""))


@pytest.mark.parametrize(
    ("sides", "changes", "found"),
    [
        (("angueth_terrain", "huaos_dzaa_terrain"), [], "standard movement"),
        (("archers/shieldsmen", "gunners"), ["situation.level=charge"], "charge"),
    ],
)
def test_several_levels_and_swaps_are_told_by_field(sides: tuple[str, str], changes: list[str], found: str) -> None:
    duel = load("edadh").ask("duel", *sides, changes).setup.duel
    told = [f"situation.level: '{found}' cannot be; allowed: melee; draw lots"]
    assert [str(fault) for fault in not_at_one_level(duel, "cannot be", "draw lots")] == told


def test_options_that_come_to_something_different() -> None:
    """Of alike ones the first; asked for a number that there is not, the last."""
    arrangements = (((0,), (0,), (1, 0)), ((0, 1), (0, 1), (0, 1)), ((), (1,), (2,)))
    options = Options.of(arrangements)
    for u, cards in enumerate(arrangements):
        for right, mask in product(range(3), range(8)):
            told: dict[Any, int] = {}
            for option, play in enumerate(plays_of(mask, right)):
                helpers = sorted(cards[c] for c in range(3) if play >> 2 & (1, 2, 4)[c])
                told.setdefault((cards[play & 3], tuple(helpers)), option)
            place = np.full(12, u * 24 + right * 8 + mask)
            first = list(told.values()) or [0]
            assert options.plays.n[place[0]] == len(first)
            found = options.plays.take(place, np.arange(12)).tolist()
            assert found == [first[min(number, len(first) - 1)] for number in range(12)]
        for at in range(16):
            columns = LOSSES[at * 4 : at * 4 + N_LOSSES[at]].tolist()
            told = {}
            for option, column in enumerate(columns):
                told.setdefault(None if column == STAY else cards[column], option)
            first = list(told.values())
            assert options.losses.n[u * 16 + at] == len(first)
            found = options.losses.take(np.full(6, u * 16 + at), np.arange(6)).tolist()
            assert found == [first[min(number, len(first) - 1)] for number in range(6)]
