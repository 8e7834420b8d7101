"""Shared by the tests of points from the table: a venue that earns, and phones with and without a card."""

import uuid

from django.test import Client
from rest_framework.test import APIClient

from config.models import Venue
from loyalty.models import Location, Member
from restaurant.billing.services import closing
from restaurant.models import MenuItem, Order, TableSession
from tests.conftest import PAGE, order_body
from tests.loyalty.making import enrol, make_location


def open_venue() -> Location:
    """Tables earn at this location."""
    location = make_location("Harbour")
    Venue.objects.create(location=location)
    return location


def phone_with_card(name: str = "Ada Lovelace", email: str = "ada@example.com") -> tuple[APIClient, Member]:
    phone, member = enrol(email, name)
    phone.cookies["sessionId"] = uuid.uuid4().hex
    return phone, member


def phone_without_card() -> APIClient:
    phone = APIClient()
    phone.cookies["sessionId"] = uuid.uuid4().hex
    return phone


def browser_of(phone: APIClient) -> Client:
    """Return the same phone's browser, without JavaScript."""
    client = Client(enforce_csrf_checks=True, headers={"accept": PAGE})
    client.cookies = phone.cookies
    return client


def place(phone: APIClient, session: TableSession, *entries: tuple[MenuItem, int], **values) -> Order:
    response = phone.post("/table/7/order", order_body(session, *entries) | values, format="json")
    assert response.status_code == 200, response.content
    return Order.objects.get(pk=response.json()["orderId"])


def close(session: TableSession) -> None:
    closing.close_session(table_number=7, session_id=str(session.pk))


def earned(member: Member) -> list[tuple[int, str]]:
    """Points and order total of the member's purchases."""
    rows = member.transactions.filter(type="earn", order_total__isnull=False).order_by("created_at")
    return [(row.points, str(row.order_total)) for row in rows]


def points_of(phone, order) -> dict | None:
    return phone.get(f"/orders/{order.pk}").json().get("points")
