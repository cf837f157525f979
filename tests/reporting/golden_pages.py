"""Small reports that hold what the published ones lack, and what is drawn for them, kept as text in `golden/`.

`python -m tests.reporting.golden_pages` writes all of them anew: read what changes, line by line, before keeping it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from balance import __version__
from balance.answers.blocks.document import VerdictWord
from balance.answers.form import Terms
from balance.game.loaded import load
from balance.game.registry import GAMES
from balance.reporting import Document, Figure
from balance.reporting.build import build_document
from balance.reporting.changes.comparison import comparison_document
from balance.reporting.figures.figures import Point, Series, plot_against, plot_bars, plot_intervals, plot_lines
from balance.study import Run, load_study, run_study
from balance.study.compare.answer import ArmyScore, EqualPoints, PriceChange, TypicalChange
from balance.study.compare.compare import compare_catalogues
from balance.study.settings.patch import PatchLimits, load_patch
from tests.reporting.golden_variants import GROUPS, variants
from tests.reporting.in_words import in_words, pictures_in_words
from tests.toy import game as toy

GOLDEN = Path(__file__).parent / "golden"
FEW = "[check]\nmatch_ups = 3\ntrials = 256\n[verdicts]\ndraws = 100\n"
Fighters = Mapping[str, tuple[Any, ...]]
HOSTILE = "<b>#emph[x]** `y`"


def cards(folder: Path, fighters: Fighters, more: str = "") -> Path:
    """Write a catalogue of fighters: id -> name, cost, dice, health."""
    folder.mkdir()
    shipped = toy.GAME.folder
    for name in ("rules.toml", "rule_ids.csv"):
        (folder / name).write_bytes((shipped / name).read_bytes())
    rows = [",".join([one, f'"{name}"', *map(str, numbers)]) for one, (name, *numbers) in fighters.items()]
    (folder / "fighters.csv").write_text("\n".join(["id,name,cost_points,dice,health", *rows, ""]), "utf-8")
    if more:
        (folder / "report.toml").write_text(more, "utf-8")
    return folder


def run_of(folder: Path, study: str, fighters: Fighters, report: str = "") -> Run:
    cards(folder / "cards", fighters, report)
    path = folder / "study.toml"
    path.write_text(f'game = "skirmish"\ncatalogue = "cards"\n{study}\n{FEW}', "utf-8")
    return run_study(load_study(path), folder / "run")


DECLARED = Path(__file__).with_name("golden_pages_report.toml")

FIGHTERS = {"rat": ("Rat", 5, 1, 2), "knight": ("Knight", 20, 3, 5), "ogre": ("Ogre", 35, 4, 9)}
EQUALS = {"rat": (HOSTILE, 10, 1, 2), "mouse": ("Mouse", 10, 1, 2), "cat": ("Cat", 10, 2, 3)}


def alone(folder: Path) -> Document:
    """One fighter, which meets itself."""
    return build_document(run_of(folder, "", {"knight": FIGHTERS["knight"]}))


def one_price(folder: Path) -> Document:
    """Fighters that cost the same, one of them under a hostile name; limits that are broken."""
    limits = "[limits]\nmax_score = 0.5\nmin_score = 0.5"
    return build_document(run_of(folder, limits, EQUALS))


def declared(folder: Path) -> Document:
    """What a game declares for its report, all of it exact."""
    return build_document(run_of(folder, "", FIGHTERS, DECLARED.read_text("utf-8")))


def simulated(folder: Path) -> Document:
    """The same where distributions are too large."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("balance.chance.exact.enumeration.LARGEST_GRID", 3)
        return declared(folder)


ASKED = """
metrics = ["luck"]
[[luck]]
id = "duels"
title = "duels of *all*"
even = 1
groups = 64
[[luck]]
id = "throws"
title = "throws"
kind = "attack"
set = ["attacker.dice=2"]
pairs = [["rat", "ogre"], ["imp", "ogre"]]
groups = 64
[[luck]]
id = "bold"
title = "one who goes all out"
pairs = [["knight", "ogre"]]
choices = { a_effort = "bold" }
groups = 64
[[neighbours]]
id = "cards"
title = "cards"
cards = ["knight", "imp"]
among = ["rat", "k*"]
"""


