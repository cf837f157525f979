"""How much good play is worth, and which verdicts stay the same however a side plays."""
