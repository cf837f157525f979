"""What a rule asks of chance or of a player, the process that asks, and the ways to answer: random, fixed, shared."""
