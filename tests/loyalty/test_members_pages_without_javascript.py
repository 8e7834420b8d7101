"""The member's pages through links and forms alone."""

import html
import re
from urllib.parse import unquote

import pytest
from django.core import mail
from django.utils.html import strip_tags

from loyalty.models import Location, Member, Notification, PointTransaction, Programme, Redemption, Reward
from loyalty.services import locations, members, points, redemptions
from tests.conftest import unknown_id

pytestmark = pytest.mark.django_db

ADA = {"name": "Ada Byrne", "email": "ada@example.com"}


class Phone:
    """Shows a page, and sends the forms that stand on it, with all of their fields. `page` is what it shows."""

    def __init__(self, client):
        self.client = client

    def open(self, address):
        self.address = address
        return self._show(self.client.get(address))

    def _show(self, response):
        if response.status_code in {302, 303}:
            return self.open(response["Location"])
        self.response, self.source = response, response.content.decode()
        self.page = html.unescape(self.source)
        return self

    def form(self, action):
        """The fields of the form that leads to `action`, as they are filled in."""
        forms = re.findall(rf'<form[^>]* action="{re.escape(action)}">(.*?)</form>', self.source, re.DOTALL)
        assert len(forms) == 1, f"{len(forms)} forms lead to {action}"
        inputs = [dict(re.findall(r'([a-z]+)="([^"]*)"', each)) for each in re.findall(r"<input[^>]*>", forms[0])]
        return {each["name"]: html.unescape(each.get("value", "")) for each in inputs}

    def send(self, action, **typed):
        form = self.form(action)
        assert typed.keys() <= form.keys()
        return self._show(self.client.post(action, form | typed))


@pytest.fixture
def phone(browser_client):
    return Phone(browser_client)


@pytest.fixture
def location():
    made = Location.objects.create(name="Harbour Kiosk")
    locations.create_code(location=made)
    return made


@pytest.fixture
def coffee():
    value = {"item": "Any coffee"}
    return Reward.objects.create(name="Coffee on Us", points_required=60, reward_value=value, description="To go.")


@pytest.fixture
def dinner():
    return Reward.objects.create(name="Cheap Dinner", points_required=1_500, reward_value={"discount_percent": 20})


@pytest.fixture
def ada(phone):
    """A member, and the phone on which she enrolled shows her card."""
    phone.open("/signup").send("/members", **ADA)
    return Member.objects.get()


# --- signing up -----------------------------------------------------------------------------------


def test_signing_up_at_a_location_leads_to_the_card(phone, location):
    phone.open(f"/checkin/{location.pk}")
    assert phone.address == f"/signup?location={location.pk}"
    assert "100 points to get you started" in phone.page
    assert "Harbour Kiosk" in phone.page
    phone.send("/members", **ADA)
    member = Member.objects.get()
    assert (phone.address, member.name, member.phone) == (f"/member/{member.pk}", "Ada Byrne", "")
    assert "Welcome, Ada Byrne! Your first 100 points are on your card." in phone.page
    assert "notice-good" in phone.page
    assert f'src="{member.qr_code_url}?size=640"' in phone.page
    assert "Welcome, Ada" not in phone.open(phone.address).page


def said(page: str) -> str:
    return " ".join(strip_tags(page).split())


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("The Local – Kiosk", "The Local Kiosk"),
        ("The Local Kiosk", "The Local Kiosk"),
        ("The Locals", "The Local The Locals"),
    ],
)
def test_a_location_named_after_the_house_does_not_name_it_twice(phone, location, settings, name, place):
    settings.VENUE_NAME = "The Local"
    Location.objects.update(name=name)
    assert f"{place} 100 points" in said(phone.open(f"/signup?location={location.pk}").page)


