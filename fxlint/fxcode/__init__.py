"""The code around fx, read without running it: wrap and Tracer (6xx), Graph, GraphModule, Transformer and Interpreter (7xx)."""
