"""The turns of a battle: what may be done from each position, and what it leads to."""
