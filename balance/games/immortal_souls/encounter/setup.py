"""From a party and an encounter, as they were asked, to a scene that is ready to be played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from balance.base.arrays import BoolArray, IntArray
from balance.base.errors import Fault, RulesError
from balance.catalogue import Catalogue
from balance.game.armies.armies import Army
from balance.game.setup import Asked, Setup
from balance.games.immortal_souls.encounter.board.activation import ALL_ENEMIES, Call, Cards
from balance.games.immortal_souls.encounter.board.areas import FAR
from balance.games.immortal_souls.encounter.board.decks import IN_DECK, OUT
from balance.games.immortal_souls.encounter.board.events import EventCards
from balance.games.immortal_souls.encounter.board.quest import board_of, events_of, places_of
from balance.games.immortal_souls.encounter.board.shadow_pool import ShadowPool, pool_of
from balance.games.immortal_souls.encounter.board.victims import Scrolls
from balance.games.immortal_souls.encounter.party.fighters import Party
from balance.games.immortal_souls.encounter.party.muster import MOST_RANK, Arsenal, beasts_of, party_of
from balance.games.immortal_souls.encounter.party.options import EncounterSituation
from balance.games.immortal_souls.encounter.party.powers import powers_of
from balance.games.immortal_souls.encounter.party.weaponry import Attacks, Weaponry
from balance.games.immortal_souls.encounter.policies import Kill
from balance.games.immortal_souls.encounter.scene import Scene
from balance.games.immortal_souls.rules.harm import CONDITIONS, REDS
from balance.games.immortal_souls.rules.strike import FIRES, Attack
from balance.games.immortal_souls.ruleset import Switches
from balance.games.immortal_souls.sides import Side
from balance.games.immortal_souls.tables.board import (
    STEPS,
    Encounter,
    EncounterCard,
    Scroll,
    parse_placed,
    parse_sentence,
)
from balance.games.immortal_souls.tables.cards import Enemy
from balance.games.immortal_souls.tables.tables import constants_of
from balance.games.immortal_souls.workshop import Workshop

MOST_BODIES = 16
"""Miniatures of enemies that may be in play."""


def _fit(minis: Sequence[int]) -> None:
    """Raise RulesError if more than MOST_BODIES miniatures of enemies stand at the start."""
    if sum(minis) > MOST_BODIES:
        total, limit = str(sum(minis)), f"at most {MOST_BODIES}"
        raise RulesError(Fault("are too many miniatures of enemies", "§set encounter", None, "enemies", total, limit))


def encounter_setup(question: Asked[Switches, EncounterSituation, Any]) -> Setup[Scene]:
    """Prepare an encounter (ledger level C); raise RulesError if too many miniatures are in play at the start."""
    party: Army[Side] = question.sides["heroes"]
    encounter: Encounter = question.sides["encounter"].card
    catalogue, situation = question.catalogue, question.situation
    shop, constants = Workshop.of(question), constants_of(question.catalogue)
    is_large_party = len(party.units) >= constants.party.many
    ids = [parse_placed(text) for text in (*encounter.enemies, *(encounter.enemies_many * is_large_party))]
    kinds = enemies_of(catalogue, [*(placement.enemy for placement in ids), *encounter.deck])
    _fit([catalogue.entries(Enemy)[placement.enemy].minis for placement in ids])
    arsenal = Arsenal(shop, [], [], [], [], [])
    heroes = party_of(arsenal, party.units, MOST_RANK if situation.rank_up else 1)
    powers, bits, variants = powers_of(catalogue, kinds, question.rules, champions=bool(encounter.shadows))
    numbers, scrolls, (programs, sentences, shoots), within = _scrolls(catalogue, kinds)
    beasts = beasts_of(arsenal, kinds, variants, bits, numbers, within, is_large_party)
    board, names = board_of(catalogue, encounter, constants.board)
    events = events_of(catalogue, encounter, len(party.units), situation.spawn_shift)
    hero_attacks, enemy_attacks = _attacks(arsenal, shop)
    marks = _possible_marks(hero_attacks, enemy_attacks, heroes, FIRES if encounter.fires else ())
    weaponry = Weaponry(
        hero_attacks=hero_attacks, enemy_attacks=enemy_attacks, guards=tuple(arsenal.defences), marks=marks,
        party=heroes, bestiary=beasts, powers=powers, events=events, constants=constants.attack,
        to_kill=isinstance(question.policies.get("heroes"), Kill),
    )  # fmt: skip
    cards = _deck(kinds, encounter, [(placement.enemy, names.index(placement.area)) for placement in ids])
    shadows = pool_of(catalogue, encounter, names, len(party.units), [kinds[n].id for n in cards["kind_of"][:-1]])
    scene = Scene(
        party=heroes, bestiary=beasts, powers=powers, board=board, area_names=tuple(names),
        weaponry=weaponry, bag=shop.bag, cards=_cards(catalogue),
        card_names=tuple(card.name for card in _encounter_cards(catalogue)),
        strike_names=tuple(arsenal.hero_names), scrolls=scrolls, programs=programs, sentences=sentences, shoots=shoots,
        events=events, **places_of(catalogue, encounter, names, shop.faces["blue"]), **cards,
        shadows=shadows, n_bodies=_most_bodies(len(ids), len(party.units), events, shadows, cards["kind_of"], kinds),
        goal=encounter.goal, n_rounds=encounter.rounds or 0, round_limit=situation.round_limit,
        souls=situation.soul_points, rank_up=situation.rank_up, enemy_turns=situation.enemy_turns, rules=question.rules,
        constants=constants, from_many=constants.party.many, marks=marks,
        empty_body={"e_card": -1, "e_area": board.off_map, "e_from": board.off_map, "e_owner": -1},
        policies=dict(question.policies),
        lost_actions=(party.lost_actions or 0, question.sides["encounter"].lost_actions),
    )  # fmt: skip
    return Setup(scene, question.inputs())


def _most_bodies(
    at_start: int,
    heroes: int,
    events: EventCards,
    shadows: ShadowPool | None,
    kind_of: IntArray,
    kinds: Sequence[Enemy],
) -> int:
    """Return an upper bound of the miniatures of enemies in play at a time, at most MOST_BODIES."""
    n_cards = max(at_start, heroes + max([0, *events.spawn_few, *events.spawn_many])) + int(events.spawns.sum())
    if shadows is not None:
        n_cards = min(n_cards + len(shadows.areas) * int(shadows.enemies.max()), len(kind_of) - 1)
    return min(int(n_cards) * max(enemy.minis for enemy in kinds), MOST_BODIES)


def enemies_of(catalogue: Catalogue, names: Sequence[str]) -> list[Enemy]:
    """Return the kinds of enemies of these ids, each once, and the other sides of Masters after them."""
    enemies = catalogue.entries(Enemy)
    other_sides = [enemies[name].other_side for name in names]
    return [enemies[name] for name in dict.fromkeys((*names, *(name for name in other_sides if name)))]


def _encounter_cards(catalogue: Catalogue) -> list[EncounterCard]:
    return [card for card in catalogue.entries(EncounterCard).values() for _ in range(card.copies)]


def _cards(catalogue: Catalogue) -> Cards:
    def call(group: str, number: int | None) -> Call:
        return Call("any", 0) if group == "none" else Call(group, ALL_ENEMIES if number is None else number)

    cards = _encounter_cards(catalogue)
    return Cards(
        tuple(call(card.who, card.number) for card in cards),
        tuple(None if card.otherwise == "none" else call(card.otherwise, card.otherwise_number) for card in cards),
        tuple(card.reshuffle for card in cards),
    )


def _scrolls(
    catalogue: Catalogue, kinds: Sequence[Enemy]
) -> tuple[dict[str, int], Scrolls, tuple[IntArray, IntArray, BoolArray], list[int]]:
    """Return scroll numbers by id, distances, (steps, sentences, which shoot) of rules, and the range of each."""
    names = list(dict.fromkeys(enemy.scroll for enemy in kinds))
    all_rules = sorted(catalogue.entries(Scroll).values(), key=lambda rule: rule.order)
    rules = [[rule for rule in all_rules if rule.scroll == name] for name in names]
    steps = [[[(STEPS.index(step), place) for place, text in enumerate(rule.do) for step in parse_sentence(text)]
              for rule in scroll_rules] for scroll_rules in rules]  # fmt: skip
    longest = max(len(rule) for scroll_rules in steps for rule in scroll_rules)
    shape = len(names), max(map(len, rules)), longest
    programs, sentences = np.full(shape, -1), np.zeros(shape, np.int64)
    for scroll, scroll_rules in enumerate(steps):
        for rule, codes in enumerate(scroll_rules):
            for place, (code, sentence) in enumerate(codes):
                programs[scroll, rule, place], sentences[scroll, rule, place] = code, sentence
    distances = Scrolls.of(
        [[{int(text) for text in rule.distances} for rule in scroll_rules if "+" not in rule.distances]
         for scroll_rules in rules]
    )  # fmt: skip
    within = [max([0, *(int(text) for rule in scroll_rules if "+" not in rule.distances and "attack" in "".join(rule.do)
                        for text in rule.distances)]) for scroll_rules in rules]  # fmt: skip
    numbers = {name: number for number, name in enumerate(names)}
    return numbers, distances, (programs, sentences, _shoots(rules)), within


def _shoots(rules: Sequence[Sequence[Scroll]]) -> BoolArray:
    """Return whether the first rule holding at a distance attacks without a move, `bool[scrolls, FAR + 1]` (IS-Q23)."""
    table = np.zeros((len(rules), FAR + 1), bool)
    for scroll, scroll_rules in enumerate(rules):
        for rule in reversed(scroll_rules):
            distances = [int(text) for text in rule.distances if text != "+"]
            table[scroll, distances] = parse_sentence(rule.do[0])[0] in ("attack", "attack_off")
    return table


def _deck(kinds: Sequence[Enemy], encounter: Encounter, start_enemies: Sequence[tuple[str, int]]) -> dict[str, Any]:
    """Return `kind_of`, `returns`, `other_side`, `start_cards` and `deck` of a `Scene`.

    The other side of a Master is a card of its own, which is out of the deck.
    """
    names, cards = [enemy.id for enemy in kinds], list[int]()
    firsts: dict[str, int] = {}
    for number, enemy in enumerate(kinds):
        firsts[enemy.id] = len(cards)
        at_start = sum(name == enemy.id for name, _ in start_enemies)
        cards += [number] * max(at_start, enemy.copies if enemy.id in encounter.deck else 0)
    fronts = [card for card, number in enumerate(cards) if kinds[number].other_side]
    other_side = np.full(len(cards) + len(fronts), -1)
    other_side[fronts] = len(cards) + np.arange(len(fronts))
    deck = np.full(len(other_side), IN_DECK, np.int8)
    deck[len(cards) :] = OUT
    cards += [names.index(str(kinds[cards[card]].other_side)) for card in fronts]
    at: list[tuple[int, int]] = []
    for name, area in start_enemies:
        card = firsts[name] + sum(enemy_id == name for enemy_id, _ in start_enemies[: len(at)])
        deck[card] = OUT
        at.append((card, area))
    returns = np.array(
        [kinds[number].id in encounter.deck and kinds[number].rank in ("green", "blue") for number in cards]
    )
    return {"kind_of": np.array([*cards, len(names)]), "returns": returns, "other_side": other_side,
            "start_cards": tuple(at), "deck": deck}  # fmt: skip


def _attacks(arsenal: Arsenal, shop: Workshop) -> tuple[Attacks, Attacks]:
    """Return the attacks of heroes on kinds of enemies, and of enemies on heroes, nested by attack and defender."""
    return tuple(
        [[Attack(strike, (guard[kind],), shop.bag, shop.rules) for guard in guards] for strike, kind in strikes]
        for strikes, guards in (
            (arsenal.hero_strikes, arsenal.enemy_guards),
            (arsenal.enemy_strikes, arsenal.hero_guards),
        )
    )  # type: ignore[return-value]


def _possible_marks(
    heroic: Attacks, hostile: Attacks, heroes: Party, ablaze: tuple[str, ...]
) -> dict[str, tuple[str, ...]]:
    """Return which conditions, criticals and fire may befall enemies, "e", and heroes, "h"; areas burn `ablaze`."""
    begins = [name for name, has in heroes.begins.items() if has.any()]
    hidden = ("hidden",) if heroes.hides.any() else ()
    return {"e": _marks(heroic, ablaze), "h": (*_marks(hostile, (*begins, *ablaze)), *hidden)}


def _marks(attacks: Attacks, begins: Sequence[str]) -> tuple[str, ...]:
    """Return which conditions, criticals and fire tokens a side may have, by these attacks or at the start."""
    may = {name for row in attacks for attack in row for name in (*attack.inflicts, *attack.burns)} | set(begins)
    may |= {"fire1"} if "fire2" in may else set()
    return tuple(name for name in (*CONDITIONS, *REDS, *FIRES) if name in may)
