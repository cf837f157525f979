"""The sections of a report about fights: attacks, duels, match-ups, luck, strength, who loses alone."""
