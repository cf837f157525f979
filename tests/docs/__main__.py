"""Writes what is kept of the documentation: output of commands and sessions, the rooms, what tests validate."""

from tests.docs import gallery, live_pages, rooms, screens, sessions, validation

if __name__ == "__main__":
    rooms.write()
    gallery.write()
    live_pages.write()
    screens.write()
    sessions.write()
    validation.write()
