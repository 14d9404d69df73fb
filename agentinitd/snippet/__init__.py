"""What the agent is told: fragments of scripts, composed into one text within a token budget."""
