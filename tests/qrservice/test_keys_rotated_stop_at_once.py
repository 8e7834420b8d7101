"""A key that was rotated twice, revoked or has expired is refused by every process from the next call on."""

from datetime import timedelta

import pytest
import requests
from django.utils import timezone

from qrservice.models import ApiKey, Code
from qrservice.services import keys
from tests.servers import http_server

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture(scope="module")
def both(http_port):
    """Two servers for all tests of this file."""
    with http_server(LIMIT_API_CALLS_PER_KEY="100000/min") as other:  # as the first one has
        yield http_port, other


@pytest.fixture
def servers(transactional_db, both):
    return both


def statuses(servers: tuple[int, ...], secret: str) -> list[int]:
    """Of a call of each server."""
    addresses = [f"http://127.0.0.1:{port}/v1/generate/dynamic" for port in servers]
    body, headers = {"redirect_url": "https://example.com/menu"}, {"X-API-Key": secret}
    return [requests.post(each, json=body, headers=headers, timeout=10).status_code for each in addresses]


def test_a_key_ends_with_the_rotation_revocation_or_expiry_and_not_later(servers):
    account = keys.account_named("Trattoria")
    first, secret_1 = keys.create(account=account)
    second, secret_2 = keys.rotate(key=first)
    for secret in (secret_1, secret_2):  # both are valid, and known to both servers now
        assert statuses(servers, secret) * 2 == [201] * 4
    third, secret_3 = keys.rotate(key=second)
    made = Code.objects.count()
    assert statuses(servers, secret_1) == [401, 401]
    assert Code.objects.count() == made
    assert statuses(servers, secret_2) == statuses(servers, secret_3) == [201, 201]
    keys.revoke(key=second)
    assert statuses(servers, secret_2) == [401, 401]
    ApiKey.objects.filter(pk=third.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert statuses(servers, secret_3) == [401, 401]


def test_a_scope_that_was_taken_away_is_gone(servers):
    key, secret = keys.create(account=keys.account_named("Trattoria"))
    assert statuses(servers, secret) == [201, 201]
    ApiKey.objects.filter(pk=key.pk).update(can_generate=False)
    assert statuses(servers, secret) == [403, 403]
