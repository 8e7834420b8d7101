"""Handing out rewards at the till through forms alone, undoing it, and cancelling them."""

import re
from datetime import datetime, timedelta

import pytest
from django.contrib.auth import get_user_model
from django.utils import timezone

from loyalty.models import Confirmation, Member, Redemption, Reward
from loyalty.rewards.services import confirmations, redemptions
from tests.conftest import make_user, undone
from tests.loyalty.cards.till.counter import Till, hidden

pytestmark = pytest.mark.django_db


def confirm(counter: Till, redemption: Redemption, **fields: str) -> Till:
    form = fields if "tap" in fields else {"tap": hidden(counter.page, "tap"), **fields}
    return counter.send(f"/use/{redemption.redemption_code}/confirm", **form)


def test_a_valid_code_is_shown_and_confirmed(counter, location, redemption):
    counter.open(f"/use/{redemption.redemption_code}")
    assert all(word in counter.page for word in ("Valid", "Coffee on Us", "Any coffee", "Mia Kelly", "Confirm"))
    confirm(counter, redemption, locationId=counter.location)
    assert counter.at.startswith("/confirmations/")
    assert "Handed out" in counter.page
    assert "Attention" not in counter.page
    made = Confirmation.objects.get()
    assert (made.staff_id, made.location, made.found) == ("cashiers", location, "active")


def test_a_valid_code_says_what_to_do_where_the_name_of_the_reward_does_not(counter, redemption, subtests):
    for value, task in [
        ({"discount_percent": 10}, "Take 10% off the bill"),
        ({"item": "Any coffee"}, "Any coffee"),
        ({}, None),
    ]:
        with subtests.test(value=value, task=task), undone():
            Reward.objects.update(reward_value=value)
            counter.open(f"/use/{redemption.redemption_code}")
            tasks = [text for text in ("Take 10% off the bill", "Any coffee") if text in counter.seen]
            assert tasks == ([task] if task else [])
            Reward.objects.update(name="Any coffee")
            counter.open(f"/use/{redemption.redemption_code}")
            assert counter.seen.text.count("Any coffee") == 1
            Reward.objects.update(name="10% Off Your Bill", reward_value={"discount_percent": 10})
            assert "Take 10%" not in counter.open(f"/use/{redemption.redemption_code}").seen


def test_what_is_confirmed_stands_on_the_button(counter, redemption, subtests):
    for value, button in [
        ({"discount_percent": 10}, "Confirm: 10% taken off"),
        ({"item": "Any coffee"}, "Confirm and hand out"),
    ]:
        with subtests.test(value=value, button=button), undone():
            Reward.objects.update(reward_value=value)
            page = counter.open(f"/use/{redemption.redemption_code}").seen
            assert [name for name in page.names("button") if name.startswith("Confirm")] == [button]


def test_a_valid_code_says_how_long_it_is(counter, redemption, subtests):
    for days, words in [(0, "Ends today"), (1, "1 day left"), (7, "7 days left"), (8, "Until ")]:
        with subtests.test(days=days, words=words), undone():
            Redemption.objects.update(expires_at=end_of_day(days))
            page = counter.open(f"/use/{redemption.redemption_code}").seen
            assert f"{redemption.redemption_code} {words}" in page


def end_of_day(days: int) -> datetime:
    """So many days from now, by the venue's calendar."""
    return timezone.localtime().replace(hour=23, minute=59, second=59) + timedelta(days=days)


def test_an_expired_code_says_how_long_ago_that_was(counter, location, redemption):
    Redemption.objects.update(expires_at=timezone.now() - timedelta(days=3))
    seen = counter.open(f"/use/{redemption.redemption_code}").seen
    assert "Expired" in seen
    assert f"3 days ago · {seen.one('time').text}" in seen


