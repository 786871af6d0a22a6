"""Stands in front of `rich` in the programs that tests start: there it cannot be imported.

structlog loads it where it is installed, which takes a seventh of the time that `ryo play` needs to start. It belongs
to the tools of the development environment; an installation of the program does not have it.
"""

raise ImportError("tests start programs without rich")
