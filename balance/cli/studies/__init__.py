"""The commands about studies: `init`, `run`, `compare`, `tables` and `report`."""
