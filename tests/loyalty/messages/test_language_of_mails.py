"""Mails to a member are in the language in which they read their card."""

import pytest
from django.core import mail

from loyalty.members.services import members
from loyalty.messages.services import notifications
from loyalty.models import Member, Notification
from tests.conftest import PAGE
from tests.loyalty.making import change, earn_body, enrol, make_location

pytestmark = pytest.mark.django_db

GERMAN = {"accept": PAGE, "accept-language": "de-DE,de;q=0.9"}
WORDS = {
    "Welcome to %(tier)s": "Willkommen bei %(tier)s",
    "You have reached %(tier)s. Thank you for coming back.": "Sie haben %(tier)s erreicht.",
    "silver": "Silber",
    "Open your card": "Karte öffnen",
    "Your card": "Ihre Karte",
    "Your card at %(venue)s": "Ihre Karte bei %(venue)s",
    "Confirm your email for %(venue)s": "Bestätigen Sie Ihre E-Mail bei %(venue)s",
}


@pytest.fixture
def ada(german):
    """Her phone, on which she reads her card in German, and her card."""
    german(WORDS)
    phone, member = enrol()
    assert member.language == ""
    phone.get(f"/member/{member.pk}", headers=GERMAN)
    member.refresh_from_db()
    return phone, member


def test_the_language_is_that_of_the_page_of_the_card_and_written_when_it_changes(ada, django_assert_num_queries):
    phone, member = ada
    assert member.language == "de"
    phone.get(f"/member/{member.pk}")  # a program that asks for none
    member.refresh_from_db()
    assert member.language == "de"
    with django_assert_num_queries(0):
        members.keep_language(member=member, language="de")
    phone.get(f"/member/{member.pk}", headers={"accept-language": "en"})
    member.refresh_from_db()
    assert member.language == "en"
    assert phone.get(f"/member/{member.pk}/data").json()["member"]["language"] == "en"


def test_whoever_signs_up_at_the_till_or_is_only_looked_at_gets_mails_in_the_venues_language(ada, till):
    _phone, member = ada
    body = {"email": "ben@example.com", "name": "Ben"}
    till.post("/members", body, format="json", headers={"accept-language": "de"})
    assert Member.objects.get(email="ben@example.com").language == ""
    till.get(f"/member/{member.pk}", headers={"accept-language": "en"})
    member.refresh_from_db()
    assert member.language == "de"


def test_news_are_written_and_mailed_in_it_whatever_the_till_speaks(ada, till):
    _phone, member = ada
    assert till.post("/earn", earn_body(member, make_location(), 900), format="json").status_code == 200
    stored, [message] = Notification.objects.get(), mail.outbox
    assert (stored.title, stored.message) == ("Willkommen bei Silber", "Sie haben SILBER erreicht.")
    assert message.subject == stored.title
    assert "Ihre Karte: " in message.body
    assert "Karte öffnen" in message.alternatives[0][0]
    change(stored, sent_at=None, next_attempt_at=stored.created_at)
    notifications.send_unsent(now=stored.created_at)
    assert "Ihre Karte: " in mail.outbox[1].body


def test_sign_in_links_are_in_it_and_for_a_card_without_one_in_that_of_the_page(ada, api):
    _phone, member = ada
    api.post("/member-sign-in", {"email": member.email}, format="json", headers={"accept-language": "en"})
    _, other = enrol("ben@example.com", "Ben")
    api.post("/member-sign-in", {"email": other.email}, format="json", headers={"accept-language": "de"})
    assert [message.subject.partition(" bei ")[0] for message in mail.outbox] == ["Ihre Karte", "Ihre Karte"]


def test_a_language_that_pages_have_no_more_gives_way_to_the_venues(ada, api, monkeypatch):
    _phone, member = ada
    monkeypatch.setattr("web.languages.FOR_GUESTS", ["en"])
    api.post("/member-sign-in", {"email": member.email}, format="json")
    assert mail.outbox[0].subject.startswith("Your card at ")


def test_erasing_a_member_forgets_it(ada, manager):
    _phone, member = ada
    assert manager.post(f"/member/{member.pk}/erase", {}, format="json").status_code == 200
    member.refresh_from_db()
    assert member.language == ""
