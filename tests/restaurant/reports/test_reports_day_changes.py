"""What changed bills in the day's report: its sales and VAT are what the bills came to."""

import pytest

from restaurant.models import OrderingRules
from tests.conftest import PAGE, order_body
from tests.reading import read

pytestmark = pytest.mark.django_db

DAY = "/reports/restaurant/day"


@pytest.fixture
def order_id(api, session, soup) -> str:
    """Two soups at table 7 for 19.00, at 10 %."""
    soup.vat_rate = 10
    soup.save()
    return api.post("/table/7/order", order_body(session, (soup, 2)), format="json").json()["orderId"]


def change(manager, **body) -> str:
    response = manager.post("/table/7/adjustments", {"reason": "other", **body}, format="json")
    assert response.status_code == 201
    return response.json()["id"]


def test_the_day_is_what_the_bills_came_to(manager, order_id):
    OrderingRules.objects.create(service_vat_rate=20)
    change(manager, kind="discount", percent=10, reason="regular")
    change(manager, kind="discount", amount=1, reason="wait")
    change(manager, kind="comp", items=[{"orderId": order_id, "position": 0, "quantity": 1}], reason="complaint")
    change(manager, kind="service", amount=2)
    taken_back = change(manager, kind="discount", amount=3)
    manager.post(f"/adjustments/{taken_back}/void", {}, format="json")
    day = manager.get(DAY).json()
    assert day["gross"] == manager.get("/table/7/bill").json()["total"] == 9.55
    assert day["discounts"] == {"count": 2, "value": -1.95, "byReason": {"regular": -0.95, "wait": -1}}
    assert day["comps"] == {"count": 1, "value": -9.5, "byReason": {"complaint": -9.5}}
    assert day["service"] == {"count": 1, "value": 2, "byReason": {"other": 2}}
    assert [(tax["rate"], tax["gross"]) for tax in day["taxes"]] == [(10, 7.55), (20, 2)]
    page = read(manager.get(DAY, headers={"accept": PAGE}))
    assert ["Discounts", "2", "-€1.95"] in page.one("table", "Changes of bills").rows()
    csv = manager.get(DAY, {"format": "csv"}).content.decode()
    assert "On the house,1,-9.50" in csv


def test_refunds_count_on_the_day_on_which_they_are_made(manager, order_id):
    paid = manager.post("/table/7/payments", {"method": "cash"}, format="json").json()["id"]
    manager.post(f"/payments/{paid}/refund", {"amount": 4, "reason": "complaint"}, format="json")
    assert manager.get(DAY).json()["refunds"] == {"count": 1, "value": 4}
    assert "€4.00 given back" in read(manager.get(DAY, headers={"accept": PAGE})).text


def test_a_day_without_any_says_nothing_of_them(manager, order_id):
    assert manager.get(DAY).json().keys().isdisjoint({"discounts", "comps", "service", "refunds"})
    assert "Changes of bills" not in read(manager.get(DAY, headers={"accept": PAGE})).text


def test_the_sales_report_says_in_one_line_what_was_taken_off(manager, order_id):
    def words() -> str:
        return read(manager.get("/reports/restaurant", headers={"accept": PAGE})).text

    assert "Sales are before discounts" not in words()
    change(manager, kind="discount", amount=3)
    assert "Sales are before discounts, what was on the house, and service: together -€3.00." in words()
