"""Writes that belong to no single app."""
