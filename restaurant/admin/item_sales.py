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

DAYS = 30  # as in the report of the menu


def in_words(item: MenuItem, user: Any) -> str:
    """Empty for who may not read reports."""
    if not user.has_perm("restaurant.view_reports"):
        return ""
    window = rolling(DAYS, timezone.now(), local_zone()).window
    sales = sold.by_item(window).get(item.pk)
    if sales is None:
        return _("Not sold in the last %(days)d days.") % {"days": DAYS}
    return _("Sold %(number)s in the last %(days)d days, for %(money)s.") % {
        "number": shown(sales.portions, "number"),
        "days": DAYS,
        "money": format_money(sales.revenue),
    }
