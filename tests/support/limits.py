"""How long a test may wait for the real world."""

LIMIT = 60.0
"""Seconds after which a test with real sockets or processes has failed.

Only something that hangs takes so long, on a busy machine too. No test measures how quick something was.
"""
