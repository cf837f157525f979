"""An example for the help of every verb; the tests run each of them. Only these texts name a game here."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from balance.game.game import QuestionKind
    from balance.game.loaded import LoadedGame

EXAMPLES: dict[str, tuple[str, ...]] = {
    "games": ("balance games",),
    "new-game": ("balance new-game skirmishers", "balance new-game iron_and_dust --template hit-wound-save"),
    "show": ("balance show warforged units", "balance show warforged nexus"),
    "check": ("balance check", "balance check data/warforged/units.csv"),
    "export": (
        "balance export warforged warforged.xlsx",
        "balance export warforged changed --patch patch_example.toml",
    ),
    "import": ("balance import warforged warforged.xlsx",),
    "roster": (
        "balance roster army.cat army.gst",
        "balance roster army.cat army.gst --type Unit --column health=W --column cost_points=pts --out units.csv",
    ),
    "rules": ("balance rules warforged",),
    "attack": (
        "balance attack warforged nexus+assault_rifle whisper",
        "balance attack warforged nexus+assault_rifle whisper --set attacker.precision=8 --trials 100000",
    ),
    "duel": (
        "balance duel warforged nexus+assault_rifle whisper+sidearm --first a",
        "balance duel warforged nexus+assault_rifle whisper+sidearm --half-width 0.01 --json",
    ),
    "ask": (
        "balance ask battlelore skirmish blue_foot goblin_blue_foot --set situation.a_units=3",
        "balance skirmish battlelore blue_foot goblin_blue_foot --set situation.a_units=3",
        "balance lineup warforged whisper+sidearm:2,trooper+shotgun nexus+assault_rifle",
        "balance combat battlelore blue_mounted dwarf_blue_foot --choose follow_up=bonus_same --json",
        "balance turn edadh shieldsmen spears --policy-a cautious",
    ),
    "solve": ("balance solve edadh shieldsmen spears --set a.mp=4 --set b.mp=4",),
    "price": (
        "balance price warforged whisper",
        "balance price warforged nexus+assault_rifle --set situation.actions=per_unit --budget 150:4,250:7",
        "balance price warforged --patch costs.toml",
    ),
    "play": ("balance play warforged battle --pairs 32 --budget 150:4", "balance play warforged lineup --json"),
    "stability": (
        "balance stability warforged battle --over situation.map=open,dense --scales 150:4,250:7",
        "balance stability warforged battle --ways greedy,kite_hold --battles 4096 --json",
    ),
    "army": ("balance army warforged --budget 150", "balance army warforged --budget 150 --random 3"),
    "tune": ("balance tune warforged --changes 5 --out tuned.toml",),
    "tornado": (
        "balance tornado warforged attack nexus+assault_rifle trooper --at-least 2",
        "balance tornado warforged duel nexus+assault_rifle trooper+shotgun --over weapons --set a.armour=1",
    ),
    "card": ("balance card warforged sidearm --among trooper+shotgun,whisper+sidearm",),
    "handicap": (
        "balance handicap warforged nexus+assault_rifle trooper+shotgun",
        "balance handicap battlelore --among blue_foot,red_foot --field dice --json",
        "balance handicap battlelore --among blue_foot,red_foot --bid dice",
        "balance handicap warforged nexus+assault_rifle trooper+shotgun --cost",
        "balance handicap warforged nexus+assault_rifle trooper+shotgun --worth b.health",
    ),
    "page": (
        "balance page warforged vanguard+shotgun aegis+laser_carbine --kinds attack --answers 100",
        "balance page battlelore green_foot+common_bow blue_foot --kinds attack --out bow.html --json",
    ),
    "luck": (
        "balance luck warforged duel vanguard+shotgun aegis+laser_carbine",
        "balance luck edadh duel spears shieldsmen --policy-a cautious --groups 256 --json",
    ),
    "need": (
        "balance need --difference 5pp",
        "balance need --band 45:55 --draws 10%",
        "balance need --difference 10pp --plan sequential --games-per-evening 6",
        "balance need --options 6 --difference 10pp --evenings 20 --json",
    ),
    "dice": (
        "balance dice '3d6 keep 2'",
        "balance dice '5d10 count >=7 vs 4d10 count >=7'",
        "balance dice '{1..8}d6 count 5-6'",
        "balance dice '2d6!' '1d12!' '3d{0,0,1,1,2}' --picture dice.svg",
        "balance dice '10d6 count 3+ then d6 count 4+' --json",
    ),
    "replay": (
        "balance replay immortal_souls encounter ecarus,auriel ambush --winner encounter",
        "balance replay immortal_souls encounter ecarus,auriel ambush --trial 3 --page ambush.html",
        "balance replay warforged battle nexus+assault_rifle:2 trooper+shotgun:3 --map open --policy-a kite --trial 17",
    ),
    "rate": (
        "balance rate evenings.csv --template",
        "balance rate evenings.csv --page evenings.html",
        "balance rate evenings.csv --band 40:60 --json",
    ),
    "schema": ("balance schema", "balance schema price"),
    "serve": ("balance serve", "balance serve my_cards --seconds 300"),
    "init": ("balance init warforged my_study.toml",),
    "run": ("balance run study.toml --out runs/mine", "balance run study.toml --executor processes --jobs 2"),
    "compare": ("balance compare study.toml --patch patch.toml", "balance compare warforged --base old --patch new"),
    "tables": ("balance tables runs/mine --format csv --out mine_csv",),
    "report": ("balance report warforged --format html",),
}
"""Verb -> commands that work as they stand."""


START = f"Start with: {EXAMPLES['attack'][0]}"
"""The end of the help of `balance` itself."""


def question_command(game: LoadedGame, kind: QuestionKind, *options: str) -> str:
    """Return a command that asks a question of this kind, ending in `options`.

    It is about the first entrant and another that shares no part with it; of armies, about two of the first entrant;
    where entrants come in pairs, about the first pair.

    >>> from balance.game.loaded import load
    >>> game = load("warforged")
    >>> question_command(game, game.definition.kinds["attack"])
    'balance attack warforged nexus+assault_rifle whisper'
    """
    from balance.game.armies.armies import ARMY_FORM

    if pairs := game.pairs_of(kind.name):
        return shlex.join(["balance", kind.name, game.definition.called, pairs[0], *options])
    first_id, *_ = game.ids(kind.takes[0])
    rivals = game.ids(kind.takes[1])
    strangers = (rival for rival in rivals if not {*kind.takes[1].parts(rival)} & {*kind.takes[0].parts(first_id)})
    count_text = ":2" if kind.takes[0].written.startswith(ARMY_FORM) else ""
    return shlex.join(
        ["balance", kind.name, game.definition.called, first_id + count_text, next(strangers, rivals[-1]), *options]
    )
