"""Who may come in: passwords, invitations, names, and the key by which the server is known."""
