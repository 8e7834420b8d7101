"""Two cards of one member become one."""

from copy import deepcopy

import pytest
from django.contrib.admin.models import LogEntry
from django.core import mail
from django.core.management import call_command
from django.utils import timezone
from rest_framework.test import APIClient

from config.verification import findings
from loyalty.models import Member, Notification, PointTransaction, WinBackEmail
from loyalty.rules import MAX_POINTS
from qrservice.models import Code, Scan
from restaurant.models import Order, TableSession
from tests.conftest import make_table, make_user
from tests.loyalty.admin.pages import found, list_of, page_of, words_of
from tests.loyalty.making import change, earn_body, enrol, make_location, make_member, make_reward, redeem, with_token
from tests.loyalty.members.test_account_email import ask, email_of
from tests.loyalty.members.test_account_email import link as email_link
from tests.loyalty.members.test_sign_in_links import link, request_link
from web.journal import JournalEntry

MERGE = "/admin/loyalty/member/merge/"


@pytest.fixture
def manager(db) -> APIClient:
    return with_token(make_user("Managers", "boss"))


@pytest.fixture
def cards(db) -> list[tuple[APIClient, Member]]:
    """The card that leads to the other afterwards, and that one; both with the phones that have enrolled them."""
    pair = [enrol("ada@example.com", "Ada"), enrol("kramer@example.com", "Ada Kramer")]
    pair.sort(key=lambda card: card[1].pk)
    for number, (_phone, member) in enumerate(pair):
        change(
            member, phone=f"030 {number}", note=f"Note {number}", offers_agreed_at=timezone.now() if number else None
        )
    return pair


def choose(browser, *members):
    return browser.post(
        list_of("member"), {"action": "merge", "_selected_action": [str(member.pk) for member in members]}
    )


def merge(browser, *members, **taken):
    """Keep the details of the first, but those that are taken from another one."""
    details = dict.fromkeys(("name", "email", "phone"), members[0]) | taken
    form = {name: str(member.pk) for name, member in details.items()}
    return browser.post(MERGE, {"member": [str(member.pk) for member in members], **form}, follow=True)


def test_points_and_history_of_both_are_on_one_card(managers_browser, manager, cards):
    (phone, gone), (_phone, kept) = cards
    location, reward = make_location(), make_reward(points=50)
    manager.post("/earn", earn_body(gone, location, 900), format="json")
    manager.post("/earn", earn_body(kept, location, 300), format="json")
    code = redeem(phone, gone, reward).json()["redemptionCode"]
    Notification.objects.create(customer=gone, title="News", message="News")
    WinBackEmail.objects.create(customer=gone, offer="reminder")
    table = make_table()
    order = Order.objects.create(
        table=table, session=TableSession.objects.create(table=table), total=5, collector=str(gone.pk)
    )
    page = words_of(choose(managers_browser, gone, kept))
    assert "Ada Kramer" in page
    assert "030 0" in page
    assert "030 1" in page
    page = words_of(merge(managers_browser, kept, gone, phone=gone))
    assert "The cards are one now: Ada" in page
    member = Member.objects.get(erased_at=None)
    assert (member.pk, member.points_balance, member.lifetime_points, member.tier) == (kept.pk, 1350, 1400, "silver")
    assert (member.awards, member.spend) == (4, 1200)
    assert (member.name, member.email, member.phone, member.note) == (kept.name, kept.email, "030 0", "Note 1\nNote 0")
    assert member.offers_agreed_at
    assert member.created_at == min(gone.created_at, kept.created_at)
    counts = (member.transactions, member.redemptions, member.notifications, member.win_back_emails)
    assert [rows.count() for rows in counts] == [5, 1, 2, 1]
    order.refresh_from_db()
    assert order.collector == str(kept.pk)
    assert found(managers_browser, "member") == [member]
    assert managers_browser.get("/reports/loyalty?format=json").json()["overview"]["totalMembers"] == 1
    entry = JournalEntry.objects.get(kind="cards_merged")
    assert (entry.subject, entry.user_name) == (str(gone.pk), "mia")
    assert LogEntry.objects.get().object_id == str(kept.pk)
    assert manager.post(f"/use/{code}/cancel").json()["newBalance"] == 1400
    call_command("check_ledger")
    assert [found for found in findings() if not found.startswith(("order", "Session"))] == []  # no entry is of these


