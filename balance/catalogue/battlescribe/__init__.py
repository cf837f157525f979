"""A designer's own BattleScribe files, read as tables."""
