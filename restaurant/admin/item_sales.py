"""How an item sells, on its page in the admin."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from restaurant.models import MenuItem
from restaurant.queries import sold
from web.reporting import local_zone
from web.templatetags.money import format_money
from web.templatetags.reports import shown
from web.windows import rolling

DAYS = (7, 30)  # the latter as in the report of the menu


def in_words(item: MenuItem, user: Any) -> str:
    """Empty for who may not read reports."""
    if not user.has_perm("restaurant.view_reports"):
        return ""
    now, zone = timezone.now(), local_zone()
    week, month = (sold.by_item(rolling(days, now, zone).window).get(item.pk, sold.NONE) for days in DAYS)
    if not month.portions:
        return _("Not sold in the last 30 days.")
    return _("Sold %(week)s in the last 7 days, and %(month)s in 30 for %(money)s.") % {
        "week": shown(week.portions, "number"),
        "month": shown(month.portions, "number"),
        "money": format_money(month.revenue),
    }
