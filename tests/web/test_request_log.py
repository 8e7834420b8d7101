"""Every response has an id, and LOG_REQUESTS writes a line for each."""

import io
import ipaddress
import json
import logging
import re

import pytest
import requests
from django.test import Client

from qrservice import gateway
from qrservice.models import Code
from tests.conftest import PAGE, make_table, unknown_id
from tests.servers import PATIENCE, http_server, wait_for

ID = re.compile(r"[0-9a-f]{16}")


@pytest.fixture
def request_log():
    """What LOG_REQUESTS=true writes."""
    [console] = [handler for handler in logging.getLogger().handlers if handler.get_name() == "console"]
    written, logger = io.StringIO(), logging.getLogger("regulars.requests")
    before, level = console.setStream(written), logger.level
    logger.setLevel(logging.INFO)
    yield written
    console.setStream(before)
    logger.setLevel(level)


@pytest.mark.django_db
def test_every_response_has_an_id_of_its_own(table):
    client = Client(headers={"accept": PAGE})
    paths = ["/table/7", "/table/99", "/nothing", "/earn", "/static/css/base.css", "/q/AAAAAAAA", "/admin/"]
    ids = [client.get(path)["X-Request-ID"] for path in paths]
    assert all(ID.fullmatch(id_) for id_ in ids)
    assert len(set(ids)) == len(paths)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("trusted", "given", "is_kept"),
    [(True, "4f2a-proxy.id_1", True), (False, "4f2a-proxy.id_1", False), (True, "a b", False), (True, "x" * 65, False)],
)
def test_the_id_of_a_trusted_proxy_is_kept(settings, trusted, given, is_kept):
    settings.TRUSTED_PROXY_NETWORKS = [ipaddress.ip_network("127.0.0.1")] if trusted else []
    response = Client().get("/signup", headers={"x-request-id": given})
    assert (response["X-Request-ID"] == given) is is_kept


@pytest.mark.django_db
def test_what_goes_wrong_in_a_request_is_written_with_its_id(request_log, settings):
    settings.GEOIP_PATH = "/nowhere/cities.mmdb"
    gateway.create_code(redirect_url="https://example.com/")
    response = Client().get(f"/q/{Code.objects.latest('pk').slug}")
    [line] = [line for line in request_log.getvalue().splitlines() if "GEOIP_PATH can't be read" in line]
    assert response["X-Request-ID"] in line


@pytest.mark.django_db
def test_a_request_is_a_line_with_the_route_and_not_what_is_in_the_path(request_log, table):
    client = Client()
    response = client.get(f"/orders/{unknown_id()}?secret=1")
    client.get("/table/7")
    client.get("/healthz")
    client.get("/no-such/" + "x" * 40)
    lines = request_log.getvalue().splitlines()
    pattern = rf" {response['X-Request-ID']} INFO regulars\.requests: GET /orders/<order_id> 404 [0-9.]+ ms"
    assert re.search(pattern + "$", lines[0])
    assert "GET /table/7 200" in lines[1]
    assert "GET /no-such/… 404" in lines[2]
    assert len(lines) == 3


@pytest.mark.django_db
def test_requests_are_not_logged_by_default(table):
    [console] = [handler for handler in logging.getLogger().handlers if handler.get_name() == "console"]
    written = io.StringIO()
    before = console.setStream(written)
    Client().get("/table/7")
    console.setStream(before)
    assert written.getvalue() == ""


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_real_process_logs_pages_and_scans_as_json(tmp_path):
    make_table()
    gateway.create_code(redirect_url="https://example.com/")
    slug, log = Code.objects.latest("pk").slug, tmp_path / "log"
    with http_server(log=log, LOG_FORMAT="json", LOG_REQUESTS="true", LOG_LEVEL="ERROR") as port:
        base = f"http://127.0.0.1:{port}"
        scan = requests.get(f"{base}/q/{slug}", allow_redirects=False, timeout=PATIENCE)
        page = requests.get(f"{base}/table/7", timeout=PATIENCE)
        wait_for(lambda: log.read_text().count("\n") == 2, "two lines")
    first, second = map(json.loads, log.read_text().splitlines())
    assert (first["path"], first["status"], first["requestId"]) == ("/q/<slug>", 302, scan.headers["X-Request-ID"])
    assert (second["path"], second["status"], second["requestId"]) == ("/table/7", 200, page.headers["X-Request-ID"])
    assert first["milliseconds"] > 0
