"""What a project wants kept: anchors and task states, read from `.agent-memory/`."""
