"""The command line: one file per command; a command parses, calls once and prints."""
