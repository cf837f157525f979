"""What choices promise is checked, and each broken promise is found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from balance.base.arrays import IntArray
from balance.chance.rolls.choices import Choose
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import Policy, ProxyRolls, Rolls
from balance.game.authoring import choice_checks
from balance.game.authoring.choice_checks import check_choices, hides, walk
from balance.game.authoring.conformance import check_game
from balance.game.game import PolicyKind
from balance.game.loaded import load
from balance.game.question.question import Question
from balance.game.setup import Setup
from tests.toy import feint
from tests.toy.feint import DUEL, GAME
from tests.toy.game import GAME as SKIRMISH


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


def with_leaks(policy: Policy) -> list[str]:
    def processes(setup: Setup[Any], lane: str) -> tuple[Process, ...]:
        plain = DUEL.processes(setup, "literal")[0]
        return (replace(plain, steps=(partial(leaking, setup),), policies={**plain.policies, "a": policy}),)

    return problems(processes=processes)


UNTOLD = "policy_a never, policy_b never: the view of side a for 'a surge' tells what it cannot know: cards"
ILLEGAL = (
    "Illegal() chooses option 1 of 'a surge' for side 'a', which is not legal (trial 0, and {} more); "
    "legal there: 0 (keep)"
)


def test_honest_choices_pass() -> None:
    assert problems() == []


def test_an_illegal_order_is_found() -> None:
    assert problems(Illegal()) == [f"policy_a never, policy_b never: {ILLEGAL.format(249)}"]


def test_a_view_that_tells_too_much_is_found_whoever_uses_it() -> None:
    assert with_leaks(Peeking()) == [UNTOLD]
    assert with_leaks(feint.Spender(99)) == [UNTOLD]


def test_an_order_that_rests_on_what_is_hidden_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were the view an object that cannot be looked into, the order would still tell."""
    monkeypatch.setattr("balance.game.authoring.choice_checks._request_differences", lambda one, other, same: ())
    assert problems(Peeking(), processes=lambda setup, lane: (_peeked(setup),)) == [
        "policy_a never, policy_b never: side a chooses 'a surge' by what it cannot know"
    ]


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


@pytest.mark.slow("test_a_view_that_tells_too_much_is_found_whoever_uses_it")
def test_to_conceal_nothing_is_found() -> None:
    """In no duel at all; a duel that hides nothing is fine beside one that hides something."""
    idle = replace(DUEL, conceal=lambda setup, state, side, rolls: state)
    assert check_game(replace(GAME, kinds={"duel": idle}), n_pairs=1) == ("duel: `conceal` changes nothing",)

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

    assert check_game(game_of(Remembering()), n_pairs=1) == (
        "duel rat rat: a trial in a batch differs from the same trial alone",
        "duel rat rat: counting dice and listing every die give different distributions",
    )
    whole = [ILLEGAL.format(more) for more in (99, 199)] + [f"policy_a never, policy_b never: {ILLEGAL.format(255)}"]
    assert check_game(game_of(Illegal()), n_pairs=1) == tuple(
        f"duel rat rat: {told}" for told in [*whole, *[ILLEGAL.format(21)] * 3]
    )


def test_every_policy_is_tried() -> None:
    """The fault is in an option that is not the default."""

    def processes(setup: Setup[Any], lane: str) -> tuple[Process, ...]:
        plain = DUEL.processes(setup, "literal")[0]
        low = feint.POLICIES["low"]
        policies = {side: Illegal() if policy == low else policy for side, policy in plain.policies.items()}
        return (replace(plain, policies=policies),)

    assert problems(processes=processes) == [f"policy_a low, policy_b never: {ILLEGAL.format(249)}"]


def asked_otherwise(question: Question) -> list[tuple[str, str, str]]:
    return [
        (" ".join(option for _, option in asked.choices), asked.first, "".join(sides))
        for asked, sides in choice_checks._played_otherwise(question)
    ]


def test_each_option_is_played_once_and_those_who_choose_otherwise_are_looked_at() -> None:
    """For as long as the steps are looked at; a question that leaves nothing to choose is not asked at all."""
    assert asked_otherwise(load(GAME).ask("duel", "knight", "ogre")) == [
        ("never never", "", "ab"),
        ("at once never", "", "a"),
        ("low never", "", "a"),
        ("never at once", "", "b"),
        ("never low", "", "b"),
    ]
    assert asked_otherwise(load(SKIRMISH).ask("duel", "knight", "rat", first="random", a_effort="bold")) == [
        ("bold steady", "random", "ab"),
        ("steady steady", "random", "a"),
        ("finisher steady", "random", "a"),
        ("steady bold", "random", "b"),
        ("steady finisher", "random", "b"),
    ]
    assert asked_otherwise(load(SKIRMISH).attack("knight", "rat")) == []


