"""A guest without a card enrols on the order's page and collects what the phone has ordered."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from loyalty.models import Member
from restaurant.models import Order, TableSession
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
from tests.reading import read

pytestmark = pytest.mark.django_db


ENROL = {"name": "Grace Hopper", "email": "grace@example.com"}


@pytest.fixture
def location(db):
    return open_venue()


@pytest.fixture
def ada(location):
    """Her phone, and her card, at a venue that earns."""
    return phone_with_card()


def test_a_guest_enrols_with_two_fields_and_collects_what_the_phone_has_ordered(location, session, soup, bread):
    phone, other = phone_without_card(), phone_without_card()
    first, second = place(phone, session, (soup, 1)), place(phone, session, (bread, 2))
    theirs = place(other, session, (soup, 1))
    browser = browser_of(phone)
    page = read(browser.get(f"/orders/{second.pk}"))
    assert "17 points wait for you" in page
    page = read(browser.get(f"/orders/{second.pk}/collect"))
    assert [field["name"] for field in page.all("field")] == ["name", "email"]
    response = browser.post(f"/orders/{second.pk}/collect", ENROL)
    assert (response.status_code, response["Location"]) == (303, f"/orders/{second.pk}")
    grace = Member.objects.get(email="grace@example.com")
    collectors = {order.pk: order.collector for order in Order.objects.all()}
    assert collectors == {first.pk: str(grace.pk), second.pk: str(grace.pk), theirs.pk: ""}
    page = read(browser.get(f"/orders/{second.pk}"))
    assert "will be collected on Grace's card when your table is closed." in page
    assert page.one("link", "See your card")["href"] == f"/member/{grace.pk}"
    close(session)
    assert earned(grace) == [(9, "9.50"), (8, "8.50")]
    page = read(browser.get(f"/orders/{second.pk}"))
    assert "are on Grace's card." in page
    assert place(phone, TableSession.objects.create(table=session.table), (soup, 1)).collector == str(grace.pk)


def test_a_program_is_told_what_a_new_card_would_get_and_whose_card_is_there(ada, session, soup):
    phone, later = phone_without_card(), ada[0]  # the same phone, which has her card by then
    later.cookies["sessionId"] = phone.cookies["sessionId"].value
    order = place(phone, session, (soup, 1))
    for caller, name, bonus in ((phone, "", 100), (later, "Ada", 0)):
        offer = caller.get(f"/orders/{order.pk}/collect").json()
        assert (offer["name"], offer["signupBonus"]) == (name, bonus)


def test_after_the_table_was_closed_the_points_come_at_once_and_the_form_counts_once(location, session, soup):
    phone = phone_without_card()
    order = place(phone, session, (soup, 1))
    close(session)
    for _ in range(2):
        response = phone.post(f"/orders/{order.pk}/collect", ENROL, format="json")
        assert response.status_code == 200
        assert response.json()["points"]["points"] == 9
    assert earned(Member.objects.get()) == [(9, "9.50")]


def test_nothing_is_collected_a_day_later_or_for_a_cancelled_order(location, session, soup, floor):
    phone = phone_without_card()
    old, cancelled = place(phone, session, (soup, 1)), place(phone, session, (soup, 1))
    Order.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=1))
    floor.post(f"/orders/{cancelled.pk}/cancel", {"reason": "mistake"}, format="json")
    for order in (old, cancelled):
        assert "wait for you" not in read(browser_of(phone).get(f"/orders/{order.pk}"))
        assert phone.get(f"/orders/{order.pk}/collect").status_code == 409
        assert phone.post(f"/orders/{order.pk}/collect", ENROL, format="json").status_code == 409
    assert not Member.objects.exists()


def test_an_address_with_a_card_gets_a_link_and_nobody_its_points(ada, session, soup):
    member = ada[1]
    guest = phone_without_card()
    order = place(guest, session, (soup, 1))
    body = {"name": "Mallory", "email": "ADA@example.com"}
    response = guest.post(f"/orders/{order.pk}/collect", body, format="json")
    assert (response.status_code, response.json()) == (
        409,
        {"error": "There is already a card for this email address."},
    )
    response = browser_of(guest).post(f"/orders/{order.pk}/collect", body)
    assert response.status_code == 409
    assert "Email me a link to my card" in read(response).names("button")
    assert not re.search(r"\bAda\b", response.text)  # as a word, in attributes too: a random token may hold the letters
    assert "member" not in guest.cookies
    assert Order.objects.get().collector == ""
    # Signed in by that link, the phone collects with one tap.
    guest.cookies["member"] = ada[0].cookies["member"].value
    browser = browser_of(guest)
    assert "Collect on Ada's card" in read(browser.get(f"/orders/{order.pk}")).names("button")
    assert browser.post(f"/orders/{order.pk}/collect").status_code == 303
    assert Order.objects.get().collector == str(member.pk)


def test_wrong_fields_come_back_with_what_was_entered(location, session, soup):
    phone = phone_without_card()
    order = place(phone, session, (soup, 1))
    response = browser_of(phone).post(f"/orders/{order.pk}/collect", {"name": "Grace", "email": "nonsense"})
    page = read(response)
    assert response.status_code == 400
    assert page.field("name")["value"] == "Grace"
    assert page.field("email")["aria-describedby"] == "error_email about_email"
    assert "Enter a valid email address." in page
    assert not Member.objects.exists()


def test_only_the_phone_that_ordered_collects_and_sees_whose_card_it_is(ada, session, soup):
    phone, member = ada
    order = place(phone, session, (soup, 1))
    stranger = phone_without_card()
    for caller in (stranger, phone_with_card("Bob", "bob@example.com")[0]):
        assert caller.get(f"/orders/{order.pk}/collect").status_code == 403
        assert caller.post(f"/orders/{order.pk}/collect", ENROL, format="json").status_code == 403
    assert points_of(stranger, order) == {"points": 9, "collectedAt": None}
    page = browser_of(stranger).get(f"/orders/{order.pk}").content.decode()
    assert not re.search(r"\bAda\b", page)  # as a word, in attributes too: a random token may hold the letters
    assert str(member.pk) not in page
    assert stranger.get("/orders/nonsense/collect").status_code == 404


def test_an_order_keeps_its_collector(ada, session, soup):
    phone, member = ada
    order = place(phone, session, (soup, 1))
    assert phone.post(f"/orders/{order.pk}/collect").status_code == 200
    bob = phone_with_card("Bob", "bob@example.com")[0]
    bob.cookies["sessionId"] = phone.cookies["sessionId"].value
    assert bob.post(f"/orders/{order.pk}/collect").status_code == 409
    order.refresh_from_db()
    assert order.collector == str(member.pk)


def test_pages_of_other_sites_collect_nothing(location, session, soup):
    phone = phone_without_card()
    order = place(phone, session, (soup, 1))
    response = phone.post(f"/orders/{order.pk}/collect", ENROL, format="json", HTTP_SEC_FETCH_SITE="cross-site")
    assert response.status_code == 403
    assert not Member.objects.exists()


def test_enrolments_at_the_table_count_as_enrolments(location, session, soup, settings):
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"enrolment": "1/hour"}
    phone = phone_without_card()
    order = place(phone, session, (soup, 1))
    statuses = [
        phone.post(f"/orders/{order.pk}/collect", {"name": "", "email": ""}, format="json").status_code
        for _ in range(2)
    ]
    assert statuses == [400, 429]
