from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.analysis.prices.over_settings import Judgement, stable_verdict
from balance.analysis.stability.agreement import Costs, compare_costs
from balance.base.errors import UsageError

WORDS = ("too dear", "too cheap", "fair", "not yet known", "not measurable here")
PLAYS, MAPS, SCALES = ("greedy", "hold"), ("dense", "open"), ("150 points", "250 points")
GRID = [{"play": play, "map": board, "scale": size} for play in PLAYS for board in MAPS for size in SCALES]


def over(words: str | list[str]) -> Judgement:
    return stable_verdict(zip(GRID, [words] * len(GRID) if isinstance(words, str) else words, strict=True))


def by(facet: str, value: str, here: str, else_: str) -> Judgement:
    return over([here if setting[facet] == value else else_ for setting in GRID])


def test_what_all_settings_say_counts() -> None:
    for word in WORDS:
        assert over(word) == Judgement(word)


@pytest.mark.parametrize(
    ("facet", "value", "told"),
    [("play", "hold", "depends on play"), ("map", "open", "depends on the map"),
     ("scale", "150 points", "depends on the scale")],
)  # fmt: skip
def test_the_facet_that_changes_the_word_is_named(facet: str, value: str, told: str) -> None:
    found = by(facet, value, "too dear", "fair")
    assert (found.verdict, found.depends) == (told, (facet,))
    assert value in found.because
    assert not any(other in found.because for name in ("map", "scale") if name != facet for other in (name,))


def test_two_facets_are_both_named_and_play_first() -> None:
    words = ["fair" if one["play"] == "greedy" or one["map"] == "dense" else "too dear" for one in GRID]
    found = over(words)
    assert found.verdict == "depends on play and the map"
    assert "too dear if both sides play hold, with map open" in found.because


def test_a_facet_that_changes_nothing_alone_is_not_blamed() -> None:
    """Settings that differ in play and in the map at once disagree, and no other two: both are named."""
    said = [({"play": "greedy", "map": "dense"}, "fair"), ({"play": "hold", "map": "open"}, "too dear")]
    assert stable_verdict(said).depends == ("play", "map")


def test_values_that_read_alike_are_the_same_wherever_they_come_from() -> None:
    settings = {"play": "greedy", "map": "dense"}, {"play": "hold", "map": "".join(["den", "se"])}
    assert stable_verdict(zip(settings, ["fair", "too dear"], strict=True)).depends == ("play",)


def test_who_does_not_know_makes_it_unknown_and_who_cannot_see_does_not() -> None:
    assert by("map", "open", "not yet known", "fair").verdict == "not yet known"
    assert by("map", "open", "not measurable here", "fair").verdict == "fair"
    three = ["fair", "too dear", *["not yet known"] * 6]
    assert over(three).verdict == "depends on the scale"


@given(st.lists(st.sampled_from(WORDS), min_size=8, max_size=8), st.randoms(), st.integers(0, 7))
def test_order_and_copies_change_nothing_and_names_only_names(words: list[str], luck: Random, again: int) -> None:
    said = list(zip(GRID, words, strict=True))
    found = stable_verdict(said)
    mixed = [*said, said[again]]
    luck.shuffle(mixed)
    assert stable_verdict(mixed) == found
    new = {"greedy": "zeal", "hold": "ambush", "dense": "wood", "open": "plain", "150 points": "s", "250 points": "m"}
    renamed = stable_verdict([({name: new[value] for name, value in where.items()}, word) for where, word in said])
    assert (renamed.verdict, renamed.depends) == (found.verdict, found.depends)


def test_settings_that_make_no_sense_are_refused() -> None:
    with pytest.raises(UsageError, match="no setting was judged"):
        stable_verdict([])
    with pytest.raises(UsageError, match="one setting says 'fair' and 'too dear'"):
        stable_verdict([(GRID[0], "fair"), (GRID[0], "too dear")])
    with pytest.raises(UsageError, match="told by different facets"):
        stable_verdict([(GRID[0], "fair"), ({"play": "hold"}, "fair")])


def test_many_settings_are_not_all_listed() -> None:
    said = [({"play": f"way {at}"}, "fair" if at else "too dear") for at in range(9)]
    assert stable_verdict(said).because == "fair in 8 of 9 settings; too dear in 1 of 9 settings (play way 0)"


def costs(error: float = 0.5, **fair: float) -> Costs:
    return Costs(fair, dict.fromkeys(fair, error))


def test_costs_beyond_three_errors_are_counted() -> None:
    """The error of a difference is that of both: 3 * sqrt(2) * .5 = 2.12."""
    found = {"one": costs(ant=4.0, ox=9.0, elf=5.0), "two": costs(ant=6.1, ox=11.2, elf=5.0)}
    (one,) = compare_costs(found)
    assert (one.moved, one.loadouts) == (("ox",), 3)
    assert one.correlation is not None
    assert 0.9 < one.correlation < 1
    assert 0 < one.rms < 0.4


def test_what_only_noise_moves_has_no_rms() -> None:
    assert [one.rms for one in compare_costs({"one": costs(ant=4.0, ox=9.0), "two": costs(ant=4.1, ox=9.1)})] == [0.0]


def test_the_base_is_held_against_every_other() -> None:
    found = {name: costs(ant=1.0) for name in "abc"}
    assert [(one.one, one.other) for one in compare_costs(found, "b")] == [("b", "a"), ("b", "c")]
    assert len(list(compare_costs(found))) == 3
    with pytest.raises(UsageError, match="'d' is no setting"):
        list(compare_costs(found, "d"))


def test_agreement_hangs_on_no_order() -> None:
    found = {"a": costs(ant=1.0, ox=2.0, elf=3.0), "b": costs(elf=3.5, ant=1.2, ox=5.0)}
    for order in permutations(found):
        (one,) = compare_costs({name: found[name] for name in order}, "a")
        assert one.moved == ("ox",)
