"""Addresses and actions of the admin pages of codes."""

import json
from datetime import datetime

from django.test import Client
from django.urls import reverse

from qrservice.models import Code, Scan
from qrservice.services import codes
from tests.reading import read

CODES = reverse("admin:qrservice_code_changelist")
ADD = reverse("admin:qrservice_code_add")
SCANS = reverse("admin:qrservice_scan_changelist")


def make_code(target: str = "https://example.com/menu", **metadata) -> Code:
    return codes.create(account=codes.built_in_account(), redirect_url=target, metadata=metadata)


def make_scans(code: Code, *moments: datetime, device: str = "iOS") -> None:
    Scan.objects.bulk_create(Scan(code=code, scanned_at=moment, device_type=device) for moment in moments)


def page_of(code: Code) -> str:
    return reverse("admin:qrservice_code_change", args=[code.pk])


def text_of(response) -> str:
    assert response.status_code == 200
    return response.content.decode()


def row_of(code: Code, page: str) -> str:
    """The text of a code's row in the list."""
    rows = read(page).all("row")
    return next(row.text for row in rows if any(link["href"].startswith(page_of(code)) for link in row.all("link")))


def act(client: Client, action: str, *chosen: Code, **more):
    data = {"action": action, "_selected_action": [each.pk for each in chosen], "index": 0}
    return client.post(CODES, data | more, follow=True)


def save(client: Client, code: Code, **values):
    form = {"target": code.target, "status": code.status, "metadata": json.dumps(code.metadata)}
    return client.post(page_of(code), form | values)
