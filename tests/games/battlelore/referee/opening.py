"""What is brought to the table, and what happens before the first turn."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.games.battlelore.referee.adventures import MASTERS, SIDES
from tests.games.battlelore.referee.game import OTHER, Event, Game
from tests.games.battlelore.referee.ground import hex_of
from tests.games.battlelore.referee.tables import COLOURS

HANDS, TOKENS, KEPT, LORE_HAND = (3, 4, 5, 6), (0, 1, 2, 3), (0, 1, 2, 3), (1, 2, 3, 4)
"""By level: command cards of a commander; tokens, first cards and most cards of the highest Lore Master (BL-WC)."""
OF_MASTERS = {
    "wizard": "magic_pentacle", "rogue": "rogues_den", "cleric": "healing_pool", "warrior": "training_camp",
    "commander": "stronghold",
}  # fmt: skip
POOL, OUT_OF_CHARACTER, DEALT = 40, 3, 4
IN_BOTH, IN_ONE, IN_NONE = 14, 8, 5


def check_record(game: Game) -> None:
    """Hold what is brought to the table against the file of the adventure (BL-SETUP-04)."""
    record, adventure = game.record, game.adventure
    asked = game.document["inputs"]
    first = {"adventure": adventure.first}.get(asked["first"], asked["first"])
    for name, said in (
        ("lore", adventure.lore),
        ("masters_landmarks", adventure.masters_landmarks),
        ("first", first),
        ("turn_limit", asked["situation"]["turn_limit"]),
    ):
        game.demand(record[name] == said, "BL-SETUP-04", f"{name} is {record[name]}, and should be {said}")
    for side, force in adventure.forces.items():
        told = record["sides"][side]
        cards = HANDS[force.council.get("commander", 0)] if adventure.lore else force.cards
        council = {master: level for master, level in told.get("council", {}).items() if level}
        game.demand(told["banners"] == force.banners, "BL-WIN-01", f"{side} needs {force.banners} banners")
        game.demand(told["cards"] == cards, "BL-CMD-13", f"{side} has {cards} command cards")
        game.demand(told["camp"] == force.camp, "BL-SETUP-06", f"{side} is of the {force.camp}")
        game.demand(not adventure.lore or council == force.council, "BL-WC-01", f"the council of {side} is {council}")
    hexes = {(row["hex"], row["side"], row["held"]) for row in record["banner_hexes"]}
    game.demand(hexes == set(adventure.banner_hexes), "BL-WIN-03", f"hexes worth banners are {hexes}")
    _check_units(game)
    _check_cards(game)
    _check_begin(game)


def _check_units(game: Game) -> None:
    """Every unit is that of the file, and its row is that of the tables (BL-TRP-01, BL-TRP-03)."""
    labels = iter(game.record["units"])
    number = 0
    for side, force in game.adventure.forces.items():
        for unit, place in force.units:
            number += 1
            label = next(labels, "")
            kind = game.tables.kinds[unit.partition("+")[0]]
            said = {
                "side": side, "unit": unit, "hex": place, "figures": kind.figures, "colour": kind.colour,
                "kind": kind.kind, "race": kind.race, "weapon": game.weapon(label).name if label else "",
            }  # fmt: skip
            told = {key: game.record["units"].get(label, {}).get(key) for key in said}
            if kind.kind == "creature":
                said["race"] = told["race"]
            game.demand(label == f"{number}{COLOURS[kind.colour]}", "BL-TRP-02", f"{label} is unit {number}")
            game.demand(told == said, "BL-SETUP-04", f"{label} is {told}, and should be {said}")
    game.demand(next(labels, None) is None, "BL-SETUP-04", "there are more units than in the file")


def _check_cards(game: Game) -> None:
    """The cards are those of the tables; prices and strengths follow the council (BL-LORE-06, BL-LORE-23)."""
    said = {name: card.count for name, card in game.tables.command_cards.items()}
    told = {name: row["count"] for name, row in game.record["command_cards"].items()}
    game.demand(told == said, "BL-SETUP-03", f"the deck is {told}")
    for name, row in game.record.get("lore_cards", {}).items():
        card = game.tables.lore_cards[name]
        for side, force in game.adventure.forces.items():
            level = force.council.get(card.master, 0)
            price = card.cost + card.cost_per_level * max(level, 1) + (0 if level else OUT_OF_CHARACTER)
            strength = card.base + card.per_level * max(level, 1)
            told_pair = (row["price"][side], row["strength"][side])
            game.demand(
                told_pair == (price, strength), "BL-LORE-23", f"{name} of {side} is {told_pair}, not {price, strength}"
            )


def _check_begin(game: Game) -> None:
    """Nobody has anything yet but units, terrain and the first Lore tokens (BL-SETUP-03, BL-WC-04)."""
    begin, record = game.document["begin"], game.record
    for label, row in record["units"].items():
        unit = begin["units"][label]
        game.demand(
            (unit["hex"], unit["figures"], unit["colour"]) == (row["hex"], row["figures"], row["colour"]),
            "BL-SETUP-03",
            f"{label} begins as {unit}",
        )
    ground = {place: sorted(names) for place, names in begin["ground"].items()}
    said = {place: sorted(names) for place, names in game.adventure.ground.items()}
    game.demand(ground == said, "BL-SETUP-03", f"the ground is {ground}")
    game.demand(begin["owners"] == game.adventure.owners, "BL-LMK-04", f"owners are {begin['owners']}")
    n_cards = sum(row["count"] for row in record["command_cards"].values())
    game.demand(begin["deck"] == n_cards and begin["discard"] == 0, "BL-SETUP-03", f"the deck has {begin['deck']}")
    game.demand(begin["banners"] == {"a": 0, "b": 0} and begin["winner"] is None, "BL-WIN-01", "banners at first")
    if game.adventure.lore:
        tokens = {
            side: TOKENS[force.highest] if force.tokens is None else force.tokens
            for side, force in game.adventure.forces.items()
        }
        game.demand(begin["chalice"] == tokens, "BL-WC-04", f"chalices hold {begin['chalice']}, not {tokens}")
        game.demand(begin["pool"] == POOL - sum(tokens.values()), "BL-LORE-02", f"the pool has {begin['pool']}")


def owe_opening(game: Game) -> None:
    """Note what must happen before the first turn, in any order: landmarks, cards (BL-SETUP-03, BL-LMK, BL-WC-06)."""
    adventure = game.adventure
    councils = {side: adventure.forces[side].council for side in SIDES}
    for side in SIDES:
        has_keep = any(
            owner == side and "stronghold" in adventure.ground[place] for place, owner in adventure.owners.items()
        )
        if councils[side].get("commander") == 3 and adventure.lore and not has_keep:
            game.opening.append(("landmark", side, "commander"))
        for master in MASTERS:
            alone = councils[side].get(master) == 3 and councils[OTHER[side]].get(master) != 3
            if adventure.masters_landmarks and alone:
                game.opening.append(("landmark", side, master))
        if adventure.lore and adventure.forces[side].highest:
            game.opening += [("lore_dealt", side, ""), ("lore_kept", side, "")]
        game.opening.append(("dealt", side, ""))
    if adventure.lore:
        game.opening.append(("lore_deck", "", ""))


def _collect(game: Game, event: Event, master: str = "") -> None:
    said = (event["event"], event.get("side", ""), master)
    game.demand(said in game.opening, "BL-SETUP-03", f"{said} does not belong before the first turn")
    if said in game.opening:
        game.opening.remove(said)


def landmark(game: Game, event: Event) -> None:
    """A Lore Master's landmark on an empty hex of the third or fourth row, a stronghold under a unit (BL-LMK-03)."""
    side, master, place = event["side"], event["master"], hex_of(event["hex"])
    _collect(game, event, master)
    terrain = OF_MASTERS[master]
    game.demand(event["terrain"] == terrain, "BL-LMK-02", f"a {master} brings a {terrain}")
    standing = game.occupied()
    if master == "commander":
        who = standing.get(place)
        game.demand(
            who is not None and game.side(who) == side, "BL-LMK-11", f"no unit of {side} stands on {event['hex']}"
        )
        game.demand(game.ground.names(place) == ("countryside",), "BL-LMK-11", f"{event['hex']} is not countryside")
    else:
        rows = (2, 3) if side == "a" else (6, 5)
        game.demand(place[0] in rows, "BL-LMK-03", f"{event['hex']} is not in the third or fourth row of {side}")
        game.demand(place not in standing, "BL-LMK-03", f"{event['hex']} is not empty")
    names = [name for name in game.ground.names(place) if name != "countryside"]
    game.state["ground"][event["hex"]] = [*names, terrain]
    game.state["owners"][event["hex"]] = side


