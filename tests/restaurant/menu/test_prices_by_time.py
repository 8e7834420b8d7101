"""Prices by time: what guests see and pay from one minute to the next."""

from datetime import UTC, datetime, time, timedelta
from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from rest_framework.test import APIClient

from restaurant.models import Category, MenuItem, OrderItem, PriceRule
from tests.conftest import PAGE, make_item, order_body
from tests.reading import read

pytestmark = pytest.mark.django_db

FOUR = datetime(2026, 3, 4, 16, 0, tzinfo=UTC)  # a Wednesday
MINUTE = timedelta(minutes=1)


@pytest.fixture
def spritz(db) -> MenuItem:
    return make_item("Spritz", "9.00", category="Drinks")


@pytest.fixture(autouse=True)
def _happy_hour(spritz) -> None:
    drinks = Category.objects.get(name="Drinks")
    PriceRule.objects.create(category=drinks, weekdays=[2], opens=time(16), closes=time(18), percent=25)


def dish_of(client) -> dict:
    [dish] = client.get("/table/7").json()["menu"]["Drinks"]
    return dish


def test_the_menu_changes_at_the_minute(table, spritz, clock):
    prices = []
    for at in (FOUR - MINUTE, FOUR, FOUR + timedelta(hours=2) - MINUTE, FOUR + timedelta(hours=2)):
        clock(at)
        dish, page = dish_of(APIClient()), read(APIClient().get("/table/7", headers={"accept": PAGE}))
        prices.append((dish["price"], dish.get("regularPrice")))
        assert ("before: €9.00 €6.75" in page) == (dish["price"] == 6.75)
    assert prices == [(9, None), (6.75, 9), (6.75, 9), (9, None)]
    clock(FOUR + timedelta(days=1))
    assert dish_of(APIClient())["price"] == 9


def test_an_order_keeps_the_price_of_its_moment(table, session, spritz, floor, clock):
    guest = APIClient()
    clock(FOUR)
    guest.get("/table/7")
    session = table.sessions.latest("started_at")
    guest.post("/table/7/cart", {"menuItemId": str(spritz.pk), "quantity": 2}, format="json")
    assert guest.get("/table/7/cart").json()["total"] == 13.5
    body = order_body(session, (spritz, 2))
    assert guest.post("/table/7/order", body | {"expectedTotal": 13.5}, format="json").status_code == 200
    clock(FOUR + timedelta(hours=2))
    refused = guest.post("/table/7/order", body | {"expectedTotal": 13.5}, format="json")
    assert (refused.status_code, refused.json()["total"]) == (409, 18)
    assert OrderItem.objects.get().price == Decimal("6.75")
    spritz.refresh_from_db()
    assert spritz.price == 9


def test_the_rule_of_an_item_goes_before_and_of_several_the_lowest_counts(table, spritz, clock):
    clock(FOUR)
    PriceRule.objects.create(item=spritz, price="8.00")
    assert dish_of(APIClient())["price"] == 8
    PriceRule.objects.create(item=spritz, price="7.50", opens=time(15), closes=time(17))
    assert dish_of(APIClient())["price"] == 7.5
    page = read(APIClient().get(f"/table/7/dishes/{spritz.pk}", headers={"accept": PAGE}))
    assert "before: €9.00 €7.50" in page


def test_a_manager_makes_a_rule_of_one_kind(managers_browser, spritz):
    with pytest.raises(ValidationError):
        PriceRule(percent=10).full_clean()
    with pytest.raises(ValidationError):
        PriceRule(item=spritz, percent=10, price=5).full_clean()
    sent = {"item": str(spritz.pk), "category": "", "opens": "17:00", "closes": "24:00", "percent": "", "price": "5"}
    response = managers_browser.post(reverse("admin:restaurant_pricerule_add"), sent)
    assert response.status_code == 302
    assert PriceRule.objects.get(item=spritz).price == 5
