"""What is said of armies: the best one for a budget, random legal ones, and the changes that make all of them fair."""