def lucky(folder: Path) -> Document:
    """How much is luck, and what one step of a card does; one of them under a hostile name."""
    return build_document(run_of(folder, ASKED, FIGHTERS | {"imp": (HOSTILE, 9, 1, 1)}))


def match_ups(folder: Path) -> Document:
    """Match-ups alone: in two plays, on two sides of a patch, some simulated."""
    (folder / "dear.toml").write_text('[set]\n"fighters.knight.cost_points" = 35\n"fighters.knight.dice" = 4\n')
    study = 'metrics = ["match_ups"]\npatches = ["dear.toml"]\nexact = "never"\nbudget = { trials = 64 }'
    return build_document(run_of(folder, f"{study}\n{PLAYS}", FIGHTERS))


def compared(
    folder: Path,
    study: str,
    before: Fighters,
    after: Fighters,
    limits: PatchLimits,
    equal_points: EqualPoints | None = None,
) -> Document:
    (folder / "study.toml").write_text(f'game = "skirmish"\ncatalogue = "cards"\n{study}\n', "utf-8")
    old, new = (load("skirmish", cards(folder / name, who)) for name, who in (("cards", before), ("after", after)))
    chosen = load_study(folder / "study.toml")
    change = compare_catalogues(chosen, old, new, title="Knights", limits=limits, equal_points=equal_points)
    return comparison_document(change, Terms.of_level(old, chosen.settings.level))


BEFORE = FIGHTERS | {"cat": ("Cat", 20, 3, 5)}
AFTER = {"rat": FIGHTERS["rat"], "knight": ("Knight", 4, 4, 9), "cat": ("Cat", 4, 3, 5), "imp": (HOSTILE, 9, 1, 1)}
STRONGER = FIGHTERS | {"knight": ("Knight", 35, 4, 5)}
PLAYS = 'policies = { a_effort = ["steady", "bold"] }\n'


def comparison(folder: Path) -> Document:
    """A fighter that gets cheaper and stronger, so that others are not worth taking; one that goes and a new one."""
    return compared(folder, "", BEFORE, AFTER, PatchLimits(max_change=0.0, max_newly_unfair=0))


def comparison_back(folder: Path) -> Document:
    """The same the other way round."""
    return compared(folder, "", AFTER, BEFORE, PatchLimits())


def comparison_simulated(folder: Path) -> Document:
    study = f'exact = "never"\nbudget = {{ trials = 256 }}\n{PLAYS}'
    return compared(folder, study, FIGHTERS, STRONGER, PatchLimits())


def comparison_of_nothing(folder: Path) -> Document:
    """Nothing changes."""
    return compared(folder, "", FIGHTERS, FIGHTERS, PatchLimits())


def comparison_without_effect(folder: Path) -> Document:
    """Only a cost changes, which no duel can show."""
    return compared(folder, "", FIGHTERS, FIGHTERS | {"ogre": ("Ogre", 40, 4, 9)}, PatchLimits())


def army_changes(settings: Mapping[str, str]) -> EqualPoints:
    """Return invented numbers: a knight is too dear from now on, a rat is as it was, an ogre scores a little more."""
    scores = (
        ArmyScore(setting, name, 0.5, 0.5 + by, by, *((None, None) if by == 0 else (by - 0.02, by + 0.02)))
        for setting in settings
        for name, by in (("rat", 0.0), ("knight", -0.125), ("ogre", 0.0625))
    )
    typical = (TypicalChange(setting, title, 0.0, 0.153, 0.001, 0.002) for setting, title in settings.items())
    prices = (
        PriceChange(name, cost, 20.5, 18.25, 21.5, before, new_cost, fair, fair - 3, fair + 1, after)
        for name, cost, new_cost, fair, before, after in (
            ("rat", 5.0, 5.0, 5.0, "not yet known", "not yet known"),
            ("knight", 20.0, 35.0, 22.25, "fair", "too dear"),
            ("ogre", 35.0, 35.0, 33.5, "depends on play", "fair"),
        )
    )
    return EqualPoints(tuple(scores), tuple(typical), tuple(prices))


