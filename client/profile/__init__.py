"""The player's own files: settings, seat keys, known servers, kept hands."""
