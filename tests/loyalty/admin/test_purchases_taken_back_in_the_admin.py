"""Managers take back purchases on a member's page."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from loyalty.models import PointTransaction
from tests.conftest import make_user
from tests.loyalty.admin.pages import page_of, text_of, words_of
from tests.loyalty.making import earn_body, with_token
from tests.reading import read

pytestmark = pytest.mark.django_db


@pytest.fixture
def purchase(member, location) -> PointTransaction:
    with_token(make_user("Cashiers", "noah")).post("/earn", earn_body(member, location, 25), format="json")
    return PointTransaction.objects.purchases().get()


def address_of(row) -> str:
    return reverse("admin:loyalty_member_take_back", args=[row.customer_id, row.pk])


def links_of(client: Client, row) -> list[str]:
    return read(client.get(page_of(row))).addresses()


def take_backs(client: Client, row) -> list[str]:
    """Return the links of a member's or a purchase's page to take a purchase back."""
    return [address for address in links_of(client, row) if "/take-back/" in address]


def test_a_manager_takes_a_purchase_back_from_the_members_page(managers_browser, member, purchase):
    assert take_backs(managers_browser, member) == [address_of(purchase)]
    assert "25 points for €25.00" in words_of(managers_browser.get(address_of(purchase)))
    for _ in range(2):
        response = managers_browser.post(address_of(purchase), {"note": "wrong guest"})
        assert response["Location"] == page_of(member)
        assert "25 points taken back. New balance: 100." in text_of(managers_browser.get(page_of(member)))
    member.refresh_from_db()
    assert (member.points_balance, PointTransaction.objects.filter(type="reversal").count()) == (100, 1)
    assert "/take-back/" not in text_of(managers_browser.get(page_of(member)))
    history = words_of(managers_browser.get(reverse("admin:loyalty_member_history", args=[member.pk])))
    assert history.count("wrong guest") == 1


def test_the_members_page_offers_each_purchase_that_stands_and_so_does_the_page_of_each(
    managers_browser, member, location
):
    now = timezone.now()
    rows = [
        member.transactions.create(type="earn", points=1, order_total=1, created_at=now - timedelta(days=days))
        for days in range(1, 6)
    ]
    assert take_backs(managers_browser, member) == [address_of(row) for row in rows]
    assert {page_of(row) for row in rows} <= set(links_of(managers_browser, member))
    for row in rows:
        assert take_backs(managers_browser, row) == [address_of(row)]
    managers_browser.post(address_of(rows[0]), {"note": ""})
    assert take_backs(managers_browser, member) == [address_of(row) for row in rows[1:]]
    assert take_backs(managers_browser, rows[0]) == []
    assert take_backs(managers_browser, member.transactions.get(order_total=None)) == []


def test_what_is_no_purchase_has_no_such_page(managers_browser, member):
    assert managers_browser.get(address_of(member.transactions.get())).status_code == 404


def test_cashiers_may_not(cashiers_browser, purchase):
    assert cashiers_browser.post(address_of(purchase), {"note": ""}).status_code == 403
    assert not PointTransaction.objects.filter(type="reversal").exists()
