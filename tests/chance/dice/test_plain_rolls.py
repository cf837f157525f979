"""Dice rolled in plain Python against the exact laws of every kind of part, and against dice rolled in arrays."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from balance.base.errors import DistributionError
from balance.chance.dice import Odds, odds, parse
from balance.chance.dice.exact.joint import joint_law
from balance.chance.dice.exact.weights import Work
from balance.chance.dice.odds import rolled_odds
from balance.chance.dice.rolling import plain
from balance.chance.dice.rolling.plain import PlainRoller
from balance.chance.dice.text.steps import StepReader
from balance.chance.dice.text.tokens import Vocabulary
from balance.chance.dice.tree import Program
from balance.chance.pmf import Pmf
from tests.chance.dice import test_losses, test_named_dice, test_simulated
from tests.chance.dice.test_branches import Steps
from tests.chance.dice.test_simulated import ERROR_RATE, p_value

KINDS = [
    "3d{hit,crit,-}!crit",
    "4d{hit,crit,-} + d{hit} less 3d{hit,-} less d{crit,-}",
    "((4d{hit,-} less 3d{hit,-}) count every hit)d6",
    "(3d6) after (d3) hits of d6! on figures of (d3)",
    "5d6 reroll up to 2 of 1 keep 3 count 4+",
    "3d6! at most 2 reroll always 1",
    "(3d6 keep 2)! once count 5+",
    "4 from {1*3,5*4} keep 2",
    "6d(4d6 keep 3) keep 2",
    "10d6 count 3+ skip 6 then d6 count 4+",
    "(2d4!, d6) keep 2",
    "(2d4!, d6) count 4+",
    "5d6 longest run",
    "5d6 sets of 2",
    "3d6 pairs > 2d8",
    "3d6 count > (d6)",
    "max(d4, 2d6 // 3, abs(d6 - 4)) * d2",
    "2d6 vs 2d6 keep 1",
    "2d6 = 5-7 or not (d6 >= 3 and d6 = 2)",
    "if(d6 = 6, 2d6, d4)",
    "d6 gives (1: 0; 2-4: d4; else: 2d6)",
    "a = 2d6; b = 2d6; (a count > (b keep 1)) - (b count >= (a keep 1))",
    "a = 3d6; b = 2d6; (a pairs > b) * (a largest set)",
    "a = 2d6!; x = a count 4+; y = a count 1; x + y",
]
LONG = [*test_simulated.SEEN, *test_losses.SEEN, *(text for text, _ in test_named_dice.CASES)]


def rolled(text: str, n: int) -> Odds:
    expression, roller = parse(text), PlainRoller(Random(7))
    return rolled_odds(expression, Counter(roller.run(expression.node) for _ in range(n)))


@pytest.mark.parametrize(
    ("texts", "n"),
    [(KINDS, 600), pytest.param(LONG, 4096, marks=pytest.mark.slow("test_plain_rolls_agree_with_the_laws"))],
    ids=["kinds", "long"],
)
def test_plain_rolls_agree_with_the_laws(texts: list[str], n: int) -> None:
    """Once in a thousand runs any expression would be called wrong though none is."""
    laws = {text: odds(text) for text in texts}
    values = {text: p_value(law, rolled(text, n)) for text, law in laws.items() if len(law.weights) > 1}
    assert {text: p for text, p in values.items() if p < ERROR_RATE / len(values)} == {}


def test_what_is_too_large_agrees_with_dice_in_arrays() -> None:
    """Beyond four standard errors once in 16,000 runs."""
    plain, arrays = rolled("(9d20)d20 keep 40", 300), odds("(9d20)d20 keep 40", trials=1000)
    assert not arrays.is_exact
    assert abs(plain.mean() - arrays.mean()) < 4 * (plain.mean_error() ** 2 + arrays.mean_error() ** 2) ** 0.5


def test_a_table_is_looked_up_where_the_dice_point() -> None:
    reader = StepReader(Vocabulary(frozenset(), {"wound": Steps()}))
    reader.add("hurt", "wound[d4]")
    (part,) = reader.steps(["hurt"])[0].nodes(())
    roller = PlainRoller(Random(7))
    assert {roller.roll([part])[0] for _ in range(200)} == {2, 3}, "4 less the die, at least 2"


def test_several_results_of_one_roll_are_told_together() -> None:
    program = parse("a = 3d6; x = a count 4+; y = a count 1; x + y").node
    assert isinstance(program, Program)
    statement = program.statements[0]
    parts, roller = statement.nodes(()), PlainRoller(Random(7))
    pairs = Counter(roller.roll(parts, statement.columns) for _ in range(2000))
    law = Pmf.of(joint_law(parts, Work()), ("x", "y"))
    assert law.agreement(Pmf.of(pairs, ("x", "y"))).joint.p_value > ERROR_RATE


def test_what_hardly_ends_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "MOST_ROLLS", 2000)
    with pytest.raises(DistributionError, match="more than 2,000 dice are rolled for one result"):
        rolled("9999d9999!>=2", 1)
