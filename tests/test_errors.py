from __future__ import annotations

import pickle
import re
from pathlib import Path

import pytest

import balance
from balance.errors import Fault, UsageError, gathering, nearest, suggestion, unknown


def test_an_unknown_name_is_told_with_what_is_allowed_and_the_nearest() -> None:
    fault = unknown("Nexsus", ["nexus", "trooper"], "is not a unit", "units.csv", 3, "id")
    assert fault == Fault("is not a unit", "units.csv", 3, "id", "Nexsus", "nexus, trooper", "did you mean nexus?")


def test_a_list_that_can_be_read_once_is_both_searched_and_told() -> None:
    assert unknown("shotgn", iter(["sidearm", "shotgun"])).tip == "did you mean shotgun?"
    assert unknown("shotgn", iter(["sidearm", "shotgun"])).allowed == "sidearm, shotgun"


@pytest.mark.parametrize("found", ["", "zzz", "n" * 300])
def test_nothing_near_gives_the_other_tip(found: str) -> None:
    assert nearest(found, ["nexus"]) is None
    assert suggestion(found, ["nexus"]) == ""
    assert suggestion(found, ["nexus"], "name one") == "name one"


def test_what_is_meant_may_be_called_otherwise() -> None:
    meant = {"integrita": "health", "armatura": "armour"}
    assert suggestion("integrit", meant, name=meant.__getitem__) == "did you mean health?"


def test_many_names_are_listed_in_part() -> None:
    assert unknown("x", map(str, range(300))).allowed.endswith("99 and 200 more")


def test_an_error_crosses_process_borders_whole() -> None:
    error = pickle.loads(pickle.dumps(UsageError(unknown("a", ["b"]))))
    assert error.faults == (unknown("a", ["b"]),)


def test_what_may_be_meant_is_worded_in_one_place() -> None:
    rooms = Path(balance.__file__).parent
    worded = {path.name for path in rooms.rglob("*.py") if re.search(r"did you mean \{", path.read_text("utf-8"))}
    assert worded == {"errors.py"}


def test_faults_of_several_blocks_are_gathered_and_nothing_else_is_kept_back() -> None:
    faults: list[Fault] = []
    done = list[str]()
    for found in ("a", "b", "c"):
        with gathering(faults):
            if found != "b":
                raise UsageError([unknown(found, ["x"]), unknown(found * 2, ["x"])])
            done.append(found)
    assert [fault.found for fault in faults] == ["a", "aa", "c", "cc"]
    assert done == ["b"]
    with pytest.raises(KeyError), gathering(faults):
        raise KeyError("ours")
    assert len(faults) == 4
