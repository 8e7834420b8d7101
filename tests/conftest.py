"""What tests share: people, a table with its menu, and clients for each of them."""

import csv
import io
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from babel.messages import Catalog, mofile
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import Group, User
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client
from django.utils import formats, timezone, translation
from django.utils.crypto import get_random_string
from django.utils.translation import trans_real
from rest_framework.test import APIClient

from config.demo import regulars, visits
from config.demo.staff import Account
from loyalty import mail
from loyalty.models import Location, Member, Reward
from loyalty.points.services import enrolment
from qrservice.backends import client
from qrservice.backends.client import Limits
from qrservice.backends.http import HTTPBackend
from restaurant.menu.queries import forget_catalogues
from restaurant.models import MenuItem, Table, TableSession
from restaurant.tables.services import tables
from tests.config.demo.making import AT, Demonstration, load_into
from tests.database import another_database, connected_to, use_template
from tests.loyalty.cards.till.counter import Till
from tests.loyalty.making import make_location, make_member, make_reward, with_token
from tests.loyalty.reports.making import NOW
from tests.management.commands import flush
from tests.qrservice.fake_service import KEY, PATIENT, Clock, FakeService
from tests.running import (  # noqa: F401 (pytest calls them)
    pytest_collection,
    pytest_collection_modifyitems,
    pytest_configure,
    pytest_sessionfinish,
    pytest_terminal_summary,
    pytest_testnodedown,
    pytest_xdist_make_scheduler,
)
from tests.servers import Installation, free_port, http_server, socket_server, used_data
from web import languages, throttling, venue

# --- what tests share -------------------------------------------------------------------------------

PAGE = "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8"


AUTHENTICATION = ("config_stafftoken", "auth_", "django_session")  # tables


@contextmanager
def own_queries() -> Iterator[list[str]]:
    """The statements that are executed meanwhile, without those of authentication."""
    own: list[str] = []

    def record(execute: Callable, sql: str, *arguments: object) -> object:
        if not any(table in sql for table in AUTHENTICATION):
            own.append(sql)
        return execute(sql, *arguments)

    with connection.execute_wrapper(record):
        yield own


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings, django_db_blocker) -> None:
    """pytest-django's hook, just before it makes the test database."""
    with django_db_blocker.unblock():
        use_template()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker) -> None:
    with django_db_blocker.unblock():
        flush.remember()


@pytest.fixture(autouse=True)
def _same_zone() -> Iterator[None]:
    """A stopped clock that is let go brings back the zone that a test has set, for the whole process."""
    zone = os.environ["TZ"]
    yield
    if os.environ["TZ"] != zone:
        os.environ["TZ"] = zone
        time.tzset()


@pytest.fixture(autouse=True)
def _one_period(monkeypatch):
    """The menu is cached for 300 seconds, the venue for five: no such period ends while a test counts queries."""
    monkeypatch.setattr("restaurant.menu.queries.menu.CACHED_FOR", 10**8)
    monkeypatch.setattr("web.venue.REMEMBERED", 10**8)


@pytest.fixture(autouse=True)
def _fresh_cache(_one_period):
    cache.clear()
    forget_catalogues()
    throttling.reset_leases()
    venue.remember(venue.Venue())


@pytest.fixture(autouse=True)
def _mails_at_once(monkeypatch):
    """What is mailed after the response is mailed before it, so that tests need not wait. Not in servers."""
    monkeypatch.setattr(mail, "send_later", mail.send_now)


@pytest.fixture(scope="session")
def used(tmp_path_factory) -> Path:
    """The data folder of an installation that was started once and stopped, to be copied."""
    base = tmp_path_factory.getbasetemp()
    return used_data(base.parent if "PYTEST_XDIST_WORKER" in os.environ else base)  # one for all processes


@pytest.fixture(scope="session")
def installation(tmp_path_factory, used) -> Iterator[Installation]:
    """`manage.py serve --demo`, for all tests that only speak to it.

    127.0.0.2 is an address of this machine as well, but not the one that stands for "this machine alone".
    """
    made = Installation(tmp_path_factory.mktemp("shop") / "d", host="127.0.0.2").copy_data(used).start()
    assert made.process.poll() is None, made.output
    yield made
    made.end()


