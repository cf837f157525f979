"""Answers kept for a resume: they come back as they were, and nothing in their files is ever run."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from balance.analysis.claims.checking import measure_check
from balance.analysis.scores.endings import Ending
from balance.analysis.scores.tables import measure_duel
from balance.base.errors import Fault
from balance.chance.pmf import Pmf, die
from balance.engine.answers import AnswerStore, SharedAnswers, pack, unpack
from balance.game.solution import Solution, SolutionTable
from balance.study.frames.solutions import Solve

SOLVED = Solution(
    "exact", "by hand", 0.1, 0.1, 0.1, 1e-12, True, 3, 9, (SolutionTable("x", "X", ("n",), ((1,), (0.3,))),)
)
VALUES = [
    None,
    [True, 1, 0.1, -0.0, "a"],
    {"a": [1.5], 2: (None, (3,))},
    {"tuple": [1]},
    SOLVED,
    (Fault("is wrong", row=3),),
]


@dataclass(frozen=True)
class Foreign:
    """A record that is not of our package."""

    value: int


@pytest.mark.parametrize("value", VALUES)
def test_values_come_back_as_they_were(value: object) -> None:
    found = unpack(json.loads(json.dumps(pack(value))))
    assert found == value
    assert repr(found) == repr(value)  # which tells 1 from 1.0 and True, and a list from a tuple


@pytest.mark.parametrize(
    "distribution", [die(6), Pmf.from_rows(["a", "b"], [[0, -1], [2, 3]], [0.1, 0.2]), Pmf.of({0: 3, 1: 10**30})]
)
def test_distributions_come_back_with_their_very_weights(distribution: Pmf) -> None:
    found = unpack(json.loads(json.dumps(pack(distribution))))
    assert (found.columns, found.outcomes.tolist()) == (distribution.columns, distribution.outcomes.tolist())
    assert (found.weights.tolist(), found.is_exact) == (distribution.weights.tolist(), distribution.is_exact)


@pytest.mark.parametrize(
    "array", [np.array([[0.1, -0.0], [np.inf, 2.5]]), np.arange(3, dtype=np.int16), np.array([True]), np.zeros((0,))]
)
def test_arrays_come_back_with_their_shape_and_type(array: np.ndarray) -> None:
    found = unpack(json.loads(json.dumps(pack(array))))
    assert (found.dtype, found.shape, found.tolist()) == (array.dtype, array.shape, array.tolist())
    assert pack(np.array([1], np.int16)) == {"array": ["AQA=", "<i2", (1,)]}


def test_numbers_of_numpy_become_plain_ones() -> None:
    assert repr(pack([np.float64(0.5), np.int64(3), np.bool_(True)])) == "[0.5, 3, True]"


def test_measures_are_named_by_what_they_are() -> None:
    assert pack(measure_duel) == {"call": "balance.analysis.scores.tables:measure_duel"}
    assert pack(Solve("exact", 1)) != pack(Solve("exact", 2))
    assert pack(partial(measure_check, 1, 0)) != pack(partial(measure_check, 2, 0))


@pytest.mark.parametrize("value", [lambda: 0, partial(lambda: 0), object(), {1, 2}, Fraction(1, 2), int, np.array("a")])
def test_what_has_no_plain_name_is_not_kept(value: object, tmp_path: Path) -> None:
    with pytest.raises(TypeError):
        pack(value)
    AnswerStore(tmp_path).add("ab12", [value])
    assert AnswerStore(tmp_path).find("ab12", 1) is None


def kept(folder: Path) -> Path:
    """Keep an answer, and return its file."""
    AnswerStore(folder).add("ab12", [0.5, SOLVED])
    return folder / "unfinished" / "ab" / "ab12.json"


def written(body: Any) -> bytes:
    """Return a file with a checksum that fits, as anybody can write one."""
    from balance.engine.answers import _sum

    text = json.dumps(body)
    return json.dumps([_sum(text), text]).encode()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"[" * 100_000,
        b"\xff",
        written(["other", [1, 2]]),
        written(["ab12", [1]]),
        written(["ab12", {"tuple": [1, 2]}]),
        written(["ab12", [1, {"call": "os:system"}]]),
        written(["ab12", [1, {"record": ["subprocess:Popen", {"args": "true"}]}]]),
        written(["ab12", [1, {"record": ["balance.base.files:write_whole", {}]}]]),
        written(["ab12", [1, {"record": ["balance.game.solution:Solution", {}]}]]),
        written(["ab12", [1, {"record": [f"{__name__}:Foreign", {"value": 1}]}]]),
        written(["ab12", [1, {"law": [["x"], [[1], [0]], [1, 1], "<i8"]}]]),
        written(["ab12", [1, {"law": [["x"], [[1]], [-1], "<f8"]}]]),
        written(["ab12", [1, {"a": 1, "b": 2}]]),
    ],
)
def test_a_file_that_nobody_of_us_wrote_counts_as_not_there(content: bytes, tmp_path: Path) -> None:
    path = kept(tmp_path)
    assert AnswerStore(tmp_path).find("ab12", 2) == [0.5, SOLVED]
    path.write_bytes(content)
    with pytest.warns(UserWarning, match="its questions are asked again"):
        assert AnswerStore(tmp_path).find("ab12", 2) is None


def test_clearing_takes_our_files_and_nothing_else(tmp_path: Path) -> None:
    path = kept(tmp_path)
    (path.parent / ".ab12.json.x.part").write_text("half")
    (path.parent / "note.txt").write_text("mine")
    AnswerStore(tmp_path).clear()
    assert [file.name for file in tmp_path.rglob("*") if file.is_file()] == ["note.txt"]


def test_clearing_follows_no_link(tmp_path: Path) -> None:
    path = kept(tmp_path / "elsewhere")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "unfinished").symlink_to(tmp_path / "elsewhere" / "unfinished")
    AnswerStore(tmp_path / "run").clear()
    assert path.exists()


# -- answers that commands share ---------------------------------------------------------------------------------------


def shared(folder: Path, **ages: int) -> SharedAnswers:
    """Keep answers of some names, last used so many seconds after the first of all days."""
    store = SharedAnswers(folder, "answers")
    for name, age in ages.items():
        store.add(name, [age])
        os.utime(folder / "answers" / name[:2] / f"{name}.json", (age, age))
    return store


def left(folder: Path) -> list[str]:
    return sorted(path.stem for path in (folder / "answers").rglob("*.json"))


def test_what_was_of_no_use_for_longest_makes_room(tmp_path: Path) -> None:
    store = shared(tmp_path, ab1=30, ab2=10, cd1=20, cd2=40)
    size = (tmp_path / "answers" / "ab" / "ab1.json").stat().st_size
    store.tidy()
    assert left(tmp_path) == ["ab1", "ab2", "cd1", "cd2"]
    assert store.find("ab2", 1) == [10]  # of use again, just now
    store.tidy(3 * size)
    assert left(tmp_path) == ["ab1", "ab2", "cd2"]
    store.tidy(3 * size - 1)
    assert left(tmp_path) == ["ab2", "cd2"]
    store.clear()
    assert left(tmp_path) == ["ab2", "cd2"]
    store.tidy(0)
    assert left(tmp_path) == []


def test_nothing_is_tidied_behind_a_link(tmp_path: Path) -> None:
    shared(tmp_path / "elsewhere", ab1=1)
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "answers").symlink_to(tmp_path / "elsewhere" / "answers")
    SharedAnswers(tmp_path / "cache", "answers").tidy(0)
    assert left(tmp_path / "elsewhere") == ["ab1"]


def test_a_cache_that_cannot_be_written_to_is_given_up_with_one_warning(tmp_path: Path) -> None:
    (tmp_path / "answers").write_text("a file")
    store = SharedAnswers(tmp_path, "answers")
    with pytest.warns(UserWarning) as told:
        store.add("ab1", [1])
        store.add("ab2", [2])
    assert [one.filename for one in told] == [__file__]
    assert str(told[0].message).startswith("the cache is not used any more: ")
    (tmp_path / "answers").unlink()
    store.add("ab1", [1])
    assert left(tmp_path) == []


# -- the very files, and every word ------------------------------------------------------------------------------------


def test_every_kind_of_value_has_its_plain_form() -> None:
    pmf = Pmf.from_rows(["hit"], [[0], [2]], [1, 3])
    assert [pack(value) for value in ([1, "a"], (1, (2,)), {"a": (1,), 2: None}, np.float32(0.5))] == [
        [1, "a"],
        {"tuple": [1, {"tuple": [2]}]},
        {"dict": [["a", {"tuple": [1]}], [2, None]]},
        0.5,
    ]
    assert pack(pmf) == {"law": [("hit",), [[0], [2]], [1, 3], "<i8"]}
    assert pack(partial(pow, 2, mod=5)) == {"call": [{"call": "builtins:pow"}, {"tuple": [2]}, {"dict": [["mod", 5]]}]}
    assert pack(Foreign(3)) == {"record": [f"{__name__}:Foreign", {"value": 3}]}
    ending = Ending(label="out", column="figures", value=0)
    assert pack(ending) == {
        "call": ["balance.analysis.scores.endings:Ending", '{"label":"out","column":"figures","value":0,"points":0}']
    }


@dataclass
class Counter:
    """A record with a part that is not given."""

    start: int
    seen: int = field(default=0, init=False)


def test_only_parts_that_are_given_are_kept() -> None:
    assert pack(Counter(2)) == {"record": [f"{__name__}:Counter", {"start": 2}]}


def local() -> type:
    """Return a type that no text names."""

    @dataclass
    class Inner:
        value: int

    return Inner


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({1, 2}, "cannot be kept: set"),
        ([Fraction(1, 2)], "cannot be kept: Fraction"),
        (Foreign, "cannot be kept: type"),
        (lambda: 0, "cannot be kept: function"),
        (local()(1), "cannot be named: local.<locals>.Inner"),
    ],
)
def test_why_something_is_not_kept_is_told(value: object, words: str) -> None:
    with pytest.raises(TypeError) as told:
        pack(value)
    assert str(told.value) == words


def test_a_file_of_answers_lies_in_its_place_with_its_checksum(tmp_path: Path) -> None:
    AnswerStore(tmp_path).add("abcd", [0.5, (1,)])
    (path,) = (path for path in tmp_path.rglob("*") if path.is_file())
    assert path.relative_to(tmp_path).as_posix() == "unfinished/ab/abcd.json"
    total, body = json.loads(path.read_text())
    assert body == '["abcd",[0.5,{"tuple":[1]}]]'
    assert total == hashlib.sha256(body.encode()).hexdigest()


def test_answers_too_large_to_be_read_again_are_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    size = kept(tmp_path).stat().st_size
    monkeypatch.setattr("balance.engine.answers.MOST_ANSWER_BYTES", size)
    kept(tmp_path / "fits")
    assert AnswerStore(tmp_path / "fits").find("ab12", 2) == [0.5, SOLVED]
    monkeypatch.setattr("balance.engine.answers.MOST_ANSWER_BYTES", size - 1)
    assert not kept(tmp_path / "too_large").exists()
    with pytest.warns(UserWarning, match="it is larger than"):
        assert AnswerStore(tmp_path).find("ab12", 2) is None


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'["", "x"]', "its checksum does not match"),
        (written(["other", [1, 2]]), "it belongs to other questions"),
        (written(["ab12", [1]]), "it belongs to other questions"),
        (written(["ab12", [1, {"record": ["os:path", {}]}]]), "os:path is not ours"),
        (written(["ab12", [1, {"record": ["balance.chance.pmf:Pmf", {"x": 1}]}]]), None),
        (written(["ab12", [1, {"law": [["x"], [[1], [0]], [1, 1], "<i8"]}]]), "its rows are not in order"),
        (written(["ab12", [1, {"record": ["x" * 200, {}]}]]), "x" * 100),
    ],
)
def test_what_is_wrong_with_a_file_is_told_in_a_hundred_characters(
    content: bytes, words: str | None, tmp_path: Path
) -> None:
    kept(tmp_path).write_bytes(content)
    with pytest.warns(UserWarning) as told:
        assert AnswerStore(tmp_path).find("ab12", 2) is None
    (one,) = told
    text = str(one.message)
    assert text == f"ab12.json is damaged ({words}); its questions are asked again" or words is None
    assert one.filename == __file__


def test_clearing_leaves_no_folder(tmp_path: Path) -> None:
    kept(tmp_path)
    AnswerStore(tmp_path).clear()
    assert list(tmp_path.iterdir()) == []
    AnswerStore(tmp_path).clear()  # and there may be nothing to clear
