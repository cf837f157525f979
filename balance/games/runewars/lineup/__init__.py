"""Line-ups of Runewars: armies of several units in contact, from muster to the last tray."""