@pytest.fixture(scope="session")
def http_port(django_db_setup) -> Iterator[int]:
    """Of an HTTP server on the test database, started once. What it is to read has to be committed."""
    with http_server(LIMIT_API_CALLS_PER_KEY="100000/min") as port:
        yield port


@pytest.fixture(scope="session")
def sockets_port(django_db_setup) -> Iterator[int]:
    """Of a kitchen socket process on the test database, started once. What it is to read has to be committed."""
    with socket_server() as port:
        yield port


@pytest.fixture
def clock(time_machine) -> Callable[[datetime], None]:
    """`clock(moment)` stops Python's clock at this moment. PostgreSQL's own clock goes on."""

    def stop_at(moment: datetime) -> None:
        # In UTC: a named zone would become that of the whole process.
        time_machine.move_to(moment.astimezone(UTC), tick=False)

    return stop_at


@pytest.fixture
def api() -> APIClient:
    """A program that is nobody."""
    return APIClient()


@pytest.fixture
def browser_client() -> Client:
    """A browser without JavaScript, as far as headers go; its forms need their CSRF token."""
    return Client(enforce_csrf_checks=True, headers={"accept": PAGE})


@pytest.fixture
def written_in(settings) -> Iterator[Callable[[str], None]]:
    """Sets the language of the installation, of which Django remembers formats."""

    def write(language: str) -> None:
        settings.LANGUAGE_CODE = language
        translation.activate(language)
        formats.reset_format_cache()

    before = translation.get_language()
    yield write
    translation.activate(before)
    formats.reset_format_cache()


def make_user(group: str, username: str = "") -> User:
    user = User.objects.create_user(username or group.lower(), password="a long pass phrase")
    user.groups.add(Group.objects.get(name=group))
    return user


def force_login(self: Client, user: User, backend: str = settings.AUTHENTICATION_BACKENDS[-1]) -> None:
    """As the test client's own, without the signals of a sign-in: one statement instead of nineteen."""
    if settings.SESSION_COOKIE_NAME in self.cookies:  # to be ended or kept
        real_force_login(self, user, backend)
        return
    user.backend = backend
    hashed = user.get_session_auth_hash()
    data = {SESSION_KEY: str(user.pk), BACKEND_SESSION_KEY: backend, HASH_SESSION_KEY: hashed}
    store, key = SessionStore(), get_random_string(32)
    expires = timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE)
    Session.objects.bulk_create([Session(session_key=key, session_data=store.encode(data), expire_date=expires)])
    self.cookies[settings.SESSION_COOKIE_NAME] = key


real_force_login, Client.force_login = Client.force_login, force_login


def signed_in(user: User) -> APIClient:
    client = APIClient()
    client.force_login(user)
    return client


@pytest.fixture
def floor(db) -> APIClient:
    return signed_in(make_user("Floor"))


@pytest.fixture
def cashier(db) -> APIClient:
    return signed_in(make_user("Cashiers"))


@pytest.fixture
def manager(db) -> APIClient:
    return signed_in(make_user("Managers"))


def make_item(name: str = "Ribollita", price: str = "9.50", **values) -> MenuItem:
    return MenuItem.objects.create(name=name, price=Decimal(price), **{"category": "Soups", **values})


def make_table(number: int = 7, section: str = "Window") -> Table:
    return tables.create(table_number=number, section=section)


@pytest.fixture
def table(db) -> Table:
    return make_table()


@pytest.fixture
def soup(db) -> MenuItem:
    return make_item()


@pytest.fixture
def bread(db) -> MenuItem:
    return make_item("Sourdough & olive oil", "4.25", category="Breads")


@pytest.fixture
def session(table) -> TableSession:
    return TableSession.objects.create(table=table)


def order_body(session: TableSession | str, *entries: tuple[MenuItem | str, int]) -> dict:
    return {
        "sessionId": str(getattr(session, "pk", session)),
        "items": [{"menuItemId": str(getattr(item, "pk", item)), "quantity": quantity} for item, quantity in entries],
    }


def unknown_id() -> str:
    """Always the same: every process has to collect the same parametrised tests."""
    return "5f0c1a52-3d3e-4b7a-9c55-8e6f0d2b7a11"


