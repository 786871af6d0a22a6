"""One seat kept alive: dialing, TLS, resume, and what a session knows."""
