"""Run the notebooks and keep what they show: `python -m tests.packaging.notebooks`, or `make notebooks`.

They run in an empty folder with an empty cache, so that no catalogue of somebody's own changes what they show, and
nothing that differs from one machine to the next is kept, nor the progress that verbs show.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import nbformat as untyped
from nbclient import NotebookClient

from tests.packaging.checkout import ROOT, own_files

nbformat: Any = untyped
WIDGET = "application/vnd.jupyter.widget-view+json"
"""What tells of a widget that is there while the notebook runs, by an id that is another each time."""
NOTEBOOKS = [name for name in own_files("notebooks") if name.endswith(".ipynb")]


def execute(name: str) -> Any:
    """Return a notebook of the checkout with the outputs that its cells have now."""
    notebook = nbformat.read(ROOT / name, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        resources = {"metadata": {"path": folder}}
        NotebookClient(
            notebook,
            timeout=600,
            kernel_name="python3",
            record_timing=False,
            coalesce_streams=True,
            resources=resources,
        ).execute(env={**os.environ, "BALANCE_CACHE": str(Path(folder) / "cache")})
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook.metadata = nbformat.from_dict({"kernelspec": kernel, "language_info": {"name": "python"}})
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict({})
        if "outputs" in cell:
            cell.outputs = [output for output in cell.outputs if not is_progress(output)]
            for output in cell.outputs:
                output.get("data", {}).pop(WIDGET, None)
    return notebook


def is_progress(output: Any) -> bool:
    """Return whether an output is the line that says how far a verb has come, which is written over itself."""
    return output.get("name") == "stderr" and "\r" in output["text"]


def main() -> None:
    """Run every notebook and write it in its place."""
    for name in NOTEBOOKS:
        path = Path(ROOT / name)
        path.write_text(nbformat.writes(execute(name)) + "\n", encoding="utf-8")
        print(name)


if __name__ == "__main__":
    main()
