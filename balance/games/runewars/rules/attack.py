"""One attack: roll, re-roll, buy, and the damage pool (section 2 of the ledger), written once as steps on arrays.

What differs from one attack of a fight to the next is its *context*, columns `int[n]` by name: `trays` of the attacker
(and `columns`, where trays were added, and `threat`, where contact changes), `left` and `upgrade` of the defender (the
wounds that its figures and its figure upgrade can still take), the runes, the conditions that the defender has, and
icons that a command dial adds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from balance.base.arrays import IntArray
from balance.chance.rolls.process import State, Step, n_trials
from balance.chance.rolls.requests import DrawExactly
from balance.chance.rolls.rolls import Rolls, bound
from balance.games.runewars.cells import ICONS, Amount
from balance.games.runewars.rules.colours import KEPT, laws_of_colour, worst_of
from balance.games.runewars.rules.dice import Hand, laid_out, roll_missing, without
from balance.games.runewars.rules.formation import Contact, Formation, ranks_of, threat_of
from balance.games.runewars.rules.harm import Harm, Target, amount_at, harm
from balance.games.runewars.rules.rerolls import Rerolls, Throw
from balance.games.runewars.rules.surges import ICON_OF, Purchase, Spends

ATTACKER, PARTIAL = "attacker", " partial"
RESULTS = ("hits", "surges", "accuracy", "mortal_strikes", "morale", "damage", "bought")
"""State columns of what an attack brings, before it is suffered."""


@dataclass(frozen=True)
class Strike:
    """What does not change of the attacker during a fight.

    * `hand` and `numbers`: its dice, and how many of each colour.
    * `formation` and `contact`: how it stands, and where the enemy touches it.
    * `brutal`, `lethal`, `precise`: what it adds to threat, damage pool and ranks for re-rolls.
    * `when_ready`: what cards add to threat and damage pool that exhaust when they are used.
    * `n_rerolls` and `rolls_one_again`: the most times that any number of dice are rolled again, and whether it may
      have a partial rank.
    * `more_icons`: icons that join the roll, in the order of `ICONS`.
    * `purchase`: what its surges buy.
    * `rerolls`, `spends`, `accuracy`: policies of its re-rolls and surges, and what accuracy is for.
    * `lethal_needs_damage`: whether Lethal adds to a pool above 0 only (RW-Q2).
    """

    hand: Hand
    numbers: tuple[Amount, ...]
    formation: Formation
    contact: Contact
    brutal: Amount
    lethal: int
    when_ready: tuple[int, int]
    precise: int
    n_rerolls: int
    rolls_one_again: bool
    more_icons: tuple[int, ...]
    purchase: Purchase
    rerolls: Rerolls
    spends: Spends
    accuracy: Harm
    lethal_needs_damage: bool

    def with_colour(self, colour: int) -> Strike:
        """Return it with the dice of one colour alone."""
        return replace(self, hand=Hand((self.hand.dice[colour],)), numbers=(self.numbers[colour],))


@dataclass(frozen=True)
class Attack:
    """A strike and its target: all that is fixed of an attack."""

    strike: Strike
    target: Target


def start_of(attack: Attack) -> State:
    """Return the state of one trial before the roll, apart from its context: no dice in the pool, and results 0."""
    n_faces = sum(len(die.distinct) for die, _ in attack.strike.hand.dice)
    return {"pool": np.zeros(n_faces, np.int16), **{name: np.asarray(0, np.int16) for name in RESULTS}}


def start_of_law(attack: Attack) -> State:
    """Return `start_of` for `law_steps`, with the icons of dice that are put away before others are rolled."""
    return {**start_of(attack), "icons": np.zeros(len(ICONS), np.int16)}


def attack_steps(attack: Attack) -> tuple[Step, ...]:
    """Return the steps of one attack; dice leave the pool before a re-roll, so that equal pools are one state."""
    strike = attack.strike
    more = [step for again, aside in _put_aside(attack) for step in (aside, partial(_roll, strike, again))]
    return (partial(_roll, strike, ""), *more, partial(_spend, attack))


def _put_aside(attack: Attack) -> list[tuple[str, Step]]:
    """Return what each re-roll is called, with the step in which dice leave the pool for it."""
    strike, put_aside = attack.strike, list[tuple[str, Step]]()
    if attack.target.guard_rerolls != Amount(0):
        put_aside.append((" guard", partial(_guard, attack)))
    if strike.hand.dice:
        put_aside += [(f" again {n + 1}", partial(_for_a_rank, attack, n)) for n in range(strike.n_rerolls)]
        put_aside += [(PARTIAL, partial(_for_a_partial_rank, attack))] if strike.rolls_one_again else []
    return put_aside


def law_steps(attack: Attack, unread: frozenset[str] = frozenset()) -> tuple[Step, ...]:
    """Return steps equal in law to `attack_steps` that come to fewer states: dice are rolled colour by colour.

    Where each die is rolled again for itself, what a colour comes to is drawn at once, and icons that are `unread` may
    not be counted.
    """
    strike = attack.strike
    hands = [Attack(strike.with_colour(colour), attack.target) for colour in range(len(strike.hand.dice))]

    def of_colours(steps: Iterable[Step]) -> list[Step]:
        return [partial(_of_colour, span, step) for span, step in zip(strike.hand.spans, steps, strict=True)]

    steps = list[Step]()
    if attack.target.guard_rerolls == Amount(0) and strike.rerolls.policy != "best":
        steps += [partial(_draw_colour, strike, colour, unread) for colour in range(len(hands))]
        if strike.rolls_one_again and strike.rerolls.policy != "none":
            steps += of_colours(partial(_roll_partial, hand) for hand in hands)
    else:
        for again, asides in (("", ()), *((again, (aside,)) for again, aside in _put_aside(attack))):
            steps += [*asides, *of_colours(partial(_roll, hand.strike, again) for hand in hands)]
    return (*steps, partial(_spend, attack))


def _draw_colour(strike: Strike, colour: int, unread: frozenset[str], state: State, rolls: Rolls) -> State:
    """Draw the icons of a colour; of all dice so far the pool has the one that a partial rank has rolled again."""
    hand, (die, most), least = strike.hand, strike.hand.dice[colour], strike.numbers[colour].number
    rolls_again = strike.rerolls.policy != "none"
    most_times, keeps = strike.n_rerolls * rolls_again, strike.rolls_one_again and rolls_again
    laws = laws_of_colour(die, range(least, most + 1), most_times, keeps, unread)
    times, behind = _n_rerolls(strike, state)
    place = (_numbers(strike, state)[:, colour] - least) * (most_times + 1) + np.clip(times, 0, most_times)
    place = place * 2 + (behind > 0) if keeps else place
    result = rolls.answer(DrawExactly(f"attack {die.colour}", laws, place))
    pool, face = state["pool"].copy(), result[KEPT] - 1
    pool[:, hand.spans[colour]] = np.arange(len(die.distinct)) == face[:, None]
    kept, is_read = worst_of(hand, pool), [icon not in unread for icon in ICONS]
    icons = np.stack([result[icon] for icon in ICONS], axis=1) + (pool - kept) @ hand.icons[:-1] * is_read
    return {**state, "pool": kept.astype(np.int16), "icons": (state["icons"] + icons).astype(np.int16)}


def _of_colour(span: slice, step: Step, state: State, rolls: Rolls) -> State:
    """Make a step with the dice of one colour alone in the pool."""
    pool = state["pool"].copy()
    after = step({**state, "pool": pool[:, span]}, rolls)
    pool[:, span] = after["pool"]
    return {**after, "pool": pool}


def _roll_partial(attack: Attack, state: State, rolls: Rolls) -> State:
    """Roll the one die that is left in the pool again, where the attacker does so for a partial rank."""
    hand, numbers = attack.strike.hand, state["pool"].sum(axis=1, keepdims=True)
    after = _for_a_partial_rank(attack, state, rolls)
    one = Hand(((hand.dice[0][0], 1),))
    return {**after, "pool": roll_missing(one, after["pool"], numbers, rolls, PARTIAL, is_first=False)}


def _numbers(strike: Strike, state: State) -> IntArray:
    """Return how many dice of each colour are rolled, `int[n, colours]`."""
    counts = [np.broadcast_to(amount_at(number, state), n_trials(state)) for number in strike.numbers]
    return np.stack(counts, axis=1) if counts else np.zeros((n_trials(state), 0), np.int16)


def _roll(strike: Strike, again: str, state: State, rolls: Rolls) -> State:
    """Roll the dice that the pool lacks: at first all of them."""
    is_first = not again and not any(number.rune for number in strike.numbers)
    pool = roll_missing(strike.hand, state["pool"], _numbers(strike, state), rolls, again, is_first=is_first)
    return {**state, "pool": pool}


def _guard(attack: Attack, state: State, rolls: Rolls) -> State:
    """Remove the dice that the defender has rolled again: those with the most hits and mortal strikes."""
    hand, n_dice = attack.strike.hand, amount_at(attack.target.guard_rerolls, state)
    dice = laid_out(hand, state["pool"])
    harms = hand.harms.take(dice)
    place = (-harms).argsort(axis=1, kind="stable").argsort(axis=1, kind="stable")
    return {**state, "pool": without(state["pool"], dice, (harms > 0) & (place < np.reshape(n_dice, (-1, 1))))}


def _n_rerolls(strike: Strike, context: Mapping[str, IntArray]) -> tuple[IntArray, IntArray]:
    """Return how often any number of dice are rolled again, and the trays of a partial rank, `int[n]` each.

    A partial rank, of any number of trays, has one die rolled again after that.
    """
    _, full, partial_rank = ranks_of(context.get("columns", strike.formation.columns), context["trays"])
    return full - 1 + strike.precise, partial_rank


def _for_a_rank(attack: Attack, number: int, state: State, rolls: Rolls) -> State:
    """Remove the dice that the attacker rolls again for a rank behind the front, after `number` such re-rolls."""
    strike, n_full = attack.strike, attack.strike.n_rerolls
    n_rerolls, partial_rank = _n_rerolls(strike, state)
    remaining = np.where(
        n_rerolls + number >= n_full, n_full - number, 0
    )  # the last times are those that a small unit has
    dice = laid_out(strike.hand, state["pool"])
    legal = np.where(remaining > 0, 2**strike.hand.n_dice, 1)
    view = Throw(strike.hand, state, dice, remaining, partial_rank > 0, False, WoundsOf(attack))
    option = bound(rolls, {ATTACKER: strike.rerolls}).choose(ATTACKER, "rerolls", legal, view)
    mask = (option[:, None] >> np.arange(strike.hand.n_dice)) & 1 > 0
    return {**state, "pool": without(state["pool"], dice, mask)}


def _for_a_partial_rank(attack: Attack, state: State, rolls: Rolls) -> State:
    """Remove the one die that the attacker rolls again for a partial rank."""
    strike, hand = attack.strike, attack.strike.hand
    dice = laid_out(hand, state["pool"])
    has_partial_rank = _n_rerolls(strike, state)[1] > 0
    legal = np.where(has_partial_rank, hand.n_dice + 1, 1)
    view = Throw(hand, state, dice, np.zeros_like(legal), has_partial_rank, True, WoundsOf(attack))
    option = bound(rolls, {ATTACKER: strike.rerolls}).choose(ATTACKER, "partial reroll", legal, view)
    return {**state, "pool": without(state["pool"], dice, option[:, None] == np.arange(1, hand.n_dice + 1))}


def _spend(attack: Attack, state: State, rolls: Rolls) -> State:
    """RW-SURGE.1 and RW-SURGE.2: buy with surges, then work out the damage pool; the dice are put away."""
    strike = attack.strike
    icons = _icons(strike, state)
    able = strike.purchase.affordable(icons["surge"], state)
    own_rolls = bound(rolls, {ATTACKER: strike.spends})
    plan = own_rolls.choose(ATTACKER, "surges", able, partial(_worth_of_plans, attack, state))
    results = results_of(attack, state, icons, plan)
    return {
        **state,
        **{name: np.asarray(values, np.int16) for name, values in results.items()},
        **{name: state[name] * 0 for name in ("pool", "icons") if name in state},
    }


def _icons(strike: Strike, state: State) -> dict[str, IntArray]:
    """Return the icons of the pool and those that join it, `int16[n]` by icon."""
    icons = state["pool"] @ strike.hand.icons[:-1] if strike.hand.dice else np.zeros((n_trials(state), len(ICONS)))
    icons = (icons + state.get("icons", 0)).astype(np.int16)
    return {
        icon: icons[:, place] + (np.int16(more) + state.get(f"added_{icon}", np.int16(0)))
        for place, (icon, more) in enumerate(zip(ICONS, strike.more_icons, strict=True))
    }


def results_of(attack: Attack, context: Mapping[str, IntArray], icons: Mapping[str, IntArray], plan: IntArray) -> State:
    """Return what an attack brings once a plan is bought, `int[n]` by `RESULTS`; `damage` is the damage pool.

    Context and icons are `int[n]` by name, and `plan` is the number of the plan, `int[n]`.
    """
    strike, target, gain_of = attack.strike, attack.target, attack.strike.purchase.gain_of
    total = {effect: icons[icon] + gain_of(effect, plan) for effect, icon in ICON_OF.items()}
    threat = context.get("threat")
    if threat is None:
        threat = threat_of(strike.contact, context.get("columns", strike.formation.columns), context["trays"])
    brutal, lethal = (n * (context["ready"] > 0) if n else 0 for n in strike.when_ready)
    pool = total["hits"] * (threat + brutal + amount_at(strike.brutal, context)) + gain_of("damage", plan)
    pool = pool + sum(
        more * ((context[condition] > 0) | (gain_of(condition, plan) > 0))
        for condition, more in target.conditions
        if more
    )
    pool = pool + (strike.lethal + lethal) * ((pool > 0) | (not strike.lethal_needs_damage))
    damage = np.maximum(pool - target.protection, 0)
    mortal = np.maximum(total["mortal_strikes"] - target.mortal_ward, 0)
    return {**total, "surges": icons["surge"], "mortal_strikes": mortal, "damage": damage, "bought": plan}


def _worth_of_plans(attack: Attack, state: State) -> IntArray:
    """Return the wounds that each plan brings, `int64[n, plans]`."""
    icons, n_plans = _icons(attack.strike, state), len(attack.strike.purchase.plans)
    return np.stack([_wounds(attack, state, icons, np.full(n_trials(state), plan)) for plan in range(n_plans)], axis=1)


def _wounds(attack: Attack, context: Mapping[str, IntArray], icons: Mapping[str, IntArray], plan: IntArray) -> IntArray:
    losses = harm(attack.target, attack.strike.accuracy, context, results_of(attack, context, icons, plan))
    return np.asarray(losses["wounds"] + losses["upgrade_wounds"])


@dataclass(frozen=True)
class WoundsOf:
    """The wounds of a roll as it lies in an attack, with surges spent by the policy."""

    attack: Attack

    def __call__(self, context: State) -> IntArray:
        """Return the wounds of each roll, `int64[n]`; `context` has the pool."""
        attack = self.attack
        icons = _icons(attack.strike, context)
        able = attack.strike.purchase.affordable(icons["surge"], context)
        plan = attack.strike.spends.plan(able, partial(_worth_of_plans, attack, context))
        return _wounds(attack, context, icons, plan)
