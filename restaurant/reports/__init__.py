"""The restaurant's reports. See "Reports" in docs/behaviour/common.md, and CONTRIBUTING.md for how to add one.

Each is a package: `read` returns what was counted, `page` the tiles and tables of its page and its CSV. What several
of them count is in `queries`.
"""

from django.utils.translation import gettext_lazy as _

ORDERS_NOTE = _("Orders count as soon as they are placed. Cancelled and held orders are left out.")
NO_SCANS = _("Scans are not available right now.")
