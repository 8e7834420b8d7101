import re
from datetime import timedelta
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone

from loyalty.members.services import members
from loyalty.models import Member, PointTransaction, Redemption
from loyalty.points.services import points, reversals
from tests.loyalty.admin.pages import found, list_of, make_redemption, page_of, text_of, words_of
from tests.loyalty.making import change, enrol, make_location, make_member
from tests.reading import read

pytestmark = pytest.mark.usefixtures("noon")


def details(member, **values) -> dict:
    return {"name": member.name, "email": member.email, "phone": member.phone, **values}


# --- the list -------------------------------------------------------------------------------------


def test_the_list_says_who_a_member_is_and_what_they_have(managers_browser):
    make_member("Grace Hopper", lifetime=5200, balance=300, email="grace@example.com", phone="555 0100")
    page = words_of(managers_browser.get(list_of("member")))
    for words in ("1 member ", "Grace Hopper", "grace@example.com", "555 0100", "gold", " 300 ", " 5,200 "):
        assert words in page


def test_members_are_filtered_by_tier(managers_browser, member):
    gold = make_member(lifetime=6000)
    assert found(managers_browser, "member", tier__exact="gold") == [gold]


def test_who_came_last_stands_first(managers_browser):
    now = timezone.now()
    never = make_member(last_activity_at=None)
    early, late = (make_member(last_activity_at=now - timedelta(days=days)) for days in (9, 2))
    assert found(managers_browser, "member") == [late, early, never]


def test_members_are_filtered_by_whether_they_agreed_to_offers(managers_browser, member):
    now = timezone.now()
    agreed = make_member(offers_agreed_at=now)
    assert found(managers_browser, "member", offers="yes") == [agreed]
    assert found(managers_browser, "member", offers="no") == [member]


def test_members_are_filtered_by_when_they_were_last_active(managers_browser):
    now = timezone.now()
    periods = {"30": 1, "90": 31, "180": 91, "older": 181}
    members = {each: make_member(last_activity_at=now - timedelta(days=days)) for each, days in periods.items()}
    members["never"] = make_member(last_activity_at=None)
    assert {each: found(managers_browser, "member", active=each) for each in members} == {
        each: [member] for each, member in members.items()
    }


# --- one member -----------------------------------------------------------------------------------


def test_name_email_and_phone_are_corrected(managers_browser, member):
    values = {"name": "Ada King", "email": "ada@example.org", "phone": "555"}
    assert managers_browser.post(page_of(member), values).status_code == 302
    member.refresh_from_db()
    assert (member.name, member.email, member.phone) == ("Ada King", "ada@example.org", "555")
    assert LogEntry.objects.get(object_id=str(member.pk)).user.username == "mia"


def test_staff_note_what_they_should_know_about_a_guest(managers_browser, member):
    assert managers_browser.post(page_of(member), details(member, note="Likes the window")).status_code == 302
    assert "Likes the window" in text_of(managers_browser.get(page_of(member)))
    for path in (f"/member/{member.pk}", f"/checkin/{make_location().pk}?member={member.pk}"):
        assert "Likes the window" not in managers_browser.get(path).content.decode()
        assert (
            "Likes the window"
            not in managers_browser.get(path, headers={"accept": "application/json"}).content.decode()
        )
    refused = managers_browser.post(page_of(member), details(member, note="x" * 501))
    assert "at most 500 characters (it has 501)" in words_of(refused)


def test_what_a_member_agreed_to_is_noted_with_its_day(managers_browser, member):
    now = timezone.now()
    assert "Offers by email Not agreed" in words_of(managers_browser.get(page_of(member)))
    managers_browser.post(page_of(member), details(member, offers="on"))
    change(member)
    agreed_at = member.offers_agreed_at
    assert now <= agreed_at
    assert "Offers by email Agreed " in words_of(managers_browser.get(page_of(member)))
    managers_browser.post(page_of(member), details(member, offers="on", name="Ada King"))
    change(member)
    assert (member.name, member.offers_agreed_at) == ("Ada King", agreed_at)
    managers_browser.post(page_of(member), details(member))
    change(member)
    assert member.offers_agreed_at is None


def test_nothing_else_of_a_member_can_be_sent(managers_browser, member):
    forged = {"points_balance": 9999, "lifetime_points": 9999, "tier": "platinum", "created_at_0": "2001-01-01"}
    before = Member.objects.values().get()
    assert managers_browser.post(page_of(member), details(member, **forged)).status_code == 302
    assert Member.objects.values().get() == before


def test_points_that_come_in_while_a_member_is_saved_are_not_lost(managers_browser, member, monkeypatch):
    def slowly(*, member, changes, correct=members.correct):
        points.adjust(member=member, points=50, reason="A surprise", staff_id="carla")
        correct(member=member, changes=changes)

    monkeypatch.setattr(members, "correct", slowly)
    assert managers_browser.post(page_of(member), details(member, name="Ada King")).status_code == 302
    member.refresh_from_db()
    assert (member.name, member.points_balance) == ("Ada King", 150)


def test_an_address_that_another_card_has_is_refused_in_words(managers_browser, member):
    make_member("Grace Hopper", email="grace@example.com")
    page = words_of(managers_browser.post(page_of(member), details(member, email="GRACE@example.com")))
    assert "belongs to another card: Grace Hopper" in page


def test_the_case_of_the_own_address_may_change(managers_browser, member):
    assert managers_browser.post(page_of(member), details(member, email=member.email.upper())).status_code == 302


