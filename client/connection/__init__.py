"""One seat kept alive: opening connections, TLS, connecting again, and what a session knows of its table."""
