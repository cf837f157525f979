"""How a side plays a duel: by preference, adapting to its opponent, or looking ahead."""
