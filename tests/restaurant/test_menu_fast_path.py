"""A phone that comes again is answered in front of Django: with the same page, and counted in the same way."""

import gzip
import io
import re
from wsgiref.util import setup_testing_defaults

import psycopg
import pytest
from django.db import connection
from django.http.cookie import parse_cookie

from config import wsgi
from restaurant.models import CartLine, MenuItem, TableSession
from restaurant.services import sessions
from tests.conftest import PAGE, make_item
from tests.servers import database_url

# As a server does, the application drops connections that are in the midst of a transaction.
pytestmark = pytest.mark.django_db(transaction=True)


class Answer:
    def __init__(self, status: str, headers: list[tuple[str, str]], body: bytes) -> None:
        self.status = int(status[:3])
        self.headers = {name: value for name, value in headers if name != "Set-Cookie"}
        self.cookies = dict(value.strip().split("=", 1) for name, value in headers if name == "Set-Cookie")
        is_compressed = self.headers.get("Content-Encoding") == "gzip"
        self.text = (gzip.decompress(body) if is_compressed else body).decode()


class Phone:
    def __init__(self) -> None:
        self.cookies: dict[str, str] = {}
        self.headers = {"HTTP_ACCEPT": PAGE, "HTTP_ACCEPT_ENCODING": "gzip, deflate", "HTTP_HOST": "localhost"}

    def get(self, path: str = "/table/7", application=wsgi.application, **environ: str) -> Answer:
        path, _, query = path.partition("?")
        found = {"REQUEST_METHOD": "GET", "PATH_INFO": path, "QUERY_STRING": query, "REMOTE_ADDR": "192.0.2.1"}
        found["HTTP_COOKIE"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        found |= self.headers | environ
        found["wsgi.input"] = io.BytesIO()
        setup_testing_defaults(found)
        seen: list = []
        body = application(found, lambda status, headers, *_: seen.append((status, headers)))
        answer = Answer(*seen[0], b"".join(body))
        for name, value in answer.cookies.items():
            self.cookies[name] = parse_cookie(f"{name}={value}")[name]
        return answer


@pytest.fixture(autouse=True)
def _not_in_front(monkeypatch):
    """Tells the tests when Django was asked."""
    Phone.asked = []
    front = wsgi._pages.django
    django = front.django
    monkeypatch.setattr(front, "headers", {})
    monkeypatch.setattr(front, "django", lambda environ, start: (Phone.asked.append(1), django(environ, start))[1])


@pytest.fixture
def phone(table, soup) -> Phone:
    """Has been here, and so has a phone of its kind."""
    phone = Phone()
    phone.get()
    phone.get()
    Phone.asked.clear()
    return phone


def undisguised(page: str) -> str:
    """Without the form's token, which is another one each time where others may compress the page."""
    return re.sub(r'(name="csrfmiddlewaretoken" value=)"\w+"', r"\1", page)


def test_the_answer_is_the_one_that_django_gives(phone):
    ours, djangos = phone.get(), phone.get(application=wsgi.django)
    assert not Phone.asked
    assert ours.text == djangos.text
    assert (ours.status, ours.headers) == (200, djangos.headers)
    assert "default-src 'self'" in ours.headers["Content-Security-Policy"]
    lasting = re.compile(r"expires=[^;]+; ", re.IGNORECASE)
    assert {name: lasting.sub("", value) for name, value in ours.cookies.items()} == {
        name: lasting.sub("", value) for name, value in djangos.cookies.items()
    }


def test_it_is_a_scan(phone):
    phone.get()
    assert not Phone.asked
    assert TableSession.objects.get().total_scans == 3


def test_it_has_the_counts_of_the_phones_own_cart(phone, soup):
    bread = make_item("Bread", "4.25", category="Breads")
    session = TableSession.objects.get()
    for guest, item, quantity in ((phone.cookies["sessionId"], bread, 3), ("someone-else", soup, 8)):
        CartLine.objects.create(session=session, guest=guest, menu_item=item, quantity=quantity)
    answer = phone.get()
    assert not Phone.asked
    counts = re.findall(r'value="([^"]+)" aria-label[^>]*><span [^>]*>Add</span><span [^>]*>(\d*)<', answer.text)
    assert counts == [(str(bread.pk), "3"), (str(soup.pk), "")]
    assert "€12.75" in answer.text
    assert answer.text == phone.get(application=wsgi.django).text
    without = phone.get(HTTP_ACCEPT_ENCODING="identity")
    assert undisguised(without.text) == undisguised(answer.text)


def test_its_form_can_be_sent(phone, soup, client):
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', phone.get().text)[1]
    assert not Phone.asked
    client.handler.enforce_csrf_checks = True
    client.cookies.load(phone.cookies)
    answer = client.post("/table/7/cart", {"csrfmiddlewaretoken": token, "add": str(soup.pk)}, headers={"accept": PAGE})
    assert answer.status_code == 303
    assert CartLine.objects.get().quantity == 1


def test_after_the_session_was_closed_it_opens_the_next(phone):
    old = TableSession.objects.get()
    sessions.close(table_number=7, session_id=str(old.pk))
    phone.get()
    assert not Phone.asked
    new = TableSession.objects.exclude(pk=old.pk).get()
    assert (phone.cookies["tableSession"], new.total_scans) == (str(new.pk), 1)


@pytest.mark.parametrize(
    "other",
    [
        {"HTTP_ACCEPT": "application/json"}, {"HTTP_ACCEPT_ENCODING": "identity"}, {"HTTP_HOST": "evil.example"},
        {"HTTP_SEC_PURPOSE": "prefetch"}, {"HTTP_PURPOSE": "prefetch"}, {"HTTP_AUTHORIZATION": "Token x"},
        {"REQUEST_METHOD": "HEAD"}, {"QUERY_STRING": "from=cart"}, {"QUERY_STRING": "format=json"},
        {"PATH_INFO": "/table/8"}, {"PATH_INFO": "/table/07"}, {"HTTP_COOKIE": ""}, {"CONTENT_LENGTH": "3"},
        {"HTTP_COOKIE": f"sessionId=phone; csrftoken={'x' * 31}%"},
        {"HTTP_COOKIE": f"sessionId=a phone; csrftoken={'x' * 32}"},
    ],
)  # fmt: skip
def test_what_is_not_the_same_goes_to_django(phone, other):
    answer, djangos = phone.get(**other), phone.get(application=wsgi.django, **other)
    assert Phone.asked
    assert answer.status == djangos.status


def test_a_phone_of_another_kind_goes_to_django_once(phone):
    phone.headers["HTTP_ACCEPT"] = "text/html"
    for _ in range(3):
        phone.get()
    assert len(Phone.asked) == 1


def test_the_limit_is_the_same(phone, settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "public": "4/min"}
    assert [phone.get().status for _ in range(3)] == [200, 200, 429]  # two before


def test_no_more_kinds_are_kept_than_memory_has_room_for(phone, monkeypatch):
    monkeypatch.setattr("restaurant.front._MOST_KINDS", 3)
    for number in range(10):
        assert phone.get(HTTP_ACCEPT=f"text/html, text/x{number}").status == 200
    assert len(wsgi._pages.django.headers) <= 3


def test_nothing_long_is_kept(phone):
    for number in range(3):
        assert phone.get(HTTP_ACCEPT=f"text/html, text/{'x' * 5000}{number}").status == 200
    assert sum(len(each) for kind in wsgi._pages.django.headers for each in kind) < 1000


def test_what_is_handed_on_to_django_counts_once(phone, settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "public": "6/min"}
    assert [phone.get("/table/8").status for _ in range(5)] == [404, 404, 404, 404, 429]  # two before


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_a_menu_with_nothing_on_it_ends_where_it_ends(phone, soup, encoding):
    MenuItem.objects.update(available=False)
    for application in (wsgi.application, wsgi.django):
        answer = phone.get(application=application, HTTP_ACCEPT_ENCODING=encoding)
        assert answer.status == 200
        assert answer.text.rstrip().endswith("</html>")
        assert phone.cookies["csrftoken"] not in answer.text


def test_what_fails_in_front_has_djangos_page(phone):
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE restaurant_cartline RENAME TO elsewhere")
    try:
        answer = phone.get()
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE elsewhere RENAME TO restaurant_cartline")
    assert answer.status == 500
    assert "Something went wrong" in answer.text


def test_a_restarted_database_costs_no_guest_an_error(phone):
    with psycopg.connect(database_url(), autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [connection.connection.info.backend_pid])
    assert phone.get().status == 200
    assert Phone.asked
