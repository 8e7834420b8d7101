"""The pages of the staff through forms alone: points, finding a guest, handing out."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from loyalty.models import Confirmation, Location, Member, PointTransaction, Programme, Redemption, Reward
from loyalty.services import members, redemptions
from tests.conftest import make_user
from tests.loyalty.conftest import earn_body, with_token

pytestmark = pytest.mark.django_db


def hidden(page: str, name: str) -> str:
    return re.search(rf'name="{name}" value="([^"]*)"', page)[1]


class Till:
    """A browser at the counter. `page` is what it shows, `at` where it is, `went` how it got there."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def open(self, address: str) -> "Till":
        return self._show(self.client.get(address, follow=True), address)

    def send(self, address: str, **fields: str) -> "Till":
        fields = {"csrfmiddlewaretoken": hidden(self.page, "csrfmiddlewaretoken"), **fields}
        response = self.client.post(address, fields)
        if response.status_code == 303:
            return self.open(response["Location"])
        return self._show(response, address)

    def _show(self, response, address: str) -> "Till":
        self.response, self.status = response, response.status_code
        hops = getattr(response, "redirect_chain", [])
        self.at = hops[-1][0] if hops else address
        self.page = unescape(response.content.decode())
        return self

    def give(self, total: str, **fields: str) -> "Till":
        form = {name: hidden(self.page, name) for name in ("customerId", "idempotencyKey")}
        return self.send("/earn", **{**form, "locationId": self.location, "orderTotal": total, **fields})

    @property
    def location(self) -> str:
        """What the page would send: the chosen option, the only place there is, or nothing."""
        chosen = re.search(r'<option value="([^"]*)" selected', self.page)
        only = re.search(r'type="hidden" name="locationId" value="([^"]*)"', self.page)
        return (chosen or only or ["", ""])[1]


@pytest.fixture
def till(browser_client) -> Till:
    browser_client.force_login(make_user("Cashiers"))
    return Till(browser_client)


@pytest.fixture
def place(db) -> Location:
    return Location.objects.create(name="Orchard Row")


@pytest.fixture
def mia(db) -> Member:
    return members.enrol(email="mia.kelly@example.com", name="Mia Kelly", phone="+353 85 555 0134")


@pytest.fixture
def redemption(mia) -> Redemption:
    coffee = Reward.objects.create(name="Coffee on Us", points_required=100, reward_value={"item": "Any coffee"})
    redemptions.redeem(member_id=str(mia.pk), reward_id=str(coffee.pk))
    return Redemption.objects.get()


def purchases() -> list[int]:
    return list(PointTransaction.objects.filter(order_total__isnull=False).values_list("points", flat=True))


# --- points ---------------------------------------------------------------------------------------


def test_a_message_whose_page_never_arrived_is_not_read_as_another_guests(till, place, mia):
    other = members.enrol(email="noah@example.com", name="Noah")
    till.open(f"/member/{mia.pk}")
    form = {name: hidden(till.page, name) for name in ("csrfmiddlewaretoken", "customerId", "idempotencyKey")}
    till.client.post("/earn", {**form, "locationId": till.location, "orderTotal": "20"})
    assert "points earned" not in till.open(f"/member/{other.pk}").page


def test_the_amount_goes_in_and_the_new_balance_comes_out(till, place, mia):
    till.open(f"/member/{mia.pk}")
    assert "Mia Kelly" in till.page
    till.give("25.90")
    assert till.at == f"/member/{mia.pk}"
    assert "25 points earned. New balance: 125." in till.page
    assert purchases() == [25]
    assert PointTransaction.objects.get(points=25).staff_id == "cashiers"
    assert "25 points earned" not in till.open(f"/member/{mia.pk}").page


def test_an_amount_with_a_comma_is_understood(till, place, mia):
    assert "12 points earned" in till.open(f"/member/{mia.pk}").give("12,50").page
    assert str(PointTransaction.objects.get(points=12).order_total) == "12.50"


@pytest.mark.parametrize("typed", ["1,234", "1.234,50", "-5", "0", "twelve", "12.50 EUR", "1e3"])
def test_a_refused_amount_stays_in_the_form_and_the_page_says_why(till, place, mia, typed):
    till.open(f"/member/{mia.pk}").give(typed)
    assert till.status == 400
    assert f'value="{typed}"' in till.page
    assert re.search("Please enter an amount such as 12.50|An amount from 0.01", till.page)
    assert purchases() == []
    assert "7 points earned" in till.give("7").page


def test_the_same_form_twice_counts_once(till, place, mia):
    key = hidden(till.open(f"/member/{mia.pk}").page, "idempotencyKey")
    till.give("30")
    till.give("30", idempotencyKey=key)
    assert "30 points earned. New balance: 130." in till.page
    assert purchases() == [30]


