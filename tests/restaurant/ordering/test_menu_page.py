"""The menu's page, as a server serves it: whole, compressed, cached for phones with an empty cart."""

import gzip
import re

import psycopg
import pytest
from django.core.cache import cache
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.client import FakePayload
from django.utils import timezone

from restaurant.billing.services import closing
from restaurant.menu.services import menu
from restaurant.models import CartLine, MenuItem, TableSession
from restaurant.ordering.views import menu as menu_views
from tests.conftest import PAGE, make_item, make_table, order_body
from tests.reading import Part, read
from tests.restaurant.menu.menus import chosen_on
from tests.restaurant.ordering.wsgi_phone import Phone
from tests.servers import database_url

pytestmark = pytest.mark.django_db


class Guest(Client):
    """A browser that understands gzip, and gets a page for an error."""

    def __init__(self) -> None:
        super().__init__(
            raise_request_exception=False,
            headers={"accept": PAGE, "accept-encoding": "gzip, deflate"},
            REMOTE_ADDR="192.0.2.1",
        )

    def menu(self, path: str = "/table/7", **environ) -> HttpResponse:
        return self.get(path, **environ)


def text_of(response: HttpResponse) -> str:
    is_compressed = response.get("Content-Encoding") == "gzip"
    return (gzip.decompress(response.content) if is_compressed else response.content).decode()


def shown(response: HttpResponse) -> Part:
    return read(text_of(response))


@pytest.fixture
def phone(table, soup) -> Guest:
    """Has opened the menu twice, so that its page is cached."""
    phone = Guest()
    phone.menu()
    phone.menu()
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


def lasting(response: HttpResponse) -> dict[str, str]:
    """The cookies, without the time at which they expire."""
    return {
        name: re.sub(r"expires=[^;]+; ", "", cookie.OutputString(), flags=re.I)
        for name, cookie in response.cookies.items()
    }


def counts(response: HttpResponse) -> dict[str, int]:
    """How many of each item this phone has in its cart, by the items' ids."""
    return {line["menuItemId"]: line["quantity"] for line in chosen_on(text_of(response))}


def put(phone: Guest, item: MenuItem, quantity: int) -> None:
    """Into the cart of this phone, which has opened the menu."""
    CartLine.objects.create(
        session=TableSession.objects.get(), guest=phone.cookies["sessionId"].value, menu_item=item, quantity=quantity
    )


