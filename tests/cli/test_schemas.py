"""The JSON Schema of every object that `--json` prints: each form is printed once, and what is not so is refused.

Every other test that prints or asks for such an object holds it against its schema too, see `tests/schemas.py`.
"""

from __future__ import annotations

import inspect
import json
import random
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from balance.analysis.armies.best_army import BestArmy
from balance.analysis.armies.legal_armies import RandomArmies
from balance.analysis.changes.handicaps.bids import Bid
from balance.analysis.changes.handicaps.points_even import FairCost, PointsBid
from balance.analysis.changes.handicaps.remedies import Remedies
from balance.analysis.changes.handicaps.worth import Worths
from balance.analysis.changes.neighbours.card_changes import CardChanges
from balance.analysis.changes.neighbours.price_card import PriceOfCard
from balance.analysis.changes.tuning.answer import FewestChanges
from balance.analysis.claims.robustness import Robustness
from balance.analysis.luck.field import FieldLuck
from balance.analysis.luck.question import Luck
from balance.analysis.play.ladder import Play
from balance.analysis.prices.answer import Prices
from balance.analysis.scores.matrix import MatchUps
from balance.analysis.stability.answer import Stability
from balance.analysis.stability.pair_stability import PairStability
from balance.analysis.what_if.page import Page
from balance.answers.documents.brief import Brief
from balance.answers.documents.schemas import DOCUMENTS, name_of, schema, schema_of
from balance.answers.games.beginnings import NewGame, NewStudy, Templates
from balance.answers.games.games import Games
from balance.answers.games.page import GamePage
from balance.answers.games.rules import RuleCoverage
from balance.answers.games.schema import VerbSchema
from balance.answers.words.catalogues.check import Check
from balance.answers.words.catalogues.written import Written
from balance.answers.words.questions.record import AnswerRecord
from balance.catalogue.battlescribe.answer import Roster
from balance.chance.dice.answer import DiceOdds
from balance.cli.kinds import KINDS
from balance.game.question.findings import SolvedQuestion
from balance.game.question.replay import Replay
from balance.game.registry import GAMES
from balance.playtests.log.template import LogTemplate
from balance.playtests.model.answer import RatingAnswer
from balance.playtests.need.answer import NeededGames
from balance.playtests.people.agreement import Agreement
from balance.playtests.people.luck import RolledLuck
from balance.study.compare.answer import Comparison
from balance.study.run.answer import DryRun, FinishedRun, WrittenReport
from balance.study.run.manifest import RunSummary
from balance.verbs.verb_list import VERBS
from tests.cli import transcripts
from tests.cli.conftest import Command
from tests.cli.price_screens import BODIES, TOOLS
from tests.packaging.checkout import ROOT
from tests.schemas import check
from tests.tug import write_catalogue

ALONE = "--jobs 1 --no-cache"
TWO = "nexus+assault_rifle trooper+shotgun"
STUDY = """
game = "warforged"
title = "Small"
entrants = ["trooper+shotgun", "trooper+sidearm", "nexus+assault_rifle"]
armies = []
[check]
match_ups = 1
trials = 64
"""
COMMANDS = {
    SolvedQuestion: "solve edadh spears spears",
    Prices: f"price tug --battles 100 --changes 1 {ALONE}",
    PriceOfCard: f"price tug ox --battles 100 {ALONE}",
    Stability: f"stability tug --battles 1000 {ALONE}",
    Play: f"play tug --pairs 8 {ALONE}",
    FewestChanges: f"tune tug {ALONE}",
    Bid: f"handicap warforged {TWO} --bid b.health --no-cache",
    Page: f"page warforged {TWO} --answers 1 --reach 1 --kinds attack --no-cache",
    Worths: f"handicap warforged {TWO} --worth b.health --no-cache",
    PointsBid: "handicap warforged --among trooper+sidearm,nexus+shotgun --bid points --budget 60:2 --no-cache",
    LogTemplate: "rate new.csv --template",
    RatingAnswer: "rate log.csv",
    NeededGames: "need --difference 20pp --evenings 5 --runs 500",
    DiceOdds: "dice '{1..3}d6' '2d{hit,hit+crit,-}' 'd20 vs d12' '2d6 >= 7' 'd6!' --trials 100",
    RolledLuck: "dice --rolled rolls.csv",
    Check: "check warforged nothing --explain",
    Written: "export warforged cards.xlsx",
    FinishedRun: f"run small.toml {ALONE}",
    DryRun: "run small.toml --dry-run",
    Roster: "roster army.cat",
    Games: "games",
    GamePage: "show warforged units",
    RuleCoverage: "rules warforged",
    VerbSchema: "schema",
    NewGame: "new-game sky_rats",
    NewStudy: "init warforged new_study.toml",
}
"""A form of an object -> a command that prints it."""
KEPT = {
    AnswerRecord: "json",
    Luck: "luck",
    FieldLuck: "luck",
    Replay: "replay",
    Robustness: "tornado",
    BestArmy: "armies",
    RandomArmies: "armies",
    CardChanges: "neighbours",
    Remedies: "handicap",
    FairCost: "handicap",
    Comparison: "studies",
}
"""A form of an object -> the transcript that keeps one."""
ELSEWHERE = {
    Agreement: "tests/verbs/test_results.py",
    PairStability: "tests/games/battlelore/adventure/test_questions.py",
    MatchUps: "tests/verbs/test_matchups.py",
    WrittenReport: "tests/verbs/test_written_reports.py",
    Templates: "tests/cli/test_new_game.py",
}


