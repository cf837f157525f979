"""What is said of one question about two sides: its answer, how it comes about, and what it rests on."""
