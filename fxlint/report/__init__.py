"""Findings as text, JSON and other formats."""
