"""The verbs of looking back."""
