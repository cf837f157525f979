"""The phases of a round: time, events, shadows and the enemies' turn."""
