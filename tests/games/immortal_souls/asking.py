"""The package asked about an attack or a duel that the second telling tells: every field that matters is set."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import balance
from balance.game.loaded import LoadedGame
from balance.game.registry import shipped_folder
from balance.games.immortal_souls import GAME
from tests.games.immortal_souls.instances import AttackCase, DuelCase, written
from tests.games.immortal_souls.reference import Attack, Defender
from tests.games.immortal_souls.reference_spending import RESULTS, Game, Token

IMMORTAL_SOULS = balance.load(GAME)
TOKENS = ("light_wound", "deep_wound", "broken_armour", "graze")
HERO, ENEMY = "ecarus", "green_gremlin"
SWITCHES: dict[str, tuple[str, dict[str, str]]] = {
    "Q2": ("effects_need_a_hit", {"no hit needed": "false", "a hit": "true"}),
    "Q3": ("resistance_takes", {"attacker_chooses": "attackers_choice"}),
    "Q4": ("weakness_without_hits", {"no": "false", "yes": "true"}),
    "Q5": ("lethal_effects", {"sum": "add"}),
    "Q7": ("untyped_is_all_but", {"reduced": "true", "not": "false"}),
    "Q8": ("bonus_hits_are_hits", {"no": "false", "yes": "true"}),
    "Q21": ("knocked_out_again", {}),
    "Q35": ("critical_tokens", {"each": "each_defender"}),
    "Q39": ("repeated_condition_wounds", {"no": "false", "yes": "true"}),
    "Q40": ("stunned_knocked_out_stands_up", {"no": "false", "yes": "true"}),
    "Q44": ("lesser_critical", {}),
    "Q45": ("failed_save_turns_power", {"no": "false", "yes": "true"}),
    "supremacy": ("supremacy_over_knocked_out", {"no": "false", "yes": "true"}),
}


def rules(game: Game) -> dict[str, Any]:
    """Return the options as overrides."""
    found = {}
    for question, reading in game.options:
        name, words = SWITCHES[question]
        found[f"rules.{name}"] = words.get(reading, reading)
    return found


def attacking(attack: Attack, prefix: str = "") -> dict[str, Any]:
    dice = {f"{prefix}{name}": getattr(attack, name) for name in ("sure", "red", "blue", "damage_type")}
    return {**dice, f"{prefix}effects": written(attack.effects) or "none"}


def defending(defender: Defender) -> dict[str, Any]:
    state = defender.state
    return {
        "armour": defender.armour,
        "shields": state.shields,
        "defence_dice": defender.defence_dice,
        "modifiers": ",".join(f"{kind}:{change:+d}" for kind, change in defender.modifiers) or "none",
        "ko": state.ko,
        "poison": state.poison,
        "defence_effects": written(defender.effects) or "none",
    }


def of(side: str, *fields: dict[str, Any]) -> dict[str, Any]:
    return {f"{side}.{name}": value for found in fields for name, value in found.items()}


def loaded_with(game: Game, folder: Path) -> LoadedGame:
    """Return the package with other dice and another bag of criticals, its catalogue written to a folder."""
    shutil.copytree(shipped_folder(GAME), folder)
    faces = [f"{die}_{n},{die},{face.replace(' ', ';')}" for die in ("red", "blue")
             for n, face in enumerate(getattr(game, die), 1)]  # fmt: skip
    tokens = []
    kinds = [*game.bag, *(Token(0),) * 4][:4]
    for name, (there, wounds, armour, hits, health, condition, silences) in zip(TOKENS, kinds, strict=True):
        colour = "blue" if condition else "red" if armour or hits or health or silences else "green"
        numbers = f"{there},{wounds},{armour},{hits},{health}"
        tokens.append(f"{name},A token,{colour},{numbers},{condition or 'none'},{str(silences).lower()}")
    head = "id,name,colour,tokens,wounds,armour,hits,max_health,condition,silences"
    (folder / "faces.csv").write_text("\n".join(["id,die,results", *faces, ""]))
    (folder / "criticals.csv").write_text("\n".join([head, *tokens, ""]))
    return balance.load(GAME, folder)


def ask_attack(case: AttackCase, game: LoadedGame = IMMORTAL_SOULS) -> balance.Question:
    """Ask about an attack; each target has its own fields."""
    attack, targets = case.attack, case.targets
    changes = rules(case.game) | of("attacker", attacking(attack), {"bonus_hits": attack.bonus_hits})
    for place, target in enumerate(targets, 1):
        changes |= of(f"defender.{place}" if len(targets) > 1 else "defender", defending(target))
    if attack.roll:
        changes["situation.roll"] = ",".join(
            result for result, n in zip(RESULTS, attack.roll, strict=True) for _ in range(n)
        )
    one, other = (HERO, ENEMY) if len(attack.effects) % 2 else (ENEMY, HERO)  # who it is makes no difference
    choices = {"attacker_spending": attack.spending, "defender_spending": targets[0].spending}
    return game.ask("attack", one, ",".join([other] * len(targets)), changes, **choices)


def ask_duel(case: DuelCase, game: LoadedGame = IMMORTAL_SOULS) -> balance.Question:
    """Ask about a duel."""
    changes = rules(case.rules.game)
    for side, fighter in (("a", case.a), ("b", case.b)):
        plain = {name: getattr(fighter, name) for name in ("health", "combat_activities", "fire1", "fire2")}
        plain["bonus_hits"] = fighter.weapon.bonus_hits
        changes |= of(side, plain, attacking(fighter.weapon), defending(fighter.defender))
    power = case.a.power or Attack()
    changes |= of("a", {"save": case.a.save, "focus": case.a.focus, "power_cooldown": case.a.cooldown})
    changes |= of("a", attacking(power, "power_"))
    changes |= {
        "situation.round_limit": case.rules.round_limit,
        "situation.activation_chance": case.rules.activation_chance,
        "situation.enemy_turns": case.rules.enemy_turns,
    }
    choices = {f"{side}_spending": one.weapon.spending for side, one in (("a", case.a), ("b", case.b))}
    choices |= {f"{side}_defence": one.defender.spending for side, one in (("a", case.a), ("b", case.b))}
    return game.ask("duel", HERO, ENEMY, changes, **choices)


def distribution_of(question: balance.Question, columns: Iterable[int]) -> dict[tuple[int, ...], Fraction]:
    distribution, found = question.distribution, dict[tuple[int, ...], Fraction]()
    for row, weight in zip(distribution.outcomes.tolist(), distribution.weights.tolist(), strict=True):
        outcome = tuple(row[column] for column in columns)
        found[outcome] = found.get(outcome, Fraction(0)) + Fraction(weight) / Fraction(distribution.total)
    return found


def our_attack(case: AttackCase, game: LoadedGame = IMMORTAL_SOULS) -> dict[tuple[int, ...], Fraction]:
    """Return the package's distribution of an attack."""
    return distribution_of(ask_attack(case, game), range(13))


def our_duel(case: DuelCase, game: LoadedGame = IMMORTAL_SOULS) -> dict[tuple[int, ...], float]:
    """Return the package's distribution of a duel."""
    return {end: float(p) for end, p in distribution_of(ask_duel(case, game), range(4)).items()}
