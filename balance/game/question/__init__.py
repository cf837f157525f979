"""Questions and their answers: exact, simulated, as a sentence, or one trial narrated step by step."""
