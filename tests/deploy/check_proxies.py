"""The shipped configurations of nginx and Caddy in front of a real `serve`. Run by `make deploy-check`."""

import http.client
import json
import re
import socket
import ssl
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from decimal import Decimal
from urllib.parse import urlsplit

import psycopg
import pytest
import requests
from requests.adapters import HTTPAdapter
from websockets.sync.client import connect

from tests.conftest import PAGE
from tests.deploy.proxies import METRICS_TOKEN, PROXIES, Proxied, deployed
from tests.servers import PATIENCE, Installation, free_port

MEGABYTE = 1024 * 1024


@pytest.fixture(scope="module")
def ports() -> tuple[int, int]:
    """Of the proxy: HTTPS and HTTP. The settings name the first one."""
    return free_port(), free_port()


@pytest.fixture(scope="module")
def installation(tmp_path_factory, ports) -> Iterator[Installation]:
    with deployed(tmp_path_factory.mktemp("deployed"), ports[0]) as made:
        yield made


@pytest.fixture(scope="module", params=PROXIES)
def proxied(request, tmp_path_factory, installation, ports) -> Iterator[Proxied]:
    made = Proxied(installation, *ports)
    folder = tmp_path_factory.mktemp(request.param)
    with PROXIES[request.param](folder, made, installation.port, installation.kitchen_port):
        yield made


@pytest.fixture(params=PROXIES)
def proxy_alone(request, tmp_path, installation) -> Iterator[Proxied]:
    """A proxy in front of nothing."""
    made = Proxied(installation, free_port(), free_port())
    with PROXIES[request.param](tmp_path, made, free_port(), free_port()):
        yield made


@pytest.fixture
def tables(installation) -> range:
    """Numbers of tables that are there, table 1 among them."""
    numbers = range(1, 11)
    installation.shell(
        "from restaurant.models import Table; from restaurant.tables.services import tables\n"
        f"for number in {list(numbers)}:\n"
        "    if not Table.objects.filter(table_number=number).exists():\n"
        "        tables.create(table_number=number, section='')"
    )
    return numbers


class FromAddress(HTTPAdapter):
    """Connects from another loopback address: a client that is not the proxy."""

    def init_poolmanager(self, *args, **kwargs):
        super().init_poolmanager(*args, source_address=("127.0.0.9", 0), **kwargs)


def browser(proxied: Proxied) -> requests.Session:
    session = requests.Session()
    session.trust_env = False  # a certificate that the environment names would win
    session.verify = proxied.certificate
    session.headers["Accept"] = PAGE
    for scheme in ("http://", "https://"):
        session.mount(scheme, FromAddress())
    return session


def sign_in(session: requests.Session, base: str, password: str = "a pass phrase", **headers: str) -> requests.Response:
    token = re.search(
        r'name="csrfmiddlewaretoken" value="([^"]+)"', session.get(f"{base}/sign-in", timeout=PATIENCE).text
    )[1]
    form = {"username": "owner", "password": password, "csrfmiddlewaretoken": token}
    own = {"Origin": base, "Referer": f"{base}/sign-in"} | headers
    return session.post(f"{base}/sign-in", data=form, headers=own, allow_redirects=False, timeout=PATIENCE)


def test_a_guest_reads_the_menu_over_https(proxied):
    page = browser(proxied).get(f"{proxied.base}/table/1", timeout=PATIENCE)
    assert page.status_code == 200
    assert "Soup" in page.text
    assert page.headers["Strict-Transport-Security"] == "max-age=3600"
    assert {cookie.name: cookie.secure for cookie in page.cookies} == {"sessionId": True, "tableSession": True}


def test_http_leads_to_https_by_one_redirect(proxied):
    guest = browser(proxied)
    address = f"http://localhost:{proxied.http}/table/1?a=b"
    redirected = guest.get(address, allow_redirects=False, timeout=PATIENCE)
    assert redirected.status_code in {301, 308}
    target = urlsplit(redirected.headers["Location"])
    # Caddy takes its HTTPS port for one that is 443 outside.
    assert (target.scheme, target.hostname, target.path, target.query) == ("https", "localhost", "/table/1", "a=b")
    page = guest.get(f"{proxied.base}/table/1?a=b", timeout=PATIENCE)
    assert (page.status_code, page.history) == (200, [])


