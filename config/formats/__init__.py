"""How Django writes dates and numbers: as reports do, which Babel writes."""
