"""A member's own change of the card's email: asked for on the account, and confirmed by a link that is mailed."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone
from rest_framework.test import APIClient

from loyalty import tidying
from loyalty.cards.services import privacy
from loyalty.models import Member
from tests.at_once import at_once
from tests.conftest import PAGE, make_user, signed_in
from tests.loyalty.making import change, enrol, make_member
from tests.loyalty.phone import Phone

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("noon")]

NEW = "ada@new.example"


def ask(phone, member, email=NEW):
    return phone.post(f"/member/{member.pk}/email", {"email": email}, format="json")


def link(number=-1) -> str:
    """The path of the link in a mail: at first in the last one."""
    return re.search(r"https?://[^/\s]+(/member-email/\S+)", mail.outbox[number].body)[1]


def email_of(member) -> str:
    member.refresh_from_db()
    return member.email


@pytest.fixture
def card():
    return enrol()


def test_the_email_changes_when_the_link_to_the_new_address_is_confirmed(api, card, caplog):
    phone, member = card
    response = ask(phone, member)
    assert (response.status_code, set(response.json())) == (202, {"message"})
    assert [message.to for message in mail.outbox] == [[NEW]]
    assert member.name not in mail.outbox[0].body
    assert email_of(member) == "ada@example.com"
    assert phone.get(f"/member/{member.pk}/account").json()["newEmail"] == NEW
    for _ in range(2):  # mail programs open links, too
        response = api.get(link())
        assert (response.status_code, response.json()) == (200, {"email": NEW})
        assert (response["Referrer-Policy"], response["Cache-Control"]) == ("same-origin", "no-store")
        assert email_of(member) == "ada@example.com"
    path = link()
    response = api.post(path)
    assert (response.status_code, response.json()["customerId"]) == (200, str(member.pk))
    assert email_of(member) == NEW
    assert (member.new_email, member.new_email_asked_at) == ("", None)
    assert api.get(f"/member/{member.pk}").json()["viewer"] == "member"
    assert phone.get(f"/member/{member.pk}").json()["viewer"] == "guest"
    notice = mail.outbox[-1]
    assert (notice.to, NEW in notice.body) == (["ada@example.com"], False)
    for response in (api.get(path), api.post(path)):
        assert (response.status_code, set(response.json())) == (410, {"error"})
    assert not [record for record in caplog.records if NEW in record.getMessage()]


def test_an_address_that_has_a_card_gets_the_same_response_and_its_owner_a_mail(card):
    phone, member = card
    make_member("Eve", email="eve@example.com")
    free, taken = ask(phone, member), ask(phone, member, "EVE@example.com")
    assert (taken.status_code, taken.json()["message"]) == (202, free.json()["message"].replace(NEW, "EVE@example.com"))
    assert mail.outbox[-1].to == ["EVE@example.com"]
    assert "It has a card already" in mail.outbox[-1].body
    assert "/member-email/" not in mail.outbox[-1].body


def test_links_end_with_the_next_one_the_hour_and_all_that_signs_the_phone_out(api, card, clock):
    phone, member = card
    now = timezone.now()

    def is_over(path) -> bool:
        statuses = {api.get(path).status_code, api.post(path).status_code}
        return statuses == {410}

    ask(phone, member, "typo@new.example")
    ask(phone, member)
    assert is_over(link(-2))
    assert api.get(link()).status_code == 200
    ask(phone, member, "Ada@example.com")  # as it was: no mail
    assert len(mail.outbox) == 2
    assert is_over(link())
    clock(now - timedelta(minutes=61))
    ask(phone, member)
    clock(now)
    assert is_over(link())
    assert phone.get(f"/member/{member.pk}/account").json()["newEmail"] == ""
    ask(phone, member)
    earlier = link()
    api.post("/member-sign-in", {"email": "ada@example.com"}, format="json")
    sign_in = re.search(r"https?://[^/\s]+(/member-sign-in/\S+)", mail.outbox[-1].body)[1]
    assert APIClient().post(sign_in).status_code == 200  # the first one: whose mailbox it is
    assert is_over(earlier)
    assert is_over(earlier[:-3])
    assert is_over(sign_in.replace("sign-in", "email"))
    assert email_of(member) == "ada@example.com"


def test_only_the_members_own_phone_may_ask(api, card):
    phone, member = card
    other = make_member("Eve", email="eve@example.com")
    assert (ask(api, member).status_code, ask(phone, other).status_code) == (401, 403)
    manager = signed_in(make_user("Managers"))
    body = {"email": NEW}
    path = f"/member/{member.pk}/email"
    assert manager.post(path, body, content_type="application/json").status_code == 403
    assert mail.outbox == []


def test_five_an_hour_for_a_card_and_for_a_mailbox(card, api):
    phone, member = card
    for number in range(5):
        assert ask(phone, member, f"ada{number}@new.example").status_code == 202
    response = ask(phone, member)
    assert (response.status_code, set(response.json())) == (429, {"error"})
    assert 0 < int(response["Retry-After"]) <= 3600
    other_phone, other = enrol("eve@example.com")
    for _ in range(5):
        api.post("/member-sign-in", {"email": NEW}, format="json")
    assert ask(other_phone, other).status_code == 429
    assert len(mail.outbox) == 5


def test_the_page_works_without_a_script_and_says_what_is_wrong(card):
    phone, member = card
    phone.credentials(HTTP_ACCEPT=PAGE)
    page = Phone(phone).open(f"/member/{member.pk}/account")
    page.send(f"/member/{member.pk}/email", email="ada")
    assert page.response.status_code == 400
    assert 'aria-invalid="true"' in page.source
    assert page.form(f"/member/{member.pk}/email")["email"] == "ada"
    assert "No link was sent." in page.page
    assert page.form(f"/member/{member.pk}/account")["name"] == member.name
    page.send(f"/member/{member.pk}/email", email=NEW)
    assert page.address == f"/member/{member.pk}/account"
    assert f"a link is on its way to {NEW}" in page.page
    assert "Not confirmed yet" in page.page
    page.open(link())
    assert NEW in page.page
    page.send(link())
    assert page.address == f"/member/{member.pk}/account"
    assert "Your email is changed." in page.page
    assert "Not confirmed yet" not in page.page
    page.open(link(0))
    assert page.response.status_code == 410
    assert "already been used or has expired" in page.page
    assert "Back to your account" in page.page


def test_an_erased_card_keeps_nothing_of_what_was_asked_and_tidying_forgets_it(card):
    phone, member = card
    ask(phone, member)
    assert phone.get(f"/member/{member.pk}/data").json()["member"]["newEmail"] == NEW
    now = timezone.now()
    assert tidying.tidy(now=now)["addresses that were not confirmed"] == 0
    assert tidying.tidy(now=now + timedelta(minutes=61))["addresses that were not confirmed"] == 1
    member.refresh_from_db()
    assert (member.new_email, member.new_email_asked_at) == ("", None)
    ask(phone, member)
    privacy.erase(member_id=str(member.pk))
    member.refresh_from_db()
    assert (member.new_email, member.new_email_asked_at) == ("", None)
    assert APIClient().post(link()).status_code == 410


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_of_two_cards_that_confirm_one_address_at_once_one_gets_it():
    cards = [enrol("ada@example.com"), enrol("eve@example.com")]
    for number in range(3):
        email = f"both{number}@new.example"
        for phone, member in cards:
            assert ask(phone, member, email).status_code == 202
        paths = [link(-2), link(-1)]
        statuses = at_once([lambda path=path: APIClient().post(path).status_code for path in paths * 2])
        assert statuses.count(200) == 1
        assert statuses.count(409) == 2  # of the other card
        assert Member.objects.filter(email=email).count() == 1
        for _phone, member in cards:
            change(member, email=member.email, card_key=member.card_key)
