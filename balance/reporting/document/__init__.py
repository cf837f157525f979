"""A report as a tree of blocks of text and tables, free of any notion of paper or screen, and its colours."""
