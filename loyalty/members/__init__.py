"""Members: who they are, and how their phones sign in."""
