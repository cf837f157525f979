"""`balance serve`: an assistant's calls are answered as the command would, within limits, and nothing else is read."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from jsonschema import Draft202012Validator
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CallToolResult,
    ListToolsResult,
    PromptReference,
    ResourceTemplateReference,
    TextContent,
    TextResourceContents,
    Tool,
)

import balance.rulebook
from balance.answers.media.brief import MOST_BYTES
from balance.base.errors import UsageError
from balance.base.paths import data_folder
from balance.cli.server import worker as worker_module
from balance.cli.server.calls import MOST_CALL, Worker
from balance.cli.server.guard import allowed_roots, is_below
from balance.cli.server.names import GAMES
from balance.cli.server.prompts import TEXTS, TITLES
from balance.cli.server.protocol import _listed
from balance.cli.server.served import serve_folders
from balance.cli.server.tools import MOST_GAMES, tools_of
from balance.playtests.log.template import TEMPLATE
from balance.verbs.verb_list import VERBS
from tests.cli.conftest import Command
from tests.packaging.checkout import ROOT
from tests.schemas import check

NOT_SERVED = {
    *("games", "new-game", "check", "export", "import", "roster", "rules", "schema", "serve", "ask", "init"),
    *("run", "compare", "tables", "report", "page"),
}
"""Verbs that are no tools: they write, they are about files, or a tool of each kind of question says more."""
TWO = {"game": "warforged", "one": "nexus+assault_rifle", "other": "trooper+shotgun"}
FEW = {"among": "nexus+shotgun,trooper+sidearm", "budget": "60:2"}
CALLS: dict[str, dict[str, Any]] = {
    "dice": {"expressions": ["3d6", "d20 vs d12"], "trials": 100},
    "solve": {"game": "edadh", "a": "spears", "b": "spears"},
    "replay": {"game": "immortal_souls", "kind": "encounter", "one": "ecarus,auriel", "other": "ambush"},
    "luck": {"game": "warforged", "kind": "attack", "one": "nexus+assault_rifle", "other": "trooper"},
    "tornado": {**TWO, "kind": "duel", "over": ["weapons"]},
    "card": {"game": "warforged", "card": "sidearm", "among": "trooper+shotgun"},
    "price": {"game": "warforged", **FEW, "battles": 100},
    "handicap": {**TWO, "bid": "b.health"},
    "army": {"game": "warforged", "budget": "60:2", "random": 2},
    "tune": {"game": "few", "changes": 1},
    "play": {"game": "warforged", "kind": "lineup", "ways": "focus,spread", "pairs": 8, "budget": "100:4"},
    "stability": {"game": "warforged", "kind": "lineup", "among": FEW["among"], "battles": 1000, "scales": "74:2"},
    "rate": {"log": "evenings.csv"},
    "fit": {"game": "warforged", "log": "games.csv"},
    "need": {"difference": "20pp", "runs": 500},
    "attack": {**TWO, "other": "whisper", "set": ["attacker.precision=8"]},
    "kill": {**TWO, "other": "whisper"},
    "duel": {**TWO, "trials": 100},
    "lineup": TWO,
    "battle": {**TWO, "trials": 64},
    "combat": {"game": "battlelore", "one": "red_foot", "other": "blue_foot"},
    "skirmish": {"game": "battlelore", "one": "red_foot", "other": "blue_foot"},
    "turn": {"game": "edadh", "one": "spears", "other": "shieldsmen"},
    "finish": {"game": "edadh", "one": "spears", "other": "shieldsmen"},
    "encounter": {"game": "immortal_souls", "one": "ecarus,auriel", "other": "ambush", "trials": 50},
    "quest": {"game": "immortal_souls", "one": "ecarus,auriel", "other": "old_crypt", "trials": 50},
    "approach": {"game": "runewars", "one": "spearmen+2x2", "other": "reanimates+2x2", "trials": 50},
    "advance": {"game": "runewars", "one": "spearmen+2x2", "other": "reanimates+2x2", "trials": 50},
    "seats": {"game": "warforged", "one": TWO["one"], "other": "trooper+shotgun / whisper+sidearm", "trials": 50},
    "gamble": {"game": "immortal_souls", "one": "ecarus", "other": "HIT"},
}
"""A call of each tool but `show`."""
MOST_TOLD = 32_000
"""Bytes of the list of tools, which an assistant reads before it asks anything."""
TEMPLATES = Path(balance.rulebook.__file__).parent / "templates"
QUICK = ("dice", "need", "duel", "attack", "rate", "luck")
UNITS = """id,name,kind,cost_points,speed_cells,health,armour,handling,abilities,copies
nexus,Nexus,Cyborg,24,4,8,2,3,,1
whisper,Whisper,Light Drone,14,6,4,1,1,slim,2
trooper,Trooper,Soldier,12,4,5,1,2,,3
"""
WEAPONS = """id,name,class,cost_points,handling,range_cells,precision,damage,effects,copies
sidearm,Sidearm,secondary,3,1,3,7,1,,3
shotgun,Shotgun,main,10,2,3,8,5,,1
"""


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a catalogue, a game file, a log, and links and files that lead out of it; a secret beside it."""
    outside = tmp_path_factory.mktemp("outside")
    folder = outside / "given"
    for name in ("few", "leaky"):
        (folder / name).mkdir(parents=True)
        (folder / name / "rules.toml").write_bytes((data_folder() / "warforged" / "rules.toml").read_bytes())
        (folder / name / "SOURCES.csv").write_text("table,id,field,status,where\n")
        (folder / name / "units.csv").write_text(UNITS)
        (folder / name / "weapons.csv").write_text(WEAPONS)
    for path in (outside / "secret.csv", folder / "evenings.csv"):
        path.write_text(TEMPLATE)
    (outside / "secret_units.csv").write_text(UNITS)
    (folder / "games.csv").write_text("one,other,winner\nnexus+shotgun,trooper+shotgun,trooper+shotgun\n")
    (folder / "link.csv").symlink_to(outside / "secret.csv")
    (folder / "up").symlink_to(outside)
    (folder / "leaky" / "units.csv").unlink()
    (folder / "leaky" / "units.csv").symlink_to(outside / "secret_units.csv")
    text = (TEMPLATES / "hit-wound-save.toml").read_text("utf-8")
    (folder / "steel.toml").write_text(text)
    greedy, n = re.subn(r'(?s)units = """.*?"""', 'units = "../secret_units.csv"', text)
    assert n == 1
    (folder / "greedy.toml").write_text(greedy)
    for path in (*folder.rglob("*.*"), outside / "secret_units.csv"):
        os.utime(path, (1e9, 1e9))  # so old that what was read of it once would be kept
    return folder


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the worker of this module writes down what it opens."""
    return tmp_path_factory.mktemp("log") / "opened"


@pytest.fixture(scope="module")
def working(given: Path, log: Path) -> Iterator[Worker]:
    """A worker that may read the folder, and that writes down what it opens."""
    worker = Worker([given], seconds=20, memory=4 * 2**30, command=watched(log, "yes"))
    yield worker
    worker.stop()


def watched(log: Path, guarded: str) -> list[str]:
    """Return the command of a worker that writes down what it opens."""
    return [sys.executable, "-m", "tests.cli.server.watched", str(log), guarded]


@dataclass(frozen=True)
class Session:
    """What a server told the SDK's own client: its tools, the length of their list, the schema of answers, answers."""

    tools: list[Tool]
    n_bytes: int
    schema: dict[str, Any]
    results: dict[str, CallToolResult]


