"""Players that are programs. They are ordinary clients and are marked as bots."""