def test_the_cached_page_is_the_one_that_is_rendered_for_each_request(phone):
    cached, rendered = phone.menu(), phone.menu(HTTP_ACCEPT_ENCODING="identity")
    assert (cached.status_code, rendered.status_code) == (200, 200)
    assert text_of(cached) == text_of(rendered)
    assert cached["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in rendered
    different = {"Content-Encoding", "Content-Length", "X-Request-ID", "Vary"}
    assert {name: value for name, value in cached.items() if name not in different} == {
        name: value for name, value in rendered.items() if name not in different
    }
    assert "default-src 'self'" in cached["Content-Security-Policy"]
    for response in (cached, rendered):
        assert {"Accept", "Accept-Encoding", "Cookie"} <= set(response["Vary"].split(", "))
        assert response["Cache-Control"] == "private, no-cache"
    assert lasting(cached) == lasting(rendered)
    assert set(cached.cookies) == {"sessionId", "tableSession"}


def test_it_is_rendered_once_for_all_phones_with_an_empty_cart(phone, rendered):
    for _ in range(3):
        Guest().menu()
    assert not rendered
    make_table(8)
    assert "Table 8" in shown(phone.menu("/table/8"))
    assert rendered == ["restaurant/ordering/menu.html", "restaurant/ordering/_menu_cart.html"]


def test_it_is_a_scan(phone):
    phone.menu()
    assert TableSession.objects.get().total_scans == 3


def test_each_phone_sees_what_is_in_its_own_cart_and_what_that_comes_to(phone, soup):
    bread = make_item("Bread", "4.25", category="Breads")
    of_soup, of_bread, of_both = phones = [Guest(), Guest(), Guest()]
    for each in phones:
        each.menu()
    put(of_soup, soup, 2)
    put(of_bread, bread, 2)
    put(of_both, soup, 1)
    put(of_both, bread, 1)
    carts = [{}, {str(soup.pk): 2}, {str(bread.pk): 2}, {str(soup.pk): 1, str(bread.pk): 1}]
    for encoding in ("gzip", "identity", "gzip"):
        pages = [each.menu(HTTP_ACCEPT_ENCODING=encoding) for each in (phone, *phones)]
        assert [counts(page) for page in pages] == carts
        assert [page.get("Content-Encoding", "identity") == "gzip" for page in pages] == [encoding == "gzip"] * 4
        bars = [shown(page).all("link", re.compile("Your order")) for page in pages]
        sums = [bar[0].name.rpartition(" ")[2] if bar else "" for bar in bars]
        assert sums == ["", "€19.00", "€8.50", "€13.75"]
    CartLine.objects.all().delete()
    assert [counts(each.menu()) for each in phones] == [{}] * 3


def test_its_form_can_be_sent(phone, soup):
    assert "csrf" not in text_of(phone.menu())
    phone.handler.enforce_csrf_checks = True
    response = phone.post("/table/7/cart", {"add": str(soup.pk)})
    assert response.status_code == 303
    assert CartLine.objects.get().quantity == 1


def test_what_the_table_has_ordered_is_linked_and_counted_for_every_phone_at_once(phone, soup, api):
    assert "/table/7/cart#ordered" not in text_of(phone.menu())
    for count in (1, 2):
        api.post("/table/7/order", order_body(TableSession.objects.get(), (soup, 1)), format="json")
        orders = shown(phone.menu()).one("link", f"Orders of your table: {count}")
        assert orders["href"] == "/table/7/cart#ordered"


def test_after_the_session_was_closed_it_opens_the_next(phone):
    old = TableSession.objects.get()
    closing.close_session(table_number=7, session_id=str(old.pk))
    phone.menu()
    new = TableSession.objects.exclude(pk=old.pk).get()
    assert (phone.cookies["tableSession"].value, new.total_scans) == (str(new.pk), 1)


def test_the_cached_page_is_served_to_nobody_who_asks_for_something_else(subtests, phone):
    for other, status, kind in (
        ({"HTTP_ACCEPT": "application/json"}, 200, "application/json"),
        ({"HTTP_ACCEPT_ENCODING": "identity"}, 200, "text/html"),
        ({"HTTP_HOST": "evil.example"}, 400, "text/html"),
        ({"HTTP_SEC_PURPOSE": "prefetch"}, 503, "text/html"),
        ({"HTTP_PURPOSE": "prefetch"}, 503, "text/html"),
        ({"HTTP_AUTHORIZATION": "Token x"}, 302, ""),
        ({"QUERY_STRING": "from=cart"}, 200, "text/html"),
        ({"QUERY_STRING": "format=json"}, 200, "application/json"),
        ({"path": "/table/8"}, 404, "text/html"),
        ({"path": "/table/07"}, 200, "text/html"),
        ({"HTTP_COOKIE": ""}, 200, "text/html"),
        ({"CONTENT_LENGTH": "3", "wsgi.input": FakePayload(b"abc")}, 200, "text/html"),
        ({"HTTP_COOKIE": "sessionId=phone; tableSession=%"}, 200, "text/html"),
        ({"HTTP_COOKIE": "sessionId=a phone"}, 200, "text/html"),
    ):
        with subtests.test(other=other):
            response = phone.menu(**other)
            assert response.status_code == status
            assert response.get("Content-Type", "").startswith(kind)
            assert ("Ribollita" in text_of(response)) == (status == 200)
    assert phone.head("/table/7").status_code == 200


def test_the_limit_holds_for_cached_pages_and_an_unknown_table_counts_once(phone, settings, clock):
    clock(timezone.now())  # no minute begins meanwhile
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "public": "2/min"}
    for number, address, found in ((7, "192.0.2.9", 200), (8, "192.0.2.10", 404)):
        statuses = [phone.menu(f"/table/{number}", REMOTE_ADDR=address).status_code for _ in range(3)]
        assert statuses == [found, found, 429]


def test_what_phones_send_does_not_fill_the_cache(phone):
    before = len(cache._cache)
    for number, text in enumerate(["x", "x" * 5000] * 5):
        assert phone.menu(HTTP_ACCEPT=f"text/html, text/{text}{number}").status_code == 200
        assert Guest().menu(HTTP_ACCEPT_LANGUAGE=text + str(number)).status_code == 200
    assert len(cache._cache) == before


def test_a_menu_with_nothing_on_it_ends_where_it_ends(phone, soup):
    menu.set_available(MenuItem.objects.all(), available=False)
    for encoding in ("gzip", "identity") * 2:
        page = phone.menu(HTTP_ACCEPT_ENCODING=encoding)
        assert page.status_code == 200
        assert text_of(page).rstrip().endswith("</html>")
        assert "nothing on the menu" in shown(page)


@pytest.mark.django_db(transaction=True)
def test_a_failure_of_the_database_is_a_page(phone):
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE restaurant_cartline RENAME TO elsewhere")
    try:
        page = phone.menu()
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE elsewhere RENAME TO restaurant_cartline")
    assert (page.status_code, "Something went wrong" in shown(page)) == (500, True)


@pytest.mark.django_db(transaction=True)
def test_a_restarted_database_costs_no_guest_an_error(phone):
    with psycopg.connect(database_url(), autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [connection.connection.info.backend_pid])
    assert Phone().get().status == 200
