"""What a designer's own playtests say, and how many of them it takes."""
