"""The agents' own settings and hooks: settings text in, settings text out; hook stdin in, hook stdout out."""
