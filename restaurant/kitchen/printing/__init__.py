"""Dockets, from the job that an order made to the printer's answer. See "Dockets" in docs/behaviour/restaurant.md.

`workers` is not imported here: what it needs takes a third of a second to load, and only `print_tickets` prints.
"""

from restaurant.kitchen.printing.device import Device, Patience, Trouble
from restaurant.kitchen.printing.jobs import active_printers, waiting
from restaurant.kitchen.printing.readiness import unready_printers
