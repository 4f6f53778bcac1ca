"""What analyses found, kept on disk until a file that they read changes."""
