"""What only a manager may do is approved on the waiter's device, by the manager's name and password."""

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.test import Client

from config.models import TemporaryPassword
from restaurant.models import Adjustment, CashDrawer, DrawerDay, Order, OrderChange, Payment, Refund
from tests.conftest import PAGE, make_user, order_body, signed_in
from tests.reading import read
from tests.restaurant.ordering.forms import form_of

pytestmark = pytest.mark.django_db
PASSWORD = "a long pass phrase"
MANAGER = {"approverName": "managers", "approverPassword": PASSWORD}


@pytest.fixture
def order_id(api, session, soup) -> str:
    make_user("Managers")
    return api.post("/table/7/order", order_body(session, (soup, 2)), format="json").json()["orderId"]


@pytest.fixture
def waiter(floor) -> Client:
    """The browser of the floor's waiter."""
    client = Client(headers={"accept": PAGE})
    client.force_login(User.objects.get(username="floor"))
    return client


def test_a_refused_form_comes_back_with_fields_for_a_manager(waiter, order_id):
    form = {"kind": "discount", "percent": "50", "reason": "complaint", "note": "cold", "idempotencyKey": "one"}
    refused = waiter.post("/table/7/adjustments", form)
    assert refused.status_code == 403
    assert "Only a manager may change what a bill comes to. Please ask one." in read(refused).texts("alert")
    ask = form_of(refused, "/table/7/adjustments").fields()
    assert ask.items() >= {"percent": "50", "note": "cold", "approverName": "", "approverPassword": ""}.items()
    wrong = waiter.post("/table/7/adjustments", ask | MANAGER | {"approverPassword": "guessed"})
    assert (wrong.status_code, "The manager's name or password is wrong." in read(wrong)) == (403, True)
    assert "guessed" not in wrong.content.decode()
    assert waiter.post("/table/7/adjustments", ask | MANAGER).status_code == 303
    made = Adjustment.objects.get()
    assert (made.made_by_name, made.note) == ("managers", "cold (asked by floor)")
    path = f"/adjustments/{made.pk}/void"
    assert "approverName" in form_of(waiter.post(path, {}), path).fields()
    assert waiter.post(path, MANAGER).status_code == 303
    made.refresh_from_db()
    assert (made.voided_by_name, made.void_note) == ("managers", "(asked by floor)")


def test_who_may_not_either_approves_nothing(floor, order_id):
    make_user("Floor", "other")
    body = {"kind": "discount", "percent": 50, "reason": "other", **MANAGER, "approverName": "other"}
    assert floor.post("/table/7/adjustments", body, format="json").status_code == 403
    assert not Adjustment.objects.exists()


def test_a_password_that_somebody_else_has_set_approves_nothing(floor, order_id):
    TemporaryPassword.objects.create(user=User.objects.get(username="managers"))
    body = {"kind": "discount", "percent": 50, "reason": "other", **MANAGER}
    assert floor.post("/table/7/adjustments", body, format="json").status_code == 403
    assert not Adjustment.objects.exists()


def test_money_is_given_back_from_the_waiter_s_drawer(floor, order_id, session):
    for name in ("floor", "managers"):
        DrawerDay.objects.create(drawer=CashDrawer.objects.create(name=name), float=100, opened_by_name=name)
    floor.post("/table/7/payments", {"method": "cash"}, format="json")
    path = f"/payments/{Payment.objects.get().pk}/refund"
    refused = floor.post(path, {"reason": "complaint"}, format="json")
    assert (refused.status_code, refused.json()) == (403, {"error": "Only a manager may do this. Please ask one."})
    assert floor.post(path, {"reason": "complaint", **MANAGER}, format="json").json()["refunded"] == 19
    refund = Refund.objects.get()
    assert (refund.by_name, refund.note, refund.drawer_day.opened_by_name) == ("managers", "(asked by floor)", "floor")


def test_a_completed_order_is_cancelled_by_a_manager(floor, waiter, order_id):
    floor.post(f"/orders/{order_id}/status", {"status": "completed"}, format="json")
    assert floor.post(f"/orders/{order_id}/cancel", {"reason": "mistake"}, format="json").status_code == 409
    page = read(waiter.get(f"/orders/{order_id}/cancel"))
    assert "only a manager can cancel it" in page
    part = {"reason": "mistake", "items": [{"position": 0, "quantity": 1}]}
    assert (
        signed_in(User.objects.get(username="managers"))
        .post(f"/orders/{order_id}/cancel", part, format="json")
        .status_code
        == 200
    )
    form = {"reason": "mistake", "scope": "whole"}
    assert waiter.post(f"/orders/{order_id}/cancel", form).status_code == 409
    assert waiter.post(f"/orders/{order_id}/cancel", form | MANAGER).status_code == 303
    assert Order.objects.get().status == "cancelled"
    latest = OrderChange.objects.latest("at")
    assert (latest.user_name, latest.note) == ("managers", "(asked by floor)")


def test_guesses_are_limited_like_those_at_the_sign_in(floor, order_id, settings):
    body = {"kind": "discount", "percent": 50, "reason": "other", **MANAGER}
    statuses = [
        floor.post("/table/7/adjustments", body | {"approverPassword": str(number)}, format="json").status_code
        for number in range(settings.SIGN_IN_FAILURES_PER_USERNAME + 1)
    ]
    assert set(statuses[:-2]) == {403}
    assert statuses[-1] == 429
    assert floor.post("/table/7/adjustments", body, format="json").status_code == 429
    assert AccessAttempt.objects.filter(username="managers").exists()
    assert not Adjustment.objects.exists()
