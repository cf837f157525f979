"""Trials: rolls, processes, exact laws, lockstep simulation, tallies and stopping rules. Knows no game."""

from balance.core.chain import chain_law
from balance.core.collect import BLOCK_TRIALS, Task, collect, iterate, law_task, process_task
from balance.core.enumeration import exact_law
from balance.core.estimate import Estimate
from balance.core.laws import LawStack
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
    "Estimate",
    "FixedRolls",
    "FixedTrials",
    "HalfWidth",
    "LawStack",
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
    "chain_law",
    "collect",
    "count_rows",
    "every_option",
    "exact_law",
    "iterate",
    "keep_rows",
    "law_task",
    "play_fixed",
    "process_task",
    "simulate",
    "sum_rows",
    "wilson_interval",
]
