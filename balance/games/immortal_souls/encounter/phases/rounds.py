"""The Time Phase and the Event Phase, and how an encounter begins (IS-SEQ.2, IS-EVT, IS-SPAWN)."""

from __future__ import annotations

import numpy as np

from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import Rolls
from balance.game.armies.lost_actions import lost_in_trials
from balance.game.kit.board.battle import copy_state
from balance.games.immortal_souls.encounter.attacks.belongings import renew_uses
from balance.games.immortal_souls.encounter.board.decks import NO_CARD, full_deck
from balance.games.immortal_souls.encounter.board.events import event_phase, open_cards
from balance.games.immortal_souls.encounter.board.shadow_pool import starting_shadows
from balance.games.immortal_souls.encounter.board.victims import NO_INDEX
from balance.games.immortal_souls.encounter.party.gear import fade_weapons
from balance.games.immortal_souls.encounter.phases.bands import bring_in
from balance.games.immortal_souls.encounter.phases.conditions import burn_down, turn_powers
from balance.games.immortal_souls.encounter.phases.shadows import reveal_shadows
from balance.games.immortal_souls.encounter.phases.souls import Souls, buy_ranks, may_return, resurrect
from balance.games.immortal_souls.encounter.phases.stories import resolve_event
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.encounter.state import (
    kinds_of,
    make_ghosts,
    most_health,
    remove_fallen,
    save_succeeds,
    settle_winner,
    starts_at,
)

COUNTS = ("winner", "rounds", "wounds", "deaths", "kills", "gained", "hero_attacks", "enemy_attacks", "holder", "level",
          "stories")  # fmt: skip
BODIES = ("card", "area", "from", "health", "shields", "owner", "charges")


def start(scene: Scene, rolls: Rolls, n: int, heroes: State | None = None) -> State:
    """Return the state of `n` trials at the start: everybody placed, Enemy Power cards drawn, decks shuffled.

    `heroes` are columns of heroes who come from elsewhere, instead of those of heroes who have just set out.
    """
    state = starts_at(scene, {f"h_{name}": scene.party.begins[name] for name in scene.marks["h"]}, n) | (heroes or {})
    shape = (n, scene.n_bodies)
    for name in (*BODIES, *scene.marks["e"]):
        state[f"e_{name}"] = np.full(shape, scene.empty_body.get(f"e_{name}", 0), np.int16)
    state["e_powers"] = np.zeros(shape, np.int32)
    state |= {name: np.zeros(n, np.int16) for name in COUNTS}
    state |= {name: np.full(n, NO_CARD, np.int16) for name in ("face_up", "aside")}
    state |= {"failed": np.zeros(n, bool), "was_ghost": np.zeros((n, scene.n_heroes), bool)}
    state.setdefault("points", np.full(n, scene.souls, np.int16))
    state["enemy_deck"] = np.repeat(scene.deck[None], n, axis=0)
    state["encounter_deck"] = full_deck(n, len(scene.cards.main))
    state["event_deck"] = np.repeat(scene.events.starts[None], n, axis=0)
    state |= lost_in_trials(("heroes", "encounter"), scene.lost_actions, n)
    state |= {f"a_{name}": np.repeat(tokens[None], n, axis=0) for name, tokens in scene.fires.items()}
    if scene.n_power_cards:
        state["power_deck"] = full_deck(n, scene.n_power_cards)
        state["power_owner"] = np.full((n, scene.n_power_cards), NO_CARD, np.int8)
    rows = np.arange(n)
    for card, area in scene.start_cards:
        bring_in(scene, state, rows, np.full(n, card), np.full(n, area), 0, rolls)
    if scene.shadows is not None:
        state |= starting_shadows(scene.shadows, rolls, n)
        reveal_shadows(scene, state, 0, rolls)
    return state