def test_staff_sign_in_and_see_the_kitchen(proxied):
    session = browser(proxied)
    signed_in = sign_in(session, proxied.base)
    assert (signed_in.status_code, signed_in.headers["Location"]) == (302, "/setup")  # the owner, of a new venue
    kitchen = session.get(f"{proxied.base}/kitchen", timeout=PATIENCE)
    assert kitchen.status_code == 200
    assert f"wss://localhost:{proxied.https}/sockets" in kitchen.text


def test_a_form_of_another_site_is_refused(proxied):
    assert sign_in(browser(proxied), proxied.base, Origin="https://evil.example").status_code == 403


def place_order(proxied: Proxied) -> str:
    guest = browser(proxied)
    menu = guest.get(f"{proxied.base}/table/1?format=json", timeout=PATIENCE).json()
    item = next(iter(menu["menu"].values()))[0]
    body = {"sessionId": menu["session"]["id"], "items": [{"menuItemId": item["id"]}]}
    headers = {"Accept": "application/json", "Origin": proxied.base}
    placed = guest.post(f"{proxied.base}/table/1/order", json=body, headers=headers, timeout=PATIENCE)
    assert placed.status_code == 200
    assert Decimal(str(placed.json()["total"])) == 5
    return placed.json()["orderId"]


def test_an_order_reaches_the_kitchens_display_through_the_proxy(proxied):
    session = browser(proxied)
    sign_in(session, proxied.base)
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in session.cookies)
    trust = ssl.create_default_context(cafile=proxied.certificate)
    address = f"wss://localhost:{proxied.https}/sockets/kitchen"
    with connect(address, ssl=trust, origin=proxied.base, additional_headers={"Cookie": cookies}) as display:
        order = place_order(proxied)
        message = json.loads(display.recv(timeout=PATIENCE))
        assert (message["type"], message["order"]["orderId"]) == ("new_order", order)
    with connect(f"wss://localhost:{proxied.https}/sockets/orders/{order}", ssl=trust, origin=proxied.base):
        pass


def addresses_of_failures(proxied: Proxied) -> list[str]:
    with psycopg.connect(proxied.installation.database_url()) as database:
        rows = database.execute("SELECT DISTINCT host(ip_address) FROM axes_accessattempt").fetchall()
    return [row[0] for row in rows]


def test_the_clients_address_is_the_one_that_the_proxy_sees(proxied):
    forged = {"X-Forwarded-For": "203.0.113.7", "X_Forwarded_For": "203.0.113.8", "Forwarded": "for=203.0.113.9"}
    assert sign_in(browser(proxied), proxied.base, "wrong", **forged).status_code == 200
    assert addresses_of_failures(proxied) == ["127.0.0.9"]
    # Without the proxy nobody is believed but the proxy's own address.
    direct = requests.Session()
    direct.mount("http://", FromAddress())
    headers = {"Host": "localhost", "X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.7"}
    answer = direct.get(
        f"{proxied.installation.base}/table/1", headers=headers, allow_redirects=False, timeout=PATIENCE
    )
    assert answer.status_code == 301  # X-Forwarded-Proto is not believed either
    assert addresses_of_failures(proxied) == ["127.0.0.9"]


def post(proxied: Proxied, size: int, path: str = "/members", **other: str) -> tuple[int, str]:
    """The answer to a body of this size. It may come before all of the body was sent."""
    trust = ssl.create_default_context(cafile=proxied.certificate)
    connection = http.client.HTTPSConnection("localhost", proxied.https, context=trust, timeout=PATIENCE)
    headers = {"Content-Type": "application/json", "Content-Length": str(size), "Accept": "application/json"} | other
    with suppress(BrokenPipeError, ConnectionResetError, ssl.SSLError):
        connection.request("POST", path, body=b" " * size, headers=headers)
    response = connection.getresponse()
    return response.status, response.read().decode()


@pytest.mark.parametrize("megabytes", [2, 20])
def test_a_body_that_is_too_large_is_refused_in_the_projects_form(proxied, megabytes):
    status, body = post(proxied, megabytes * MEGABYTE)
    assert (status, list(json.loads(body))) == (413, ["error"])


def test_a_browser_reads_that_its_file_is_too_large_and_finds_back_to_the_form(proxied):
    form = {"Content-Type": "multipart/form-data; boundary=B", "Accept": PAGE}
    status, page = post(proxied, 30 * MEGABYTE, "/admin/restaurant/menuitem/add/", **form)
    assert status == 413
    assert "at most 10 MB" in page
    assert "Back to the form</a>" in page


