"""Options in, exit code out: the command line."""