def test_of_ways_to_play_only_the_quick_are_tried_and_a_decision_of_nobody_is_both_sides() -> None:
    shared = PolicyKind("When.", {"never": "-", "at once": "-", "low": "-"}, quick=("low",), plays=feint.POLICIES)
    policies = {"policy_a": replace(DUEL.policies["policy_a"], quick=("at once",)), "policy_b": shared}
    kind = replace(DUEL, policies=policies, processes=lambda setup, lane: DUEL.processes(PLAYED.setup, "literal"))
    assert asked_otherwise(load(replace(GAME, kinds={"duel": kind})).ask("duel", "knight", "ogre")) == [
        ("never never", "", "ab"),
        ("at once never", "", "a"),
        ("never low", "", "ab"),
    ]


PLAYED = load(GAME).ask("duel", "knight", "ogre")


def test_as_many_steps_are_looked_at_of_as_many_trials() -> None:
    played: list[int] = []

    def counted(step: Any, state: State, rolls: Rolls) -> State:
        played.append(rolls.n)
        return step(state, rolls)  # type: ignore[no-any-return]

    def processes(setup: Setup[Any], lane: Any) -> tuple[Process, ...]:
        plain = SKIRMISH.kinds["duel"].processes(setup, lane)
        steps = [tuple(partial(counted, step) for step in process.steps) for process in plain]
        return tuple(replace(one, steps=own, over=_nobody_falls) for one, own in zip(plain, steps, strict=True))

    kind = replace(SKIRMISH.kinds["duel"], processes=processes)
    question = load(replace(SKIRMISH, kinds={"duel": kind})).ask("duel", "rat", "rat", first="a")
    assert list(check_choices(question)) == []
    assert played == [256] * 8 * 5 * 2  # steps of each of five ways to play in both lanes


def _nobody_falls(state: State) -> Any:
    return np.zeros(len(state["a"]), bool)


@pytest.mark.parametrize(
    ("fighters", "n_steps", "seen"),
    [
        (("rat", "ogre"), 8, [(0, 200), (1, 147)]),
        (("ogre", "ogre"), 8, [(0, 200), (1, 200)]),
        (("ogre", "ogre"), 1, [(0, 200)]),
    ],
)
def test_a_walk_leaves_out_what_is_over(fighters: tuple[str, str], n_steps: int, seen: list[tuple[int, int]]) -> None:
    """A walk ends with the process, after the steps that were asked for, or when every trial is over."""
    question = load(GAME).ask("duel", *fighters)
    (process,) = question.kind.processes(question.setup, "literal")
    assert [(number, len(state["card"])) for number, state in walk(process, 200, n_steps)] == seen


def test_a_duel_hides_something_if_to_conceal_it_changes_any_state() -> None:
    question = load(GAME).ask("duel", "knight", "ogre")
    assert hides(question)
    assert not hides(load(SKIRMISH).duel("knight", "ogre"))

    def late(setup: Setup[Any], state: State, side: str, rolls: Rolls) -> State:
        spent = not state["surge"].all()  # nobody spends anything, so never
        return feint.conceal(setup, state, side, rolls) if spent else state

    assert not hides(load(replace(GAME, kinds={"duel": replace(DUEL, conceal=late)})).ask("duel", "knight", "ogre"))


def order(side: str, view: Any, *option: int, name: str = "move") -> choice_checks.Order:
    return choice_checks.Order(Choose(name, side, 3, view), np.array(option))


X, Y = {"x": np.array([1, 2, 3])}, {"x": np.array([1, 2, 4])}
TELLS, RESTS = (
    "the view of side a for 'move' tells what it cannot know: x",
    "side a chooses 'move' by what it cannot know",
)
SAME = order("a", X, 0, 1, 2)


