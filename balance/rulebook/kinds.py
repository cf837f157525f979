"""What a game file can be asked: one attack, attacks until the target is out, a duel, a battle of armies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from balance.base.arrays import IntArray
from balance.base.errors import Fault, RulesError
from balance.chance.exact.chains import Chains, Run
from balance.chance.rolls.process import Process, State
from balance.chance.rolls.rolls import Policy, Rolls
from balance.game import Asked, Column, EntrantKind, PolicyKind, QuestionKind, kit
from balance.game.kit.combat.best_play import solve_in_turns
from balance.game.kit.combat.members import any_place
from balance.game.kit.combat.outcome import winner
from balance.game.solution import Method, Solution
from balance.rulebook.play.choices import Takes
from balance.rulebook.play.crowd import Crowd
from balance.rulebook.play.every_trial import EveryTrial
from balance.rulebook.play.rounds import steps_of
from balance.rulebook.play.rules import MOST_ATTACKS, MOST_ROUNDS, Rules, policy_name, ready_rules
from balance.rulebook.play.turns import Player
from balance.rulebook.play.units import Fight
from balance.rulebook.text import Rulebook
from balance.rulebook.text.records import ArmyList, unit_record_of

IN_TURN = ("alternate", "activations", "attacker only")
"""Orders in which sides act one after the other."""


def kinds_of(book: Rulebook) -> dict[str, QuestionKind]:
    """Return the questions that the game of a file answers, by name: attack, duel, battle, and kill if units can fall.

    `CatalogueError` with one fault per line whose expression makes no sense.
    """
    rules = ready_rules(book)
    unit = kit.cards_of("units", unit_record_of(book), "unit")
    kinds = [_attack_kind(rules, unit), *_kill_kinds(rules, unit), *_duel_kinds(rules, unit)]
    return {kind.name: kind for kind in kinds}


def setup_of(rules: Rules, asked: Asked[Any, Any, Any]) -> Fight:
    """Return the setup of a question: its armies, numbers and policies; a single unit is an army of one."""
    numbers = {**asked.catalogue.constants.model_dump(), **asked.rules.model_dump()}
    policies = {side: _policy(rules, side, asked.choices) for side in asked.sides} if asked.choices else {}
    values = {name: int(value) for name, value in numbers.items()}
    return Fight(rules, kit.Armies.of(asked.sides), values, asked.first, policies, True, asked.inputs())


# -- one attack, and attacks until the target is out ------------------------------------------------------------------


def _attack_kind(rules: Rules, unit: EntrantKind) -> QuestionKind:
    return QuestionKind(
        "attack",
        ("attacker", "defender"),
        (unit, unit),
        _one_attack,
        _attack_columns(rules),
        partial(setup_of, rules),
        asks="what one attack does",
        played="One attack by the steps of the file; nobody wins.",
        cannot_see=("What comes before and after: turns, choices, strikes back.",),
    )


def _attack_columns(rules: Rules) -> dict[str, Column]:
    """Return the columns of an attack: what the foe loses, then the growth of every other value that it sets."""
    columns = dict[str, Column]()
    for column, (name, _) in rules.changes_reported.items():
        owner, _, value = name.partition(".")
        whose = "the attacker" if owner == "me" else "the defender"
        if column == "damage":
            columns[column] = Column(_effect_words(rules), "effect", per="attack")
        elif column == "loss":
            columns[column] = Column(f"{rules.book.health} that the attacker loses", "loss")
        else:
            columns[column] = Column(f"by how much {value} of {whose} grows")
    return columns


def _effect_words(rules: Rules) -> str:
    name = rules.effect
    if name == f"foe.{rules.book.health}":
        return f"{rules.book.health} lost"
    return name.partition(".")[2].replace("_", " ") or name.replace("_", " ")


def _one_attack(fight: Fight, lane: str) -> tuple[Process, ...]:
    """Return one attack as a process with a step for each roll; both units start as printed on their cards."""
    fight, columns = fight.rolled(lane), fight.rules.changes_reported
    script = fight.rules.attack
    parts, before = script.parts if fight.is_rolled else (script,), fight.env_at_start(script)
    reported = {name for name, _ in columns.values()}
    names = [*dict.fromkeys(name for part in parts for name in part.gives)]
    later = [reported.union(*(part.needs for part in parts[number:])) for number in range(1, len(parts) + 1)]

    def step(number: int, state: State, rolls: Rolls) -> State:
        given = {name for part in parts[:number] for name in part.gives}
        env = before | {name: values for name, values in state.items() if name in given}
        env = fight.play(parts[number], env, rolls, fight.sides[0], None)
        kept = {name: env.get(name, 0) if name in later[number] else 0 for name in names}
        return {name: np.broadcast_to(np.asarray(value, np.int16), rolls.n) for name, value in kept.items()}

    def outcome(state: State, steps: IntArray) -> State:
        return {column: sign * (state[name] - before.get(name, 0)) for column, (name, sign) in columns.items()}

    steps = [partial(step, number) for number in range(len(parts))]
    return (replace(kit.once(dict.fromkeys(names, 0), steps, ()), outcome=outcome),)


def _kill_kinds(rules: Rules, unit: EntrantKind) -> list[QuestionKind]:
    """Return the question how many attacks take the target out; none if no attack changes a value of the foe."""
    if not rules.losses:
        return []
    kind = QuestionKind(
        "kill",
        ("attacker", "defender"),
        (unit, unit),
        _attacks,
        {"attacks": Column("attacks until the target is out", "duration")},
        partial(setup_of, rules),
        asks="how many attacks it takes until the target is out",
        unbounded=True,
        chains=_chains(lambda fight: _attacks(fight, "compiled")),
        played="One unit attacks again and again until its target, which does nothing, is out.",
        cannot_see=("What the target does meanwhile, and what the attacker loses.",),
    )
    return [kind]


def _attacks(fight: Fight, lane: str) -> tuple[Process, ...]:
    """Return attacks until the target is out, `MOST_ATTACKS` at most, as a process."""
    fight = fight.rolled(lane)
    (attacker, defender), player, attack = fight.sides, EveryTrial(fight), fight.rules.attack
    script = replace(attack, changes=fight.rules.losses)

    def step(state: State, rolls: Rolls) -> State:
        after = player.copied(state)
        player.play(after, player.unit(state, attacker, 0, None), script, rolls, attacker)
        return player.with_out(after)

    def is_over(state: State) -> Any:
        return ~any_place(fight.lives(state, defender))

    return (Process(fight.start(), (step,), is_over, lambda state, steps: {"attacks": steps}, MOST_ATTACKS),)


# -- duels and battles ------------------------------------------------------------------------------------------------


def _duel_kinds(rules: Rules, unit: EntrantKind) -> list[QuestionKind]:
    in_turn = rules.book.turns.alternates
    of_health = rules.book.health in rules.values
    health = kit.per_side(rules.book.health, f"{rules.book.health} {{me}} has left") if of_health else {}
    duel = QuestionKind(
        "duel",
        ("a", "b"),
        (unit, unit),
        fight_of,
        {
            "winner": kit.WINNER,
            "rounds": Column("rounds begun", "duration"),
            **health,
        },
        partial(setup_of, rules),
        asks="who wins a duel",
        unbounded=True,
        chains=_chains(lambda fight: _fought(EveryTrial(fight), fight.policies)),
        turn_orders=kit.TURN_ORDERS if in_turn else (),
        policies=_policies(rules),
        solve=_solved if rules.book.choices else None,
        played=_played(rules, "Two units"),
        cannot_see=("Room: everybody reaches everybody.",),
    )
    army = kit.army_lists("armies", ArmyList, unit, "units")
    battle = replace(
        duel,
        name="battle",
        takes=(army, army),
        solve=None,
        armies=kit.any_armies(unit, partial(setup_of, rules), fight_of, together=True),
        asks="who wins a battle of armies",
        played=_played(rules, "Two armies"),
    )
    return [duel, battle]


def fight_of(fight: Fight, lane: str) -> tuple[Process, ...]:
    """Return a fight as one process for each equally likely turn order."""
    fight = fight.rolled(lane)
    return _fought(EveryTrial(fight), fight.policies) if fight.is_fixed else _fought(Crowd(fight), {})


def _fought(player: Player, policies: Mapping[str, Policy]) -> tuple[Process, ...]:
    fight = player.fight
    start, orders = fight.start(), kit.orders(fight.first or "a")
    processes = []
    for first, second in (tuple(order) for order in orders):
        steps = steps_of(player, first, second)
        outcome = partial(_outcome, player, len(steps))
        processes.append(Process(start, steps, fight.is_over, outcome, len(steps) * MOST_ROUNDS, policies))
    return tuple(processes)


def _chains(processes: Callable[[Fight], tuple[Process, ...]]) -> Chains:
    """Return how the chains of fights that are alike are solved in one run for each turn order."""

    def runs(fights: Sequence[Fight]) -> list[Run]:
        fight = Fight.together(fights).rolled("compiled")
        return [Run(process, np.zeros(len(fights), np.int64)) for process in processes(fight)]

    return Chains(Fight.alike, id, runs)


def _solved(fight: Fight, method: Method, seed: int) -> Solution:
    """Return the optimal play of a duel, exact by backward induction; `RulesError` where sides do not act in turn."""
    book = fight.rules.book
    if book.turns.order not in IN_TURN:
        raise RulesError(Fault("is solved only where sides act in turn", tip=f"turns.order: {', '.join(IN_TURN)}"))
    options = {choice.name: tuple(choice.options) for choice in book.choices.values()}
    return solve_in_turns(fight_of(replace(fight, policies={}), "compiled"), fight.sides, options)


def _outcome(player: Player, steps_per_round: int, state: State, steps: IntArray) -> State:
    """Return the columns of a fight: winner, rounds begun (rounded up), and the health left on each side."""
    fight = player.fight
    stands = [any_place(fight.lives(state, side)) for side in fight.sides]
    scores = [player.score(state, side) for side in fight.sides] if "score" in fight.rules.singles else []
    margins = [scores[0] - scores[1]] if scores else []
    columns: State = {
        "winner": winner(stands[0], stands[1], *margins),
        "rounds": -(-steps // steps_per_round),
    }
    health = fight.rules.book.health
    if health in fight.rules.values:
        for side in fight.sides:
            columns[f"{side}_{health}"] = np.asarray(state[f"{side}_{health}"].sum(axis=1), np.int16)
    return columns


def _played(rules: Rules, who: str) -> str:
    """Return a sentence on the order of play and when a fight ends."""
    turns, ends = rules.book.turns, rules.book.ends
    order = {
        "alternate": "take turns",
        "activations": "take turns, one unit of each at a time,",
        "attacker only": "meet, of which the first alone attacks,",
        "simultaneous": "act at the same time",
        "initiative": "act in the order of their initiative, rolled each round",
    }[turns.order]
    rounds = ends.rounds if ends.rounds is not None else MOST_ROUNDS
    return f"{who} {order} until one side is out, for {rounds:,} rounds at most."


# -- choices ----------------------------------------------------------------------------------------------------------


def _policies(rules: Rules) -> Mapping[str, PolicyKind]:
    """Return the policies each side may be given for each choice: always one option, or a policy of the file."""
    kinds: dict[str, PolicyKind] = {}
    for choice in rules.book.choices.values():
        options = {option: f"always takes {option}, where it may" for option in choice.options}
        options |= {
            policy: f"takes {', '.join(f'{option} when {line.text}' for option, line in lines.items())}"
            for policy, lines in choice.policies.items()
        }
        of = policy_name(rules.book, choice)
        kind = PolicyKind(f"What {choice.name.replace('_', ' ')} it chooses.", options, quick=tuple(options))
        kinds |= kit.each_side(of, kind, name="{of}_{side}")
    return kinds


def _policy(rules: Rules, side: str, chosen: Mapping[str, str]) -> Policy:
    """Return the policy of a side that combines what was chosen for each of its choices."""
    always, when = list[tuple[str, str]](), list[tuple[str, str]]()
    for choice in rules.book.choices.values():
        option = chosen[f"{policy_name(rules.book, choice)}_{side}"]
        (when if option in choice.policies else always).append((choice.name, option))
    return Takes(tuple(always), tuple(when))
