"""The list of verbs: where the function of each is, its help, and examples that work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class VerbEntry:
    """A verb: the module and name of its function, its help, commands that work as they stand; whether it is a tool.

    The module is one of `balance.verbs`, or of `balance.cli` where it begins with "cli."; a kind of question has none.
    """

    home: str
    help_text: str
    examples: tuple[str, ...]
    is_tool: bool = False

    def function(self) -> Callable[..., Any]:
        """Import and return the function of a verb that is no kind of question."""
        module, _, name = self.home.partition(":")
        room = module if module.startswith("cli.") else f"verbs.{module}"
        function: Callable[..., Any] = getattr(import_module(f"balance.{room}"), name)
        return function


VERBS: Mapping[str, VerbEntry] = {
    "games": VerbEntry("catalogues.games:list_games", "List the games.", ("balance games",)),
    "new-game": VerbEntry(
        "catalogues.games:new_game",
        "Write a small game of your own, ready to be asked and to be changed.",
        ("balance new-game skirmishers", "balance new-game iron_and_dust --template hit-wound-save"),
    ),
    "show": VerbEntry(
        "catalogues.games:show",
        "Show a game: its tables, rules, sources, one entry, or what can be asked and set.",
        ("balance show warforged units", "balance show warforged nexus"),
    ),
    "check": VerbEntry(
        "catalogues.check:check",
        "Check catalogues: every fault at once, and values without a source.",
        ("balance check", "balance check data/warforged/units.csv"),
    ),
    "export": VerbEntry(
        "catalogues.workbooks:export_game",
        "Write a game's catalogue to one .xlsx workbook, to edit in a spreadsheet; or apply a patch.",
        ("balance export warforged warforged.xlsx", "balance export warforged changed --patch patch_example.toml"),
    ),
    "import": VerbEntry(
        "catalogues.workbooks:import_game",
        "Read a workbook back into a folder of your own.",
        ("balance import warforged warforged.xlsx",),
    ),
    "roster": VerbEntry(
        "catalogues.roster:roster",
        "Read your own BattleScribe catalogues or rosters as a table.",
        (
            "balance roster army.cat army.gst",
            "balance roster army.cat army.gst --type Unit --column health=W --column cost_points=pts --out units.csv",
        ),
    ),
    "rules": VerbEntry(
        "catalogues.games:rules", "Show which rules of the rulebook the tests prove.", ("balance rules warforged",)
    ),
    "attack": VerbEntry(
        "",
        "What one Attack action does: its exact distribution, and a simulation if asked.",
        (
            "balance attack warforged nexus+assault_rifle whisper",
            "balance attack warforged nexus+assault_rifle whisper --set attacker.precision=8 --trials 100000",
        ),
    ),
    "duel": VerbEntry(
        "",
        "Who wins a duel: the exact chances, and a simulation beside them if asked.",
        (
            "balance duel warforged nexus+assault_rifle whisper+sidearm --first a",
            "balance duel warforged nexus+assault_rifle whisper+sidearm --half-width 0.01 --json",
        ),
    ),
    "ask": VerbEntry(
        "questions:ask",
        "Any question that `balance games` lists; `balance KIND GAME ...` is short for it.",
        (
            "balance ask battlelore skirmish blue_foot goblin_blue_foot --set situation.a_units=3",
            "balance skirmish battlelore blue_foot goblin_blue_foot --set situation.a_units=3",
            "balance lineup warforged whisper+sidearm:2,trooper+shotgun nexus+assault_rifle",
            "balance combat battlelore blue_mounted dwarf_blue_foot --choose follow_up=bonus_same --json",
            "balance turn edadh shieldsmen spears --policy-a cautious",
        ),
    ),
    "solve": VerbEntry(
        "questions:solve",
        "What a game is worth when both sides choose as well as they can, and how they do.",
        ("balance solve edadh shieldsmen spears --set a.mp=4 --set b.mp=4",),
        is_tool=True,
    ),
    "price": VerbEntry(
        "prices:price",
        "What cards should cost where armies of equal points meet; of one card, what could change instead.",
        (
            "balance price warforged whisper",
            "balance price warforged nexus+assault_rifle --set situation.actions=per_unit --budget 150:4,250:7",
            "balance price warforged --patch costs.toml",
        ),
        is_tool=True,
    ),
    "play": VerbEntry(
        "play:play",
        "What play is worth: every way of playing against every other, with the same armies on the same luck.",
        ("balance play warforged battle --pairs 32 --budget 150:4", "balance play warforged lineup --json"),
        is_tool=True,
    ),
    "stability": VerbEntry(
        "play:stability",
        "Which verdicts on prices are the same with every good way of playing, on every map and at every scale.",
        (
            "balance stability warforged battle --over situation.map=open,dense --scales 150:4,250:7",
            "balance stability warforged battle --ways greedy,kite_hold --battles 4096 --json",
        ),
        is_tool=True,
    ),
    "army": VerbEntry(
        "armies:army",
        "The best army for a budget, found by playing and confirmed; or random legal ones.",
        ("balance army warforged --budget 150", "balance army warforged --budget 150 --random 3"),
        is_tool=True,
    ),
    "tune": VerbEntry(
        "armies:tune",
        "The fewest and smallest changes that make armies of equal points fair, as a patch.",
        ("balance tune warforged --changes 5 --out tuned.toml",),
        is_tool=True,
    ),
    "tornado": VerbEntry(
        "sources:tornado",
        "Which assumed values a conclusion rests on, and how far they may move before it flips.",
        (
            "balance tornado warforged attack nexus+assault_rifle trooper --at-least 2",
            "balance tornado warforged duel nexus+assault_rifle trooper+shotgun --over weapons --set a.armour=1",
        ),
        is_tool=True,
    ),
    "card": VerbEntry(
        "prices:card",
        "What every small change of a card does, and what pairs of abilities do.",
        ("balance card warforged sidearm --among trooper+shotgun,whisper+sidearm",),
        is_tool=True,
    ),
    "handicap": VerbEntry(
        "changes.handicaps:handicap",
        "The smallest change of one number that makes a match-up even, or takes the edge off going first.",
        (
            "balance handicap warforged nexus+assault_rifle trooper+shotgun",
            "balance handicap battlelore --among blue_foot,red_foot --field dice --json",
            "balance handicap battlelore --among blue_foot,red_foot --bid dice",
            "balance handicap warforged nexus+assault_rifle trooper+shotgun --cost",
            "balance handicap warforged nexus+assault_rifle trooper+shotgun --worth b.health",
        ),
        is_tool=True,
    ),
    "page": VerbEntry(
        "changes.pages:page",
        "A page on which a whole game can be changed, or two cards: exact, in one file, offline.",
        (
            "balance page iron_and_dust.toml",
            "balance page warforged",
            "balance page warforged vanguard+shotgun aegis+laser_carbine --kinds attack --answers 100",
            "balance page battlelore green_foot+common_bow blue_foot --kinds attack --out bow.html --json",
        ),
    ),
    "luck": VerbEntry(
        "sources:luck",
        "How much of a result is luck, from which dice, and how it comes about.",
        (
            "balance luck warforged duel vanguard+shotgun aegis+laser_carbine",
            "balance luck edadh duel spears shieldsmen --policy-a cautious --groups 256 --json",
        ),
        is_tool=True,
    ),
    "replay": VerbEntry(
        "questions:replay",
        "One trial of a simulation in words, turn by turn; also as a page.",
        (
            "balance replay immortal_souls encounter ecarus,auriel ambush --winner encounter",
            "balance replay immortal_souls encounter ecarus,auriel ambush --trial 3 --page ambush.html",
            "balance replay warforged battle nexus+assault_rifle:2 trooper+shotgun:3 --map open --policy-a kite "
            "--trial 17",
        ),
        is_tool=True,
    ),
    "rate": VerbEntry(
        "playtests:rate",
        "Rate a log of playtests: who is too strong, how sure that is, and what to play next.",
        (
            "balance rate evenings.csv --template",
            "balance rate evenings.csv --page evenings.html",
            "balance rate evenings.csv --band 40:60 --json",
        ),
        is_tool=True,
    ),
    "need": VerbEntry(
        "playtests:need",
        "How many games of your own it takes to settle a question, and what fewer can show.",
        (
            "balance need --difference 5pp",
            "balance need --band 45:55 --draws 10%",
            "balance need --difference 10pp --plan sequential --games-per-evening 6",
            "balance need --options 6 --difference 10pp --evenings 20 --json",
        ),
        is_tool=True,
    ),
    "fit": VerbEntry(
        "studies.fit:fit",
        "Whether a log of your players' games agrees with the simulation, and which cards do not.",
        ("balance fit warforged games.csv", "balance fit warforged games.csv --by lineup --json"),
        is_tool=True,
    ),
    "dice": VerbEntry(
        "rolls:dice",
        "The odds of your own dice, exact: pools, rerolls, explosions, symbols, contests, tables.",
        (
            "balance dice '3d6 keep 2'",
            "balance dice '5d10 count >=7 vs 4d10 count >=7'",
            "balance dice '{1..8}d6 count 5-6'",
            "balance dice '2d6!' '1d12!' '3d{0,0,1,1,2}' --picture dice.svg",
            "balance dice '10d6 count 3+ then d6 count 4+' --json",
        ),
        is_tool=True,
    ),
    "schema": VerbEntry(
        "catalogues.games:schema",
        "The JSON Schema of what a verb prints with --json.",
        ("balance schema", "balance schema price"),
    ),
    "serve": VerbEntry(
        "cli.server.serve:serve",
        "Answer an assistant's questions about your catalogues, by the protocol MCP.",
        ("balance serve", "balance serve my_cards --seconds 300"),
    ),
    "init": VerbEntry(
        "catalogues.games:init",
        "Write a study with every setting explained, ready to run.",
        ("balance init warforged my_study.toml",),
    ),
    "run": VerbEntry(
        "studies.runs:run",
        "Run a study, or go on where it was interrupted.",
        ("balance run study.toml --out runs/mine", "balance run study.toml --executor processes --jobs 2"),
    ),
    "compare": VerbEntry(
        "studies.reports:compare",
        "What a patch or another catalogue does to every match-up, before and after.",
        ("balance compare study.toml --patch patch.toml", "balance compare warforged --base old --patch new"),
    ),
    "tables": VerbEntry(
        "studies.runs:tables",
        "Write the tables of a run as CSV, Parquet or Excel; a text like =1+1 stays a text.",
        ("balance tables runs/mine --format csv --out mine_csv",),
    ),
    "report": VerbEntry(
        "studies.reports:report",
        "Write the report of a game, a study or a run as HTML and PDF.",
        ("balance report warforged --format html",),
    ),
}
