"""The front page on a Friday evening in Vienna."""

from datetime import datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

from django.contrib.auth.models import Permission
from django.test import Client

from restaurant.models import Order, TableSession
from tests.conftest import PAGE, make_user
from tests.reading import Part, read

VIENNA = ZoneInfo("Europe/Vienna")


def begin(clock, settings) -> None:
    settings.TIME_ZONE = "Europe/Vienna"
    clock(at(20, 18, 30))


def at(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 11, day, hour, minute, tzinfo=VIENNA)


def sell(session: TableSession, moment: datetime, total: str, status: str = "served") -> None:
    Order.objects.create(session=session, table=session.table, created_at=moment, total=Decimal(total), status=status)


def page_of(group: str, *permissions: str) -> Part:
    user = make_user(group)
    user.user_permissions.add(
        *Permission.objects.filter(codename__in=permissions, content_type__app_label="restaurant")
    )
    client = Client(headers={"accept": PAGE})
    client.force_login(user)
    return read(client.get("/"))
