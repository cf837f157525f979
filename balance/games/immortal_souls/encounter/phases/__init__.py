"""The phases of a round: time, events, Shadows and the enemies' turn."""
