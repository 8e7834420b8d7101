"""`manage.py tidy` deletes what is old, and nothing else."""

import threading
from datetime import timedelta

import pytest
from axes.models import AccessAttempt, AccessLog
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from config import tidying
from config.models import Presence, StaffToken
from loyalty.models import Notification
from qrservice.models import Scan
from restaurant.models import CartLine, Order, Printer, PrintJob, TableSession
from tests.conftest import make_user
from tests.loyalty.making import make_member
from tests.qrservice.admin.pages import make_code, make_scans
from tests.servers import PATIENCE

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)  # no test takes as long


def output(capsys, *arguments: str) -> dict[str, int]:
    capsys.readouterr()
    call_command("tidy", *arguments)
    lines = capsys.readouterr().out.splitlines()
    return {name: int(number) for number, name in (line.strip().split("  ", 1) for line in lines)}


def session_of(table, age: timedelta, **values) -> TableSession:
    return TableSession.objects.create(table=table, started_at=timezone.now() - age, **values)


def with_cart(session: TableSession, item) -> TableSession:
    CartLine.objects.create(session=session, guest="phone", menu_item=item)
    return session


def with_order(session: TableSession) -> TableSession:
    Order.objects.create(session=session, table=session.table, total=5)
    return session


def test_carts_and_sessions_without_orders_go_after_a_day_and_carts_of_closed_sessions_at_once(capsys, table, soup):
    now = timezone.now()
    young = with_cart(session_of(table, DAY - HOUR), soup)
    closed = with_cart(session_of(table, HOUR, ended_at=now), soup)
    ordered = with_cart(with_order(session_of(table, DAY + HOUR)), soup)
    with_cart(session_of(table, DAY + HOUR), soup)
    session_of(table, 30 * DAY, ended_at=now)
    deleted = output(capsys)
    assert (deleted["entries of carts"], deleted["sessions without orders"]) == (3, 2)
    assert set(TableSession.objects.all()) == {young, closed, ordered}
    assert [line.session for line in CartLine.objects.all()] == [young]
    assert Order.objects.count() == 1


def test_print_jobs_go_after_a_week_and_their_orders_stay(capsys, table):
    printer = Printer.objects.create(name="Pass", host="10.0.0.9")
    order = Order.objects.get(session=with_order(session_of(table, 10 * DAY)))
    now = timezone.now()
    young = PrintJob.objects.create(order=order, printer=printer, created_at=now - 7 * DAY + HOUR)
    PrintJob.objects.create(order=order, printer=printer, created_at=now - 7 * DAY - HOUR, state="printed")
    assert output(capsys)["print jobs"] == 1
    assert list(PrintJob.objects.all()) == [young]
    assert Order.objects.count() == 1


def test_sign_in_attempts_go_after_a_month(capsys):
    for age in (29 * DAY, 31 * DAY):
        for made in (
            AccessAttempt.objects.create(username=f"anna{age}", failures_since_start=1),
            AccessLog.objects.create(username="anna"),
        ):
            type(made).objects.filter(pk=made.pk).update(attempt_time=timezone.now() - age)
    assert output(capsys)["sign-in attempts"] == 2
    assert (AccessAttempt.objects.count(), AccessLog.objects.count()) == (1, 1)


def test_when_staff_worked_goes_after_a_year(capsys):
    user, now = make_user("Floor"), timezone.now()
    for age in (364 * DAY, 366 * DAY):
        Presence.objects.create(user=user, day=now - age, first_at=now - age, last_at=now - age)
    assert output(capsys)["days of staff"] == 1
    assert Presence.objects.get().last_at == now - 364 * DAY


def test_expired_tokens_and_browser_sessions_go(capsys):
    now, user = timezone.now(), make_user("Floor")
    for expiry in (now - HOUR, now + DAY, None):
        token, _key = StaffToken.objects.create(user=user)
        StaffToken.objects.filter(pk=token.pk).update(expiry=expiry)
    for number, expire_date in enumerate((now - HOUR, now + DAY)):
        Session.objects.create(session_key=f"key{number}", expire_date=expire_date)
    deleted = output(capsys)
    assert (deleted["expired tokens"], deleted["expired browser sessions"]) == (1, 1)
    assert (StaffToken.objects.count(), Session.objects.count()) == (2, 1)


def test_a_machine_whose_clock_is_ahead_of_the_databases_deletes_nothing_too_soon(capsys, clock, table, soup):
    with_cart(session_of(table, timedelta(0)), soup)
    Session.objects.create(session_key="key", expire_date=timezone.now() + 14 * DAY)
    clock(timezone.now() + 400 * DAY)
    assert not any(output(capsys).values())


def test_mailed_notifications_go_after_ninety_days_and_unsent_ones_stay(capsys):
    now, member = timezone.now(), make_member()
    for sent_at in (now - 91 * DAY, now - 89 * DAY, None):
        Notification.objects.create(
            customer=member, title="x", message="x", sent_at=sent_at, created_at=now - 100 * DAY
        )
    assert output(capsys)["mailed notifications"] == 1
    assert Notification.objects.count() == 2


def test_scans_stay_unless_an_age_is_given(capsys):
    code, now = make_code(), timezone.now()
    make_scans(code, now - 400 * DAY, now - 364 * DAY)
    assert "scans" not in output(capsys)
    assert Scan.objects.count() == 2
    assert output(capsys, "--scans-older-than", "365")["scans"] == 1
    assert Scan.objects.count() == 1


def test_nonsense_deletes_nothing():
    make_scans(make_code(), timezone.now() - 10 * DAY)
    for days in ("0", "-1", "36501", "x"):
        with pytest.raises(CommandError):
            call_command("tidy", f"--scans-older-than={days}")
    assert Scan.objects.count() == 1


def test_many_rows_are_deleted_a_part_at_a_time(capsys, monkeypatch, table):
    monkeypatch.setattr("web.tidying.BATCH", 10)
    for _ in range(25):
        session_of(table, 2 * DAY)
    sizes = []

    def record(execute, sql, parameters, *arguments):
        result = execute(sql, parameters, *arguments)
        if sql.startswith('DELETE FROM "restaurant_tablesession"'):
            sizes.append(len(parameters))
        return result

    with connection.execute_wrapper(record):
        assert output(capsys)["sessions without orders"] == 25
    assert sizes == [10, 10, 5]


def test_two_processes_do_not_tidy_at_once(capsys, table):
    session_of(table, 2 * DAY)
    busy, done = threading.Event(), threading.Event()

    def hold() -> None:
        with tidying._alone() as is_alone:
            assert is_alone
            busy.set()
            done.wait(PATIENCE)
        connection.close()

    other = threading.Thread(target=hold)
    other.start()
    busy.wait(PATIENCE)
    call_command("tidy")
    assert capsys.readouterr().out == "Another process is tidying at the moment.\n"
    done.set()
    other.join()
    assert output(capsys)["sessions without orders"] == 1
