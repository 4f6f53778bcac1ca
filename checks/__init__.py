"""One file a check; imported as ``fxlint.checks``. docs/adding-a-check.md shows how to add one."""
