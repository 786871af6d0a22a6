"""Games as lists of steps: the built-in games, house games, and the rules of a game as a page."""
