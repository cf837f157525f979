"""Every tip helps: each place that builds one is reached by a case that does what the tip says.

The cases stand in `tests/tips/cases/`, the record of which reaches what in `tests/tips/reached.csv`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tips.cases import cases
from tests.tips.following import reach, reached_by, sites
from tests.tips.record import case_by_site
from tests.tips.sites import tip_sites

ADVICE = "add a case to tests/tips/cases/ that does what the tip says, then run `python -m tests.tips`"
QUICK = [name for name in cases() if name.startswith("dice:")]
SAMPLE = [*QUICK, *[name for name in cases() if name not in QUICK][::20]]


@pytest.mark.slow("test_who_follows_one_of_a_sample_of_tips_gets_on")
@pytest.mark.parametrize("name", [name for name in cases() if name not in SAMPLE])
def test_who_follows_a_tip_gets_on(name: str) -> None:
    cases()[name].check()


@pytest.mark.parametrize("name", SAMPLE)
def test_who_follows_one_of_a_sample_of_tips_gets_on(name: str) -> None:
    cases()[name].check()


def test_each_place_that_builds_a_tip_has_a_case() -> None:
    record, known = case_by_site(), {site.name for site in sites()}
    strays = sorted(site for site in known if record.get(site) not in cases())
    assert not strays, f"{ADVICE}: {', '.join(strays)}"


@pytest.mark.slow("test_each_place_that_builds_a_tip_has_a_case")
def test_each_place_is_reached_by_its_case() -> None:
    reached = {name: reached_by(case) for name, case in cases().items()}
    strays = [f"{site}, by {name!r}" for site, name in case_by_site().items() if site not in reached.get(name, ())]
    assert not strays, f"{ADVICE}; not reached: {'; '.join(strays)}"


PLANTED = """
from typing import NamedTuple

from balance.base.errors import Fault, UsageError, suggestion

def check(name: str, is_long: bool) -> None:
    tip = "write less" if is_long else suggestion(name, ["left", "right"])
    raise UsageError(Fault("is wrong", tip=tip))

def refuse() -> None:
    raise UsageError("this is wrong", _advice(1))

def _advice(n: int) -> str:
    if n > 1:
        return "take one"
    return f"take {n + 1}"

def passed_on(tip: str) -> Fault:
    return Fault("is wrong", tip=tip)

def without() -> Fault:
    return Fault("is wrong", tip="")

class SquareError(NamedTuple):
    mean: float
    place: str

def least() -> SquareError:
    return SquareError(0.5, "not a tip")
"""


def test_a_planted_tip_is_a_place_and_only_its_own_branch_is_reached(tmp_path: Path) -> None:
    package = tmp_path / "planted"
    package.mkdir()
    (package / "doors.py").write_text(PLANTED, "utf-8")
    places = tip_sites(package)
    assert [place.name for place in places] == ["doors:check#1", "doors:check#2", "doors:_advice#1", "doors:_advice#2"]
    functions: dict[str, object] = {}
    exec(compile(PLANTED, str(package / "doors.py"), "exec"), functions)
    for call, place in (("check('lft', False)", 1), ("check('lft', True)", 0), ("refuse()", 3)):
        with reach(places) as names, pytest.raises(Exception, match="wrong"):
            exec(call, functions)
        assert names == {places[place].name}
