"""Half a surrogate pair, which the database can't store, is refused wherever it stands, and never a failure."""

import json

import pytest
from rest_framework.test import APIClient

from qrservice.models import Account
from qrservice.services import keys
from restaurant.models import TableSession
from tests.conftest import make_user, unknown_id

pytestmark = pytest.mark.django_db

LONE = "\ud800"
ID = unknown_id()
FIELDS = [
    "email", "name", "phone", "customerId", "locationId", "staffId", "orderTotal", "sessionId", "items", "status",
    "section", "tableNumber", "capacity", "menuItemId", "quantity", "expectedPoints", "location", LONE,
]  # fmt: skip
PATHS = [
    "/members", "/member-sign-in", "/earn", f"/rewards/{ID}/redeem", "/use/RWD-ABC123/confirm", f"/locations/{ID}/qr",
    "/tables", "/table/7/order", "/table/7/cart", "/table/7/close", f"/orders/{ID}/status",
]  # fmt: skip
ODD_NAME = "--B\r\nContent-Disposition: form-data; name*=utf-7''{}%2B2AA-\r\n\r\n{}\r\n--B--\r\n"


@pytest.fixture
def staff(session: TableSession) -> APIClient:
    client = APIClient()
    client.force_authenticate(make_user("Managers"))
    return client


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("value", [LONE, [LONE], {LONE: LONE}, [{"menuItemId": LONE, "specialInstructions": LONE}]])
def test_in_a_field_of_json(staff, path, value):
    for body in [*({name: value} for name in FIELDS), dict.fromkeys(FIELDS, value)]:
        response = staff.generic("POST", path, json.dumps(body), content_type="application/json")
        assert response.status_code in {400, 404, 409, 429}, (body, response.content[:200])


@pytest.mark.parametrize("path", [*PATHS, "/sign-in", "/admin/login/"])
@pytest.mark.parametrize("name", ["", "menuItemId", "quantity", "add", "x"])
def test_in_the_name_of_a_form_s_field(staff, api, path, name):
    for client in (staff, api):
        body = ODD_NAME.format(name, "x").encode()
        response = client.generic("POST", path, body, content_type="multipart/form-data; boundary=B")
        assert response.status_code < 500


@pytest.mark.parametrize("metadata", [LONE, {"a": LONE}, {LONE: "a"}, {"a": [{"b": LONE}]}, {"a": "\0"}])
def test_in_the_metadata_of_a_code(api, metadata):
    _key, secret = keys.create(account=Account.objects.create(name="A"))
    body = json.dumps({"redirect_url": "https://example.com/", "metadata": metadata})
    response = api.generic(
        "POST", "/v1/generate/dynamic", body, content_type="application/json", headers={"X-API-Key": secret}
    )
    assert response.status_code == 400
