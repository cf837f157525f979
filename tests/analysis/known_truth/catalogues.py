"""Games, loadouts and their true costs: a tree of cards each, so that costs of loadouts are sums of costs of cards."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from balance.catalogue import patch_catalogue
from balance.game.loaded import LoadedGame, load
from balance.rulebook import templates
from tests.tug import write_catalogue
from tests.tug.game import GAME as TUG

KEPT = Path(__file__).parents[1] / "kept" / "known_truth.json"
TIMES = 10
"""Costs and budgets are so many times those of the game, so that a whole cost is within 1 % of any."""

LEVIES = {"ant": 12, "bee": 15, "cat": 19, "dog": 24, "elk": 28, "fox": 33, "gnu": 38, "hog": 45}
"""Dice that each levy throws, which is what it is worth: armies that throw equally many are alike."""
LEVIES_FILE = '''title = "Levies"
health = "heart"
units = """
{units}
"""
[tokens]
tally = 0
[attack]
shouts = "me.throws d6 count 6"
"me.tally" = "me.tally + shouts"
[turns]
order = "simultaneous"
[ends]
rounds = 1
score = "me.tally"
'''
BODIES = {"mole": 120.0, "lynx": 230.0, "boar": 310.0, "yak": 440.0, "bison": 570.0}
TOOLS = {"rope": 100, "chain": 130, "belt": 115}
FILES = {
    "hit-wound-save": {
        "raiders": {},
        "guard": {},
        "hunters": {},
        "brute": {},
        "militia": {"skill": "5"},
        "hulk": {"wounds": "14"},
    },
    "d20": {"goblin": {}, "fighter": {}, "rogue": {}, "ogre": {}, "phantom": {}, "knight": {"armour": "17"}},
    "nerve": {
        "mob": {},
        "spears": {},
        "knights": {},
        "ogres": {},
        "guard": {"defence": "5"},
        "rabble": {"attacks": "12"},
    },
}
"""Templates of game files, with units beside those that they have: the first but for some numbers."""
USELESS = {
    "levies": ("throws", "0"), "tug": ("strength", "1"), "hit-wound-save": ("attacks", "0"), "d20": ("swings", "0"),
    "nerve": ("attacks", "0"), "warforged": ("damage", "0"),
}  # fmt: skip
"""The number of a card without which it does nothing."""
BOARD = {"board": "warforged"}
"""Of whose game it is the board: armies are legal ones there and need not cost the same."""


@dataclass(frozen=True)
class Catalogue:
    """Loadouts of a game with their true costs.

    * `loadouts`: id -> its cards; as a graph of cards these are a tree.
    * `fair`: id -> the true cost in points.
    * `given`: cards whose costs are a convention, from which those of all other cards follow.
    * `errors`: standard errors of log true costs; 0 in closed form.
    """

    game: str
    loadouts: Mapping[str, tuple[str, ...]]
    fair: Mapping[str, float]
    given: Mapping[str, float]
    budget: str
    settings: tuple[str, ...] = ()
    errors: Mapping[str, float] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """The kind of question in which armies meet."""
        return "battle" if self.game in (*FILES, "levies", "board") else "lineup"

    def card_costs(self, loadout_costs: Mapping[str, float]) -> dict[str, float]:
        """Return whole costs of cards such that loadouts cost as much as told."""
        costs = dict(self.given)
        while missing := [name for name, cards in self.loadouts.items() if not set(cards) <= costs.keys()]:
            for name in missing:
                unknown = [card for card in self.loadouts[name] if card not in costs]
                if len(unknown) == 1:
                    rest = sum(costs[card] for card in self.loadouts[name] if card in costs)
                    costs[unknown[0]] = float(round(loadout_costs[name] - rest))
        return costs

    def sums(self, card_costs: Mapping[str, float]) -> dict[str, float]:
        """Return what loadouts cost."""
        return {name: sum(card_costs[card] for card in cards) for name, cards in self.loadouts.items()}

    def open(self, card_costs: Mapping[str, float], useless: str = "") -> LoadedGame:
        """Return the game with these costs of cards; `useless` is a card that does nothing."""
        if self.game in FILES or self.game == "levies":
            return _file_game(self.game, card_costs, useless)
        if self.game == "tug":
            return _tug(card_costs, useless)
        shipped = load(BOARD.get(self.game, self.game))
        patch = {f"{_path(self.game, card)}.cost_points": f"{cost:g}" for card, cost in card_costs.items()}
        if useless:
            name, value = USELESS[self.game]
            patch[f"{_path(self.game, useless)}.{name}"] = value
        return LoadedGame(shipped.definition, patch_catalogue(shipped.catalogue, patch))


def _path(game: str, card: str) -> str:
    """Return where a card stands in the catalogue of a shipped game."""
    if game == "runewars":
        return f"formations.{card.replace('+', '_')}"
    return f"{'units' if card in load('warforged').catalogue.tables['units'] else 'weapons'}.{card}"


def template_units(kind: str) -> tuple[str, dict[str, dict[str, str]]]:
    """Return the text of a template with `{units}` for its units, and these: id -> column -> value."""
    text = (Path(templates.__path__[0]) / f"{kind}.toml").read_text()
    table = re.search(r'units = """\n(.*?)"""', text, re.DOTALL)
    assert table
    head, *rows = ([cell.strip() for cell in line.split("|")] for line in table[1].strip().splitlines())
    units = {row[0].lower(): dict(zip(head, row, strict=True)) for row in rows}
    return text.replace(table[1], "{units}\n"), units


def _file_game(kind: str, costs: Mapping[str, float], useless: str) -> LoadedGame:
    """Return a game of one file; a copy of a unit is named for it and numbered, such as ant_2."""
    if kind == "levies":
        text = LEVIES_FILE
        units = {name: {"heart": "1", "throws": str(throws)} for name, throws in LEVIES.items()}
    else:
        text, units = template_units(kind)
        first = next(iter(units))
        units = {name: {**units.get(name, units[first]), **changed} for name, changed in FILES[kind].items()}
    units = {name: {**units[name.partition("_")[0]], "name": name.replace("_", " ").title()} for name in costs}
    if useless:
        units[useless][USELESS[kind][0]] = USELESS[kind][1]
    for name, cost in costs.items():
        units[name]["cost"] = f"{cost:g}"
    columns = list(next(iter(units.values())))
    lines = [" | ".join(columns), *(" | ".join(unit[column] for column in columns) for unit in units.values())]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"{kind.replace('-', '_')}.toml")
        path.write_text(text.replace("{units}", "\n".join(lines)))
        return load(str(path))


def _tug(costs: Mapping[str, float], useless: str) -> LoadedGame:
    bodies = [(name, costs[name], 1 if name == useless else round(9 * worth)) for name, worth in BODIES.items()]
    tools = [(name, costs[name], 1 if name == useless else strength) for name, strength in TOOLS.items()]
    with tempfile.TemporaryDirectory() as folder:
        return load(TUG, write_catalogue(Path(folder), bodies, tools))


def levies() -> Catalogue:
    """Return levies, each of which is worth the dice that it throws."""
    fair = {name: float(TIMES * throws) for name, throws in LEVIES.items()}
    return Catalogue("levies", {name: (name,) for name in LEVIES}, fair, {}, "1000:4,2500:10")


def tug() -> Catalogue:
    """Return teams of a body and a tool, which are worth their strength."""
    pairs = [("mole", "rope"), ("lynx", "rope"), ("boar", "rope"), ("yak", "rope"), ("bison", "rope")]
    pairs += [("yak", "chain"), ("bison", "belt")]
    fair = {f"{body}+{tool}": BODIES[body] * TOOLS[tool] / 100 for body, tool in pairs}
    return Catalogue("tug", {"+".join(pair): pair for pair in pairs}, fair, {"rope": 40.0}, "1500:4,3000:8")


MEASURED = {
    "warforged": (
        ["trooper+assault_rifle", "vanguard+assault_rifle", "nexus+assault_rifle", "aegis+assault_rifle",
         "trooper+shotgun", "trooper+laser_carbine", "nexus+marksman_rifle", "sentinel+assault_rifle"],
        {"assault_rifle": 180.0}, "1500:4,2500:7,3500:10.5", ("situation.actions=pool",),
    ),
    "board": (
        [
            "trooper+assault_rifle",
            "vanguard+assault_rifle",
            "nexus+assault_rifle",
            "trooper+shotgun",
            "nexus+marksman_rifle",
            "sentinel+assault_rifle",
        ],
        {"assault_rifle": 180.0},
        "1500:4,2500:7,3500:10.5",
        (),
    ),
    "runewars": (
        ["spearmen+2x1", "spearmen+3x2", "oathsworn_cavalry+2x2", "rune_golems+2x1", "outland_scouts+2x2",
         "reanimates+2x2", "death_knights+2x1", "berserkers+2x2"],
        {}, "2000:14", (),
    ),
    "hit-wound-save": (list(FILES["hit-wound-save"]), {}, "4000:4,10000:10", ()),
    "d20": (list(FILES["d20"]), {}, "2400:4,6000:10", ()),
    "nerve": (list(FILES["nerve"]), {}, "5000:4,12000:10", ()),
}  # fmt: skip
"""Loadouts, costs by convention, budgets and settings of games whose true costs are measured (see `truth`)."""
GAMES = ("levies", "tug", *json.loads(KEPT.read_text()))


@cache
def catalogue(game: str) -> Catalogue:
    """Return the catalogue of a game with its true costs."""
    if game not in MEASURED:
        return {"levies": levies, "tug": tug}[game]()
    kept = json.loads(KEPT.read_text())[game]
    names, given, budget, settings = MEASURED[game]
    bought = game in ("warforged", "board")
    loadouts = {name: tuple(name.split("+")) if bought else (name,) for name in names}
    return Catalogue(game, loadouts, kept["fair"], given, budget, settings, kept["errors"])


def alike(game: str, n: int) -> Catalogue:
    """Return n copies of the first card of a game of one file."""
    whole = catalogue(game)
    first = next(iter(whole.loadouts))
    names = [f"{first}_{at}" for at in range(n)]
    return replace(
        whole, loadouts={name: (name,) for name in names}, fair=dict.fromkeys(names, whole.fair[first]), errors={}
    )
