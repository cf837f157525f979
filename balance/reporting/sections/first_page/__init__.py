"""The first page of a report: the verdict, one chart, what to change, and what this cannot see."""
