"""Ways to play a battle: by script, at random, and by looking ahead."""
