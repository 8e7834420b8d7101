"""Notifications and emails for members."""
