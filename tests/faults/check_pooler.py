"""One machine behind PgBouncer in transaction mode. Run by `make faults`."""

import csv
import io
import json
import time
from collections.abc import Iterator

import pytest
import requests

from tests.faults import __main__ as faults
from tests.faults.pooler import Addresses, pooled_database
from tests.servers import PATIENCE, Installation

MEMBERS = 5_000


@pytest.fixture(scope="module")
def addresses() -> Iterator[Addresses]:
    with pooled_database() as made:
        yield made


@pytest.fixture(scope="module")
def installation(addresses, tmp_path_factory) -> Iterator[Installation]:
    environment = {**faults.NO_LIMITS, "DATABASE_URL": addresses.pooled, "DATABASE_DIRECT_URL": addresses.direct}
    folder = tmp_path_factory.mktemp("behind") / "data"
    made = Installation(folder, options=("--workers", "2"), environment=environment).start()
    yield made
    if made.process.poll() is None:
        made.stop()


@pytest.fixture(scope="module")
def prepared(installation) -> dict:
    return json.loads(installation.shell("from tests.faults.prepare import prepare; prepare()"))


def test_orders_points_scans_and_displays_go_through_the_pooler(installation, prepared):
    row = faults.run(installation, prepared, "pooler", lambda _: time.sleep(10))
    assert row.is_clean, row
    assert row.answered > 100


def test_an_export_of_many_rows_is_whole(installation, prepared):
    installation.shell(
        "from loyalty.models import Member\n"
        f"Member.objects.bulk_create([Member(email=f'{{n}}@export.example', name='N') for n in range({MEMBERS})], 500)"
    )
    cookie = installation.cookie("owner")
    session = requests.Session()
    session.cookies.set(cookie["name"], cookie["value"])
    lists = session.get(f"{installation.base}/admin/loyalty/member/", timeout=PATIENCE)
    assert lists.status_code == 200
    export = session.get(f"{installation.base}/admin/loyalty/member/export/", timeout=PATIENCE)
    assert export.status_code == 200, export.text[:500]
    rows = list(csv.reader(io.StringIO(export.text)))
    assert len(rows) == 1 + MEMBERS + len(prepared["members"])


def test_pages_are_answered_after_a_backup(installation, prepared, tmp_path):
    installation.manage("backup", str(tmp_path / "backup"))
    assert {installation.status("/table/1") for _ in range(20)} == {200}


def test_it_starts_again_after_a_stop(installation, prepared):
    assert installation.stop() == 0
    installation.start()
    assert installation.status("/table/1") == 200


@pytest.mark.parametrize(
    ("named", "sentence"),
    [
        ({"DATABASE_URL"}, "DATABASE_URL leads through a pooler"),
        ({"DATABASE_URL", "DATABASE_DIRECT_URL"}, "is not heard of at DATABASE_DIRECT_URL"),
    ],
    ids=["the pooler alone", "the pooler twice"],
)
def test_without_a_direct_address_serve_refuses_with_a_sentence(addresses, tmp_path, named, sentence):
    refused = Installation(tmp_path / "data", options=(), environment=dict.fromkeys(named, addresses.pooled)).start()
    assert refused.process.wait(PATIENCE) == 1
    assert sentence in refused.output
    assert "Traceback" not in refused.output
