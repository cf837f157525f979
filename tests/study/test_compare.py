"""Before and after: what is exact, what pairing saves, what is found to be dominated, and which limits break."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from balance.analysis.dominance.witnesses import find_dominators
from balance.analysis.scores.cards import cards_of
from balance.analysis.scores.scores import first_mover_advantage
from balance.analysis.scores.shape import mean_advantage
from balance.analysis.scores.tables import duel_table
from balance.answers.form import Terms
from balance.base.errors import StudyError
from balance.base.paths import data_folder
from balance.engine.runner import Runner
from balance.game.loaded import load
from balance.reporting import Document
from balance.reporting.changes.comparison import comparison_document
from balance.study.compare.answer import Comparison
from balance.study.compare.compare import _match, compare_catalogues
from balance.study.settings.patch import Patch, PatchLimits, PatchSettings, load_patch
from balance.study.settings.settings import Study, StudySettings

SHIPPED = data_folder() / "warforged" / "patch_example.toml"


@cache
def comparison(*entrants: str, exact: str = "auto", lane: str = "compiled", seed: int = 0) -> Comparison:
    settings: dict[str, Any] = {"game": "warforged", "entrants": list(entrants), "exact": exact}
    study = Study(StudySettings.model_validate(settings | {"lane": lane, "seed": seed}), Path("study.toml"))
    base = load("warforged")
    return compare_catalogues(study, base, load_patch(SHIPPED).apply(base))


@pytest.mark.parametrize(
    "entrants",
    [("nexus+*",), pytest.param(("nexus+*", "trooper+*", "bulwark+*", "vanguard+*"), marks=pytest.mark.slow)],
)
def test_pairing_saves_two_trials_of_three_on_the_shipped_patch(entrants: tuple[str, ...]) -> None:
    """Independent runs need as many times more trials as the variance of their difference is larger."""
    gain = comparison(*entrants, exact="never").summary.pairing_gain
    assert gain is not None
    assert gain >= 3


@pytest.mark.slow("test_before_and_after_are_kept_apart")
def test_simulated_differences_cover_the_exact_ones() -> None:
    exact, drawn = comparison("nexus+*").match_ups, comparison("nexus+*", exact="never").match_ups
    assert exact.select("a", "b", "touched").equals(drawn.select("a", "b", "touched"))
    touched = drawn["touched"]
    assert 0 < touched.sum() < drawn.height
    for name in ("before", "after", "difference", "advantage_before", "advantage_after"):
        low, high = (drawn[f"{name}_{end}"].fill_null(drawn[name]) for end in ("low", "high"))
        assert ((low <= exact[name] + 1e-9) & (exact[name] <= high + 1e-9)).all()
    assert set(exact["effect"]) <= {"none", "small", "changed"}
    assert exact["difference_low"].null_count() == exact.height


@pytest.mark.slow("test_what_a_patch_can_touch_are_the_match_ups_of_its_cards")
def test_what_the_patch_does_not_touch_stays_as_it_is() -> None:
    for exact in ("auto", "never"):
        changes = comparison("nexus+*", exact=exact).match_ups
        rest = changes.filter(~changes["touched"])
        assert set(rest["effect"]) == {"none"}
        assert (rest["difference"] == 0).all()
        assert not (rest["a"].str.contains("shotgun") | rest["b"].str.contains("shotgun")).any()


@pytest.mark.parametrize(
    ("game", "table", "card", "field"),
    [
        ("edadh", "troops", "archers", "melee_att"),
        ("battlelore", "units", "blue_foot", "dice"),
        ("warforged", "weapons", "rail_lance", "damage"),
    ],
)
def test_what_a_patch_can_touch_are_the_match_ups_of_its_cards(game: str, table: str, card: str, field: str) -> None:
    """Also where setups cannot be hashed; the third game is the one whose setups can."""
    base = load(game)
    few = base.entrants if game != "warforged" else ["nexus+sidearm", "nexus+shotgun", "bulwark+rail_lance"]
    study = Study(StudySettings(game=game, entrants=list(few)), Path("study.toml"))
    patch = Patch("patch", PatchSettings(set={f"{table}.{card}.{field}": 1}), Path("patch.toml"))
    pairs = _match(study, base, patch.apply(base))
    inside = {name for name in few if (table, card) in cards_of(base, name)}
    assert 0 < len(inside) < len(few) - 1
    told = {(pair.before.a, pair.before.b): pair.is_touched for pair in pairs}
    assert told == {(a, b): bool(inside & {a, b}) for a, b in combinations(few, 2)}


@pytest.mark.parametrize(
    ("game", "level", "words"),
    [
        ("warforged", "duel", ("loadout", "loadouts")),
        ("warforged", "lineup", ("entrant", "entrants")),
        ("battlelore", "skirmish", ("unit", "units")),
        ("edadh", "duel", ("army", "armies")),
    ],
)
def test_entrants_go_by_the_word_of_the_game_where_they_are_those_of_its_usual_question(
    game: str, level: str, words: tuple[str, str]
) -> None:
    loaded = load(game)
    found = Terms.of_level(loaded, level)
    assert (found.entrant, found.entrants, found.points) == (*words, loaded.words.points)


def test_another_seed_gives_other_trials() -> None:
    one, two = (comparison("nexus+s*", exact="never", seed=seed).match_ups for seed in (0, 1))
    assert not one.equals(two)


def test_before_and_after_are_kept_apart(tmp_path: Path) -> None:
    """What lies in the folder of an earlier comparison answers the next, each side with its own."""
    study = Study(StudySettings(game="warforged", entrants=["nexus+s*"]), Path("study.toml"))
    base = load("warforged")
    after = load_patch(SHIPPED).apply(base)
    first, again = (compare_catalogues(study, base, after, folder=tmp_path).match_ups for _ in range(2))
    assert again.equals(first)
    assert first.equals(comparison("nexus+s*").match_ups)
    assert (first["difference"] != 0).any()


@pytest.mark.slow("test_what_costs_more_does_not_dominate")
def test_costs_and_dominance_are_told() -> None:
    summary = comparison("nexus+*", "bulwark+*").summary
    assert list(summary.costs) == ["bulwark+rail_lance"]
    assert summary.n_exact == summary.n_match_ups
    assert summary.pairing_gain is None


@pytest.mark.slow("test_what_a_patch_can_touch_are_the_match_ups_of_its_cards")
def test_what_the_patch_cannot_touch_is_counted_apart() -> None:
    """Only a Shotgun's match-ups are others; a Rail Lance that costs more fights as before."""
    found = comparison("nexus+*", "bulwark+rail_lance")
    summary, touched = found.summary, found.match_ups.filter("touched")
    assert touched.select(((pl.col("a") + pl.col("b")).str.contains("shotgun")).all()).item()
    assert summary.n_touched + summary.n_not_touched == summary.n_match_ups == found.match_ups.height
    for part in (summary.effects_touched, *summary.verdicts_touched.values()):
        assert sum(part.values()) == summary.n_touched == touched.height > 0


