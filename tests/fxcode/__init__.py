"""The analysis itself, on small programs."""
