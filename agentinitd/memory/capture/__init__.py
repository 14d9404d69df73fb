"""Draws what must not be forgotten out of a session: events → proposals → captured memory."""
