"""Failed sign-ins are limited: 10 per user name and 50 per address in 15 minutes, on the admin's page too."""

from datetime import timedelta

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.db import DataError
from django.test import Client
from django.utils import timezone

from tests.conftest import make_user, undone

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def attempt(username: str, password: str = "wrong", path: str = "/sign-in", address: str = "198.51.100.7"):
    form = {"username": username, "password": password}
    return Client(REMOTE_ADDR=address).post(path, form)


def test_a_user_name_is_closed_after_ten_failures_from_anywhere():
    make_user("Floor", "anna")
    for path in ("/sign-in", "/admin/login/"):
        with undone():
            answers = [attempt("anna", path=path, address=f"198.51.100.{number}") for number in range(10)]
            answers.append(attempt("anna", "a long pass phrase", path=path, address="203.0.113.1"))
        assert [answer.status_code for answer in answers] == [200] * 9 + [429] * 2, path
        assert answers[-1]["Retry-After"] == "900"


def test_a_success_before_the_limit_starts_the_count_again():
    make_user("Floor", "anna")
    for _ in range(2):
        for _ in range(9):
            assert attempt("anna").status_code == 200
        assert attempt("anna", "a long pass phrase").status_code == 302


def test_failures_are_forgotten_after_a_quarter_of_an_hour_also_where_more_follow(clock):
    make_user("Floor", "anna")
    now = timezone.now()
    for at in (now, now + timedelta(minutes=15, seconds=1)):
        clock(at)
        assert [attempt("anna").status_code for _ in range(9)] == [200] * 9


# --- devices that are known -------------------------------------------------------------------------


def device_of(username: str, password: str = "a long pass phrase", **form: str) -> Client:
    """Return a browser on which the user has signed in and out."""
    device = Client(REMOTE_ADDR="198.51.100.7")
    assert device.post("/sign-in", {"username": username, "password": password, **form}).status_code == 302
    device.post("/sign-out")
    return device


def on(device: Client, username: str, password: str = "wrong", path: str = "/sign-in") -> int:
    return device.post(path, {"username": username, "password": password}).status_code


def test_a_device_with_an_earlier_sign_in_is_spared_what_others_have_guessed():
    make_user("Managers", "anna")
    make_user("Floor", "ben")
    known, of_ben = device_of("anna"), device_of("ben")
    for number in range(60):  # past both limits
        attempt("anna", address="198.51.100.7" if number < 50 else "203.0.113.1")
    for path in ("/sign-in", "/admin/login/"):
        assert attempt("anna", "a long pass phrase", path).status_code == 429
        assert on(of_ben, "anna", "a long pass phrase", path) == 429
        with undone():
            assert on(known, "anna", "a long pass phrase", path) == 302


def test_a_known_device_has_ten_failures_which_count_for_nobody_else():
    make_user("Floor", "anna")
    known, other = device_of("anna"), device_of("anna")
    assert [on(known, "ANNA") for _ in range(10)] == [200] * 9 + [429]
    assert on(known, "anna", "a long pass phrase") == 429
    assert on(other, "anna", "a long pass phrase") == 302
    assert [attempt("anna").status_code for _ in range(10)] == [200] * 9 + [429]


def test_a_device_is_not_known_any_more():
    user = make_user("Floor", "anna")
    for end in ("password", "deactivated", "tick", "forged"):
        with undone():
            known = device_of("anna", **({"keepShown": "yes"} if end == "tick" else {}))
            for _ in range(10):
                attempt("anna")
            if end == "password":
                user.set_password("a long pass phrase")
                user.save()
            elif end == "deactivated":
                User.objects.filter(pk=user.pk).update(is_active=False)
            elif end == "forged":
                known.cookies["staff_device"] = "x" + known.cookies["staff_device"].value
            assert on(known, "anna", "a long pass phrase") == 429, end


def test_a_device_stays_known_when_its_user_changes_the_password_on_it():
    make_user("Floor", "anna")
    known = device_of("anna")
    assert known.cookies["staff_device"]["httponly"]
    on(known, "anna", "a long pass phrase")
    new = {"new_password1": "another pass phrase", "new_password2": "another pass phrase"}
    assert known.post("/password", {"old_password": "a long pass phrase", **new}).status_code == 302
    known.post("/sign-out")
    for _ in range(10):
        attempt("anna")
    assert on(known, "anna", "another pass phrase") == 302