def test_links_codes_addresses_and_phones_of_both_lead_to_the_one(managers_browser, manager, cards):
    (phone, gone), (other_phone, kept) = cards
    other_tab = APIClient()
    other_tab.cookies = deepcopy(phone.cookies)
    merge(managers_browser, gone, kept)  # with the details of the one whose id is not kept
    for client in (phone, other_phone):
        for member in (gone, kept):
            body = client.get(f"/member/{member.pk}").json()
            assert (body["viewer"], body["customerId"]) == ("member", str(kept.pk))
    assert manager.post("/earn", earn_body(gone, make_location(), 10), format="json").json()["newBalance"] == 210
    assert redeem(phone, gone, make_reward(points=10)).status_code == 200
    for email in (gone.email, kept.email):
        request_link(APIClient(), email=email)
        assert mail.outbox[-1].to == [gone.email]
    assert APIClient().post(link()).json()["customerId"] == str(kept.pk)
    for client in (phone, other_tab):  # the first link has signed all out
        assert client.get(f"/member/{kept.pk}").json()["viewer"] == "guest"
    assert APIClient().post("/members", {"email": kept.email, "name": "Eve"}, format="json").status_code == 409
    assert f"/member/{kept.pk}/points/" in managers_browser.get(page_of(gone)).content.decode()
    call_command("tidy", verbosity=0)
    assert not Code.objects.filter(metadata__type="loyalty_member").exclude(status="active").exists()
    Scan.objects.create(code=Code.objects.get(analytics_id=gone.qr_analytics_id), city="Graz")
    data = manager.get(f"/member/{gone.pk}/data").json()
    assert data["member"]["mergedCards"][0]["email"] == kept.email
    assert [scan["city"] for scan in data["scans"]] == ["Graz"]
    managers_browser.post(page_of(kept), {"name": "Ada", "email": kept.email, "phone": "1", "note": ""})
    assert Member.objects.get(pk=kept.pk).email == kept.email  # the address is the member's own


def test_the_other_address_can_become_the_member_s(managers_browser, cards):
    (phone, gone), (_other, kept) = cards
    merge(managers_browser, kept, gone)
    ask(phone, gone, gone.email)
    assert phone.post(email_link()).status_code == 200
    assert email_of(kept) == gone.email


def test_erasing_the_one_erases_both(managers_browser, manager, cards):
    (_phone, gone), (_other, kept) = cards
    merge(managers_browser, kept, gone)
    assert manager.post(f"/member/{gone.pk}/erase").status_code == 200
    assert set(Member.objects.values_list("name", "phone", "note")) == {("Erased member", "", "")}
    assert not Member.objects.filter(email__endswith="example.com").exists()
    assert not LogEntry.objects.filter(object_repr__contains="Ada").exists()
    assert not LogEntry.objects.filter(change_message__contains="Ada").exists()
    assert manager.get(f"/member/{gone.pk}").json()["erased"]
    assert not Code.objects.exclude(status="disabled").exists()


def test_a_third_card_can_follow(managers_browser, manager, db):
    cards = sorted((enrol(f"{name}@example.com", name) for name in "abc"), key=lambda card: card[1].pk)
    first, second, third = (member for _phone, member in cards)
    merge(managers_browser, first, second)
    merge(managers_browser, second, third)
    assert manager.post("/earn", earn_body(first, make_location(), 10), format="json").json()["newBalance"] == 310
    for phone, _member in cards:
        assert phone.get(f"/member/{third.pk}").json()["viewer"] == "member"
    request_link(APIClient(), email=first.email)
    APIClient().post(link())  # the first link signs all out
    for phone, _member in cards:
        assert phone.get(f"/member/{third.pk}").json()["viewer"] == "guest"
    assert set(Member.objects.exclude(merged_into=None).values_list("merged_into", flat=True)) == {third.pk}


def test_points_given_to_both_by_one_form_count_for_both(managers_browser, cards):
    (_phone, gone), (_other, kept) = cards
    form = {"member": [str(gone.pk), str(kept.pk)], "points": 5, "reason": "A storm", "key": "one form"}
    for _tap in range(2):
        managers_browser.post("/admin/loyalty/member/give-points/", form)
        merge(managers_browser, kept, gone)
    assert Member.objects.get(pk=kept.pk).points_balance == 210
    assert PointTransaction.objects.filter(type="bonus").count() == 2


def test_what_one_card_lacks_is_the_other_s(managers_browser, db):
    mailed, phoned = make_member("Ada", email="ada@example.com"), make_member("Ada K.", email="", phone="030 1")
    merge(managers_browser, mailed, phoned, email=phoned)
    member = Member.objects.get(erased_at=None)
    assert (member.name, member.email, member.phone) == ("Ada", "ada@example.com", "030 1")


def test_what_can_not_be_merged_is_left_as_it_is(managers_browser, cashiers_browser, cards):
    (_phone, gone), (_other, kept) = cards
    assert cashiers_browser.post(MERGE).status_code == 403
    assert "choose two members" in words_of(managers_browser.get(choose(managers_browser, kept)["Location"]))
    Member.objects.update(points_balance=MAX_POINTS)
    assert "No member can have more" in words_of(merge(managers_browser, kept, gone))
    Member.objects.filter(pk=gone.pk).update(points_balance=0, erased_at=timezone.now())
    assert "no longer in use" in words_of(merge(managers_browser, kept, gone))
    assert merge(managers_browser, kept, kept).status_code == 200
    assert not Member.objects.exclude(merged_into=None).exists()
