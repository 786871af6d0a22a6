"""Settings as data."""
