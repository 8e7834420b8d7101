"""Two HTTP processes share the limit of an address, and record what they let pass."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
import requests

from qrservice import gateway
from qrservice.models import Code, Scan
from tests.servers import PATIENCE, http_server

LIMIT = 600

pytestmark = pytest.mark.django_db(transaction=True)


def test_of_two_thousand_scans_by_two_processes_no_more_than_the_limit_pass(transactional_db):
    gateway.create_code(redirect_url="https://example.com/menu")
    path = f"/q/{Code.objects.get().slug}"

    def scan(port: int) -> list[int]:
        with requests.Session() as phone:
            address = f"http://127.0.0.1:{port}{path}"
            return [phone.get(address, allow_redirects=False, timeout=PATIENCE).status_code for _ in range(125)]

    with ExitStack() as stack, ThreadPoolExecutor(16) as pool:
        ports = [stack.enter_context(http_server(LIMIT_PUBLIC_READS=f"{LIMIT}/day")) for _ in range(2)]
        statuses = [status for each in pool.map(scan, ports * 8) for status in each]
    assert set(statuses) == {302, 429}
    assert 0.9 * LIMIT <= statuses.count(302) == Scan.objects.count() <= LIMIT
