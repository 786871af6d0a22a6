"""Keys and words to actions and commands; pure functions."""
