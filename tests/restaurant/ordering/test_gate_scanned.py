"""The gate `scanned`: only phones that have scanned the table's code may fill a cart, order, call and see the bill."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.exceptions import ValidationError
from rest_framework.test import APIClient

from qrservice import gateway
from qrservice.services.scans import evict
from restaurant.models import Order, OrderingRules, Table, TableCall
from tests.conftest import PAGE, make_table, order_body, unknown_id
from tests.reading import read

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _gate(db):
    OrderingRules(gate="scanned").save()


def scan(phone: APIClient, table: Table) -> None:
    """As a camera opens the code: the short address, then where it leads."""
    response = phone.get(f"/q/{table.short_url.rpartition('/')[2]}")
    assert (response.status_code, response["Location"]) == (302, f"http://127.0.0.1:8000/table/{table.table_number}")
    phone.get(f"/table/{table.table_number}")


@pytest.fixture
def phone(table) -> APIClient:
    """At the table's page, by typing its address."""
    client = APIClient()
    client.get("/table/7")
    return client


def order(phone: APIClient, table: Table, soup):
    body = order_body(table.sessions.get(), (soup, 1))
    return phone.post(f"/table/{table.table_number}/order", body, format="json")


def add(phone: APIClient, soup):
    return phone.post("/table/7/cart", {"menuItemId": str(soup.pk)}, format="json")


def test_without_a_scan_the_menu_is_shown_and_cart_and_ordering_are_refused(phone, table, soup):
    assert phone.get("/table/7").status_code == 200
    refused = [add(phone, soup), phone.get("/table/7/cart"), order(phone, table, soup)]
    refused.append(phone.put("/table/7/cart", {"items": []}, format="json"))
    session_id = str(table.sessions.get().pk)
    refused.append(phone.get(f"/table/7/bill?sessionId={session_id}"))
    refused.append(phone.get("/table/7/bill"))
    refused += [phone.post("/table/7/calls", {"sessionId": session_id, "kind": kind}) for kind in ("waiter", "bill")]
    for response in refused:
        assert response.status_code == 403
        assert list(response.json()) == ["error"]
        assert "scan the code" in response.json()["error"]
    assert not Order.objects.exists()
    assert not TableCall.objects.exists()


def test_a_browser_gets_a_page_that_asks_to_scan(subtests, phone, table, soup):
    for send in ["cart", "order", "read", "bill", "call"]:
        with subtests.test(send=send):
            phone.credentials(HTTP_ACCEPT=PAGE)
            form = {"sessionId": str(table.sessions.get().pk), "menuItemId": str(soup.pk), "quantity": "1"}
            if send == "read":
                response = phone.get("/table/7/cart")
            elif send == "bill":
                response = phone.get("/table/7/bill")
            elif send == "call":
                response = phone.post("/table/7/calls", {**form, "kind": "waiter"})
            elif send == "cart":
                response = phone.post("/table/7/cart", {"add": str(soup.pk)})
            else:
                response = phone.post("/table/7/order", form)
            assert response.status_code == 403
            page = read(response)
            assert "Please scan the code on your table" in page
            assert "Error 403" not in page
            assert "/table/7?from=cart" in dict(map(reversed, page.links()))


def test_a_browser_that_keeps_no_cookies_is_told_so_and_not_only_to_scan_again(phone, table, soup):
    def ask(method: str, path: str, body: dict | None = None, **headers: str) -> tuple[int, bool, bool]:
        """From the menu's page: status, whether cookies are named, and whether the title does so."""
        headers = {"Accept": PAGE, "Referer": "http://testserver/table/7"} | headers
        answer = getattr(APIClient(), method)(path, body, headers=headers)
        return answer.status_code, "allow them for this site" in answer.text, "<h1>Your browser sent no" in answer.text

    whose = {"sessionId": str(table.sessions.get().pk)}
    assert ask("get", "/table/7/cart") == (404, True, True)
    assert ask("post", "/table/7/cart", {"add": str(soup.pk)}) == (404, True, True)
    assert ask("post", "/table/7/cart", {"add": str(soup.pk)}, Accept="application/json") == (404, True, False)
    assert ask("post", "/table/7/cart", {"add": str(soup.pk)} | whose) == (403, True, True)
    # Who has any cookie keeps them, and a link that somebody sent was opened without any.
    assert ask("get", "/table/7/cart", Cookie="a=b") == (404, False, False)
    assert ask("get", "/table/7/cart", Referer="https://mail.example/") == (404, False, False)


