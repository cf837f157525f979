"""What all verbs share: their words, where they do their work, how far they have come, and what they return."""
