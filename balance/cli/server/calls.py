"""Calls of the server's worker process: one at a time, limited in time, with a new process after a crash."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import balance
from balance.base.limits import ONE_THREAD
from balance.cli.server.worker import MEMORY, PROGRESS

Hear = Callable[[dict[str, Any]], None]
"""What is done with news of how far a call has come."""

MOST_WAITING = 8
"""Calls that wait for the one under way."""
MOST_CALL, MOST_ANSWER = 2**20, 2**16
"""Bytes of a line that a worker is asked with, and of one that it may answer with."""
PLACE = Path(balance.__file__).parents[1]
"""Where a worker is started: Python looks for modules there, and not in a folder of whoever started the server."""
LOOK_SECONDS = 0.1
"""Time between two looks at whether a call was cancelled."""
CANCELLED = {"error": "cancelled"}
START_SECONDS = 60
"""What a worker that has just been started takes at most to be ready."""


class Worker:
    """The process that answers calls, started for the first call.

    It may read `folders`, and take so many seconds per call and bytes of memory (0: no limit). `command` is run with
    the folders as its arguments.
    """

    def __init__(
        self, folders: Sequence[Path], seconds: float, memory: int = 0, command: Sequence[str] | None = None
    ) -> None:
        self.seconds, self.memory = seconds, memory
        self.command = [*(command or (sys.executable, "-m", "balance.cli.server.worker")), *map(str, folders)]
        self._process: subprocess.Popen[str] | None = None
        self._turn, self._waiting = threading.Lock(), threading.Semaphore(MOST_WAITING)

    def ask(
        self,
        name: str,
        arguments: Mapping[str, Any],
        given_up: threading.Event | None = None,
        hear: Hear = lambda news: None,
    ) -> dict[str, Any]:
        """Return the answer to a call of the tool: `answer`, an object, or `error`, a text.

        `given_up` is set once nobody waits for the answer any more: the work then ends, and the next call has its turn.
        `hear` is told how far the work has come: `progress` and `total` in seconds, `message`.
        """
        given_up = given_up or threading.Event()
        call = json.dumps({"name": name, "arguments": dict(arguments)})
        if len(call) > MOST_CALL:
            return {"error": f"a call of {len(call):,} bytes is too long; allowed: {MOST_CALL:,}"}
        if not self._waiting.acquire(blocking=False):
            return {"error": f"{MOST_WAITING} calls are under way or waiting; ask again when one is answered"}
        try:
            while not self._turn.acquire(timeout=LOOK_SECONDS):
                if given_up.is_set():
                    return CANCELLED
            try:
                return CANCELLED if given_up.is_set() else self._ask(call, given_up, hear)
            finally:
                self._turn.release()
        finally:
            self._waiting.release()

    def _ask(self, call: str, given_up: threading.Event, hear: Hear) -> dict[str, Any]:
        process = self._process
        if process is None or process.poll() is not None:
            process = self._start()
            if not _line_of(process, "", START_SECONDS, given_up):
                self.stop()
                return (
                    CANCELLED
                    if given_up.is_set()
                    else {"error": f"the process that works out answers is not ready after {START_SECONDS} s"}
                )
        line = _line_of(process, f"{call}\n", self.seconds, given_up, hear)
        if line is None:
            self.stop()
            if given_up.is_set():
                return CANCELLED
            tip = "ask for less: fewer trials, battles or members; or start the server with more --seconds"
            return {"error": f"took longer than {self.seconds:g} s; {tip}"}
        if not line.endswith("\n"):
            self.stop()
            return {"error": "the work ended before its end, probably out of memory; ask for less"}
        result: dict[str, Any] = json.loads(line)
        return result

    def _start(self) -> subprocess.Popen[str]:
        self.stop()
        environment = {**os.environ, **ONE_THREAD, **({MEMORY: str(self.memory)} if self.memory else {})}
        self._process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True, encoding="utf-8", env=environment, cwd=PLACE,
        )  # fmt: skip
        return self._process

    def stop(self) -> None:
        """Kill the process; the next call starts another."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):  # part of a call may not be written yet
                    stream.close()


def _line_of(
    process: subprocess.Popen[str], call: str, seconds: float, given_up: threading.Event, hear: Hear = lambda news: None
) -> str | None:
    """Return the line with which a worker answers a call, empty if the worker has ended; `hear` the lines before it.

    None means that it took more than `seconds`, or that the call was given up.
    """
    lines: queue.Queue[str] = queue.Queue()

    def converse() -> None:
        try:
            if process.stdin is not None and process.stdout is not None:
                process.stdin.write(call)
                process.stdin.flush()
                line = PROGRESS
                while line.startswith(PROGRESS):
                    line = process.stdout.readline(MOST_ANSWER)
                    lines.put(line)
        except (OSError, ValueError):
            lines.put("")

    threading.Thread(target=converse, daemon=True).start()
    end = time.monotonic() + seconds
    while not given_up.is_set() and (left := end - time.monotonic()) > 0:
        with contextlib.suppress(queue.Empty):
            line = lines.get(timeout=min(left, LOOK_SECONDS))
            if not line.startswith(PROGRESS):
                return line
            hear(json.loads(line))
    return None
