"""What is said of ways of playing: what each is worth, and which verdicts hold by every good one."""
