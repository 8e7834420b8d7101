"""`/metrics`: who may read it, and what it counts in several processes."""

import os
import signal
import stat
from collections import Counter
from contextlib import suppress
from ipaddress import ip_network
from pathlib import Path

import psutil
import pytest
import requests
from django.db import OperationalError, connection
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from loyalty.models import Member, Notification
from tests.conftest import make_item, make_table, make_user, order_body
from tests.servers import PATIENCE, http_server, socket_server, wait_for
from web import metrics
from web.proxies import resolve_client_address

TOKEN = "a-token-for-the-metrics"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Where the processes of one installation keep their figures."""
    return tmp_path_factory.mktemp("shared") / "metrics"


@pytest.fixture(scope="module")
def server(django_db_setup, django_db_blocker, folder):
    """One for all tests of this file."""
    with django_db_blocker.unblock(), http_server(METRICS_TOKEN=TOKEN, PROMETHEUS_MULTIPROC_DIR=str(folder)) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def served(transactional_db, server):
    """The address of an HTTP server with metrics on."""
    return server


def since(before: dict[str, float], base: str) -> Counter[str]:
    """What was counted since."""
    return Counter({name: value - before.get(name, 0) for name, value in read(base).items()})


def read(base: str) -> dict[str, float]:
    """The value of every line, by its name and labels."""
    response = requests.get(f"{base}/metrics", headers=BEARER, timeout=PATIENCE)
    assert response.status_code == 200
    assert response.headers["Content-Type"].startswith("text/plain; version=")
    lines = [line.rpartition(" ") for line in response.text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in lines}


def requests_of(view: str, status: str = "2xx", method: str = "GET") -> str:
    return f'regulars_request_seconds_count{{method="{method}",status="{status}",view="{view}"}}'


def test_there_are_no_metrics_unless_they_are_switched_on(client, db, settings):
    assert not metrics.is_on()
    assert client.get("/metrics").status_code == 404
    assert "web.metrics.MetricsMiddleware" not in settings.MIDDLEWARE
    assert metrics.recorder() is None


@pytest.mark.slow
def test_only_the_token_opens_them(served):
    address = f"{served}/metrics"
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Token x"}, {"Authorization": "Bearer é"}):
        encoded = {name: value.encode() for name, value in headers.items()}
        refused = requests.get(address, headers=encoded, timeout=PATIENCE)
        assert (refused.status_code, refused.headers["WWW-Authenticate"]) == (401, "Bearer")
        assert list(refused.json()) == ["error"]
    assert requests.post(address, headers=BEARER, timeout=PATIENCE).status_code == 405
    # Prometheus asks by an address that guests don't use.
    assert requests.get(address, headers=BEARER | {"Host": "10.0.0.5:8000"}, timeout=PATIENCE).status_code == 200


@pytest.fixture
def asked(rf, settings, monkeypatch, tmp_path, db):
    """`asked(...)` is the response to somebody with these headers, in this process."""
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path / "metrics"))

    def ask(**headers: str):
        request = rf.get("/metrics", headers=headers)
        resolve_client_address(request.META)
        return metrics.respond(request)

    return ask


def test_an_address_that_is_not_on_the_list_may_not_read_them(asked, settings):
    settings.METRICS_NETWORKS = [ip_network("127.0.0.1"), ip_network("10.0.0.0/8")]
    assert asked().status_code == 200
    # What a proxy in front forwards comes from its address, and is nobody's business.
    assert asked(**{"X-Forwarded-For": "8.8.8.8"}).status_code == 403
    settings.TRUSTED_PROXY_NETWORKS = [ip_network("127.0.0.1")]
    settings.METRICS_TOKEN = TOKEN
    assert asked(**BEARER, **{"X-Forwarded-For": "8.8.8.8"}).status_code == 403
    assert asked(**{"X-Forwarded-For": "10.1.1.1"}).status_code == 401
    assert asked(**BEARER, **{"X-Forwarded-For": "10.1.1.1"}).status_code == 200


def test_without_a_database_the_metrics_still_answer_and_say_so(asked, monkeypatch):
    def fail() -> None:
        raise OperationalError("gone")

    with monkeypatch.context() as patched:
        patched.setattr(connection, "cursor", fail)
        patched.setattr(connection, "close", lambda: None)
        response = asked()
    assert (response.status_code, b"regulars_database_up 0.0" in response.content) == (200, True)


@pytest.mark.slow
def test_requests_are_counted_by_view_method_and_class_of_status(served):
    table = make_table(7)
    make_item()
    before = read(served)
    for path in ("/table/7", "/table/7", "/table/999", "/nothing/here", "/admin/login/", "/static/css/none.css"):
        requests.get(f"{served}{path}", timeout=PATIENCE)
    requests.request("PROPFIND", f"{served}/table/7", timeout=PATIENCE)
    found = since(before, served)
    assert found[requests_of("menu")] == 2
    assert found[requests_of("menu", "4xx")] == 1
    assert found[requests_of("none", "4xx")] == 1
    assert found[requests_of("static", "4xx")] == 1
    assert sum(value for name, value in found.items() if 'view="admin"' in name and "_count" in name) == 1
    assert found[requests_of("menu", "4xx", "other")] == 1
    seconds = found['regulars_request_seconds_sum{method="GET",status="2xx",view="menu"}']
    assert 0.001 < seconds < 30
    assert found['regulars_request_seconds_bucket{le="+Inf",method="GET",status="2xx",view="menu"}'] == 2
    assert not any("999" in name for name in found)
    assert table.table_number == 7


@pytest.mark.slow
def test_a_scan_on_the_fast_path_is_counted_and_what_is_no_scan_is_not(served):
    path = "/q/" + make_table(7).short_url.rpartition("/")[2]
    before = read(served)
    for _ in range(3):
        scanned = requests.get(f"{served}{path}", allow_redirects=False, timeout=PATIENCE)
        assert scanned.status_code == 302
    requests.get(f"{served}{path}", headers={"User-Agent": "Googlebot/2.1"}, allow_redirects=False, timeout=PATIENCE)
    requests.get(f"{served}/q/ZZZZZZZZ", timeout=PATIENCE)
    requests.get(f"{served}/healthz", timeout=PATIENCE)
    found = since(before, served)
    assert found["regulars_scans_total"] == 3
    assert found[requests_of("short_address")] == 0  # none is 200
    assert found[requests_of("short_address", "3xx")] == 4
    assert found[requests_of("short_address", "4xx")] == 1


@pytest.mark.slow
def test_orders_are_counted_once_however_often_they_are_repeated(served):
    make_table(7)
    soup = make_item()
    before = read(served)
    session = requests.get(f"{served}/table/7", timeout=PATIENCE).json()["session"]["id"]
    for key in ("one", "one", "two"):
        headers = {"Idempotency-Key": key}
        body = order_body(session, (soup, 1))
        assert requests.post(f"{served}/table/7/order", json=body, headers=headers, timeout=PATIENCE).status_code == 200
    found = since(before, served)
    assert found["regulars_orders_total"] == 2
    assert found[requests_of("place_order", "2xx", "POST")] == 3


def process_of(port: int) -> int:
    """The server under test that listens on this port."""
    command = ["tests.run_server", "sockets", "--port", str(port)]
    found = psutil.process_iter(["cmdline"])  # None for what has just ended
    return next(each.pid for each in found if (each.info["cmdline"] or [])[2:6] == command)


@pytest.mark.slow
def test_the_socket_process_reports_its_displays_and_a_killed_one_is_forgotten(served, folder):
    user = make_user("Floor")
    from config.models import StaffToken

    _, key = StaffToken.objects.create(user=user)
    kitchen = 'regulars_open_displays{kind="kitchen"}'
    with socket_server(METRICS_TOKEN=TOKEN, PROMETHEUS_MULTIPROC_DIR=str(folder)) as port:
        address = f"ws://127.0.0.1:{port}/?token={key}"
        with connect(address), connect(address):
            wait_for(lambda: read(served)[kitchen] == 2, "two displays")
        wait_for(lambda: read(served)[kitchen] == 0, "no display")
        with suppress(ConnectionClosed), connect(address) as display:
            wait_for(lambda: read(served)[kitchen] == 1, "one display")
            os.kill(process_of(port), signal.SIGKILL)
            display.recv(timeout=PATIENCE)
        wait_for(lambda: read(served)[kitchen] == 0, "the killed process to be forgotten")


@pytest.mark.slow
def test_the_database_and_the_queues_are_reported(served):
    member = Member.objects.create(email="a@example.com", name="A")
    Notification.objects.create(customer=member, title="t", message="m")
    Notification.objects.create(customer=member, title="t", message="m", attempts=20)
    found = read(served)
    assert found['regulars_queue{queue="mail"}'] == 1
    assert found['regulars_queue{queue="dockets"}'] == 0
    assert found["regulars_database_up"] == 1
    assert found["regulars_database_connections"] >= 1


@pytest.mark.slow
def test_every_process_adds_to_the_same_figures(served, folder):
    make_table(7)
    files = set(folder.glob("histogram_*.db"))
    with http_server(METRICS_TOKEN=TOKEN, PROMETHEUS_MULTIPROC_DIR=str(folder)) as port:
        other = f"http://127.0.0.1:{port}"
        before = read(served)
        for base in (served, other, other):
            requests.get(f"{base}/table/7", timeout=PATIENCE)
        for base in (served, other):
            assert since(before, base)[requests_of("menu")] == 3
    assert len(set(folder.glob("histogram_*.db")) - files) == 1


def test_a_start_of_serve_forgets_the_figures_of_the_last_one(settings, tmp_path, monkeypatch):
    folder = tmp_path / "metrics"
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(folder))
    metrics.clear()
    assert not folder.exists()  # metrics are off
    settings.METRICS_TOKEN = TOKEN
    metrics.clear()
    (folder / "counter_1.db").touch()
    metrics.clear()
    assert list(folder.iterdir()) == []
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
