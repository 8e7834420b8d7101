"""Tables, sessions, menu, cart, orders and the kitchen."""
