"""Persistent connections are checked before each request: a real server, and connections that it ended."""

import psycopg
import pytest
import requests

from tests.servers import Installation

pytestmark = pytest.mark.slow

END_ALL = """SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
             WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"""


@pytest.fixture
def installation(tmp_path, used):
    made = Installation(tmp_path / "data", options=()).copy_data(used).start()
    yield made
    made.stop()


def test_the_next_request_after_the_database_ended_its_connections_is_answered(installation):
    session = requests.Session()
    nowhere = f"{installation.base}/checkin/00000000-0000-4000-8000-000000000001"
    answers = []
    with psycopg.connect(installation.database_url(), autocommit=True) as database:
        for _ in range(12):
            answers += [session.get(nowhere, timeout=10).status_code for _ in range(2)]
            ended = database.execute(END_ALL).fetchone()[0]
            assert ended >= 1
            answers.append(session.get(nowhere, timeout=10).status_code)
    assert answers == [404] * 36
