"""The sources of codes, which implement `base.Backend`."""