def test_the_same_form_with_another_amount_warns_and_then_counts(till, place, mia):
    key = hidden(till.open(f"/member/{mia.pk}").page, "idempotencyKey")
    till.give("30")
    till.give("31", idempotencyKey=key)
    assert till.status == 409
    assert "This form was already sent with another amount" in till.page
    assert purchases() == [30]
    till.give("31")
    assert sorted(purchases()) == [30, 31]


def test_a_recent_award_is_shown_before_points_are_added_again(till, place, mia):
    till.open(f"/member/{mia.pk}").give("30")
    assert "Points already added at" not in till.page  # it is in the message already
    assert "30 for €30.00" in till.open(f"/member/{mia.pk}").page
    PointTransaction.objects.update(created_at=timezone.now() - timedelta(minutes=11))
    assert "Points already added at" not in till.open(f"/member/{mia.pk}").page


def test_a_till_without_a_location_offers_a_choice_and_then_remembers_it(till, place, mia):
    quay = Location.objects.create(name="Quayside")
    assert "Choose a location" in till.open(f"/member/{mia.pk}").page
    assert " selected" not in till.page
    assert till.give("10", locationId=str(quay.pk)).location == str(quay.pk)
    assert till.open(f"/member/{mia.pk}").location == str(quay.pk)


def test_a_refused_form_still_has_the_chosen_location(till, place, mia):
    quay = Location.objects.create(name="Quayside")
    assert till.open(f"/member/{mia.pk}").give("x", locationId=str(quay.pk)).location == str(quay.pk)


def test_without_a_location_the_page_says_what_to_do(till, mia):
    till.open(f"/member/{mia.pk}")
    assert "first create a location in the admin" in till.page
    assert 'name="orderTotal"' not in till.page


def test_it_shows_what_can_be_redeemed_and_what_is_missing_for_the_rest(till, place, mia):
    near = Reward.objects.create(name="Espresso", points_required=90, reward_value={"item": "Espresso"})
    far = Reward.objects.create(name="Pasta class", points_required=150, reward_value={"item": "Class"})
    till.open(f"/member/{mia.pk}")
    assert f'href="/rewards/{near.pk}/redeem?customerId={mia.pk}"' in till.page
    assert f"/rewards/{far.pk}/redeem" not in till.page
    assert "50 to go" in till.page


# --- finding a guest ------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["kelly", "MIA.KELLY@", "555 0134"])
def test_a_guest_is_found_by_name_email_or_phone(till, mia, typed):
    members.enrol(email="someone@example.com", name="Someone Else")
    till.open("/till").open(f"/till?q={typed}")
    assert f'href="/member/{mia.pk}"' in till.page
    assert "Someone Else" not in till.page


def test_who_is_not_found_can_be_enrolled(till):
    till.open("/till?q=<b>nobody</b>")
    assert "No guest found for" in till.page
    assert 'href="/signup"' in till.page


@pytest.mark.parametrize(("guests", "is_cut"), [(19, False), (20, True), (21, True)])
def test_a_long_list_says_that_it_is_cut(till, guests, is_cut):
    made = [Member(email=f"{number}@example.com", name=f"Twin {number}") for number in range(guests)]
    Member.objects.bulk_create(made)
    till.open("/till?q=twin")
    assert ("Showing the first 20" in till.page) is is_cut


def test_a_typed_code_opens_its_redemption(till, redemption):
    assert till.open(f"/till?q=+{redemption.redemption_code.lower()}+").at == f"/use/{redemption.redemption_code}"
    assert "Coffee on Us" in till.page


@pytest.mark.parametrize("host", ["http://testserver", "HTTPS://regulars.example.com"])
def test_what_a_scanner_types_opens_the_page_of_the_code(till, mia, host):
    for path in (f"/member/{mia.pk}", "/use/RWD-AAAAAA", "/q/abcd1234", "/Q/ABCD1234"):
        response = till.client.get("/till", {"q": f"{host}{path}"})
        assert (response.status_code, response["Location"]) == (302, path)


@pytest.mark.parametrize("path", ["/admin/", "//evil.example.com/q/abcd1234", "/use/../admin", "/member/"])
def test_other_addresses_are_only_searched_for(till, path):
    response = till.client.get("/till", {"q": f"http://testserver{path}"})
    assert response.status_code == 200
    assert "No guest found" in response.content.decode()


