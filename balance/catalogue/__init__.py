"""Catalogues: the data designers edit, read with every fault told at once, for any game.

Names are imported when they are first used, as what reads texts alone does without the libraries of the rest.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from balance.catalogue.folder_replacement import replace_folder
    from balance.catalogue.loading import (
        Catalogue,
        check_folder,
        faults_of_entries,
        forget_catalogues,
        load_catalogue,
        load_table,
        unsourced_values,
    )
    from balance.catalogue.overrides import Overrides, apply, parse_assignments
    from balance.catalogue.patching import patch_catalogue
    from balance.catalogue.tables.cells import parse_cell, show_value
    from balance.catalogue.tables.columns import Better, Column
    from balance.catalogue.tables.rules import RuleOption, Rules
    from balance.catalogue.tables.schema import (
        CatalogueSpec,
        EntryId,
        Header,
        Name,
        Record,
        SortedSet,
        Tables,
        TableSpec,
        columns_of,
        leaf_columns,
    )
    from balance.catalogue.tables.sources import Source
    from balance.catalogue.workbook.reading import exported_from, import_workbook
    from balance.catalogue.workbook.writer import export_workbook
    from balance.catalogue.writer import write_folder

__all__ = [
    "Better",
    "Catalogue",
    "CatalogueSpec",
    "Column",
    "EntryId",
    "Header",
    "Name",
    "Overrides",
    "Record",
    "RuleOption",
    "Rules",
    "SortedSet",
    "Source",
    "TableSpec",
    "Tables",
    "apply",
    "check_folder",
    "columns_of",
    "export_workbook",
    "exported_from",
    "faults_of_entries",
    "forget_catalogues",
    "import_workbook",
    "leaf_columns",
    "load_catalogue",
    "load_table",
    "parse_assignments",
    "parse_cell",
    "patch_catalogue",
    "replace_folder",
    "show_value",
    "unsourced_values",
    "write_folder",
]

_HOMES = (
    "tables.cells",
    "tables.schema",
    "tables.rules",
    "tables.sources",
    "loading",
    "overrides",
    "patching",
    "writer",
    "folder_replacement",
    "workbook.reading",
    "workbook.writer",
)
"""Where the names are, the modules that import least first."""


def __getattr__(name: str) -> Any:
    """Import a public name on first use (PEP 562)."""
    for home in _HOMES if name in __all__ else ():
        module = import_module(f"balance.catalogue.{home}")
        if hasattr(module, name):
            return getattr(module, name)
    raise AttributeError(f"module 'balance.catalogue' has no attribute {name!r}")
