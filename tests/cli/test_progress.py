"""How far a command has come: one line that is overwritten on a terminal, a line per minute in a log, or nothing."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

import balance
from balance.base.progress import Stage, estimate_so_far, tell, tell_estimate
from balance.chance.trials.stopping import FixedTrials, HalfWidth
from balance.cli.process.progress import with_progress
from balance.cli.process.streams import Channel
from balance.engine.sampling import Trials
from balance.verbs.call.watch import Watch

SAMPLE = balance.load("warforged").duel("nexus+assault_rifle", "vanguard+laser_carbine").simulate(1000)


@pytest.fixture(autouse=True)
def nothing_under_way() -> Iterator[None]:
    tell(None)
    yield
    tell(None)


@dataclass
class Screen:
    """A terminal or a log of so many columns, and a clock that stands until it is set."""

    terminal: bool
    columns: int = 60
    now: float = 100.0
    written: list[str] = field(default_factory=list)

    def watch(self, verb: str = "battle") -> Watch:
        return Watch(verb, self.terminal, lambda: self.now, self.written.append, lambda: self.columns)

    @property
    def shows(self) -> str:
        """What stands on the line after everything that was written."""
        cells: list[str] = []
        at = 0
        for character in "".join(self.written):
            at = 0 if character == "\r" else at + 1
            if at:
                cells[at - 1 : at] = character
        return "".join(cells).rstrip()


def test_a_log_gets_a_line_a_minute_and_never_the_same_twice() -> None:
    log = Screen(terminal=False)
    watch = log.watch()
    for second in range(3 * 60 + 30):
        log.now = 100.0 + second
        tell(Stage("duels", 1, 1) if second % 2 else Stage("duels", second // 70, 9))
        watch.look()
    assert log.written == [
        "duels: 0 of 9 (60 s)\n",
        "duels: 1 of 9, about 8 min left of this (2 min)\n",
        "duels: 2 of 9, about 7 min left of this (3 min)\n",
    ]


def test_a_terminal_shows_one_line_after_two_seconds_and_draws_over_it() -> None:
    screen = Screen(terminal=True)
    watch = screen.watch()
    shown = dict[float, str]()
    for seconds, told in (
        (1.9, Stage("duels", 1, 8)),
        (2.0, Stage("duels", 2, 8)),
        (2.1, Stage("duels", 3, 8)),
        (2.2, Stage("a long stage of armies", 3, 8)),
        (2.5, Stage("cards", 1, 8)),
        (3.0, Stage("cards", 8, 8)),
        (4.0, Stage("solving exactly")),
    ):
        screen.now = 100.0 + seconds
        tell(told)
        watch.look()
        shown[seconds] = screen.shows
    assert shown == {
        1.9: "",
        2.0: "duels: 2 of 8 (2 s)",
        2.1: "duels: 2 of 8 (2 s)",
        2.2: "a long stage of armies: 3 of 8 (2 s)",
        2.5: "cards: 1 of 8 (2 s)",
        3.0: "battle: at work (3 s)",
        4.0: "solving exactly (4 s)",
    }
    assert "\n" not in "".join(screen.written)
    watch.clear()
    assert screen.shows == ""


@pytest.mark.parametrize("what", ["x" * 100, "\u5175" * 100])
def test_a_long_line_is_cut_to_the_terminal(what: str) -> None:
    screen = Screen(terminal=True, columns=40, now=100.0)
    watch = screen.watch()
    screen.now = 103.0
    tell(Stage(what))
    watch.look()
    (written,) = screen.written
    assert written[1:].strip() == what[: 39 // (1 + (what[0] > "x"))]


def test_what_else_is_written_takes_the_line_away_and_is_left_alone_for_a_while() -> None:
    screen = Screen(terminal=True)
    watch = screen.watch()
    screen.now = 103.0
    watch.look()
    assert screen.shows == "battle: at work (3 s)"
    watch.clear()
    assert screen.shows == ""
    for screen.now, shows in ((104.9, ""), (105.0, "battle: at work (5 s)")):
        watch.look()
        assert screen.shows == shows


@pytest.mark.parametrize("asked", [{"quiet": True}, {"as_json": True}, {"quiet": True, "as_json": False}])
def test_who_is_asked_to_be_quiet_is_not_watched(asked: dict[str, bool]) -> None:
    def verb(quiet: bool = False, as_json: bool = False) -> int:
        assert Channel.before is None
        return threading.active_count()

    alone = threading.active_count()
    assert with_progress("verb", verb)(**asked) == alone
    assert with_progress("verb", lambda: threading.active_count())() == alone + 1
    assert threading.active_count() == alone


SLOW = """
import sys, time
from balance.cli.process import progress, streams
from balance.verbs.call import watch
from balance.base.progress import Stage, estimate_so_far, tell, tell_estimate
watch.PATIENCE_SECONDS = watch.LOG_SECONDS = 0.1
watch.DRAW_SECONDS = 0.05
streams.open_streams()
def verb():
    tell(Stage("cards", 1, 3))
    time.sleep(0.5)
    print("an answer")
    time.sleep(0.5)
    raise SystemExit(2)
