"""Abstract values: each stands for a set of run-time objects."""
