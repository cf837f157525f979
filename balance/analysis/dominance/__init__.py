"""What is never worth taking, and the entrant or mixture that shows it."""
