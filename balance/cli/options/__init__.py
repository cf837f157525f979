"""Words and options that several commands share, and what a shell can complete of them."""
