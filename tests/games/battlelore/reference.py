"""BattleLore told a second time, one die after another in plain Python, straight from the rulebook.

It shares nothing with the package: it is the twin the exact distributions are held against (by trying every die) and
the plain loop that the benchmark compares with. `die` is any function that returns the next face, a letter of GBRSFL.
`readings` names the ledger's questions that are answered otherwise than by default, such as `BL-Q32`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

FACES = "GBRSFL"
DICE = {"green": 2, "blue": 3, "red": 4}
HELMET = {"green": "G", "blue": "B", "red": "R"}
FULL = {"foot": 4, "mounted": 3, "creature": 1}
CAP_OUT = {"forest": 2, "hill": 3, "ford": 2, "landmark": 2, "rampart": 2}
CAP_IN = {"forest": 2, "hill": 2, "landmark": 2, "rampart": 2}
MORALE = {"bridge", "landmark", "rampart"}
NO_PURSUIT_BEYOND = {"forest"}
NO_BATTLE_ON_ENTRY = {"landmark", "rampart"}

Die = Callable[[], str]
Unit = dict[str, Any]
RuleOptions = frozenset[str]
DEFAULT: RuleOptions = frozenset()


def unit(name: str, **changes: Any) -> Unit:
    """Return a unit such as `blue foot short_sword`, with what the map and the cards say of it."""
    colour, kind, weapon = name.split()
    made: Unit = {"colour": colour, "kind": kind, "weapon": weapon, "race": "human", "figures": FULL[kind]}
    made |= {"supported": False, "terrain": "countryside", "free": 99, "moved": False, "extra": 0, "poisoned": False}
    made |= {"webbed": False, "stored": 0, "power": "", "chalice": 0, "blockers": 0, "blocker_figures": 4}
    return made | {"ignores": 99, "trampled": 0, "banners": 0} | changes


def bold(one: Unit) -> int:
    """How many flags it may ignore."""
    if one["kind"] == "creature":
        return 1
    race = one["race"] == "dwarf" and one["kind"] == "foot"
    return int(race) + int(bool(one["supported"])) + int(one["terrain"] in MORALE)


def number_of_dice(one: Unit, other: Unit, capped: bool = True) -> int:
    """Colour, then the shooter's move, then the lower of the two terrains' limits, then dice from cards."""
    dice = DICE[one["colour"]]
    if one["moved"] and one["weapon"] in ("common_bow", "crossbow"):
        dice -= 1
    if capped:
        dice = min(dice, CAP_OUT.get(one["terrain"], 99))
    if capped and not (one["terrain"] == other["terrain"] == "hill"):
        dice = min(dice, CAP_IN.get(other["terrain"], 99))
    return int(max(0, dice + one["extra"]))


def hitting_dice(one: Unit, other: Unit, faces: list[str], melee: bool) -> int:
    """Helmets of the target's colour, and the swords that this weapon makes count."""
    helmets = faces.count(HELMET[other["colour"]])
    swords = faces.count("S")
    if one["weapon"] == "common_bow" or (one["weapon"] == "crossbow" and melee):
        swords = 0
    if one["weapon"] == "short_sword" and other["kind"] == "mounted" and swords > 0:
        swords -= 1
    return helmets + swords


def use_lore(one: Unit, other: Unit, hits: int, lore: int, flags: int) -> None:
    """What a creature's owner does with Lore faces; anybody else's go to the chalice."""
    if not one["power"]:
        one["chalice"] += lore
        return
    one["stored"] += lore
    survives = other["kind"] == "creature" or hits < other["figures"]
    stays = bold(other) >= max(flags, 1)
    if one["power"] == "firm web poison" and stays and one["stored"] and not other["webbed"] and survives:
        one["stored"] -= 1
        other["webbed"] = True
    elif "poison" in one["power"] and one["stored"] >= 2 and hits and not other["poisoned"] and survives:
        one["stored"] -= 2
        other["poisoned"] = True
    elif one["power"] in ("web", "poison web") and one["stored"] >= 1 and not other["webbed"] and survives:
        one["stored"] -= 1
        other["webbed"] = True
    while one["stored"] > 2:
        one["stored"] -= 1
        one["chalice"] += 1


def killed_by(dice: int, target: Unit, die: Die) -> bool:
    """Roll again each die that hit a creature: it dies if one shows its colour."""
    return HELMET[target["colour"]] in [die() for _ in range(dice)]