def test_a_reward_of_which_a_code_is_ready_says_so_where_it_can_be_redeemed(counter, location, mia, redemption):
    Member.objects.update(points_balance=5000)
    another(mia, expires_at=end_of_day(9))
    marked = "Coffee on Us 100 points {} ready to hand out"
    assert marked.format(2) in counter.open(f"/member/{mia.pk}").seen
    [way] = [link for link in counter.seen.links() if link[1].startswith(f"/rewards/{redemption.reward_id}/redeem")]
    folded = counter.seen.one("details", "Redeem Coffee on Us again")  # so that no tap of haste spends points
    assert way in folded.links()
    Redemption.objects.all()[0].delete()
    assert marked.format(1) in counter.open(f"/member/{mia.pk}").seen
    Redemption.objects.all().delete()
    assert "ready to hand out" not in counter.open(f"/member/{mia.pk}").page


def test_codes_to_hand_out_stand_by_when_they_end_after_the_one_that_is_new(counter, location, mia, redemption):
    Redemption.objects.update(expires_at=end_of_day(9))
    soon, new = (another(mia, expires_at=end_of_day(days)) for days in (2, 30))
    counter.open(f"/member/{mia.pk}")
    codes = [redemption.redemption_code, soon.redemption_code, new.redemption_code]
    assert listed(counter) == [codes[1], codes[0], codes[2]]
    assert counter.seen.text.count("days left") == 1
    assert f"{codes[1]} 2 days left" in counter.seen
    counter.open(f"/member/{mia.pk}?redeemed={new.redemption_code}")
    assert listed(counter) == [codes[2], codes[1], codes[0]]


def listed(counter: Till) -> list[str]:
    addresses = counter.seen.addresses()
    return [address.removeprefix("/use/") for address in addresses if address.startswith("/use/RWD-")]


def another(member: Member, expires_at: datetime) -> Redemption:
    reward = Reward.objects.get()
    return Redemption.objects.create(
        customer=member,
        reward=reward,
        points_spent=0,
        redemption_code=redemptions.new_code(),
        expires_at=expires_at,
    )


def test_without_any_location_a_code_can_be_confirmed_all_the_same(counter, redemption):
    confirm(counter.open(f"/use/{redemption.redemption_code}"), redemption)
    assert "Handed out" in counter.page


def test_a_double_tap_of_confirm_is_one_confirmation(counter, location, redemption):
    tap = hidden(counter.open(f"/use/{redemption.redemption_code}").page, "tap")
    confirm(counter, redemption)
    counter.open("/till").open(f"/use/{redemption.redemption_code}")
    confirm(counter, redemption, tap=tap)
    assert "Handed out" in counter.page
    assert "Attention" not in counter.page
    assert Confirmation.objects.count() == 1


def test_a_used_code_is_unavailable_and_a_manager_can_hand_it_out_all_the_same(counter, location, redemption):
    confirmations.confirm(code=redemption.redemption_code)
    counter.open(f"/use/{redemption.redemption_code}")
    assert counter.status == 400
    assert "Hand out anyway" not in counter.page
    assert "A manager who opens this code can hand it out again." in counter.page
    counter.client.force_login(make_user("Managers"))
    counter.open(f"/use/{redemption.redemption_code}")
    assert all(word in counter.page for word in ("Already used", "Coffee on Us", "Mia Kelly", "Hand out anyway"))
    assert re.search(r"Just now · Today, \d\d:\d\d", counter.seen.text)
    assert re.fullmatch(r"Today, \d\d:\d\d", counter.seen.texts("time")[0])
    Redemption.objects.update(used_at=timezone.now() - timedelta(days=250))
    seen = counter.open(f"/use/{redemption.redemption_code}").seen
    assert f"8 months ago · {seen.texts('time')[0]}" in seen
    confirm(counter, redemption, locationId=counter.location)
    assert "Already used" in counter.page
    assert "Attention: this code was already used" in counter.page
    assert Confirmation.objects.count() == 2


