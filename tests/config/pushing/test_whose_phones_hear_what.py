"""What phones hear while they are locked, and whose."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from config.models import Device
from restaurant.floor.models import TableOwner
from restaurant.models import Category, OrderingRules, Station
from tests.config.pushing.push_service import Phone, subscribe
from tests.config.sharing import give_pin, on_tablet, switch
from tests.conftest import make_item, make_user, order_body, signed_in
from web.push.models import Subscription

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)


@pytest.fixture(autouse=True)
def now(clock):
    clock(timezone.now())


@pytest.fixture
def after(clock):
    return lambda seconds: clock(timezone.now() + seconds * SECOND)


@pytest.fixture
def phone_of(service):
    """`phone_of("ana")` is a subscribed phone of somebody new on the floor."""

    def make(name: str, group: str = "Floor") -> Phone:
        phone = Phone(service)
        assert subscribe(signed_in(make_user(group, name)), phone).status_code == 201
        return phone

    return make


def call(api, session, kind: str = "waiter") -> str:
    body = {"sessionId": str(session.pk), "kind": kind}
    return api.post("/table/7/calls", body, format="json").json()["id"]


def order(api, session, *dishes) -> str:
    body = order_body(session, *((dish, 1) for dish in dishes))
    return api.post("/table/7/order", body, format="json").json()["orderId"]


def test_a_call_reaches_who_has_the_table_and_after_a_while_everybody(api, session, phone_of, pushing, after):
    ana, ben = phone_of("ana"), phone_of("ben")
    TableOwner.objects.create(table=session.table, user=User.objects.get(username="ana"))
    call(api, session)
    for _ in range(3):
        pushing.turn()
    assert (ana.titles, ben.titles) == (["Table 7 calls"], [])
    assert {**ana.messages[0], "tag": ""} == {"title": "Table 7 calls", "url": "/floor", "tag": ""}
    after(44)
    pushing.turn()
    assert ben.titles == []
    after(1)
    for _ in range(3):
        pushing.turn()
    assert (ana.titles, ben.titles) == (["Table 7 calls"] * 2, ["Table 7 calls"])
    assert ana.messages[0]["tag"] == ben.messages[0]["tag"]  # the later one takes the place of the first
    after(400)
    late = phone_of("cleo")
    pushing.turn()
    assert late.titles == []  # nobody needs to hear of it any more


def test_where_nobody_has_the_table_everybody_on_the_floor_hears_of_it(api, session, phone_of, pushing):
    phones = [phone_of("ana"), phone_of("mia", "Managers")]
    cook = phone_of("carl")
    User.objects.get(username="carl").groups.clear()
    call(api, session, "bill")
    pushing.turn()
    assert [phone.titles for phone in phones] == [["Table 7 wants the bill"]] * 2
    assert cook.titles == []


def test_what_somebody_has_taken_is_not_sent(api, floor, session, phone_of, pushing):
    ana = phone_of("ana")
    floor.post(f"/calls/{call(api, session)}/done")
    floor.post(f"/calls/{call(api, session, 'bill')}/take")
    pushing.turn()
    assert ana.titles == []


def test_orders_to_approve_and_to_carry_are_told_without_dishes(api, floor, session, soup, phone_of, pushing, after):
    ana = phone_of("ana")
    bar = Station.objects.create(name="The bar", slug="bar")
    spritz = make_item("Spritz", "9.00", category="Drinks")
    Category.objects.filter(name="Drinks").update(station=bar)
    Category.objects.filter(name="Soups").update(station=Station.objects.create(name="Stove", slug="stove"))
    OrderingRules(gate="approved").save()
    placed = order(api, session, spritz, soup)
    pushing.turn()
    floor.post(f"/orders/{placed}/approve")
    floor.post(f"/orders/{placed}/items/0/done", {"done": True}, format="json")
    pushing.turn()
    floor.post(f"/orders/{placed}/status", {"status": "ready"}, format="json")
    pushing.turn()
    told = ["an order to approve", "something to carry", "an order to carry"]
    assert ana.titles == [f"Table 7: {words}" for words in told]
    floor.post(f"/orders/{placed}/status", {"status": "preparing"}, format="json")
    after(10)
    floor.post(f"/orders/{placed}/status", {"status": "ready"}, format="json")
    pushing.turn()
    assert ana.titles[3:] == ["Table 7: an order to carry"]  # ready anew


def test_what_no_display_has_drawn_reaches_floor_and_kitchen(api, floor, session, soup, phone_of, pushing, after):
    ana, carl = phone_of("ana"), phone_of("carl", "Kitchen")
    floor.post("/kitchen/seen", {"orderIds": [order(api, session, soup)]}, format="json")
    order(api, session, soup)
    after(31)
    pushing.turn()
    pushing.turn()
    assert ana.titles == ["Table 7: nobody in the kitchen has seen the order"]
    assert ana.messages[0]["url"] == "/floor"
    assert carl.messages == [{**ana.messages[0], "url": "/kitchen"}]
    call(api, session)
    pushing.turn()
    assert (len(ana.titles), len(carl.titles)) == (2, 1)


def test_a_guest_hears_when_the_order_is_ready_and_then_no_more(api, floor, session, soup, service, pushing):
    placed, phone = order(api, session, soup), Phone(service)
    assert subscribe(api, phone, orderId=placed).status_code == 201
    call(api, session)  # which is not for guests
    pushing.turn()
    assert phone.titles == []
    floor.post(f"/orders/{placed}/status", {"status": "ready"}, format="json")
    pushing.turn()
    pushing.turn()
    assert phone.titles == ["Your order is ready"]
    assert phone.messages[0]["url"] == f"/orders/{placed}"
    floor.post(f"/orders/{placed}/status", {"status": "served"}, format="json")
    pushing.turn()
    assert subscribe(api, phone, orderId=placed).status_code == 201  # it was gone


@pytest.mark.parametrize("leaves", ["deactivated", "erased", "in another group", "signed out"])
def test_who_has_left_hears_nothing(leaves, api, session, phone_of, pushing, service):
    phone, user = Phone(service), make_user("Floor", "ana")
    client = signed_in(user)
    subscribe(client, phone)
    if leaves == "deactivated":
        User.objects.filter(pk=user.pk).update(is_active=False)
    elif leaves == "erased":
        user.delete()
    elif leaves == "in another group":
        user.groups.clear()
    else:
        client.post("/sign-out")
    ben = phone_of("ben")
    call(api, session)
    pushing.turn()
    assert (phone.titles, ben.titles) == ([], ["Table 7 calls"])


def test_a_shared_device_hears_for_whoever_signed_in_last_until_it_is_revoked(api, session, service, pushing):
    boss, ana, ben = make_user("Managers"), make_user("Floor", "ana"), give_pin(make_user("Floor", "ben"))
    tablet, phone = on_tablet(boss, give_pin(ana)), Phone(service)
    subscribe(tablet, phone)
    TableOwner.objects.create(table=session.table, user=ana)
    tablet.post("/switch/lock")
    call(api, session)
    pushing.turn()
    assert phone.titles == ["Table 7 calls"]
    assert switch(tablet, ben.username).status_code == 200
    call(api, session, "bill")
    pushing.turn()
    assert phone.titles == ["Table 7 calls"]  # it is Ana's table
    TableOwner.objects.update(user=ben)
    pushing.turn()
    assert "Table 7 wants the bill" in phone.titles
    signed_in(boss).post(f"/staff/devices/{Device.objects.get().pk}", {"revoked": True}, format="json")
    assert not Subscription.objects.exists()
