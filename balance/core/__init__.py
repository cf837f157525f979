"""Trials: rolls, processes, exact distributions, lockstep simulation, tallies and stopping rules. Knows no game."""

from balance.core.chain import chain_distribution
from balance.core.collect import BLOCK_TRIALS, Task, collect, distribution_task, iterate, process_task
from balance.core.distributions import DistributionStack
from balance.core.enumeration import exact_distribution
from balance.core.estimate import Estimate
from balance.core.lockstep import play_fixed, simulate
from balance.core.process import Process, State
from balance.core.rolls import FixedRolls, Policy, RandomRolls, Rolls
from balance.core.stopping import FixedTrials, HalfWidth, StopRule, anytime_interval, wilson_interval
from balance.core.symbols import SymbolDie
from balance.core.tally import Rows, Sums, Tally, count_rows, keep_rows, sum_rows
from balance.core.tree import Branches, every_option

__all__ = [
    "BLOCK_TRIALS",
    "Branches",
    "DistributionStack",
    "Estimate",
    "FixedRolls",
    "FixedTrials",
    "HalfWidth",
    "Policy",
    "Process",
    "RandomRolls",
    "Rolls",
    "Rows",
    "State",
    "StopRule",
    "Sums",
    "SymbolDie",
    "Tally",
    "Task",
    "anytime_interval",
    "chain_distribution",
    "collect",
    "count_rows",
    "distribution_task",
    "every_option",
    "exact_distribution",
    "iterate",
    "keep_rows",
    "play_fixed",
    "process_task",
    "simulate",
    "sum_rows",
    "wilson_interval",
]
