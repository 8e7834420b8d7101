"""An item's sales, on the pages of the admin."""

from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from restaurant.menu.models import MenuItem
from restaurant.reports.queries import sold
from web.reporting import local_zone
from web.templatetags.money import format_money
from web.templatetags.reports import shown
from web.windows import rolling

DAYS = 30  # as in the report of the menu


def may_read(user: Any) -> bool:
    return bool(user.has_perm("restaurant.view_reports"))


def portions() -> dict[UUID, int]:
    """Return the portions of the last `DAYS` by item; without those that were not sold."""
    return {item: sales.portions for item, sales in _sales().items()}


def _sales() -> dict[UUID, sold.Sold]:
    return sold.by_item(rolling(DAYS, timezone.now(), local_zone()).window)


def in_words(item: MenuItem) -> str:
    """Return the item's sales as a sentence."""
    sales = _sales().get(item.pk)
    if sales is None:
        return _("Not sold in the last %(days)d days.") % {"days": DAYS}
    return _("Sold %(number)s in the last %(days)d days, for %(money)s.") % {
        "number": shown(sales.portions, "number"),
        "days": DAYS,
        "money": format_money(sales.revenue),
    }
