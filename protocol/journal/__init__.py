"""Bytes on the disk: how records are framed and chained, and what they hold."""
