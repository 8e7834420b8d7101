"""The restaurant's URLs: each one serves JSON and, where people go, a page."""