def client_of(given: Path) -> Client:
    """Return the SDK's own client of a server, which it starts as a process."""
    words = ["-m", "balance", "serve", str(given), "--seconds", "60"]
    return Client(stdio_client(StdioServerParameters(command=sys.executable, args=words, cwd=str(ROOT))))


async def read(client: Client, uri: str) -> Any:
    """Return a resource, read as JSON."""
    (content,) = (await client.read_resource(uri)).contents
    assert isinstance(content, TextResourceContents)
    return json.loads(content.text)


async def _served(given: Path, calls: Mapping[str, Mapping[str, Any]]) -> Session:
    async with client_of(given) as client:
        listed = await client.list_tools()
        schema = await read(client, "balance://answers")
        with pytest.raises(MCPError, match="no such resource; allowed: balance://answers"):
            await client.read_resource("balance://secret")
        results = {name: await client.call_tool(name, dict(words)) for name, words in calls.items()}
        n_bytes = len(listed.model_dump_json(by_alias=True, exclude_none=True))
        return Session(listed.tools, n_bytes, schema, results)


def _serve(given: Path, calls: Mapping[str, Mapping[str, Any]]) -> Session:
    return anyio.run(partial(_served, given, calls))


def words_of(tool: Tool) -> dict[str, Any]:
    properties: dict[str, Any] = tool.input_schema["properties"]
    return properties


