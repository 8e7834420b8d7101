"""`python manage.py expire_redemptions`."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from loyalty.models import PointTransaction, Redemption
from loyalty.rewards.services import redemptions
from tests.loyalty.making import make_member, make_reward

pytestmark = pytest.mark.django_db


def make_redemption(code: str, *, left: timedelta, status: str = "active") -> Redemption:
    return Redemption.objects.create(
        customer=make_member(balance=0), reward=make_reward(), points_spent=0, redemption_code=code, status=status,
        expires_at=timezone.now() + left,
    )  # fmt: skip


def statuses() -> list[str]:
    return list(Redemption.objects.order_by("redemption_code").values_list("status", flat=True))


def test_overdue_active_ones_expire_and_nothing_else_changes(capsys):
    make_redemption("RWD-1", left=timedelta(seconds=-1))
    make_redemption("RWD-2", left=timedelta(minutes=1))
    make_redemption("RWD-3", left=timedelta(days=-1), status="used")
    make_redemption("RWD-4", left=timedelta(days=-40))
    before = list(PointTransaction.objects.order_by("pk").values())
    call_command("expire_redemptions")
    assert capsys.readouterr().out == "Expired: 2\n"
    assert statuses() == ["expired", "active", "used", "expired"]
    call_command("expire_redemptions")
    assert capsys.readouterr().out == "Expired: 0\n"
    # Points are not given back.
    assert list(PointTransaction.objects.order_by("pk").values()) == before
    assert {row.customer.points_balance for row in Redemption.objects.all()} == {0}


def test_at_the_very_moment_it_is_not_overdue_yet():
    row = make_redemption("RWD-1", left=timedelta(0))
    assert redemptions.expire_overdue(now=row.expires_at) == 0
    assert redemptions.expire_overdue(now=row.expires_at + timedelta(microseconds=1)) == 1


def test_an_expired_one_is_refused_at_the_till_and_gone_from_the_card(till):
    row = make_redemption("RWD-AAAAAA", left=timedelta(seconds=-1))
    path = f"/member/{row.customer.pk}"
    assert till.get(path).json()["redemptions"] == []
    call_command("expire_redemptions")
    assert till.get("/use/RWD-AAAAAA").status_code == 400
    assert till.get(path).json()["redemptions"] == []