def test_the_page_shows_the_members_code(managers_browser):
    _phone, member = enrol()
    page = read(managers_browser.get(page_of(member)))
    assert any(re.fullmatch(r"http.+/qr/\w+\?size=512", picture["src"]) for picture in page.all("image"))
    assert any(address.endswith("?size=2048") for address in page.addresses())


def test_the_page_shows_the_ledger_to_read(managers_browser, member, location):
    points.award(member_id=str(member.pk), location_id=str(location.pk), order_total=20, staff_id="carla")
    response = managers_browser.get(page_of(member))
    page = words_of(response)
    assert "Harbour +20 €20.00 carla Take back" in page
    names = read(response).element.xpath("//@name")
    assert not any("transaction" in name or "points" in name for name in names)


def test_the_page_says_what_a_member_spent_without_what_was_taken_back(managers_browser, member, location):
    for total in (20, 30):
        points.award(member_id=str(member.pk), location_id=str(location.pk), order_total=total, staff_id="carla")
    assert "Spent €50.00 Purchases 2 " in words_of(managers_browser.get(page_of(member)))
    row = member.transactions.get(order_total=30)
    reversals.take_back_purchase(transaction_id=str(row.pk), note="", recorded_by="mia", is_manager=True)
    assert "Spent €20.00 Purchases 1 " in words_of(managers_browser.get(page_of(member)))


def test_the_page_says_what_is_left_to_the_next_tier_and_how_often_the_member_comes(managers_browser, member, location):
    for days in (40, 30, 20, 0):
        points.award(member_id=str(member.pk), location_id=str(location.pk), order_total=20, staff_id="carla")
        first = member.transactions.purchases().latest("created_at", "pk")
        type(first).objects.filter(pk=first.pk).update(created_at=timezone.now() - timedelta(days=days))
        page = words_of(managers_browser.get(page_of(member)))
        assert ("Purchases 4 about every 13 days" in page) is (days == 0)
    assert f"Bronze {1000 - 180} to Silver" in page


def test_a_long_ledger_is_cut_and_the_page_says_where(managers_browser, member):
    rows = [PointTransaction(customer=member, type="bonus", points=1, description=f"No. {n}.") for n in range(60)]
    PointTransaction.objects.bulk_create(rows)
    response = managers_browser.get(page_of(member))
    assert "Show all 61" in words_of(response)
    address = next(link for link in read(response).addresses() if "pointtransaction/?customer__id__exact=" in link)
    make_member("Somebody else")
    assert len(managers_browser.get(address).context["cl"].queryset) == 61


def test_the_page_shows_the_redemptions(managers_browser, member, reward):
    make_redemption(member, reward)
    for values, state in (
        ({}, "Active"),
        ({"expires_at": timezone.now() - timedelta(days=1)}, "Expired"),
        ({"status": "used", "used_at": timezone.now()}, "Used"),
        ({"status": "cancelled", "used_at": None}, "Cancelled"),
    ):
        Redemption.objects.update(**values)
        page = words_of(managers_browser.get(page_of(member)))
        assert re.search(rf"RWD-AAAAAA Free coffee \d+ {state}", page), state


# --- adding and deleting --------------------------------------------------------------------------


def test_adding_a_member_is_enrolling_one(managers_browser):
    assert managers_browser.get("/admin/loyalty/member/add/")["Location"] == "/signup"
    posted = managers_browser.post("/admin/loyalty/member/add/", {"name": "A", "email": "a@example.com"})
    assert posted["Location"] == "/signup"
    assert Member.objects.count() == 0


def test_a_member_with_a_ledger_can_not_be_deleted(owners_browser, member):
    assert "Delete" not in words_of(owners_browser.get(page_of(member)))
    assert owners_browser.post(page_of(member).replace("change", "delete"), {"post": "yes"}).status_code == 403
    owners_browser.post(
        list_of("member"), {"action": "delete_selected", "_selected_action": [member.pk], "post": "yes"}
    )
    assert Member.objects.filter(pk=member.pk).exists()


def test_a_member_without_a_ledger_can_be_deleted(managers_browser):
    stray = Member.objects.create(name="A mistake", email="stray@example.com")
    assert managers_browser.post(page_of(stray).replace("change", "delete"), {"post": "yes"}).status_code == 302
    assert Member.objects.count() == 0


# --- others ---------------------------------------------------------------------------------------


def test_a_cashier_has_no_business_here(cashiers_browser, member):
    assert cashiers_browser.get(list_of("member")).status_code == 403
    assert cashiers_browser.get(page_of(member)).status_code == 403
    assert cashiers_browser.post(page_of(member), details(member, name="Mine")).status_code == 403
    change(member)
    assert member.name == "Ada Lovelace"


def test_saving_a_member_leads_back_to_the_list_as_it_was_searched_and_filtered(managers_browser):
    grace = make_member("Grace Hopper", email="grace@example.com")
    filters = {"q": '"grace hopper"', "tier__exact": "bronze"}
    page = text_of(managers_browser.get(list_of("member"), filters))
    address = read(page).one("link", "Grace Hopper")["href"]
    assert urlsplit(address).path == page_of(grace)
    saved = managers_browser.post(address, details(grace, name="Grace B. Hopper"))
    assert saved.status_code == 302
    assert urlsplit(saved["Location"]).path == list_of("member")
    assert dict(parse_qsl(urlsplit(saved["Location"]).query)) == filters