def comparison_of_armies(folder: Path) -> Document:
    """Armies of equal points meet in two settings; a card changes in what it costs and does."""
    settings = {"pool": f"shared by {HOSTILE}", "per_unit": "one for each unit"}
    return compared(folder, "", FIGHTERS, STRONGER, PatchLimits(), army_changes(settings))


def comparison_of_costs(folder: Path) -> Document:
    """Only a cost changes, where armies of equal points meet: no duel is told of."""
    dearer = FIGHTERS | {"knight": ("Knight", 35, 3, 5)}
    return compared(folder, "", FIGHTERS, dearer, PatchLimits(), army_changes({"armies": "as the rules have it"}))


def comparison_of_rules(folder: Path) -> Document:
    """Another reading of the rules, which concerns everybody."""
    (folder / "patch.toml").write_text('rules = { hits_on = "5-6" }\n', "utf-8")
    (folder / "study.toml").write_text('game = "skirmish"\ncatalogue = "cards"\n', "utf-8")
    game = load("skirmish", cards(folder / "cards", FIGHTERS))
    after = load_patch(folder / "patch.toml").apply(game)
    change = compare_catalogues(load_study(folder / "study.toml"), game, after, title="Rules")
    return comparison_document(change, Terms.of_level(game, "duel"))


WORDS: tuple[VerdictWord, ...] = (*("too dear", "too cheap", "fair"), "not yet known")
LONG = "a name that is longer than a row of a page has room for"


def pictures(_: Path) -> Document:
    """Every kind of picture, with what the published ones do not show."""
    intervals = (["one", LONG, "three", "four"], [3, -2, 0.5, 1], [2, -3, 0.5, -4], [4, -1, 0.5, 6])
    band = Series("band", (0, 1, 2), (1, 0.5, 0.25), (1, 0.4, 0.2), (1, 0.6, 0.3))
    points = [Point("best", 1, 3, 0.5, 1.5, 2, 4), Point("next", 4, 5), Point("worse", 4, 2, y_low=1, y_high=3)]
    same = [Point(f"{LONG} {number}", 2, 2) for number in range(20)]
    drawn = {
        "intervals with verdicts": plot_intervals(*intervals, "points", reference=0.0, verdicts=WORDS),
        "intervals": plot_intervals(*intervals, "a long label of what is measured, with its unit, over two lines"),
        "bars": plot_bars([3, 0, 3], [0.25, 0.5, 0.25], "damage"),
        "small bars": plot_bars(range(4), [0.07] * 4, "damage", "share"),
        "many bars": plot_bars(range(10_000, 10_016), [1 / 16] * 16, "damage"),
        "a bar": plot_bars([2], [1.0], "damage"),
        "stairs": plot_lines([band, Series(LONG, (0, 2), (1, 0))], "actions", "stands", steps=True, percent=True),
        "lines": plot_lines([band, Series("other", (0.5, 1.5), (3, 7))], "time", "value"),
        "against": plot_against(points, [2, 0], "printed cost", "fair cost"),
        "one place": plot_against(same, [0], "cost", "damage"),
    }
    return Document("Pictures", "", tuple(Figure(picture, name, name) for name, picture in drawn.items()))


PAGES: dict[str, Callable[[Path], Document]] = {
    make.__name__: make
    for make in (
        *(alone, one_price, declared, simulated, match_ups, pictures, lucky),
        *(comparison, comparison_back, comparison_simulated),
        *(comparison_without_effect, comparison_of_nothing, comparison_of_rules, comparison_of_armies),
        comparison_of_costs,
    )
} | {f"variants_of_{group.__name__}": lambda _, group=group: variants(group) for group in GROUPS}


def page(name: str) -> str:
    """Return a page as text."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch, pictures_in_words():
        patch.setitem(GAMES, "skirmish", "tests.toy.game:GAME")
        return in_words(PAGES[name](Path(folder))).replace(f"balance {__version__}", "balance VERSION")


def main() -> None:
    """Write every page anew."""
    for name in PAGES:
        (GOLDEN / f"{name}.txt").write_text(page(name), "utf-8")


if __name__ == "__main__":
    main()