def test_the_id_of_a_request_is_not_the_guests_own(proxied):
    answer = browser(proxied).get(f"{proxied.base}/table/1", headers={"X-Request-ID": "mine"}, timeout=PATIENCE)
    assert answer.headers["X-Request-ID"] not in {"", "mine"}


def test_a_503_of_serve_is_passed_on_as_it_is(proxied):
    prefetch = {"Sec-Purpose": "prefetch", "Accept": "application/json"}
    through = browser(proxied).get(f"{proxied.base}/table/1", headers=prefetch, timeout=PATIENCE)
    inside = prefetch | {"Host": "localhost", "X-Forwarded-Proto": "https"}
    direct = requests.get(f"{proxied.installation.base}/table/1", headers=inside, timeout=PATIENCE)
    assert (through.status_code, direct.status_code) == (503, 503)
    assert through.content == direct.content


def test_the_metrics_are_inside_only(proxied):
    token = {"Authorization": f"Bearer {METRICS_TOKEN}"}
    assert browser(proxied).get(f"{proxied.base}/metrics", headers=token, timeout=PATIENCE).status_code == 404
    figures = requests.get(f"{proxied.installation.base}/metrics", headers=token, timeout=PATIENCE)
    assert figures.status_code == 200
    assert "regulars_orders_total" in figures.text


def test_the_doctor_finds_the_proxy_in_order(proxied):
    # Mails are not sent here, and this machine does not know the certificate.
    run = proxied.installation
    (run.data_dir / "untrusted_proxy").unlink(missing_ok=True)
    run.environment["SSL_CERT_FILE"] = proxied.certificate
    with pytest.raises(Exception, match="returned non-zero exit status 1") as failed:
        run.manage("doctor")
    lines = [line for line in failed.value.output.splitlines() if line.startswith("- ")]
    assert len(lines) == 1
    assert "EMAIL_URL" in lines[0]


@pytest.mark.parametrize(("accept", "kind"), [(PAGE, "text/html"), ("application/json", "application/json")])
def test_while_serve_is_away_the_answer_is_503_and_says_when_to_try_again(proxy_alone, accept, kind):
    answer = browser(proxy_alone).get(f"{proxy_alone.base}/table/1", headers={"Accept": accept}, timeout=PATIENCE)
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "10"
    assert answer.headers["Content-Type"].startswith(kind)
    if kind == "application/json":
        assert list(answer.json()) == ["error"]
    else:
        assert '<meta http-equiv="refresh" content="10">' in answer.text
        form = browser(proxy_alone).post(answer.url, {"a": "b"}, headers={"Accept": accept}, timeout=PATIENCE)
        assert form.status_code == 503
        assert "refresh" not in form.text
        assert "nothing is ordered twice" in form.text
    assert urlsplit(answer.url).hostname == "localhost"


class Phone:
    """A connection through the proxy, on which a request is sent in parts."""

    def __init__(self, proxied: Proxied) -> None:
        trust = ssl.create_default_context(cafile=proxied.certificate)
        self._plain = socket.create_connection(("localhost", proxied.https), 30)
        self._secure = trust.wrap_socket(self._plain, server_hostname="localhost")

    def send(self, data: bytes) -> None:
        self._secure.sendall(data)

    def status(self) -> int:
        return int(self._secure.recv(12).split()[1])


def head_of_order(number: int, length: int) -> bytes:
    return (
        f"POST /table/{number}/order HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {length}\r\n\r\n"
    ).encode()


def test_two_hundred_orders_at_once_are_placed_beside_slow_clients(proxied, tables):
    menu = browser(proxied)
    menu.headers["Accept"] = "application/json"
    orders = []
    for number in tables:
        seen = menu.get(f"{proxied.base}/table/{number}", timeout=PATIENCE).json()
        (soup,) = seen["menu"]["Other"]
        entries = [{"menuItemId": soup["id"], "quantity": 1}]
        orders.append((number, json.dumps({"sessionId": seen["session"]["id"], "items": entries}).encode()))
    slow = [Phone(proxied) for _ in range(128)]
    for number, phone in enumerate(slow):
        phone.send(head_of_order(1, 5000) + b"{" if number % 2 else b"GET /table/1 HTTP/1.1\r\nHost: loc")
    phones = [(Phone(proxied), *order) for _ in range(20) for order in orders]
    for phone, number, body in phones:
        phone.send(head_of_order(number, len(body)))
    for phone, _number, body in phones:
        phone.send(body)
    assert Counter(phone.status() for phone, _number, _body in phones) == {200: 200}
