"""Keys and words to actions; pure functions."""
