"""The documentation that is generated, and what it claims."""
