"""Closing a session that is closed changes nothing: not its end, not its metrics."""

from datetime import timedelta

import pytest
from django.utils import timezone

from restaurant.models import TableSession
from tests.conftest import make_user, order_body
from tests.restaurant.test_cart_without_javascript import hidden

pytestmark = pytest.mark.django_db


@pytest.fixture
def opened(clock, table) -> TableSession:
    """A session that began half an hour ago, by a clock that stands still."""
    now = timezone.now().replace(microsecond=0)
    clock(now)
    return TableSession.objects.create(table=table, started_at=now - timedelta(minutes=30))


def test_closing_again_an_hour_later_answers_the_first_metrics(floor, opened, clock, api, soup):
    api.post("/table/7/order", order_body(opened, (soup, 2)), format="json")
    body = {"sessionId": str(opened.pk)}
    first = floor.post("/table/7/close", body, format="json")
    assert (first.status_code, first.json()["duration"], first.json()["totalOrders"]) == (200, "30 minutes", 1)
    ended_at = TableSession.objects.get().ended_at
    assert ended_at == timezone.now()
    clock(ended_at + timedelta(hours=1))
    again = floor.post("/table/7/close", body, format="json")
    assert (again.status_code, again.json()) == (200, first.json())
    assert TableSession.objects.get().ended_at == ended_at


def test_a_page_that_closes_what_a_colleague_has_closed_shows_the_first_end(browser_client, floor, opened, clock):
    browser_client.force_login(make_user("Floor", "bruno"))
    question = f"/table/7/close?sessionId={opened.pk}"
    token = hidden(browser_client.get(question).content.decode(), "csrfmiddlewaretoken")
    floor.post("/table/7/close", {"sessionId": str(opened.pk)}, format="json")
    clock(timezone.now() + timedelta(hours=2))
    browser_client.post("/table/7/close", {"csrfmiddlewaretoken": token, "sessionId": str(opened.pk)})
    assert "30 minutes" in browser_client.get(question).content.decode()
    assert floor.get(question).json()["duration"] == "30 minutes"
