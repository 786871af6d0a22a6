"""The only place with a terminal: full screen and line mode."""