progress.with_progress("slow", verb)()
"""


@pytest.mark.skipif(os.name != "posix", reason="needs a terminal")
def test_the_line_of_a_real_terminal_is_drawn_over_and_gone_at_the_end() -> None:
    import pty

    ours, theirs = pty.openpty()
    with subprocess.Popen([sys.executable, "-c", SLOW], stdout=theirs, stderr=theirs) as process:
        assert process.wait(timeout=60) == 2
    os.close(theirs)
    written = os.read(ours, 100_000).decode()
    os.close(ours)
    assert written.count("\n") == 1
    before, _, after = written.partition("an answer")
    drawn = "\rcards: 1 of 3 (0 s)"
    assert before.startswith(drawn) and before.endswith("\r" + " " * (len(drawn) - 1) + "\r")
    assert re.fullmatch(r"\r\n(\rcards: 1 of 3 \(\d+ s\) *)+\r +\r", after)


def test_where_standard_error_is_no_terminal_lines_are_whole() -> None:
    done = subprocess.run([sys.executable, "-c", SLOW], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "an answer\n")
    assert set(done.stderr.splitlines()) <= {"cards: 1 of 3 (0 s)", "cards: 1 of 3 (1 s)"}
    assert done.stderr.endswith("\n") and "\r" not in done.stderr


def test_a_fixed_number_is_what_is_to_come() -> None:
    told = Trials(SAMPLE, FixedTrials(5000), 2.0)
    assert (told.n_done, told.total, told.rate) == (1000, 5000, 500.0)
    assert told.details == (f"widest interval +-{told.half_width:.2g}",)


@pytest.mark.parametrize("share", [0.5, 0.1])
def test_half_the_width_takes_four_times_the_trials(share: float) -> None:
    width = Trials(SAMPLE, FixedTrials(5000), 0.0).half_width
    assert width == max((high - low) / 2 for low, high in SAMPLE.p_win_interval().values())
    told = Trials(SAMPLE, HalfWidth(width * share, ()), 0.0)
    assert told.total == pytest.approx(1000 / share**2, abs=1)


def test_a_width_that_is_reached_needs_no_more_than_was_played() -> None:
    assert Trials(SAMPLE, HalfWidth(0.49, ()), 1.0).total == 1000


def test_trials_are_of_one_kind() -> None:
    told = Trials(SAMPLE, FixedTrials(5000), 0.0)
    assert (told.work, told.unit, told.rate) == ("trials", "trials", 1000 / 1e-9)
    assert Trials(SAMPLE, HalfWidth(1e-9, (), cap=7000), 1.0).total == 7000


def test_where_nobody_wins_the_widest_interval_is_that_of_a_mean() -> None:
    shot = balance.load("warforged").attack("nexus+assault_rifle", "whisper").simulate(500)
    widths = [(high - low) / 2 for low, high in map(shot.mean_interval, shot.distribution.columns)]
    assert Trials(shot, FixedTrials(500), 1.0).half_width == max(widths)


# -- what is known before the end --------------------------------------------------------------------------------------


def test_a_terminal_shows_what_is_known_so_far_before_how_far_it_is() -> None:
    screen = Screen(terminal=True, columns=100)
    watch = screen.watch("price")
    tell(Stage("battles", 1, 4))
    tell_estimate("guard 21 (18 to 24), 800 battles")
    screen.now += 3
    watch.look()
    assert screen.shows == "so far guard 21 (18 to 24), 800 battles; battles: 1 of 4 (3 s)"
    tell(None)
    assert estimate_so_far() == ""


def test_a_log_gets_the_first_estimate_as_soon_as_there_is_one_and_then_a_line_a_minute() -> None:
    log = Screen(terminal=False)
    watch = log.watch("price")
    for second in range(130):
        log.now = 100 + second
        tell(Stage("battles", second, 500))
        if second >= 7:
            tell_estimate(f"guard {second} (0 to 500)")
        watch.look()
    assert [text.partition(";")[0] for text in log.written] == [f"so far guard {at} (0 to 500)" for at in (7, 67, 127)]


def test_a_quick_command_tells_a_log_no_estimate() -> None:
    log = Screen(terminal=False)
    watch = log.watch("price")
    tell_estimate("guard 21 (18 to 24)")
    log.now += 2.9
    watch.look()
    assert log.written == []


def test_how_long_a_step_takes_is_told_by_what_was_done_of_it() -> None:
    screen = Screen(terminal=True, columns=100)
    watch = screen.watch("luck")
    for second in range(11):
        screen.now = 100 + second
        tell(Stage("duels", 10 + second, 110))
        watch.look()
    assert screen.shows == "duels: 20 of 110, about 90 s left of this (10 s)".replace("90 s", "2 min")
    tell(Stage("kills", 1, 9))
    screen.now += 1
    watch.look()
    assert screen.shows == "kills: 1 of 9 (11 s)"
