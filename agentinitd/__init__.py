"""agentinitd keeps what an AI coding agent must not forget alive across context compaction."""

__version__ = "0.1.0"