def answers_as_schemas_say(schema: dict[str, Any], results: dict[str, CallToolResult]) -> None:
    Draft202012Validator.check_schema(schema)
    for name, result in results.items():
        assert not result.is_error, (name, result.content)
        document = result.structured_content
        assert document is not None
        Draft202012Validator(schema).validate(document)
        check(document)
        assert document["verb"] == name
        assert document["cannot_see"] or name in ("dice", "rate")
        text = result.content[0]
        assert isinstance(text, TextContent)
        assert json.loads(text.text) == document
        assert len(text.text) <= MOST_BYTES


@pytest.mark.slow("test_a_tool_takes_the_words_of_its_command_but_for_where_work_is_done")
def test_an_assistant_is_told_its_tools_and_gets_answers_as_their_schemas_say(given: Path) -> None:
    hostile: dict[str, dict[str, Any]] = {
        "nobody": {},
        "battle": {**TWO, "trials": 10**9},
        "price": {"game": "../secret"},
    }
    session = _serve(given, {**hostile, **{name: CALLS[name] for name in QUICK}})
    tools, results = session.tools, session.results
    assert {tool.name for tool in tools} >= {*CALLS, "show"}
    assert session.n_bytes < MOST_TOLD
    answers_as_schemas_say(session.schema, {name: results[name] for name in QUICK})
    assert [results[name].is_error for name in hostile] == [True] * 3
    assert all("Traceback" not in str(results[name].content) for name in hostile)
    for tool in tools:
        Draft202012Validator.check_schema(tool.input_schema)
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint
        assert all("description" in part or name in ("game", "seed") for name, part in words_of(tool).items()), tool
    duel = next(tool for tool in tools if tool.name == "duel")
    assert duel.description == VERBS["duel"].help_text or "wins" in str(duel.description)
    assert {"few", "leaky", "steel", "warforged"} <= {*words_of(duel)["game"]["enum"]}


@pytest.mark.slow("test_a_tool_takes_the_words_of_its_command_but_for_where_work_is_done")
def test_every_tool_answers_as_its_schema_says(given: Path) -> None:
    session = _serve(given, CALLS)
    assert {tool.name for tool in session.tools} - {"show"} == {*CALLS}
    answers_as_schemas_say(session.schema, session.results)


def test_the_list_of_tools_is_short_with_every_game_and_template_served(given: Path, tmp_path: Path) -> None:
    tools = tools_of(serve_folders([given, TEMPLATES]))
    told = ListToolsResult(tools=[_listed(tool) for tool in tools.values()])
    assert len(told.model_dump_json(by_alias=True, exclude_none=True)) < MOST_TOLD
    assert len(tools["duel"].input_schema["properties"]["game"]["enum"]) > 20
    for n in range(3 * MOST_GAMES):
        (tmp_path / f"another_game_{n}.toml").write_bytes((TEMPLATES / "d20.toml").read_bytes())
    more = tools_of(serve_folders([given, tmp_path]))
    told = ListToolsResult(tools=[_listed(tool) for tool in more.values()])
    assert len(told.model_dump_json(by_alias=True, exclude_none=True)) < MOST_TOLD
    assert more["duel"].input_schema["properties"]["game"] == {"type": "string"}


