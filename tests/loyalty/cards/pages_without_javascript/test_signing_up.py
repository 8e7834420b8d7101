"""Signing up and checking in through links and forms alone."""

import pytest
from django.core import mail
from django.utils.html import strip_tags

from loyalty.models import Location, Member, Programme, Redemption, Reward
from loyalty.points.services import enrolment, points
from loyalty.rewards.services import redemptions
from tests.conftest import undone
from tests.loyalty.phone import ADA

pytestmark = pytest.mark.django_db


def test_signing_up_at_a_location_leads_to_the_card(phone, kiosk):
    phone.open(f"/checkin/{kiosk.pk}")
    assert phone.address == f"/signup?location={kiosk.pk}"
    assert "100 points to get you started" in phone.page
    assert "Harbour Kiosk" in phone.page
    phone.send("/members", **ADA)
    member = Member.objects.get()
    assert (phone.address, member.name, member.phone) == (f"/member/{member.pk}", "Ada Byrne", "")
    assert "Welcome, Ada Byrne! Your first 100 points are on your card." in phone.page
    assert f'src="{member.qr_code_url}?size=640"' in phone.page
    assert "Welcome, Ada" not in phone.open(phone.address).page


def text_of(page: str) -> str:
    return " ".join(strip_tags(page).split())


def test_a_location_named_after_the_house_does_not_name_it_twice(phone, kiosk, settings, subtests):
    for name, place in [
        ("The Local – Kiosk", "Kiosk"),
        ("The Local Kiosk", "Kiosk"),
        ("The Locals", "The Locals"),
    ]:
        with subtests.test(name=name, place=place), undone():
            settings.VENUE_NAME = "The Local"
            Location.objects.update(name=name)
            assert f"The Local You're at {place} 100 points" in text_of(phone.open(f"/signup?location={kiosk.pk}").page)


def test_who_has_no_card_yet_reads_what_it_brings(phone, kiosk):
    page = text_of(phone.open(f"/signup?location={kiosk.pk}").page)
    assert "You're at Harbour Kiosk 100 points to get you started Get your card now: this visit counts already." in page
    assert "this visit" not in text_of(phone.open("/signup").page)
    assert "Show it when you pay and get a point for every €1." in page
    assert "Your first reward" not in page
    assert "What we do with your details Staff use your name, email and phone to find your card." in page
    for points_required in (2_500, 1_500, 700, 300, 150):
        Reward.objects.create(
            name=f"For {points_required}", points_required=points_required, reward_value={"item": "x"}
        )
    page = text_of(phone.open(f"/signup?location={kiosk.pk}").page)
    assert "Your first reward: For 150 50 to go" in page
    listed = "For 150 150 points For 300 300 points For 700 700 points For 1500 1,500 points See the rewards"
    assert listed in page
    assert "For 2500" not in page
    Programme.objects.update_or_create(pk=1, defaults={"signup_bonus": 200, "points_per_unit": "2.5"})
    phone.send("/members", name="Ada Byrne", email="nonsense")
    assert "Your first reward: For 150 Yours at once" in text_of(phone.page)
    assert "2.50 points for every €1." in text_of(phone.page)


def test_who_has_a_card_is_checked_in_by_the_same_code(phone, kiosk, ada):
    phone.open(f"/checkin/{kiosk.pk}")
    assert phone.address == f"/checkin/{kiosk.pk}?member={ada.pk}"
    assert "Checked in at Harbour Kiosk Welcome, Ada You get your points when you pay." in text_of(phone.page)
    assert f'src="{ada.qr_code_url}?size=640"' in phone.page
    assert "See the rewards" in phone.page
    points.award(member_id=str(ada.pk), location_id=str(kiosk.pk), order_total=20)
    phone.open(f"/checkin/{kiosk.pk}")
    assert "Welcome back" in phone.page
    assert "hecked in" not in phone.page
    assert f'href="/member/{ada.pk}"' in phone.page


def test_who_is_checked_in_reads_which_reward_is_ready_or_how_many(phone, kiosk, ada, coffee, dinner):
    assert f"Ready to redeem: {coffee.name}" in phone.open(f"/checkin/{kiosk.pk}").seen
    Reward.objects.update(points_required=100)
    assert "2 rewards are ready to redeem" in phone.open(f"/checkin/{kiosk.pk}").page


def test_who_holds_codes_is_led_to_them_first_and_nobody_else_reads_of_them(phone, kiosk, ada, coffee, browser_client):
    address = f"/checkin/{kiosk.pk}?member={ada.pk}"
    assert "to use" not in phone.open(address).page
    code = redemptions.redeem(member_id=str(ada.pk), reward_id=str(coffee.pk)).code
    page = phone.open(address).page
    assert ("Your codes 1 code to use", f"/member/{ada.pk}#codes") in phone.seen.links()
    assert page.index("1 code to use") < page.index("See the rewards")
    browser_client.cookies.clear()
    assert "to use" not in browser_client.get(address).content.decode()
    Redemption.objects.filter(redemption_code=code).update(status="used")
    assert "to use" not in phone.open(address).page


def test_a_reward_whose_code_is_held_is_not_ready_once_more(phone, kiosk, ada, coffee, browser_client):
    Reward.objects.create(name="Tea", points_required=10)
    Reward.objects.create(name="Cake", points_required=20)
    address = f"/checkin/{kiosk.pk}?member={ada.pk}"
    assert "3 rewards are ready to redeem" in phone.open(address).page
    redemptions.redeem(member_id=str(ada.pk), reward_id=str(coffee.pk))
    Reward.objects.update(points_required=10)
    page = phone.open(address).page
    assert "2 more rewards to redeem" in page
    assert "ready to redeem" not in page.lower()
    browser_client.cookies.clear()  # and nobody else can tell that a code is held
    assert "3 rewards are ready to redeem" in browser_client.get(address).content.decode()


def test_a_refused_form_shows_what_was_entered_and_what_is_wrong_beside_it(phone, kiosk):
    phone.open(f"/signup?location={kiosk.pk}")
    phone.send("/members", name='Ada "the" Byrne', email="nonsense", phone="+353 1 234")
    assert phone.response.status_code == 400
    email = phone.seen.field("email")
    error = phone.seen.element.get_element_by_id(email["aria-describedby"].split()[0])
    assert (email["aria-invalid"], error.text) == ("true", "Enter a valid email address.")
    assert phone.seen.field("name").get("aria-invalid") is None
    assert phone.seen.one("details", "Add a phone number (optional)").get("open") is not None
    form = phone.form("/members")
    assert (form["name"], form["email"], form["phone"]) == ('Ada "the" Byrne', "nonsense", "+353 1 234")
    assert form["location"] == str(kiosk.pk)
    phone.send("/members", **ADA)
    assert Member.objects.get().phone == "+353 1 234"


def test_an_address_that_has_a_card_gets_a_link_to_it(phone):
    enrolment.enrol(email="ada@example.com", name="Ada Byrne")
    phone.open("/signup").send("/members", name="Ada", email="ADA@example.com")
    assert phone.response.status_code == 409
    assert "You already have a card" in phone.page
    assert Member.objects.count() == 1
    assert "member" not in phone.client.cookies
    phone.send("/member-sign-in")
    assert "Check your inbox" in phone.page
    assert mail.outbox[0].to == ["ada@example.com"]
