"""Scans from one IPv6 network share a limit, also in front of Django: a phone can choose its address there."""

import pytest

from qrservice import gateway
from qrservice.models import Code
from tests.web.server import call

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("one_window")]


def test_another_address_of_the_network_has_no_limit_of_its_own(settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "code": "2/day"}
    gateway.create_code(redirect_url="https://example.com/menu")
    path = f"/q/{Code.objects.get().slug}"
    inside = [f"2001:db8:1:2::{number:x}" for number in (1, 2, 3)]
    addresses = [*inside, "2001:db8:1:3::1", "192.0.2.1", "192.0.2.2"]
    statuses = [call(path, REMOTE_ADDR=address).status for address in addresses]
    assert statuses == ["302", "302", "429", "302", "302", "302"]
