"""What a user's mistake is told: found, allowed, where and a tip, each line whole."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import pytest

import balance
from balance.base import errors
from balance.base.errors import (
    BalanceError,
    Fault,
    UsageError,
    as_typed,
    comma_list,
    first_of,
    gathering,
    nearest,
    suggestion,
    unknown,
)


def test_an_unknown_name_is_told_with_what_is_allowed_and_the_nearest() -> None:
    fault = unknown("Nexsus", ["nexus", "trooper"], "is not a unit", "units.csv", 3, "id")
    assert fault == Fault("is not a unit", "units.csv", 3, "id", "Nexsus", "nexus, trooper", "did you mean nexus?")
    assert str(unknown("x", ["nexus"])) == "'x' is unknown; allowed: nexus"


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


@pytest.mark.parametrize(
    ("found", "allowed", "close"),
    [
        ("NEXUS", ["Trooper", "Nexus"], "Nexus"),
        ("trooper", ["nexus", "TROOPER", "troopers"], "TROOPER"),
        ("abcd", ["abxyz"], None),  # 4 of 9 letters alike: a ratio of 0.44
        ("abcde", ["abcxyz"], None),  # 6 of 11: 0.545
        ("abcde", ["abcxy"], "abcxy"),  # 6 of 10: 0.6
        ("abcdefghijk", ["abcdefuvwxyz"], None),  # 12 of 23: 0.52
        ("abcdefghi", ["abcdefghxyzuvwxyzuvw"], "abcdefghxyzuvwxyzuvw"),  # 16 of 29: 0.5517
    ],
)
def test_a_name_is_near_from_a_likeness_of_55_percent_on_whatever_its_case(
    found: str, allowed: list[str], close: str | None
) -> None:
    assert nearest(found, allowed) == close


def test_the_nearest_is_looked_for_among_2000_names_and_for_200_characters() -> None:
    many = [f"{number:05}" for number in range(1999)]
    assert nearest("nexsus", [*many, "nexus"]) == "nexus"
    assert nearest("nexsus", [*many, "99999", "nexus"]) is None
    assert nearest("n" * 200, ["n" * 200]) == "n" * 200
    assert nearest("n" * 201, ["n" * 201]) is None


def test_many_names_are_listed_in_part() -> None:
    hundred = ", ".join(map(str, range(100)))
    assert comma_list(map(str, range(100))) == hundred
    assert comma_list(map(str, range(101))) == f"{hundred} and 1 more"
    assert unknown("x", map(str, range(1300))).allowed == f"{hundred} and 1,200 more"
    assert first_of(["a", "b", "c", "d"], 2) == ["a", "b", "2 more"]
    assert first_of(["a", "b"], 2) == ["a", "b"]


@pytest.mark.parametrize(
    ("fault", "line"),
    [
        (Fault("is wrong"), "is wrong"),
        (Fault("is wrong", "units.csv"), "units.csv: is wrong"),
        (Fault("is wrong", "units.csv", 3), "units.csv, row 3: is wrong"),
        (Fault("is wrong", field="id"), "id: is wrong"),
        (Fault("is wrong", "units.csv", None, "id", ""), "units.csv, id: '' is wrong"),
        (Fault("is wrong", allowed="7"), "is wrong; allowed: 7"),
        (Fault("is wrong", tip="mend it"), "is wrong; mend it"),
        (
            Fault("is wrong", "units.csv", 12, "id", "it's", "a, b", "mend it"),
            'units.csv, row 12, id: "it\'s" is wrong; allowed: a, b; mend it',
        ),
        (Fault("is long", found="x" * 200), f"'{'x' * 200}' is long"),
        (Fault("is long", found="x" * 1234), f"'{'x' * 200}'... (1,234 characters) is long"),
        (Fault("is long", found="x" * 201), f"'{'x' * 200}'... (201 characters) is long"),
    ],
)
def test_a_fault_is_one_line(fault: Fault, line: str) -> None:
    assert str(fault) == line


def test_an_error_is_a_sentence_with_a_tip_a_fault_or_several() -> None:
    one, two = Fault("is wrong", "a.csv"), Fault("is missing", "b.csv", tip="write it")
    assert UsageError("all is wrong", "mend it").faults == (Fault("all is wrong", tip="mend it"),)
    assert str(UsageError("all is wrong", "mend it")) == "all is wrong; mend it"
    assert UsageError("all is wrong").faults == (Fault("all is wrong"),)
    assert UsageError(one).faults == (one,)
    assert UsageError([one, two]).faults == (one, two)
    assert str(UsageError([one, two])) == "a.csv: is wrong\nb.csv: is missing; write it"


@pytest.mark.parametrize("name", sorted(name for name in vars(errors) if name.endswith("Error")))
def test_an_error_crosses_process_borders_whole(name: str) -> None:
    kind = getattr(errors, name)
    error = pickle.loads(pickle.dumps(kind([unknown("a", ["b"]), Fault("is wrong", "c.csv")])))
    assert type(error) is kind and isinstance(error, BalanceError)
    assert error.faults == (unknown("a", ["b"]), Fault("is wrong", "c.csv"))


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


def test_an_argument_is_an_option_for_the_command_and_a_keyword_in_python() -> None:
    fault = Fault(
        "is no budget", "§set a", field="§games_per_evening", found="§5 §x", tip="§leave_out='', or §no_first"
    )
    error = UsageError([fault, Fault("§among is about a field; §bid=points")])
    assert as_typed(error) == (
        "--set a, --games-per-evening: '§5 §x' is no budget; --leave-out '', or --no-first\n"
        "--among is about a field; --bid points"
    )
    assert str(error) == (
        "set a, games_per_evening: '§5 §x' is no budget; leave_out='', or no_first=\n"
        "among= is about a field; bid=points"
    )


def test_a_fault_within_a_fault_keeps_its_arguments() -> None:
    outer = Fault(Fault("is no budget", "§budget", tip="§limit").line(), "study.toml")
    assert (str(outer), as_typed(outer)) == (
        "study.toml: budget=: is no budget; limit=",
        "study.toml: --budget: is no budget; --limit",
    )
