"""The manifests of the published reports: `python -m tests.reporting.manifests` writes anew what plays no part in play.

What was played (the checksum of the catalogue) and counted (the summary, the checksums of the tables) stays as it is:
only a run changes that.
"""

from __future__ import annotations

import json
from pathlib import Path

from balance.study.frames.report_settings import load_settings
from balance.study.loading.load import load_study
from balance.study.match_ups.plan import BASE
from balance.study.run.folder import manifest_of
from balance.study.run.run import sides_of
from tests.packaging.checkout import ROOT

PUBLISHED = sorted(path.parent for path in (ROOT / "reports").glob("*/manifest.json"))


def manifest_now(folder: Path) -> bytes:
    """Return the manifest that a published run would have today, if what was counted is the same."""
    places = (ROOT / "data" / folder.name / "study.toml", *ROOT.glob(f"data/*/{folder.name}.toml"))
    study = load_study(next(path for path in places if path.is_file()))
    game, kept = sides_of(study)[BASE], json.loads((folder / "manifest.json").read_text("utf-8"))
    settings = load_settings(game, study.report_path)
    now = json.loads(manifest_of(study, game, settings, kept["summary"], kept["tables"]))
    now["catalogue_sha256"] = kept["catalogue_sha256"]
    return (json.dumps(now, indent=2, ensure_ascii=False) + "\n").encode()


def main() -> None:
    """Write every manifest anew."""
    for folder in PUBLISHED:
        (folder / "manifest.json").write_bytes(manifest_now(folder))


if __name__ == "__main__":
    main()