@pytest.mark.parametrize(
    ("seen", "concealed", "told"),
    [
        ([SAME], [SAME], []),
        ([SAME], [order("a", X, 0, 1, 1)], [RESTS]),
        ([SAME], [order("a", Y, 0, 1, 2)], [TELLS]),
        ([SAME], [order("a", Y, 0, 1, 1)], [TELLS, RESTS]),
        ([order("b", X, 0, 1, 2)], [order("b", Y, 0, 1, 1)], []),
        # Orders that follow the other side's are compared where that side did the same.
        ([order("b", X, 0, 1, 2), SAME], [order("b", X, 0, 1, 1), order("a", Y, 0, 1, 1)], []),
        ([order("b", X, 0, 1, 2), SAME], [order("b", X, 0, 1, 1), order("a", Y, 1, 1, 1)], [RESTS]),
        ([order("b", X, 0, 1, 2), SAME], [order("b", X, 1, 1, 2), order("a", Y, 1, 1, 2)], [TELLS]),
        (
            [order("b", X, 0, 1), order("b", X, 1, 1), order("a", X, 1, 1)],
            [order("b", X, 1, 1), order("b", X, 1, 1), order("a", X, 2, 1)],
            [],
        ),
        # What follows its first orders is known: another side's, or chance, may have told it.
        ([SAME, SAME], [SAME, order("a", X, 0, 0, 0)], [RESTS]),
        ([SAME, order("b", X, 0, 1, 2), SAME], [SAME, order("b", X, 0, 1, 2), order("a", Y, 0, 0, 0)], []),
        ([SAME, None, SAME], [SAME, None, order("a", Y, 0, 0, 0)], []),
        ([None, SAME], [None, order("a", X, 0, 0, 0)], [RESTS]),
        ([None, SAME], [SAME, order("a", X, 0, 0, 0)], [RESTS]),
        ([SAME, SAME], [None, order("a", X, 0, 0, 0)], [RESTS]),
        ([SAME, SAME], [SAME], []),
        ([SAME], [SAME, order("a", X, 0, 0, 0)], []),
    ],
)
def test_the_first_orders_of_a_side_are_compared(
    seen: list[choice_checks.Order | None], concealed: list[choice_checks.Order | None], told: list[str]
) -> None:
    assert list(choice_checks._order_differences("a", seen, concealed)) == told


ALL = np.array([True, True, True, True])


@pytest.mark.parametrize(
    ("one", "other", "same", "told"),
    [
        ({"x": np.arange(4)}, {"x": np.arange(4)}, ALL, []),
        ({"x": np.arange(4)}, {"x": np.arange(4)[::-1]}, ALL, ["x"]),
        ({"x": np.arange(4), "y": np.arange(4)}, {"x": np.ones(4), "y": np.ones(4)}, ALL, ["x", "y"]),
        ({"x": np.arange(4)}, {"x": np.array([0, 1, 2, 9])}, np.array([True, True, True, False]), []),
        ({"x": np.arange(4)}, {"y": np.ones(4)}, ALL, []),
        ({"x": 3, "y": np.array(3)}, {"x": 4, "y": np.array(4)}, ALL, []),
        ({"mine": {"x": np.arange(4)}}, {"mine": {"x": np.ones(4)}}, ALL, ["x"]),
        (
            {"mine": {"x": np.arange(4)}, "y": np.ones(4)},
            {"mine": {"x": np.ones(4)}, "y": np.zeros(4)},
            ALL,
            ["x", "y"],
        ),
        (SimpleNamespace(x=np.arange(4)), SimpleNamespace(x=np.ones(4)), ALL, ["x"]),
        ("text", "other", ALL, []),
        # Views of some trials, whose values are of those alone or of all.
        ({"rows": np.array([1, 3]), "x": np.array([5, 6])}, {"rows": np.array([1, 3]), "x": np.array([5, 6])}, ALL, []),
        (
            {"rows": np.array([1, 3]), "x": np.array([5, 6])},
            {"rows": np.array([1, 3]), "x": np.array([5, 7])},
            ALL,
            ["x"],
        ),
        (
            {"rows": np.array([1, 3]), "x": np.array([5, 6])},
            {"rows": np.array([0, 3]), "x": np.array([4, 6])},
            ALL,
            ["rows"],
        ),
        (
            {"rows": np.array([1, 3]), "x": np.array([5, 6])},
            {"rows": np.array([0, 3]), "x": np.array([4, 6])},
            np.array([False, False, True, True]),
            [],
        ),
        ({"rows": np.array([1, 3]), "x": np.array([5, 6])}, {"x": np.array([4, 5, 9, 6])}, ALL, ["rows"]),
        (
            {"rows": np.array([1, 3]), "x": np.array([9, 5, 9, 6])},
            {"rows": np.array([1, 3]), "x": np.array([5, 6])},
            ALL,
            [],
        ),
    ],
)
def test_what_two_views_tell_differently_is_named(one: Any, other: Any, same: Any, told: list[str]) -> None:
    assert list(choice_checks._request_differences(one, other, same)) == told
