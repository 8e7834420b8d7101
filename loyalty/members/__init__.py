"""Members: their details, and signing in of their phones."""
