"""The demonstration restaurant with a long past: `load_demo --scale`. Pages are measured on it."""
