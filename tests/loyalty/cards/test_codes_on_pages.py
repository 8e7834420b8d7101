"""A member's codes on the card, and on the pages of rewards."""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db.models import F
from django.utils import timezone

from loyalty.models import Member, PointTransaction, Redemption, Reward
from loyalty.points.services import enrolment
from loyalty.rewards.services import redemptions
from tests.conftest import make_user, signed_in, undone
from tests.reading import read

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 22, 12, tzinfo=ZoneInfo("Europe/Dublin"))


@pytest.fixture(autouse=True)
def _thousand_points(phone) -> None:
    Member.objects.update(points_balance=1_000)


def code_for(member: Member, name: str, *, points: int = 100, **ends: int) -> Redemption:
    """`ends`: from now, as by `days=2`."""
    reward, _ = Reward.objects.get_or_create(name=name, defaults={"points_required": points})
    code = redemptions.redeem(member_id=str(member.pk), reward_id=str(reward.pk)).code
    if ends:
        Redemption.objects.filter(redemption_code=code).update(expires_at=timezone.now() + timedelta(**ends))
    return Redemption.objects.get(redemption_code=code)


def words(client, address: str) -> str:
    return read(client.get(address)).text


def test_the_code_that_ends_first_comes_first_and_says_how_long_it_lasts(phone, ada, clock, settings):
    settings.TIME_ZONE = "Europe/Dublin"
    clock(NOON)
    code_for(ada, "Cake", days=2)
    code_for(ada, "Soup", days=1)
    code_for(ada, "Bread", hours=1)
    code_for(ada, "Coffee", days=9)
    page = words(phone, f"/member/{ada.pk}").partition("Your codes")[2].partition("Rewards")[0]
    found = re.findall(r"(Bread|Soup|Cake|Coffee) (Until today, 13:00|Ends today|1 day left|Until 30 Nov)", page)
    assert found == [
        ("Bread", "Until today, 13:00"), ("Soup", "Ends today"), ("Cake", "1 day left"), ("Coffee", "Until 30 Nov"),
    ]  # fmt: skip


def test_the_day_that_a_code_names_is_one_that_it_lasts_to_the_end_of(phone, ada, clock, settings, subtests):
    for zone in ["Europe/Dublin", "Pacific/Auckland"]:
        with subtests.test(zone=zone), undone():
            settings.TIME_ZONE, cashier = zone, make_user("Cashiers")
            began = datetime(2026, 11, 26, 10, 59, tzinfo=ZoneInfo(zone))
            clock(began)
            code = code_for(ada, "Cake")
            assert code.expires_at == began + timedelta(days=30)
            for address in (f"/member/{ada.pk}", f"/member/{ada.pk}?show={code.redemption_code}", "/rewards"):
                assert "ntil 25 Dec" in words(phone, address)
                assert "26 Dec" not in words(phone, address)
            clock(datetime(2026, 12, 25, 23, 59, 59, tzinfo=ZoneInfo(zone)))
            assert signed_in(cashier).get(f"/use/{code.redemption_code}").status_code == 200
            assert "Ends today" in words(phone, "/rewards")
            clock(datetime(2026, 12, 26, 10, 58, tzinfo=ZoneInfo(zone)))
            assert "Until today, 10:59" in words(phone, "/rewards")
            assert "Valid until today, 10:59." in words(phone, f"/member/{ada.pk}?show={code.redemption_code}")
            clock(datetime(2026, 12, 26, 11, tzinfo=ZoneInfo(zone)))
            assert signed_in(cashier).get(f"/use/{code.redemption_code}").status_code == 400


def test_a_code_is_given_back_for_the_points_that_it_cost(phone, ada):
    code = code_for(ada, "Cake", points=150)
    Reward.objects.update(points_required=900)  # the price of today doesn't matter
    assert "Give it back for 150 points" in words(phone, f"/member/{ada.pk}")
    phone.post(f"/use/{code.redemption_code}/cancel")
    ada.refresh_from_db()
    assert ada.points_balance == 1_000