def time_phase(scene: Scene, state: State, rolls: Rolls) -> State:
    """Play the Time Phase: damage, then shields and powers, then Soul Points."""
    state = copy_state(state)
    state["rounds"] += 1
    rows = np.arange(rolls.n)
    for side in ("h", "e"):
        _burn_and_poison(scene, state, side)
    if scene.fires:  # IS-FIRE.3: areas burn down as characters do, and nobody is hurt by it
        burn_down(state, "a", state["a_fire1"])
    for body in range(scene.n_bodies):
        remove_fallen(scene, state, rows, body, None)
    for hero in range(scene.n_allies):
        make_ghosts(scene, state, rows, hero)
        if "h_poison" in state:
            cures = save_succeeds(scene, np.full(rolls.n, hero), rolls, "poison save")
            state["h_poison"][cures, hero] = 0
    power_bits = state["e_powers"]
    in_play = state["e_card"] >= 0
    shields = scene.bestiary.shields[kinds_of(scene, state)] + scene.powers.shields[power_bits]
    state["e_shields"] = np.where(in_play, shields, 0).astype(np.int16)
    state["h_shields"] = np.where(state["h_ghost"], 0, scene.party.shields).astype(np.int16)
    turn_powers(scene, state, np.ones(rolls.n, np.int16))
    renew_uses(scene, state)
    fade_weapons(scene.party.kits, state)
    _spend_souls(scene, state)
    return settle_winner(scene, state)


def _burn_and_poison(scene: Scene, state: State, side: str) -> None:
    """Apply the wounds of fire and poison to a side, "h" or "e": IS-FIRE.2, IS-COND.5, IS-COND.11."""
    rule = scene.constants.conditions
    wounds = burn_down(state, side, state[f"{side}_health"]) * rule.fire_wounds
    if f"{side}_poison" in state:
        by_level = np.array([0, rule.poison_1_wounds, rule.poison_2_wounds])
        wounds = wounds + by_level[state[f"{side}_poison"]]
    health_loss = np.minimum(wounds, state[f"{side}_health"]).astype(np.int16)
    state[f"{side}_health"] = state[f"{side}_health"] - health_loss
    if side == "h":
        state["wounds"] = (state["wounds"] + health_loss[:, : scene.n_heroes].sum(axis=1)).astype(np.int16)


def _spend_souls(scene: Scene, state: State) -> None:
    """Spend common Soul Points: on resurrections first, then on ranks (IS-HP.6, IS-ECO.1, IS-SEQ.2)."""
    heroes = np.s_[:, : scene.n_heroes]
    souls = Souls(state["h_rank"][heroes], state["h_ghost"][heroes], state["points"])
    at_altar = np.isin(state["h_area"][heroes], scene.altars)
    for hero in range(scene.n_heroes):
        souls = resurrect(souls, np.where(may_return(souls, at_altar)[:, hero], hero, NO_INDEX))
    back = state["h_ghost"][heroes] & ~souls.ghost
    before = most_health(scene, state)[heroes]
    if scene.rank_up:
        souls = buy_ranks(souls, scene.constants.party.rank_costs, scene.rules.ghosts_hold_ranks_back)
    state["h_rank"][heroes], state["h_ghost"][heroes] = souls.rank, souls.ghost
    state["points"] = souls.points.astype(np.int16)
    after = most_health(scene, state)[heroes]
    new_health = state["h_health"][heroes] + np.where(souls.ghost, 0, after - before)
    state["h_health"][heroes] = np.where(back, after, new_health)
    state["h_shields"][heroes] = np.where(back, scene.party.shields[: scene.n_heroes], state["h_shields"][heroes])


def event_phase_of(scene: Scene, state: State, rolls: Rolls) -> State:
    """Play the Event Phase: reveal a card and resolve it, or discard the one that lies open."""
    state = copy_state(state)
    result = event_phase(open_cards(state), state["event_deck"], scene.events.set_aside[:-1], rolls)
    state["face_up"], state["stories"], state["aside"] = (values.astype(np.int16) for values in result.events)
    state["event_deck"], state["failed"] = result.places, result.quest_failed
    resolve_event(scene, state, result.card, scene.events.of_deck, 0, rolls)
    return _winner_by_rounds(scene, settle_winner(scene, state))


def _winner_by_rounds(scene: Scene, state: State) -> State:
    """Decide the winner by the number of rounds: heroes who had to survive them win, others lose at the round limit."""
    survives = (scene.goal == "survive") & (state["rounds"] >= scene.n_rounds)
    late = state["rounds"] >= scene.round_limit
    winner = np.where(survives, 1, np.where(late, 2, 0))
    state["winner"] = np.where(state["winner"] == 0, winner, state["winner"]).astype(np.int16)
    return state
