"""Sessions of parties, carts and orders, from the guest's menu to the order's page."""
