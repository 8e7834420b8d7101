"""Notifications, and who was written to."""

from loyalty.messages.models.letters import Letter
from loyalty.messages.models.notifications import Notification

__all__ = [
    "Letter",
    "Notification",
]
