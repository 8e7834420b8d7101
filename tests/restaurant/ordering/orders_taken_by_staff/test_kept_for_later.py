"""What staff take for later: held until they send it to the kitchen."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from restaurant.models import Category, Order, OrderChange, OrderingRules, TableSession
from tests.conftest import order_body
from tests.reading import read
from tests.restaurant.ordering.forms import form_of, submit
from tests.restaurant.ordering.orders_taken_by_staff.taking import (
    ORDER,
    PAGE_OF_TABLE_7,
    entries,
    open_page,
    place,
    send,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("table")]


@pytest.fixture
def kept(floor, table, soup) -> Order:
    """Two soups for 9.50, taken twenty minutes ago."""
    response = place(floor, **entries((soup, 2)), later=True)
    assert (response.status_code, response.json()["status"]) == (200, "held")
    earlier = timezone.now() - timedelta(minutes=20)
    Order.objects.update(created_at=earlier, kept_at=earlier)
    return Order.objects.get()


def needs_of(floor) -> dict:
    return floor.get("/floor").json()


def test_it_counts_nowhere_and_alarms_nobody(floor, kept, waiter):
    assert floor.get("/kitchen").json() == {"orders": []}
    assert floor.get("/table/7/bill").json()["total"] == 0
    assert needs_of(floor)["held"] == []
    tickets = needs_of(floor)["keptForLater"]
    assert [(each["orderId"], each["later"]) for each in tickets] == [(str(kept.pk), True)]
    for page, words in {"/floor": "2 dishes for later", "/floor/tables/7": "Kept for later"}.items():
        text = waiter.get(page).content.decode()
        assert "data-sounds" not in text
        assert "to approve" not in text.lower()
        assert words in read(text)


def test_three_are_listed_on_the_floor_and_the_others_folded(floor, kept, waiter, soup):
    for _ in range(3):
        assert "More for later" not in read(waiter.get("/floor"))
        place(floor, **entries((soup, 1)), later=True)
    page = read(waiter.get("/floor"))
    more = page.one("details", "More for later")
    sent = [form["action"] for form in page.all("form") if (form.get("action") or "").endswith("/approve")]
    assert (len(sent), sent[0]) == (4, f"/orders/{kept.pk}/approve")
    assert [form["action"] for form in more.all("form")] == sent[3:]


def test_sent_it_is_an_order_of_that_moment(floor, kept):
    before = timezone.now()
    for _ in range(2):
        assert floor.post(f"/orders/{kept.pk}/approve").json()["status"] == "pending"
    order = Order.objects.get()
    assert order.created_at >= before > order.kept_at
    assert [each["orderId"] for each in floor.get("/kitchen").json()["orders"]] == [str(kept.pk)]
    assert TableSession.objects.values_list("total_orders", "total_revenue").get() == (1, Decimal("19.00"))
    assert "keptForLater" not in needs_of(floor)
    assert OrderChange.objects.values_list("kind", "user_name").get() == ("approved", "floor")


def test_part_of_an_order_can_wait_and_a_repeat_orders_neither_part_again(floor, table, soup, bread):
    body = entries((soup, 1), (bread, 2))
    body["items"][1]["later"] = True
    first = place(floor, key="one tap", **body).json()
    assert (first["status"], first["total"], [each["name"] for each in first["items"]]) == ("pending", 9.5, [soup.name])
    assert (first["kept"]["status"], first["kept"]["total"]) == ("held", 8.5)
    floor.post(f"/orders/{first['kept']['orderId']}/approve")
    assert place(floor, key="one tap", **body).json() == first
    assert Order.objects.count() == 2
    assert place(floor, key="one tap", **entries((soup, 1), (bread, 2))).status_code == 409


def test_portions_are_taken_at_once_and_given_back_when_it_is_cancelled(floor, table, soup, bread):
    soup.portions = 2
    soup.save()
    body = entries((soup, 1), (soup, 1), (bread, 1))
    body["items"][1]["later"] = True
    held = place(floor, **body).json()["kept"]["orderId"]
    soup.refresh_from_db()
    assert soup.portions == 0
    assert floor.post(f"/orders/{held}/cancel", {"reason": "mistake"}, format="json").json()["status"] == "cancelled"
    soup.refresh_from_db()
    assert soup.portions == 1
    assert place(floor, **entries((soup, 2)), later=True).status_code == 400


def test_guests_can_not_keep_anything_for_later(subtests, api, session, soup):
    for where in ["order", "item"]:
        with subtests.test(where=where):
            body = order_body(session, (soup, 1))
            (body if where == "order" else body["items"][0])["later"] = True
            response = api.post("/table/7/order", body, format="json")
            assert (response.status_code, "later" in response.json()["error"]) == (400, True)
            assert not Order.objects.exists()


def test_closing_the_table_cancels_it(floor, kept):
    floor.post("/table/7/close", {"sessionId": str(kept.session_id)}, format="json")
    kept.refresh_from_db()
    assert (kept.status, kept.cancellation.reason, kept.cancellation.user_name) == ("cancelled", "guest_left", "floor")
    assert floor.post(f"/orders/{kept.pk}/approve").status_code == 409


def test_sending_it_approves_nothing_of_the_guests(floor, kept, soup):
    OrderingRules(gate="approved").save()
    floor.post(f"/orders/{kept.pk}/approve")
    phone = APIClient()
    phone.cookies["sessionId"] = "phone"
    response = phone.post("/table/7/order", order_body(kept.session, (soup, 1)), format="json")
    assert response.json()["status"] == "held"


def test_without_javascript_each_dish_has_a_course_and_all_can_be_kept(waiter, soup, bread):
    chosen = {f"quantity-{soup.pk}": "1", f"quantity-{bread.pk}": "2", "step": "details"}
    Category.objects.filter(name=soup.category).update(course=1)
    details = read(send(waiter, open_page(waiter), to=PAGE_OF_TABLE_7, **chosen))
    fields = form_of(details, ORDER).fields()
    assert (fields[f"course-{soup.pk}"], fields[f"course-{bread.pk}"]) == ("1", "0")
    send(waiter, details, **{f"course-{bread.pk}": "2"})
    sent = Order.objects.get()
    assert {item.course: item.waits for item in sent.items.all()} == {1: False, 2: True}
    send(waiter, read(send(waiter, open_page(waiter), to=PAGE_OF_TABLE_7, **chosen)), later="on")
    assert Order.objects.exclude(pk=sent.pk).get().is_kept


def test_sending_stands_out_once_all_else_is_served(waiter, floor, kept, soup):
    place(floor, **entries((soup, 1)))
    approve = f"/orders/{kept.pk}/approve"
    quiet = form_of(waiter.get("/floor/tables/7"), approve).one("button")["class"]
    Order.objects.exclude(pk=kept.pk).update(status="served")
    page = waiter.get("/floor/tables/7")
    assert form_of(page, approve).one("button")["class"] != quiet
    assert "Kept for later" in read(page)
    question = read(waiter.get(f"/table/7/close?sessionId={kept.session_id}"))
    assert "1 order is kept for later. Closing cancels it" in question
    submit(waiter, page, approve)
    kept.refresh_from_db()
    assert kept.status == "pending"
