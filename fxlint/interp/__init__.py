"""The abstract interpreter that mimics symbolic tracing."""
