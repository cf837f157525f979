"""What is said of changes: between two catalogues, on a screen as in its report, and on a page about two cards."""
