"""The command as a process: its streams, memory, progress and exit status."""
