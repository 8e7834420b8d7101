"""The member's card, redeeming and signing in through links and forms alone."""

import re
from urllib.parse import unquote

import pytest
from django.core import mail

from loyalty.models import Member, Notification, PointTransaction, Redemption
from loyalty.points.services import enrolment, points
from loyalty.rewards.services import confirmations, redemptions
from tests.conftest import unknown_id
from tests.loyalty.phone import ADA

pytestmark = pytest.mark.django_db


# --- the card -------------------------------------------------------------------------------------


def test_the_member_sees_what_there_is_to_know(phone, ada, kiosk, coffee, dinner):
    points.award(member_id=str(ada.pk), location_id=str(kiosk.pk), order_total=950)
    Notification.objects.filter(title="Welcome to silver").get()
    phone.open(f"/member/{ada.pk}")
    for text in (
        "Ada Byrne 1,050 points Tier: silver",
        "Next tier: Gold",
        "3,950 points to go",
        "1,050 of 5,000 lifetime points.",
        "Any coffee",
        "20% off",
        "450 more points",
        "You have reached Silver",
        "+950",
        "Purchase at Harbour Kiosk",
        "€950.00",
        "Welcome bonus",
    ):
        assert text in phone.seen, text
    addresses = set(phone.seen.addresses())
    assert {f"/member/{ada.pk}/account", f"/rewards/{coffee.pk}/redeem?customerId={ada.pk}"} <= addresses
    assert f"/rewards/{dinner.pk}/redeem" not in phone.page


def test_empty_lists_say_so(phone, ada):
    for text in ("No rewards at the moment", "No codes yet"):
        assert text in phone.page
    assert "News" not in phone.page  # that there are none is no news


def test_the_highest_tier_has_no_way_to_a_next_one(phone, ada):
    Member.objects.update(tier="platinum", lifetime_points=12_000)
    phone.open(f"/member/{ada.pk}")
    assert "Top tier" in phone.page
    assert "12,000 lifetime points" in phone.seen


def test_a_guest_sees_the_public_card_and_nothing_private(phone, coffee):
    member = enrolment.enrol(email="ada@example.com", name="Ada Byrne", phone="+353 1 234")
    phone.open(f"/member/{member.pk}")
    assert "Ada Byrne" in phone.page
    assert "Coffee on Us" in phone.page
    for hidden in ("ada@example.com", "+353 1 234", "Welcome bonus", "/redeem?", 'id="codes"', "/account"):
        assert hidden not in phone.page
    phone.send("/member-sign-in")
    assert "Check your inbox" in phone.page
    assert mail.outbox[0].to == ["ada@example.com"]


def test_what_is_not_the_card_is_on_a_page_of_its_own(phone, ada):
    Member.objects.update(phone="+353 1 234")
    assert "ada@example.com" not in phone.open(f"/member/{ada.pk}").page
    phone.open(f"/member/{ada.pk}/account")
    ways = (f'"/member/{ada.pk}"', f'"/member/{ada.pk}/data" download', f'"/member/{ada.pk}/erase"')
    for text in ("Ada Byrne", "ada@example.com", "+353 1 234", *(f"href={way}" for way in ways)):
        assert text in phone.page, text
    assert "Messages from us" not in phone.page  # there are none


def test_signing_out_makes_the_phone_a_guests(phone, ada):
    phone.open(f"/member/{ada.pk}/account").send("/member-sign-out")
    assert phone.address == "/"
    phone.open(f"/member/{ada.pk}")
    assert "Is this your card?" in phone.page
    assert "ada@example.com" not in phone.page


# --- redeeming ------------------------------------------------------------------------------------


def test_a_reward_is_redeemed_after_a_question(phone, ada, coffee):
    phone.open(f"/rewards/{coffee.pk}/redeem?customerId={ada.pk}")
    for text in ("Coffee on Us", "−60", "Balance afterwards", ">40 points", "30 days", "points aren't refunded"):
        assert text in phone.page, text
    assert ("Rewards", f"/rewards?customerId={ada.pk}") in phone.seen.links()
    assert not Redemption.objects.exists()
    phone.send(f"/rewards/{coffee.pk}/redeem")
    code = Redemption.objects.get().redemption_code
    assert phone.address == f"/member/{ada.pk}?show={code}"
    assert "Redeemed: Coffee on Us" in phone.page
    phone.open(f"/member/{ada.pk}")
    assert code in phone.page
    assert "Ada Byrne 40 points" in phone.seen


