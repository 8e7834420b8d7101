"""Recent changes in the admin's history."""

from datetime import timedelta
from decimal import Decimal

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model

from config.demo.history import History
from loyalty.models import Member, Programme, Reward
from restaurant.models import MenuItem
from web.templatetags.money import format_money
from web.templatetags.reports import shown


def write(history: History, *, manager: User, owner: User, programme: Programme) -> None:
    """Log changes of rows that look changed."""
    reward, dish = history[Reward][0], history[MenuItem][0]
    sold_out = [item for item in history[MenuItem] if not item.available]
    was, now = (shown(points, "number") for points in (programme.silver_from - 200, programme.silver_from))
    price_was, price_now = format_money(dish.price - Decimal("0.50")), format_money(dish.price)
    # How many hours ago, by whom, of what: the latest last.
    changes: list[tuple[int, User, Model, str]] = [
        (99, owner, programme, f"Changed points for silver from {was} to {now}."),
        (30, owner, reward, f"Changed points from {reward.points_required + 50} to {reward.points_required}."),
        (27, manager, dish, f"Changed price from {price_was} to {price_now}."),
        *((8, manager, item, "Sold out.") for item in sold_out),
        (5, manager, history[Member][0], "Changed phone."),
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
        for hours, user, row, message in changes
    )
