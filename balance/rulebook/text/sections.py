"""The sections of a game file, each from what TOML gives to what a rulebook holds; faults gather in the source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from balance.base.text import slug
from balance.rulebook.text.book import Armies, Choice, Ends, Keyword, Line, LookUp, Option, Turns
from balance.rulebook.text.fields import MOST
from balance.rulebook.text.look_ups import read_look_up
from balance.rulebook.text.source import SIDES, Source, show

STEPS = ("attack", "turn", "after", "round")
"""Sections of steps: of an attack, before the attacks of a unit, after them, and at the end of a round."""
RULES = ("numbers", "options", "dice", "tables", "keywords", "tokens", "turns", "ends", "choices", "policies", "armies")
SECTIONS = ("title", "health", "units", "blanks", "better", *STEPS, *RULES)
ORDERS = ("alternate", "activations", "simultaneous", "initiative", "attacker only")
TIES, EXCESS = ("random", "simultaneous"), ("lost", "carried")
TARGETS = ("front", "weakest", "strongest", "spread")
ROLES = ("attacking", "attacked", "friends")
MOST_ROUNDS = 1000
USUAL_ACTS, MOST_ACTS = 3, 20
MOST_ARMY, MOST_BANDS = 64, 5000


def read_numbers(source: Source, section: str) -> dict[str, int]:
    """Return the numbers of section `numbers`, or of `tokens`: the start of each, 0 or more."""
    numbers = {}
    for name, value in source.section(section).items():
        number = source.whole(f"{section}.{name}", value, 0 if section == "tokens" else -MOST)
        if source.name(f"{section}.{name}", name, bare=section == "numbers"):
            numbers[name] = number or 0
    return numbers


def read_options(source: Source) -> dict[str, Option]:
    """Return the options of the rulebook by name; unsound ones are left out with a fault."""
    options = {}
    for name, value in source.section("options").items():
        key = f"options.{name}"
        if source.name(key, name) and (option := _option(source, key, name, value)) is not None:
            options[name] = option
    return options


def _option(source: Source, key: str, name: str, value: object) -> Option | None:
    n_faults = len(source.faults)
    table = value if isinstance(value, Mapping) else {"value": value}
    source.known(key, table, ("value", "allowed", "meaning", "readings"))
    if "value" not in table:
        source.fault(f"{key}.value", "is missing", legal_text="the number in force, such as 1")
        return None
    given = table.get("allowed", [0, 1])
    if not isinstance(given, list) or not 1 <= len(given) <= 100:
        source.fault(f"{key}.allowed", "is not a list of numbers", given, "such as [0, 1]")
        return None
    allowed = [source.whole(f"{key}.allowed", _number_of(part)) for part in given]
    in_force = source.whole(f"{key}.value", _number_of(table["value"]))
    meaning = source.text(f"{key}.meaning", table["meaning"]) if "meaning" in table else name.replace("_", " ")
    readings = {
        str(number): source.text(f"{key}.readings.{number}", text)
        for number, text in source.table(f"{key}.readings", table.get("readings", {})).items()
    }
    if len(source.faults) > n_faults:
        return None
    numbers = tuple(dict.fromkeys(number for number in allowed if number is not None))
    if in_force is None or in_force not in numbers:
        source.fault(f"{key}.value", "is not allowed", table["value"], ", ".join(map(str, numbers)))
        return None
    source.known(f"{key}.readings", readings, [str(number) for number in numbers])
    sentences = {number: readings.get(str(number)) or f"{name.replace('_', ' ')} is {number}" for number in numbers}
    return Option(name, in_force, numbers, " ".join((meaning or "").split()), sentences)


def _number_of(value: object) -> object:
    """Return true and false as 1 and 0, anything else unchanged."""
    return int(value) if isinstance(value, bool) else value


def read_dice(source: Source) -> dict[str, Line]:
    """Return section `dice`: name -> the expression of its faces."""
    dice = {}
    for name, value in source.section("dice").items():
        key = f"dice.{name}"
        line = source.line(key, name, value)
        if source.name(key, name) and line is not None:
            dice[name] = line
    return dice


def read_tables(source: Source) -> dict[str, LookUp]:
    """Return the look-up tables by name; none, with a fault, if they have more than `MOST_BANDS` bands together."""
    tables = {}
    section = source.section("tables")
    n_bands = sum(len(value) for value in section.values() if isinstance(value, Mapping | list))
    if n_bands > MOST_BANDS:
        source.fault("tables", f"hold {n_bands:,} bands", legal_text=f"at most {MOST_BANDS:,}")
        return {}
    for name, value in section.items():
        look_up = read_look_up(source, name, value)
        if source.name(f"tables.{name}", name) and look_up is not None:
            tables[name] = look_up
    return tables


def read_keywords(source: Source) -> dict[str, Keyword]:
    """Return section `keywords`: name -> the steps that each changes."""
    keywords = {}
    for name, value in source.section("keywords").items():
        key = f"keywords.{name}"
        table = source.table(key, value, f"a section [{key}] of steps")
        if not source.name(key, name, bare=False):
            continue
        parts = {role: table[role] for role in ROLES if isinstance(table.get(role), Mapping)}
        lines = {role: source.lines(f"{key}.{role}", part) for role, part in parts.items()}
        strange = [part for part, inner in table.items() if isinstance(inner, Mapping) and part not in (*ROLES, *SIDES)]
        strange = [part for part in strange if set(table[part]) != {"python"}]
        for part in strange:
            source.unknown(f"{key}.{part}", part, ROLES, "is no part of a keyword")
        plain = source.lines(key, table, without=(*parts, *strange))
        keywords[name] = Keyword(name, **{**lines, "attacking": (*plain, *lines.get("attacking", ()))})
    return keywords


def read_turns(source: Source) -> Turns:
    """Return section `turns`; order is "alternate", or "initiative" if there is one, unless the file says otherwise."""
    table = source.section("turns")
    source.known("turns", table, ("order", "initiative", "ties", "strike_back", "most_acts"))
    initiative = source.line("turns.initiative", "initiative", table["initiative"]) if "initiative" in table else None
    order = source.choice(
        "turns.order", table.get("order", "initiative" if initiative else ORDERS[0]), ORDERS, ORDERS[0]
    )
    if (order == "initiative") != ("initiative" in table):
        tip = 'order = "initiative" and initiative = "d6 + me.command" go together'
        source.fault(
            "turns.initiative", "is missing" if order == "initiative" else f"is not used: order is {order}", tip=tip
        )
    ties = source.choice("turns.ties", table.get("ties", TIES[0]), TIES, TIES[0])
    flag = table.get("strike_back", False)
    text = str(int(flag)) if isinstance(flag, bool) else flag
    strike_back = source.line("turns.strike_back", "strike_back", text) if flag is not False else None
    has_acts = "acts" in source.section("turn")
    most_acts = source.whole("turns.most_acts", table.get("most_acts", USUAL_ACTS), 1, MOST_ACTS)
    if "most_acts" in table and not has_acts:
        source.fault("turns.most_acts", "limits nothing: no step says how many", tip='add acts = "..." to [turn]')
    return Turns(order, initiative, ties, strike_back, (most_acts or 1) if has_acts else 1)


def read_ends(source: Source) -> Ends:
    """Return section `ends`: when units are out, the number of rounds, and the score."""
    table = source.section("ends")
    source.known("ends", table, ("out", "rounds", "score"))
    lines = {name: source.line(f"ends.{name}", name, table[name]) for name in ("out", "score") if name in table}
    rounds = source.whole("ends.rounds", table["rounds"], 1, MOST_ROUNDS) if "rounds" in table else None
    if "score" in table and "rounds" not in table:
        source.fault("ends.score", "decides nothing: there is no last round", tip="add rounds = 10")
    return Ends(lines.get("out"), rounds, lines.get("score"))


def read_choices(source: Source) -> dict[str, Choice]:
    """Return sections `choices` and `policies`: the decisions of the active side, each with its policies."""
    choices = {}
    policies = source.section("policies")
    for name, value in source.section("choices").items():
        key = f"choices.{name}"
        table = source.table(key, value, f"a section [{key}] of options")
        if source.name(key, name, bare=False) and (choice := _choice(source, key, name, table)) is not None:
            choices[name] = choice
    for name in policies:
        if name not in source.section("choices"):
            source.unknown(f"policies.{name}", name, list(choices), "is not a choice")
    return choices


def _choice(source: Source, key: str, name: str, table: Mapping[str, Any]) -> Choice | None:
    if len(table) < 2:
        source.fault(key, f"has {len(table)} options", legal_text="at least 2", tip="such as steady = {}")
        return None
    may, options = {}, {}
    for option in sorted(table, key=lambda option: source.row(f"{key}.{option}") or 0):
        option_key = f"{key}.{option}"
        changes = source.table(option_key, table[option], 'a table of steps, such as { hits = "+ 2" }, or {}')
        if not source.name(option_key, option, bare=False):
            continue
        options[option] = source.lines(option_key, changes, without=("may",))
        if "may" in changes and (line := source.line(f"{option_key}.may", "may", changes["may"])) is not None:
            may[option] = line
    usual = next(iter(options), "")
    if usual in may:
        source.fault(
            f"{key}.{usual}.may", "is not for the first option, which is the usual one", tip="put another first"
        )
    return Choice(name, options, may, _policies(source, name, list(table)))


def _policies(source: Source, choice: str, options: list[str]) -> dict[str, dict[str, Line]]:
    policies: dict[str, dict[str, Line]] = {}
    key = f"policies.{choice}"
    for name, value in source.table(key, source.section("policies").get(choice, {})).items():
        table = source.table(f"{key}.{name}", value, "a table: option = condition")
        source.known(f"{key}.{name}", table, options)
        if not source.name(f"{key}.{name}", name, bare=False):
            continue
        if name in options:
            source.fault(f"{key}.{name}", "has the name of an option", tip="that policy is there already: always it")
            continue
        lines = {option: source.line(f"{key}.{name}.{option}", option, text) for option, text in table.items()}
        policies[name] = {option: line for option, line in lines.items() if line is not None}
        if not table:
            source.fault(f"{key}.{name}", "says nothing", legal_text="OPTION = condition")
    return policies


def read_armies(source: Source) -> Armies:
    """Return section `armies`: how armies stand, and the lists of units."""
    table = source.section("armies")
    source.known("armies", table, ("front", "target", "excess", "lists"))
    front = source.whole("armies.front", table["front"], 1, MOST_ARMY) if "front" in table else None
    target = source.choice("armies.target", table.get("target", TARGETS[0]), TARGETS, TARGETS[0])
    excess = source.choice("armies.excess", table.get("excess", EXCESS[0]), EXCESS, EXCESS[0])
    lists, names, rows = {}, {}, {}
    for name, value in source.table("armies.lists", table.get("lists", {})).items():
        key = f"armies.lists.{name}"
        army = value if isinstance(value, Mapping) else {"units": value}
        source.known(key, army, ("name", "units"))
        if not source.name(key, name, bare=False):
            continue
        title = source.title(f"{key}.name", army["name"]) if "name" in army else None
        lists[name] = _army(source, f"{key}.units", army.get("units"))
        names[name] = title or name.replace("_", " ").capitalize()
        rows[name] = source.row(key)
    return Armies(front, target, excess, lists, names, rows)


def _army(source: Source, key: str, units: object) -> tuple[str, ...]:
    """Return the unit ids of an army, front to back, each repeated as often as it fights."""
    parts = units.split(",") if isinstance(units, str) else units
    if not isinstance(parts, list) or not parts:
        source.fault(key, "is no list of units", units, 'such as ["raider:2", "brute"]')
        return ()
    members = list[str]()
    for part in parts:
        unit, _, count = part.partition(":") if isinstance(part, str) else (show(part), "", "?")
        if not slug(unit) or (count and not (count.strip().isdecimal() and 1 <= int(count[:9]) <= MOST_ARMY)):
            source.fault(key, "is no unit with how many of it", part, 'such as "raider:2"')
        else:
            members += [slug(unit)] * int(count or 1)
    if len(members) > MOST_ARMY:
        source.fault(key, f"has {len(members)} units", legal_text=f"at most {MOST_ARMY}")
    return tuple(members[:MOST_ARMY])
