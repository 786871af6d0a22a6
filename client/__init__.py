"""What players see and type into: the full-screen table, the line mode, bots and the command line."""