def test_an_address_has_room_for_a_full_house_and_an_end():
    make_user("Floor", "anna")
    for number in range(49):
        assert attempt(f"guess{number}").status_code == 200
    assert attempt("anna", "a long pass phrase").status_code == 302
    assert attempt("guess49").status_code == 429
    assert attempt("anna", "a long pass phrase").status_code == 429
    assert attempt("anna", "a long pass phrase", address="203.0.113.1").status_code == 302


def test_an_ipv6_address_is_counted_by_its_network():
    make_user("Floor", "anna")
    for number in range(50):
        attempt(f"guess{number}", address=f"2001:db8:1:2:{number:x}::{number:x}")
    assert attempt("anna", "a long pass phrase", address="2001:db8:1:2:ffff::1").status_code == 429
    assert attempt("anna", "a long pass phrase", address="2001:db8:1:3::1").status_code == 302


# --- requests that are hard to store ----------------------------------------------------------------

BOUNDARY = "multipart/form-data; boundary=B"
LONE_SURROGATE = b"--B\r\nContent-Disposition: form-data; name*=utf-7''%2B2AA-\r\n\r\nx\r\n"
ODD = [
    (BOUNDARY, b"--B\r\nContent-Disposition: form-data; name=x\r\n\r\n+2AA-\r\n"),
    (f"{BOUNDARY}; charset=utf-7", b"--B\r\nContent-Disposition: form-data; name=x\r\n\r\n+2AA-\r\n"),
    (BOUNDARY, LONE_SURROGATE),
    (BOUNDARY, b"--B\r\nContent-Disposition: form-data; name=\0\r\n\r\n\0\r\n"),
    (BOUNDARY, b"--B\r\nContent-Disposition: form-data; name=\xff\r\n\r\n\xff\r\n"),
]


def odd_attempt(odd: tuple[str, bytes], password: str, path: str):
    kind, part = odd
    fields = "".join(
        f'--B\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in {"username": "anna", "password": password}.items()
    )
    body = part + fields.encode() + b"--B--\r\n"
    return Client(REMOTE_ADDR="198.51.100.7").generic("POST", path, body, content_type=kind)


@pytest.mark.slow
def test_wrong_passwords_in_odd_requests_are_refused_or_counted():
    make_user("Managers", "anna")
    for path in ("/sign-in", "/admin/login/", "/sign-in?x=%00"):
        for odd in ODD:
            with undone():
                statuses = {odd_attempt(odd, f"wrong {number}", path).status_code for number in range(11)}
                late = odd_attempt(odd, "a long pass phrase", path)
                in_order = attempt("anna", "a long pass phrase")
            assert statuses in ({400}, {200, 429}), (path, odd)
            is_counted = statuses != {400}
            assert (late.status_code, "staff_session" in late.cookies) == (429 if is_counted else 400, False), (
                path,
                odd,
            )
            assert in_order.status_code == (429 if is_counted else 302), (path, odd)


def test_a_header_that_is_hard_to_store_changes_nothing():
    make_user("Floor", "anna")
    for header in ("HTTP_USER_AGENT", "HTTP_ACCEPT"):
        for value in ("\xff\xfe", "x" * 5000, "\0", "\ud800"):
            with undone():
                browser = Client(REMOTE_ADDR="198.51.100.7", **{header: value})
                form = {"username": "anna", "password": "wrong"}
                statuses = [browser.post("/sign-in", form).status_code for _ in range(10)]
            assert statuses == [200] * 9 + [429], (header, value[:9])


def test_a_failure_counts_when_its_details_can_t_be_stored(monkeypatch):
    def fail(*args: object, **values: object) -> None:
        raise DataError("too long")

    make_user("Floor", "anna")
    monkeypatch.setattr("django.db.models.query.QuerySet.update", fail)
    assert [attempt("anna").status_code for _ in range(10)] == [200] * 9 + [429]


def test_what_was_typed_is_not_stored():
    attempt("a pass phrase in the wrong field", "secret")
    stored = AccessAttempt.objects.get()
    assert (stored.get_data, stored.post_data) == ("", "")
    assert (stored.path_info, stored.failures_since_start) == ("/sign-in", 1)
