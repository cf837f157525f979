"""Shadows, played a second time in plain Python: a token at a time, as a player turns them over."""

from __future__ import annotations

from tests.games.immortal_souls.encounter.reference_board import FAR, HERO
from tests.games.immortal_souls.encounter.reference_enemy import Enemies

IN_DECK, DISCARDED, OUT = range(3)


class Lurking(Enemies):
    """An encounter with Shadows."""

    shadow: list[int]
    shadow_pool: list[int]

    def enter(self, card: int | None, area: int, active: int) -> int | None:
        raise NotImplementedError

    def tell(self, card: int, hero: int) -> None:
        raise NotImplementedError

    def top(self, deck: list[int], name: str, draws: bool) -> tuple[int | None, list[int]]:
        """Draw the top card of a deck, shuffled anew if it has run out."""
        number = self.tape.take(name)
        if not draws:
            return None, deck
        if IN_DECK not in deck:
            deck = [IN_DECK if where == DISCARDED else where for where in deck]
        left = [card for card, where in enumerate(deck) if where == IN_DECK]
        if not left:
            return None, deck
        return left[number], [OUT if card == left[number] else where for card, where in enumerate(deck)]

    def lay_shadows(self, number: int, most: int) -> None:
        """Lay Shadows where none lies, as many as there are tokens for."""
        for turn in range(most):
            empty = [spot for spot, token in enumerate(self.shadow) if token < 0]
            due = turn < number and bool(empty)
            token, self.shadow_pool = self.top(self.shadow_pool, "shadow", due)
            if due:
                self.shadow[empty[0]] = -1 if token is None else token

    def look_round(self, active: int) -> None:
        """Turn over each Shadow that a hero sees."""
        pool = self.scene.shadows
        if pool is None:
            return
        crowded = {self.bodies[place].area for place in self.foes()}
        seen = [any(self.map.hero_sees(self.heroes[hero].area, int(area), crowded) for hero in self.in_play())
                for area in pool.areas]  # fmt: skip
        told = False
        for spot, sees in enumerate(seen):
            token = self.shadow[spot] if sees else -1
            if token >= 0:
                self.shadow[spot], self.shadow_pool[token] = -1, DISCARDED
                self.count(self.what(token))
            what = self.what(token)
            told = told or what == "moment"
            for number in range(int(pool.enemies.max())):
                self.lurker(what, number, int(pool.areas[spot]), active)
        if pool.story >= 0:
            self.tell(pool.story if told else -1, active)

    def what(self, token: int) -> str:
        pool = self.scene.shadows
        assert pool is not None
        for name, flags in (("champion", pool.champion), ("quest enemy", pool.quest_enemy), ("moment", pool.moment)):
            if token >= 0 and flags[token]:
                return name
        return ("citizen", "enemy", "two enemies")[int(pool.enemies[token])] if token >= 0 else ""

    def lurker(self, what: str, number: int, area: int, active: int) -> None:
        """Bring in the first or second enemy of a token; without one only read what is asked for."""
        pool, free = self.scene.shadows, sum(body.card < 0 for body in self.bodies)
        assert pool is not None
        comes = number < {"enemy": 1, "champion": 1, "quest enemy": 1, "two enemies": 2}.get(what, 0)
        comes = comes and free >= int(self.scene.bestiary.minis.max())
        card, self.enemy_deck = self.top(self.enemy_deck, "shadow enemy", comes and what != "quest enemy")
        if number == 0 and pool.quest_enemy.any():
            named = self.until_named(comes and what == "quest enemy")
            card = named if named is not None else card
        body = self.enter(card, area, active)
        if number == 0 and pool.champion.any():
            self.draw_power(body if what == "champion" else None, "champion power")

    def until_named(self, draws: bool) -> int | None:
        """Turn up cards of enemies until one is the quest enemy's; what comes before it is discarded."""
        pool, order = self.scene.shadows, self.tape.take_all("quest enemy")
        assert pool is not None
        if not draws or not any(pool.quest_cards[card] and self.enemy_deck[card] != OUT for card in order):
            return None
        while True:
            for card in order:
                if self.enemy_deck[card] == IN_DECK:
                    self.enemy_deck[card] = OUT if pool.quest_cards[card] else DISCARDED
                    if pool.quest_cards[card]:
                        return card
            self.enemy_deck = [IN_DECK if where == DISCARDED else where for where in self.enemy_deck]

    def quarry(self, hero: int) -> int | None:
        """Return the area of the nearest Shadow, where a hero without an enemy in play goes."""
        pool = self.scene.shadows
        if pool is None or self.foes() or hero >= self.scene.n_heroes:
            return None
        ways = {spot: self.map.points(HERO, self.heroes[hero].area, int(pool.areas[spot]))
                for spot, token in enumerate(self.shadow) if token >= 0}  # fmt: skip
        near = min(ways, key=lambda spot: ways[spot], default=None)
        return None if near is None or ways[near] >= FAR else int(pool.areas[near])
