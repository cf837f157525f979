"""The exact law of a step for values of the names that it uses, with faults that say where it stands and for which."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from balance.base.errors import BalanceError, DistributionError, Fault, GameError
from balance.chance.budget import spend
from balance.chance.dice.exact.joint import JointLaw, joint_law
from balance.chance.dice.exact.weights import TooLarge, Work
from balance.chance.dice.rolling.plain import RESULTS, PlainRoller
from balance.chance.dice.text.steps import Step
from balance.chance.dice.tree import Comparison, Logic, Name, Node, Not

FaultAt: TypeAlias = Callable[[str, str | None, str, str], Fault]
"""(message, what was found, what is allowed, tip) -> the fault with its place."""
SMALLEST, LARGEST_RESULT = -(2**15) + 1, 2**15 - 1
"""What a result may be: states hold numbers of 16 bits."""


FORMULA = 20
"""Steps of work to work out a formula."""


class Formula(PlainRoller):
    """Works out parts without dice for values of the names in them."""

    def __init__(self, names: Mapping[str, int]) -> None:
        self._names = names

    def result(self, node: Node) -> int:
        """Return the value of a part, all of which is looked at."""
        if isinstance(node, Name):
            return self._names[node.text]
        if isinstance(node, Logic):
            return int((all if node.word == "and" else any)([self.result(part) for part in node.parts]))
        return int(RESULTS[type(node)](self, node))


def _fault_at(message: str, text: str | None, allowed: str, tip: str) -> Fault:
    return Fault(message, found=text, allowed=allowed, tip=tip)


@dataclass(frozen=True, eq=False)
class StepLaw:
    """A step whose laws can be asked; `fault_at` places its faults where the step stands in a file."""

    step: Step
    fault_at: FaultAt = _fault_at

    def nodes(self, values: tuple[int, ...]) -> tuple[Node, ...]:
        """Return the parts of the step's results; `GameError` names the values for which they make no sense."""
        try:
            return self.step.nodes(values)
        except BalanceError as error:
            raise GameError([self._with_values(fault, values) for fault in error.faults]) from error

    def weights(self, values: tuple[int, ...]) -> JointLaw:
        """Return the law in whole numbers, sorted.

        Raises `GameError`, which names these values, if a result is too large, and `DistributionError` if that would be
        too much work.
        """
        work = Work()
        try:
            law = joint_law(self.nodes(values), work, self.step.columns)
        except TooLarge as error:
            raise DistributionError([self._with_values(fault, values) for fault in error.faults]) from error
        except GameError:
            raise
        except BalanceError as error:
            raise GameError([self._with_values(fault, values) for fault in error.faults]) from error
        spend(work.n_steps + 50)
        self.check_size(max(map(max, law)), min(map(min, law)), values)
        return dict(sorted(law.items()))

    def formula_value(self, values: tuple[int, ...]) -> int:
        """Return the value of a step without dice; `GameError` if a look-up table lacks it, or it is too large."""
        if self.step.formula is None:
            raise TypeError(f"{self.step.text} has no formula")
        spend(FORMULA)
        try:
            value = Formula(dict(zip(self.step.uses, values, strict=True))).result(self.step.formula)
        except BalanceError as error:
            raise self.formula_error(error) from error
        if not self.is_flag:
            self.check_size(value, value)
        return value

    @property
    def is_flag(self) -> bool:
        """Whether the step has no dice and is 0 or 1."""
        return isinstance(self.step.formula, Comparison | Logic | Not)

    def formula_error(self, error: BalanceError) -> GameError:
        """Return an error of a step without dice, at its place."""
        faults = [self.fault_at(each.message, str(each.found), each.allowed, each.tip) for each in error.faults]
        return GameError(faults)

    def check_size(self, high: int, low: int, values: tuple[int, ...] = ()) -> None:
        """Raise GameError if results go beyond 16 bits; with `values`, the error names them."""
        if low < SMALLEST or high > LARGEST_RESULT:
            result = high if high > LARGEST_RESULT else low
            allowed = f"{SMALLEST:,} to {LARGEST_RESULT:,}"
            fault = self.fault_at("can be too large a number", f"{result:,}", allowed, "count in larger units")
            raise GameError(self._with_values(fault, values) if values else fault)

    def _with_values(self, fault: Fault, values: tuple[int, ...]) -> Fault:
        names = ", ".join(f"{name} = {value}" for name, value in zip(self.step.uses, values, strict=True))
        message = f"{fault.message} (where {names})" if names else fault.message
        return self.fault_at(message, fault.found if isinstance(fault.found, str) else None, fault.allowed, fault.tip)