def test_every_verb_is_a_tool_or_is_known_not_to_be() -> None:
    served = {verb for verb, entry in VERBS.items() if entry.is_tool}
    assert {*served, "show", "attack", "duel"} | NOT_SERVED == {*VERBS}
    assert not NOT_SERVED & served


def test_a_tool_takes_the_words_of_its_command_but_for_where_work_is_done(given: Path) -> None:
    price = tools_of(serve_folders([given]))["price"]
    words = price.input_schema["properties"]
    assert list(words) == [
        *("game", "card", "kind", "among", "set", "choose", "budget", "battles", "changes", "tolerance", "keep"),
        *("min_cost", "seed"),
    ]
    assert words["battles"]["type"] == "integer"
    assert (words["battles"]["minimum"], words["battles"]["maximum"]) == (100, 1_000_000)
    assert words["set"] == {"type": "array", "items": {"type": "string"}, "description": "PATH=VALUE"}
    for too_long in (["x" * 2001], ["x"] * 65):
        with pytest.raises(UsageError, match=r"set.*at most"):
            price.read({"game": "few", "set": too_long})
    assert words["budget"]["description"].startswith("Budgets and unit limits of armies")


def test_the_same_call_is_answered_as_the_command_does(working: Worker, balance: Command) -> None:
    answer = working.ask("duel", {**TWO, "trials": 1000, "seed": 3})["answer"]
    done = balance("duel", *TWO.values(), "--trials", "1000", "--seed", "3", "--brief")
    assert answer == json.loads(done.out)
    assert answer["seed"] == 3


def test_a_word_that_is_null_is_not_said(working: Worker) -> None:
    words = {**CALLS["attack"], "trials": None, "choose": None}
    assert working.ask("attack", words) == working.ask("attack", CALLS["attack"])


def test_games_of_the_folder_are_answered_about_and_shown(working: Worker) -> None:
    own = working.ask("attack", {"game": "few", "one": "trooper+shotgun", "other": "whisper"})["answer"]
    shipped = working.ask("attack", {"game": "warforged", "one": "trooper+shotgun", "other": "whisper"})["answer"]
    assert own["catalogue_sha256"] != shipped["catalogue_sha256"]
    assert "whisper" in working.ask("show", {"game": "few", "table": "units"})["answer"]["text"]
    assert "text" in working.ask("show", {"game": "steel"})["answer"]
    long = working.ask("show", {"game": "battlelore", "table": "entrants"})["answer"]["text"]
    assert len(long.encode()) <= MOST_BYTES


def test_show_without_a_game_lists_those_that_are_served(working: Worker, given: Path) -> None:
    lines = working.ask("show", {})["answer"]["text"].splitlines()
    assert [line.partition(":")[0] for line in lines] == [*serve_folders([given]).places]
    assert next(line for line in lines if line.startswith("warforged")).endswith(
        "tools attack, kill, duel, lineup, battle, seats"
    )
    assert next(line for line in lines if line.startswith("greedy")).startswith("greedy: has faults: ")


def test_no_answer_tells_where_the_folders_lie(working: Worker, given: Path) -> None:
    told = json.dumps(
        [working.ask("show", {}), working.ask("show", {"game": "leaky"}), working.ask("show", {"game": "greedy"})]
    )
    assert "leaky/units.csv" in told
    assert not any(str(place) in told for place in (given, given.parent, data_folder(), ROOT))


