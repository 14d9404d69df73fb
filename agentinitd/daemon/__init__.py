"""The daemon: follows sessions, runs rebuilds, answers on the socket."""
