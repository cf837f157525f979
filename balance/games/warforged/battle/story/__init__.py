"""One battle told action by action, in words and as pictures of its board."""
