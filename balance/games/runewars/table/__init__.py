"""The table of Runewars: units as rectangles that walk, see, collide and charge; their approach, and its best play."""
