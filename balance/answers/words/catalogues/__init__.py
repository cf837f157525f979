"""What is said of catalogues and other files: whether they are sound, and what was written."""
