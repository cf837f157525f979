"""The sections of a report about fights: attacks, duels, match-ups, luck, what is never worth taking."""