def test_a_used_code_says_where_and_by_whom_it_was_handed_out(counter, location, redemption):
    page, code = f"/use/{redemption.redemption_code}", redemption.redemption_code
    get_user_model().objects.create_user("ciara", first_name="Ciara", last_name="Byrne")
    confirmations.confirm(code=code, staff_id="waiter of the festival", location_id=str(location.pk))
    assert re.search(r"\d Harbour by waiter of the festival", counter.open(page).seen.text)
    confirmations.confirm(code=code, staff_id="ciara")
    assert re.search(r"\d by Ciara", counter.open(page).seen.text)
    assert "Byrne" not in counter.page
    Confirmation.objects.filter(staff_id="ciara").update(undone_at=timezone.now())
    assert "by waiter of the festival" in counter.open(page).seen
    confirmations.confirm(code=code, staff_id="cashiers")
    assert re.search(r"\d by you\b", counter.open(page).seen.text)


def test_the_way_to_the_next_guest_is_offered_once(counter, location, redemption):
    page = f"/use/{redemption.redemption_code}"
    for address in (page, f"/member/{redemption.customer_id}", "/use/RWD-NOSUCH"):
        assert counter.open(address).seen.one("link", "Next guest")
    assert confirm(counter.open(page), redemption).seen.one("link", "Next guest")
    assert counter.open(page).seen.one("link", "Next guest")


def test_an_expired_code_assert_unavailable_and_can_be_handed_out_all_the_same(counter, location, redemption):
    Redemption.objects.update(expires_at=timezone.now() - timedelta(days=400))
    counter.open(f"/use/{redemption.redemption_code}")
    assert counter.status == 400
    assert all(word in counter.page for word in ("Expired", "Coffee on Us", "Mia Kelly"))
    assert f"{timezone.localtime() - timedelta(days=400):%Y}" in counter.page
    confirm(counter, redemption, locationId=counter.location)
    assert "Expired" in counter.page
    assert "Attention: this code expired" in counter.page


def test_an_unknown_code_assert_unavailable_and_can_be_typed_again(counter, redemption):
    counter.open("/use/rwd-nosuch")
    assert counter.status == 404
    assert "Unknown code" in counter.page
    assert 'value="RWD-NOSUCH"' in counter.page
    assert counter.open(f"/till?q={redemption.redemption_code}").at == f"/use/{redemption.redemption_code}"


# --- undoing and cancelling -----------------------------------------------------------------------


def test_a_confirmation_is_undone_from_the_page_that_it_leads_to(counter, location, redemption):
    page = f"/use/{redemption.redemption_code}"
    confirm(counter.open(page), redemption)
    receipt = counter.at
    assert "Undo: not handed out" in counter.page
    counter.send(f"{page}/undo")
    assert (counter.at, counter.status) == (page, 200)
    assert "Undone" in counter.open(receipt).page
    assert f"{page}/undo" not in counter.page
    assert f"{page}/undo" in confirm(counter.open(page), redemption).open(page).page
    Redemption.objects.update(used_at=timezone.now() - timedelta(minutes=16))
    assert f"{page}/undo" not in counter.open(page).page


def test_the_form_of_an_undone_confirmation_confirms_again_and_once(counter, location, redemption):
    page = f"/use/{redemption.redemption_code}"
    tap = hidden(counter.open(page).page, "tap")
    confirm(counter, redemption).send(f"{page}/undo")
    for _ in range(2):
        confirm(counter.open(page), redemption, tap=tap)
    redemption.refresh_from_db()
    assert (redemption.status, Confirmation.objects.count()) == ("used", 2)


def test_the_till_cancels_a_reward_and_says_so(counter, location, mia, redemption):
    page = f"/use/{redemption.redemption_code}"
    counter.open(page).send(f"{page}/cancel")
    assert counter.at == f"/member/{mia.pk}"
    assert "Cancelled: Coffee on Us. New balance: 100." in counter.page
    assert counter.open(page).status == 400
    assert "The points are back on the card." in counter.page
    assert "Hand out anyway" not in counter.page
