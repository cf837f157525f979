"""Arguments and options that several commands share, and their completion in a shell."""
