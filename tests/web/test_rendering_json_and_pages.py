"""One URL serves JSON to programs and a page to browsers; errors, limits and bodies are handled alike everywhere."""

import pytest
from django.core.management import call_command

from restaurant.models import TableSession
from tests.conftest import PAGE, make_table, order_body
from tests.reading import read

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("one_window")]


KINDS = {
    None: "application/json",
    "*/*": "application/json",
    "application/json": "application/json",
    "image/png": "application/json",
    "text/html;q=0.5, application/json": "application/json",
    PAGE: "text/html",
    "text/html": "text/html",
    "application/json;q=0.1, text/html": "text/html",
    "text/html," + "a/b;q=0.5," * 90: "text/html",
    "text/html," + "a/b;q=0.5," * 100: "application/json",  # longer than any browser's: none, and not parsed
}


def test_the_accept_header_chooses(api, table):
    for accept, kind in KINDS.items():
        answer = api.get("/table/7", headers={"Accept": accept} if accept else {})
        assert answer["Content-Type"].split(";")[0] == kind, accept
        assert "accept" in answer["Vary"].lower()


def test_format_overrides_the_header(api, table):
    assert api.get("/table/7?format=html")["Content-Type"].startswith("text/html")
    assert api.get("/table/7?format=json", headers={"Accept": PAGE})["Content-Type"] == "application/json"
    assert api.get("/table/7?format=xml").status_code == 404


def test_a_path_ends_without_a_slash(api, table):
    assert api.get("/table/7/").status_code == 404


def test_framework_errors_have_one_sentence(api, table):
    for method, path in (
        ("get", "/nowhere"),
        ("get", "/table/7/order"),
        ("delete", "/table/7"),
        ("options", "/table/7"),
    ):
        answer = getattr(api, method)(path)
        assert answer.status_code in {404, 405}
        assert list(answer.json()) == ["error"], (method, path)


def test_a_link_that_is_shared_is_described(browser_client, table):
    descriptions = {
        "/": "Regulars: order at your table by phone, and collect points.",
        "/table/7": "The menu of Regulars. Order from your phone at table 7.",
        "/signup": "A card on your phone: collect points at Regulars and take rewards for them.",
    }
    for path, words in descriptions.items():
        page = read(browser_client.get(path)).element
        assert page.xpath("//meta[@name='description']/@content") == [words]


def test_people_get_error_pages(browser_client):
    answer = browser_client.get("/nowhere")
    assert answer.status_code == 404
    page = read(answer)
    assert "Page not found" in page
    assert "There is nothing at this address" not in page  # which says the same again
    assert "Error 404" not in page
    assert "Scan the code on its card" in page


def test_a_failure_of_ours_shows_no_traceback(client, table, monkeypatch):
    def fail():
        raise RuntimeError("secret detail")

    monkeypatch.setattr("restaurant.ordering.views.menu.menu_state", fail)
    client.raise_request_exception = False
    for accept in ("*/*", PAGE):
        answer = client.get("/table/7", headers={"accept": accept})
        assert answer.status_code == 500
        assert b"secret detail" not in answer.content
        assert b"Traceback" not in answer.content
    assert client.get("/table/7").json().keys() == {"error"}


def test_the_limit_of_public_reads_says_when_to_come_back(api, table, settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "public": "2/min", "order": "2/min"}
    answers = [api.get("/table/7") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert int(answers[2]["Retry-After"]) > 0
    assert set(answers[2].json()) == {"error"}
    assert api.get("/table/7", REMOTE_ADDR="203.0.113.9").status_code == 200


def test_orders_are_limited_by_table_session_and_not_by_address(api, session, soup, settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "public": "2/min", "order": "2/min"}
    codes = [api.post("/table/7/order", order_body(session, (soup, 1)), format="json").status_code for _ in range(3)]
    assert codes == [200, 200, 429]
    neighbours = TableSession.objects.create(table=make_table(8))
    assert api.post("/table/8/order", order_body(neighbours, (soup, 1)), format="json").status_code == 200


def test_the_description_of_the_endpoints_is_served_and_its_page_loads_nothing_from_elsewhere(api):
    schema = api.get("/api/schema", headers={"Accept": "application/json"})
    assert schema.status_code == 200
    assert {"/table/{table_number}", "/orders/{order_id}/status", "/kitchen"} <= set(schema.json()["paths"])
    page = api.get("/api/docs", headers={"Accept": "text/html"}).content.decode()
    assert "https://" not in page
    assert "http://" not in page


def test_a_body_that_no_endpoint_could_want_is_413(api, session):
    answer = api.post("/table/7/order", " " * (1024 * 1024 + 1), content_type="application/json")
    assert (answer.status_code, set(answer.json())) == (413, {"error"})


def test_json_nested_too_deeply_is_400(api, session):
    answer = api.post("/table/7/order", "[" * 100_000, content_type="application/json")
    assert (answer.status_code, set(answer.json())) == (400, {"error"})


def test_spelling_a_session_differently_is_no_way_around_the_limit(api, session, soup, settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "public": "2/min", "order": "2/min"}
    bodies = [order_body(spelling, (soup, 1)) for spelling in (str(session.pk), str(session.pk).upper()) * 2]
    assert [api.post("/table/7/order", body, format="json").status_code for body in bodies] == [200, 200, 429, 429]


def test_phones_that_ask_for_their_orders_do_not_use_up_the_address_s_limit(api, session, soup, settings):

    ids = [api.post("/table/7/order", order_body(session, (soup, 1)), format="json").json()["orderId"] for _ in "ab"]
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "public": "2/min", "order": "2/min"}
    assert [api.get(f"/orders/{order_id}").status_code for order_id in ids * 2] == [200] * 4
    assert api.get("/table/7").status_code == 200


def test_codes_and_their_pictures_are_limited_by_address(client, table, settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "code": "3/min"}
    slug = table.short_url.rpartition("/")[2]
    paths = [f"/q/{slug}", f"/Q/{slug}", f"/qr/{slug}", f"/q/{slug}", "/q/00000000"]
    statuses = [client.get(path, REMOTE_ADDR="198.51.100.4") for path in paths]
    assert [answer.status_code for answer in statuses] == [302, 302, 200, 429, 429]
    assert 0 < int(statuses[-1]["Retry-After"]) <= 60
    assert client.get(f"/q/{slug}", REMOTE_ADDR="198.51.100.5").status_code == 302


def test_an_address_that_can_not_be_is_404(client, db):
    for path in ("/q/%00", "/qr/%00", "/q/%FF", "/qr/" + "x" * 3000, "/table/%00", "/orders/%00"):
        assert client.get(path).status_code == 404, path


def test_the_description_is_valid_and_complete(tmp_path):
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(tmp_path / "schema.yml"))
    assert (tmp_path / "schema.yml").stat().st_size > 10_000
