"""Who loses alone, and the entrant or mixture that shows it."""
