"""What survives a power cut: journal files, recovery, rotation."""
