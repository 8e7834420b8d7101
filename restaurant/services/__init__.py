"""Writing: what may happen at a table."""