def test_who_has_no_card_yet_reads_what_it_brings(phone, location):
    page = said(phone.open(f"/signup?location={location.pk}").page)
    assert "Harbour Kiosk 100 points to get you started Get your card now and show it when you pay" in page
    assert "when you pay: this visit counts already." in page
    assert "this visit" not in said(phone.open("/signup").page)
    assert "Show it when you pay: a point for every €1." in page
    assert "Your first reward" not in page
    for points_required in (1_500, 700, 300, 150):
        Reward.objects.create(
            name=f"For {points_required}", points_required=points_required, reward_value={"item": "x"}
        )
    page = said(phone.open(f"/signup?location={location.pk}").page)
    assert "Your first reward: For 150 50 to go" in page
    assert "For 150 150 points For 300 300 points For 700 700 points See the rewards" in page
    assert "For 1500" not in page
    Programme.objects.update_or_create(pk=1, defaults={"signup_bonus": 200, "points_per_unit": "2.5"})
    phone.send("/members", name="Ada Byrne", email="nonsense")
    assert "Your first reward: For 150 Yours at once" in said(phone.page)
    assert "2.50 points for every €1." in said(phone.page)


def test_who_has_a_card_is_checked_in_by_the_same_code(phone, location, ada):
    phone.open(f"/checkin/{location.pk}")
    assert phone.address == f"/checkin/{location.pk}?member={ada.pk}"
    assert "Checked in at Harbour Kiosk Welcome, Ada Show your card when you pay" in said(phone.page)
    assert f'src="{ada.qr_code_url}?size=640"' in phone.page
    assert "See the rewards" in phone.page
    points.award(member_id=str(ada.pk), location_id=str(location.pk), order_total=20)
    phone.open(f"/checkin/{location.pk}")
    assert "Welcome back" in phone.page
    assert "hecked in" not in phone.page
    assert f'href="/member/{ada.pk}"' in phone.page


def test_who_is_checked_in_reads_which_reward_is_ready_or_how_many(phone, location, ada, coffee, dinner):
    assert f"Ready for you: {coffee.name}</a>" in phone.open(f"/checkin/{location.pk}").page
    Reward.objects.update(points_required=100)
    assert "2 rewards are ready for you" in phone.open(f"/checkin/{location.pk}").page


def test_who_holds_codes_is_led_to_them_first_and_nobody_else_reads_of_them(
    phone, location, ada, coffee, browser_client
):
    address = f"/checkin/{location.pk}?member={ada.pk}"
    assert "to use" not in phone.open(address).page
    code = redemptions.redeem(member_id=str(ada.pk), reward_id=str(coffee.pk)).code
    page = phone.open(address).page
    assert f'<a class="button button-quiet button-wide" href="/member/{ada.pk}#codes">1 code to use</a>' in page
    assert 'class="button button-wide"' not in page  # the card comes first
    assert page.index("1 code to use") < page.index("See the rewards")
    browser_client.cookies.clear()
    assert "to use" not in browser_client.get(address).content.decode()
    Redemption.objects.filter(redemption_code=code).update(status="used")
    assert "to use" not in phone.open(address).page


def test_a_reward_whose_code_is_held_is_not_ready_once_more(phone, location, ada, coffee, browser_client):
    Reward.objects.create(name="Tea", points_required=10)
    Reward.objects.create(name="Cake", points_required=20)
    address = f"/checkin/{location.pk}?member={ada.pk}"
    assert "3 rewards are ready for you" in phone.open(address).page
    redemptions.redeem(member_id=str(ada.pk), reward_id=str(coffee.pk))
    Reward.objects.update(points_required=10)
    page = phone.open(address).page
    assert "2 more rewards to redeem" in page
    assert "ready for you" not in page
    browser_client.cookies.clear()  # and nobody else can tell that a code is held
    assert "3 rewards are ready for you" in browser_client.get(address).content.decode()


