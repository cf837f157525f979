"""What ways of playing are worth, and what holds by every good one: for people, as JSON and as tables."""
