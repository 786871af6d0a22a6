"""`ryo doctor`: looks at what a server and a player need on this machine, and says what to do. It changes nothing."""
