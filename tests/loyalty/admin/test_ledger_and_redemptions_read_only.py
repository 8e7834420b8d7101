from datetime import timedelta

import pytest
from django.utils import timezone

from loyalty.models import Notification, PointTransaction, Redemption
from loyalty.points.services import points
from loyalty.rewards.services import confirmations
from tests.conftest import undone
from tests.loyalty.admin.pages import found, list_of, make_redemption, page_of, text_of, words_of
from tests.loyalty.making import make_member

# --- redemptions ----------------------------------------------------------------------------------

pytestmark = pytest.mark.usefixtures("noon")


@pytest.fixture
def redemption(member, reward) -> Redemption:
    return make_redemption(member, reward)


@pytest.fixture
def overdue(member, reward):
    return make_redemption(member, reward, "RWD-OVERDU", expires_at=timezone.now() - timedelta(minutes=1))


def test_an_overdue_redemption_is_shown_as_expired(managers_browser, overdue):
    assert "RWD-OVERDU Expired 0 Ada Lovelace" in words_of(managers_browser.get(list_of("redemption")))
    assert "Status: Expired" in words_of(managers_browser.get(page_of(overdue)))


def test_a_redemptions_page_shows_its_confirmations(managers_browser, redemption):
    for _ in range(2):
        confirmations.confirm(code=redemption.redemption_code, staff_id="carla")
    assert "RWD-AAAAAA Used 2 Ada Lovelace" in words_of(managers_browser.get(list_of("redemption")))
    assert words_of(managers_browser.get(page_of(redemption))).count(" carla ") == 2


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


# --- the ledger -----------------------------------------------------------------------------------


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


# --- notifications --------------------------------------------------------------------------------


def test_notifications_are_filtered_by_whether_they_were_sent(managers_browser, member):
    sent = Notification.objects.create(customer=member, title="Gold", message="x", sent_at=timezone.now(), attempts=1)
    unsent = Notification.objects.create(customer=member, title="Silver", message="x", attempts=3)
    assert found(managers_browser, "notification", sent_at__isempty="0") == [sent]
    assert found(managers_browser, "notification", sent_at__isempty="1") == [unsent]
    page = words_of(managers_browser.get(list_of("notification")))
    for words in ("Gold", "Silver", "Ada Lovelace"):
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
