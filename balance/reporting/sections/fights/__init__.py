"""The sections of a report about fights: duels, match-ups and parties of all sizes; and what is luck."""
