"""Building blocks of a fight between two sides, as functions of arrays with a row per trial: members, orders, outcomes.

A line-up is a fight of two armies without a board. What a hit does and whom a unit attacks are rules of a game; who
stands in which place, who acts next, how long a fight may last, who is out and who has won mean the same in all games.
"""
