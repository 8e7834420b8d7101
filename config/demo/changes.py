"""What was changed last in the admin, for its first page."""

from datetime import timedelta
from decimal import Decimal

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model
from django.utils.translation import gettext as _

from config.demo.plan import Plan
from web.templatetags.money import format_money

_HOURS_AGO = (30, 27, 8, 6, 5)  # when each was changed: the latest last


def write(plan: Plan, users: list[User]) -> None:
    """By the manager and the owner, and of what looks changed."""
    *_others, manager, owner = users
    sold_out = [item for item in plan.menu_items if not item.available][:2]
    reward = next(iter(plan.book.rewards))
    dearer = plan.menu_items[0]
    prices = {"was": format_money(dearer.price - Decimal("0.50")), "now": format_money(dearer.price)}
    changes: list[tuple[User, Model, str]] = [
        (owner, reward, _("Changed %(what)s.") % {"what": _("points")}),
        (manager, dearer, _("Changed %(what)s.") % {"what": _("price from %(was)s to %(now)s") % prices}),
        *((manager, item, _("Sold out.")) for item in sold_out),
        (manager, plan.book.members[0], _("Changed %(what)s.") % {"what": _("phone")}),
    ]
    LogEntry.objects.bulk_create(
        LogEntry(
            user=user,
            content_type=ContentType.objects.get_for_model(row),
            object_id=str(row.pk),
            object_repr=str(row),
            action_flag=CHANGE,
            change_message=words,
            action_time=plan.book.now - timedelta(hours=hours),
        )
        for hours, (user, row, words) in zip(_HOURS_AGO, changes, strict=False)
    )
