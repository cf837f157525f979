"""What if something were changed: what makes a match-up even, and a page on which to try."""