@contextmanager
def undone() -> Iterator[None]:
    """What is written meanwhile is rolled back, so that each row of a table of values begins as the test did."""
    # A savepoint of the test's transaction: the gateways refuse to be called in a block of anyone else's.
    start = transaction.savepoint()
    try:
        yield
    finally:
        transaction.savepoint_rollback(start)


# --- the loyalty programme --------------------------------------------------------------------------


@pytest.fixture
def member(db) -> Member:
    return make_member()


@pytest.fixture
def reward(db) -> Reward:
    return make_reward()


@pytest.fixture
def location(db) -> Location:
    return make_location()


@pytest.fixture
def till(db) -> APIClient:
    """A cashier's program."""
    return with_token(make_user("Cashiers", "carla"))


@pytest.fixture
def code_service(settings, monkeypatch):
    """`code_service(*acts)` is the hosted code service from now on; without acts nobody listens on its port.

    What is tried again is so without a pause.
    """
    monkeypatch.setattr(client, "sleep", lambda seconds: None)
    servers = []

    def choose(*acts) -> FakeService | None:
        servers.extend([FakeService(*acts)] if acts else [])
        settings.QR_SERVICE_API_KEY = "rq_nobody-may-read-this"
        settings.QR_SERVICE_URL = servers[-1].base if acts else f"http://127.0.0.1:{free_port()}"
        return servers[-1] if acts else None

    yield choose
    for server in servers:
        server.close()


def browser_of(user: User) -> Client:
    """Of somebody who may sign in to the admin."""
    user.is_staff = True
    user.save()
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def managers_browser(db) -> Client:
    return browser_of(make_user("Managers", "mia"))


@pytest.fixture
def cashiers_browser(db) -> Client:
    """It may open the admin, and has nothing to do there."""
    return browser_of(make_user("Cashiers", "carla"))


@pytest.fixture
def owners_browser(db) -> Client:
    return browser_of(User.objects.create_superuser("owner"))


@pytest.fixture
def noon(time_machine) -> None:
    """It is noon, and the clock goes on: neither a day nor an hour ends while a test is at it."""
    time_machine.move_to(datetime(2026, 11, 20, 12, tzinfo=UTC))


@pytest.fixture
def counter(noon, browser_client) -> Till:
    """A cashier's browser at the counter, at noon."""
    browser_client.force_login(make_user("Cashiers"))
    return Till(browser_client)


@pytest.fixture
def mia(db) -> Member:
    return enrolment.enrol(email="mia.kelly@example.com", name="Mia Kelly", phone="+353 85 555 0134")


@pytest.fixture
def wednesday(clock) -> Callable[[datetime], None]:
    """The clock, which stands at half past two on a Wednesday."""
    clock(NOW)
    return clock


@pytest.fixture
def program(db) -> APIClient:
    """A manager's, with a token."""
    return with_token(make_user("Managers", "report-program"))


@pytest.fixture
def loyalty_json(program) -> Callable[[str], dict]:
    """`loyalty_json(path)` is the body of a report as a program gets it."""

    def get(path: str) -> dict:
        response = program.get(path)
        assert (response.status_code, response["Content-Type"]) == (200, "application/json"), response.content
        return response.json()

    return get


@pytest.fixture
def loyalty_page(db) -> Callable[[str], HttpResponse]:
    """`loyalty_page(path)` is the page of a report as a manager's browser gets it, with `.context` and `.text`."""
    user = make_user("Managers", "report-browser")

    def get(path: str) -> HttpResponse:
        # Signed in at the clock's time: a session does not last for ever.
        response = signed_in(user).get(path, headers={"accept": PAGE})
        assert (response.status_code, response["Content-Type"]) == (200, "text/html; charset=utf-8"), response.content
        response.text = response.content.decode()
        return response

    return get


@pytest.fixture
def loyalty_csv(program) -> Callable[[str], list[list[str]]]:
    """`loyalty_csv(path)` is the file of a report, line by line."""

    def get(path: str) -> list[list[str]]:
        response = program.get(path, {"format": "csv"})
        assert (response.status_code, response["Content-Type"]) == (200, "text/csv; charset=utf-8"), response.content
        return list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"))))

    return get


