"""One campaign told event by event: in words, and as data from which a second engine can judge it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from balance.base.arrays import BoolArray
from balance.base.numbers import show_many
from balance.chance.rolls.process import State, start_state, take_trials
from balance.chance.rolls.rolls import Rolls
from balance.game.question.narration import Line, Narration
from balance.game.setup import Setup
from balance.games.immortal_souls.quest.campaign import HOME, Campaign
from balance.games.immortal_souls.quest.outfitting import ready
from balance.games.immortal_souls.quest.play import advance, quest_processes
from balance.games.immortal_souls.quest.state import Log, gear_of, n_items

RANKS = range(1, 8)
HEROES = ("hero", "opener", "target", "giver", "receiver")
"""Fields of events that are the number of a hero."""
WORDS: dict[str, Callable[[dict[str, Any]], str]] = {
    "rank": lambda event: f"{event['hero']} rises to rank {event['to']}",
    "heal": lambda event: f"{event['hero']} heals {event['target']} of {show_many(event['wounds'], 'wound')}",
    "exchange": lambda event: f"{event['giver']} hands {event['treasure']} to {event['receiver']}",
    "rearrange": lambda event: f"{event['hero']} puts on {event['card']}",
    "wear": lambda event: f"{event['hero']} puts on {event['card']}",
    "unlock": lambda event: f"{event['hero']} takes off the {event['colour']} lock",
    "door": lambda event: f"{event['opener']} {'smashes' if event['how'] == 'smash' else 'opens'} the door",
    "trap": lambda event: f"trap: {event['card']}",
    "save": lambda event: f"{event['hero']} {'saves' if event['success'] else 'does not save'}",
    "wounds": lambda event: (
        f"{event['hero']} takes {show_many(event['wounds'], 'wound')}"
        + (f" and {event['condition']}" if event["condition"] else "")
    ),
    "death": lambda event: f"{event['hero']} becomes a ghost",
    "encounter": lambda event: (
        f"{event['encounter']}: {'won' if event['winner'] == 1 else 'lost'} in " + show_many(event["rounds"], "round")
    ),
    "decision": lambda event: f"{event['hero']} decides as the {event['alignment']} do",
    "key": lambda event: f"{event['hero']} takes the {event['colour']} key",
    "chest": lambda event: f"{event['hero']} takes what is in a chest",
    "search": lambda event: f"{event['hero']} searches the {event['token']}",
    "treasure": lambda event: f"{event['hero']} finds {event['card']}",
    "leave": lambda event: f"{event['treasure']} is left",
    "failed": lambda event: "the quest fails",
    "item_lost": lambda event: f"{event['hero']} loses {event['card']}",
    "sale": lambda event: f"{event['hero']} sells {event['treasure']}",
    "pony": lambda event: f"{event['hero']} plays for {event['result']} and is paid {event['prize']}",
    "purchase": lambda event: f"{event['hero']} buys {event['card']}",
    "forge": lambda event: f"{event['hero']} has {event['card']} forged",
}
"""Events in words; the others only stand in the data."""


def tell(setup: Setup[Campaign], rolls: Rolls, trial: int) -> Narration:
    """Return what happens in trial number `trial`, from 0, of those that `rolls` plays."""
    campaign, (process,) = setup.play, quest_processes(setup)
    state, lines = start_state(process, rolls.n, rolls), list[Line]()
    journal = Journal(campaign, state, trial)
    begin, begun_with = journal.state, _health(journal)
    for number in range(process.max_steps):
        chapter, room = campaign.chapters[campaign.stages[number].quest], campaign.stages[number].room
        state = advance(campaign, state, rolls, journal.on)
        actor = "Home" if room == HOME else chapter.rooms[room].name
        text = "; ".join(WORDS[event["event"]](event) for event in journal.events if event["event"] in WORDS)
        lines.append(Line(chapter.card.name, actor, text, _health(journal), events=tuple(journal.events)))
        over, journal.events = process.over(state), []
        if over[journal.place]:
            break
        alive = np.flatnonzero(~over)
        state, journal.place = take_trials(state, alive), int(np.searchsorted(alive, journal.place))
        rolls.keep(alive)
    end = "The heroes come home." if state["winner"][journal.place] == 1 else "The quest has failed."
    start = ", ".join(chapter.card.name for chapter in campaign.chapters)
    return Narration(start, tuple(lines), end, begun_with, record=record_of(campaign), begin=begin)


class Journal:
    """What happens in one trial: its events so far, and its state after the last of them, as plain data."""

    def __init__(self, campaign: Campaign, state: State, place: int) -> None:
        self.campaign, self.place, self.events = campaign, place, list[dict[str, Any]]()
        self.quest, self.room = 0, -1
        self.state = self._snapshot(state)

    def on(self, state: State) -> Log:
        """Return what logs events of a state that is being changed."""

        def log(name: str, where: BoolArray, **fields: Any) -> None:
            if where[self.place]:
                if name == "room":
                    self.quest, self.room = self.campaign.stages[int(state["stage"][self.place])]
                elif name == "rest":
                    self.quest, self.room = self.quest + 1, -1
                before, self.state = self.state, self._snapshot(state)
                after = _difference(before, self.state)
                plain = {field: self._plain(name, field, value) for field, value in fields.items()}
                self.events.append({"event": name, **plain, "after": after})

        return log

    def _plain(self, event: str, field: str, value: Any) -> Any:
        """Return the field of an event in the trial: ids of heroes and cards in the place of their numbers."""
        campaign = self.campaign
        if callable(value):
            return value(self.place)
        if isinstance(value, np.ndarray):
            value = value[self.place].tolist()
        names = {"died": campaign.heroes.ids, "keys": campaign.colours, "treasures": self._cards}.get(field)
        if names and isinstance(value, list):
            return [name for name, flag in zip(names, value, strict=True) if flag]
        names = {"treasure": self._cards, **dict.fromkeys(HEROES, campaign.heroes.ids)}.get(field)
        if event in ("treasure", "trap") and field == "card":
            names = self._cards if event == "treasure" else [trap.id for trap in campaign.deck.traps]
        return names[value] if names and isinstance(value, int) else value

    @property
    def _cards(self) -> list[str]:
        return [card.id for card in self.campaign.deck.treasures]

    def _snapshot(self, state: State) -> dict[str, Any]:
        """Return the state of the trial."""
        campaign, row = self.campaign, take_trials(state, [self.place])
        heroes = campaign.heroes.ids
        has_keys = {colour: heroes[at] for colour, at in zip(campaign.colours, row["key_at"][0], strict=True)
                    if 0 <= at < len(heroes)}  # fmt: skip
        items, is_ready = n_items(campaign, row)[0], ready(campaign, row)[0]
        return {
            "quest": self.quest, "room": self.room, "rounds": int(row["quest_rounds"][0]), "pool": int(row["pool"][0]),
            "keys": has_keys, "gear": int(gear_of(campaign, row)[0]), "lies": {
                "crowns": int(row["lying_crowns"][0]), "treasures": self._treasures(row, len(heroes)),
                "keys": [colour for colour, at in zip(campaign.colours, row["key_at"][0], strict=True)
                         if at == len(heroes)],
            },
            "heroes": {name: {
                **{of: int(row[f"h_{of}"][0, hero]) for of in ("wounds", "rank", "crowns")},
                "ghost": bool(row["h_ghost"][0, hero]), "treasures": self._treasures(row, hero),
                "items": int(items[hero]), "ready": bool(is_ready[hero]),
                "conditions": {of: int(row[f"h_{of}"][0, hero]) for of in campaign.marks if row[f"h_{of}"][0, hero]},
            } for hero, name in enumerate(heroes)},
        }  # fmt: skip

    def _treasures(self, row: State, where: int) -> list[str]:
        cards = np.flatnonzero(row["treasure_at"][0] == where)
        return [self.campaign.deck.treasures[card].id for card in cards]


def _difference(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """Return what is new in a state; of heroes only the fields that changed."""
    changed = {name: value for name, value in after.items() if name != "heroes" and value != before[name]}
    heroes = {name: {of: value for of, value in hero.items() if value != before["heroes"][name][of]}
              for name, hero in after["heroes"].items()}  # fmt: skip
    heroes = {name: fields for name, fields in heroes.items() if fields}
    return {**changed, "heroes": heroes} if heroes else changed


def _health(journal: Journal) -> dict[str, int]:
    """Return the health left of each hero."""
    campaign, party = journal.campaign, journal.campaign.heroes.party
    left: dict[str, int] = {}
    for number, (name, hero) in enumerate(journal.state["heroes"].items()):
        most = int(party.health[number, hero["rank"]]) - hero["conditions"].get("frail", 0)
        left[name] = 0 if hero["ghost"] else most - hero["wounds"]
    return {party.names[campaign.heroes.ids.index(name)].partition(",")[0]: health for name, health in left.items()}


def record_of(campaign: Campaign) -> dict[str, Any]:
    """Return what does not change in a campaign, as plain data."""
    party, heroes, constants = campaign.heroes.party, campaign.heroes, campaign.constants

    def plain(cards: Any) -> list[dict[str, Any]]:
        return [card.model_dump(mode="json") for card in dict.fromkeys(cards)]

    def steps(ladder: Any) -> list[dict[str, Any]]:
        return [{"hero": heroes.ids[step.hero], "card": step.card, "price": step.price} for step in ladder]

    return {
        "way": campaign.way, "purse": campaign.purse,
        "ghosts_hold_ranks_back": campaign.rules.ghosts_hold_ranks_back,
        "heroes": {name: {
            "alignment": heroes.alignments[hero], "save": heroes.results[hero], "save_dice": heroes.dice[hero],
            "carry": int(party.carry[hero]),
            **{of: [int(getattr(party, of)[hero, rank]) for rank in RANKS] for of in ("health", "actions", "heals")},
        } for hero, name in enumerate(heroes.ids)},
        "quests": [{**chapter.card.model_dump(mode="json"), "rooms": plain(chapter.rooms)}
                   for chapter in campaign.chapters],
        "treasures": plain(campaign.deck.treasures), "traps": plain(campaign.deck.traps[:-1]),
        "searches": plain(row for rows in campaign.searches.values() for row in rows.values()),
        "decisions": plain(row for rows in campaign.decisions.values() for row in rows.values()),
        "dice": {"red": [list(face) for face in campaign.red], "blue": [list(face) for face in campaign.blue]},
        "gear": {
            "cards": steps(campaign.ladders.cards), "forging": steps(campaign.ladders.forging),
            "worn": {str(gear): {name: list(cards) for name, cards in zip(heroes.ids, worn, strict=True)}
                     for gear, worn in enumerate(campaign.ladders.worn)},
        },
        "constants": {
            "rank_costs": list(constants.party.rank_costs), "ranks_lost": constants.party.ranks_lost,
            "repeated_wounds": constants.conditions.repeated_wounds,
            **{name: list(value) if isinstance(value, tuple) else value
               for name, value in constants.economy.model_dump().items() if name != "forging" and name != "pony_die"},
        },
    }  # fmt: skip
