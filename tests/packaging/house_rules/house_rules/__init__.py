"""The rules of one house for its models."""
