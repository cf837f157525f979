"""Where work is done: pools of workers, what they keep, and the runner that asks many questions at once."""