LOGS = [
    "{secret}",
    "../secret.csv",
    "few/../../secret.csv",
    "~/secret.csv",
    "file://{secret}",
    "link.csv",
    "up/secret.csv",
]
HOSTILE: list[tuple[str, dict[str, Any], str]] = [
    *(("rate", {"log": log}, "is no log in the folders served here; allowed: evenings.csv") for log in LOGS),
    ("rate", {"log": "evenings.csv\0"}, "is no log in the folders"),
    ("rate", {"log": "/dev/stdin"}, "is no log in the folders"),
    ("rate", {"log": "up"}, "is no log in the folders"),
    ("rate", {"log": "evenings.csv", "page": ["there.html"]}, "page: is no word of this tool"),
    ("rate", {"log": "evenings.csv", "template": True}, "template: is no word of this tool"),
    ("duel", {**TWO, "game": "leaky"}, "lies outside the folders that this server was started with"),
    ("duel", {**TWO, "game": "../outside"}, "game: '../outside' is no value for it; allowed: 'few', 'leaky'"),
    ("duel", {**TWO, "game": "{secret}"}, "is no value for it"),
    ("duel", {**TWO, "catalogue": "{secret}"}, "catalogue: is no word of this tool"),
    ("duel", {**TWO, "one": "{secret}"}, "is not in units"),
    ("duel", {**TWO, "set": ["@{secret}"]}, "is not an assignment"),
    ("duel", {**TWO, "set": ["situation.map={secret}"]}, "is not a field"),
    ("battle", {**TWO, "set": ["situation.map={secret}"]}, "situation"),
    ("battle", {"game": "battlelore", "one": "../../secret"}, "is no adventure"),
    ("duel", {**TWO, "trials": 10**9}, "trials: '1000000000' is no value for it"),
    ("duel", {**TWO, "trials": "many"}, "trials: 'many' is no value for it"),
    ("duel", {**TWO, "one": "x" * 10_000}, "one: "),
    ("duel", {**TWO, "set": ["a.health=9"] * 65}, "set: "),
    ("duel", {"game": "warforged"}, "one: is missing"),
    ("duel", {**TWO, "jobs": 4096, "executor": "dask"}, "jobs: is no word of this tool"),
    ("tune", {"game": "few", "out": "{secret}"}, "out: is no word of this tool"),
    ("dice", {"expressions": ["(" * 900]}, "("),
    ("dice", {"expressions": ["10000d10000"] * 65}, "expressions: "),
    ("dice", {"expressions": ["1000000d1000000"]}, "are too many dice"),
    ("need", {"runs": 10**12}, "runs: "),
    ("show", {"game": "warforged", "table": "../../secret"}, "has no table and no entry"),
    ("show", {"game": ["warforged"]}, "game: "),
    ("show", {"game": "greedy"}, "lies outside of the folder of the game file"),
    ("run", {"study": "{secret}"}, "name: 'run' is no tool"),
    ("", {}, "name: '' is no tool"),
]


def filled(value: Any, secret: Path) -> Any:
    """Return a value in which the path of the secret stands."""
    if isinstance(value, str):
        return value.replace("{secret}", str(secret))
    if isinstance(value, dict):
        return {key: filled(part, secret) for key, part in value.items()}
    return [filled(part, secret) for part in value] if isinstance(value, list) else value


@pytest.mark.parametrize(("name", "arguments", "told"), HOSTILE)
def test_a_hostile_call_ends_in_an_error_in_our_words(
    name: str, arguments: dict[str, Any], told: str, working: Worker, given: Path
) -> None:
    result = working.ask(name, filled(arguments, given.parent / "secret.csv"))
    assert set(result) == {"error"}
    assert told in result["error"]
    assert not any(word in result["error"] for word in ("Traceback", "bug", "Undead"))
    assert len(result["error"]) < 10_000


# -- what is read ------------------------------------------------------------------------------------------------------


def test_nothing_outside_is_read_whatever_is_asked(working: Worker, given: Path, log: Path) -> None:
    for name, arguments, _ in HOSTILE:
        working.ask(name, filled(arguments, given.parent / "secret.csv"))
    for name in QUICK:
        assert "answer" in working.ask(name, CALLS[name])
    paths, roots = log.read_text("utf-8").splitlines(), allowed_roots(serve_folders([given]).folders)
    assert str(given / "evenings.csv") in paths  # it does read, and that is seen
    assert [path for path in paths if not is_below(path, roots)] == []


