"""Write the golden files anew: `python -m tests.study.golden`; read the difference before it is committed."""

from __future__ import annotations

from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory

from tests.study.golden import FOUND, play


def main() -> None:
    """Run the studies and replace what was found."""
    with TemporaryDirectory() as folder:
        files = play(Path(folder)).files
    rmtree(FOUND, ignore_errors=True)
    for name, text in files.items():
        (FOUND / name).parent.mkdir(parents=True, exist_ok=True)
        (FOUND / name).write_text(text, "utf-8", newline="\n")
    print(f"wrote {len(files)} files below {FOUND}")


if __name__ == "__main__":
    main()
