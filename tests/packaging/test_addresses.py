"""No committed file names an address of a package index: everyone installs from the index of their own choice."""

from __future__ import annotations

import re

import pytest

from tests.packaging.checkout import ROOT, own_files

# Put together here, so that this file does not hold what it looks for.
DOT, SLASH = ".", "/"
HOSTS = ["pypi" + DOT + "org", "files" + DOT + "pythonhosted" + DOT + "org", "pypi" + DOT + "python" + DOT + "org"]
FOLDER = SLASH + "simple"
ADDRESS = re.compile("|".join([*map(re.escape, HOSTS), rf"\w+:{SLASH}{{2}}\S*{FOLDER}\b"]))


def addresses(text: str) -> list[str]:
    """Return what a text names; most hold none of the words, and are not searched any further."""
    return ADDRESS.findall(text) if any(word in text for word in (*HOSTS, FOLDER)) else []


@pytest.mark.parametrize("text", [*HOSTS, "https:" + SLASH * 2 + "mirror.example" + FOLDER + "/numpy"])
def test_an_address_is_found(text: str) -> None:
    assert addresses(f"index-url = {text}\n") != []


@pytest.mark.parametrize("text", ["a plain/simple rule", "--no-emit-index-url", "https://keepachangelog.com/"])
def test_other_text_is_left_alone(text: str) -> None:
    assert addresses(text) == []


def test_no_committed_file_names_one() -> None:
    read = {name: (ROOT / name).read_text(encoding="latin-1") for name in own_files()}
    assert {name: found for name, text in read.items() if (found := addresses(text))} == {}
