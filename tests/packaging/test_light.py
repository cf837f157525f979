"""A light install lacks what few commands need: each answers without it, or says in one sentence what adds it."""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

import balance
from balance.base.errors import UsageError
from balance.base.parts import EXTRAS
from balance.cli.main import main
from balance.cli.process import namesake
from balance.verbs.verb_list import VERBS
from tests.catalogue.battlescribe_army import ARMY
from tests.packaging.checkout import ROOT, clean_environment
from tests.packaging.test_locks import named
from tests.packaging.test_wheel import build

REPORT, MCP, DASK = (f'pip install "tabletop-balance[{extra}]"' for extra in ("report", "mcp", "dask"))
SHOT = "warforged nexus+assault_rifle whisper+sidearm"
FAMILY = "--among trooper+shotgun,whisper+sidearm"
QUICK: dict[str, str | tuple[str, str]] = {
    "games": "games",
    "new-game": "new-game iron_and_dust --template d20",
    "show": "show warforged nexus",
    "roster": "roster army.cat army.gst",
    "rules": "rules edadh",
    "attack": f"attack {SHOT}",
    "duel": f"duel {SHOT} --trials 100",
    "ask": f"ask {SHOT.replace(' ', ' attack ', 1)}",
    "schema": "schema price",
    "dice": "dice 2d6",
    "dice picture": ("dice 2d6 --picture dice.svg", REPORT),
    "dice page": ("dice 2d6 --page dice.html", REPORT),
    "rate template": "rate evenings.csv --template",
    "rate": "rate evenings.csv",
    "rate page": ("rate evenings.csv --page evenings.pdf", REPORT),
    "need": "need --difference 20pp --runs 100",
    "fit": "fit warforged games.csv",
    "tornado": ("tornado immortal_souls attack ecarus green_gremlin --over faces --picture tornado.svg", REPORT),
    "replay page": ("replay immortal_souls encounter ecarus,auriel ambush --page ambush.html", REPORT),
    "init": "init warforged warforged.toml",
    "report": ("report warforged", REPORT),
    "report html": ("report warforged --format html", REPORT),
    "compare": ("compare warforged --patch data/warforged/patch_example.toml", REPORT),
    "serve": ("serve", MCP),
    "run": ("run warforged.toml --executor dask", DASK),
}
"""What is asked -> a command that answers, or one with what adds what it lacks."""
SLOW: dict[str, str] = {
    "new-game": "new-game iron_and_dust --template d20",
    "check": "check iron_and_dust.toml",
    "export": "export edadh edadh.xlsx",
    "import": "import edadh edadh.xlsx",
    "solve": "solve edadh shieldsmen spears --set a.mp=2 --set b.mp=2",
    "dice live": "dice 2d6 --page live",
    "replay": "replay immortal_souls encounter ecarus,auriel ambush --trial 3",
    "price": "price iron_and_dust.toml",
    "play": "play warforged lineup --pairs 8",
    "stability": "stability warforged battle --ways greedy,kite_hold --battles 1000",
    "army": "army warforged --budget 150 --random 3",
    "tune": "tune iron_and_dust.toml --changes 1",
    "card": f"card warforged sidearm {FAMILY}",
    "handicap": "handicap warforged nexus+assault_rifle trooper+shotgun",
    "page": "page warforged vanguard+shotgun aegis+laser_carbine --kinds attack --answers 20",
    "luck": "luck edadh duel spears shieldsmen --policy-a cautious --groups 64",
    "tornado answer": "tornado immortal_souls attack ecarus green_gremlin --over faces",
    "init another": "init edadh study.toml",
    "run answer": "run study.toml --out edadh_run",
    "tables": "tables edadh_run --format csv --out tables",
}
HIDE = """
import contextlib, io, json, sys
sys.modules.update(dict.fromkeys(json.loads(sys.argv[1])))
from balance.cli.main import main
for command in json.loads(sys.argv[2]):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(command)
    print(json.dumps([status, out.getvalue(), err.getvalue()]))
"""


HIDDEN = [*EXTRAS, "IPython", "dask", "ipykernel", "jupyter", "jupyter_client", "mcp_types", "nbclient", "nbformat"]


def write_army(folder: Path) -> None:
    """Write the catalogue that `roster` reads, and a log of cards."""
    met = "one,other,winner\nnexus+shotgun,trooper+shotgun,trooper+shotgun\n"
    for name, text in {**ARMY, "games.csv": met}.items():
        (folder / name).write_text(text, "utf-8")


def answers(folder: Path, commands: list[list[str]]) -> list[tuple[int, str, str]]:
    """Return status, output and errors of commands in a folder, without what a light install lacks."""
    write_army(folder)
    command = [sys.executable, "-c", HIDE, json.dumps(HIDDEN), json.dumps(commands)]
    environment = clean_environment(PYTHONPATH=str(ROOT), BALANCE_CACHE=str(folder / "cache"))
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


def check(commands: Mapping[str, str | tuple[str, str]], said: list[tuple[int, str, str]]) -> None:
    assert len(commands) == len(said)
    for command, (status, out, err) in zip(commands.values(), said, strict=True):
        if isinstance(command, str):
            assert (status, out != "") == (0, True), (command, err)
        else:
            assert (status, out) == (2, ""), (command, err)
            assert len(err.splitlines()) == 1
            assert err.startswith("error: ")
            assert err.endswith(f"not installed; add {'them' if ' and ' in err else 'it'}: {command[1]}\n"), err


