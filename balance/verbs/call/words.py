"""The words of a verb as Python gives them or as they are typed, and the names of files that it is to write."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from balance.base.errors import Fault, OutputError, UsageError, gathering
from balance.base.parts import demand

if TYPE_CHECKING:
    from balance.analysis.scores.usual_prices import Tolerance
    from balance.game.loaded import LoadedGame
    from balance.game.question.choices import Changes

FIRST = "random"
PAGES = {".html": "html", ".pdf": "pdf"}
"""How the name of a page may end -> the format in which it is drawn."""
MOST_POINTS, MOST_UNITS = 100_000.0, 64.0
MOST_JOBS = 256
_NUMBER = r"(\d{1,6}(?:[.,]\d{1,6})?)"
_TOLERANCE = re.compile(r"(\d+(?:[.,]\d+)?)\s*%?(?:\s*:\s*(\d+(?:[.,]\d+)?))?", re.ASCII)

Choices = Mapping[str, str] | Sequence[str] | str | None
"""How sides play: name -> value, or texts such as "attacker_rerolls=best"."""
Names = str | Iterable[str] | None
"""Ids, as a list or as a text separated by commas."""
Budgets = str | Iterable[tuple[float, float]] | None
"""Points and unit limits of armies, as pairs or as a text such as "150:4,250:7"."""


def open_game(game: str | LoadedGame, catalogue: str | Path | None = None) -> LoadedGame:
    """Return a game with its catalogue, that of `BALANCE_CATALOGUE` if none is named; one that is open stays as it is.

    Raise BalanceError for an unknown game, a catalogue with faults, or a catalogue beside a game that is open.
    """
    from balance.game.loaded import LoadedGame, load

    if not isinstance(game, LoadedGame):
        return load(game, catalogue)
    if catalogue is not None:
        raise UsageError("a game that is open has its catalogue already", "name the game, or leave out catalogue=")
    return game


def changes_of(changes: Changes | str) -> tuple[str, ...]:
    """Return changes, a mapping or text, as texts "path=value".

    >>> changes_of({"attacker.precision": 8}), changes_of("b.armour=3")
    (('attacker.precision=8',), ('b.armour=3',))
    """
    from balance.game.question.choices import assignments

    return tuple(assignments(changes))


def names_of(names: Names) -> list[str] | None:
    """Return the ids of a list, or of a text in which commas part them; None where there are none.

    >>> names_of("spears, shieldsmen"), names_of(["spears"]), names_of(None)
    (['spears', 'shieldsmen'], ['spears'], None)
    """
    return None if names is None else words(*([names] if isinstance(names, str) else names))


def words(*texts: str) -> list[str]:
    """Return the words of texts, separated by commas.

    >>> words("a, b", "c")
    ['a', 'b', 'c']
    """
    return [word.strip() for text in texts for word in text.split(",")]


def choices_of(choices: Choices, policy_a: str | None = None, policy_b: str | None = None) -> dict[str, str]:
    """Return policies by name; `policy_a` and `policy_b` are short for choices of these names.

    Raise UsageError for a text that is not "name=value", or a name that occurs twice.

    >>> choices_of("attacker_rerolls=best"), choices_of({}, policy_b="greedy")
    ({'attacker_rerolls': 'best'}, {'policy_b': 'greedy'})
    """
    items = [choices] if isinstance(choices, str) else choices or ()
    texts = [f"{name}={value}" for name, value in items.items()] if isinstance(items, Mapping) else list(items)
    policies = {"policy_a": policy_a, "policy_b": policy_b}
    texts += [f"{name}={value}" for name, value in policies.items() if value is not None]
    pairs = [(text, *text.partition("=")) for text in texts]
    wrong = [text for text, name, equals, value in pairs if not (name and equals and value)]
    names = [name for _, name, _, _ in pairs]
    faults = [Fault("is not a choice", "§choose", found=text, allowed="NAME=VALUE") for text in wrong]
    faults += [Fault("is chosen twice", "§choose", found=name) for name in sorted(set(names)) if names.count(name) > 1]
    if faults:
        raise UsageError(faults)
    return {name.strip(): value.strip() for _, name, _, value in pairs}


def who_begins(game: LoadedGame, kind: str, first: str) -> str | None:
    """Return the turn order for a query; None for the default "random" in a kind of question without turn orders."""
    turn_orders = game.definition.kinds[kind].turn_orders if kind in game.definition.kinds else ()
    return None if first == FIRST and FIRST not in turn_orders else first


def who_is_nobody(game: LoadedGame, names: Sequence[str]) -> list[Fault]:
    """Return a fault for each id that is no entrant of the game, with a tip on what may be meant."""
    faults: list[Fault] = []
    for name in names:
        with gathering(faults):
            game.label(name)
    return faults


def budgets_of(budgets: Budgets) -> tuple[tuple[float, float], ...] | None:
    """Return budgets, a text or pairs, as pairs (points, unit limit); raise UsageError as `parse_budgets` does.

    >>> budgets_of("150:4"), budgets_of([(150, 4)])
    (((150.0, 4.0),), ((150.0, 4.0),))
    """
    if budgets is None:
        return None
    return parse_budgets(budgets if isinstance(budgets, str) else ",".join(f"{x}:{y}" for x, y in budgets))


def parse_budgets(text: str) -> tuple[tuple[float, float], ...]:
    """Return budgets as pairs (points, unit limit); raise UsageError with a fault for each that is out of range.

    >>> parse_budgets("150:4,250:7.5")
    ((150.0, 4.0), (250.0, 7.5))
    """
    budgets, faults = [], []
    for part in text.split(","):
        points, _, units = part.partition(":")
        pair = _number(points, MOST_POINTS), _number(units, MOST_UNITS)
        budgets.append(pair)
        if 0.0 in pair:
            form = f"POINTS:UNITS, at most {MOST_POINTS:,.0f} points and {MOST_UNITS:.0f} units"
            faults.append(Fault("is no budget", "§budget", found=part, allowed=form, tip="such as 150:4,250:7"))
    if faults:
        raise UsageError(faults)
    return tuple(budgets)


def _number(text: str, upper: float) -> float:
    """Return a number from 1 to `upper`; 0 for anything else."""
    try:
        number = float(text)
    except ValueError:
        return 0.0
    return number if 1 <= number <= upper else 0.0


def parse_tolerance(text: str | None) -> Tolerance | None:
    """Return by how much a fair price may be missed, from per cent and points; raise UsageError for anything else.

    Per cent alone leave the points to how costs are printed.

    >>> parse_tolerance("10:2"), parse_tolerance("2,5%")
    (Tolerance(share=0.1, points=2.0, grid=1.0), Tolerance(share=0.025, points=None, grid=1.0))
    """
    from balance.analysis.scores.usual_prices import Tolerance

    if text is None:
        return None
    match = _TOLERANCE.fullmatch(text.strip())
    share, points = (
        (None if word is None else float(word.replace(",", ".")) for word in match.groups()) if match else (None, None)
    )
    if share is None or share > 100 or (points or 0.0) > MOST_POINTS:
        form = f"PERCENT or PERCENT:POINTS, up to 100 per cent and {MOST_POINTS:,.0f} points"
        raise UsageError(Fault("is no tolerance", "§tolerance", found=text, allowed=form, tip="such as 10:2"))
    return Tolerance(share / 100, points)


def check_writable(folder: Path) -> None:
    """Raise OutputError for a folder that cannot be made or written to, before long work; nothing is made yet."""
    ancestor = next(place for place in (folder.absolute(), *folder.absolute().parents) if place.exists())
    if not ancestor.is_dir() or not os.access(ancestor, os.W_OK):
        reason = "may not be written to" if ancestor.is_dir() else "is not a folder"
        raise OutputError(Fault(reason, str(ancestor), tip="choose another folder with §out"))


def check_new_file(file: Path, option: str, kind: str, endings: Sequence[str], overwrite: bool | None = None) -> None:
    """Raise UsageError for a wrong ending, OutputError for a file that is there or cannot be made, before work begins.

    `kind` says what it is to be, such as "a picture"; `overwrite` None means that replacing it cannot be asked for.
    """
    if file.suffix.lower() not in endings:
        tip = f"end it in {' or '.join(endings)}"
        raise UsageError(Fault(f"is not a name for {kind}", option, found=file.name, tip=tip))
    if file.is_dir():
        raise OutputError(Fault("is a folder", str(file), tip="name a file in it"))
    if file.exists() and not overwrite:
        tip = (
            f"name another file with {option}" if overwrite is None else "name another file, or replace it with §force"
        )
        raise OutputError(Fault("is already there", str(file), tip=tip))
    check_writable(file.parent)


def check_new_drawing(file: Path, option: str, kind: str, endings: Sequence[str] = tuple(PAGES)) -> None:
    """Raise the errors of `check_new_file`, and UsageError where what draws such a file is not installed."""
    check_new_file(file, option, kind, endings)
    demand_drawing(kind, file.suffix.lower().removeprefix("."))


def demand_drawing(kind: str, *formats: str) -> None:
    """Raise UsageError if what draws html, svg or pdf is not installed."""
    if formats:
        demand(kind, "matplotlib", *["typst"] * ("pdf" in formats))
