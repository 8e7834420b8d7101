"""Orders of a phone that carries a card earn its points when the table is closed."""

from importlib import import_module

import pytest
from django.contrib.auth.models import Permission, User
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection
from django.test import Client

from config.models import Venue
from loyalty.models import Programme
from loyalty.points.services import reversals
from restaurant.models import Order, OrderingRules, TableSession
from tests.config.collecting import (
    browser_of,
    close,
    earned,
    open_venue,
    phone_with_card,
    phone_without_card,
    place,
    points_of,
)
from tests.conftest import make_user, signed_in, undone
from tests.loyalty.making import make_location
from tests.reading import read
from web import venue

pytestmark = pytest.mark.django_db


@pytest.fixture
def location(db):
    return open_venue()


@pytest.fixture
def ada(location):
    """Her phone, and her card, at a venue that earns."""
    return phone_with_card()


def test_an_order_earns_when_the_table_is_closed_however_often(ada, location, session, soup, floor):
    phone, member = ada
    order = place(phone, session, (soup, 2))
    assert points_of(phone, order) == {"points": 19, "collectedAt": None}
    assert earned(member) == []
    for _ in range(3):
        response = floor.post("/table/7/close", {"sessionId": str(session.pk)}, format="json")
        assert response.status_code == 200
    call_command("collect_points")
    assert earned(member) == [(19, "19.00")]
    row = member.transactions.get(order_total=19)
    assert (row.location, row.staff_id, row.recorded_by) == (location, "", None)
    answer = points_of(phone, order)
    assert answer["points"] == 19
    assert answer["collectedAt"]
    member.refresh_from_db()
    assert (member.points_balance, member.lifetime_points) == (119, 119)


def test_the_order_s_page_says_by_what_the_tier_multiplies_until_the_points_are_there(ada, session, soup):
    phone, member = ada
    order = place(phone, session, (soup, 2))

    def sentence() -> str:
        return read(browser_of(phone).get(f"/orders/{order.pk}")).one("section", "Points").text

    assert "×" not in sentence()  # bronze
    type(member).objects.filter(pk=member.pk).update(tier="gold", lifetime_points=5_000)
    assert sentence().startswith("28 points will be collected on Ada's card")
    assert sentence().endswith("Gold earns 1.5 × the points See your card")
    assert points_of(phone, order) == {"points": 28, "collectedAt": None}
    close(session)
    assert "×" not in sentence()


def test_the_member_s_data_has_the_orders(ada, session, soup):
    phone, member = ada
    order = place(phone, session, (soup, 2))
    place(phone_without_card(), session, (soup, 1))
    stored = phone.get(f"/member/{member.pk}/data").json()["orders"]
    assert [(order["orderId"], order["total"], order["items"][0]["quantity"]) for order in stored] == [
        (str(order.pk), 19, 2)
    ]


def test_a_member_who_was_erased_meanwhile_gets_nothing_and_the_table_is_closed(ada, session, soup):
    phone, member = ada
    order = place(phone, session, (soup, 2))
    assert signed_in(make_user("Managers")).post(f"/member/{member.pk}/erase").status_code == 200
    close(session)
    call_command("collect_points")
    order.refresh_from_db()
    assert (order.collected_at is not None, order.points_collected) == (True, None)
    assert earned(member) == []


def test_what_is_cancelled_earns_nothing(ada, session, soup, bread, floor):
    phone, member = ada
    part, whole = place(phone, session, (soup, 2), (bread, 1)), place(phone, session, (bread, 3))
    body = {"reason": "sold_out", "items": [{"position": 0, "quantity": 1}]}
    assert floor.post(f"/orders/{part.pk}/cancel", body, format="json").status_code == 200
    assert floor.post(f"/orders/{whole.pk}/cancel", {"reason": "mistake"}, format="json").status_code == 200
    assert points_of(phone, part)["points"] == 13
    assert points_of(phone, whole) is None
    close(session)
    assert earned(member) == [(13, "13.75")]
    assert points_of(phone, whole) is None