def test_one_code_is_shown_at_a_time_and_named(phone, ada, coffee, dinner):
    redeem = {"member_id": str(ada.pk), "reward_id": str(coffee.pk)}
    Member.objects.update(points_balance=200)
    first, second = (redemptions.redeem(**redeem) for _ in range(2))
    card_alone, first_alone = f"/member/{ada.pk}?show=card", f"/member/{ada.pk}?show={first.code.lower()}"

    phone.open(f"/member/{ada.pk}")
    assert codes_on(phone) == [ada.qr_code_url]
    assert "Your card" in phone.seen
    assert all(f'href="/member/{ada.pk}?show={code}"' in phone.page for code in ("card", first.code, second.code))

    phone.open(card_alone)
    assert codes_on(phone) == [ada.qr_code_url]
    assert phone.seen.one("heading", "Your card")

    phone.open(first_alone)
    assert codes_on(phone) == [first.image_url]
    assert phone.seen.one("heading", "Reward: Coffee on Us")
    assert card_alone in phone.seen.addresses()

    confirmations.confirm(code=first.code)
    assert "This code has been used" in phone.open(first_alone).page
    assert codes_on(phone) == [ada.qr_code_url]
    phone.client.cookies.clear()
    assert phone.open(card_alone).seen.one("heading", "Card of Ada Byrne")
    assert first.code not in phone.open(f"/member/{ada.pk}?show={second.code}").page
    assert codes_on(phone) == [ada.qr_code_url]


def codes_on(phone):
    """The addresses of the pictures."""
    return [picture["src"].partition("?")[0] for picture in phone.seen.all("image") if "/qr/" in picture["src"]]


def test_a_double_tap_redeems_once(phone, ada, coffee):
    form = phone.open(f"/rewards/{coffee.pk}/redeem?customerId={ada.pk}").form(f"/rewards/{coffee.pk}/redeem")
    Member.objects.update(points_balance=500)
    responses = [phone.client.post(f"/rewards/{coffee.pk}/redeem", form) for _ in range(2)]
    assert [response.status_code for response in responses] == [303, 303]
    assert responses[0]["Location"] == responses[1]["Location"]
    assert PointTransaction.objects.filter(type="redeem").count() == 1


def test_with_too_few_points_the_page_says_how_many_are_missing(phone, ada, dinner):
    phone.open(f"/rewards/{dinner.pk}/redeem?customerId={ada.pk}")
    assert "1,400 more points needed" in phone.page
    assert phone.seen.all("form") == []


def test_a_refused_redemption_leads_back_to_the_card(phone, ada, coffee):
    phone.open(f"/rewards/{coffee.pk}/redeem?customerId={ada.pk}")
    Member.objects.update(points_balance=10)
    phone.send(f"/rewards/{coffee.pk}/redeem")
    assert phone.response.status_code == 400
    assert "50 more points are needed" in phone.page
    assert f'href="/member/{ada.pk}"' in phone.page


def test_without_a_card_redeeming_leads_to_signing_in(phone, coffee):
    phone.open(f"/rewards/{coffee.pk}/redeem?customerId={unknown_id()}")
    assert phone.address.startswith("/member-sign-in?next=")
    assert f"/sign-in?next=/rewards/{coffee.pk}/redeem" in unquote(phone.page)  # it may be the till that was signed out


# --- signing in by a link -------------------------------------------------------------------------


def test_a_link_opens_the_card_once_and_a_preview_does_not_use_it_up(phone):
    member = enrolment.enrol(email="ada@example.com", name="Ada Byrne")
    phone.open("/member-sign-in").send("/member-sign-in", email="Ada@Example.com")
    link = re.search(r"https?://[^/\s]+(/member-sign-in/\S+)", mail.outbox[0].body)[1]
    for _ in range(2):
        assert "Hello Ada Byrne" in phone.open(link).page
    phone.send(link)
    assert phone.address == f"/member/{member.pk}"
    assert "ada@example.com" in phone.open(f"/member/{member.pk}/account").page
    phone.send("/member-sign-out").open(link)
    assert phone.response.status_code == 410
    assert "already been used" in phone.page
    assert "email" in phone.form("/member-sign-in")


def test_an_unknown_address_gets_the_same_page_as_a_known_one(phone):
    phone.open("/member-sign-in").send("/member-sign-in", email="nobody@example.com")
    assert "Check your inbox" in phone.page
    assert mail.outbox == []


def test_what_is_no_address_is_shown_again(phone):
    phone.open("/member-sign-in").send("/member-sign-in", email="nobody")
    assert phone.response.status_code == 400
    assert phone.form("/member-sign-in")["email"] == "nobody"
    assert phone.seen.field("email")["aria-invalid"] == "true"


# --- what holds on all of them --------------------------------------------------------------------


def test_nothing_is_inline(phone, kiosk, coffee):
    guests = ["/signup", "/member-sign-in", "/member-sign-in?sent=yes", "/member-sign-in/spent"]
    pages = [phone.open(address).page for address in guests]
    pages.append(phone.open("/signup").send("/members", **ADA).page)
    member = Member.objects.get()
    own = [f"/checkin/{kiosk.pk}", f"/rewards/{coffee.pk}/redeem?customerId={member.pk}"]
    pages += [phone.open(address).page for address in own]
    pages.append(phone.send(f"/rewards/{coffee.pk}/redeem").page)
    for page in pages:
        assert re.findall(r"<style|\sstyle=|\son[a-z]+=|javascript:", page) == []
        assert all(" src=" in script for script in re.findall(r"<script[^>]*>", page))


def test_names_are_shown_as_they_are_written(phone):
    phone.open("/signup").send("/members", name="<b>Ada</b> & co", email="ada@example.com")
    assert "&lt;b&gt;Ada&lt;/b&gt; &amp; co" in phone.source
