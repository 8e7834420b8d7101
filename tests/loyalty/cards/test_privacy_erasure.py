"""A member is erased: nothing in the database names them, and the figures don't change."""

import subprocess
from datetime import timedelta

import pytest
from axes.models import AccessAttempt
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.management import call_command
from django.utils import timezone
from rest_framework.test import APIClient

from config.serving.pg_programs import command
from loyalty.models import Member, Programme, Redemption
from qrservice.models import Code
from restaurant.models import OrderItem
from tests.conftest import PAGE, browser_of, make_user, signed_in
from tests.loyalty.making import change, earn_body, enrol, make_member, make_reward, redeem, with_token
from tests.loyalty.members.test_sign_in_links import link, request_link
from tests.loyalty.whole_life import EMAIL, NAME, PHONE, live, order_soup

pytestmark = pytest.mark.django_db

GONE = "This card is no longer in use. Its owner has left the programme."


def erase(client, member, **extra):
    return client.post(f"/member/{member.pk}/erase", {}, format="json", **extra)


def by_link(email: str = "ada@example.com") -> tuple[APIClient, Member]:
    """A phone that has just opened its card by a link."""
    phone, member = enrol(email)
    request_link(phone, email=email)
    assert phone.post(link()).status_code == 200
    member.refresh_from_db()
    return phone, member


@pytest.fixture
def manager(db) -> APIClient:
    return with_token(make_user("Managers", "boss"))


# --- what is left ---------------------------------------------------------------------------------


def dump() -> str:
    line, environment = command("pg_dump", "--format=plain", "--no-owner")
    return subprocess.run(line, env=environment, capture_output=True, text=True, check=True).stdout.casefold()


REPORTS = ["loyalty", "loyalty/segments", "loyalty/re-engagement", "restaurant", "restaurant/day", "restaurant/menu"]


def reports(manager: APIClient, member: Member) -> dict[str, object]:
    found = {name: manager.get(f"/reports/{name}").json() for name in REPORTS}
    for customer in found["loyalty"]["topCustomers"]:
        del customer["name"]
    own = manager.get(f"/reports/members/{member.pk}").json()
    del own["customer"]["name"], own["engagement"]["totalScans"], own["scanLocations"]
    own["recentActivity"] = [(row["type"], row["points"]) for row in own["recentActivity"]]
    own.pop("warnings", None)
    return {**found, "own": own}


@pytest.mark.django_db(transaction=True)
def test_a_dump_of_the_database_does_not_name_the_member_and_reports_are_the_same(manager):
    Programme.objects.create(silver_from=500)
    member = live(manager)
    names = [text.casefold() for text in (NAME, EMAIL, PHONE, NAME.replace('"', '\\"'), "exämple.org")]
    before, text = reports(manager, member), dump()
    assert all(name in text for name in names[:3])
    points = (Member.objects.get(pk=member.pk).points_balance, member.transactions.count())
    response = erase(manager, member)
    assert (response.status_code, response.json()) == (200, {"success": True})
    text = dump()
    for name in names:
        place = text.find(name)
        assert place < 0, text[max(0, place - 300) : place + 300]
    assert {"basket": "kept"} in [session.get_decoded() for session in Session.objects.all()]
    assert reports(manager, member) == before
    member.refresh_from_db()
    assert (member.points_balance, member.transactions.count()) == points
    assert (member.note, member.offers_agreed_at) == ("", None)
    assert OrderItem.objects.get().special_instructions == "For …, call …"
    call_command("check_ledger")
    _phone, again = enrol(EMAIL, NAME)
    assert again.pk != member.pk
    assert again.points_balance == 100