def test_the_member_reads_of_what_was_given_back_and_programs_of_what_was_cancelled(phone, ada):
    code = code_for(ada, "Cake", points=150)
    phone.post(f"/use/{code.redemption_code}/cancel")
    before = PointTransaction.objects.exclude(type="reversal")
    before.update(created_at=F("created_at") - timedelta(minutes=61))
    page = words(phone, f"/member/{ada.pk}")
    assert "Given back: Cake. New balance: 1000." in page
    activity = page.partition("Recent activity")[2].partition("Account")[0]
    assert "Given back: Cake +150" in activity
    assert re.search(r"Redeemed: Cake −150 points \d+ \w+ \d{4}, \d\d:\d\d · given back", activity)
    assert activity.count("given back") == 1
    assert "Cancelled" not in page
    answer = phone.get(f"/member/{ada.pk}", headers={"accept": "application/json"}).json()
    assert [row["description"] for row in answer["activity"][:2]] == ["Cancelled: Cake", "Redeemed: Cake"]


def test_what_is_given_back_within_the_hour_is_one_line_struck_through(phone, ada):
    cake, soup = code_for(ada, "Cake", points=150), code_for(ada, "Soup", points=20)
    code_for(ada, "Cake", points=150)
    for code in (cake, soup):
        phone.post(f"/use/{code.redemption_code}/cancel")
    activity = words(phone, f"/member/{ada.pk}").partition("Recent activity")[2].partition("Account")[0]
    moment = r" points \d+ \w+ \d{4}, \d\d:\d\d"
    rows = [rf"Redeemed: Soup −20{moment} · given back", rf"Redeemed: Cake −150{moment} · given back"]
    assert re.search(" ".join([*rows, rf"Redeemed: Cake −150{moment}", "Earlier activity", "Welcome bonus"]), activity)
    assert phone.get(f"/member/{ada.pk}").content.decode().count("<s>") == 2
    answer = phone.get(f"/member/{ada.pk}", headers={"accept": "application/json"}).json()
    assert [row["points"] for row in answer["activity"]] == [20, 150, -150, -20, -150, 100]


def test_of_several_codes_each_is_given_back_by_its_own_form(phone, ada):
    cake, soup = code_for(ada, "Cake", points=150), code_for(ada, "Soup", points=1)
    page = read(phone.get(f"/member/{ada.pk}"))
    for code, button in ((cake, "Give Cake back for 150 points"), (soup, "Give Soup back for 1 point")):
        [form] = [form for form in page.all("form") if form["action"] == f"/use/{code.redemption_code}/cancel"]
        assert form.names("button") == [button]
        assert code.redemption_code in form


def test_rewards_say_that_a_code_for_them_is_held(phone, ada, clock, settings):
    settings.TIME_ZONE = "Europe/Dublin"
    clock(NOON)
    one = code_for(ada, "Cake", days=10)
    Reward.objects.create(name="Coffee", points_required=10)
    held = "You have a code, until 1 Dec"
    question = f"/rewards/{one.reward_id}/redeem?customerId={ada.pk}"
    assert words(phone, question).count(held) == 1
    rewards = words(phone, "/rewards")
    until = f"Show code Until 1 Dec {one.redemption_code} One more for 100 points"
    assert f"Your codes 1 Cake {until} Ready to redeem 1 Coffee" in rewards
    assert held not in rewards  # the heading says that it is a code
    card = words(phone, f"/member/{ada.pk}")
    assert card.count("Cake Until 1 Dec") == 1
    assert held not in card
    assert "1 code to use" not in rewards  # the heading says that too
    Reward.objects.filter(name="Cake").update(available=False)
    assert "1 code to use" in words(phone, "/rewards")
    Reward.objects.update(available=True)
    code_for(ada, "Cake", days=20)
    rewards = words(phone, "/rewards")
    assert "Your codes 2 Cake Show code 2 codes, the first until 1 Dec One more for 100 points" in rewards
    assert "You have 2 codes, the first until 1 Dec" in words(phone, question)
    Redemption.objects.update(status="used")
    for address in (f"/member/{ada.pk}", "/rewards", question):
        for held in ("You have a code", "You have 2 codes", "until 1 Dec"):
            assert held not in words(phone, address), address


