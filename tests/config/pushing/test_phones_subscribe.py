"""Phones subscribe: of staff, and of guests who wait for an order."""

from datetime import timedelta

import pytest
from django.utils import timezone

from config import tidying
from tests.at_once import at_once
from tests.config.pushing.push_service import Phone, subscribe
from tests.conftest import make_user, order_body, signed_in, unknown_id
from tests.loyalty.making import with_token
from web.push.models import PushKey, Subscription
from web.services import push

pytestmark = pytest.mark.django_db


@pytest.fixture
def placed(api, session, soup) -> str:
    return api.post("/table/7/order", order_body(session, (soup, 1)), format="json").json()["orderId"]


def test_again_changes_nothing_and_ends_by_either_way(floor, service):
    phone = Phone(service)
    assert [subscribe(floor, phone).status_code for _ in range(2)] == [201, 200]
    assert floor.get("/push/subscriptions").json()["endpoints"] == [phone.endpoint]
    for _ in range(2):
        assert floor.delete("/push/subscriptions", {"endpoint": phone.endpoint}, format="json").json()["success"]
    assert subscribe(floor, phone).status_code == 201
    for _ in range(2):
        answer = floor.post("/push/subscriptions/remove", {"endpoint": phone.endpoint}, format="json")
        assert (answer.status_code, answer.json()) == (200, {"success": True})
    assert floor.get("/push/subscriptions").json()["endpoints"] == []


def test_only_floor_and_kitchen_subscribe_and_guests_for_an_order_that_they_may_see(api, cashier, placed, service):
    phone = Phone(service)
    assert subscribe(api, phone).status_code == 401
    assert subscribe(cashier, phone).status_code == 403
    assert subscribe(api, phone, orderId=unknown_id()).status_code == 404
    assert subscribe(api, phone, orderId=placed).status_code == 201
    assert api.get("/push/subscriptions").json()["endpoints"] == []
    assert subscribe(with_token(make_user("Floor", "till")), phone).status_code == 200
    mine = {"endpoint": phone.endpoint, "orderId": placed}
    api.post("/push/subscriptions/remove", mine, format="json")
    assert Subscription.objects.get().user.username == "till"


def test_only_known_push_services_are_called(floor, settings, service):
    phone = Phone(service)
    settings.PUSH_HOSTS = ["fcm.googleapis.com", "notify.windows.com", "http://push.local:8088"]
    known = [
        "https://fcm.googleapis.com/fcm/send/dN4:APA91b_x-y",
        "https://am3p.notify.windows.com/w/?token=BQYAAA%2fb%3d%3d",
        "http://push.local:8088/x",
    ]
    others = [
        service.origin + "/x",
        "http://fcm.googleapis.com/x",
        "https://fcm.googleapis.com:8443/x",
        "https://fcm.googleapis.com@127.0.0.1/x",
        "https://127.0.0.1\\@fcm.googleapis.com/x",
        "https://evilfcm.googleapis.com/x",
        "https://fcm.googleapis.com.evil.example/x",
        "https://127.0.0.1/fcm.googleapis.com",
        "https://127.0.0.1#fcm.googleapis.com/",
        "http://push.local/x",
        "file:///etc/passwd",
        "https://fcm.googleapis.com/ x",
    ]
    statuses = {}
    for endpoint in known + others:
        body = {**phone.subscription, "endpoint": endpoint}
        statuses[endpoint] = floor.post("/push/subscriptions", body, format="json").status_code
    assert statuses == dict.fromkeys(known, 201) | dict.fromkeys(others, 400)
    settings.PUSH_HOSTS = []
    assert floor.get("/push/subscriptions").json()["key"] == ""
    assert subscribe(floor, phone).status_code == 400


def test_what_are_no_keys_of_a_browser_is_refused(floor, service):
    phone = Phone(service)
    right = phone.subscription["keys"]
    for wrong in ({"p256dh": "BAAA"}, {"auth": "AAAA"}, {"p256dh": "é" * 87}, {"p256dh": ""}):
        assert subscribe(floor, phone, keys=right | wrong).status_code == 400, wrong
    assert subscribe(floor, phone, keys=None).status_code == 400


def test_the_latest_phones_of_an_order_are_kept_and_those_of_guests_a_day(api, floor, placed, service):
    phones = [Phone(service) for _ in range(push.KEPT + 2)]
    for phone in phones:
        subscribe(api, phone, orderId=placed)
    kept = set(Subscription.objects.values_list("endpoint", flat=True))
    assert kept == {phone.endpoint for phone in phones[2:]}
    subscribe(floor, phones[-1])
    Subscription.objects.update(created_at=timezone.now() - timedelta(hours=25))
    tidying.tidy()
    assert [each.endpoint for each in Subscription.objects.all()] == [phones[-1].endpoint]
    assert Subscription.objects.get().order is None


def test_try_it_reaches_this_phone_alone(floor, service, pushing):
    phone, other = Phone(service), Phone(service)
    for each in (phone, other):
        subscribe(floor, each)
    assert floor.post("/push/subscriptions/try", {"endpoint": phone.endpoint}, format="json").status_code == 202
    pushing.turn()
    pushing.turn()
    assert (phone.titles, other.titles) == (["It works: calls reach this phone."], [])
    stranger = signed_in(make_user("Floor", "ben"))
    assert stranger.post("/push/subscriptions/try", {"endpoint": phone.endpoint}, format="json").status_code == 404


def test_the_private_key_is_shown_nowhere(floor, owners_browser, service):
    subscribe(floor, Phone(service))
    shown = floor.get("/push/subscriptions").content.decode() + owners_browser.get("/admin/").content.decode()
    secret = PushKey.objects.get().private.splitlines()[1]
    assert secret not in shown
    assert "push" not in shown.lower().replace("/push", "")


@pytest.mark.django_db(transaction=True)
@pytest.mark.race
def test_processes_that_begin_at_the_same_moment_have_one_key():
    assert len(set(at_once([lambda: push.key().private] * 8))) == 1


def test_the_service_worker_is_for_the_whole_site_and_always_asked_for(client):
    answer = client.get("/push-worker.js")
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer["Cache-Control"] == "no-cache"
    assert "worker-src 'self'" in answer["Content-Security-Policy"]
    assert "fetch" not in answer.content.decode()
