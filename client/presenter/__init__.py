"""What a player sees and does, without a terminal."""
