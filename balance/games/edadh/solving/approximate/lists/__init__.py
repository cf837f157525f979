"""The positions of a duel as lists: configurations, their turns, and the ends of Periods."""