def typed(commands: Mapping[str, str | tuple[str, str]]) -> list[list[str]]:
    texts = (command if isinstance(command, str) else command[0] for command in commands.values())
    return [text.split() for text in texts]


def test_every_verb_is_asked() -> None:
    assert {name.partition(" ")[0] for name in (*QUICK, *SLOW)} == set(VERBS)


def test_each_command_answers_or_says_what_adds_what_it_lacks(tmp_path: Path) -> None:
    check(QUICK, answers(tmp_path, typed(QUICK)))


# -- in Python ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("package", "deed", "extra"),
    [
        ("matplotlib", lambda rolls: rolls.plot(), "report"),
        ("pandas", lambda rolls: rolls.to_pandas(), "notebook"),
        ("pandas", lambda rolls: balance.die(6).to_pandas(), "notebook"),
    ],
)
def test_what_is_missing_is_one_sentence_in_python_too(
    package: str, deed: Callable[[Any], object], extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(UsageError, match=rf'needs {package}, which is not installed; add it: .*\[{extra}\]"$'):
        deed(balance.dice("2d6"))


def test_an_import_that_fails_is_no_bug_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A verb that forgot to ask for its part says the sentence late, but says it."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr("balance.base.parts.is_there", lambda package: True)
    assert main(["dice", "2d6", "--picture", str(tmp_path / "never.svg")]) == 2
    assert capsys.readouterr().err == f"error: this needs matplotlib, which is not installed; add it: {REPORT}\n"


# -- the other project called balance ----------------------------------------------------------------------------------


def test_another_project_in_the_same_folder_is_named_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "tabletop_balance-0.2.0.dist-info").mkdir()
    (tmp_path / "balance_more-1.0.dist-info").mkdir()
    assert namesake.namesake(tmp_path) == ""
    (tmp_path / "balance-0.16.0.dist-info").mkdir()
    beside = "another project, balance 0.16.0, is installed beside this one and breaks it"
    assert namesake.namesake(tmp_path) == f"{beside}; keep one: {namesake.CURE}"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return a folder of packages in which the other project lies too: its record beside our code."""
    (tmp_path / "balance-0.16.0.dist-info").mkdir()
    shutil.copytree(ROOT / "balance" / "base", tmp_path / "balance" / "base")
    shutil.copytree(ROOT / "balance" / "cli", tmp_path / "balance" / "cli")
    for path in (ROOT / "balance").glob("*.py"):
        shutil.copy(path, tmp_path / "balance")
    return tmp_path


def command_in(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    code = f"import sys; sys.path = [path for path in sys.path if path != {str(ROOT)!r}]; "
    code += "from balance.__main__ import start; start()"
    environment = clean_environment(PYTHONPATH=str(site))
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=site, env=environment, capture_output=True, text=True
    )


def test_the_command_says_so_beside_whatever_it_answers(site: Path) -> None:
    assert command_in(site).stderr.startswith(f"note: {namesake.namesake(site)}\n")


@pytest.mark.parametrize("is_removed", [False, True])
def test_a_package_that_the_other_overwrote_is_told_in_one_sentence(site: Path, is_removed: bool) -> None:
    (site / "balance" / "__init__.py").unlink()
    if not is_removed:
        (site / "balance" / "__init__.py").write_text("__version__ = '0.16.0'\n", "utf-8")
    done = command_in(site, "--version")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"error: {namesake.OVERWRITTEN}\n")


# -- a real one --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def light(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the programs of a new environment with the wheel and what it demands, of what is installed here."""
    home = tmp_path_factory.mktemp("light") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    scheme = {"base": str(home), "platbase": str(home)}
    site, programs = (Path(sysconfig.get_path(kind, "venv", scheme)) for kind in ("purelib", "scripts"))
    for name in named("core"):
        with contextlib.suppress(metadata.PackageNotFoundError):  # some are for other systems
            distribution = metadata.distribution(name)
            for part in {Path(file).parts[0] for file in distribution.files or ()} - {"..", "__pycache__"}:
                (site / part).symlink_to(Path(str(distribution.locate_file(part))))
    alone = ["install", "-q", "--disable-pip-version-check", "--no-deps", "--no-index", str(build(home.parent))]
    subprocess.run([sys.executable, "-m", "pip", "--python", str(programs / "python"), *alone], check=True)
    return programs


@pytest.mark.slow("test_each_command_answers_or_says_what_adds_what_it_lacks")
def test_a_real_light_install_answers_under_both_names_or_says_what_it_lacks(light: Path, tmp_path: Path) -> None:
    write_army(tmp_path)
    environment = clean_environment(BALANCE_CACHE=str(tmp_path / "cache"))
    for name, command in {**QUICK, **SLOW}.items():
        program = light / ("balance" if len(name) % 2 else "tabletop-balance")
        (words,) = typed({name: command})
        done = subprocess.run([program, *words], cwd=tmp_path, env=environment, capture_output=True, text=True)
        check({name: command}, [(done.returncode, done.stdout, done.stderr)])