def test_where_a_code_is_held_the_action_shows_it_and_another_one_stays_in_reach(phone, ada):
    later, first = code_for(ada, "Cake", days=20), code_for(ada, "Cake", days=9)
    soup = Reward.objects.create(name="Soup", points_required=10)
    shown = f"/member/{ada.pk}?show={first.redemption_code}"
    question = f"/rewards/{later.reward_id}/redeem?customerId={ada.pk}"
    [link] = read(phone.get("/rewards")).region("Cake").all("link")
    assert (link.name, link.text, link["href"]) == ("Show code for Cake", "Show code", question)
    for address, way in ((f"/member/{ada.pk}", shown), ("/rewards", question)):
        page = read(phone.get(address))
        assert way in page.addresses()
        assert page.all("link", re.compile("Redeem Cake")) == []
        redeem = page.one("link", "Redeem Soup")
        assert (redeem.text, redeem["href"]) == ("Redeem", f"/rewards/{soup.pk}/redeem?customerId={ada.pk}")
    page = read(phone.get(question))
    assert page.one("link", "Full screen: my code")["href"] == shown
    assert f"{first.qr_code_url}?size=640" in [picture["src"] for picture in page.all("image")]
    folded = page.one("details", "One more for 100 points")
    assert folded.one("button", "Redeem another for 100 points")
    [back] = [details for details in page.all("details") if details.names("button") == ["Give it back for 100 points"]]
    assert back.one("form")["action"] == f"/use/{first.redemption_code}/cancel"
    assert page.text.index(first.redemption_code) < page.text.index(folded.text) < page.text.index(back.text)
    assert later.redemption_code not in phone.get(question).content.decode()
    Redemption.objects.update(qr_code_url="")
    assert read(phone.get(question)).one("link", "Show my code")["href"] == shown
    assert first.redemption_code in words(phone, f"/member/{ada.pk}?show={first.redemption_code}")
    Member.objects.update(points_balance=5)
    page = read(phone.get("/rewards"))
    assert page.one("link", "Show code for Cake")
    assert "Redeem" not in page
    page = read(phone.get(question))
    assert "95 more points for another." in page
    assert [form["action"] for form in page.all("form")] == [f"/use/{first.redemption_code}/cancel"]  # none redeems
    Redemption.objects.update(status="used")
    Member.objects.update(points_balance=1_000)
    for address in (f"/member/{ada.pk}", "/rewards", question):
        assert "?show=RWD" not in phone.get(address).content.decode()
    assert read(phone.get("/rewards")).one("link", "Redeem Cake")


def test_only_rewards_without_a_code_count_as_ready(phone, ada):
    code_for(ada, "Cake", points=150)
    code_for(ada, "Feast", points=500)  # and the points that are left don't buy another
    for name, points in (("Tea", 10), ("Soup", 350), ("Dinner", 900)):
        Reward.objects.create(name=name, points_required=points)
    Member.objects.update(points_balance=350)
    page = words(phone, "/rewards")
    codes, ready, later = re.search(r"Your codes(.*)Ready to redeem(.*)Still to come(.*)", page).groups()
    for part, names in ((ready, ["Tea", "Soup"]), (later, ["Dinner"])):
        assert re.findall(r"(Tea|Soup|Cake|Feast|Dinner) \d+ points", part) == names
    assert re.findall(r"(Cake|Feast) Show code Until \d+ \w+ RWD-\w+ (.*? points)", codes) == [
        ("Cake", "One more for 150 points"),
        ("Feast", "500 points"),
    ]
    assert [part.split()[0] for part in (ready, codes, later)] == ["2", "2", "1"]
    assert "more points" not in codes
    assert "Next: Dinner 550 to go" in page
    card = words(phone, f"/member/{ada.pk}")
    ready, later = re.search(r"Ready to redeem(.*) Next (.*)Recent activity", card).groups()
    for part, names in ((ready, ["Tea", "Soup"]), (later, ["Dinner"])):
        assert re.findall(r"Tea|Soup|Cake|Feast|Dinner", part) == names
    answer = phone.get(f"/rewards?customerId={ada.pk}", headers={"accept": "application/json"}).json()
    assert [reward["canRedeem"] for reward in answer["rewards"]] == [True, True, True, False, False]


