"""A clock that stands still, members as the reports see them, and managers: what the tests of the reports share."""

import csv
import io
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.db.models import F
from rest_framework.test import APIClient

from loyalty.models import Member, PointTransaction, Redemption, Reward
from tests.conftest import PAGE, make_user, signed_in
from tests.loyalty.conftest import with_token

NOW = datetime(2026, 3, 18, 14, 30, tzinfo=UTC)
TICK = timedelta(microseconds=1)  # the least that the database tells apart


@pytest.fixture(autouse=True)
def clock(clock):
    """It is NOW; `clock(moment)` makes it another time."""
    clock(NOW)
    return clock


def ago(days: float = 0, **more: float) -> datetime:
    return NOW - timedelta(days=days, **more)


def make_member(
    name: str = "Ada", *, orders: Sequence[object] = (), active: datetime | None = NOW, lifetime: int = 0, **values
) -> Member:
    """`orders` are the totals of earn transactions, all at the time of the last activity; None is one without."""
    defaults = {"email": f"{uuid.uuid4().hex}@example.com", "created_at": ago(400), "last_activity_at": active}
    member = Member.objects.create(name=name, lifetime_points=lifetime, **{**defaults, **values})
    for total in orders:
        add(member, order_total=total, at=active or ago(400))
    return member


def add(member: Member, *, points: int = 10, kind: str = "earn", at: datetime = NOW, **values) -> PointTransaction:
    """With what the member's row says of it."""
    row = PointTransaction.objects.create(customer=member, type=kind, points=points, created_at=at, **values)
    sign = {"earn": 1, "reversal": -1}.get(kind, 0)
    spent = Decimal(row.order_total or 0) if sign else 0
    Member.objects.filter(pk=member.pk).update(awards=F("awards") + sign, spend=F("spend") + spent)
    return row


def add_redemption(member: Member, reward: Reward, *, at: datetime = NOW) -> Redemption:
    return Redemption.objects.create(
        customer=member, reward=reward, points_spent=1, redemption_code=uuid.uuid4().hex, expires_at=NOW, created_at=at
    )


@pytest.fixture
def program(db) -> APIClient:
    """A manager's, with a token."""
    return with_token(make_user("Managers", "report-program"))


@pytest.fixture
def read(program):
    """`read(path)` is the JSON body."""

    def get(path: str) -> dict:
        response = program.get(path)
        assert (response.status_code, response["Content-Type"]) == (200, "application/json"), response.content
        return response.json()

    return get


@pytest.fixture
def page(db):
    """`page(path)` is the page as a manager's browser gets it, with `.context` and `.text`."""
    user = make_user("Managers", "report-browser")

    def get(path: str):
        # Signed in at the clock's time: a session does not last for ever.
        response = signed_in(user).get(path, headers={"accept": PAGE})
        assert (response.status_code, response["Content-Type"]) == (200, "text/html; charset=utf-8"), response.content
        response.text = response.content.decode()
        return response

    return get


@pytest.fixture
def sheet(program):
    """`sheet(path)` is the CSV, line by line."""

    def get(path: str) -> list[list[str]]:
        response = program.get(path, {"format": "csv"})
        assert (response.status_code, response["Content-Type"]) == (200, "text/csv; charset=utf-8"), response.content
        return list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"))))

    return get


def tile(page, label: str) -> dict:
    found = [each for each in page.context["tiles"] if each["label"] == label]
    assert len(found) == 1, [each["label"] for each in page.context["tiles"]]
    return found[0]
