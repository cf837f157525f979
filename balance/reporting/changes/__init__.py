"""The report of a change between two catalogues: whom it affects, in sentences, in tables and as a page."""
