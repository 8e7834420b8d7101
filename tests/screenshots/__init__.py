"""Pictures of every page of the demonstration, at three widths, light and dark: `make screenshots`."""
