"""Eyes and hands: the full-screen table, the line mode, bots and the command line."""
