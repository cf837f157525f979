"""What the package was asked, as the second telling wants it: sides with their cards, a table with the rules, dice."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import balance
from balance.games.edadh.cards.command_cards import BattleMaster, Stratagem
from balance.games.edadh.cards.player_cards import Mix
from balance.games.edadh.cards.records import LEVELS, MasteryValue
from tests.games.edadh.led import Command, LedSide
from tests.games.edadh.reference import Side, Table


class Dice:
    """The dice that make the choices the package made, for one trial."""

    def __init__(self, faces: dict[str, list[int]]) -> None:
        self.faces = {name: list(shown) for name, shown in faces.items()}

    def __call__(self, faces: int, name: str) -> int:
        """Throw one die."""
        return self.many(faces, 1, name)[0]

    def many(self, faces: int, k: int, name: str) -> list[int]:
        """Throw k dice."""
        shown = self.faces[name]
        thrown, self.faces[name] = shown[:k], shown[k:]
        assert len(thrown) == k, f"the package was not asked for {name}"
        return thrown


def _fields(question: balance.Question, name: str) -> dict[str, Any]:
    inputs = question.setup.inputs[name]
    policy = question.setup.inputs["choices"][f"policy_{name}"]
    cards = inputs["troops"]
    ranks = [inputs[rank] for rank in ("front", "second", "third", "fourth") if inputs[rank]]
    mix = {"random": "even", "random-noretire": "even"}.get(policy, policy)
    return {
        "name": name,
        "columns": [[dict(cards[rank[c]]) for rank in ranks if len(rank) > c] for c in range(len(ranks[0]))],
        "weights": list(question.game.catalogue.entries(Mix)[mix].weights),
        "retires": policy != "random-noretire",
        "mp": inputs["mp"] or 50,
        "damage": inputs["damage"],
        "shaken": inputs["shaken"],
    }


def side_of(question: balance.Question, name: str) -> Side:
    """Return a side as it stands before a duel."""
    return Side(**_fields(question, name))


def afresh(side: Side) -> Side:
    """Return a side as it stood before the duel it is about to fight."""
    return replace(side, columns=[list(column) for column in side.columns], pile=[], up=[])


def led_side_of(question: balance.Question, name: str) -> LedSide:
    """Return a side with the cards behind it."""
    inputs, catalogue = question.setup.inputs[name], question.game.catalogue
    champion, standard = (
        catalogue.find(table, inputs[field]).model_dump() if inputs[field] else None
        for field, table in (("combat_master", "combat_masters"), ("standard", "standards"))
    )
    leader = catalogue.entries(BattleMaster).get(inputs["battle_master"] or "")
    deck = [card.model_dump() for card in catalogue.entries(Stratagem).values()] if leader else []
    return LedSide(**_fields(question, name), command=Command(champion, standard, leader.land if leader else 0, deck))


def table_of(question: balance.Question) -> Table:
    """Return the mastery cards, the readings and the numbers of a duel."""
    catalogue = question.game.catalogue
    inputs = question.setup.inputs
    level = inputs["situation"]["level"]
    named = inputs["situation"]["terrain"] or inputs["a"]["terrain"] or inputs["b"]["terrain"]
    terrain: dict[str, Any] = {}
    if named not in (None, "none"):
        card = catalogue.find("terrain", named).model_dump()
        terrain = {s: {lv: (card[f"{s}_{lv}_modifier"], card[f"{s}_{lv}_protection"]) for lv in LEVELS} for s in "ab"}
    mastery = {int(cv): card.model_dump() for cv, card in catalogue.entries(MasteryValue).items()}
    standard = "standard" in (inputs["a"]["movement"], inputs["b"]["movement"])
    levels = [level] if level else ["ballistic", "ballistic", "charge", "melee"] if standard else ["melee"]
    limit = inputs["situation"]["max_periods"] or 60
    return Table(mastery, inputs["rules"], levels, terrain, max_periods=limit)