def test_after_the_scan_the_phone_fills_its_cart_and_orders(phone, table, soup):
    scan(phone, table)
    assert add(phone, soup).status_code == 200
    response = order(phone, table, soup)
    assert (response.status_code, response.json()["status"]) == (200, "pending")
    assert phone.get("/table/7/bill").json()["total"] == 9.5
    call = {"sessionId": str(table.sessions.get().pk), "kind": "waiter"}
    assert phone.post("/table/7/calls", call, format="json").status_code == 201


def test_the_code_on_a_printed_bill_is_enough_to_see_it(phone, table, soup, floor, monkeypatch):
    order(floor, table, soup)
    drawn = []
    monkeypatch.setattr("qrservice.gateway.symbol", lambda target: drawn.append(target) or "")
    floor.get("/table/7/bill", headers={"accept": PAGE})
    path = drawn[0].removeprefix("http://127.0.0.1:8000")
    assert APIClient().get(path).json()["total"] == 9.5
    three = [address for name, address in read(phone.get(path, HTTP_ACCEPT=PAGE)).links() if name == "3"]
    assert phone.get(three[0]).status_code == 200
    assert phone.get(path.replace("printed=", "printed=x")).status_code == 403
    assert phone.get(f"{path}&sessionId={unknown_id()}").status_code == 404


def test_the_proof_is_a_cookie_that_scripts_can_not_read(phone, table):
    scan(phone, table)
    cookie = phone.cookies["tableScan"]
    assert (cookie["httponly"], cookie["samesite"], int(cookie["max-age"])) == (True, "Lax", 4 * 60 * 60)


def test_a_scan_of_another_table_is_no_proof(phone, table, soup):
    scan(phone, make_table(8))
    assert order(phone, table, soup).status_code == 403


def test_a_forged_cookie_is_no_proof(subtests, phone, table, soup):
    for value in ["", "x", "{code}", "{code}:1rQq00:forged", "{code}:"]:
        with subtests.test(value=value):
            phone.cookies["tableScan"] = value.format(code=table.qr_analytics_id)
            assert order(phone, table, soup).status_code == 403


def test_a_table_without_a_code_takes_no_proof_at_all(phone, table, soup):
    Table.objects.update(qr_analytics_id="")
    assert order(phone, table, soup).status_code == 403
    phone.cookies["tableScan"] = gateway.signed_scan("")
    assert order(phone, table, soup).status_code == 403


def test_the_proof_lasts_four_hours(phone, table, soup, clock):
    now = datetime.now(UTC)
    clock(now)
    proof = gateway.signed_scan(table.qr_analytics_id)
    for waited, status in ((timedelta(hours=3, minutes=59), 200), (timedelta(hours=4, seconds=2), 403)):
        clock(now)
        phone.cookies["tableScan"] = proof
        clock(now + waited)
        table.sessions.update(started_at=now + waited)
        assert order(phone, table, soup).status_code == status


def test_the_proof_ends_with_the_session_and_not_with_that_of_others(phone, table, soup, floor, clock):
    now = datetime.now(UTC)
    other, guest = make_table(9), APIClient()
    table.sessions.all().delete()
    for minute, (who, at) in enumerate([(phone, table), (guest, other)]):
        clock(now + timedelta(minutes=minute))
        scan(who, at)
        assert order(who, at, soup).status_code == 200
    clock(now + timedelta(minutes=5))
    floor.post("/table/7/close", {"sessionId": str(table.sessions.get().pk)}, format="json")
    assert order(guest, other, soup).status_code == 200
    phone.get("/table/7")
    new = order_body(table.sessions.open().get(), (soup, 1))
    assert phone.post("/table/7/order", new, format="json").status_code == 403
    assert phone.get("/table/7/cart").status_code == 403
    evict(table.short_url.rpartition("/")[2])  # it is remembered for a moment
    scan(phone, table)
    assert phone.post("/table/7/order", new, format="json").status_code == 200
    # Two parties that join are not closed.
    joined = {"sessionId": str(other.sessions.get().pk), "to": 7}
    clock(now + timedelta(minutes=6))
    assert floor.post("/table/9/move", joined, format="json").status_code == 200
    assert phone.post("/table/7/order", new, format="json").status_code == 200


