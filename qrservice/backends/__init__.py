"""Where codes come from: each backend fulfils the contract in `base`."""
