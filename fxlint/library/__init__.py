"""What is known of torch, numpy, the builtins and other libraries, as tables."""
