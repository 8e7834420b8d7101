"""The page on which staff cancel an order or parts of it, without JavaScript."""

from decimal import Decimal

import pytest

from restaurant.models import Order, OrderChange, TableSession
from tests.conftest import make_user, order_body, unknown_id
from tests.reading import Part, read
from tests.restaurant.ordering.forms import form_of, submit

pytestmark = pytest.mark.django_db


@pytest.fixture
def placed(api, session, soup, bread) -> str:
    """Two soups for 9.50 and three breads for 4.25: 31.75."""
    return api.post("/table/7/order", order_body(session, (soup, 2), (bread, 3)), format="json").json()["orderId"]


@pytest.fixture
def page(waiter, placed) -> Part:
    return read(waiter.get(f"/orders/{placed}/cancel?next=/floor/tables/7"))


def revenue() -> Decimal:
    return TableSession.objects.get().total_revenue


def test_the_whole_order_is_cancelled_and_leads_back(waiter, page, placed):
    response = submit(waiter, page, f"/orders/{placed}/cancel", scope="whole", reason="guest_left", note="in a hurry")
    assert (response.status_code, response["Location"]) == (303, "/floor/tables/7")
    assert Order.objects.get().status == "cancelled"
    change = OrderChange.objects.get()
    assert (change.user_name, change.reason, change.note) == ("flora", "guest_left", "in a hurry")
    assert "This order is cancelled." in read(waiter.get(f"/orders/{placed}/cancel"))


def test_parts_are_cancelled_by_their_quantities(waiter, page, placed):
    quantities = {"quantity-0": "0", "quantity-1": "2"}
    response = submit(waiter, page, f"/orders/{placed}/cancel", scope="parts", reason="sold_out", **quantities)
    assert response.status_code == 303
    assert revenue() == Decimal("23.25")
    assert OrderChange.objects.get().items == [{"position": 1, "quantity": 2}]
    assert read(waiter.get(f"/orders/{placed}/cancel")).field("quantity-1")["max"] == "1"


def test_quantities_count_only_where_a_part_was_chosen(waiter, page, placed):
    submit(waiter, page, f"/orders/{placed}/cancel", scope="whole", reason="mistake", **{"quantity-1": "2"})
    assert Order.objects.get().status == "cancelled"


def test_the_same_page_sent_twice_cancels_once(waiter, page, placed):
    for _ in range(2):
        fields = {"scope": "parts", "reason": "sold_out", "quantity-1": "1"}
        assert submit(waiter, page, f"/orders/{placed}/cancel", **fields).status_code == 303
    assert revenue() == Decimal("27.50")


def test_what_is_wrong_is_said_and_what_was_entered_stays(subtests, waiter, page, placed):
    for fields, sentence in [
        ({"scope": "whole", "note": "kept"}, "Please choose a reason."),
        ({"scope": "parts", "reason": "sold_out", "note": "kept"}, "Please choose what to cancel."),
        ({"scope": "parts", "reason": "sold_out", "note": "kept", "quantity-1": "4"}, "not so many left"),
        ({"scope": "parts", "reason": "sold_out", "note": "kept", "quantity-1": "many"}, "whole number"),
    ]:
        with subtests.test(fields=fields, sentence=sentence):
            response = submit(waiter, page, f"/orders/{placed}/cancel", **fields)
            again = read(response)
            assert (response.status_code, sentence in again) == (400, True)
            entered = form_of(again, f"/orders/{placed}/cancel").fields()
            assert entered | fields | {"next": "/floor/tables/7"} == entered
            assert revenue() == Decimal("31.75")


def test_a_completed_order_says_that_a_manager_cancels_it(waiter, page, placed):
    Order.objects.update(status="completed")
    response = submit(waiter, page, f"/orders/{placed}/cancel", scope="whole", reason="mistake")
    assert response.status_code == 409
    assert "only a manager can cancel it" in read(response)
    assert read(response).field("approverName").get("required") is not None
    assert Order.objects.get().status == "completed"


def test_it_leads_back_to_the_kitchen_or_the_floor_alone(waiter, placed):
    cases = (("/kitchen", "/kitchen"), ("/orders", "/floor"), ("//evil.example/kitchen", "/floor"))
    pages = [read(waiter.get(f"/orders/{placed}/cancel", {"next": before})) for before, _after in cases]
    for page, (before, after) in zip(pages, cases, strict=True):
        assert page.one("link", "Back, change nothing")["href"] == after
        response = submit(waiter, page, f"/orders/{placed}/cancel", reason="mistake", next=before)
        assert response["Location"] == after


def test_the_page_is_for_staff(browser_client, placed):
    assert browser_client.get(f"/orders/{placed}/cancel").status_code == 302
    browser_client.force_login(make_user("Cashiers"))
    assert browser_client.get(f"/orders/{placed}/cancel").status_code == 403


def test_a_broken_body_about_an_order_that_does_not_exist_is_refused_with_a_page(waiter):
    path = f"/orders/{unknown_id()}/cancel"
    response = waiter.post(path, b"\x0fd", content_type="application/json", headers={"Sec-Fetch-Site": "same-origin"})
    assert response.status_code == 400
    assert response["Content-Type"].startswith("text/html")
    assert "Error 400" in read(response)
