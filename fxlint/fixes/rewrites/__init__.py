"""Rewrites: repairs that hide nothing from the graph. One file each, a pure function from a target and its request to an outcome."""
