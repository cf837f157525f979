"""A referee of adventures: it has the rules and the record of one game, and says what is suspicious.

It is written from the ledger of the rules, the tables of cards and units and the account of what a replay tells,
without a look at the engine: `suspicions` is empty for a game that keeps the rules.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from tests.games.battlelore.referee import banners, combat, hands, harm, lore, moves, opening, orders, retreats
from tests.games.battlelore.referee.adventures import SIDES, Adventure
from tests.games.battlelore.referee.game import Event, Game, State, Suspicion
from tests.games.battlelore.referee.tables import Tables

HANDLERS = {
    name: handler
    for room in (opening, orders, moves, combat, harm, retreats, banners, hands, lore)
    for name, handler in room.HANDLERS.items()
}


def suspicions(document: dict[str, Any], adventure: Adventure, tables: Tables) -> list[Suspicion]:
    """Return what is suspicious in one game, as `balance replay --json` tells it."""
    game = Game(document, adventure, tables)
    game.other_throws, game.hit_by_card = lore.THROWS, lore.hit_by_card
    opening.check_record(game)
    opening.owe_opening(game)
    told = deepcopy(game.state)
    for game.frame, line in enumerate(document["lines"]):
        for event in line["events"]:
            _referee(game, event)
            merge(told, event.get("after") or {})
            _compare(game, told, event)
        _check_line(game, line)
    game.demand(game.is_over, "BL-WIN-04", "the record stops before the game is over")
    return game.suspicions


def _referee(game: Game, event: Event) -> None:
    """Hold one event against the rules, and change the referee's own state by it."""
    name = event["event"]
    game.demand(not game.is_over, "BL-WIN-04", f"{name} happens after the end")
    stands_still = game.moving is not None and game.moving != (name, event.get("unit"))
    if stands_still or (not game.is_set_up and name in ("turn", "banner")):
        game.moving, game.is_set_up = None, True
        banners.look_around(game)
    is_owed = game.collect(event)
    owed_only = name in ("gone", "banner", "won", "stronghold") or (name == "discard" and event["why"] == "stronghold")
    game.demand(
        is_owed or not owed_only, OWED_RULES.get(name, "BL-TURN-01"), f"nothing asks for {name}: {_says(event)}"
    )
    if name not in IN_COMBAT and event.get("why") != "stronghold":
        combat.close(game)
    HANDLERS[name](game, event)


IN_COMBAT = {
    "throw", "lore_card", "cancelled", "again", "roll_changed", "power", "ignore", "hit", "gone", "retreat", "follow",
    "banner", "stronghold", "tokens", "won", "battle",
}  # fmt: skip
OWED_RULES = {"gone": "BL-TRP-04", "banner": "BL-WIN-03", "won": "BL-WIN-04", "stronghold": "BL-LMK-12"}


def _says(event: Event) -> str:
    return ", ".join(f"{key} {value}" for key, value in event.items() if key not in ("event", "after"))


def merge(state: State, part: State) -> None:
    """Put what has changed over a state."""
    for key, value in part.items():
        if isinstance(value, dict) and isinstance(state.get(key), dict):
            merge(state[key], value)
        else:
            state[key] = deepcopy(value)


def differences(own: Any, told: Any, path: str = "") -> list[str]:
    """Return where two states differ, in words."""
    if isinstance(own, dict) and isinstance(told, dict):
        return [
            words
            for key in sorted({*own, *told}, key=str)
            for words in differences(own.get(key), told.get(key), f"{path}.{key}" if path else str(key))
        ]
    return [] if own == told else [f"{path} is {told}, and should be {own}"]


def _compare(game: Game, told: State, event: Event) -> None:
    """Hold the referee's state against that which is told, and go on from there."""
    if game.state == told:
        return
    for words in differences(_plain(game.state), _plain(told)):
        game.suspect(RULES.get(event["event"], "BL-TURN-01"), f"after {event['event']} ({_says(event)}) {words}")
    game.state = deepcopy(told)


RULES = {
    "draw": "BL-CMD-12", "discard": "BL-CMD-12", "hit": "BL-HIT-04", "move": "BL-MOV-01", "retreat": "BL-FLAG-01",
    "banner": "BL-WIN-03", "tokens": "BL-LORE-02", "lore_card": "BL-LORE-07", "power": "BL-CRE-11",
    "order": "BL-CMD-07", "gone": "BL-TRP-04",
}  # fmt: skip


def _plain(state: State) -> State:
    """Return a state in which what says nothing is left out."""
    ground = {place: sorted(names) for place, names in state["ground"].items() if list(names) != ["countryside"]}
    owners = {place: side for place, side in state["owners"].items() if side is not None and place in ground}
    return {**state, "ground": ground, "owners": owners}


def _check_line(game: Game, line: dict[str, Any]) -> None:
    """What a line counts is what stands on the board and lies on the table; its dice are those that were thrown."""
    sides, state = game.record["sides"], game.state
    names = {side: sides[side]["name"] for side in SIDES}
    said = {"banners": {names[side]: f"{state['banners'][side]} of {sides[side]['banners']}" for side in SIDES}}
    said["command cards"] = {names[side]: str(len(state["hand"][side])) for side in SIDES}
    if game.adventure.lore:
        said["Lore"] = {names[side]: str(state["chalice"][side]) for side in SIDES}
        said["Lore in the pool"] = {names[side]: str(state["pool"]) for side in SIDES}
    for what, pair in said.items():
        told = line["score"].get(what)
        game.demand(told == pair, "BL-WIN-01", f"the score has {told} for {what}, not {pair}")
    figures = {names[side]: game.figures(side) for side in SIDES}
    game.demand(line["left"] == figures, "BL-TRP-02", f"{line['left']} figures are left, not {figures}")
    dice = [
        f"{event.get('for', 'after cards')}: {_faces(event['faces'])}"
        for event in line["events"]
        if event["event"] == "roll_changed" or (event["event"] == "throw" and event["dice"])
    ]
    game.demand(line.get("dice", []) == dice, "BL-DIE-01", f"the dice in words are {line.get('dice')}, not {dice}")


def _faces(faces: dict[str, int]) -> str:
    return " ".join(f"{faces[face]} {face}" for face in harm.FACES if faces.get(face)) or "nothing"
