"""One table: one command at a time, durable before it is visible."""