def test_a_reward_that_is_scanned_for_points_is_said_to_be_no_card(till, place, mia, redemption):
    sentence = "That was a reward's code, not a card. No points were given"
    page = f"/use/{redemption.redemption_code}"
    for scanned in (redemption.redemption_code, redemption.short_url):
        till.open(f"/member/{mia.pk}").give(scanned)
        assert till.at.endswith(page)
        assert sentence in till.page
        assert f'href="/member/{mia.pk}"' in till.page
        assert sentence not in till.open(page).page
    redemptions.confirm(code=redemption.redemption_code)
    assert sentence in till.open(f"/member/{mia.pk}").give(redemption.short_url).page
    assert purchases() == []
    other = members.enrol(email="noah@example.com", name="Noah")
    assert till.open(f"/member/{mia.pk}").give(other.short_url).at.endswith(f"/member/{other.pk}")
    assert sentence not in till.page
    assert sentence not in till.open(page).page


def test_a_card_that_is_scanned_for_a_reward_is_said_to_be_none(till, place, mia, redemption):
    sentence = "That was a guest's card, not a reward's code."
    other = members.enrol(email="noah@example.com", name="Noah")
    till.open("/use/RWD-NOSUCH")
    assert hidden(till.page, "for") == "reward"
    till.open(f"/till?for=reward&q={mia.short_url}")
    assert f"{sentence} Choose the reward under Rewards to hand out." in till.page
    assert sentence not in till.open(f"/member/{mia.pk}").page
    till.open(f"/till?for=reward&q={other.short_url}")
    assert f"{sentence} There is no reward to hand out to this guest." in till.page
    till.open(f"/till?for=reward&q={redemption.short_url}")
    assert till.at.endswith(f"/use/{redemption.redemption_code}")
    assert "That was" not in till.page


# --- handing out ----------------------------------------------------------------------------------


def confirm(till: Till, redemption: Redemption, **fields: str) -> Till:
    form = fields if "tap" in fields else {"tap": hidden(till.page, "tap"), **fields}
    return till.send(f"/use/{redemption.redemption_code}/confirm", **form)


def test_a_valid_code_is_shown_and_confirmed(till, place, redemption):
    till.open(f"/use/{redemption.redemption_code}")
    assert all(word in till.page for word in ("Valid", "Coffee on Us", "Any coffee", "Mia Kelly", "Confirm"))
    confirm(till, redemption, locationId=till.location)
    assert till.at.startswith("/confirmations/")
    assert "Handed out" in till.page
    assert "Attention" not in till.page
    made = Confirmation.objects.get()
    assert (made.staff_id, made.location, made.found) == ("cashiers", place, "active")


def test_without_any_location_a_code_can_be_confirmed_all_the_same(till, redemption):
    confirm(till.open(f"/use/{redemption.redemption_code}"), redemption)
    assert "Handed out" in till.page


def test_a_double_tap_of_confirm_is_one_confirmation(till, place, redemption):
    tap = hidden(till.open(f"/use/{redemption.redemption_code}").page, "tap")
    confirm(till, redemption)
    till.open("/till").open(f"/use/{redemption.redemption_code}")
    confirm(till, redemption, tap=tap)
    assert "Handed out" in till.page
    assert "Attention" not in till.page
    assert Confirmation.objects.count() == 1


def test_a_used_code_is_unavailable_and_a_manager_can_hand_it_out_all_the_same(till, place, redemption):
    redemptions.confirm(code=redemption.redemption_code)
    till.open(f"/use/{redemption.redemption_code}")
    assert till.status == 400
    assert "Hand out anyway" not in till.page
    assert "A manager can hand it out again." in till.page
    till.client.force_login(make_user("Managers"))
    till.open(f"/use/{redemption.redemption_code}")
    assert all(word in till.page for word in ("Already used", "Coffee on Us", "Mia Kelly", "Hand out anyway"))
    assert f"{timezone.localtime():%Y}" in till.page
    confirm(till, redemption, locationId=till.location)
    assert "Already used" in till.page
    assert "Attention: this code was already used" in till.page
    assert Confirmation.objects.count() == 2


def test_an_expired_code_assert_unavailable_and_can_be_handed_out_all_the_same(till, place, redemption):
    Redemption.objects.update(expires_at=timezone.now() - timedelta(days=400))
    till.open(f"/use/{redemption.redemption_code}")
    assert till.status == 400
    assert all(word in till.page for word in ("Expired", "Coffee on Us", "Mia Kelly"))
    assert f"{timezone.localtime() - timedelta(days=400):%Y}" in till.page
    confirm(till, redemption, locationId=till.location)
    assert "Expired" in till.page
    assert "Attention: this code expired" in till.page


def test_an_unknown_code_assert_unavailable_and_can_be_typed_again(till, redemption):
    till.open("/use/rwd-nosuch")
    assert till.status == 404
    assert "Unknown code" in till.page
    assert 'value="RWD-NOSUCH"' in till.page
    assert till.open(f"/till?q={redemption.redemption_code}").at == f"/use/{redemption.redemption_code}"


