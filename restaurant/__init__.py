"""Tables, sessions, menu, cart, orders and the kitchen (document 3)."""
