"""What is said of games themselves: which there are, what can be seen of one, and what was written to begin with."""