def lore_deck(game: Game, event: Event) -> None:
    """So many cards of each class as its master sits in both councils, one or none (BL-WC-05, BL-Q44)."""
    _collect(game, event)
    counts = Counter[str]()
    for name, count in event["cards"].items():
        card = game.tables.lore_cards[name]
        counts[card.master] += count
        game.demand(0 <= count <= card.count, "BL-WC-05", f"there are only {card.count} of {name}")
    for master in MASTERS:
        n_councils = sum(bool(force.council.get(master)) for force in game.adventure.forces.values())
        said = (IN_NONE, IN_ONE, IN_BOTH)[n_councils]
        if game.rules["lore_deck"] == "any" and n_councils:
            said = IN_BOTH
        said = min(said, sum(card.count for card in game.tables.lore_cards.values() if card.master == master))
        game.demand(counts[master] == said, "BL-WC-05", f"{counts[master]} cards of the {master}, not {said}")
    game.lore_pile.deck = Counter(event["cards"])
    game.state["lore_deck"] = sum(event["cards"].values())


def lore_dealt(game: Game, event: Event) -> None:
    _collect(game, event)
    game.demand(len(event["cards"]) == DEALT, "BL-WC-06", f"{len(event['cards'])} cards are dealt, not {DEALT}")
    for card in event["cards"]:
        game.demand(game.lore_pile.draw(card), "BL-WC-06", f"{card} cannot be in the deck")
    game.dealt[event["side"]] = list(event["cards"])
    game.state["lore_deck"] -= len(event["cards"])


