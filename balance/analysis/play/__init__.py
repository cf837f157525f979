"""What play is worth, and which verdicts stay the same however it is played."""
