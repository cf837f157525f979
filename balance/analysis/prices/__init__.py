"""What everything should cost where armies of equal points meet: fair costs, price lists, verdicts on prices."""
