"""Files, modules and the links between them."""