def test_what_is_cancelled_after_the_table_was_closed_is_taken_back_once(ada, session, soup, floor):
    phone, member = ada
    order, other = place(phone, session, (soup, 2)), place(phone, session, (soup, 1))
    close(session)
    for _ in range(2):
        assert floor.post(f"/orders/{order.pk}/cancel", {"reason": "mistake"}, format="json").status_code == 200
        close(session)
        call_command("collect_points")
    member.refresh_from_db()
    assert (member.points_balance, member.lifetime_points) == (109, 109)
    assert [row.points for row in member.transactions.filter(type="reversal")] == [-19]
    assert points_of(phone, order) is None
    assert points_of(phone, other)["points"] == 9


def test_points_that_can_t_be_taken_back_at_once_are_taken_back_later(ada, session, soup, floor, monkeypatch):
    phone, member = ada
    order = place(phone, session, (soup, 2))
    close(session)

    def fail(**_values):
        raise DatabaseError("no more disk")

    with monkeypatch.context() as patch:
        patch.setattr(reversals, "take_back_purchase", fail)
        assert floor.post(f"/orders/{order.pk}/cancel", {"reason": "other"}, format="json").status_code == 200
        with pytest.raises(CommandError):
            call_command("collect_points")
    assert points_of(phone, order)["points"] == 19
    call_command("collect_points")
    member.refresh_from_db()
    assert member.points_balance == 100
    assert points_of(phone, order) is None


def test_an_award_that_was_not_noted_before_the_order_was_cancelled_is_taken_back(ada, session, soup, floor):
    phone, member = ada
    order = place(phone, session, (soup, 2))
    close(session)
    Order.objects.update(collected_at=None, points_collected=None)  # the process was killed in between
    assert floor.post(f"/orders/{order.pk}/cancel", {"reason": "other"}, format="json").status_code == 200
    call_command("collect_points")
    member.refresh_from_db()
    assert member.points_balance == 100


def test_no_key_that_a_till_sends_is_that_of_an_order(ada, location, session, soup, cashier):
    phone, member = ada
    order = place(phone, session, (soup, 1))
    form = {"customerId": str(member.pk), "locationId": str(location.pk), "orderTotal": "5.00"}
    for space in ("", " ", "\u2003"):
        with undone():
            sent = cashier.post("/earn", {**form, "idempotencyKey": f"{space}order-{order.pk}"})
            assert sent.status_code == 200, sent.content
            close(session)
            assert earned(member) == [(5, "5.00"), (9, "9.50")]


def test_points_under_the_keys_of_before_are_given_once(ada, session, soup):
    phone, member = ada
    order = place(phone, session, (soup, 1))
    close(session)
    client_s_key = {"idempotency_key": "order-of-a-program", "request_digest": "of its request"}
    other = member.transactions.create(type="earn", points=1, order_total=1, **client_s_key)
    row = member.transactions.get(order_total="9.50")
    member.transactions.filter(pk=row.pk).update(idempotency_key=f"order-{order.pk}")
    Order.objects.update(collected_at=None)  # the process was killed before it noted that
    with connection.cursor() as cursor:
        cursor.execute(import_module("loyalty.migrations.0022_keys_of_orders_are_ours").RENAME)
    call_command("collect_points")
    assert member.transactions.filter(order_total="9.50").count() == 1
    other.refresh_from_db()
    assert other.idempotency_key == "order-of-a-program"


def test_tips_and_payments_change_nothing(ada, session, soup, floor):
    phone, member = ada
    place(phone, session, (soup, 1))
    body = {"sessionId": str(session.pk), "method": "cash", "tip": 20}
    assert floor.post("/table/7/payments", body, format="json").status_code == 201
    close(session)
    assert earned(member) == [(9, "9.50")]