@pytest.mark.slow("test_the_guard_refuses_what_is_not_reading_a_given_folder")
def test_a_worker_that_minds_nothing_would_read_the_secret(given: Path, tmp_path: Path) -> None:
    worker = Worker([given], seconds=60, command=watched(tmp_path / "opened", "no"))
    try:
        assert "answer" in worker.ask("rate", {"log": str(given.parent / "secret.csv")})
        worker.ask("duel", {**TWO, "game": "leaky"})
    finally:
        worker.stop()
    paths = (tmp_path / "opened").read_text("utf-8").splitlines()
    assert {str(given.parent / name) for name in ("secret.csv", "secret_units.csv")} <= {*paths}


ACTS = {
    "open('there.txt', 'w')": "writes nothing",
    "open('there.txt', 'r+')": "writes nothing",
    "os.open('there.txt', os.O_CREAT | os.O_WRONLY)": "writes nothing",
    "os.mkdir('there')": "writes nothing",
    "os.remove('kept.txt')": "writes nothing",
    "os.rename('kept.txt', 'there.txt')": "writes nothing",
    "tempfile.mkdtemp(dir='.')": "writes nothing",
    "open('kept.txt')": "lies outside the folders",
    "os.listdir('.')": "lies outside the folders",
    "open('given/link.txt')": "lies outside the folders",
    "list(pathlib.Path('/').iterdir())": "lies outside the folders",
    "subprocess.run(['true'])": "other processes or a connection",
    "os.system('true')": "other processes or a connection",
    "os.fork()": "other processes or a connection",
    "socket.create_connection(('localhost', 9))": "other processes or a connection",
}