def test_its_first_move_is_that_of_the_report() -> None:
    names = [name for name in load("warforged").entrants if name.startswith("nexus+s")]
    reported = mean_advantage(first_mover_advantage(duel_table(Runner(load("warforged")), names)))["mean"]
    assert comparison("nexus+s*").summary.first_mover.before == pytest.approx(reported, abs=1e-9)


def test_only_match_ups_of_equal_points_are_fair_or_unfair() -> None:
    cost = load("warforged").cost_points
    changes = comparison("nexus+s*", "nexus+pulse_pistol").match_ups
    words: dict[bool, set[str]] = {cost(a) == cost(b): set() for a, b in changes.select("a", "b").iter_rows()}
    for a, b, word in changes.select("a", "b", "verdict_before").iter_rows():
        words[cost(a) == cost(b)].add(word)
    assert words == {True: {"unfair"}, False: {"one-sided"}}


def page(change: Comparison) -> Document:
    return comparison_document(change, Terms.of_level(load("warforged"), "duel"))


def test_the_page_of_a_change_that_touches_one_or_none_says_so() -> None:
    one = repr(page(comparison("nexus+sidearm", "nexus+shotgun")))
    assert "The change can touch 1 match-up. The score changes by more than" in one
    none = page(comparison("nexus+sidearm", "nexus+pulse_pistol"))
    told = "2 cards change. None of the 2 loadouts contains one of them: nobody is affected."
    assert told in repr(none.blocks[0])
    assert "can touch" not in repr(none)
    assert "1 match-up stays as it was: counted in mean scores, and nowhere else." in repr(none)


