"""The authority: sockets, lobby, tables, journal files and the deck."""
