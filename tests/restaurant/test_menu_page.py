"""The menu's page, as a server serves it: whole, compressed, cached for phones with an empty cart."""

import gzip
import io
import re
from wsgiref.util import setup_testing_defaults

import psycopg
import pytest
from django.core.cache import cache
from django.db import connection
from django.http.cookie import parse_cookie

from config import wsgi
from restaurant.models import CartLine, MenuItem, TableSession
from restaurant.services import menu, sessions
from restaurant.views import menu as menu_views
from tests.conftest import PAGE, make_item, make_table, order_body
from tests.restaurant.menus import chosen_on
from tests.servers import database_url

# As under a server, the application drops connections that are in the midst of a transaction.
pytestmark = pytest.mark.django_db(transaction=True)


class Response:
    def __init__(self, status: str, headers: list[tuple[str, str]], body: bytes) -> None:
        self.status = int(status[:3])
        self.headers = {name: value for name, value in headers if name != "Set-Cookie"}
        self.cookies = dict(value.strip().split("=", 1) for name, value in headers if name == "Set-Cookie")
        self.size = len(body)
        is_compressed = self.headers.get("Content-Encoding") == "gzip"
        self.text = (gzip.decompress(body) if is_compressed else body).decode()


class Phone:
    def __init__(self) -> None:
        self.cookies: dict[str, str] = {}
        self.headers = {"HTTP_ACCEPT": PAGE, "HTTP_ACCEPT_ENCODING": "gzip, deflate", "HTTP_HOST": "localhost"}

    def get(self, path: str = "/table/7", **environ: str) -> Response:
        path, _, query = path.partition("?")
        found = {"REQUEST_METHOD": "GET", "PATH_INFO": path, "QUERY_STRING": query, "REMOTE_ADDR": "192.0.2.1"}
        found["HTTP_COOKIE"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        found |= self.headers | environ
        found["wsgi.input"] = io.BytesIO(b"abc")
        setup_testing_defaults(found)
        seen: list = []
        body = wsgi.application(found, lambda status, headers, *_: seen.append((status, headers)))
        response = Response(*seen[0], b"".join(body))
        for name, value in response.cookies.items():
            self.cookies[name] = parse_cookie(f"{name}={value}")[name]
        return response


@pytest.fixture
def phone(table, soup) -> Phone:
    """Has opened the menu twice, so that its page is cached."""
    phone = Phone()
    phone.get()
    phone.get()
    return phone


@pytest.fixture
def rendered(monkeypatch) -> list[str]:
    """The templates that were rendered to be cached as a whole."""
    seen: list[str] = []
    render = menu_views.render_to_string

    def render_and_note(name: str, *more, **named) -> str:
        seen.append(name)
        return render(name, *more, **named)

    monkeypatch.setattr(menu_views, "render_to_string", render_and_note)
    return seen


def lasting(response: Response) -> dict[str, str]:
    """The cookies, without the time at which they expire."""
    return {name: re.sub(r"expires=[^;]+; ", "", value, flags=re.I) for name, value in response.cookies.items()}


def counts(response: Response) -> dict[str, int]:
    """How many of each item this phone has in its cart, by the items' ids."""
    return {line["menuItemId"]: line["quantity"] for line in chosen_on(response.text)}


def test_the_cached_page_is_the_one_that_is_rendered_for_each_request(phone):
    cached, rendered = phone.get(), phone.get(HTTP_ACCEPT_ENCODING="identity")
    assert (cached.status, rendered.status) == (200, 200)
    assert cached.text == rendered.text
    assert cached.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in rendered.headers
    different = {"Content-Encoding", "Content-Length", "X-Request-ID"}
    assert {name: value for name, value in cached.headers.items() if name not in different | {"Vary"}} == {
        name: value for name, value in rendered.headers.items() if name not in different | {"Vary"}
    }
    assert "default-src 'self'" in cached.headers["Content-Security-Policy"]
    for response in (cached, rendered):
        assert {"Accept", "Accept-Encoding", "Cookie"} <= set(response.headers["Vary"].split(", "))
        assert response.headers["Cache-Control"] == "private, no-cache"
    assert lasting(cached) == lasting(rendered)
    assert set(cached.cookies) == {"sessionId", "tableSession"}


def test_it_is_rendered_once_for_all_phones_with_an_empty_cart(phone, rendered):
    for _ in range(3):
        Phone().get()
    assert not rendered
    make_table(8)
    assert "Table 8" in phone.get("/table/8").text
    assert len(rendered) == 1


def test_it_is_a_scan(phone):
    phone.get()
    assert TableSession.objects.get().total_scans == 3


def test_it_has_the_counts_of_the_phones_own_cart(phone, soup):
    bread = make_item("Bread", "4.25", category="Breads")
    session = TableSession.objects.get()
    for guest, item, quantity in ((phone.cookies["sessionId"], bread, 3), ("someone-else", soup, 8)):
        CartLine.objects.create(session=session, guest=guest, menu_item=item, quantity=quantity)
    page = phone.get()
    assert page.headers["Content-Encoding"] == "gzip"
    assert counts(page) == {str(bread.pk): 3}
    assert "€12.75" in page.text
    assert phone.get(HTTP_ACCEPT_ENCODING="identity").text == page.text


def test_two_carts_are_never_mixed_up(phone, soup):
    others = [Phone(), Phone()]
    for other in others:
        other.get()
    session = TableSession.objects.get()
    for other, quantity in zip(others, (2, 5), strict=True):
        CartLine.objects.create(session=session, guest=other.cookies["sessionId"], menu_item=soup, quantity=quantity)
    for _ in range(2):
        assert [counts(each.get()) for each in (phone, *others)] == [{}, {str(soup.pk): 2}, {str(soup.pk): 5}]
    CartLine.objects.all().delete()
    assert [counts(each.get()) for each in others] == [{}, {}]


def test_two_carts_with_as_many_items_show_each_its_own_sum(phone, soup):
    bread = make_item("Bread", "4.25", category="Breads")
    phones = [Phone(), Phone(), Phone()]
    for each in phones:
        each.get()
    session = TableSession.objects.get()
    for each, items in zip(phones, ([soup, soup], [bread, bread], [soup, bread]), strict=True):
        for item in set(items):
            values = {"guest": each.cookies["sessionId"], "menu_item": item, "quantity": items.count(item)}
            CartLine.objects.create(session=session, **values)
    for encoding in ("gzip", "identity", "gzip"):
        pages = [each.get(HTTP_ACCEPT_ENCODING=encoding) for each in (*phones, phone)]
        assert [sum_of(page) for page in pages] == ["€19.00", "€8.50", "€13.75", "€0.00"]


def sum_of(response: Response) -> str:
    """What the bar at the bottom says that the cart comes to."""
    return re.search(r'id="cart-total">([^<]*)<', response.text)[1]


def test_its_form_can_be_sent(phone, soup, client):
    assert "csrf" not in phone.get().text
    client.handler.enforce_csrf_checks = True
    client.cookies.load(phone.cookies)
    response = client.post("/table/7/cart", {"add": str(soup.pk)}, headers={"accept": PAGE})
    assert response.status_code == 303
    assert CartLine.objects.get().quantity == 1


def test_what_the_table_has_ordered_is_linked_and_counted_for_every_phone_at_once(phone, soup, api):
    assert "cart#ordered" not in phone.get().text
    for count in (1, 2):
        api.post("/table/7/order", order_body(TableSession.objects.get(), (soup, 1)), format="json")
        link = re.search(r'<a class="menu-link" href="/table/7/cart#ordered">(.*?)</a>', phone.get().text)[1]
        assert re.sub("<[^>]+>", " ", link).split() == ["Orders", "of", "your", "table:", str(count)]


def test_after_the_session_was_closed_it_opens_the_next(phone):
    old = TableSession.objects.get()
    sessions.close(table_number=7, session_id=str(old.pk))
    phone.get()
    new = TableSession.objects.exclude(pk=old.pk).get()
    assert (phone.cookies["tableSession"], new.total_scans) == (str(new.pk), 1)


@pytest.mark.parametrize(
    ("other", "status", "kind"),
    [
        ({"HTTP_ACCEPT": "application/json"}, 200, "application/json"),
        ({"HTTP_ACCEPT_ENCODING": "identity"}, 200, "text/html"),
        ({"HTTP_HOST": "evil.example"}, 400, "text/html"),
        ({"HTTP_SEC_PURPOSE": "prefetch"}, 503, "text/html"),
        ({"HTTP_PURPOSE": "prefetch"}, 503, "text/html"),
        ({"HTTP_AUTHORIZATION": "Token x"}, 302, ""),
        ({"REQUEST_METHOD": "HEAD"}, 200, "text/html"),
        ({"QUERY_STRING": "from=cart"}, 200, "text/html"),
        ({"QUERY_STRING": "format=json"}, 200, "application/json"),
        ({"PATH_INFO": "/table/8"}, 404, "text/html"),
        ({"PATH_INFO": "/table/07"}, 200, "text/html"),
        ({"HTTP_COOKIE": ""}, 200, "text/html"),
        ({"CONTENT_LENGTH": "3"}, 200, "text/html"),
        ({"HTTP_COOKIE": "sessionId=phone; tableSession=%"}, 200, "text/html"),
        ({"HTTP_COOKIE": "sessionId=a phone"}, 200, "text/html"),
    ],
)
def test_the_cached_page_is_served_to_nobody_who_asks_for_something_else(phone, other, status, kind):
    response = phone.get(**other)
    assert response.status == status
    assert response.headers.get("Content-Type", "").startswith(kind)
    assert ("Ribollita" in response.text) == (status == 200)


def test_the_limit_holds_for_cached_pages(phone, settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "public": "2/min"}
    assert [phone.get(REMOTE_ADDR="192.0.2.9").status for _ in range(3)] == [200, 200, 429]


def test_an_unknown_table_counts_once(phone, settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "public": "4/min"}
    statuses = [phone.get("/table/8", REMOTE_ADDR="192.0.2.9").status for _ in range(5)]
    assert statuses == [404, 404, 404, 404, 429]


@pytest.mark.parametrize("length", [1, 5000])
def test_what_phones_send_does_not_fill_the_cache(phone, length):
    before = len(cache._cache)
    for number in range(10):
        assert phone.get(HTTP_ACCEPT=f"text/html, text/{'x' * length}{number}").status == 200
        assert Phone().get(HTTP_ACCEPT_LANGUAGE="x" * length + str(number)).status == 200
    assert len(cache._cache) == before


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_a_menu_with_nothing_on_it_ends_where_it_ends(phone, soup, encoding):
    menu.set_available(MenuItem.objects.all(), available=False)
    for _ in range(2):
        page = phone.get(HTTP_ACCEPT_ENCODING=encoding)
        assert page.status == 200
        assert page.text.rstrip().endswith("</html>")
        assert "nothing on the menu" in page.text


def test_a_failure_is_a_page(phone):
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE restaurant_cartline RENAME TO elsewhere")
    try:
        page = phone.get()
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE elsewhere RENAME TO restaurant_cartline")
    assert page.status == 500
    assert "Something went wrong" in page.text


def test_a_restarted_database_costs_no_guest_an_error(phone):
    with psycopg.connect(database_url(), autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [connection.connection.info.backend_pid])
    assert phone.get().status == 200
