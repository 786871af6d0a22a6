"""A view as lines of cells; pure functions."""
