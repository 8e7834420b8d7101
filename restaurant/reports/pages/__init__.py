"""What the pages of the restaurant's reports show, and their CSV: tiles, tables, notes. One module per report."""

from django.utils.translation import gettext_lazy as _

EVERY_ORDER = _("Orders count as soon as they are placed. Cancelled and held orders are left out.")
NO_SCANS = _("Scans are not available right now.")
