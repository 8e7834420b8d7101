"""How messages are sent: encrypted, signed, once, and whatever push services do."""

from datetime import timedelta
from functools import partial
from time import monotonic

import pytest
from django.utils import timezone

from config.serving import background
from restaurant.models import TableCall, TableSession
from tests.at_once import at_once
from tests.config.pushing.push_service import Phone, closed_port, subscribe
from tests.conftest import make_table, make_user, signed_in
from tests.servers import wait_for
from web.push import sending
from web.push.models import Push, Subscription
from web.services.push import AT_ONCE, TTL, Due, Sender

pytestmark = pytest.mark.django_db


def call(session: TableSession) -> TableCall:
    return TableCall.objects.create(session=session, kind="waiter")


def test_a_message_is_encrypted_for_its_phone_and_signed_for_its_service(floor, session, service, pushing):
    phone = Phone(service)
    subscribe(floor, phone)
    call(session)
    pushing.turn()
    received = service.received[0]
    service.check(received, floor.get("/push/subscriptions").json()["key"])
    assert phone.titles == ["Table 7 calls"]
    assert b"Table" not in received.body
    assert 0 < int(received.headers["ttl"]) <= TTL.total_seconds()
    assert received.headers["urgency"] == "high"
    assert received.headers["topic"] == phone.messages[0]["tag"]
    assert len(received.headers["topic"]) <= 32


@pytest.mark.parametrize("status", [404, 410])
def test_a_phone_that_is_gone_is_forgotten(status, floor, session, new_service, pushing):
    gone, here = Phone(new_service(status=status)), Phone(new_service())
    for phone in (gone, here):
        subscribe(floor, phone)
    call(session)
    pushing.turn()
    assert [each.endpoint for each in Subscription.objects.all()] == [here.endpoint]


def test_a_key_that_is_none_is_forgotten(floor, session, service, pushing):
    phone = Phone(service)
    assert subscribe(floor, phone, keys=phone.subscription["keys"] | {"p256dh": f"B{'A' * 86}"}).status_code == 201
    call(session)
    pushing.turn()
    assert (Subscription.objects.count(), service.received) == (0, [])


def test_a_redirect_is_not_followed_and_a_refusal_not_tried_again(floor, session, new_service, pushing, caplog):
    elsewhere = new_service()
    services = [new_service(status=307, headers={"Location": elsewhere.origin}), new_service(status=403)]
    for service in services:
        subscribe(floor, Phone(service))
    call(session)
    for _ in range(2):
        pushing.turn()
        Push.objects.exclude(next_at=None).update(next_at=timezone.now())
    assert [len(service.received) for service in [elsewhere, *services]] == [0, 1, 1]
    assert sorted(record.args[1] for record in caplog.records if record.args) == [307, 403]


def test_a_service_that_fails_is_asked_again_later_and_not_for_ever(floor, session, new_service, pushing, clock):
    began = timezone.now()
    clock(began)
    service = new_service(status=503, headers={"Retry-After": "20"})
    subscribe(floor, Phone(service))
    call(session)
    numbers = []
    for seconds in (0, 19, 20, 39, 40, 299, 301):
        clock(began + timedelta(seconds=seconds))
        pushing.turn()
        numbers.append(len(service.received))
    assert numbers == [1, 1, 2, 2, 3, 4, 4]


def test_a_slow_service_and_one_that_is_away_hold_up_no_other(floor, session, new_service, settings, pushing):
    slow, quick = new_service(), new_service()
    slow.is_open.clear()
    away = f"http://127.0.0.1:{closed_port()}"
    settings.PUSH_HOSTS = [*settings.PUSH_HOSTS, away]
    phone = Phone(quick)
    for number in range(AT_ONCE + 2):
        subscribe(signed_in(make_user("Floor", f"slow{number}")), Phone(slow))
    subscribe(floor, phone)
    dead = Phone(quick).subscription | {"endpoint": f"{away}/x"}
    floor.post("/push/subscriptions", dead, format="json")
    first = call(session)
    pushing.begin()
    wait_for(lambda: phone.titles == ["Table 7 calls"], "the quick one")
    slow.wait_for(AT_ONCE)
    first.delete()
    call(session)
    pushing.begin()
    wait_for(lambda: len(phone.titles) == 2, "the quick one again")
    assert len(slow.received) == AT_ONCE  # no more threads for those who do not answer


def test_a_request_waits_for_no_push_service(api, floor, session, new_service):
    """A call is stored and answered: nothing in its request knows of phones."""
    service = new_service()
    service.is_open.clear()
    subscribe(floor, Phone(service))
    began = monotonic()
    body = {"sessionId": str(session.pk), "kind": "waiter"}
    assert api.post("/table/7/calls", body, format="json").status_code == 201
    assert monotonic() - began < sending.TIMEOUT
    assert service.received == []


@pytest.mark.django_db(transaction=True)
def test_serve_sends_by_itself(service):
    phone, session = Phone(service), TableSession.objects.create(table=make_table())
    subscribe(signed_in(make_user("Floor")), phone)
    with background.every(0.02, partial(background.send_messages, Sender())):
        call(session)
        wait_for(lambda: phone.titles == ["Table 7 calls"], "the message")
        wait_for(lambda: not Push.objects.exclude(next_at=None).exists(), "its answer")
    assert len(service.received) == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.race
def test_two_senders_send_each_message_once(service):
    phones = [Phone(service) for _ in range(4)]
    for number, phone in enumerate(phones):
        subscribe(signed_in(make_user("Floor", f"user{number}")), phone)
    users = frozenset(each.user_id for each in Subscription.objects.all())
    senders = [Sender() for _ in range(4)]
    for number in range(6):
        now = timezone.now()
        due = [Due("waiter", f"call {number}", now, now + TTL, lambda: "Table 7 calls", "/floor", users=users)]
        at_once([partial(sender.send, due) for sender in senders])
        wait_for(lambda: all(len(each.answers) == len(each.running) for each in senders), "the answers")
        for sender in senders:
            sender.settle()
    assert [len(phone.titles) for phone in phones] == [6] * 4
    assert not Push.objects.exclude(next_at=None).exists()
