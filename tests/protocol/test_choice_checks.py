"""What choices promise is checked, and each broken promise is found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from balance.core import Policy, Process, Rolls, State
from balance.core.rolls import ProxyRolls
from balance.pmf.arrays import IntArray
from balance.protocol.asked import Setup
from balance.protocol.choice_checks import check_choices, walk
from balance.protocol.conformance import check_game
from balance.protocol.loaded import load
from tests.toy import feint
from tests.toy.feint import DUEL, GAME


@dataclass(frozen=True)
class Illegal:
    """Spends in every round, surge or no surge."""

    def choose(self, name: str, legal: Any, view: Any, rolls: Rolls) -> IntArray:
        """Return 1."""
        return np.ones(rolls.n, np.int64)


@dataclass(frozen=True)
class Peeking:
    """Spends against cards that it cannot know, once a game has told it them."""

    def choose(self, name: str, legal: Any, view: Any, rolls: Rolls) -> IntArray:
        """Return 1 where the foe's card is the lower one."""
        return np.asarray(legal[:, 1] & (view["cards"][:, 1] < view["cards"][:, 0]), np.int64)


class Remembering:
    """Spends in the first row only, whoever that is."""

    def choose(self, name: str, legal: Any, view: Any, rolls: Rolls) -> IntArray:
        """Return 1 in the first row."""
        return np.asarray(legal[:, 1] & (np.arange(rolls.n) == 0), np.int64)


def problems(policy: Policy | None = None, **fields: Any) -> list[str]:
    """Return what the check says of the toy with side a's policy, or parts of its record, replaced."""

    def processes(setup: Setup[Any], lane: str) -> tuple[Process, ...]:
        plain = DUEL.processes(setup, "literal")[0]
        policies = plain.policies if policy is None else {**plain.policies, "a": policy}
        return (replace(plain, policies=policies),)

    game = replace(GAME, kinds={"duel": replace(DUEL, **{"processes": processes, **fields})})
    return list(check_choices(load(game).ask("duel", "knight", "ogre")))


def leaking(setup: Setup[Any], state: State, rolls: Rolls) -> State:
    """Play a round, and show side a both cards first."""

    def shown(behind: Rolls, request: Any) -> Any:
        more = {"view": {**request.view, "cards": state["card"]}} if request.name == "a surge" else {}
        return behind.answer(replace(request, **more))

    return feint.clash(setup, state, ProxyRolls(rolls, shown))


def with_leaks(policy: Policy, hidden_view: bool) -> list[str]:
    def processes(setup: Setup[Any], lane: str) -> tuple[Process, ...]:
        plain = DUEL.processes(setup, "literal")[0]
        return (replace(plain, steps=(partial(leaking, setup),), policies={**plain.policies, "a": policy}),)

    found = problems(processes=processes)
    assert hidden_view == any("tells what it cannot know: cards" in problem for problem in found)
    return found


def test_honest_choices_pass() -> None:
    assert problems() == []


def test_an_illegal_order_is_found() -> None:
    found = problems(Illegal())
    assert len(found) == 1
    assert "Illegal() chooses option 1 of 'a surge' for side 'a', which is not legal" in found[0]
    assert "legal there: 0 (keep)" in found[0]


def test_a_view_that_tells_too_much_is_found_whoever_uses_it() -> None:
    assert with_leaks(Peeking(), hidden_view=True)
    assert with_leaks(feint.Spender(99), hidden_view=True)


def test_an_order_that_rests_on_what_is_hidden_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were the view an object that cannot be looked into, the order would still tell."""
    monkeypatch.setattr("balance.protocol.choice_checks._told", lambda one, other, same: ())
    found = problems(Peeking(), processes=lambda setup, lane: (_peeked(setup),))
    assert ["side a chooses 'a surge' by what it cannot know" in problem for problem in found] == [True]


def _peeked(setup: Setup[Any]) -> Process:
    plain = DUEL.processes(setup, "literal")[0]
    return replace(plain, steps=(partial(leaking, setup),), policies={**plain.policies, "a": Peeking()})


def test_what_the_other_side_has_shown_may_be_answered() -> None:
    """Side b sees what side a does, which depends on a's hidden card: only cases in which a did the same compare."""

    def in_turn(setup: Setup[Any], state: State, rolls: Rolls) -> State:
        done: list[IntArray] = []

        def shown(behind: Rolls, request: Any) -> Any:
            if request.name == "b surge":
                request = replace(request, view={**request.view, "done": done[0]})
            answer = behind.answer(request)
            done.extend([answer] if request.name == "a surge" else [])
            return answer

        return feint.clash(setup, state, ProxyRolls(rolls, shown))

    def processes(setup: Setup[Any], lane: str) -> tuple[Process, ...]:
        plain = DUEL.processes(setup, "literal")[0]
        policies = {"a": feint.Spender(1), "b": feint.Spender(99)}
        return (replace(plain, steps=(partial(in_turn, setup),), policies=policies),)

    assert problems(processes=processes) == []


def test_to_conceal_nothing_is_found() -> None:
    """In no duel at all; a duel that hides nothing is fine beside one that hides something."""
    idle = replace(DUEL, conceal=lambda setup, state, side, rolls: state)
    found = check_game(replace(GAME, kinds={"duel": idle}), n_pairs=1)
    assert [problem for problem in found if "`conceal` changes nothing" in problem] == list(found) != []

    def against_ogres(setup: Setup[Any], state: State, side: str, rolls: Rolls) -> State:
        return feint.conceal(setup, state, side, rolls) if feint.fighters(setup)[1].id == "ogre" else state

    assert check_game(replace(GAME, kinds={"duel": replace(DUEL, conceal=against_ogres)}), n_pairs=3) == ()


def test_a_policy_that_looks_at_the_whole_batch_is_found() -> None:
    """And one that breaks the rules does not end the whole check."""

    def game_of(policy: Any) -> Any:
        def processes(setup: Setup[Any], lane: str) -> tuple[Process, ...]:
            plain = DUEL.processes(setup, "literal")[0]
            return (replace(plain, policies={**plain.policies, "a": policy}),)

        return replace(GAME, kinds={"duel": replace(DUEL, processes=processes)})

    assert any("alone" in found for found in check_game(game_of(Remembering()), n_pairs=1))
    assert any("not legal" in found for found in check_game(game_of(Illegal()), n_pairs=1))


def test_every_policy_is_tried() -> None:
    """The fault is in an option that is not the default."""

    def processes(setup: Setup[Any], lane: str) -> tuple[Process, ...]:
        plain = DUEL.processes(setup, "literal")[0]
        low = feint.POLICIES["low"]
        policies = {side: Illegal() if policy == low else policy for side, policy in plain.policies.items()}
        return (replace(plain, policies=policies),)

    found = problems(processes=processes)
    assert len(found) == 1
    assert found[0].startswith("policy_a low, policy_b never: Illegal()")


def test_a_walk_leaves_out_what_is_over() -> None:
    question = load(GAME).ask("duel", "rat", "ogre")
    seen = [
        (number, len(state["card"]))
        for number, state in walk(question.kind.processes(question.setup, "literal")[0], 200, 1, 8)
    ]
    assert [number for number, _ in seen] == [0, 1]
    assert seen[0][1] == 200
    assert 0 < seen[1][1] < 200
