"""What the page of a game says: answers for any units and rules that are typed into it, beside those of its file."""
