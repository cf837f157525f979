"""Enemies that enter: where their bodies stand, whom they are assigned to, and their Enemy Power cards (IS-ENE)."""

from __future__ import annotations

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.games.immortal_souls.encounter.board.activation import RANKS, assign_player
from balance.games.immortal_souls.encounter.board.decks import DISCARD_PILE, IN_DECK, OUT
from balance.games.immortal_souls.encounter.board.victims import NO_INDEX
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.encounter.state import first_of_cards, get, kinds_of, put


def room(scene: Scene, state: State) -> BoolArray:
    """Return where all bodies of the largest horde would find a free column, `bool[n]`."""
    return np.asarray((state["e_card"] < 0).sum(axis=1) >= scene.bestiary.minis.max())


def bring_in(
    scene: Scene, state: State, rows: IntArray, card: IntArray, area: IntArray, active: int, rolls: Rolls
) -> None:
    """Bring enemies of a card, `int[m]`, into an area, `int[m]`: IS-SPAWN.4, IS-ENE.9, IS-ENE.15.

    The caller makes sure that there is `room`; `active` is the hero whose turn it is.
    """
    beasts, kind = scene.bestiary, scene.kind_of[card]
    owner = np.where(first_of_cards(scene, state), state["e_owner"], NO_INDEX)[rows]
    assigned_owner = assign_player(
        owner, kinds_of(scene, state)[rows], kind, np.full(len(rows), active), scene.n_heroes
    )
    owner = np.where(beasts.is_master[kind], NO_INDEX, assigned_owner)
    masters = rows[beasts.is_master[kind]]
    state["holder"][masters], state["level"][masters] = active, 1
    first = (state["e_card"][rows] < 0).argmax(axis=1)
    for mini in range(int(beasts.minis.max())):
        more = beasts.minis[kind] > mini
        trials, slot = rows[more], (state["e_card"][rows] < 0).argmax(axis=1)[more]
        values = {"card": card, "area": area, "health": beasts.health[kind], "shields": beasts.shields[kind],
                  "owner": owner, "powers": beasts.powers[kind], "charges": beasts.charges[kind]}  # fmt: skip
        for name, column in values.items():
            put(state, f"e_{name}", trials, slot, column[more])
    for number in range(int(beasts.icons.max()) if scene.n_power_cards else 0):
        draws = beasts.icons[kind] > number
        draw_enemy_power(scene, state, rows[draws], first[draws], rolls, "enemy power", for_kill=False)


def draw_enemy_power(
    scene: Scene, state: State, rows: IntArray, body: IntArray, rolls: Rolls, name: str, *, for_kill: bool
) -> None:
    """Let enemies draw an Enemy Power card of a group that they have none of: IS-ENE.9.

    For killing a hero, `for_kill`, only green and blue enemies draw (IS-ENE.11).
    """
    cards, group = scene.powers.cards, scene.powers.group
    card, power_bits = get(state, "e_card", rows, body), get(state, "e_powers", rows, body)
    may = (state["power_owner"][rows] == card[:, None]).sum(axis=1) < scene.constants.enemies.most_power_cards
    if for_kill:
        may &= (scene.bestiary.rank[scene.kind_of[card]] <= RANKS.index("blue")) & (card >= 0)
    new = ((power_bits[:, None] & group[cards]) == 0) & may[:, None]
    deck = state["power_deck"][rows]
    empty = may & ~(new & (deck == IN_DECK)).any(axis=1)
    deck = np.where((deck == DISCARD_PILE) & empty[:, None], np.int8(IN_DECK), deck)
    flags = np.zeros((rolls.n, len(cards)), bool)
    flags[rows] = new & (deck == IN_DECK)
    no_card = np.asarray(~flags.any(axis=1))
    flags[:, 0] |= no_card
    power_card = rolls.pick(flags, name)[rows]
    has_card = np.asarray(~no_card[rows])
    state["power_deck"][rows] = deck
    rows, power_card, card, body, power_bits = (
        values[has_card] for values in (rows, power_card, card, body, power_bits)
    )
    state["power_deck"][rows, power_card] = OUT
    state["power_owner"][rows, power_card] = card
    same_card = state["e_card"][rows] == card[:, None]
    state["e_powers"][rows] |= np.where(same_card, (1 << cards[power_card])[:, None], 0).astype(np.int32)
    more = scene.powers.shields[power_bits | 1 << cards[power_card]] - scene.powers.shields[power_bits]
    state["e_shields"][rows] += np.where(same_card, more[:, None], 0).astype(np.int16)