def test_a_refused_form_shows_what_was_entered_and_what_is_wrong_beside_it(phone, location):
    phone.open(f"/signup?location={location.pk}")
    phone.send("/members", name='Ada "the" Byrne', email="nonsense", phone="+353 1 234")
    assert phone.response.status_code == 400
    assert 'id="error_email">Enter a valid email address.' in phone.page
    assert re.search(r'<input id="id_email"[^>]*aria-invalid="true"[^>]*aria-describedby="error_email ', phone.page)
    assert 'id="error_name"' not in phone.page
    assert '<details class="folded" open>' in phone.page
    form = phone.form("/members")
    assert (form["name"], form["email"], form["phone"]) == ('Ada "the" Byrne', "nonsense", "+353 1 234")
    assert form["location"] == str(location.pk)
    phone.send("/members", **ADA)
    assert Member.objects.get().phone == "+353 1 234"


def test_an_address_that_has_a_card_gets_a_link_to_it(phone):
    members.enrol(email="ada@example.com", name="Ada Byrne")
    phone.open("/signup").send("/members", name="Ada", email="ADA@example.com")
    assert phone.response.status_code == 409
    assert "You already have a card" in phone.page
    assert Member.objects.count() == 1
    assert "member" not in phone.client.cookies
    phone.send("/member-sign-in")
    assert "Check your inbox" in phone.page
    assert mail.outbox[0].to == ["ada@example.com"]


# --- the card -------------------------------------------------------------------------------------


def test_the_member_sees_what_there_is_to_know(phone, ada, location, coffee, dinner):
    points.award(member_id=str(ada.pk), location_id=str(location.pk), order_total=950)
    Notification.objects.filter(title="Welcome to silver").get()
    phone.open(f"/member/{ada.pk}")
    for text in (
        '<strong class="amount">1,050</strong>',
        "silver",
        "Next tier: Gold",
        "3,950 to go",
        "<strong>1,050</strong> of 5,000 lifetime points.",
        "Any coffee",
        "20% off",
        "450 more points",
        "You have reached Silver",
        "+950",
        "Purchase at Harbour Kiosk",
        "€950.00",
        "Welcome bonus",
        "ada@example.com",
    ):
        assert text in phone.page, text
    assert f'href="/rewards/{coffee.pk}/redeem?customerId={ada.pk}"' in phone.page
    assert f"/rewards/{dinner.pk}/redeem" not in phone.page


def test_empty_lists_say_so(phone, ada):
    for text in ("No rewards at the moment", "No codes yet"):
        assert text in phone.page
    assert "News" not in phone.page  # that there are none is no news


def test_the_highest_tier_has_no_way_to_a_next_one(phone, ada):
    Member.objects.update(tier="platinum", lifetime_points=12_000)
    phone.open(f"/member/{ada.pk}")
    assert "Top tier" in phone.page
    assert "<strong>12,000</strong> lifetime points" in phone.page


def test_a_guest_sees_the_public_card_and_nothing_private(phone, coffee):
    member = members.enrol(email="ada@example.com", name="Ada Byrne", phone="+353 1 234")
    phone.open(f"/member/{member.pk}")
    assert "Ada Byrne" in phone.page
    assert "Coffee on Us" in phone.page
    for hidden in ("ada@example.com", "+353 1 234", "Welcome bonus", "/redeem?", 'id="codes"', "/member-sign-out"):
        assert hidden not in phone.page
    phone.send("/member-sign-in")
    assert "Check your inbox" in phone.page
    assert mail.outbox[0].to == ["ada@example.com"]


def test_signing_out_makes_the_phone_a_guests(phone, ada):
    phone.send("/member-sign-out")
    assert phone.address == "/"
    phone.open(f"/member/{ada.pk}")
    assert "Is this your card?" in phone.page
    assert "ada@example.com" not in phone.page


# --- redeeming ------------------------------------------------------------------------------------


