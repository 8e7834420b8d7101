import re
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from loyalty.models import Location, Notification, PointTransaction, Redemption
from loyalty.points.admin import lines as ledger_lines
from loyalty.points.services import points, reversals
from loyalty.rewards.services import confirmations
from tests.conftest import undone
from tests.loyalty.admin.pages import found, list_of, make_redemption, page_of, text_of, words_of
from tests.loyalty.making import make_member
from tests.reading import read

# --- redemptions ----------------------------------------------------------------------------------

pytestmark = pytest.mark.usefixtures("noon")


@pytest.fixture
def redemption(member, reward) -> Redemption:
    return make_redemption(member, reward)


@pytest.fixture
def overdue(member, reward):
    return make_redemption(member, reward, "RWD-OVERDU", expires_at=timezone.now() - timedelta(minutes=1))


def test_an_overdue_redemption_is_shown_as_expired(managers_browser, overdue):
    assert (
        "expired"
        in words_of(managers_browser.get(list_of("redemption"))).partition("RWD-OVERDU")[2].partition("Ada")[0]
    )
    assert (
        "expired" in words_of(managers_browser.get(page_of(overdue))).partition("Status ")[2].partition("Created ")[0]
    )


def test_redemptions_are_filtered_by_what_they_are_now(managers_browser, member, reward, redemption, overdue):
    used = make_redemption(member, reward, "RWD-USEDUP", status="used", used_at=timezone.now())
    stored = make_redemption(member, reward, "RWD-STORED", status="expired")
    assert found(managers_browser, "redemption", state="active") == [redemption]
    assert found(managers_browser, "redemption", state="used") == [used]
    assert set(found(managers_browser, "redemption", state="expired")) == {overdue, stored}


def test_a_redemption_is_found_by_code_and_member(managers_browser, redemption, reward, subtests):
    for words in ["rwd-bbb", "hopper", "grace@"]:
        with subtests.test(words=words), undone():
            wanted = make_redemption(make_member("Grace Hopper", email="grace@example.com"), reward, "RWD-BBBBBB")
            assert found(managers_browser, "redemption", q=words) == [wanted]


def test_more_than_one_confirmation_is_flagged_in_words(managers_browser, member, reward, redemption, location):
    once = make_redemption(member, reward, "RWD-BBBBBB")
    never = make_redemption(member, reward, "RWD-CCCCCC")
    confirmations.confirm(code="RWD-BBBBBB", staff_id="carla")
    for staff_id in ("carla", "carlo"):
        confirmations.confirm(code="RWD-AAAAAA", staff_id=staff_id, location_id=str(location.pk))
    listed = managers_browser.get(list_of("redemption"))
    assert (text_of(listed).count("⚠"), words_of(listed).count("2 times")) == (1, 1)
    assert found(managers_browser, "redemption", confirmations="more") == [redemption]
    assert found(managers_browser, "redemption", confirmations="1") == [once]
    assert found(managers_browser, "redemption", confirmations="0") == [never]

    page = words_of(managers_browser.get(page_of(redemption)))
    assert "confirmed 2 times" in page
    for words in ("carla", "carlo", "Harbour", "Confirmed: Free coffee", "Attention: this code was already used"):
        assert words in page
    assert "⚠" not in text_of(managers_browser.get(page_of(once)))


def test_a_redemptions_page_groups_thousands(managers_browser, member, reward):
    large = make_redemption(member, reward, "RWD-LARGER")
    type(large).objects.filter(pk=large.pk).update(points_spent=12_345)
    assert "Points spent 12,345 " in words_of(managers_browser.get(page_of(large)))


# --- the ledger -----------------------------------------------------------------------------------


def test_the_page_of_an_entry_says_points_and_total_as_the_list_does(managers_browser, member):
    row = member.transactions.create(type="earn", points=1_582, description="Lunch", order_total="1055")
    page = words_of(managers_browser.get(page_of(row)))
    assert "Points +1,582 " in page
    assert "Order total €1,055.00" in page


def test_the_ledger_is_filtered_and_searched(managers_browser, member, location):
    points.award(member_id=str(member.pk), location_id=str(location.pk), order_total=20, staff_id="carla")
    bought = PointTransaction.objects.get(location=location)
    given, _ = points.adjust(member=member, points=5, reason="Burnt toast", staff_id="mia")
    welcome = PointTransaction.objects.exclude(pk__in=[bought.pk, given.pk]).get()
    assert found(managers_browser, "pointtransaction", type__exact="bonus") == [given]
    assert found(managers_browser, "pointtransaction", location__id__exact=str(location.pk)) == [bought]
    assert found(managers_browser, "pointtransaction", q="toast") == [given]
    assert found(managers_browser, "pointtransaction", q="carla") == [bought]
    assert set(found(managers_browser, "pointtransaction", q="lovelace")) == {bought, given, welcome}
    year = timezone.localdate().year
    assert found(managers_browser, "pointtransaction", created_at__year=str(year - 1)) == []
    points.adjust(member=member, points=-7, reason="A slip", staff_id="mia")
    assert "125 given · 7 used or taken back" in words_of(managers_browser.get(list_of("pointtransaction")))
    assert "5 given · 0 used or taken back" in words_of(
        managers_browser.get(list_of("pointtransaction"), {"q": "toast"})
    )


