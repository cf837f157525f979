"""The turns of an adventure: cards, orders, moves, combats, and the draw."""