def test_a_reward_is_redeemed_after_a_question(phone, ada, coffee):
    phone.open(f"/rewards/{coffee.pk}/redeem?customerId={ada.pk}")
    for text in ("Coffee on Us", "−60", "Balance afterwards", ">40 points", "30 days", "points aren't refunded"):
        assert text in phone.page, text
    assert f'href="/member/{ada.pk}"' in phone.page
    assert not Redemption.objects.exists()
    phone.send(f"/rewards/{coffee.pk}/redeem")
    code = Redemption.objects.get().redemption_code
    assert phone.address == f"/member/{ada.pk}?show={code}"
    assert "Redeemed: Coffee on Us" in phone.page
    phone.open(f"/member/{ada.pk}")
    assert code in phone.page
    assert '<strong class="amount">40</strong>' in phone.page


def test_one_code_is_shown_at_a_time_and_named(phone, ada, coffee, dinner):
    redeem = {"member_id": str(ada.pk), "reward_id": str(coffee.pk)}
    Member.objects.update(points_balance=200)
    first, second = (redemptions.redeem(**redeem) for _ in range(2))
    card_alone, first_alone = f"/member/{ada.pk}?show=card", f"/member/{ada.pk}?show={first.code.lower()}"

    phone.open(f"/member/{ada.pk}")
    assert codes_on(phone) == [ada.qr_code_url]
    assert 'class="qr-name"' in phone.page
    assert all(f'href="/member/{ada.pk}?show={each}"' in phone.page for each in ("card", first.code, second.code))

    phone.open(card_alone)
    assert codes_on(phone) == [ada.qr_code_url]
    assert "<h1>Your card</h1>" in phone.page
    assert 'class="one-code one-code-card"' in phone.page

    phone.open(first_alone)
    assert codes_on(phone) == [first.image_url]
    assert "<h1>Reward: Coffee on Us</h1>" in phone.page
    assert 'class="one-code one-code-reward"' in phone.page
    assert f'href="{card_alone}"' in phone.page

    redemptions.confirm(code=first.code)
    assert "This code has been used" in phone.open(first_alone).page
    assert codes_on(phone) == [ada.qr_code_url]
    phone.client.cookies.clear()
    assert "<h1>Card of Ada Byrne</h1>" in phone.open(card_alone).page
    assert first.code not in phone.open(f"/member/{ada.pk}?show={second.code}").page
    assert codes_on(phone) == [ada.qr_code_url]


def codes_on(phone):
    """The addresses of the pictures."""
    return [each.partition("?")[0] for each in re.findall(r'<img class="qr" src="([^"]+)"', phone.page)]


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
    assert "<form" not in phone.page


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
    member = members.enrol(email="ada@example.com", name="Ada Byrne")
    phone.open("/member-sign-in").send("/member-sign-in", email="Ada@Example.com")
    link = re.search(r"https?://[^/\s]+(/member-sign-in/\S+)", mail.outbox[0].body)[1]
    for _ in range(2):
        assert "Hello Ada Byrne" in phone.open(link).page
    phone.send(link)
    assert (phone.address, "ada@example.com" in phone.page) == (f"/member/{member.pk}", True)
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
    assert 'id="error_email"' in phone.page


# --- what holds on all of them --------------------------------------------------------------------


def test_nothing_is_inline(phone, location, coffee):
    guests = ["/signup", "/member-sign-in", "/member-sign-in?sent=yes", "/member-sign-in/spent"]
    pages = [phone.open(address).page for address in guests]
    pages.append(phone.open("/signup").send("/members", **ADA).page)
    member = Member.objects.get()
    own = [f"/checkin/{location.pk}", f"/rewards/{coffee.pk}/redeem?customerId={member.pk}"]
    pages += [phone.open(address).page for address in own]
    pages.append(phone.send(f"/rewards/{coffee.pk}/redeem").page)
    for page in pages:
        assert re.findall(r"<style|\sstyle=|\son[a-z]+=|javascript:", page) == []
        assert all(" src=" in script for script in re.findall(r"<script[^>]*>", page))


def test_names_are_shown_as_they_are_written(phone):
    phone.open("/signup").send("/members", name="<b>Ada</b> & co", email="ada@example.com")
    assert "&lt;b&gt;Ada&lt;/b&gt; &amp; co" in phone.source