def test_a_card_with_a_code_for_every_reward_says_so(phone, ada):
    code_for(ada, "Cake")
    card = words(phone, f"/member/{ada.pk}")
    assert "You have a code for every reward." in card
    assert "Ready to redeem" not in words(phone, "/rewards")


def test_what_a_reward_is_comes_before_what_one_can_do_about_it(phone, ada):
    code_for(ada, "Cake")
    Reward.objects.update(description="With whipped ricotta.", reward_value={"item": "Cake and coffee"})
    assert re.search(r"Cake Cake and coffee Show code Until \d.* One more for 100 points$", words(phone, "/rewards"))


def test_a_reward_whose_code_ends_soon_is_marked(phone, ada, clock):
    clock(NOON)
    code_for(ada, "Cake", days=9)
    assert "chip-warn" not in phone.get("/rewards").content.decode()
    code_for(ada, "Soup", days=8)
    assert phone.get("/rewards").content.decode().count("chip-warn") == 1


def test_under_your_codes_what_ends_first_comes_first(phone, ada, clock):
    clock(NOON)
    code_for(ada, "Cake", points=10, days=30)
    code_for(ada, "Soup", points=20, days=4)
    code_for(ada, "Tea", points=30, days=9)
    codes = words(phone, "/rewards").partition("Your codes 3")[2]
    rows = re.findall(r"(Cake|Soup|Tea) Show .*? One more for (\d+) points", codes)
    assert rows == [("Soup", "20"), ("Tea", "30"), ("Cake", "10")]
    assert "Soup Show code 3 days left" in codes


def test_a_code_that_ends_today_says_so_among_the_rewards(phone, ada, clock):
    clock(NOON)
    code_for(ada, "Cake", hours=13)
    assert "Cake Show code Ends today" in words(phone, "/rewards")


def test_nobody_else_reads_which_codes_are_held(phone, ada, browser_client):
    code_for(ada, "Cake")
    browser_client.cookies.clear()
    ben = enrolment.enrol(email="ben@example.com", name="Ben", phone="")
    for address in (f"/member/{ada.pk}", f"/rewards?customerId={ada.pk}", f"/rewards?customerId={ben.pk}"):
        page = words(browser_client, address)
        assert "Cake" in page
        assert "You have a code" not in page
        assert "until" not in page
        assert "to use" not in page


def test_the_value_is_not_said_twice(phone, ada):
    off = Reward.objects.create(name="20% Off Your Bill", points_required=10, reward_value={"discount_percent": 20})
    treat = Reward.objects.create(name="Birthday Treat", points_required=20, reward_value={"discount_percent": 15})
    page = words(phone, f"/member/{ada.pk}")
    assert "20% off" not in page
    assert "15% off" in page
    questions = [words(phone, f"/rewards/{reward.pk}/redeem?customerId={ada.pk}") for reward in (off, treat)]
    assert ["% off" in text for text in questions] == [False, True]


def test_the_card_offers_what_the_points_buy_and_the_next_reward_after_that(phone, ada):
    for name, points in (("Tea", 10), ("Cake", 1_000), ("Dinner", 1_001), ("Journey", 90_000)):
        Reward.objects.create(name=name, points_required=points)
    card = words(phone, f"/member/{ada.pk}").partition("Rewards")[2].partition("Recent activity")[0]
    assert re.findall(r"Tea|Cake|Dinner|Journey", card) == ["Tea", "Cake", "Dinner"]
    assert "Journey" in words(phone, "/rewards")
    assert len(phone.get(f"/member/{ada.pk}", headers={"accept": "application/json"}).json()["rewards"]) == 4
