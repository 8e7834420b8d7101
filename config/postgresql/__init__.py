"""Django's PostgreSQL backend with limits on waiting: see `base`."""
