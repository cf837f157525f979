"""What a study file may say, read and checked."""
