"""Every verb has help, with an example that works."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from balance.verbs.verb_list import VERBS
from tests.catalogue.battlescribe_army import ARMY
from tests.cli.conftest import Command
from tests.cli.stand_ins import stand_in_studies


def test_help_names_every_verb(balance: Command) -> None:
    for arguments in ([], ["--help"], ["-h"]):
        done = balance(*arguments)
        assert done.status == 0
        assert all(f" {verb} " in done.out for verb in VERBS)


def test_every_verb_has_an_example() -> None:
    assert all(entry.examples[0].startswith(f"balance {verb}") for verb, entry in VERBS.items())
    assert all(line.startswith("balance ") for entry in VERBS.values() for line in entry.examples)


@pytest.mark.parametrize("verb", list(VERBS))
def test_help_shows_the_examples(verb: str, balance: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    done = balance(verb, "--help")
    assert done.status == 0
    assert all(example in " ".join(done.out.split()) for example in VERBS[verb].examples)


REAL = ("compare", "tables", "price", "play", "stability", "army", "tune")
"""Those that need a real study, see test_comparing, or many battles: see test_pricing, test_playing_well, test_armies
and test_tuning."""


@pytest.mark.parametrize(
    ("verb", "example"), [(verb, line) for verb in VERBS if verb not in REAL for line in VERBS[verb].examples]
)
def test_the_examples_work(
    verb: str, example: str, balance: Command, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if verb in ("run", "report"):
        stand_in_studies(monkeypatch)
    (elsewhere / "study.toml").write_text("")
    for name, text in ARMY.items():
        (elsewhere / name).write_text(text)
    if verb == "rate" and "--template" not in example:
        balance("rate", "evenings.csv", "--template")
    (elsewhere / "games.csv").write_text("one,other,winner\nnexus+shotgun,trooper+shotgun,trooper+shotgun\n")
    if verb == "page":
        balance("new-game", "iron_and_dust", "--template", "hit-wound-save")
    if verb == "serve":
        (elsewhere / "my_cards").mkdir()
        monkeypatch.setattr("balance.cli.server.protocol.run", lambda tools, worker: None)
    if verb in ("check", "import"):
        balance("export", "warforged", "warforged.xlsx")
        balance("import", "warforged", "warforged.xlsx")
    done = balance(*shlex.split(example)[1:])
    assert (done.status, [line for line in done.err.splitlines() if not line.startswith("note: ")]) == (0, [])


def test_the_version_is_told(balance: Command) -> None:
    from balance import __version__

    assert balance("--version").out == f"balance {__version__}\n"
