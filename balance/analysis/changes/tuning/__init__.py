"""The fewest and smallest changes of a catalogue that make armies of equal points fair."""
