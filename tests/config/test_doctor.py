"""`manage.py doctor`; what `serve` says of it at its start is in test_serve.py."""

import os
import shutil
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from config import doctor
from restaurant.models import Order, Printer, PrintJob, TableSession
from tests.conftest import make_table
from tests.servers import free_port
from web import proxies

DAY = 24 * 3600


@pytest.fixture
def sound(settings, tmp_path, db):
    """Settings of a deployed installation that nothing is wrong with."""
    settings.DEBUG = False
    settings.SECRET_KEY = "a-random-text-of-more-than-fifty-different-characters-0123456789"
    settings.APP_BASE_URL = "https://menu.example.com"
    settings.ALLOWED_HOSTS = ["menu.example.com"]
    settings.TRUSTED_PROXY_NETWORKS = [proxies.ipaddress.ip_network("127.0.0.1")]
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.TIME_ZONE = "Europe/Paris"
    settings.DATA_DIR = tmp_path
    return settings


def examine(*options: str) -> list[str]:
    """Return the lines of `manage.py doctor`, and its error as the last one."""
    out = StringIO()
    try:
        call_command("doctor", *(options or ["--offline"]), stdout=out)
    except CommandError as error:
        out.write(f"Error: {error}")
    return out.getvalue().splitlines()


def test_nothing_is_wrong_with_a_sound_installation(sound):
    assert examine() == ["All is well."]


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("SECRET_KEY", "short", "SECRET_KEY is short"),
        ("SECRET_KEY", "django-insecure-" + "abcdefghij" * 5, "SECRET_KEY is short or an example"),
        ("SECRET_KEY", "a" * 60, "SECRET_KEY is short or an example"),
        ("APP_BASE_URL", "http://menu.example.com", "without HTTPS"),
        ("ALLOWED_HOSTS", ["other.example.com"], "(400): add menu.example.com to ALLOWED_HOSTS"),
        ("TRUSTED_PROXY_NETWORKS", [], "Set TRUSTED_PROXIES"),
        ("EMAIL_BACKEND", "django.core.mail.backends.console.EmailBackend", "Set EMAIL_URL"),
        ("TIME_ZONE", "UTC", "Set TIME_ZONE"),
    ],
)
def test_each_fault_is_a_line_that_says_what_to_do_and_the_status_is_not_zero(sound, name, value, sentence):
    setattr(sound, name, value)
    line, error = examine()
    assert line.startswith("- ")
    assert sentence in line
    assert error == "Error: 1 of these need your attention."


def test_debug_pages_are_a_fault_if_somebody_switched_them_on(sound, monkeypatch):
    sound.DEBUG = True
    monkeypatch.delenv("DEBUG", raising=False)
    assert examine() == ["All is well."]  # `serve` switches them off
    monkeypatch.setenv("DEBUG", "true")
    assert "Set DEBUG=false" in examine()[0]


def test_a_trial_run_is_told_and_its_status_is_zero(sound, monkeypatch):
    monkeypatch.delenv("DEBUG", raising=False)
    sound.DEBUG = True
    sound.APP_BASE_URL = "http://192.168.1.20:8000"
    sound.ALLOWED_HOSTS = ["192.168.1.20"]
    line, last = examine()
    assert "without HTTPS" in line
    assert last == "Fine for a trial run. Before guests come, change these."


def test_no_backup_for_a_week_is_a_fault(sound, tmp_path):
    note = tmp_path / "last_backup"
    note.touch()
    os.utime(note, times=(time.time() - 6 * DAY,) * 2)
    assert examine() == ["All is well."]
    os.utime(note, times=(time.time() - 8 * DAY,) * 2)
    assert "no backup for 8 days" in examine()[0]


def test_a_database_of_more_than_a_week_needs_its_first_backup(sound, monkeypatch):
    from django.db.migrations.recorder import MigrationRecorder

    MigrationRecorder.Migration.objects.update(applied=timezone.now() - timezone.timedelta(days=8))
    assert "no backup yet" in examine()[0]


def test_a_nearly_full_disk_is_a_fault(sound, monkeypatch):
    usage = SimpleNamespace(total=20_000_000_000, used=19_000_000_000, free=1_000_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage)
    assert "nearly full: 1.0 GB of 20" in examine()[0]
    usage.free = 3_000_000_000
    assert examine() == ["All is well."]


def test_a_printer_that_does_not_answer_and_dockets_that_wait_are_faults(sound):
    table = make_table()
    session = TableSession.objects.create(table=table)
    order = Order.objects.create(table=table, session=session, total=5)
    silent = Printer.objects.create(name="Grill", host="127.0.0.1", port=free_port())
    at = timezone.now() - timezone.timedelta(seconds=40)
    PrintJob.objects.create(order=order, printer=silent, created_at=at, error="The printer is out of paper.")
    waiting, printer, _ = examine()
    assert "half a minute: 1 for Grill (The printer is out of paper.)" in waiting
    assert "Grill: The printer can't be reached" in printer
    silent.active = False
    silent.save()
    assert examine() == ["All is well."]


def test_a_proxy_that_is_not_believed_is_named(sound, caplog):
    proxies._note_untrusted.cache_clear()
    sound.ALLOWED_HOSTS = ["testserver", "menu.example.com"]
    for _ in range(3):
        Client(REMOTE_ADDR="10.1.2.3").get("/sign-in", headers={"x-forwarded-proto": "https"})
    assert "- 10.1.2.3 forwards requests for others, and is not believed." in examine()[0]
    assert sum("10.1.2.3" in line for line in caplog.messages) == 1
    sound.TRUSTED_PROXY_NETWORKS = [proxies.ipaddress.ip_network("10.1.0.0/16")]
    assert examine() == ["All is well."]


def test_a_stranger_who_sends_forwarded_headers_leaves_no_note(sound, tmp_path):
    proxies._note_untrusted.cache_clear()
    sound.ALLOWED_HOSTS = ["testserver", "menu.example.com"]
    Client(REMOTE_ADDR="8.8.4.4").get("/sign-in", headers={"x-forwarded-for": "1.2.3.4"})
    assert examine() == ["All is well."]
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def answering():
    """Run a server at APP_BASE_URL that gives the answers that are set: (status, Location)."""
    answer = [200, ""]

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(answer[0])
            if answer[1]:
                self.send_header("Location", answer[1])
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", answer
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("status", "sentence"),
    [(400, "proxy_set_header Host $host"), (301, "X-Forwarded-Proto"), (502, "answers with 502"), (200, "")],
)
def test_the_front_page_is_asked_for_as_a_guest_would(sound, answering, status, sentence):
    sound.APP_BASE_URL, answer = answering
    sound.ALLOWED_HOSTS = ["127.0.0.1"]
    answer[:] = [status, f"{sound.APP_BASE_URL}/" if status == 301 else ""]
    findings = [line for line in doctor.findings(offline=False) if "HTTPS" not in line]
    assert len(findings) == bool(sentence)
    assert sentence in "".join(findings)


def test_a_name_that_leads_nowhere_is_told(sound):
    sound.APP_BASE_URL, sound.ALLOWED_HOSTS = "https://nowhere.invalid", ["nowhere.invalid"]
    line, _ = examine("--verbosity=1")
    assert "https://nowhere.invalid/ can't be reached from this machine" in line
    assert "--offline" in line


def test_the_notes_are_in_the_data_folder(sound, tmp_path):
    assert {doctor.last_backup_note().parent, proxies.untrusted_proxy_note().parent} == {Path(tmp_path)}
