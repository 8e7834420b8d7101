"""Running the servers: the embedded database, the environment, the two servers, their supervision and their end."""
