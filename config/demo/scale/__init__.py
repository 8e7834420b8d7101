"""The demonstration restaurant with a long past: `load_demo --scale`. What the pages are measured on."""
