"""A fiscal device signs what is sealed; one that does not answer stops nobody, and is an alarm."""

from datetime import timedelta

import pytest
from django.utils import timezone

from restaurant.billing import fiscal
from tests.conftest import PAGE, order_body
from web.models import JournalEntry
from web.services import sealing

pytestmark = pytest.mark.django_db


class Device:
    kinds = ("payment",)
    answers = True

    def sign(self, entry: JournalEntry) -> str:
        if not Device.answers:
            raise OSError("nobody there")
        return f"SIGNED {entry.number}"


@pytest.fixture
def device(settings, monkeypatch) -> None:
    settings.FISCAL_DEVICE = f"{__name__}.Device"
    monkeypatch.setattr(Device, "answers", True)


def pay(api, floor, session, soup) -> str:
    api.post("/table/7/order", order_body(session, (soup, 1)), format="json")
    paid = floor.post("/table/7/payments", {"method": "card"}, format="json")
    assert paid.status_code == 201
    sealing.seal()
    return paid.json()["id"]


def test_payments_are_signed_and_the_bill_shows_it(api, floor, session, soup, device):
    payment = pay(api, floor, session, soup)
    assert (fiscal.sign(), fiscal.sign()) == (1, 0)
    entry = JournalEntry.objects.get(subject=payment)
    assert entry.signature == f"SIGNED {entry.number}"
    page = floor.get(f"/table/7/bill?sessionId={session.pk}", headers={"accept": PAGE})
    assert entry.signature in page.content.decode()


def test_a_silent_one_is_an_alarm_after_a_minute_until_it_answers(api, floor, session, soup, device, clock, noon):
    clock(timezone.now())
    Device.answers = False
    pay(api, floor, session, soup)
    assert fiscal.sign() == 0
    assert "fiscal" not in kinds(floor)
    clock(timezone.now() + timedelta(minutes=2))
    assert "fiscal" in kinds(floor)
    Device.answers = True
    assert fiscal.sign() == 1
    assert "fiscal" not in kinds(floor)


def test_a_class_that_is_not_there_is_an_alarm_too(api, floor, session, soup, settings, clock, noon):
    settings.FISCAL_DEVICE = "house.Nothing"
    clock(timezone.now())
    pay(api, floor, session, soup)
    clock(timezone.now() + timedelta(minutes=2))
    assert "fiscal" in kinds(floor)


def kinds(client) -> list[str]:
    return [need["kind"] for need in client.get("/attention").json()["needs"]]
