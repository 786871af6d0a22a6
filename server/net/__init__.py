"""Bytes in and out of sockets, without ever waiting for a peer."""
