"""What the analysis predicts of small programs, held against what tracing them does."""
