"""What is said of a change between two catalogues, on a screen as in its report."""
