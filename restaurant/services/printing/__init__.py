"""Dockets, from the job that an order made to the printer's answer. See "Dockets" in docs/behaviour.md."""

from restaurant.services.printing.device import Device, Patience, Trouble
from restaurant.services.printing.jobs import active_printers, waiting
from restaurant.services.printing.workers import Printing

__all__ = ["Device", "Patience", "Printing", "Trouble", "active_printers", "waiting"]
