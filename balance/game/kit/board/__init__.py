"""Building blocks of battles on a board, as functions of arrays with a row per trial: luck, scores, looking ahead.

A board's cells and lines of sight are `balance.chance.rolls.board`, its story is `balance.game.question.board_story`.
What may be done on it are rules of a game; how its luck is kept, who has won, and copies to look ahead mean the same in
all games.
"""
