"""Failed sign-ins are limited: 10 per user name and 50 per address in 15 minutes, on the admin's page too."""

import pytest
from django.test import Client

from tests.conftest import make_user

pytestmark = pytest.mark.django_db


def attempt(username: str, password: str = "wrong", path: str = "/sign-in", address: str = "198.51.100.7"):
    form = {"username": username, "password": password}
    return Client(REMOTE_ADDR=address).post(path, form)


@pytest.mark.parametrize("path", ["/sign-in", "/admin/login/"])
def test_a_user_name_is_closed_after_ten_failures_from_anywhere(path):
    make_user("Floor", "anna")
    for number in range(10):
        answer = attempt("anna", path=path, address=f"198.51.100.{number}")
        assert answer.status_code == (200 if number < 9 else 429)
    answer = attempt("anna", "a long pass phrase", path=path, address="203.0.113.1")
    assert answer.status_code == 429
    assert answer["Retry-After"] == "900"


def test_a_success_before_the_limit_starts_the_count_again():
    make_user("Floor", "anna")
    for _ in range(2):
        for _ in range(9):
            assert attempt("anna").status_code == 200
        assert attempt("anna", "a long pass phrase").status_code == 302


def test_an_address_has_room_for_a_full_house_and_an_end():
    make_user("Floor", "anna")
    for number in range(49):
        assert attempt(f"guess{number}").status_code == 200
    assert attempt("anna", "a long pass phrase").status_code == 302
    assert attempt("guess49").status_code == 429
    assert attempt("anna", "a long pass phrase").status_code == 429
    assert attempt("anna", "a long pass phrase", address="203.0.113.1").status_code == 302
