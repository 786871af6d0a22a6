"""Other programs' hands: PHH files in and out."""
