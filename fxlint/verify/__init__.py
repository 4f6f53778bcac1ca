"""The dynamic half: really tracing a model, in a child process."""