def test_a_replaced_code_leads_nowhere_and_its_scans_prove_nothing(phone, table, soup, manager):
    scan(phone, table)
    response = manager.post("/tables/7/code")
    assert response.status_code == 200
    assert set(response.json()) == {"tableNumber", "qrCodeUrl", "shortUrl", "analyticsId"}
    old = APIClient().get(f"/q/{table.short_url.rpartition('/')[2]}", headers={"accept": PAGE})
    assert old.status_code == 410
    assert "scan the new code on your table" in old.content.decode()
    assert "tableScan" not in old.cookies
    assert order(phone, table, soup).status_code == 403
    table.refresh_from_db()
    scan(phone, table)
    assert order(phone, table, soup).status_code == 200


def test_only_managers_replace_codes(table, floor, api):
    assert floor.post("/tables/7/code").status_code == 403
    assert api.post("/tables/7/code").status_code == 401


def test_after_replacing_a_code_a_browser_gets_the_new_card_to_print(manager, table):
    response = manager.post("/tables/7/code", headers={"accept": PAGE})
    assert (response.status_code, response["Location"]) == (303, "/tables/print?numbers=7")


def test_staff_pass(floor, phone, table, soup):
    assert order(floor, table, soup).json()["status"] == "pending"
    assert floor.get(f"/table/7/cart?sessionId={table.sessions.get().pk}").status_code == 200
    assert floor.get("/table/7/bill").status_code == 200
    call = {"sessionId": str(table.sessions.get().pk), "kind": "waiter"}
    assert floor.post("/table/7/calls", call, format="json").status_code == 201


def test_a_phone_whose_party_was_moved_has_proof_for_the_new_table(phone, table, soup, floor):
    scan(phone, table)
    other = make_table(9)
    floor.post("/table/7/move", {"sessionId": str(table.sessions.get().pk), "to": 9}, format="json")
    session = other.sessions.get()
    for number in (7, 9):  # from a page that was open meanwhile, and from the new table's
        response = phone.post(f"/table/{number}/order", order_body(session, (soup, 1)), format="json")
        assert response.status_code == 200, response.content
    stranger = APIClient()
    stranger.get("/table/9")
    assert order(stranger, other, soup).status_code == 403


def test_a_phone_that_is_led_to_the_new_table_gets_its_proof(phone, table, soup, floor):
    scan(phone, table)
    other = make_table(9)
    floor.post("/table/7/move", {"sessionId": str(table.sessions.get().pk), "to": 9}, format="json")
    response = phone.get("/table/7", headers={"accept": PAGE})
    assert (response.status_code, response["Location"]) == (302, "/table/9?from=cart")
    assert gateway.scan_in(response.cookies["tableScan"].value).code == other.qr_analytics_id


def test_a_hosted_code_service_can_not_prove_scans_so_the_gate_is_refused(settings):
    settings.QR_SERVICE_URL, settings.QR_SERVICE_API_KEY = "https://codes.example", "key"
    with pytest.raises(ValidationError) as raised:
        OrderingRules(gate="scanned").full_clean()
    assert "hosted" in str(raised.value.message_dict["gate"])
    for gate in ("open", "approved"):
        OrderingRules(pk=1, gate=gate).clean()


def test_large_orders_wait_behind_this_gate_too(phone, table, soup):
    OrderingRules(gate="scanned", approval_above="9.00").save()
    assert order(phone, table, soup).status_code == 403
    scan(phone, table)
    assert order(phone, table, soup).json()["status"] == "held"