def test_the_guard_refuses_what_is_not_reading_a_given_folder(tmp_path: Path) -> None:
    (tmp_path / "kept.txt").write_text("a secret")
    (tmp_path / "given").mkdir()
    (tmp_path / "given" / "own.txt").write_text("its own")
    (tmp_path / "given" / "link.txt").symlink_to(tmp_path / "kept.txt")
    code = f"""
import os, pathlib, socket, subprocess, tempfile
from balance.cli.server.guard import RefusalError, guard
print(open("kept.txt").read())  # as anybody may, before
guard([pathlib.Path("given").resolve()])
print(open("given/own.txt").read())
for act in {list(ACTS)!r}:
    try:
        eval(act)
        print("done:", act)
    except RefusalError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    before, own, *told = done.stdout.splitlines()
    assert (before, own) == ("a secret", "its own")
    assert len(told) == len(ACTS)
    for (act, refusal), line in zip(ACTS.items(), told, strict=True):
        assert refusal in line, act
    assert sorted(path.name for path in tmp_path.iterdir()) == ["given", "kept.txt"]


def test_a_game_file_that_names_python_functions_is_refused(tmp_path: Path) -> None:
    text = (TEMPLATES / "hit-wound-save.toml").read_text("utf-8")
    line = next(row for row in text.splitlines() if row.startswith("hits"))
    (tmp_path / "evil.toml").write_text(text.replace(line, 'hits = {python = "os:system"}'))
    with pytest.raises(UsageError, match="is not served here"):
        serve_folders([]).game("evil")
    with pytest.raises(Exception, match="names Python functions, which a server does not run"):
        serve_folders([tmp_path]).game("evil")


def test_a_folder_that_is_none_and_two_games_of_one_name_are_refused(given: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nowhere: is no folder"):
        serve_folders([tmp_path / "nowhere"])
    (tmp_path / "few.toml").write_bytes((given / "steel.toml").read_bytes())
    with pytest.raises(UsageError, match="few: are two games"):
        serve_folders([given, tmp_path])


# -- names, first prompts, progress, cancelling ------------------------------------------------------------------------


def test_the_names_of_a_game_are_those_that_its_questions_take(working: Worker, given: Path) -> None:
    told = working.ask(GAMES, {"game": ""})["answer"]
    assert told["logs"] == ["evenings.csv", "games.csv"]
    assert [*told["games"]] == [*serve_folders([given]).places]
    names = working.ask(GAMES, {"game": "few"})["answer"]
    assert names["entrants"]["loadout"]["trooper+shotgun"] == "Trooper + Shotgun"
    assert {*names["entrants"]["target"]} == {"nexus", "whisper", "trooper"}
    duel = names["kinds"]["duel"]
    assert {"situation.distance_cells", "a.unit.health", "b.weapon.damage"} <= {*duel["set"]}
    assert names["kinds"]["lineup"]["choose"]["policy_a"] == ["focus", "least_overkill", "spread"]
    one, other = list(names["entrants"]["loadout"])[:2]
    assert "rules.faces" in names["rules"]
    words = {"game": "few", "one": one, "other": other, "first": duel["first"][0]}
    assert "answer" in working.ask("duel", words | {"set": ["a.unit.health=9", "rules.faces=0-9"]})
    assert "is not served here" in working.ask(GAMES, {"game": "../secret"})["error"]


OFFERED = ["warforged", "runewars"]
"""What `war` may become: names that begin so, then those that hold it."""


async def _chat(given: Path) -> None:
    async with client_of(given) as client:
        assert set((await read(client, "balance://games/steel"))["kinds"]) == {"attack", "kill", "duel", "battle"}
        with pytest.raises(MCPError, match="is not served here"):
            await read(client, "balance://games/secret")
        (template,) = (await client.list_resource_templates()).resource_templates
        of_games = ResourceTemplateReference(type="ref/resource", uri=template.uri_template)
        assert (await client.complete(of_games, {"name": "game", "value": "war"})).completion.values == OFFERED
        prompts = (await client.list_prompts()).prompts
        assert [prompt.name for prompt in prompts] == [*TITLES]
        cards = PromptReference(type="ref/prompt", name="compare_two_cards")
        offered = await client.complete(cards, {"name": "one", "value": "whis"}, {"game": "few"})
        assert {"whisper", "whisper+sidearm"} <= {*offered.completion.values}
        (message,) = (await client.get_prompt("what_should_it_cost", {"game": "few", "card": "shotgun"})).messages
        assert isinstance(message.content, TextContent)
        assert "What should `shotgun` cost in `few`?" in message.content.text
        with pytest.raises(MCPError, match="card: is missing"):
            await client.get_prompt("what_should_it_cost", {"game": "few"})

        steps, heard = list[tuple[float, float | None, str | None]](), anyio.Event()

        async def hear(progress: float, total: float | None, message: str | None) -> None:
            steps.append((progress, total, message))
            if total:
                heard.set()

        async def price() -> None:  # which would go on for an hour
            await client.call_tool("price", {"game": "warforged", "battles": 10**6}, progress_callback=hear)

        with anyio.fail_after(90):
            async with anyio.create_task_group() as group:
                group.start_soon(price)
                await heard.wait()
                assert not (await client.call_tool("show", {"game": "few"})).is_error  # nobody waits for names
                group.cancel_scope.cancel()
            assert not (await client.call_tool("dice", CALLS["dice"])).is_error
        assert [done for done, _, _ in steps] == sorted({done for done, _, _ in steps})
        assert all(total is None or total >= done for done, total, _ in steps)
        assert "battles of legal armies: 0 of" in str(steps)


@pytest.mark.slow("test_the_names_of_a_game_are_those_that_its_questions_take")
def test_a_client_reads_names_and_prompts_hears_progress_and_cancels(given: Path) -> None:
    anyio.run(_chat, given)


@pytest.mark.parametrize("name", TITLES)
def test_a_prompt_names_tools_that_there_are(name: str, given: Path) -> None:
    tools, names = {*tools_of(serve_folders([given]))}, {*re.findall(r"`(\w+)`", TEXTS[name])}
    assert len(names & tools) >= 2
    assert names - tools <= {"battles"}


# -- what it may take --------------------------------------------------------------------------------------------------


def test_a_worker_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    sleepy = [sys.executable, "-c", "import time; print(1, flush=True); time.sleep(60)"]
    worker = Worker([], seconds=0.1, command=sleepy)
    assert worker.ask("dice", {})["error"].startswith("took longer than 0.1 s; ask for less")
    assert worker._process is None
    monkeypatch.setattr("balance.cli.server.calls.START_SECONDS", 0.1)
    worker = Worker([], seconds=9, command=[sys.executable, "-c", "import time; time.sleep(60)"])
    assert worker.ask("dice", {})["error"] == "the process that works out answers is not ready after 0.1 s"
    assert worker._process is None


@pytest.mark.slow("test_a_worker_that_takes_too_long_is_ended")
def test_what_takes_too_long_is_ended_and_the_next_call_is_answered(given: Path) -> None:
    worker = Worker([given], seconds=0.5)
    try:
        worker.ask("dice", CALLS["dice"])  # which starts it
        result = worker.ask("army", {"game": "warforged", "budget": "100000:64"})
        assert result["error"].startswith("took longer than 0.5 s; ask for less")
        assert "answer" in worker.ask("dice", CALLS["dice"])
    finally:
        worker.stop()


def test_a_call_that_is_cancelled_ends_and_the_next_has_its_turn() -> None:
    code = (
        "import sys, time; print(1, flush=True); time.sleep(60 if 'slow' in input() else 0); print('{\"answer\": {}}')"
    )
    worker = Worker([], seconds=50, command=[sys.executable, "-c", code])
    given_up, later, results = threading.Event(), threading.Event(), list[dict[str, Any]]()
    calls = [
        threading.Thread(target=lambda event=event: results.append(worker.ask("slow", {}, event)))
        for event in (given_up, later)
    ]
    try:
        for call in calls:
            call.start()
        later.set()  # one that waits for its turn
        calls[1].join(9)
        given_up.set()
        calls[0].join(9)
        assert results == [{"error": "cancelled"}] * 2
        assert worker.ask("quick", {}) == {"answer": {}}
    finally:
        worker.stop()


def test_a_worker_that_dies_is_told_and_started_anew(tmp_path: Path) -> None:
    flag = tmp_path / "died"
    code = "import pathlib, sys; print(1, flush=True); sys.stdin.readline(); path = pathlib.Path(sys.argv[1]); "
    code += "path.touch() or sys.exit() if not path.exists() else print('{\"answer\": {}}')"
    worker = Worker([flag], seconds=20, command=[sys.executable, "-c", code])
    try:
        assert worker.ask("dice", {})["error"].startswith("the work ended before its end, probably out of memory")
        assert worker.ask("dice", {}) == {"answer": {}}
    finally:
        worker.stop()


def test_a_call_of_any_length_and_too_many_at_once_are_refused(given: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worker = Worker([given], seconds=1)
    assert "is too long; allowed" in worker.ask("dice", {"expressions": ["d6" * MOST_CALL]})["error"]
    for _ in range(8):
        worker._waiting.acquire()
    assert worker.ask("dice", {})["error"].startswith("8 calls are under way or waiting")


def test_errors_that_are_none_of_ours_are_one_line_without_a_traceback() -> None:
    def answer(error: BaseException) -> str:
        try:
            raise error
        except BaseException as caught:
            return worker_module._other(caught)

    assert answer(MemoryError()) == "out of memory; ask for less"
    assert answer(ValueError("x" * 9999)).startswith("sorry, balance has a bug: ValueError: xxx")
    assert len(answer(ValueError("x" * 9999))) < 700


@pytest.mark.slow("test_errors_that_are_none_of_ours_are_one_line_without_a_traceback")
def test_without_the_package_it_is_told_how_to_install_it(balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    done = balance("serve")
    assert (done.status, done.out) == (2, "")
    assert done.err == (
        "error: a server for assistants needs mcp, which is not installed; add it: pip install "
        '"tabletop-balance[mcp]"\n'
    )
