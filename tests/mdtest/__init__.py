"""Markdown tests of the interpreter."""