# --- the demonstration ------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def demonstration(django_db_setup, django_db_blocker) -> Iterator[Demonstration]:
    """Loaded once, into a database of its own."""
    with another_database("demo") as name:
        with django_db_blocker.unblock():
            loaded = load_into(name)
        yield loaded


@pytest.fixture
def _in_the_demonstration(demonstration, clock) -> Iterator[None]:
    clock(AT)
    with connected_to(demonstration.database):
        yield


@pytest.fixture
def demo(_in_the_demonstration, db, demonstration) -> list[Account]:
    """The demonstration at the moment when it was loaded, in a transaction that is rolled back; its staff."""
    return demonstration.staff


@pytest.fixture
def short_demo(db, monkeypatch) -> None:
    """Nothing is there, and what can be loaded has few members and a short past, for speed."""
    monkeypatch.setattr(visits, "HISTORY_DAYS", 3)
    monkeypatch.setattr(regulars, "HABITS", [regulars.Habit(5, (2, 9), (20, 60), (50, 200), (1, 1, 1, 1, 0))])


@pytest.fixture
def waiter(browser_client, db) -> Client:
    """A browser without JavaScript, signed in as Flora of the floor staff."""
    browser_client.force_login(make_user("Floor", "flora"))
    return browser_client


# --- reports of the restaurant ----------------------------------------------------------------------


SATURDAY = datetime(2026, 3, 7, 14, 30, tzinfo=UTC)


@pytest.fixture
def saturday(clock) -> Callable[[datetime], None]:
    """The clock, which stands at half past two on a Saturday."""
    clock(SATURDAY)
    return clock


@pytest.fixture
def report(manager, saturday) -> Callable[[str], dict]:
    """`report("/menu")` is the JSON that a manager's program gets of a report of the restaurant."""

    def get(path: str) -> dict:
        response = manager.get(f"/reports/restaurant{path}")
        assert response.status_code == 200, response.content
        return response.json()

    return get


@pytest.fixture
def report_page(manager, saturday) -> Callable[[str], HttpResponse]:
    """`report_page("/menu")` is the page that a manager gets of it."""

    def get(path: str) -> HttpResponse:
        response = manager.get(f"/reports/restaurant{path}", headers={"accept": PAGE})
        assert response.status_code == 200, response.content
        return response

    return get


@pytest.fixture
def one_window(clock) -> None:
    """Limits count by windows of the clock, which stands: none ends while a test counts."""
    clock(datetime(2026, 3, 7, 12, 0, 30, tzinfo=UTC))


# --- a hosted code service --------------------------------------------------------------------------


@pytest.fixture
def service() -> Iterator[Callable[..., HTTPBackend]]:
    """`service(*acts)` starts a server that misbehaves and sets `service.server`; returns a client of it."""
    servers = []

    def start(*acts, limits: Limits = PATIENT, key: str = KEY) -> HTTPBackend:
        start.server = FakeService(*acts)
        servers.append(start.server)
        return HTTPBackend(f"{start.server.base}/", key, limits=limits)

    yield start
    for server in servers:
        server.close()


@pytest.fixture
def stopped(monkeypatch) -> Clock:
    """The clock by which deadlines of a client's calls pass. Waits of sockets have another one."""
    clock = Clock()
    for module in ("client", "deadline", "http"):
        monkeypatch.setattr(f"qrservice.backends.{module}.monotonic", clock)
    return clock


@pytest.fixture
def german(tmp_path, settings, monkeypatch) -> Iterator[Callable[[dict[str, str]], None]]:
    """`german({"Kitchen": "Küche"})`: pages can be in German too, of which these words are translated."""

    def translate(words: dict[str, str]) -> None:
        catalogue = Catalog(locale="de", fuzzy=False)
        for text, translated in words.items():
            catalogue.add(text, translated)
        folder = tmp_path / "words" / "de" / "LC_MESSAGES"
        folder.mkdir(parents=True)
        with (folder / "django.mo").open("wb") as file:
            mofile.write_mo(file, catalogue)
        settings.LOCALE_PATHS = [tmp_path / "words"]
        monkeypatch.setattr(languages, "FOR_GUESTS", ["en", "de"])
        monkeypatch.setattr(languages, "FOR_STAFF", ["en", "de"])
        trans_real._translations.clear()

    yield translate
    trans_real._translations.clear()
