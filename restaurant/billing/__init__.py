"""Bills, payments, and the end of a session."""
