"""Tables of a catalogue as files: their schema, cells, rows and rules, read with every fault at once."""
