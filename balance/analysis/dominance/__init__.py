"""Who is dominated one against one, and the entrant or mixture that shows it."""
