"""Reading sessions, carts and orders."""
