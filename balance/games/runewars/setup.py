"""From what was asked to attacks that are ready to be made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from balance.base.arrays import IntArray
from balance.base.errors import Fault, RulesError
from balance.catalogue import Catalogue
from balance.chance.rolls.process import Process, State
from balance.game.kit import never
from balance.game.setup import Asked, Setup
from balance.games.runewars.cells import ICONS, Amount, parse_amount
from balance.games.runewars.rules.attack import Attack, Strike, attack_steps, law_steps, start_of, start_of_law
from balance.games.runewars.rules.dice import Die, Hand
from balance.games.runewars.rules.formation import Contact, figures_of, trays_with_figure
from balance.games.runewars.rules.harm import Harm, Target, harm
from balance.games.runewars.rules.rerolls import Rerolls
from balance.games.runewars.rules.runes import Runes, rune_kinds
from balance.games.runewars.rules.surges import Purchase, Spends
from balance.games.runewars.ruleset import Switches
from balance.games.runewars.sides import Side
from balance.games.runewars.situation import AttackSituation
from balance.games.runewars.tables import Condition, Face, Rune

COLOURS = ("red", "blue", "white")


@dataclass(frozen=True)
class Workshop:
    """What attacks are made of beside the sides: dice by colour, runes, conditions, rule options."""

    dice: Mapping[str, Die]
    catalogue: Catalogue
    rules: Switches

    @classmethod
    def of(cls, catalogue: Catalogue, rules: Switches) -> Workshop:
        """Return the workshop of a catalogue, with the dice that its faces make up."""
        faces = catalogue.entries(Face).values()
        dice = {colour: Die(colour, tuple(f.results for f in faces if f.die == colour)) for colour in COLOURS}
        return cls(dice, catalogue, rules)

    def strike(
        self, side: Side, attack: str, contact: Contact, policies: Mapping[str, str], lasts: bool, more_surges: int = 0
    ) -> Strike:
        """Return a side's "melee" or "ranged" attack, made once or in a fight that `lasts`, in which trays change.

        Policies are those of `rerolls`, `surges` and `accuracy`; at most `more_surges` join those of its dice.
        """
        numbers = {
            c: parse_amount(str(side.stance_value(c, getattr(side.entrant.unit, f"{attack}_{c}")))) for c in COLOURS
        }
        amounts = {colour: amount for colour, amount in numbers.items() if amount != Amount(0)}
        hand = Hand(tuple((self.dice[c], amount.number + self.max_runes(amount.rune)) for c, amount in amounts.items()))
        more_icons = {"hit": side.stance.add_hits, "mortal_strike": side.stance.add_mortal_strikes}
        abilities = side.surges(attack, self.rules.unique_surges == "each_card")
        max_surges = hand.n_dice * int(hand.icons[:, ICONS.index("surge")].max()) + more_surges
        accuracy: Harm = "upgrade" if policies["accuracy"] == "upgrade" else "unit"
        n_full, one_more = side.most_ranks_behind(lasts)
        precise = side.value_of("precise")
        return Strike(
            hand=hand,
            numbers=tuple(amounts.values()),
            formation=side.formation,
            contact=contact,
            brutal=parse_amount(side.value_of("brutal")),
            lethal=side.value_of("lethal"),
            when_ready=(side.when_ready("brutal"), side.when_ready("lethal")),
            precise=precise,
            n_rerolls=n_full + precise,
            rolls_one_again=one_more,
            more_icons=tuple(more_icons.get(icon, 0) for icon in ICONS),
            purchase=Purchase(abilities, max_surges),
            rerolls=Rerolls(policies["rerolls"]),  # type: ignore[arg-type]
            spends=Spends(policies["surges"]),  # type: ignore[arg-type]
            accuracy=accuracy,
            lethal_needs_damage=self.rules.lethal_without_damage == "needs_damage",
        )

    def target(self, side: Side, attackers: tuple[Strike, ...]) -> Target:
        """Return a side as it defends; conditions are those that matter to its attackers, or that it has."""
        abilities = [ability for strike in attackers for ability in strike.purchase.abilities]
        names = {name for ability in abilities for name in (ability.effect, ability.condition)}
        names |= set(side.stance.conditions)
        matter = {name: card for name, card in self.catalogue.entries(Condition).items() if name in names}
        return Target(
            formation=side.formation,
            defence=parse_amount(side.value_of("defence")),
            protection=side.value_of("protected"),
            mortal_ward=side.value_of("mortal_ward"),
            guard_rerolls=parse_amount(side.value_of("guard_rerolls")),
            figure_defence=side.stance_value("upgrade_defence", side.figure.figure_defence if side.figure else 1),
            figure_slots=side.figure_slots,
            is_central=side.stance.upgrade_place == "centre",
            conditions=tuple((name, card.added_damage) for name, card in matter.items()),
        )

    def max_runes(self, kind: str) -> int:
        """Return the most runes of a kind that a throw can show; 0 where no kind is named."""
        return Runes(self.tokens, (kind,)).max_runes(kind) if kind else 0

    @property
    def tokens(self) -> tuple[tuple[str, str], ...]:
        """The runes, each with what its two sides show."""
        return tuple((rune.one, rune.other) for rune in self.catalogue.entries(Rune).values())

    def runes(self, *attacks: Attack, beside: tuple[Amount, ...] = ()) -> Runes:
        """Return the runes, with the kinds that matter to attacks or to other amounts, `beside`."""
        amounts = [
            amount
            for attack in attacks
            for amount in (
                *attack.strike.numbers,
                attack.strike.brutal,
                attack.target.defence,
                attack.target.guard_rerolls,
            )
        ]
        return Runes(self.tokens, rune_kinds([*amounts, *beside]))


def contact_of(rules: Switches, edges: tuple[Any, ...], touches: tuple[Any, ...], names: tuple[str, str]) -> Contact:
    """Return where the enemy stands; how it touches a partial rank is said once for all edges, or once for each.

    Raise RulesError if it is said neither once nor as often as there are edges; `names` are the two fields in the
    fault.
    """
    if len(touches) not in (1, len(edges)):
        rule = f"one for all edges, or one for each of {', '.join(edges)}"
        raise RulesError(Fault("do not fit the edges", "§set situation", None, names[1], ",".join(touches), rule))
    touch_of_edge = touches if len(touches) == len(edges) else touches * len(edges)
    return Contact(tuple(zip(edges, touch_of_edge, strict=True)), rules.partial_rank_threat == "amended")


def context_at_start(attacker: Side, attack: Attack, defender: Side) -> State:
    """Return the context of an attack, one value for all trials, when both sides are as they begin."""
    context = {"trays": attacker.trays, "left": defender.health}
    context |= {"upgrade": defender.figure_health} if defender.figure_health else {}
    context |= {"ready": 1} if any(attack.strike.when_ready) else {}
    context |= {condition: int(condition in defender.stance.conditions) for condition, _ in attack.target.conditions}
    return {name: np.asarray(value, np.int16) for name, value in context.items()}


def attack_setup(question: Asked[Switches, AttackSituation, Side]) -> Setup[tuple[Attack, Runes, State]]:
    """Prepare one attack (ledger level A).

    Raise RulesError for a ranged attack of a unit that has none, and for contact that does not fit.
    """
    shop, situation = Workshop.of(question.catalogue, question.rules), question.situation
    attacker, defender = question.sides["attacker"], question.sides["defender"]
    contact = contact_of(question.rules, situation.edges, situation.touches_partial, ("edges", "touches_partial"))
    shot = situation.attack == "ranged"
    policies = {of: question.choices[f"attacker_{of}"] for of in ("rerolls", "surges", "accuracy")}
    strike = shop.strike(attacker, situation.attack, Contact(()) if shot else contact, policies, lasts=False)
    if shot and not attacker.shoots and not strike.hand.dice:
        raise RulesError(Fault("has no ranged attack", "attacker", found=attacker.entrant.unit.id, allowed="melee"))
    attack = Attack(strike, shop.target(defender, (strike,)))
    return Setup((attack, shop.runes(attack), context_at_start(attacker, attack, defender)), question.inputs())


def attack_processes(setup: Setup[tuple[Attack, Runes, State]], lane: str = "literal") -> tuple[Process, ...]:
    """Return one attack as a process: rolled as it is read, or, in the lane "compiled", with fewer states."""
    attack, runes, context = setup.play
    is_law = lane == "compiled"
    steps, start = (law_steps(attack), start_of_law(attack)) if is_law else (attack_steps(attack), start_of(attack))
    no_runes = {kind: np.asarray(0, np.int16) for kind in runes.kinds}
    throws = (runes.throw,) if runes.kinds else ()
    return (
        Process(
            {**start, **context, **no_runes},
            (*throws, *steps),
            never,
            partial(_outcome, attack),
            len(steps) + len(throws),
        ),
    )


def attack_law_processes(
    setup: Setup[tuple[Attack, Runes, State]], lane: str, columns: tuple[str, ...]
) -> tuple[Process, ...]:
    """Return one attack as its exact distribution is worked out, with all its columns."""
    return attack_processes(setup, "compiled")


def _outcome(attack: Attack, state: State, steps: IntArray) -> State:
    losses = harm(attack.target, attack.strike.accuracy, state, state)
    formation, upgrade = attack.target.formation, state.get("upgrade", np.zeros_like(state["left"]))
    health, figure_health = state["left"] - losses["wounds"], upgrade - losses["upgrade_wounds"]
    slots = attack.target.figure_slots
    trays = [
        trays_with_figure(formation, *healths, slots) for healths in ((state["left"], upgrade), (health, figure_health))
    ]
    return {
        **{name: state[name] for name in ("hits", "surges", "accuracy", "mortal_strikes", "morale", "damage")},
        "wounds": losses["wounds"],
        "figures_lost": figures_of(formation, state["left"]) - figures_of(formation, health),
        "trays_lost": trays[0] - trays[1],
        "upgrade_wounds": losses["upgrade_wounds"],
        "destroyed": ((health == 0) & (figure_health == 0)).astype(np.int16),
    }