def test_only_this_member_s_texts_change(manager):
    other = make_member("Ada Quoxworthy", phone="+43 699 555 01 78")
    make_member("Zerlinda")
    gone = make_member("Soup", email="soup@example.com", phone="1")
    order_soup("No soup spoon for table 1, please")
    AccessAttempt.objects.create(username="anna", failures_since_start=1, post_data="soup")
    assert erase(manager, gone).status_code == 200
    other.refresh_from_db()
    assert (other.name, other.phone) == ("Ada Quoxworthy", "+43 699 555 01 78")
    assert OrderItem.objects.get().special_instructions == "No soup spoon for table 1, please"
    assert AccessAttempt.objects.count() == 1


# --- who may, and what it asks --------------------------------------------------------------------


def test_a_member_needs_a_link_of_the_last_hour(clock):
    phone, member = enrol()
    assert erase(phone, member).status_code == 403
    assert phone.get(f"/member/{member.pk}/erase").json()["mayErase"] is False
    change(member, signed_in_at=timezone.now())  # by another phone
    assert erase(phone, member).status_code == 403
    now = timezone.now()
    clock(now)
    phone, member = by_link("bea@example.com")
    clock(now + timedelta(minutes=61))
    assert erase(phone, member).status_code == 403
    clock(now + timedelta(minutes=59))
    assert phone.get(f"/member/{member.pk}/erase").json()["mayErase"] is True
    assert erase(phone, member).status_code == 200


def test_a_phone_that_signed_out_or_is_signed_in_to_another_card_may_not(api):
    phone, member = by_link()
    assert erase(phone, make_member()).status_code == 403
    phone.post("/member-sign-out")
    assert erase(phone, member).status_code == 401
    assert erase(api, member).status_code == 401


def test_managers_may_and_other_staff_may_not(manager):
    member = make_member()
    for group in ("Cashiers", "Floor"):
        assert erase(signed_in(make_user(group)), member).status_code == 403
    assert erase(manager, member).status_code == 200
    entry = LogEntry.objects.get()
    assert (entry.object_repr, entry.change_message, entry.user.username) == ("Erased member", "Erased.", "boss")


def test_the_page_asks_first_and_names_what_is_lost():
    phone, member = by_link()
    redeem(phone, member, make_reward("Free coffee", points=40))
    page = phone.get(f"/member/{member.pk}/erase", headers={"accept": PAGE}).content.decode()
    assert "Leave the programme?" in page
    assert "<strong>60 points</strong>" in page
    assert "<strong>Free coffee</strong>: its code is not accepted any more" in page
    assert Member.objects.get().erased_at is None
    response = phone.post(f"/member/{member.pk}/erase", headers={"accept": PAGE, "sec-fetch-site": "same-origin"})
    assert (response.status_code, response["Location"]) == (303, f"/member/{member.pk}?left=yes")
    assert response.cookies["member"].value == response.cookies["member_link"].value == ""
    response = phone.get(response["Location"], headers={"accept": PAGE})
    assert response.status_code == 404
    assert "You have left the programme" in response.content.decode()
    page = APIClient().get(f"/member/{member.pk}", headers={"accept": PAGE}).content.decode()
    assert "This card is no longer in use" in page
    assert "Get a new card" in page


def test_the_page_of_a_phone_without_a_link_offers_one():
    phone, member = enrol()
    page = phone.get(f"/member/{member.pk}/erase", headers={"accept": PAGE}).content.decode()
    assert "Email me a link" in page
    assert "Delete my data" not in page