def compare_with(limits: PatchLimits) -> tuple[str, ...]:
    some = ["nexus+s*", "nexus+pulse_pistol"]
    study = Study(StudySettings(game="warforged", entrants=some), Path("study.toml"))
    base = load("warforged")
    return compare_catalogues(study, base, load_patch(SHIPPED).apply(base), limits=limits).broken_limits


def test_limits_break_only_when_they_are_passed() -> None:
    assert compare_with(PatchLimits(max_change=1.0, max_unfair=100, max_first_mover_advantage=1.0)) == ()
    broken = compare_with(PatchLimits(max_change=0.0, max_unfair=0, max_first_mover_advantage=0.0))
    assert [text.split()[0] for text in broken] == ["max_unfair", "max_change", "max_first_mover_advantage"]


def test_the_shipped_patch_applies_and_keeps_the_catalogue_it_came_from() -> None:
    base = load("warforged")
    before = base.catalogue.sha256
    after = load_patch(SHIPPED).apply(base)
    assert after.catalogue.sha256 != before == load("warforged").catalogue.sha256


# -- dominance -------------------------------------------------------------------------------------------------------

SCORES = np.array([[[0.5, 0.4, 0.9], [0.6, 0.5, 0.9], [0.1, 0.1, 0.5]]])
NAMES = ["a", "b", "c"]


def test_what_costs_more_does_not_dominate() -> None:
    assert find_dominators(NAMES, [10, 10, 1], SCORES, SCORES, 0.02) == {"a": ("b",)}
    assert find_dominators(NAMES, [10, 11, 1], SCORES, SCORES, 0.02) == {}


def test_one_opponent_or_situation_is_reason_enough_to_be_taken() -> None:
    other = SCORES.copy()
    other[0, 0, 2] = 0.95
    assert find_dominators(NAMES, [10, 10, 1], other, other, 0.02) == {}
    both = np.concatenate([SCORES, other])
    assert find_dominators(NAMES, [10, 10, 1], both, both, 0.02) == {}


def test_nothing_is_dominated_as_long_as_it_is_not_certain() -> None:
    assert find_dominators(NAMES, [10, 10, 1], SCORES - 0.05, SCORES + 0.05, 0.02) == {}


def test_equals_do_not_dominate_each_other() -> None:
    equal = np.full((1, 3, 3), 0.5)
    assert find_dominators(NAMES, [10, 10, 10], equal, equal, 0.02) == {}
    assert find_dominators(NAMES, [10, 10, 9], equal, equal, 0.02) == {"a": ("c",), "b": ("c",)}


def test_catalogues_without_a_match_up_in_common_cannot_be_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    base = load("warforged")
    study = Study(StudySettings(game="warforged", entrants=["nexus+s*"]), Path("study.toml"))
    real = Study.choose
    monkeypatch.setattr(Study, "choose", lambda self, loaded: real(self, loaded)[: 2 if loaded is base else 0])
    with pytest.raises(StudyError) as error:
        compare_catalogues(study, base, load("warforged", base.catalogue.path))
    told = "no match-up of this study exists on both sides; compare catalogues with the same entrants"
    assert str(error.value) == told


def test_what_was_not_played_is_not_yet_known() -> None:
    told = {"game": "warforged", "entrants": ["nexus+s*"], "exact": "never", "budget": {"trials": 10, "total": 10}}
    study = Study(StudySettings.model_validate(told), Path("study.toml"))
    base = load("warforged")
    found = compare_catalogues(study, base, load_patch(SHIPPED).apply(base), limits=PatchLimits(max_change=0.0))
    shown = found.match_ups.select("method", "n_pairs", "before", "verdict_before", "verdict_after", "effect")
    assert set(shown.rows()) == {("sampled", 0, None, "not yet known", "not yet known", "not yet known")}
    assert (found.summary.largest_certain_change, found.summary.pairing_gain) == (0.0, None)
    assert (found.title, found.broken_limits) == ("Before and after", ())
