"""Sessions on disk, read: one file per agent turns bytes into events; `tail` follows a file that grows."""
