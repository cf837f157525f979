"""Studies from end to end: read a study file, run it, open what a run left.

>>> shipped_study("warforged").settings.title
'Is Warforged fair?'
"""

from __future__ import annotations

from balance.analysis.run import run_study
from balance.analysis.run_folder import Run, load_run
from balance.analysis.study_file import Study, load_study, shipped_study

__all__ = ["Run", "Study", "load_run", "load_study", "run_study", "shipped_study"]
