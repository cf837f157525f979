"""What a conclusion rests on: assumed values, readings of rules, single items, and checks of the numbers."""
