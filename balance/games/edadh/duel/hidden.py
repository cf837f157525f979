"""What a side cannot know in a duel: which stratagems the opponent has locked, face down (WE-STR.3)."""

from __future__ import annotations

import numpy as np

from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.games.edadh.duel.duel_state import DuelSetup
from balance.games.edadh.duel.stratagems import legal_hands
from balance.games.edadh.rules.commands import IN_DECK, LOCKED
from balance.games.edadh.rules.view import SIDES


def conceal(setup: DuelSetup, state: State, side: str, rolls: Rolls) -> State:
    """Return the state with the opponent's locked stratagems dealt anew: as many, and such as it could have taken.

    Where no others could be there they stay; so does everything in a duel without battle masters. `side` is the one
    whose knowledge is kept.
    """
    foe = 1 - SIDES.index(side)
    duel, command = setup.duel, setup.duel.commands[foe]
    if not command.deck:
        return state
    places = command.places(state, SIDES[foe])
    locked = places == LOCKED
    open_table = {**state, **command.put(SIDES[foe], np.where(locked, IN_DECK, places))}
    secondary = np.array([card.secondary for card in command.deck])
    as_many = command.in_hand.sum(axis=1) == locked.sum(axis=1, keepdims=True)
    differs = (command.in_hand != locked[:, None, :]).any(axis=2)
    able = legal_hands(duel, foe, open_table) & ~command.in_hand[:, ~secondary].any(axis=1) & as_many & differs
    stays = ~able.any(axis=1)
    able[:, 0] |= stays
    hand = np.where(stays[:, None], locked, command.in_hand[rolls.pick(able, "locked")])
    return {**open_table, **command.put(SIDES[foe], np.where(hand, LOCKED, command.places(open_table, SIDES[foe])))}
