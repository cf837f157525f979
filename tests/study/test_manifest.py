"""What a manifest may hold: every field that is needed or wrong is told, what another version adds is let pass."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from balance.base.errors import StudyError
from balance.study.frames.report_settings import GameSettings
from balance.study.run.folder import Run
from balance.study.run.manifest import read_manifest
from balance.study.settings.settings import StudySettings
from tests.study.golden import Golden

Manifest = dict[str, Any]
PATH = Path("run/manifest.json")
AGAIN = "no run of schema 1 writes this; run the study again"


@pytest.fixture
def manifest(golden: Golden) -> Manifest:
    """The manifest of a study of cards and match-ups, as its file holds it."""
    found: Manifest = json.loads((golden.played["warforged"].run.folder / "manifest.json").read_text("utf-8"))
    return found


def read(manifest: object) -> Manifest:
    return read_manifest(PATH, json.dumps(manifest).encode())


def told(manifest: object) -> str:
    with pytest.raises(StudyError) as error:
        read(manifest)
    return str(error.value)


@pytest.mark.slow("test_how_a_question_is_played_is_what_the_run_says")
def test_a_manifest_that_a_run_wrote_is_read_as_it_is(manifest: Manifest) -> None:
    assert read(manifest) == manifest


@pytest.mark.slow("test_the_largest_count_is_let_pass")
def test_what_a_later_version_adds_is_let_pass_and_kept_but_for_settings(manifest: Manifest) -> None:
    more = json.loads(json.dumps(manifest)) | {"new": 1}
    more["summary"] |= {"new": 2}
    more["summary"]["ladder"] |= {"new": 3}
    more["study"] |= {"new": 4}
    more["report_settings"] |= {"new": 5}
    found = read(more)
    assert (found["new"], found["summary"]["new"], found["summary"]["ladder"]["new"]) == (1, 2, 3)
    assert (found["study"], found["report_settings"]) == (manifest["study"], manifest["report_settings"])


def test_what_an_earlier_version_did_not_say_has_its_default(manifest: Manifest) -> None:
    del manifest["rungs"]
    manifest["study"] = {"game": "warforged"}
    manifest["report_settings"] = {}
    found = read(manifest)
    assert StudySettings.model_validate(found["study"]) == StudySettings(game="warforged")
    assert GameSettings.model_validate(found["report_settings"]) == GameSettings()
    run = Run(Path("run"), found)
    assert (run.play_text("duel"), run.cannot_see("duel")) == ("", ())


def test_how_a_question_is_played_is_what_the_run_says(manifest: Manifest) -> None:
    manifest["rungs"] = {"duel": {"played": "So.", "cannot_see": ["This.", "That."]}, "kill": {}}
    run = Run(Path("run"), read(manifest))
    assert (run.play_text("duel"), run.cannot_see("duel")) == ("So.", ("This.", "That."))
    assert [(run.play_text(kind), run.cannot_see(kind)) for kind in ("kill", "none")] == [("", ())] * 2


LEAST = ["schema", "game", "game_title", "title", "balance_version", "rules_version", "catalogue_sha256", "seed"]
LEAST += ["block_trials", "study", "rules", "report_settings", "summary", "tables"]


@pytest.mark.parametrize("field", LEAST)
def test_what_a_report_needs_must_be_there(field: str, manifest: Manifest) -> None:
    del manifest[field]
    more = " (and 1 more)" if field == "tables" else ""
    assert told(manifest) == f"run/manifest.json, {field}: is missing{more}: {AGAIN}".replace(more, "")


@pytest.mark.parametrize(
    ("field", "table"),
    [
        *(
            (name, "prices")
            for name in ("n_duels", "first_mover_advantage", "strongest", "weakest", "ladder", "check", "dominated")
        ),
        ("match_ups", "tasks"),
    ],
)
def test_a_summary_of_what_was_worked_out_must_be_there(field: str, table: str, manifest: Manifest) -> None:
    manifest["summary"][field] = None
    assert told(manifest) == f"run/manifest.json: the summary lacks {field}: {AGAIN}"
    del manifest["tables"][table]
    assert read(manifest)["summary"][field] is None


def test_all_that_a_summary_lacks_is_told_in_order(manifest: Manifest) -> None:
    manifest["summary"] |= {"n_duels": None, "match_ups": None, "check": None}
    assert told(manifest) == f"run/manifest.json: the summary lacks n_duels, check, match_ups: {AGAIN}"


ARMIES = {
    "pool": {
        "verdicts": {"fair": 2},
        "card_verdicts": {"too dear": 1},
        "scale": {"slope": 1.5, "low": None, "high": 2.5, "verdict": "not yet known"},
        "checked": {"alike": {"before": 0.5, "after": 0.25, "cards": None}},
    }
}


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ((), {}, "is out of range"),
        (("pool",), 5, "is not a table"),
        (("pool", "verdicts", "fair"), -1, "is out of range"),
        (("pool", "card_verdicts"), "x", "is not a table"),
        (("pool", "scale", "slope"), "x", "is not a number"),
        (("pool", "scale", "verdict"), None, "is not a text"),
        (("pool", "checked", "alike", "cards"), "x", "is not a number"),
    ],
)
def test_what_armies_of_equal_points_said_is_read_setting_by_setting(
    path: tuple[str, ...], value: object, message: str, manifest: Manifest
) -> None:
    manifest["summary"]["armies"] = json.loads(json.dumps(ARMIES))
    assert read(manifest) == manifest
    put("summary", "armies", *path)(manifest, value)
    assert told(manifest).startswith(f"run/manifest.json, {'.'.join(('summary', 'armies', *path))}: ")
    assert message in told(manifest)


@pytest.mark.parametrize("lost", [("verdicts",), ("card_verdicts",), ("scale",), ("checked",), ("scale", "slope")])
def test_all_that_armies_say_must_be_there(lost: tuple[str, ...], manifest: Manifest) -> None:
    manifest["summary"]["armies"] = found = json.loads(json.dumps(ARMIES))
    for key in ("pool", *lost[:-1]):
        found = found[key]
    del found[lost[-1]]
    assert told(manifest) == f"run/manifest.json, summary.armies.pool.{'.'.join(lost)}: is missing: {AGAIN}"


def test_where_fair_costs_are_told_what_armies_said_must_be_there(manifest: Manifest) -> None:
    manifest["summary"].pop("armies", None)
    manifest["tables"]["fair_costs"] = "0" * 64
    assert told(manifest) == f"run/manifest.json: the summary lacks armies: {AGAIN}"
    manifest["summary"]["armies"] = ARMIES
    assert read(manifest) == manifest


def put(*path: str) -> Callable[[Manifest, object], None]:
    def change(manifest: Manifest, value: object) -> None:
        for key in path[:-1]:
            manifest = manifest[key]
        manifest[path[-1]] = value

    return change


COUNTS: list[tuple[str, ...]] = [("summary", name) for name in ("n_entrants", "n_duels")]
COUNTS += [("summary", "check", name) for name in ("match_ups", "tested", "trials", "below_5_percent", "alarms")]
COUNTS += [("summary", "check", "control_alarms"), ("summary", "dominated", "outright")]
COUNTS += [("summary", "dominated", "overlooking_the_smallest_imbalance")]
COUNTS += [("summary", "dominated", "by_a_mixture"), ("summary", "dominated", "by_any_overlooking")]
COUNTS += [("summary", "match_ups", name) for name in ("n_tasks", "n_exact", "n_sampled", "n_pairs", "unfair")]
SHARES: list[tuple[str, ...]] = [("summary", "check", "level"), ("summary", "dominated", "smallest_imbalance")]
SHARES += [("summary", "match_ups", name) for name in ("imbalance", "confidence")]
SHARES += [("summary", name, "score") for name in ("strongest", "weakest")]
WRONG: list[tuple[tuple[str, ...], object, str]] = [
    *((path, -1, "is out of range") for path in (*COUNTS, *SHARES, ("block_trials",), ("seed",))),
    *((path, 2**53, "is out of range") for path in (*COUNTS, ("block_trials",))),
    *((path, 1.001, "is out of range") for path in SHARES),
    (("seed",), 2**63, "is out of range"),
    (("block_trials",), 0, "is out of range"),
    (("summary", "n_entrants"), 0, "is out of range"),
    (("summary", "match_ups", "verdicts"), {}, "is out of range"),
    (("title",), "x" * 1001, "is out of range"),
    (("schema",), 2, "is not allowed"),
    (("catalogue_sha256",), "0" * 63, "String should match pattern '^[0-9a-f]{64}$'"),
    (("catalogue_sha256",), "0" * 65, "String should match pattern '^[0-9a-f]{64}$'"),
    (("catalogue_sha256",), "G" * 64, "String should match pattern '^[0-9a-f]{64}$'"),
    (("tables", "prices"), "0", "String should match pattern '^[0-9a-f]{64}$'"),
    (("rungs",), 5, "is not a table"),
    (("rungs", "duel"), 5, "is not a table"),
    (("rungs", "duel", "played"), 5, "is not a text"),
    (("rungs", "duel", "cannot_see"), "x", "is not a list"),
    (("study",), 5, "is not a table"),
    (("study", "seed"), "x", "is not a whole number"),
    (("report_settings",), [], "is not a table"),
    (("summary", "broken_limits"), "x", "is not a list"),
    (("summary", "ladder", "deviance"), None, "is not a number"),
]


@pytest.mark.parametrize(("path", "value", "message"), WRONG, ids=lambda one: str(one)[:40])
def test_a_value_that_no_run_writes_is_told_with_its_place(
    path: tuple[str, ...], value: object, message: str, manifest: Manifest
) -> None:
    put(*path)(manifest, value)
    found = told(manifest)
    assert found.startswith(f"run/manifest.json, {'.'.join(path)}: ")
    assert f"{message}: {AGAIN.partition(';')[0]}" in found
    assert found.endswith("run the study again")


@pytest.mark.parametrize("path", [*COUNTS, ("block_trials",)])
def test_the_largest_count_is_let_pass(path: tuple[str, ...], manifest: Manifest) -> None:
    put(*path)(manifest, 2**53 - 1)
    assert read(manifest)


def test_only_the_first_of_several_is_told_with_how_many_more(manifest: Manifest) -> None:
    manifest |= {"game": 1, "seed": -1, "title": 2}
    assert told(manifest) == (
        "run/manifest.json, game: '1' is not a text (and 2 more): no run of schema 1 writes this; "
        "allowed: a text in double quotes; run the study again"
    )


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"{", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        (b'{"seed": NaN}', "NaN is no number"),
        (b'{"seed": -Infinity}', "-Infinity is no number"),
        (b"[" * 100_000, "maximum recursion depth exceeded while decoding a JSON array from a unicode string"),
        (b"\xff", "'utf-8' codec can't decode byte 0xff in position 0: invalid start byte"),
    ],
)
def test_what_is_no_json_is_told(content: bytes, what: str) -> None:
    with pytest.raises(StudyError) as error:
        read_manifest(PATH, content)
    told = f"run/manifest.json: is not a manifest of schema 1 ({what[:80]}); run the study again"
    assert str(error.value) == told