def strike(
    one: Unit, other: Unit, melee: bool, die: Die, readings: RuleOptions = DEFAULT, *, backs: bool = False
) -> dict[str, int]:
    """One unit attacks another; both change. Return what was rolled and how the target moved."""
    faces = [die() for _ in range(number_of_dice(one, other, capped=not (backs and "BL-Q53" in readings)))]
    hits, flags, lore = hitting_dice(one, other, faces, melee), faces.count("F"), faces.count("L")
    if other["poisoned"]:
        hits, lore_left = hits + lore, lore if "BL-Q41" in readings else 0
    else:
        lore_left = lore
    caught = hits + (max(0, flags - bold(other)) if "BL-Q38" in readings else flags)
    use_lore(one, other, caught if other["webbed"] else hits, lore_left, flags)
    if other["webbed"]:
        hits = caught
    told = {"hits": hits, "flags": flags, "lore": lore, "travelled": 0, "held": 0, "ignored": 0}
    if other["kind"] == "creature":
        if killed_by(hits, other, die):
            other["figures"] = 0
            one["chalice"] += 1
    else:
        other["figures"] -= min(hits, other["figures"])
    if other["figures"] and not other["webbed"]:
        retreat(one, other, flags, told, die, melee, readings)
    told["held"] = int(other["figures"] > 0 and told["travelled"] == 0)
    one["banners"] += other["figures"] == 0
    return told


def retreat(
    one: Unit, other: Unit, flags: int, told: dict[str, int], die: Die, melee: bool, readings: RuleOptions
) -> None:
    """Flags that are not ignored, hex by hex."""
    told["ignored"] = min(flags, bold(other), other["ignores"])
    frightened = other["race"] == "goblin" or other["kind"] == "creature"
    hexes = (flags - told["ignored"]) * (2 if frightened else 1)
    told["travelled"] = min(hexes, other["free"])
    missing = hexes - told["travelled"]
    if other["kind"] == "creature":
        if missing and other["blockers"]:
            if "BL-Q32" in readings and melee and not told["travelled"]:
                one["figures"] -= min(missing, one["figures"])
                other["banners"] += one["figures"] == 0
            if trample(one, other, missing) and "BL-Q33" not in readings:
                told["travelled"], missing = hexes, 0
        again = [die() for _ in range(missing)].count(HELMET[other["colour"]])
        if killed_by(again, other, die):
            other["figures"] = 0
            one["chalice"] += 1
        return
    other["figures"] -= min(missing, other["figures"])
    if other["race"] == "goblin":
        panic = [die() for _ in range(told["travelled"])].count(HELMET[other["colour"]])
        other["figures"] -= min(panic, other["figures"])


def trample(one: Unit, other: Unit, missing: int) -> bool:
    """Every unit in the creature's way loses a figure for each hex; return whether none is left to bar it."""
    lost = min(missing, other["blocker_figures"])
    other["trampled"] += other["blockers"] * lost
    other["blocker_figures"] -= lost
    if other["blocker_figures"]:
        return False
    one["banners"] += other["blockers"]
    other["blockers"], other["free"] = 0, 99
    return True


def pursuit(a: Unit, t: Unit, u: Unit | None, travelled: int) -> Unit | None:
    """Move a mounted attacker after its target, or next to another enemy; return whom it may attack once more."""
    prey = t if u is None else u
    along = a["terrain"] == t["terrain"] == "rampart"
    if a["kind"] != "mounted" or not prey["figures"] or (t["terrain"] in NO_BATTLE_ON_ENTRY and not along):
        return None
    far_enough = 1 if t["terrain"] in NO_PURSUIT_BEYOND else 2
    steps = 0 if u else travelled - 1
    if not u and not 1 <= travelled <= (2 if along else far_enough):
        return None
    a["terrain"] = t["terrain"] if steps == 0 else "countryside"
    a["supported"] = False
    a["free"] += 1 + steps
    if not u:
        t["free"] = max(0, t["free"] - travelled)
        t["supported"], t["terrain"] = False, "countryside"
    return prey


def combat(
    a: Unit,
    t: Unit,
    die: Die,
    melee: bool = True,
    backs: bool = True,
    pursues: bool = False,
    ambush: bool = False,
    u: Unit | None = None,
    readings: RuleOptions = DEFAULT,
) -> dict[str, int]:
    """A whole combat: ambush, attack, battle back, and the pursuit of the target, or of `u` beside it."""
    a_full, t_full = a["figures"], t["figures"]
    out = dict.fromkeys(("battle_back", "attacker_hexes_retreated", "bonus_melee", "bonus_figures_lost"), 0)
    first = dict.fromkeys(("hits", "flags", "lore", "travelled", "ignored", "gained"), 0) | {"held": 1}
    if ambush:
        out["attacker_hexes_retreated"] = strike(t, a, True, die, readings)["travelled"]
    if a["figures"] and not out["attacker_hexes_retreated"] and not a["webbed"]:
        first |= strike(a, t, melee, die, readings)
        first["gained"] = int(melee and not first["held"] and a["figures"] > 0)
        follow_up(a, t, u if pursues else None, first, out, die, melee and pursues, melee and backs, readings)
    other = u if pursues and u else t
    return {
        "hits": first["hits"],
        "flags": first["flags"],
        "lore": first["lore"],
        "figures_lost": t_full - t["figures"],
        "eliminated": int(t["figures"] == 0),
        "hexes_retreated": first["travelled"],
        "vacated": 1 - first["held"],
        "battle_back": out["battle_back"],
        "attacker_figures_lost": a_full - a["figures"],
        "attacker_eliminated": int(a["figures"] == 0),
        "attacker_hexes_retreated": out["attacker_hexes_retreated"],
        "attacker_banners": a["banners"],
        "defender_banners": t["banners"] + (other["banners"] if other is not t else 0),
        "gained_ground": first["gained"],
        "bonus_melee": out["bonus_melee"],
        "bonus_figures_lost": out["bonus_figures_lost"],
        "lore_gained": a["chalice"],
        "defender_lore_gained": t["chalice"] + (other["chalice"] if other is not t else 0),
        "stored_lore": a["stored"] if a["figures"] else 0,
        "webbed": int(t["webbed"]),
        "poisoned": int(t["poisoned"]),
        "trampled": t["trampled"],
    }


