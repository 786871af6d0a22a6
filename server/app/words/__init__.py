"""The words of the host by subject: each module has some, in a dictionary `WORDS`; `server.app.operator` joins them."""
