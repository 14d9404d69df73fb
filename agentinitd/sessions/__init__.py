"""What is known of a running session: when a rebuild is due, what was handed out, what was seen to arrive."""
