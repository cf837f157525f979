"""A question to a game and its answer: exact, simulated, as a sentence, or one trial told step by step."""