def follow_up(
    a: Unit,
    t: Unit,
    u: Unit | None,
    first: dict[str, int],
    out: dict[str, int],
    die: Die,
    pursues: bool,
    backs: bool,
    readings: RuleOptions,
) -> None:
    """After the attack: whoever held its hex battles back, else a pursuer attacks again, and its prey battles back."""
    foe, told = t, first
    if not first["held"]:
        may_strike = pursues and a["figures"] and (u is not None or "BL-Q16" not in readings)
        prey = pursuit(a, t, u, first["travelled"]) if may_strike else None
        if prey is None:
            return
        foe, before = prey, prey["figures"]
        out["bonus_melee"] = 1
        told = strike(a, foe, True, die, readings)
        out["bonus_figures_lost"] = before - foe["figures"]
        backs = backs and "BL-Q13" not in readings
    willing = told["ignored"] if "BL-Q12" in readings else bold(foe)
    if backs and told["held"] and a["figures"] and willing and not foe["webbed"]:
        out["battle_back"] = int(foe is t)
        out["attacker_hexes_retreated"] = strike(foe, a, True, die, readings, backs=True)["travelled"]


def every_way(play: Callable[[Die], dict[str, int]]) -> Iterator[tuple[dict[str, int], Fraction]]:
    """Yield the outcome of `play` for every way its dice can fall, however many it asks for, with its probability."""
    fall: list[int] = []
    while True:
        asked = iter(range(10**9))

        def die(asked: Iterator[int] = asked) -> str:
            place = next(asked)
            if place == len(fall):
                fall.append(0)
            return FACES[fall[place]]

        outcome = play(die)
        yield outcome, Fraction(1, 6 ** len(fall))
        while fall and fall[-1] == 5:
            fall.pop()
        if not fall:
            return
        fall[-1] += 1


def distribution_of(play: Callable[[Die], dict[str, int]], most_ways: int = 10**9) -> dict[tuple[int, ...], Fraction]:
    """Return the exact distribution of `play`, by outcome in the order of its columns; empty if the dice fall in more
    ways."""
    distribution: dict[tuple[int, ...], Fraction] = {}
    for number, (outcome, p) in enumerate(every_way(play)):
        if number == most_ways:
            return {}
        key = tuple(outcome.values())
        distribution[key] = distribution.get(key, Fraction(0)) + p
    return distribution


def duel(a: Unit, b: Unit, first: str) -> Fraction:
    """Return the probability that `a` wins a duel without powers; by hand, from the distribution of each turn."""

    def turn(me: Unit, foe: Unit, mine: int, theirs: int) -> dict[tuple[int, ...], Fraction]:
        def play(die: Die) -> dict[str, int]:
            one, two = dict(me, figures=mine), dict(foe, figures=theirs)
            told = strike(one, two, True, die)
            out = {"one": one["figures"], "two": two["figures"], "one_left": 0, "two_left": int(told["travelled"] > 0)}
            if told["held"] and bold(two):
                out["one_left"] = int(strike(two, one, True, die)["travelled"] > 0)
                out["one"] = one["figures"]
            return out

        return distribution_of(play)

    chances: dict[tuple[str, int, int], Fraction] = {}
    states = [(x, y) for x in range(1, a["figures"] + 1) for y in range(1, b["figures"] + 1)]
    for x, y in sorted(states, key=sum):
        win_a, stay_a = _value(turn(a, b, x, y), "a", (x, y), chances)
        win_b, stay_b = _value(turn(b, a, y, x), "b", (x, y), chances)
        chances["a", x, y] = (win_a + stay_a * win_b) / (1 - stay_a * stay_b)
        chances["b", x, y] = win_b + stay_b * chances["a", x, y]
    return chances[first, a["figures"], b["figures"]]


def _value(
    distribution: dict[tuple[int, ...], Fraction],
    who: str,
    here: tuple[int, int],
    chances: dict[tuple[str, int, int], Fraction],
) -> tuple[Fraction, Fraction]:
    """Return (probability that a wins from the turn's results, probability that nothing changed)."""
    win, stay = Fraction(0), Fraction(0)
    for (mine, theirs, i_left, they_left), p in distribution.items():
        i_stand, they_stand = mine > 0 and not i_left, theirs > 0 and not they_left
        after = (mine, theirs) if who == "a" else (theirs, mine)
        if i_stand and they_stand and after == here:
            stay += p
        elif i_stand and they_stand:
            win += p * chances["b" if who == "a" else "a", *after]
        elif i_stand == (who == "a"):
            win += p
    return win, stay
