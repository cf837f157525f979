"""The heroes' turn: moves, healing, hiding and companions."""
