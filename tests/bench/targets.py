"""What we set out to reach, and whether this run reached it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.bench.contest import Row
from tests.bench.question_rows import INSTALLING, QUESTIONS


@dataclass(frozen=True)
class Target:
    """A limit on the rows of one task.

    Attributes
    ----------
    task, ours, peer
        How the row's texts begin; several peers: the strictest counts.
    most_cost
        Seconds or megabytes at most; or else
    least_ratio
        times as fast as the peer at least.
    """

    text: str
    task: str
    ours: str = ""
    peer: str = ""
    most_cost: float | None = None
    least_ratio: float | None = None


@dataclass(frozen=True)
class Verdict:
    """A target, what was found, and whether it is met; None when the rows it needs are missing."""

    target: str
    found: str
    met: bool | None


def _battles(text: str, policies: str, most_cost: float, block: int = 16_384) -> Target:
    """Return a target of battles of eight against eight on two cores, in blocks as large as those of a study."""
    ours = f"2 processes, blocks of {block:,}"
    return Target(text, f"Warforged battles, 8 against 8, {policies}", ours, most_cost=most_cost)


TARGETS = (
    Target("T1 exact within 1 ms", "T1 attack", "exact", most_cost=1e-3),
    Target("T2 exact within 2 ms", "T2 attacks", "exact", most_cost=2e-3),
    Target("T3 exact, 4 dice, within 1 ms", "T3 pool of 4", "exact", most_cost=1e-3),
    Target("T3 exact, 12 dice, within 5 ms", "T3 pool of 12", "exact", most_cost=5e-3),
    *(
        Target(f"{told}: at most as slow as the best peer", task, "exact, tables", least_ratio=1)
        for told, task in (
            ("T1, damage of one attack", "T1 attack"),
            ("T2, attacks to kill", "T2 attacks"),
            ("T3, pool of 4 dice", "T3 pool of 4"),
            ("T4, creature", "T4 creature"),
        )
    ),
    *(
        Target(f"{task}: {text}", task, row, most_cost=most_cost)
        for task in ("Page of dice", "Page of two Warforged cards")
        for text, row, most_cost in (
            ("first answer within 5 s, cold", "first answer", 5.0),
            ("a move within 50 ms", "answer to a move", 0.05),
        )
    ),
    Target("12 against 12 duel within 5 ms", "T5", "exact", most_cost=5e-3),
    Target(
        "12 against 12 duel at least 80 times as fast as icepool as first written",
        "T5",
        "exact",
        "icepool, as",
        least_ratio=80,
    ),
    Target("... as the best peer in its best formulation", "T5", "exact", least_ratio=80),
    Target(
        "T1 compiled at least as fast as C, a number per die",
        "T1 attack, s",
        "compiled",
        "C loop, a number per die",
        least_ratio=1,
    ),
    Target("... as C, a number per attack", "T1 attack, s", "compiled", "C loop, a number per attack", least_ratio=1),
    Target("T1 compiled at least 10 times plain numpy", "T1 attack, s", "compiled", "numpy, as most", least_ratio=10),
    Target("... tuned numpy", "T1 attack, s", "compiled", "numpy, tuned", least_ratio=10),
    Target(
        "T2 lockstep at least 0.7 of C, a number per die",
        "T2 attacks to kill, s",
        "compiled",
        "C loop, a number per die",
        least_ratio=0.7,
    ),
    Target(
        "... of C, a number per attack",
        "T2 attacks to kill, s",
        "compiled",
        "C loop, a number per attack",
        least_ratio=0.7,
    ),
    Target(
        "T2 lockstep at least 3 times plain numpy with compaction",
        "T2 attacks to kill, s",
        "compiled",
        "numpy, as most",
        least_ratio=3,
    ),
    Target("... tuned numpy with compaction", "T2 attacks to kill, s", "compiled", "numpy, tuned", least_ratio=3),
    Target("BattleLore combat exact within 50 ms", "BattleLore combat, exact", most_cost=50e-3),
    Target("... of 12 dice", "BattleLore combat of 12 dice", "12 dice, tables", most_cost=50e-3),
    Target("3 million combats a second, compiled", "BattleLore combats", "compiled lane, 2", most_cost=1 / 3e6),
    Target("300,000 combats a second, literal", "BattleLore combats", "literal lane, 2", most_cost=1 / 3e5),
    Target("50 times a plain loop, literal", "BattleLore combats", "literal lane, 2", "Python", least_ratio=50),
    Target("500,000 Edadh duels a second, compiled", "Edadh duels", "compiled lane, 2", most_cost=1 / 5e5),
    Target("200 times a plain loop, compiled", "Edadh duels", "compiled lane, 2", "Python", least_ratio=200),
    Target("Runewars attack, exact within 5 ms", "Runewars attack, exact", most_cost=5e-3),
    Target("100 million attacks a second, one thread", "Runewars attacks", "compiled lane, 1", most_cost=1e-8),
    Target("300,000 duels a second, compiled", "Runewars duels", "compiled lane, 2", most_cost=1 / 3e5),
    Target("Immortal Souls attack on three, exact within 200 ms", "Souls attack, exact", most_cost=200e-3),
    Target("a million attacks a second, compiled", "Souls attacks", "compiled lane, 2", most_cost=1e-6),
    Target("200,000 duels a second, compiled", "Souls duels", "compiled lane, 2", most_cost=1 / 2e5),
    Target("2,000 encounters a second, one core", "Souls encounters", "blocks of 2,048, 1", most_cost=1 / 2e3),
    Target(
        "15 times a plain loop on the same dice", "Souls encounters", "blocks of 2,048, 1", "Python", least_ratio=15
    ),
    Target(
        "100,000 line-ups of six against six in 10 s, two cores",
        "Warforged line-ups",
        "compiled lane, 2",
        most_cost=1e-4,
    ),
    Target("... other armies in every battle, one core", "Warforged line-ups", "compiled lane, others", most_cost=1e-4),
    Target("... of BattleLore, two cores", "BattleLore line-ups", "compiled lane, 2", most_cost=1e-4),
    Target("15 times a plain loop", "Warforged line-ups", "compiled lane, 2", "Python", least_ratio=15),
    _battles("6,000 greedy battles a second, 8 against 8, two cores", "greedy", most_cost=1 / 6000),
    _battles("3,000 that last all ten rounds", "kite_hold", most_cost=1 / 3000),
    _battles("... that hold", "hold", most_cost=1 / 3000),
    _battles("2,500 random ones", "random", most_cost=1 / 2500),
    _battles("100 of look-ahead", "lookahead", most_cost=1 / 100, block=2048),
    _battles("5 of rollouts", "rollout", most_cost=1 / 5, block=256),
    *(
        Target(text, f"Warforged battles, {size}, greedy", "1 process, blocks of 16,384", peer, least_ratio=ratio)
        for size in ("8 against 8", "4 against 4")
        for text, peer, ratio in (
            (f"Greedy battles, {size}, one core, at least 15 times plain Python", "Python", 15),
            (f"Greedy battles, {size}, one core, at least a quarter of C", "C loop", 0.25),
        )
    ),
    Target("Battles under 150 MB a process", "Warforged battles, peak", most_cost=150),
    Target("... however many there are", "Warforged battles, peak", least_ratio=0.95),
    Target(
        "2,000 greedy adventures a second, two cores",
        "BattleLore adventures, Agincourt, greedy",
        "2 processes",
        most_cost=1 / 2000,
    ),
    Target("... 1,000 with Lore", "BattleLore adventures, the Lore duel, greedy", "2 processes", most_cost=1 / 1000),
    Target("... 20 of look-ahead", "BattleLore adventures, Agincourt, lookahead", "2 processes", most_cost=1 / 20),
    *(
        Target(
            f"Random adventures, {name}, one core, 20 times plain Python", task, "1 process", "Python", least_ratio=20
        )
        for name, task in (
            ("Agincourt", "BattleLore adventures, Agincourt, random"),
            ("with Lore", "BattleLore adventures, the Lore duel, random"),
        )
    ),
    Target("Adventures under 200 MB a process", "BattleLore adventures, peak", most_cost=200),
    *(
        Target(f"A game file's {task}: at most 1.5 times its package", f"Game file {task}", ours, least_ratio=1 / 1.5)
        for task, ours in (
            ("attack, exact", "file, laws"),
            ("attack, sampled", "file"),
            ("duel, exact", "file, laws"),
            ("duel, sampled", "file"),
        )
    ),
    Target("12 x 12 matrix games at least 40 times one linear program each", "Matrix games", least_ratio=40),
    Target("Handing out second-long jobs costs under 5 %", "Study, second", least_ratio=0.95),
    Target("2 processes at least 1.7 times one", "Study, 2 workers", least_ratio=1.7),
    Target("1e9 attacks under 300 MB", "1e9", most_cost=300),
    Target("1e6 line-ups under 300 MB", "1e6 line-ups", most_cost=300),
    Target("An answer that follows a slider within 100 ms", "Explore", most_cost=0.1),
    *(
        Target(f"{one.task} within {one.seconds:g} s", one.task, "processor time", most_cost=one.seconds)
        for one in QUESTIONS
    ),
    *(
        Target(f"{one.task} in {one.megabytes:g} MB", one.task, "peak", most_cost=one.megabytes)
        for one in QUESTIONS
        if one.megabytes is not None
    ),
    Target("Installing within 20 s", INSTALLING, "clock", most_cost=20),
    Target("... in 550 MB", INSTALLING, "room", most_cost=550),
    Target("import balance under 0.3 s of processor time", "import balance", "processor", most_cost=0.3),
    Target("balance --help under 0.5 s of processor time", "balance --help", "processor", most_cost=0.5),
)


def judge(rows: Sequence[Row], targets: Sequence[Target] = TARGETS) -> list[Verdict]:
    """Return a verdict for each target."""
    return [_verdict(target, rows) for target in targets]


def _verdict(target: Target, rows: Sequence[Row]) -> Verdict:
    asked = [
        row
        for row in rows
        if row.task.startswith(target.task) and row.ours.startswith(target.ours) and row.peer.startswith(target.peer)
    ]
    if target.most_cost is not None:
        costs = [row.our_cost for row in asked]
        if not costs:
            return Verdict(target.text, "not measured", None)
        unit = "MB" if asked[0].kind == "memory" else "ms"
        found = max(costs)
        return Verdict(target.text, f"{found * (1 if unit == 'MB' else 1e3):.3g} {unit}", found <= target.most_cost)
    ratios = [row.ratio for row in asked if row.ratio is not None]
    if not ratios or target.least_ratio is None:
        return Verdict(target.text, "not measured", None)
    return Verdict(target.text, f"{min(ratios):.3g} times", min(ratios) >= target.least_ratio)