@pytest.fixture(autouse=True)
def small_games(monkeypatch: pytest.MonkeyPatch, elsewhere: Path) -> None:
    """Stand in a folder with a small game, a study, a log and a roster."""
    monkeypatch.setitem(GAMES, "tug", "tests.tug:GAME")
    write_catalogue(elsewhere / "data" / "tug", BODIES, TOOLS)
    (elsewhere / "rolls.csv").write_text("expression,result\nd6,3\n2d6,7\n")
    (elsewhere / "small.toml").write_text(STUDY)
    written = iter(transcripts.kept("roster").partition("$ write army.cat\n")[2].splitlines())
    rows = [row.removeprefix("< ") for row in iter(lambda: next(written), "")]
    (elsewhere / "army.cat").write_text("\n".join(rows))


@cache
def document(form: Any) -> dict[str, Any]:
    """Return an object of a form."""
    if form in KEPT:
        has_form = Draft202012Validator(schema_of(form)).is_valid
        return next(kept_document for kept_document in kept_documents(KEPT[form]) if has_form(kept_document))
    if form is RatingAnswer:
        transcripts.screen(["rate", "log.csv", "--template"])
    out = transcripts.screen([*shlex.split(COMMANDS[form]), "--json"])
    return dict(json.loads(out.partition("\n2> ")[0]))


def kept_documents(name: str) -> Iterator[dict[str, Any]]:
    """Yield every object that a transcript keeps."""
    for part in transcripts.kept(name).split("\n{\n")[1:]:
        yield json.loads("{\n" + part.partition("\n}\n")[0] + "\n}")


@pytest.mark.slow("test_each_form_is_printed_and_nothing_else_has_it")
def test_every_verb_that_prints_json_has_a_schema() -> None:
    for verb, entry in VERBS.items():
        if not entry.home.startswith("cli.") or "as_json" in inspect.signature(entry.function()).parameters:
            Draft202012Validator.check_schema(schema(verb))
            assert verb in KINDS or verb in DOCUMENTS
    forms = {form for forms in DOCUMENTS.values() for form in forms}
    assert forms == {*COMMANDS, *KEPT, *ELSEWHERE}


def test_every_published_run_is_summed_up_as_the_schema_says() -> None:
    is_valid = Draft202012Validator(schema_of(RunSummary)).is_valid
    summaries = [
        json.loads(path.read_text("utf-8"))["summary"] for path in sorted(ROOT.glob("reports/*/manifest.json"))
    ]
    assert len(summaries) > 4
    assert all(map(is_valid, summaries))
    assert not is_valid({**summaries[0], "unheard_of": 1})


def test_every_kept_object_is_as_its_schema_says() -> None:
    documents = [document for name in transcripts.names() for document in kept_documents(name)]
    assert len(documents) > 12
    for kept_document in documents:
        check(kept_document)


@pytest.mark.parametrize("form", [*COMMANDS, *KEPT], ids=lambda form: form.__name__)
def test_each_form_is_printed_and_nothing_else_has_it(form: Any) -> None:
    printed = document(form)
    check(printed)
    assert Draft202012Validator(schema_of(form)).is_valid(printed)
    strangers = [forms for verb, forms in DOCUMENTS.items() if verb != printed["verb"] and form not in forms]
    assert not any(Draft202012Validator(schema_of(*forms)).is_valid(printed) for forms in strangers)


