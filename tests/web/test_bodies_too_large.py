"""Only staff may send more than 1 MB, and only files to the admin; nothing larger is read, or written to the disk."""

import socket

import pytest

from restaurant.models import MenuItem
from tests.conftest import PAGE
from tests.reading import read
from tests.servers import PATIENCE

MB = 1024 * 1024
MULTIPART = "multipart/form-data; boundary=B"
FILE = b'--B\r\nContent-Disposition: form-data; name="import_file"; filename="menu.csv"\r\n\r\n'
IMPORT = "/admin/restaurant/menuitem/import/"


def large(client, path: str, size: int, kind: str = MULTIPART, **headers: str):
    return client.generic("POST", path, FILE + b"x" * size + b"\r\n--B--\r\n", content_type=kind, headers=headers)


def test_a_large_body_is_refused_everywhere(managers_browser):
    for path in ("/members", "/sign-in", "/table/7/order", "/nowhere", "/administration"):
        for kind in (MULTIPART, "application/json", "application/x-www-form-urlencoded", ""):
            response = large(managers_browser, path, MB, kind)
            assert (response.status_code, set(response.json())) == (413, {"error"}), (path, kind)


def test_a_large_file_for_the_admin_is_refused_of_anybody_else(api, cashier):
    for path in ("/admin/login/", IMPORT, "/admin/"):
        for client in (api, cashier):
            assert large(client, path, MB).status_code == 413, path


def test_staff_may_send_the_admin_a_larger_file_and_read_what_is_wrong_with_it(managers_browser):
    response = large(managers_browser, IMPORT, 10 * MB)
    assert response.status_code == 200
    assert "at most 1 MB can be imported" in read(response)
    assert not MenuItem.objects.exists()


def test_a_file_beyond_that_is_refused_with_a_sentence(managers_browser):
    response = large(managers_browser, IMPORT, 11 * MB)
    assert response.status_code == 413
    assert "This file is too large" in response.json()["error"]
    page = large(managers_browser, IMPORT, 11 * MB, accept=PAGE)
    assert page.status_code == 413
    assert "This file is too large: at most 10 MB." in read(page)
    assert read(page).one("link", "Go back")["href"] == IMPORT


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_server_does_not_read_what_it_refuses(http_port):
    """It answers before the rest is sent: nobody sends it here."""
    for path in ("/members", "/admin/login/", "/sign-in"):
        with socket.create_connection(("127.0.0.1", http_port), timeout=PATIENCE) as client:
            headers = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Type: {MULTIPART}"]
            head = "\r\n".join([*headers, f"Content-Length: {150 * MB}", "", ""])
            client.sendall(head.encode() + FILE)
            assert b" 413 " in client.recv(4096).partition(b"\r\n")[0], path