def test_a_held_order_earns_only_if_it_is_approved(ada, session, soup, floor):
    phone, member = ada
    OrderingRules.objects.update_or_create(pk=1, defaults={"approval_above": 10})
    refused, approved = place(phone, session, (soup, 2)), place(phone, session, (soup, 3))
    assert floor.post(f"/orders/{approved.pk}/approve").status_code == 200
    close(session)
    assert earned(member) == [(28, "28.50")]
    assert floor.post(f"/orders/{refused.pk}/cancel", {"reason": "other"}, format="json").status_code == 200
    call_command("collect_points")
    assert len(earned(member)) == 1


def test_a_party_that_joined_another_collects_there(ada, session, soup, floor):
    phone, member = ada
    other, guest = TableSession.objects.create(table=session.table), phone_without_card()
    place(phone, session, (soup, 1))
    Order.objects.update(session=other)
    place(guest, other, (soup, 1))
    close(session)
    assert earned(member) == []
    close(other)
    assert earned(member) == [(9, "9.50")]


def test_without_a_location_nothing_is_promised_or_shown(session, soup):
    phone, member = phone_with_card()
    order = place(phone, session, (soup, 1))
    close(session)
    assert order.collector == ""
    assert points_of(phone, order) is None
    assert "point" not in read(browser_of(phone).get(f"/orders/{order.pk}"))
    assert phone.get(f"/orders/{order.pk}/collect").status_code == 409
    assert earned(member) == []


def test_orders_of_others_do_not_collect(ada, session, soup, floor):
    phone, member = ada
    floor.cookies["member"] = phone.cookies["member"].value
    floor.cookies["sessionId"] = phone.cookies["sessionId"].value
    assert place(floor, session, (soup, 1)).collector == ""  # a waiter's own card must not get guests' points
    guest = phone_without_card()
    guest.cookies["member"] = phone.cookies["member"].value + "x"
    assert place(guest, session, (soup, 1)).collector == ""
    assert place(phone, session, (soup, 1)).collector == str(member.pk)


def test_the_admin_leads_from_an_order_to_its_member_for_who_may_see_members(ada, session, soup, manager):
    phone, member = ada
    orders = [place(phone, session, (soup, 1)) for _ in range(2)]
    close(session)
    path, card = (f"/admin/restaurant/order/{orders[0].pk}/change/", f"/admin/loyalty/member/{member.pk}/change/")
    User.objects.filter(username="managers").update(is_staff=True)
    page = read(manager.get(path))
    assert page.links().count(("Ada Lovelace", card)) == 1
    assert "Points collected: 9" in page
    assert read(manager.get(card)).facts()["Usually orders"] == "Ribollita"
    clerk = User.objects.create_user("clerk", is_staff=True)
    clerk.user_permissions.set(Permission.objects.filter(codename="view_order"))
    response = signed_in(clerk).get(path)
    assert "Points go to: Ada Points collected: 9" in read(response)
    assert "Lovelace" not in response.content.decode()


def test_a_manager_names_the_location_in_the_admin(session, soup, manager):
    User.objects.filter(username="managers").update(is_staff=True)
    location, (phone, member) = make_location(), phone_with_card()
    page = read(manager.get("/admin/loyalty/programme/add/"))
    assert "Orders at the tables earn points here. Without one they earn none." in page
    form = page.fields() | {"location": str(location.pk)}
    assert manager.post("/admin/loyalty/programme/add/", form).status_code == 302
    venue.clear_cache()
    place(phone, session, (soup, 1))
    close(session)
    assert earned(member) == [(9, "9.50")]


def test_who_may_change_the_programme_and_not_the_venue_leaves_the_location(location):
    Programme.objects.create(pk=1)
    accountant = make_user("Cashiers")
    User.objects.filter(pk=accountant.pk).update(is_staff=True)
    accountant.user_permissions.add(Permission.objects.get(codename="change_programme"))
    browser, path = Client(), "/admin/loyalty/programme/1/change/"
    browser.force_login(accountant)
    form = read(browser.get(path)).fields()
    assert "signup_bonus" in form
    assert "location" not in form
    assert browser.post(path, form | {"location": "", "signup_bonus": "7"}).status_code == 302
    assert (Programme.objects.get().signup_bonus, Venue.objects.get().location) == (7, location)
