"""A log of playtests read from a file: its sheets, rows and shapes, and what is left out of it and why."""
