"""A campaign on which a test sets the scene: one trial, the dice of an example, and what happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from balance.chance.rolls.process import State
from balance.chance.rolls.rolls import FixedRolls
from balance.games.immortal_souls.quest.campaign import Campaign, Deck
from balance.games.immortal_souls.quest.replay import Journal
from balance.games.immortal_souls.quest.state import starts_at
from balance.games.immortal_souls.tables.quests import Room
from tests.games.immortal_souls.encounter.comparing import SOULS

PARTY = "ecarus,thorgar,shae"


def campaign_of(
    party: str = PARTY, quest: str = "old_crypt", sets: Mapping[str, str] | None = None, **choices: str
) -> Campaign:
    """Return a campaign as it is asked about."""
    campaign: Campaign = SOULS.ask("quest", party, quest, dict(sets or {}), None, **choices).setup.play
    return campaign


@dataclass
class Scene:
    """One trial of a campaign, and the events so far."""

    campaign: Campaign
    state: State
    journal: Journal

    @classmethod
    def of(cls, campaign: Campaign, **columns: Any) -> Scene:
        """Return a trial as the campaign begins, but for columns that are set."""
        state = starts_at(campaign, 1)
        for name, values in columns.items():
            state[name][:] = values
        return cls(campaign, state, Journal(campaign, state, 0))

    def play(self, rule: Callable[..., None], *parts: Any, dice: Mapping[str, list[int]] | None = None) -> Scene:
        """Apply a rule, with the dice that it asks for if it asks for any."""
        chance = [] if dice is None else [FixedRolls(dict(dice))]
        rule(self.campaign, *parts, self.state, *chance, self.journal.on(self.state))
        return self

    def told(self, *names: str) -> list[dict[str, Any]]:
        """Return the events of these names, all of them without any, with neither their names nor what changed."""
        return [
            {field: value for field, value in event.items() if field not in ("event", "after")}
            for event in self.journal.events
            if not names or event["event"] in names
        ]

    def number(self, name: str) -> int:
        """Return the value of a column of the trial."""
        return int(self.state[name][0])

    def crowns(self) -> list[int]:
        """Return the crowns of each hero."""
        return [int(crowns) for crowns in self.state["h_crowns"][0]]

    def card(self, name: str) -> int:
        """Return the number of the first treasure or trap card of this id."""
        treasures, traps = ([card.id for card in cards] for cards in (self.deck.treasures, self.deck.traps))
        return treasures.index(name) if name in treasures else traps.index(name)

    @property
    def deck(self) -> Deck:
        """The cards of the campaign."""
        return self.campaign.deck

    def give(self, name: str, hero: int) -> Scene:
        """Give the first treasure card of this id to a hero."""
        self.state["treasure_at"][0, self.card(name)] = hero
        return self

    def room(self, name: str) -> Room:
        """Return a room of the campaign."""
        return next(room for chapter in self.campaign.chapters for room in chapter.rooms if room.id == name)

    @property
    def everywhere(self) -> Any:
        """The trial, as a mask."""
        return np.array([True])