# --- unusual amounts ------------------------------------------------------------------------------


def test_an_unusual_amount_is_asked_about_first_and_then_counts_once(till, place, mia):
    till.open(f"/member/{mia.pk}").give("48800")
    assert till.status == 400
    assert "€48,800.00?" in till.page
    assert "Give 48,800 points" in till.page
    assert purchases() == []
    form = {"orderTotal": "48800", "confirmedTotal": hidden(till.page, "confirmedTotal")}
    key = hidden(till.page, "idempotencyKey")
    till.give("48800", **form)
    assert "48800 points earned" in till.page
    till.give("48800", **form, idempotencyKey=key)
    assert purchases() == [48800]


def test_what_was_confirmed_is_one_amount(till, place, mia):
    till.open(f"/member/{mia.pk}").give("501", confirmedTotal="500.01")
    assert "€501.00?" in till.page
    assert purchases() == []


def test_the_owner_says_what_is_usual_and_programs_are_not_asked(till, place, mia):
    till.open(f"/member/{mia.pk}").give("500")
    assert purchases() == [500]
    Programme.objects.create(confirm_above=600)
    till.give("600")
    assert purchases() == [500, 600]
    assert till.give("600.01").status == 400
    program = with_token(make_user("Managers"))
    assert program.post("/earn", earn_body(mia, place, 9000), format="json").status_code == 200


# --- taking back ----------------------------------------------------------------------------------


def test_right_after_an_award_undo_takes_it_back(till, place, mia):
    till.open(f"/member/{mia.pk}").give("12")
    assert "12 points given to Mia Kelly." in till.page
    address = re.search(r'action="(/transactions/[^"]+/reverse)"', till.page)[1]
    till.send(address)
    assert till.at == f"/member/{mia.pk}"
    assert "12 points taken back. New balance: 100." in till.page
    assert "given to Mia Kelly" not in till.page
    assert "Points already added at" not in till.open(f"/member/{mia.pk}").page
    assert "taken back" in till.page
    assert f'action="{address}"' not in till.page


def test_a_cashier_is_offered_their_own_of_the_last_minutes_alone(till, place, mia):
    till.open(f"/member/{mia.pk}").give("12")
    assert till.open(f"/member/{mia.pk}").page.count("/reverse") == 2  # with the warning, and in the list
    PointTransaction.objects.update(recorded_by="noah")
    assert "/reverse" not in till.open(f"/member/{mia.pk}").page
    till.client.force_login(make_user("Managers"))
    PointTransaction.objects.update(created_at=timezone.now() - timedelta(days=1))
    assert till.open(f"/member/{mia.pk}").page.count("/reverse") == 1


def test_a_stale_undo_says_that_it_is_too_late(till, place, mia):
    till.open(f"/member/{mia.pk}").give("12")
    address = re.search(r'action="(/transactions/[^"]+/reverse)"', till.page)[1]
    PointTransaction.objects.update(created_at=timezone.now() - timedelta(minutes=16))
    till.send(address)
    assert till.status == 403
    assert "Please ask a manager" in till.page


# --- undoing and cancelling -----------------------------------------------------------------------


def test_a_confirmation_is_undone_from_the_page_that_it_leads_to(till, place, redemption):
    page = f"/use/{redemption.redemption_code}"
    confirm(till.open(page), redemption)
    receipt = till.at
    assert "Undo: not handed out" in till.page
    till.send(f"{page}/undo")
    assert (till.at, till.status) == (page, 200)
    assert "Undone" in till.open(receipt).page
    assert f"{page}/undo" not in till.page
    assert f"{page}/undo" in confirm(till.open(page), redemption).open(page).page
    Redemption.objects.update(used_at=timezone.now() - timedelta(minutes=16))
    assert f"{page}/undo" not in till.open(page).page


def test_the_form_of_an_undone_confirmation_confirms_again_and_once(till, place, redemption):
    page = f"/use/{redemption.redemption_code}"
    tap = hidden(till.open(page).page, "tap")
    confirm(till, redemption).send(f"{page}/undo")
    for _ in range(2):
        confirm(till.open(page), redemption, tap=tap)
    redemption.refresh_from_db()
    assert (redemption.status, Confirmation.objects.count()) == ("used", 2)


def test_the_till_cancels_a_reward_and_says_so(till, place, mia, redemption):
    page = f"/use/{redemption.redemption_code}"
    till.open(page).send(f"{page}/cancel")
    assert till.at == f"/member/{mia.pk}"
    assert "Cancelled: Coffee on Us. New balance: 100." in till.page
    assert till.open(page).status == 400
    assert "The points are back on the card." in till.page
    assert "Hand out anyway" not in till.page
