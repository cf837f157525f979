"""The answer to a dice expression: its distribution, exact or simulated, and statistics of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from math import gcd, sqrt
from typing import TYPE_CHECKING, Annotated, Any

from balance.base.answers import BEHIND, Doc, Opaque, formula
from balance.base.errors import Fault, UsageError, gathering, suggestion
from balance.base.limits import MOST_DICE_TOTAL, MOST_DICE_WORK
from balance.base.numbers import SURE
from balance.base.text import shorten
from balance.chance.dice.columns import ColumnNumbers, ContestResults, Distribution
from balance.chance.dice.exact.expressions import law_of
from balance.chance.dice.exact.together import program_law
from balance.chance.dice.exact.weights import Law, TooLarge, Work, map_law
from balance.chance.dice.text.parser import Expression
from balance.chance.dice.text.parsing import Family, parse, parse_family
from balance.chance.dice.tree import Comparison, Contest, Logic, Node, Not, Program, symbols_of
from balance.chance.statistics import Statistics
from balance.chance.swing import swing_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from balance.chance.pmf import Pmf

QUANTILES = (5, 25, 50, 75, 95)
"""In per cent."""
LONGEST_WEIGHT = 1024
"""Bits of the sum of weights up to which it is looked for a short fraction."""
LONGEST_REPR = 60
"""Letters of an expression, and of its means, in a short form."""
MOST_DIGITS = 15
"""Of the denominator of fractions that stand in JSON beside the chances."""
RESULTS = {"win": 1, "tie": 0, "lose": -1}


@dataclass(frozen=True, repr=False)
class Odds(Statistics):
    """The distribution of one expression, exact or simulated, with its statistics.

    Attributes
    ----------
    expression
        The parsed expression.
    weights
        Outcome -> weight: whole numbers, exact or counts of trials; outcomes of symbols are tuples, see `columns`.
    tail
        Chance, at most, of explosions that went on for longer than was followed; 0 where none can.
    n_trials, seed
        Of a simulation; `n_trials` is 0 where the law is exact.
    reason
        Why the law is simulated; empty where it is exact.

    Examples
    --------
    >>> best = odds("3d6 keep 2")
    >>> round(best.mean(), 4), best.chance(12), best.fraction(12)
    (8.4583, 0.07407407407407407, Fraction(2, 27))
    """

    expression: Annotated[Expression, Opaque()] = field(metadata=BEHIND)
    weights: Mapping[Any, int] = field(metadata=BEHIND)
    tail: float = 0.0
    n_trials: int = 0
    seed: int | None = None
    reason: str = ""

    @property
    def columns(self) -> tuple[str, ...]:  # type: ignore[override]  # those of the expression
        """The names of the numbers in an outcome: `total`, or one for each symbol."""
        return self.expression.symbols

    @property
    def is_exact(self) -> bool:
        """Whether the law is exact, so that no number has sampling error."""
        return not self.n_trials

    @formula
    def text(self) -> Annotated[str, Doc("The expression as it is read.")]:
        """Return the expression in its canonical form."""
        return str(self.expression)

    @formula
    def notes(self) -> Annotated[tuple[str, ...], Doc("What the reader should know of how it was read.")]:
        """Return what to tell the reader about how the expression was read."""
        return self.expression.notes

    @formula
    def kind(self) -> Annotated[str, Doc("total, chance (a comparison), contest or symbols.")]:
        """Return what was asked; the total of a contest is its margin."""
        if self.columns != ("total",):
            return "symbols"
        node = self.expression.node
        last_node = node.last if isinstance(node, Program) else node
        return {Comparison: "chance", Logic: "chance", Not: "chance", Contest: "contest"}.get(type(last_node), "total")

    @cached_property
    def total(self) -> int:
        """The sum of all weights, by which a weight is divided to be a chance."""
        return sum(self.weights.values())

    def weights_of(self, column: str | None = None) -> Mapping[int, int]:
        """Return the weight of each value of a column, values rising; raise UsageError where there is none such."""
        name = self.columns[0] if column is None else column
        if name not in self.columns:
            tip = suggestion(name, self.columns)
            raise UsageError(f"no column {name!r}; columns are {', '.join(self.columns)}", tip)
        return self._column(name)

    def _weight_where(self, event: Callable[..., Any]) -> int:
        names = self.columns
        outcomes = ((outcome if len(names) > 1 else (outcome,), weight) for outcome, weight in self.weights.items())
        return sum(weight for outcome, weight in outcomes if event(**dict(zip(names, outcome, strict=True))))

    def _column(self, name: str) -> Mapping[int, int]:
        """Return the marginal law of a column, cached; the name must exist."""
        if self.columns == ("total",):
            return self.weights
        if name not in self._columns:
            place, weights = self.columns.index(name), dict[int, int]()
            for outcome, weight in self.weights.items():
                weights[outcome[place]] = weights.get(outcome[place], 0) + weight
            self._columns[name] = dict(sorted(weights.items()))
        return self._columns[name]

    @cached_property
    def _columns(self) -> dict[str, Law]:
        return {}

    # -- one number -------------------------------------------------------------------------------------------------

    def short_fraction(self, value: int, name: str | None = None, longest: int = 9) -> str:
        """Return the chance of a value as a fraction of at most so many characters; empty where it is longer.

        Parameters
        ----------
        value
            A total, or a number of the symbol.
        name
            The symbol that is counted, where symbols are rolled.
        longest
            The most characters of the text.

        >>> odds("2d6").short_fraction(7), odds("2000d6").short_fraction(7000)
        ('1/6', '')
        """
        return "" if self.total.bit_length() > LONGEST_WEIGHT else fraction_text(self.fraction(value, name), longest)

    @property
    def results(self) -> dict[str, float]:
        """The chances to win, tie and lose of a contest.

        Raises
        ------
        UsageError
            The expression is no contest.

        >>> odds("1d{4*4,0*2} vs 1d{3}").results
        {'win': 0.6666666666666666, 'tie': 0.0, 'lose': 0.3333333333333333}
        """
        return {name: float(share) for name, share in self.result_fractions.items()}

    @property
    def result_fractions(self) -> dict[str, Fraction]:
        """The chances to win, tie and lose a contest as fractions."""
        if self.kind != "contest":
            raise UsageError(f"{self.expression} is no contest", "put two expressions against each other with vs")
        counts = map_law(dict(self.weights), lambda margin: (margin > 0) - (margin < 0))
        return {name: Fraction(counts.get(sign, 0), self.total) for name, sign in RESULTS.items()}

    def mean_error(self, name: str | None = None) -> float:
        """Return the standard error of a simulated mean; 0 of an exact one."""
        return self.sd(name) / sqrt(self.n_trials) if self.n_trials else 0.0

    # -- what JSON and tables tell ----------------------------------------------------------------------------------

    @formula
    def numbers(self) -> Annotated[tuple[ColumnNumbers, ...], Doc("Mean, spread and quantiles of each column.")]:
        """Return mean, spread and quantiles of each column."""
        return tuple(self._numbers_of(name) for name in self.columns)

    def _numbers_of(self, name: str) -> ColumnNumbers:
        mean, sd, law = self.mean(name), self.sd(name), self._column(name)
        error = SURE * sd / sqrt(self.n_trials) if self.n_trials else 0.0
        ends = self.interval_of(law.get(1, 0)) if self.kind == "chance" else (mean - error, mean + error)
        swing = swing_of(mean, sd, min(law) < 0 < max(law))
        q5, q25, q50, q75, q95 = (self.quantile(per_cent / 100, name) for per_cent in QUANTILES)
        return ColumnNumbers(
            self.text, name, mean, *ends, sd, swing, self.mode(name), q5, q25, q50, q75, q95,
            self.expression.values, self.n_trials,
        )  # fmt: skip

    def interval_of(self, weight: int) -> tuple[float, float]:
        """Return the 95 % interval (Wilson) of a chance, of which `weight` trials had it; itself where it is exact."""
        if self.is_exact:
            return weight / self.total, weight / self.total
        from balance.chance.trials.stopping import wilson_interval

        return wilson_interval(weight, self.n_trials)

    @formula
    def distributions(self) -> Annotated[Mapping[str, Distribution], Doc("Of each column.")]:
        """Return the chances of all values of each column."""
        has_fractions = self.is_exact and not self.tail and self.total < 10**MOST_DIGITS
        return {
            name: Distribution(
                self.chances(name),
                self.tail_chances(name),
                {value: str(self.fraction(value, name)) for value in self._column(name)} if has_fractions else None,
            )
            for name in self.columns
        }

    @formula
    def contest(self) -> Annotated[ContestResults | None, Doc("Null where two expressions are not compared by vs.")]:
        """Return the chances of the results of a contest, with their intervals."""
        if self.kind != "contest":
            return None
        shares = self.result_fractions.values()
        numbers = (
            number for share in shares for number in (float(share), *self.interval_of(round(share * self.total)))
        )
        return ContestResults(self.text, *numbers)

    @formula
    def joint(
        self,
    ) -> Annotated[tuple[tuple[float, ...], ...] | None, Doc("Of symbols: outcomes in their order, each chance last.")]:
        """Return the chances of several symbols together."""
        if self.kind != "symbols":
            return None
        return tuple((*outcome, weight / self.total) for outcome, weight in self.weights.items())

    # -- more -------------------------------------------------------------------------------------------------------

    @cached_property
    def pmf(self) -> Pmf:
        """The law as a `balance.Pmf` with the columns; of a contest `result` (1 won, 0 tied, -1 lost) and `total`."""
        from balance.chance.pmf import Pmf

        law = Pmf.of(dict(self.weights), self.columns)
        return (
            law.map(lambda total: {"result": (total > 0) * 1 - (total < 0), "total": total})
            if self.kind == "contest"
            else law
        )

    def simulate(self, trials: int, seed: int = 0) -> Odds:
        """Return the odds of the same expression from so many simulated trials, rolled die by die.

        Parameters
        ----------
        trials
            Number of trials, 1 or more.
        seed
            Seed of the random stream, 0 or more; the same seed gives the same rolls.

        >>> odds("3d6").simulate(1000, seed=1).mean()
        10.433
        """
        check_request(trials, seed)
        return _simulated_odds(self.expression, trials, seed, "")

    def sample(self, n: int = 1, seed: int = 0) -> npt.NDArray[np.int64]:
        """Return n rolls, die by die: `int64[n]`, of symbols `int64[n, k]`, of a contest the margins.

        Parameters
        ----------
        n
            Number of rolls, 1 or more, as many as fit in memory.
        seed
            Seed of the random stream, 0 or more; the same seed gives the same rolls.

        Raises
        ------
        DistributionError
            So many dice would be rolled that it would take too long.

        >>> odds("3d6").sample(3, seed=1).tolist()
        [11, 8, 11]
        """
        from balance.chance.dice.rolling.sampling import sample

        return sample(self.expression, n, seed)

    def __repr__(self) -> str:
        """Return the expression, its mean and whether it is exact, without weights, which may have thousands of digits.

        >>> odds("3d6 keep 2")
        Odds('3d6 keep 2', mean 8.4583, exact)
        """
        source = "exact" if self.is_exact else f"{self.n_trials:,} trials of seed {self.seed}"
        means = ", ".join(f"{'mean' if name == 'total' else name} {self.mean(name):.4f}" for name in self.columns)
        text, means_text = (shorten(part, LONGEST_REPR) for part in (str(self.expression), means))
        return f"Odds({text!r}, {means_text}, {source})"

    def __str__(self) -> str:
        """Return the expression with its mean."""
        return f"{self.expression}: mean {self.mean():.4f}"


def fraction_text(share: Fraction, longest: int = 9) -> str:
    """Return a share from 0 to 1 as text such as 1/6; empty if it is whole or longer than `longest` characters."""
    short = 1 < share.denominator < 10**longest
    return text if short and len(text := str(share)) <= longest else ""


def odds(text: str, *, trials: int | None = None, seed: int = 0) -> Odds:
    """Return the odds of an expression such as `3d6 >= 5`: exact, or if too large, simulated with `trials` rolls.

    Raise UsageError with one fault for each thing wrong, or if the text stands for several expressions (`table`);
    DistributionError if it is too large even to simulate.

    >>> odds("5d10 count >=7").fraction(5)
    Fraction(32, 3125)
    """
    return _odds(parse(text), trials, seed, MOST_DICE_WORK)


def table(text: str, *, trials: int | None = None, seed: int = 0) -> list[Odds]:
    """Return the odds of every row of an expression with a family, such as `{1..8}d6`; `trials` simulates each row.

    Raise UsageError and DistributionError as `odds` does.

    >>> [round(row.mean(), 2) for row in table("{1..3}d6 count 5-6")]
    [0.33, 0.67, 1.0]
    """
    return rows_of(parse_family(text), trials, seed)


def rows_of(family: Family, trials: int | None = None, seed: int = 0, n_rows: int = 0) -> list[Odds]:
    """Return the odds of every row of a parsed family; `n_rows` rows, those of other families included, share the work.

    Raise DistributionError if there is no time for `trials` of all rows.
    """
    if trials is not None and len(family.rows) > 1:
        from balance.chance.dice.rolling.sampling import check_trials

        check_trials(family.rows, trials, seed)
    n_rows = n_rows or len(family.rows)
    return [_odds(row, trials, seed, _limit(n_rows), n_rows) for row in family.rows]


def check_request(trials: int | None, seed: int) -> None:
    """Raise UsageError, with both faults at once, unless `trials` is 1 or more (or None) and `seed` valid."""
    faults: list[Fault] = []
    if trials is not None and trials < 1:
        faults.append(Fault(f"a simulation has 1 trial or more, found {trials}"))
    if seed:
        from balance.chance.rolls.streams import check_seed

        with gathering(faults):
            check_seed(seed)
    if faults:
        raise UsageError(faults)


def roll(text: str, n: int = 1, seed: int = 0) -> npt.NDArray[np.int64]:
    """Return n rolls of an expression, die by die: `int64[n]`, of symbols `int64[n, k]`, of a contest the margins.

    >>> roll("1d6", 5, seed=3).tolist()
    [6, 5, 1, 4, 3]
    """
    from balance.chance.dice.rolling.sampling import sample

    return sample(parse(text), n, seed)


def exact_odds(expression: Expression, n_rows: int = 1, share: float = 1) -> Odds:
    """Return the exact odds of one of `n_rows` expressions, in plain Python, so that numpy need not be loaded.

    Raise TooLarge if they take more than a share of the work that a command may take.

    >>> exact_odds(parse("2d6")).mean()
    7.0
    """
    return _exact_odds(expression, share * _limit(n_rows))


def _limit(n_rows: int) -> float:
    """Return the steps of work for each of `n_rows` rows."""
    return min(MOST_DICE_WORK, 4 * MOST_DICE_WORK / n_rows)


def _odds(expression: Expression, trials: int | None, seed: int, limit: float, n_rows: int = 1) -> Odds:
    check_request(trials, seed)
    try:
        return _exact_odds(expression, limit)
    except TooLarge as error:
        return _simulated_odds(expression, trials, seed, str(error), n_rows)


def _exact_odds(expression: Expression, limit: float) -> Odds:
    law, tail = _law(expression.node, limit)
    if max(map(abs, law)) > MOST_DICE_TOTAL and expression.symbols == ("total",):
        raise UsageError(f"a total of {expression} goes beyond {MOST_DICE_TOTAL:,}", "count in larger units")
    return Odds(expression, _weights_by_name(expression, law), tail)


def _simulated_odds(expression: Expression, trials: int | None, seed: int, reason: str, n_rows: int = 1) -> Odds:
    from balance.chance.dice.rolling.sampling import outcomes_of, trials_for

    n = trials_for(expression, seed, n_rows) if trials is None else trials
    return Odds(expression, outcomes_of(expression, n, seed), 0.0, n, seed, reason)


def rolled_odds(expression: Expression, outcomes: Mapping[int, int], reason: str = "") -> Odds:
    """Return the odds that rolls of an expression show: how often each outcome came up, symbols packed in one number.

    `reason` is why they were rolled.
    """
    return Odds(expression, _weights_by_name(expression, outcomes), 0.0, sum(outcomes.values()), None, reason)


@lru_cache(maxsize=256)
def _law(node: Node | Program, limit: float) -> tuple[Law, float]:
    """Return a law in lowest terms, and the chance of explosions cut off; cached, since many rows ask for one pool."""
    work = Work(limit)
    law = program_law(node, work) if isinstance(node, Program) else law_of(node, work)
    common = gcd(*law.values())
    return {value: weight // common for value, weight in law.items()}, work.tail


def _weights_by_name(expression: Expression, law: Mapping[int, int]) -> dict[Any, int]:
    """Return a law sorted by outcome, symbols unpacked to tuples, without outcomes of weight 0."""
    names = expression.symbols
    if names == ("total",):
        return {value: law[value] for value in sorted(law) if law[value]}
    return dict(sorted((symbols_of(value, len(names)), weight) for value, weight in law.items() if weight))
