"""The history page of every model that the admin has."""

from datetime import date, time, timedelta
from decimal import Decimal

import pytest
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib import admin
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group, User
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config.models import StaffToken, Venue
from loyalty.models import Location, Member, Notification, PointTransaction, Programme, Redemption, Reward
from qrservice.models import Account, ApiKey, Code, Scan
from restaurant import models as restaurant
from restaurant.models import (
    Category,
    MenuItem,
    OpeningHours,
    OptionGroup,
    Order,
    OrderChange,
    OrderingRules,
    Payment,
    Printer,
    PrintJob,
    Station,
    Table,
    TableSession,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return User.objects.create_superuser("owner")


@pytest.fixture
def rows(owner) -> list[Model]:
    """One row of every registered model."""
    account = Account.objects.create(name="Osteria")
    code = Code.objects.create(account=account, redirect_url="https://example.com/")
    member = Member.objects.create(name="Ada", email="ada@example.com")
    reward = Reward.objects.create(name="Free coffee", points_required=100)
    table = Table.objects.create(table_number=7)
    session = TableSession.objects.create(table=table)
    order = Order.objects.create(table=table, session=session, total=Decimal("9.50"))
    printer = Printer.objects.create(name="Bar", host="10.0.0.5")
    tomorrow = timezone.now() + timedelta(days=1)
    return [
        owner,
        Group.objects.create(name="Cooks"),
        AccessAttempt.objects.create(username="ada", failures_since_start=1),
        AccessLog.objects.create(username="ada"),
        AccessFailureLog.objects.create(username="ada"),
        StaffToken.objects.create(user=owner)[0],
        account,
        ApiKey.objects.create(account=account, prefix="rq_", digest="x"),
        code,
        Scan.objects.create(code=code),
        member,
        reward,
        Location.objects.create(name="Harbour"),
        PointTransaction.objects.create(customer=member, type="earn", points=1),
        Redemption.objects.create(
            customer=member, reward=reward, points_spent=1, redemption_code="RWD-AAAAAA", expires_at=tomorrow
        ),
        Notification.objects.create(customer=member, title="Gold", message="You are a gold member."),
        MenuItem.objects.create(name="Ribollita", price=Decimal("9.50")),
        table,
        session,
        order,
        OrderChange.objects.create(order=order, kind="cancelled", reason="mistake", amount=1),
        Payment.objects.create(session=session, method="cash", amount=1),
        restaurant.CashDrawer.objects.create(name="Bar"),
        restaurant.Account.objects.create(kind="cash", number="1600"),
        restaurant.Accountant.objects.create(consultant=29098, client=55003),
        OrderingRules.objects.create(),
        Category.objects.create(name="Desserts"),
        restaurant.ClosedDay.objects.create(date=date(2026, 12, 24), reason="Christmas Eve"),
        restaurant.PriceRule.objects.create(category=Category.objects.earliest("pk"), percent=20),
        OptionGroup.objects.create(name="Sides"),
        OpeningHours.objects.create(weekday=0, opens=time(12), closes=time(15)),
        Station.objects.create(name="Bar", slug="bar"),
        printer,
        PrintJob.objects.create(order=order, printer=printer),
        Venue.objects.create(name="Chez Nous"),
        Programme.objects.create(),
    ]


def test_every_model_of_the_admin_has_a_history_page(rows, owner):
    assert {type(row) for row in rows} == set(admin.site._registry)
    client = Client()
    client.force_login(owner)
    for row in rows:
        LogEntry.objects.create(
            user=owner,
            content_type=ContentType.objects.get_for_model(row),
            object_id=str(row.pk),
            object_repr=str(row),
            action_flag=CHANGE,
            change_message="Changed by hand.",
        )
        meta = row._meta
        page = client.get(reverse(f"admin:{meta.app_label}_{meta.model_name}_history", args=[row.pk]))
        assert (meta.label, page.status_code) == (meta.label, 200)
        assert "Changed by hand." in page.content.decode()
