"""The tables of an answer."""

from __future__ import annotations

import re
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

import pytest

from balance.answers.blocks.bars import distribution_line
from balance.answers.blocks.document import Block
from balance.answers.media.answer import drawn
from balance.answers.media.terminal import say
from balance.answers.words.questions.distributions import exchange_blocks, what_never_changes
from balance.chance.clauses import unit
from tests.cli.conftest import Command


@pytest.mark.parametrize("unit", ["bulwark", "nexus"])
def test_means_have_four_places_as_in_the_object(unit: str, balance: Command) -> None:
    """So that a mean can be looked up in an older print of the same answer."""
    out = balance("attack", "warforged", "nexus+assault_rifle", f"{unit}+laser_carbine", "--more").out
    means = dict(re.findall(r"^ *(\w+) +(\d+\.\d+) +\d+\.\d{3} +\d+\.\d+% ", out, re.M))
    assert means
    assert {len(mean.partition(".")[2]) for mean in means.values()} == {4}


@pytest.mark.parametrize(
    ("chances", "drawn"),
    [
        ({0: 0.5, 1: 0.25, 2: 0.25}, "0 █▄▄ 2"),
        ({0: 0.2, 3: 1e-8, 4: 0.4, 6: 0.39999999}, "0 ▄   █ █ 6"),
        ({0: 1 - 2e-4, 1: 2e-4 - 1e-5, 9: 1e-5}, "0 █ 0"),
        (dict.fromkeys(range(1, 33), 1 / 32), f"1 {'█' * 32} 32"),
        (dict.fromkeys(range(33), 1 / 33), "0 ███████████ 32 (3 a bar)"),
        ({value: (value + 1) / 5050 for value in range(100)}, "0 ▁▁▂▃▃▄▄▅▆▆▇▇██▃ 99 (7 a bar)"),
    ],
)
def test_a_distribution_is_drawn_where_it_lies_and_a_long_one_several_values_to_a_bar(
    chances: dict[int, float], drawn: str
) -> None:
    assert distribution_line(chances).text == drawn


@pytest.mark.parametrize(("p", "told"), [(1e-13, 0.0), (1e-11, 1e-11), (1 - 1e-11, 1 - 1e-11), (1 + 1e-13, 1.0)])
def test_rounding_is_taken_from_what_is_certain_or_impossible_only(p: float, told: float) -> None:
    assert unit(p) == told


def shown(blocks: Iterable[Block], capsys: pytest.CaptureFixture[str]) -> list[str]:
    say(*drawn(blocks))
    return capsys.readouterr().out.splitlines()


KIND: Any = SimpleNamespace(sides=("ours", "theirs"), categories={"state": {1: "dead", 2: "alive"}})


def test_what_never_changes_is_told_together_from_the_smallest_value(capsys: pytest.CaptureFixture[str]) -> None:
    still = {"burn": 3, "state": 2, "shield": 0, "emp": 0, "heat": 10}
    assert shown(what_never_changes(KIND, still), capsys) == [
        *("  Always 0: shield, emp.", "", "  Always alive: state.", ""),
        *("  Always 3: burn.", "", "  Always 10: heat.", ""),
    ]


def exchange(*joint: tuple[int, int, float]) -> Any:
    marginals: tuple[dict[int, float], dict[int, float]] = ({}, {})
    for x, y, p in joint:
        marginals[0][x] = marginals[0].get(x, 0.0) + p
        marginals[1][y] = marginals[1].get(y, 0.0) + p
    means = tuple(sum(value * p for value, p in one.items()) for one in marginals)
    return SimpleNamespace(
        columns=("dealt", "taken"), means=means, marginals=marginals, joint={(x, y): p for x, y, p in joint}
    )


def test_an_exchange_tells_both_losses_and_their_table(capsys: pytest.CaptureFixture[str]) -> None:
    answer: Any = SimpleNamespace(exact=object(), simulated=None)
    found = exchange((0, 0, 0.5), (0, 1, 0.125), (2, 1, 0.375))
    assert shown(exchange_blocks(KIND, found, answer), capsys) == [
        "  Exchange: the theirs loses 0.750 (dealt), the ours 0.500 (taken), a difference",
        "  of +0.250 on average.",
        "",
        "  dealt \\ taken        0        1",
        " " + "─" * 33,
        "  0               50.00%   12.50%",
        "  2                   0%   37.50%",
        "",
    ]


def test_an_exchange_of_a_simulation_says_so_and_one_loss_needs_no_table(capsys: pytest.CaptureFixture[str]) -> None:
    answer: Any = SimpleNamespace(exact=None, simulated=SimpleNamespace(n_trials=2000))
    assert shown(exchange_blocks(KIND, exchange((0, 1, 0.5), (2, 1, 0.5)), answer), capsys) == [
        "  Exchange: the theirs loses 1.00 (dealt), the ours 1.00 (taken), a difference",
        "  of 0 on average, in 2,000 trials.",
        "",
    ]


def test_a_long_exchange_has_seven_classes_a_side(capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    answer: Any = SimpleNamespace(exact=object(), simulated=None)
    found = exchange(*((x, y, 1 / 56) for x in range(8) for y in range(7)))
    rows = [row.split("  ") for row in shown(exchange_blocks(KIND, found, answer), capsys)[2:]]
    assert [row[1].strip() for row in rows if len(row) > 1] == [
        "dealt \\ taken",
        "0 to 1",
        "2 to 3",
        "4 to 5",
        "6 to 7",
    ]
