"""A file of ten megabytes, of which little is in memory at any time."""

import tracemalloc

import pytest

from loyalty.models import PointTransaction
from tests.loyalty.admin.pages import list_of

pytestmark = pytest.mark.django_db


def test_a_large_file_is_sent_in_parts_and_bounded_in_memory(managers_browser, member):
    rows = (PointTransaction(customer=member, type="bonus", points=1, description="x" * 1000) for _ in range(10_000))
    PointTransaction.objects.bulk_create(rows, batch_size=5000)
    response = managers_browser.get(list_of("pointtransaction") + "export/")
    tracemalloc.start()
    sizes = [len(part) for part in response.streaming_content]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert sum(sizes) > 10_000_000
    assert peak < 8_000_000
