"""Shared by all apps: views that serve one URL to programs and to people. Imports no app."""
