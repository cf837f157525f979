"""What a designer's own evenings say: logs of playtests, ratings of them, and how many more games are needed."""
