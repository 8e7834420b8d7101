"""GET /table/{n}: the session, the cookies and the menu."""

import re
from datetime import timedelta
from itertools import product

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from restaurant.billing.services import closing
from restaurant.models import TableSession
from restaurant.ordering.services import sessions
from tests.conftest import PAGE, make_item, order_body
from tests.reading import read

pytestmark = pytest.mark.django_db


def test_the_first_scan_opens_a_session_with_default_counters(api, table):
    response = api.get("/table/7")
    session = TableSession.objects.get()
    assert response.status_code == 200
    assert response["Content-Type"] == "application/json"
    assert response.json()["table"] == {"number": 7, "section": "Window"}
    assert response.json()["session"]["id"] == str(session.pk)
    assert (session.total_scans, session.total_orders, session.ended_at) == (1, 0, None)


def test_times_are_told_in_utc_with_an_offset(api, table, settings):
    settings.TIME_ZONE = "Asia/Tokyo"
    started = api.get("/table/7").json()["session"]["startedAt"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", started)


def test_a_second_scan_continues_the_session_and_counts(api, table):
    first = api.get("/table/7").json()["session"]["id"]
    second = api.get("/table/7").json()["session"]["id"]
    assert first == second
    assert TableSession.objects.get().total_scans == 2


def test_a_session_is_continued_for_four_hours(clock, table):
    clock(timezone.now())
    for begun, scans in ((timedelta(hours=4, seconds=1), 1), (timedelta(hours=3, minutes=59), 2)):
        old = TableSession.objects.create(table=table, started_at=timezone.now() - begun)
        is_continued = APIClient().get("/table/7").json()["session"]["id"] == str(old.pk)
        assert is_continued == (scans == 2)
        TableSession.objects.exclude(pk=old.pk).delete()
        old.refresh_from_db()
        assert (old.total_scans, old.ended_at) == (scans, None)
        old.delete()


def test_a_party_with_an_open_bill_goes_on_with_it_however_long_it_stays(api, table, soup, floor):
    other = APIClient()
    bill = api.get("/table/7").json()["session"]["id"]
    body = order_body(bill, (soup, 1))
    order = api.post("/table/7/order", body, format="json").json()["orderId"]
    TableSession.objects.update(started_at=timezone.now() - timedelta(hours=5))
    assert other.get("/table/7").json()["session"]["id"] != bill
    assert other.post("/table/7/order", body, format="json").status_code == 409  # it knows the id alone
    assert api.get("/table/7").json()["session"]["id"] == bill
    assert api.get("/table/7?from=cart").json()["session"]["id"] == bill
    assert "Order more" in api.get(f"/orders/{order}", headers={"accept": PAGE}).content.decode()
    api.post("/table/7/cart", {"menuItemId": str(soup.pk)}, format="json")
    assert 'id="place"' in api.get("/table/7/cart", headers={"accept": PAGE}).content.decode()
    assert api.post("/table/7/order", body, format="json").status_code == 200
    (left,) = floor.get("/floor").json()["leftOpen"]
    assert (left["id"], left["totalOrders"]) == (bill, 2)
    floor.post("/table/7/close", {"sessionId": bill}, format="json")
    assert api.get("/table/7").json()["session"]["id"] == other.get("/table/7").json()["session"]["id"] != bill


def test_a_bill_of_which_everything_is_cancelled_is_not_continued(api, table, soup):
    bill = api.get("/table/7").json()["session"]["id"]
    order = api.post("/table/7/order", order_body(bill, (soup, 1)), format="json").json()["orderId"]
    assert api.post(f"/orders/{order}/cancel").status_code == 200
    TableSession.objects.update(started_at=timezone.now() - timedelta(hours=5))
    assert api.get("/table/7").json()["session"]["id"] != bill


def test_an_ended_session_is_not_continued(api, table):
    ended = TableSession.objects.create(table=table, ended_at=timezone.now())
    assert api.get("/table/7").json()["session"]["id"] != str(ended.pk)


def test_a_session_that_is_closed_while_it_is_being_scanned_is_not_continued(table):
    read_before = TableSession.objects.create(table=table)
    closing.close_session(table_number=7, session_id=str(read_before.pk))
    assert sessions.continue_own(table_number=7, own_id=str(read_before.pk), guest="") is None
    session = sessions.open_or_continue(table_number=7)
    assert session.pk != read_before.pk
    read_before.refresh_from_db()
    assert (read_before.total_scans, session.total_scans) == (1, 1)


def test_a_head_request_opens_nothing_and_counts_nothing(api, table):
    assert api.head("/table/7").status_code == 200
    assert not TableSession.objects.exists()
    api.get("/table/7")
    api.head("/table/7")
    assert TableSession.objects.get().total_scans == 1


def test_a_prefetch_opens_nothing(subtests, api, table):
    for header in ["Sec-Purpose", "Purpose"]:
        with subtests.test(header=header):
            assert api.get("/table/7", headers={header: "prefetch"}).status_code == 503
            assert not TableSession.objects.exists()


PREVIEWERS = [
    "WhatsApp/2.24.13.77 A",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "TelegramBot (like TwitterBot)",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
]


def test_the_preview_of_a_link_seats_nobody_and_counts_nothing(api, table):
    def preview() -> None:
        for agent, accept in product(PREVIEWERS, ("application/json", PAGE)):
            assert api.get("/table/7", headers={"Accept": accept, "User-Agent": agent}).status_code == 200

    preview()
    assert not TableSession.objects.exists()
    api.get("/table/7")
    preview()
    assert TableSession.objects.get().total_scans == 1


def test_going_back_from_the_cart_is_not_a_scan(api, table):
    first = api.get("/table/7").json()["session"]["id"]
    again = api.get("/table/7?from=cart").json()["session"]["id"]
    assert again == first
    assert TableSession.objects.get().total_scans == 1


def test_the_cookie_is_new_for_a_new_phone_and_kept_for_a_known_one(api, table):
    response = api.get("/table/7")
    cookie = response.cookies["sessionId"]
    assert len(cookie.value) >= 20
    assert cookie.value != response.json()["session"]["id"]
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Lax", 4 * 3600)
    assert api.get("/table/7").cookies["sessionId"].value == cookie.value


def test_a_cookie_of_a_strange_form_is_renewed(subtests, api, table):
    for strange in ["", "with space", "<script>", "x" * 65]:
        with subtests.test(strange=strange):
            api.cookies["sessionId"] = strange
            renewed = api.get("/table/7").cookies["sessionId"].value
            assert renewed != strange
            assert re.fullmatch(r"[A-Za-z0-9_-]{20,64}", renewed)


def test_the_menu_holds_available_items_by_category_then_name(api, table):
    make_item("Zuppa", "8.00", category="Soups")
    make_item("Acquacotta", "7.00", category="Soups")
    make_item("Olives", "3.50", category="Bites")
    make_item("Mystery", "5.00", category="")
    make_item("Sold out", "5.00", category="Bites", available=False)
    menu = api.get("/table/7").json()["menu"]
    assert [(name, [item["name"] for item in items]) for name, items in menu.items()] == [
        ("Bites", ["Olives"]),
        ("Other", ["Mystery"]),
        ("Soups", ["Acquacotta", "Zuppa"]),
    ]
    fields = {"id", "name", "description", "price", "category", "image_url", "available", "created_at"}
    assert set(menu["Bites"][0]) == fields
    assert menu["Bites"][0]["price"] == 3.5


def test_an_unknown_table_is_plain_text_404_for_programs(subtests, api, table):
    for number in ["8", "0", "100000", "abc", "7.0", "-7", "٧", "9" * 30]:
        with subtests.test(number=number):
            response = api.get(f"/table/{number}")
            assert response.status_code == 404
            assert response["Content-Type"].startswith("text/plain")
            assert b"<" not in response.content


def test_an_unknown_table_is_a_friendly_page_for_people(browser_client, table):
    response = browser_client.get("/table/8")
    assert response.status_code == 404
    assert response["Content-Type"].startswith("text/html")
    assert "no table with this number" in response.content.decode()


def test_the_page_shows_what_the_json_says(browser_client, table, soup):
    page = browser_client.get("/table/7").content.decode()
    for text in ("Table 7", "Soups", "Ribollita", "€9.50", f'value="{soup.pk}"'):
        assert text in page


def test_a_category_may_have_any_name(browser_client, table):
    names = ["items", "keys", "<b>Soups</b>"]
    for name in names:
        make_item(f"Olives of {name[:4]}", "3.50", category=name)
    menu = read(browser_client.get("/table/7"))
    assert set(names) <= set(menu.names("heading"))
    for name in names:
        assert f"Olives of {name[:4]}" in menu


def test_the_first_view_is_small(browser_client, table):
    for number in range(45):
        make_item(f"Dish number {number}", "5.00", description="A description of the usual length. " * 3)
    response = browser_client.get("/table/7", headers={"accept": PAGE, "accept-encoding": "gzip"})
    assert response["Content-Encoding"] == "gzip"
    assert len(response.content) < 20_000
