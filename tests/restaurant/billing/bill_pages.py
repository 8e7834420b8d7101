"""The page of a bill, as guests and staff open it."""

from django.test import Client

from tests.conftest import PAGE, make_user, order_body
from tests.reading import Part, read
from tests.restaurant.ordering.forms import submit


def phone() -> Client:
    client = Client(headers={"accept": PAGE})
    client.get("/table/7")
    return client


def order(client, session, *entries) -> None:
    response = client.post(
        "/table/7/order",
        order_body(session, *entries),
        content_type="application/json",
        headers={"accept": "application/json"},
    )
    assert response.status_code == 200, response.content


def staff_browser(group: str, username: str = "") -> Client:
    client = Client(enforce_csrf_checks=True, headers={"accept": PAGE})
    client.force_login(make_user(group, username))
    return client


def open_bill(client, query: str = "") -> Part:
    return read(client.get(f"/table/7/bill{query}"))


def pay(client, page, **entered):
    return submit(client, page, "/table/7/payments", **entered)