def lore_kept(game: Game, event: Event) -> None:
    """As many as the highest level; the others go back (BL-WC-06)."""
    _collect(game, event)
    side = event["side"]
    most = KEPT[game.adventure.forces[side].highest]
    game.demand(len(event["cards"]) == most, "BL-WC-06", f"{side} keeps {len(event['cards'])} cards, not {most}")
    had, kept = Counter(game.dealt[side]), Counter[str](event["cards"])
    left = had - kept
    game.demand(not kept - had, "BL-WC-06", f"{side} keeps what it has not got")
    game.lore_pile.deck += left
    game.state["lore_deck"] += left.total()
    game.state["lore_hand"][side] = sorted(event["cards"])


def dealt(game: Game, event: Event) -> None:
    """As many command cards as the adventure or the commander says (BL-CMD-13)."""
    _collect(game, event)
    side, cards = event["side"], event["cards"]
    most = game.record["sides"][side]["cards"]
    game.demand(len(cards) == most, "BL-CMD-13", f"{side} is dealt {len(cards)} cards, not {most}")
    for card in cards:
        game.demand(game.command_pile.draw(card), "BL-CMD-13", f"{card} cannot be in the deck")
    game.state["hand"][side] = sorted(cards)
    game.state["deck"] -= len(cards)


HANDLERS: dict[str, Any] = {
    "landmark": landmark,
    "lore_deck": lore_deck,
    "lore_dealt": lore_dealt,
    "lore_kept": lore_kept,
    "dealt": dealt,
}