@pytest.mark.parametrize("form", [*COMMANDS, *KEPT], ids=lambda form: form.__name__)
def test_a_field_too_few_or_too_many_or_of_another_type_is_refused(form: Any) -> None:
    whole = document(form)
    is_valid = Draft202012Validator(schema(name_of(whole["verb"]))).is_valid
    faulty = list(faults(whole, set(schema_of(form)["required"])))
    assert len(faulty) > 2 * len(schema_of(form)["required"])
    for what, broken in faulty:
        assert not is_valid(broken), what
    assert is_valid(whole)  # nothing that was tried is left in it


def faults(whole: dict[str, Any], required: set[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield an object with one thing wrong at a time, and what; deep down a few of them, by a seed."""
    yield "an unknown field", {**whole, "unknown": 1}
    for name in whole:
        if name in required:
            yield f"no {name}", {key: value for key, value in whole.items() if key != name}
        other_type = "text" if isinstance(whole[name], dict) else {"no": ["such", "thing"]}
        yield f"{name} of another type", {**whole, name: other_type}
    leaves = [path for path in paths(whole) if len(path) > 1 and path[0] not in OPEN]
    for path in random.Random(1).sample(leaves, min(8, len(leaves))):
        broken = json.loads(json.dumps(whole))
        part = broken
        for step in path[:-1]:
            part = part[step]
        part[path[-1]] = {"no": ["such", "thing"]}
        yield f"{path} of another type", broken


OPEN = ("inputs", "summary", "changes", "equal_points", "affected")
"""Fields that hold what the game or the study says, in its own form."""


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield where every plain value stands."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if items is None:
        yield path
        return
    for key, inner in items:
        yield from paths(inner, (*path, key))


def test_a_schema_is_printed(balance: Command) -> None:
    done = balance("schema", "duel")
    assert json.loads(done.out) == schema("ask")
    assert (done.status, done.err) == (0, "")


def test_the_verbs_that_have_one_are_listed(balance: Command) -> None:
    out = " ".join(balance("schema").out.split())
    assert all(verb in out for verb in DOCUMENTS)


def test_what_prints_no_json_is_refused_and_the_nearest_is_named(balance: Command) -> None:
    done = balance("schema", "prise")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("error: 'prise' prints no JSON; these do: ask, solve, price, ")
    assert done.err.endswith("; did you mean price?\n")


@pytest.mark.parametrize(
    "command",
    [
        "duel warforged nexus+assault_rifle trooper+shotgun",
        "dice '60d{1..1000} keep 20'",
        "need",
        "roster army.cat --column health=W",
        "card warforged sidearm --among trooper+shotgun --no-cache",
    ],
)
def test_brief_is_one_line_of_at_most_ten_thousand_bytes(command: str, balance: Command) -> None:
    done = balance(*shlex.split(command), "--brief")
    brief = json.loads(done.out)
    check(brief)
    assert (done.status, done.out.count("\n"), brief["form"]) == (0, 1, "brief")
    assert len(done.out.encode()) <= 10_000
    assert brief["tables"][0]["rows"]
    assert Draft202012Validator(schema_of(Brief)).is_valid(brief)


def test_brief_tells_the_same_as_the_whole_in_short(balance: Command) -> None:
    words = ("duel", "warforged", *TWO.split(), "--trials", "1000")
    whole, brief = (json.loads(balance(*words, form).out) for form in ("--json", "--brief"))
    assert all(brief[name] == whole[name] for name in ("sentence", "cannot_see", "notes", "rules_version", "game"))
    wins = brief["tables"][0]
    assert (wins["name"], wins["columns"]) == ("wins", ["result", "p_win", "simulated", "low", "high"])
    for result, p_win, simulated, low, high in wins["rows"]:
        assert p_win == pytest.approx(whole["exact"]["p_win"][result], rel=1e-5)
        assert simulated == pytest.approx(whole["simulated"]["p_win"][result], rel=1e-5)
        assert [low, high] == pytest.approx(whole["simulated"]["interval"]["p_win"][result], rel=1e-5)


def test_every_field_of_a_record_is_told_in_words() -> None:
    parts = schema("rate")["$defs"]["Rating"]["properties"]
    assert parts["chance"]["description"].startswith("What it scores against all others equally often")
    assert all("description" in part for part in parts.values())
