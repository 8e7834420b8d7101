from tests.conftest import make_user
from tests.qrservice.admin.pages import browser_of


def test_a_refusal_is_logged_in_one_line(log, db):
    waiter = browser_of(make_user("Floor"))
    assert waiter.get("/admin/restaurant/menuitem/").status_code == 403
    [line] = log.getvalue().splitlines()
    assert line.endswith("django.request: Forbidden (Permission denied): /admin/restaurant/menuitem/")


def test_an_error_is_logged_with_its_traceback(log, db, monkeypatch):
    def fail(*args: object, **kwargs: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("django.contrib.admin.sites.AdminSite.each_context", fail)
    staff = browser_of(make_user("Managers"))
    staff.raise_request_exception = False
    assert staff.get("/admin/").status_code == 500
    assert "Internal Server Error: /admin/" in log.getvalue()
    assert "Traceback" in log.getvalue()
