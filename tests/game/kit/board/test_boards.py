"""Luck, scores and copies of battles on boards: what holds for any number of trials, however they are batched."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from balance.chance.rolls.keyed_rolls import Keys, key_of
from balance.chance.rolls.rolls import RandomRolls
from balance.game.kit.board.battle import battle_columns, copy_state, is_over, keys_of, note_lead, score_columns
from balance.game.kit.board.lookahead import copies, parts, victory
from balance.game.kit.board.options import places_of

RNG = np.random.default_rng(5)


def test_leads_and_comebacks_are_those_of_each_battle_alone() -> None:
    margins, state = RNG.integers(-3, 4, (40, 9)), score_columns(40)
    for turn in range(9):
        plays = RNG.random(40) < 0.7
        note_lead(state, np.flatnonzero(plays), margins[plays, turn])
        margins[~plays, turn] = 0
    state["winner"] = RNG.integers(1, 4, 40).astype(np.int16)
    assert is_over(state).all()
    columns = battle_columns(state, {}, margin=np.stack([margins[:, 0], -margins[:, 0]], axis=1))
    for i, row in enumerate(margins.tolist()):
        leads = [margin > 0 for margin in row if margin]
        assert columns["lead_changes"][i] == sum(a != b for a, b in itertools.pairwise(leads))
        behind = {1: max(-min(row), 0), 2: max(*row, 0), 0: 0}
        assert columns["comeback"][i] == behind[int(columns["winner"][i])]
        assert columns["a_margin"][i] == row[0] == -columns["b_margin"][i]


@pytest.mark.parametrize("n_sources", [0, 3])
def test_copies_have_luck_that_no_battle_has_and_all_options_share(n_sources: int) -> None:
    keys: Keys = RNG.integers(0, 2**63, (50, n_sources) if n_sources else 50).astype(np.uint64)
    state = {"luck": keys, "choices": RNG.integers(0, 9, 50), "cell": RNG.integers(0, 9, (50, 2))}
    before, rows = copy_state(state), np.array([7, 3, 7, 20])
    copied = copies(state, rows, 4, 1, "choices")
    assert all((state[name] == values).all() for name, values in before.items())
    luck = copied["luck"].reshape(4, 4)
    assert (luck[0] == luck[2]).all()
    assert len(np.unique(luck)) == 12
    assert not np.isin(luck, keys).any()
    assert (copied["cell"] == np.repeat(state["cell"][rows], 4, axis=0)).all()
    alone = copies({name: values[20:21] for name, values in state.items()}, np.array([0]), 4, 1, "choices")
    assert (alone["luck"] == luck[3]).all()
    later = copies(state | {"choices": state["choices"] + 1}, rows, 4, 1, "choices")["luck"]
    assert not np.isin(later, luck).any()


def test_parts_cover_all_once() -> None:
    for n, samples in ((0, 3), (1, 3), (16_384, 1), (16_385, 1), (50, 8_000), (3, 99_999)):
        assert [i for part in parts(n, samples) for i in range(n)[part]] == list(range(n))


def test_a_victory_of_one_side_is_as_much_of_a_loss_for_the_other() -> None:
    state = {"winner": np.arange(4)}
    assert victory(state, 0, 9).tolist() == (-victory(state, 1, 9)).tolist() == [0, 9, -9, 0]


def test_sources_that_are_idle_leave_the_keys_of_others_as_they_are() -> None:
    rolls = (RandomRolls(0, "luck", 0, 5) for _ in range(2))
    all_keys, some = (
        keys_of(each, ("cards", "dice"), idle) for each, idle in zip(rolls, ((), ("cards",)), strict=True)
    )
    assert (key_of(all_keys, 1) == key_of(some, 1)).all()


def test_places_are_those_of_nonzero() -> None:
    flags = RNG.random((30, 7)) < 0.3
    assert all((ours == theirs).all() for ours, theirs in zip(places_of(flags), np.nonzero(flags), strict=True))
