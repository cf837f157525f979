"""Copies of the checkout in which mutants live, each with a Python that imports that copy and nothing else of ours."""

from __future__ import annotations

import importlib.util
import os
import resource
import shutil
import signal
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MEMORY = 12 << 30
"""Bytes of address space of a test run; a mutant that asks for more is killed by the error."""


class Workshop:
    """One copy: tests run in it, with at most one of its files changed at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.checkout = folder / "checkout"
        self.python = self.checkout / ".venv/bin/python"

    def build(self) -> None:
        """Copy what git tracks or would track, and make a Python that finds this copy first and our packages next."""
        shutil.rmtree(self.folder, ignore_errors=True)
        listed = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
        )
        for name in filter(None, listed.stdout.split("\0")):
            if (ROOT / name).is_file():
                (self.checkout / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.checkout / name)
        environment = self.checkout / ".venv"
        venv.EnvBuilder(symlinks=True).create(environment)
        packages = Path(sysconfig.get_path("purelib", vars={"base": str(environment)}))
        startup = "import os; 'COVERAGE_PROCESS_START' in os.environ and __import__('coverage').process_startup()"
        lines = [str(self.checkout), sysconfig.get_path("purelib"), startup]
        (packages / "copy.pth").write_text("\n".join(lines), "utf-8")
        command = environment / "bin/balance"
        command.write_text(f"#!{self.python}\nfrom balance.__main__ import start\n\nstart()\n", "utf-8")
        command.chmod(0o755)

    @contextmanager
    def mutated(self, file: str, text: str) -> Iterator[None]:
        """Put another text in place of a file of the copy for a while."""
        path = self.checkout / file
        before = path.read_text("utf-8")
        try:
            self._write(path, text)
            yield
        finally:
            self._write(path, before)

    def _write(self, path: Path, text: str) -> None:
        # Compiled files go by size and time to the second, too coarse for a change and its undoing.
        Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)
        path.write_text(text, "utf-8")

    def test(self, arguments: Sequence[str], seconds: float, changes: Mapping[str, str], one_test: float) -> int:
        """Run pytest in the copy; return its exit status, or 124 if it took longer than allowed."""
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        (self.folder / "tmp").mkdir(exist_ok=True)
        environment = {
            **os.environ,
            "HOME": str(home),
            "XDG_CACHE_HOME": str(home),
            "TMPDIR": str(self.folder / "tmp"),
            "PATH": f"{self.python.parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONDONTWRITEBYTECODE": "",
            **changes,
        }
        command = [str(self.python), "-m", "pytest", "-q", "-p", "tests.mutants.plugin", "-p", "no:cacheprovider"]
        hang = ["-o", f"faulthandler_timeout={one_test}", "-o", "faulthandler_exit_on_timeout=true"]
        with (self.folder / "printed.txt").open("w", encoding="utf-8") as printed:
            running = subprocess.Popen(
                [*command, *hang, *arguments],
                cwd=self.checkout,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
            )
            try:
                return running.wait(seconds)
            except subprocess.TimeoutExpired:
                return 124
            finally:
                # What a mutant started and left running ends with it.
                _end(running)


def _end(running: subprocess.Popen[bytes]) -> None:
    try:
        os.killpg(running.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    running.wait()


def jobs() -> int:
    """Return how many copies are worked in at once."""
    return max(1, len(os.sched_getaffinity(0))) if sys.platform == "linux" else os.cpu_count() or 1
