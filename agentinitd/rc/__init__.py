"""init.d itself: which scripts there are, which may run, in what order, and what became of each run."""
