"""A turn with masters and standards: who is asked for what, with which options, and what he has heard by then."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from balance.chance.rolls.choices import Choose
from balance.chance.rolls.process import start_state
from balance.chance.rolls.requests import Request
from balance.chance.rolls.rolls import ProxyRolls, RandomRolls, Rolls, bound
from balance.game.loaded import load
from balance.games.edadh.duel.duel import duel_process
from balance.games.edadh.duel.leadership import fight_led, may_play_second
from balance.games.edadh.policies.policy import Uniform
from balance.games.edadh.rules.commands import IN_PROMOTION, LOCKED, MST, TCTS
from balance.games.edadh.rules.look_up import literally
from tests.games.edadh.at_random import AT_RANDOM

WARBANDS = ("angueth_warband", "huaos_dzaa_warband")
N = 300
NAMES = ("card", "second", "troop", "answer", "bonus", "answer bonus", "standard")


@pytest.mark.parametrize("rules", [{}, {"rules.champion_tie_damage": True, "rules.champion_in_pile": False}])
def test_what_is_asked_in_a_turn_and_what_becomes_of_the_cards(rules: dict[str, Any]) -> None:
    duel = load("edadh").ask("duel", *WARBANDS, rules, **AT_RANDOM).setup.duel
    rng = np.random.default_rng(4)
    state = start_state(duel_process(duel, literally(duel.arena)), N)
    state["period"] = rng.integers(1, 6, N).astype(np.int16)
    state["turns"] = rng.integers(0, 4, N).astype(np.int16)
    for side in "ab":
        for name, most in (("champion", 3), ("leader", 4), ("standard", 2)):
            state[f"{side}_{name}"] = rng.integers(0, most, N).astype(np.int16)
        for card in duel.commands[0].deck:
            state[f"{side}_s_{card.id}"] = rng.integers(0, 4, N).astype(np.int16)
    noted: dict[tuple[str, str], tuple[list[int], list[int], Any]] = {}

    def note(rolls: Rolls, request: Request[Any]) -> Any:
        answer = rolls.answer(request)
        if isinstance(request, Choose):
            legal = np.broadcast_to(request.legal, N).tolist()
            noted[request.side, request.name] = legal, answer.tolist(), request.view
        return answer

    players = bound(RandomRolls(5, "led", 0, N), {"a": Uniform(), "b": Uniform()})
    after = fight_led(duel, state, ProxyRolls(players, note))
    assert list(noted) == [(side, name) for name in NAMES for side in "ab"]
    champion = duel.commands[0].champion
    assert champion is not None
    for i in range(N):
        left = bool(state["turns"][i])
        cards = [noted[side, "card"][1][i] + 1 for side in "ab"]
        ahead = (cards[0] - cards[1]) % 12
        role = 0 if not left or ahead % 6 == 0 else 1 if ahead < 6 else -1
        seconds = []
        for me, side in enumerate("ab"):
            may = int(may_play_second(duel, me, state)[i])
            options = [0, *(card for card in (MST, TCTS) if may & card)]
            legal, chosen, view = noted[side, "second"]
            assert legal[i] == len(options)
            seconds.append(options[chosen[i]])
            assert set(view.foe_column("second").tolist()) == {0}
        silent = seconds == [MST, MST] and role == 0
        named = []
        for me, side in enumerate("ab"):
            own = role if me == 0 else -role
            brought = seconds[me] == MST and not silent
            harms = own > 0 or (own == 0 and bool(rules))
            first, answer = noted[side, "bonus"], noted[side, "answer bonus"]
            assert first[0][i] == (4 + harms if brought and own >= 0 else 1)
            assert answer[0][i] == (4 if brought and own < 0 else 1)
            named.append((1 + (answer if own < 0 else first)[1][i]) if brought else 0)
        for me, side in enumerate("ab"):
            own = role if me == 0 else -role
            told = noted[side, "answer bonus"][2].facts
            if own < 0:
                assert told["foe_bonus"][i] == named[1 - me], "the Defender hears the Attacker"
            assert (told["role"][i], told["card"][i], told["foe_card"][i]) == (
                own, cards[me] * left, cards[1 - me] * left,
            )  # fmt: skip
            legal, used, view = noted[side, "standard"]
            hurt = int(view.facts["damage"][i])
            assert legal[i] == 1 + bool(state[f"{side}_standard"][i] and hurt)
            assert after[f"{side}_standard"][i] == state[f"{side}_standard"][i] * (not used[i])
            dealt = max(0, hurt - 3 * used[i])
            assert after[f"{side}_damage"][i] == dealt
            falls = seconds == [MST, MST] and dealt > champion.discard_value
            up = int(state[f"{side}_champion"][i])
            assert after[f"{side}_champion"][i] == (up if seconds[me] != MST else 0 if falls else 2)
            leader = int(state[f"{side}_leader"][i])
            assert after[f"{side}_leader"][i] == (leader if seconds[me] != TCTS else 3 if own > 0 else 2)
            for card in duel.commands[me].deck:
                place = int(state[f"{side}_s_{card.id}"][i])
                promoted = place == LOCKED and seconds[me] == TCTS and own > 0
                assert after[f"{side}_s_{card.id}"][i] == (IN_PROMOTION if promoted else place)
            front = duel.arena.forces[me].troops[0]
            gone = dealt > front.discard_value and not falls
            counts = falls and not rules
            assert after[f"{side}_pile"][i] == gone + counts
            assert after[f"{side}_relief"][i] == gone * front.discard_value + counts * champion.discard_value
            assert after[f"{side}_second"][i] == seconds[me]
