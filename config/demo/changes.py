"""Recent changes in the admin's history."""

from datetime import timedelta
from decimal import Decimal

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model
from django.utils.translation import gettext as _

from config.demo.history import History
from loyalty.models import Programme
from web.templatetags.money import format_money
from web.templatetags.reports import shown

_HOURS_AGO = (99, 30, 27, 8, 6, 5)  # when each was changed: the latest last


def write(history: History, users: list[User], programme: Programme) -> None:
    """Log changes by the manager and the owner of rows that look changed."""
    *_others, manager, owner = users
    sold_out = [item for item in history.menu_items if not item.available][:2]
    reward = history.rewards[0]
    dearer = history.menu_items[0]
    prices = {"was": format_money(dearer.price - Decimal("0.50")), "now": format_money(dearer.price)}
    silver = {"was": shown(programme.silver_from - 200, "number"), "now": shown(programme.silver_from, "number")}
    points = {"was": reward.points_required + 50, "now": reward.points_required}
    changes: list[tuple[User, Model, str]] = [
        (owner, programme, _("Changed %(what)s.") % {"what": _("points for silver from %(was)s to %(now)s") % silver}),
        (owner, reward, _("Changed %(what)s.") % {"what": _("points from %(was)s to %(now)s") % points}),
        (manager, dearer, _("Changed %(what)s.") % {"what": _("price from %(was)s to %(now)s") % prices}),
        *((manager, item, _("Sold out.")) for item in sold_out),
        (manager, history.members[0], _("Changed %(what)s.") % {"what": _("phone")}),
    ]
    LogEntry.objects.bulk_create(
        LogEntry(
            user=user,
            content_type=ContentType.objects.get_for_model(row),
            object_id=str(row.pk),
            object_repr=str(row),
            action_flag=CHANGE,
            change_message=message,
            action_time=history.now - timedelta(hours=hours),
        )
        for hours, (user, row, message) in zip(_HOURS_AGO, changes, strict=False)
    )