def test_another_site_can_not_erase(manager):
    phone, member = by_link()
    assert erase(phone, member, headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert Member.objects.get().erased_at is None


# --- afterwards -----------------------------------------------------------------------------------


def test_everything_about_the_card_says_that_it_is_gone(manager, till, location, api):
    phone, member = by_link()
    reward = make_reward(points=10)
    code = redeem(phone, member, reward).json()["redemptionCode"]
    purchase = till.post("/earn", earn_body(member, location, 10), format="json")["Location"]
    request_link(phone, email=member.email)
    erase(phone, member)
    answers = [
        api.get(f"/member/{member.pk}"),
        phone.get(f"/member/{member.pk}"),
        till.get(f"/member/{member.pk}"),
        phone.get(f"/member/{member.pk}/data"),
        manager.get(f"/member/{member.pk}/data"),
        erase(phone, member),
        erase(manager, member),
        till.post("/earn", earn_body(member, location, 10), format="json"),
        redeem(till, member, reward),
        till.post(f"{purchase}/reverse", {}, format="json"),
        till.post(f"/use/{code}/cancel"),
        api.get(f"/checkin/{location.pk}?member={member.pk}"),
        api.get(f"/rewards?customerId={member.pk}"),
    ]
    assert [(answer.status_code, answer.json()) for answer in answers] == [(404, {"error": GONE, "erased": True})] * 13
    assert redeem(phone, member, reward).status_code == 401
    report = manager.get(f"/reports/members/{member.pk}").json()
    assert (report["customer"]["name"], report["engagement"]["totalScans"]) == ("Erased member", None)
    assert phone.post(link()).status_code == 410
    assert (till.get(f"/use/{code}").status_code, till.get("/till?q=erased").json()["members"]) == (400, [])
    assert manager.get("/reports/loyalty").json()["topCustomers"][0]["name"] == "Erased member"
    mail.outbox.clear()
    assert request_link(phone, email="ada@example.com").status_code == 202
    assert request_link(phone, customerId=str(member.pk)).status_code == 202
    assert mail.outbox == []


def test_nobody_is_to_write_to_them(manager):
    weeks_ago = timezone.now() - timedelta(days=50)
    other, gone = (make_member(last_activity_at=weeks_ago) for _ in range(2))
    erase(manager, gone)
    targets = manager.get("/reports/loyalty/re-engagement").json()["targets"]
    assert [target["id"] for target in targets] == [str(other.pk)]


def test_codes_are_disabled_and_lead_to_nobody():
    phone, member = by_link()
    redeem(phone, member, make_reward(points=10))
    slug = Code.objects.get(analytics_id=member.qr_analytics_id).slug
    erase(phone, member)
    assert {(code.status, str(code.metadata), code.target) for code in Code.objects.all()} == {
        ("disabled", "{}", "http://127.0.0.1:8000/")
    }
    assert phone.get(f"/q/{slug}").status_code == 410
    member.refresh_from_db()
    assert (member.qr_analytics_id, member.short_url, member.qr_code_url) == ("", "", "")
    assert Redemption.objects.get().qr_analytics_id == ""


def test_codes_that_the_service_could_not_disable_are_disabled_by_tidy(code_service, settings):
    phone, member = by_link()
    redeem(phone, member, make_reward(points=10))
    code_service()
    assert erase(phone, member).status_code == 200
    assert Code.objects.filter(status="active").count() == 2
    settings.QR_SERVICE_URL = ""
    call_command("tidy")
    assert Code.objects.filter(status="active").count() == 0
    assert not Redemption.objects.exclude(qr_analytics_id="").exists()


def test_the_admin_shows_an_erased_member_that_nobody_can_change(manager):
    member = make_member("Ada Lovelace")
    browser = browser_of(make_user("Managers"))
    page = f"/admin/loyalty/member/{member.pk}/change/"
    assert f'href="/member/{member.pk}/erase"' in browser.get(page).content.decode()
    response = browser.post(f"/member/{member.pk}/erase", headers={"accept": PAGE, "sec-fetch-site": "same-origin"})
    assert (response.status_code, response["Location"]) == (303, page)
    shown = browser.get(page).content.decode()
    assert "Erased member" in shown
    assert "The card is erased." in shown
    assert "Ada Lovelace" not in shown
    assert "/erase" not in shown
    for path, form in (("change", {"name": "x", "email": "x@example.com"}), ("points", {"direction": "give"})):
        assert browser.post(page.replace("change", path), form).status_code == 403
    assert Member.objects.get().name == "Erased member"
