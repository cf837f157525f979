"""Look-up tables as expressions ask for them."""

from __future__ import annotations

from dataclasses import dataclass

from balance.base.errors import Fault, UsageError
from balance.rulebook.text import LookUp


@dataclass(frozen=True)
class ChartOf:
    """A look-up table of a game file, as steps of it ask."""

    table: LookUp

    @property
    def n_places(self) -> int:
        """1, or 2 for rows and columns."""
        return 2 if self.table.columns else 1

    def at(self, *places: int) -> int:
        """Return the number at a place, or at a row and a column.

        Parameters
        ----------
        *places
            The place, or the row and the column.

        Raises
        ------
        UsageError
            The table has nothing there.
        """
        row = next((place for place, band in enumerate(self.table.rows) if band.has(places[0])), None)
        columns = self.table.columns
        column = next((place for place, band in enumerate(columns) if band.has(places[-1])), None) if columns else 0
        if row is not None and column is not None:
            return self.table.values[row][column]
        if self.table.otherwise is not None:
            return self.table.otherwise
        place = ", ".join(map(str, places))
        raise UsageError(
            Fault(f"the table {self.table.line.name} has nothing for it", found=place, tip="add: else = 0")
        )
