"""The study that `balance init` writes, beside what `golden/found/template` keeps whole: what is explained is so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from balance.game.loaded import load
from balance.study.frames.army_prices import economies_of, held_out, meeting_of
from balance.study.loading.load import load_study
from balance.study.run.template import study_text
from balance.study.settings.economies import usual_economies


@pytest.fixture(autouse=True)
def shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BALANCE_CATALOGUE", raising=False)


def said(text: str, head: str) -> Iterator[str]:
    """Yield the lines with the # taken away from one table."""
    inside = False
    for line in text.splitlines():
        inside = line.startswith(f"# {head}") or (inside and line.startswith("# "))
        yield line.removeprefix("# ") if inside else line


def test_how_armies_meet_is_explained_as_it_is_by_default(tmp_path: Path) -> None:
    loaded = load("warforged")
    (usual,) = usual_economies(loaded)
    file = tmp_path / "study.toml"
    file.write_text("\n".join(said(study_text("warforged"), "[[armies]]")), "utf-8")
    (told,) = economies_of(load_study(file), loaded)
    found, default = meeting_of(told, loaded), meeting_of(usual, loaded)
    assert (told.id, told.title, told.battles) == (usual.id, usual.title, usual.battles)
    assert found == replace(default, changes=("situation.map=ledger",), choices=found.choices)
    assert found.choices == (("policy_a", "greedy"), ("policy_b", "greedy"))
    assert held_out(told, found) == held_out(usual, default)


def test_what_is_chosen_there_is_what_is_chosen_by_default() -> None:
    loaded = load("warforged")
    question = "whisper+sidearm:2", "nexus+assault_rifle"
    asked = loaded.ask("lineup", *question)
    told = loaded.ask("lineup", *question, ["situation.actions=pool"], policy_a="focus", policy_b="focus")
    assert asked.p_win() == told.p_win()


def test_where_armies_never_meet_nothing_is_said_of_them() -> None:
    assert "armies" not in study_text("edadh")
