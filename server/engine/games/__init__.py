"""Games as lists of steps: the ones in the box, house games, and their rules as pages."""