def test_a_row_names_its_place_and_its_staff_once(managers_browser, member, location):
    def row(**values) -> str:
        stored = member.transactions.create(type="earn", points=7, order_total=7, **values)
        rows = read(managers_browser.get(list_of("pointtransaction"))).all("row")
        [found] = [row.text for row in rows if page_of(stored) in row.addresses()]
        return found

    same = {"staff_id": "carla", "recorded_by": "carla"}
    of_now = r"Ada Lovelace \+7 %s €7\.00 Today, \d\d:\d\d %s"
    assert re.fullmatch(
        of_now % ("Harbour", "carla"), row(description="Purchase at Harbour", location=location, **same)
    )
    assert re.fullmatch(of_now % ("Lunch · Harbour", "–"), row(description="Lunch", location=location))
    entered = row(description="Lunch", staff_id="carla", recorded_by="till")
    assert re.fullmatch(of_now % ("Lunch", "carla, entered by till"), entered)


def test_a_purchase_is_told_by_its_place_without_the_venues_name(managers_browser, member, settings):
    settings.VENUE_NAME = "Fig & Fennel"
    place = Location.objects.create(name="Fig & Fennel Orchard Row", address="1 Orchard Row")
    points.award(member_id=str(member.pk), location_id=str(place.pk), order_total=1500, staff_id="carla")
    bought = member.transactions.get(order_total=1500)
    assert bought.description == "Purchase at Fig & Fennel Orchard Row"
    reversals.take_back_purchase(transaction_id=str(bought.pk), note="A typo", recorded_by="mia", is_manager=True)
    member.transactions.create(type="bonus", points=1)

    for page in (
        words_of(managers_browser.get(list_of("pointtransaction"))),
        words_of(managers_browser.get(page_of(member))),
    ):
        assert "Purchase at" not in page
        assert "+1,500 Orchard Row €1,500.00" in page or "Orchard Row Taken back +1,500 €1,500.00" in page
        assert "Taken back: Orchard Row (A typo)" in page
        assert "−€1,500.00" in page  # not a hyphen, which is narrower than a plus
        assert "-€1,500.00" not in page
        assert "+1 Added" in page or "Added +1" in page  # its type, where there is no text


def test_staff_are_called_by_their_names_with_one_query(managers_browser, member, django_assert_num_queries):
    def lines(logins) -> list:
        return [member.transactions.create(type="bonus", points=1, staff_id=login) for login in logins]

    User.objects.create_user("carla", first_name="Carla", last_name="Conti")
    User.objects.create_user("nameless")
    rows = lines(["carla", "nameless", "gone", ""])
    with django_assert_num_queries(1):
        ledger_lines.name_staff(rows)
    assert [row.staff for row in rows] == ["Carla Conti", "nameless", "gone", ""]
    for page in (list_of("pointtransaction"), page_of(member)):
        assert "Carla Conti" in words_of(managers_browser.get(page))


def test_entries_of_today_and_of_yesterday_say_so(managers_browser, member, clock):
    clock(datetime(2026, 11, 22, 15, tzinfo=UTC))
    for moment in ((2026, 11, 22, 14, 49), (2026, 11, 21, 9, 5), (2026, 3, 1, 10), (2025, 12, 31, 20, 15)):
        member.transactions.create(type="bonus", points=1, created_at=datetime(*moment, tzinfo=UTC))
    times = read(managers_browser.get(list_of("pointtransaction"))).all("time")
    shown = [(time.get("title"), time.text) for time in times]
    assert ("22 Nov 2026, 14:49", "Today, 14:49") in shown
    assert ("21 Nov 2026, 09:05", "Yesterday, 09:05") in shown
    assert ("1 Mar 2026, 10:00", "1 Mar, 10:00") in shown
    assert ("31 Dec 2025, 20:15", "31 Dec 2025, 20:15") in shown


# --- notifications --------------------------------------------------------------------------------


def test_notifications_are_filtered_by_whether_they_were_sent(managers_browser, member):
    sent = Notification.objects.create(customer=member, title="Gold", message="x", sent_at=timezone.now(), attempts=1)
    unsent = Notification.objects.create(customer=member, title="Silver", message="x", attempts=3)
    assert found(managers_browser, "notification", sent="yes") == [sent]
    assert found(managers_browser, "notification", sent="no") == [unsent]
    page = words_of(managers_browser.get(list_of("notification")))
    for words in ("Gold", "Silver", "Ada Lovelace", "not yet"):
        assert words in page


# --- nobody writes here ---------------------------------------------------------------------------


@pytest.fixture
def rows(member, redemption) -> list:
    """One of each kind."""
    note = Notification.objects.create(customer=member, title="Gold", message="x")
    return [member.transactions.get(), redemption, note]


def test_not_even_the_owner_writes_what_happened(owners_browser, rows):
    for row in rows:
        model, values = type(row), type(row).objects.values().get()
        forged, model_list = dict.fromkeys(values, "1"), list_of(model._meta.model_name)
        page = owners_browser.get(page_of(row))
        assert (page.status_code, 'name="_save"' in text_of(page)) == (200, False), model
        assert owners_browser.post(page_of(row), forged).status_code == 403, model
        assert owners_browser.post(page_of(row).replace("change", "delete"), {"post": "yes"}).status_code == 403, model
        assert owners_browser.post(f"{model_list}add/", forged).status_code == 403, model
        chosen = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
        owners_browser.post(model_list, chosen)
        assert model.objects.values().get() == values


def test_managers_read_and_cashiers_do_not(managers_browser, cashiers_browser, rows):
    for row in rows:
        for address in (page_of(row), list_of(row._meta.model_name)):
            assert managers_browser.get(address).status_code == 200, address
            assert cashiers_browser.get(address).status_code == 403, address
