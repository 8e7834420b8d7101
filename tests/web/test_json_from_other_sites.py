"""A JSON request that a page of another site sends is refused, whoever's browser it is."""

import pytest
from django.test import Client

from restaurant.models import CartLine, Order
from tests.conftest import make_user, order_body, unknown_id

pytestmark = pytest.mark.django_db

ID = unknown_id()
PATHS = [
    "/members", "/member-sign-in", "/member-sign-in/token", "/member-sign-out", f"/rewards/{ID}/redeem", "/earn",
    "/use/RWD-ABC123/confirm", f"/locations/{ID}/qr", "/tables", "/table/7/order", "/table/7/cart", "/table/7/close",
    f"/orders/{ID}/status",
]  # fmt: skip
FOREIGN = [
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"origin": "https://evil.example", "sec-fetch-site": "cross-site"},
]


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
@pytest.mark.parametrize("path", PATHS)
def test_json_with_a_foreign_origin_is_refused(path, headers):
    staff = Client(enforce_csrf_checks=True)
    staff.force_login(make_user("Managers"))
    response = staff.post(path, {}, content_type="application/json", headers=headers)
    assert (response.status_code, set(response.json())) == (403, {"error"})
    guest = Client(enforce_csrf_checks=True).post(path, {}, content_type="application/json", headers=headers)
    assert guest.status_code in {401, 403}


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_a_foreign_order_is_not_placed(session, soup, headers):
    body = order_body(session, (soup, 1))
    response = Client().post("/table/7/order", body, content_type="application/json", headers=headers)
    assert response.status_code == 403
    assert not Order.objects.exists()
    assert not CartLine.objects.exists()
