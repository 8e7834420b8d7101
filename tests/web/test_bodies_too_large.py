"""Only staff may send more than 1 MB, and only files to the admin; nothing larger is read, or written to the disk."""

import re
import socket
import time

import pytest

from restaurant.models import MenuItem
from tests.conftest import PAGE, make_user, signed_in

MB = 1024 * 1024
MULTIPART = "multipart/form-data; boundary=B"
FILE = b'--B\r\nContent-Disposition: form-data; name="import_file"; filename="menu.csv"\r\n\r\n'
IMPORT = "/admin/restaurant/menuitem/import/"


def large(client, path: str, size: int, kind: str = MULTIPART, **headers: str):
    return client.generic("POST", path, FILE + b"x" * size + b"\r\n--B--\r\n", content_type=kind, headers=headers)


@pytest.fixture
def owner(db):
    user = make_user("Managers", "olga")
    user.is_staff = True
    user.save()
    return signed_in(user)


@pytest.mark.parametrize("path", ["/members", "/sign-in", "/table/7/order", "/nowhere", "/administration"])
@pytest.mark.parametrize("kind", [MULTIPART, "application/json", "application/x-www-form-urlencoded", ""])
def test_a_large_body_is_refused_everywhere(owner, path, kind):
    response = large(owner, path, MB, kind)
    assert (response.status_code, set(response.json())) == (413, {"error"})


@pytest.mark.parametrize("path", ["/admin/login/", IMPORT, "/admin/"])
def test_a_large_file_for_the_admin_is_refused_of_anybody_else(api, cashier, path):
    for client in (api, cashier):
        assert large(client, path, MB).status_code == 413


def test_staff_may_send_the_admin_a_larger_file_and_read_what_is_wrong_with_it(owner):
    response = large(owner, IMPORT, 10 * MB)
    assert response.status_code == 200
    assert "a menu has at most 1 MB" in response.content.decode()
    assert not MenuItem.objects.exists()


def test_a_file_beyond_that_is_refused_with_a_sentence(owner):
    response = large(owner, IMPORT, 11 * MB)
    assert response.status_code == 413
    assert "This file is too large" in response.json()["error"]
    page = large(owner, IMPORT, 11 * MB, accept=PAGE)
    assert page.status_code == 413
    words = page.content.decode()
    assert "This file is too large: at most 10 MB." in words
    assert re.search(f'href="{IMPORT}">Back to the form<', words)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", ["/members", "/admin/login/", "/sign-in"])
def test_the_server_does_not_read_what_it_refuses(http_port, path):
    with socket.create_connection(("127.0.0.1", http_port), timeout=10) as client:
        headers = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Type: {MULTIPART}"]
        head = "\r\n".join([*headers, f"Content-Length: {150 * MB}", "", ""])
        began = time.monotonic()
        client.sendall(head.encode() + FILE)
        assert b" 413 " in client.recv(4096).partition(b"\r\n")[0]
        assert time.monotonic() - began < 5
