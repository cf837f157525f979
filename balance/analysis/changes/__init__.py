"""What a change would do: handicaps that even a match-up, neighbours of a card, costs tuned until armies are fair."""
