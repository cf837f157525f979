"""A block that carries a valid checksum is still held to what its stream can hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from balance.chance.pmf import Pmf
from balance.chance.trials.tally import Tally
from balance.engine.runner import Engine
from balance.engine.store import BlockStore, Expected, _digest
from balance.study.loading.load import load_study
from balance.study.run.run import run_study

STREAM = "ab" * 32
EXPECTED = Expected({"a_first": (0, 1, 2), "b_first": (0, 1, 2)}, per_block=10)
GOOD = Tally(Pmf.of({(1, 2): 12, (2, 1): 8}, ["a_first", "b_first"]), 0, 2)


def forge(path: Path, **changes: Any) -> None:
    """Change a file of blocks and give it the checksum that fits."""
    body = json.loads(path.read_text())
    del body["sha256"]
    body.update(changes)
    path.write_text(json.dumps(body | {"sha256": _digest(body)}))


@pytest.mark.parametrize(
    "changes",
    [
        {"n_blocks": 0}, {"n_blocks": 3}, {"n_blocks": 10**30}, {"n_blocks": "2"}, {"n_blocks": True},
        {"first_block": -1}, {"columns": ["a_first"]}, {"columns": ["b_first", "a_first"]}, {"columns": "ab"},
        {"counts": [12, -8]}, {"counts": [12.0, 8.0]}, {"counts": [21, -1]}, {"counts": [12, 9]},
        {"counts": [12, 8, 1]}, {"counts": [float("inf"), 8]}, {"outcomes": [[1, 2], [2, 7]]},
        {"outcomes": [[1, 2], [2]]}, {"outcomes": [[1, 2], ["2", 1]]}, {"outcomes": [[1, 2], [2, 2**70]]},
        {"outcomes": []}, {"schema": 2}, {"stream": "cd" * 32}, {"more": 1},
    ],
)  # fmt: skip
def test_forged_blocks_are_set_aside(tmp_path: Path, changes: dict[str, Any]) -> None:
    store = BlockStore(tmp_path)
    store.add(STREAM, GOOD)
    assert len(store.ranges(STREAM, EXPECTED)) == 1
    forge(next((tmp_path / "blocks").rglob("*.json")), **changes)
    with pytest.warns(UserWarning, match=r"is damaged \(.+\); set aside"):
        assert store.ranges(STREAM, EXPECTED) == []


@pytest.mark.parametrize("content", [b"[" * 100_000, b'{"a":' * 100_000, b"1" * 5000, b" " * (17 * 2**20)])
def test_blocks_that_would_exhaust_the_reader_are_set_aside(tmp_path: Path, content: bytes) -> None:
    store = BlockStore(tmp_path)
    store.add(STREAM, GOOD)
    next((tmp_path / "blocks").rglob("*.json")).write_bytes(content)
    with pytest.warns(UserWarning, match="set aside"):
        assert store.ranges(STREAM, EXPECTED) == []


def test_a_distribution_must_add_up(tmp_path: Path) -> None:
    distribution = Expected({"seat": range(2), "winner": (0, 1, 2)})
    store = BlockStore(tmp_path)
    store.add(STREAM, Tally(Pmf.from_rows(["seat", "winner"], [[0, 1], [1, 2]], [1.0, 1.0]), 0, 1))
    assert len(store.ranges(STREAM, distribution)) == 1
    forge(next((tmp_path / "blocks").rglob("*.json")), counts=[1.0, 0.5])
    with pytest.warns(UserWarning, match="do not add up"):
        assert store.ranges(STREAM, distribution) == []


@pytest.mark.parametrize("exact", ["always", "never"])
def test_a_study_computes_forged_blocks_again(tmp_path: Path, exact: str) -> None:
    (tmp_path / "s.toml").write_text(
        f'game = "warforged"\nentrants = ["nexus+s*"]\nexact = "{exact}"\n[budget]\ntrials = 16384\n'
    )
    study = load_study(tmp_path / "s.toml")
    whole = run_study(study, tmp_path / "run", engine=Engine()).table("tasks")
    paths = sorted((tmp_path / "run" / "blocks").rglob("*.json"))
    forge(paths[0], n_blocks=0)
    forge(paths[1], columns=["seat", "loser"])
    with pytest.warns(UserWarning, match="its blocks run again"):
        again = run_study(study, tmp_path / "run", engine=Engine()).table("tasks")
    assert again.equals(whole)
    assert len(list((tmp_path / "run" / "damaged").iterdir())) == 2
