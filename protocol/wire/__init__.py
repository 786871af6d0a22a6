"""Bytes between client and server: messages, their encoding, frames, join links."""
