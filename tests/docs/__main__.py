"""Writes what is kept of the documentation: the output under commands and in sessions, and the picture of the rooms."""

from tests.docs import gallery, live_pages, rooms, screens, sessions

if __name__ == "__main__":
    rooms.write()
    gallery.write()
    live_pages.write()
    screens.write()
    sessions.write()
