"""Line-ups of Warforged: armies of any size meet in range and in the open, without a board."""
