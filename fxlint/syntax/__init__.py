"""Source text to outline (ast, whole file) and to IR (libcst, one function at a time)."""
