"""What differs between two records."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from difflib import unified_diff
from pathlib import Path


def texts(folder: Path, patterns: Collection[str] = ()) -> dict[str, str]:
    """Return name -> text of the cases of a record whose names contain one of some patterns; all without any."""
    found = {path.relative_to(folder).with_suffix("").as_posix(): path for path in sorted(folder.rglob("*.txt"))}
    chosen = {name: path for name, path in found.items() if not patterns or any(word in name for word in patterns)}
    return {name: path.read_text("utf-8") for name, path in chosen.items()}


def differences(old_folder: Path, new_folder: Path, patterns: Collection[str] = ()) -> Iterator[str]:
    """Yield the cases that only one of two records has, what differs in the others, and nothing where all is the same.

    The last line sums up.
    """
    old, new = (texts(folder, patterns) for folder in (old_folder, new_folder))
    for folder, alone in ((old_folder, old.keys() - new.keys()), (new_folder, new.keys() - old.keys())):
        yield from (f"only in {folder}: {name}" for name in sorted(alone))
    both = sorted(old.keys() & new.keys())
    differ = [name for name in both if old[name] != new[name]]
    for name in differ:
        before, after = (text.splitlines() for text in (old[name], new[name]))
        yield from unified_diff(before, after, f"{old_folder}/{name}", f"{new_folder}/{name}", lineterm="")
    if differ or old.keys() != new.keys():
        alone_text = f"{len(old.keys() - new.keys())} only in {old_folder}, {len(new.keys() - old.keys())} only in"
        yield f"{len(differ)} of {len(both)} cases differ; {alone_text} {new_folder}"
