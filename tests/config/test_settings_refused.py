"""Settings: what can't work stops the start, with a sentence that names the setting."""

import os
import re
import subprocess
import sys
from functools import partial

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.mail import EmailMessage
from django.core.mail.message import sanitize_address

from tests.deploy.shipped import settings_of
from tests.servers import ROOT


@pytest.fixture
def read(tmp_path):
    """Return the settings of a deployed installation with these variables."""
    return partial(settings_of, DATA_DIR=str(tmp_path))


# fmt: off
REFUSED = [
    ("ALLOWED_HOSTS", "", "https://example.com", "example.com:8000", "example.com/", "two words", "::1"),
    ("APP_BASE_URL", "example.com", "ftp://example.com", "https://", "https://me:secret@example.com", "https://a.b:99999",
     "https://example.com?table=7", "https://example.com/#menu", "https://two words.com", "https://büch er.example",
     "https://web_1"),
    ("CACHE_URL", "redis", "dbcache://", "pymemcache://127.0.0.1:11211"),
    ("CURRENCY", "euro", "XYZ", "CLF"),
    ("DATABASE_TIMEOUT", "0", "soon"),
    ("DATABASE_URL", "sqlite:///x", "nonsense", "postgresql://u:p@host:99999/name", "postgresql://u:p/w@host/name",
     "postgresql://host"),
    ("DEBUG", "maybe"),
    ("DEFAULT_FROM_EMAIL", "Tom, Dick <a@b.c>", "a@b.c, d@e.f", "a@b.c; d@e.f", "nobody", "Bar: Nous <a@b.c>",
     "a@", "@b.c", "Chez <a@b.c", "a@b c", "Chez Nous a@b.c", "Ann <a@b.c> <d@e.f>", "a@b.c\nBcc: d@e.f",
     "Ann\nBcc <a@b.c>", "é@b.c"),
    ("EMAIL_URL", "mail.example.com:25", "smtp://", "smtp+tls://user:pass/word@mail.example.com:587",
     "smtp+tls://mail.example.com:587000", "smtp+tls://mail.example.com:465", "smtps://mail.example.com:465"),
    ("KITCHEN_LATE_MINUTES", "8", "0"),
    ("KITCHEN_SOCKET_PORT", "abc", "70000"),
    ("KITCHEN_SOCKET_URL", "example.com", "wss://", "ws://example.com", "wss://me:secret@example.com", "wss://a.b?c"),
    ("LANGUAGE_CODE", "klingon", "en-xx", "sv"),
    ("LIMIT_PUBLIC_READS", "lots", "600", "0/min"),
    ("LOG_FORMAT", "xml"),
    ("LOG_LEVEL", "loud"),
    ("MENU_TRANSLATOR", "google", "deepl", "libretranslate"),
    ("MENU_TRANSLATOR_KEY", "two words", "é"),
    ("MENU_TRANSLATOR_URL", "translate.example"),
    ("METRICS_ADDRESSES", "here"),
    ("METRICS_TOKEN", "short"),
    ("PUSH_HOSTS", "*", "ftp://push.example", "https://push.example/send", "push.example:443"),
    ("QR_SERVICE_URL", "https://qr.example", "qr.example"),
    ("SECRET_KEY", "", "replace-this-with-a-long-random-text"),
    ("SECURE_HSTS_SECONDS", "a year"),
    ("SIGN_IN_FAILURES_PER_ADDRESS", "0"),
    ("TIME_ZONE", "Mars/Olympus", "CET"),
    ("TRUSTED_PROXIES", "me"),
    ("VENUE_NAME", "Chez\nNous"),
]
# fmt: on


def test_what_can_never_work_is_refused_with_a_sentence_that_names_the_setting(read):
    wrong = []
    for name, value in [(name, value) for name, *values in REFUSED for value in values]:
        try:
            read(**{name: value})
            wrong.append((name, value, "is taken"))
        except ImproperlyConfigured as refused:
            sentence = str(refused)
            if not re.search(rf"\b{name}\b[^\n]+\.$", sentence) or "secret@" in sentence:
                wrong.append((name, value, sentence))
    assert wrong == []


def test_what_two_settings_say_together_is_refused(read):
    for own in ({"TRUSTED_PROXIES": ""}, {"APP_BASE_URL": "http://menu.example.com", "KITCHEN_SOCKET_URL": ""}):
        with pytest.raises(ImproperlyConfigured, match="SECURE_SSL_REDIRECT needs"):
            read(**own)
    with pytest.raises(ImproperlyConfigured, match="QR_SERVICE_API_KEY"):
        read(QR_SERVICE_URL="https://qr.example", QR_SERVICE_API_KEY="é")


TAKEN = [
    {"ALLOWED_HOSTS": "menu.example.com, .example.org,[::1],127.0.0.1,*,bücher.example"},
    {"APP_BASE_URL": "https://bücher.example"},
    {"APP_BASE_URL": "https://example.com:8443/menu/"},
    {"APP_BASE_URL": "https://[::1]:8000", "DEFAULT_FROM_EMAIL": "no-reply@localhost"},
    {"CACHE_URL": "rediscache://a:6379,b:6379/0"},
    {"DATABASE_URL": "postgresql://u:p%2Fw%40@host:5432/name?sslmode=require"},
    {"DEFAULT_FROM_EMAIL": "Chez Nous <no-reply@menu.example.com>"},
    {"DEFAULT_FROM_EMAIL": '"Tom, Dick & Co." <no-reply@menu.example.com>'},
    {"DEFAULT_FROM_EMAIL": "St. Mary's Café <no-reply@bücher.example>"},
    {"EMAIL_URL": "smtp+ssl://me%40example.com:p%2Fw@mail.example.com:465"},
    {"EMAIL_URL": "smtp://localhost"},
    {"KITCHEN_SOCKET_URL": "wss://menu.example.com/sockets/"},
    {"MENU_TRANSLATOR": "DeepL", "MENU_TRANSLATOR_KEY": "279a2e9d:fx"},
    {"MENU_TRANSLATOR": "libretranslate", "MENU_TRANSLATOR_URL": "http://127.0.0.1:5000"},
    {"QR_SERVICE_URL": "https://qr.example/", "QR_SERVICE_API_KEY": "rq_abc"},
]


def test_what_works_is_taken(read):
    for own in TAKEN:
        settings = read(**own)
        sender = settings["DEFAULT_FROM_EMAIL"]
        assert sanitize_address(sender, "utf-8"), own  # as Django's SMTP does
        assert EmailMessage("Hello", "Hello", sender, ["guest@example.com"]).message()["From"], own
        assert " " not in "".join(settings["ALLOWED_HOSTS"]), own
        assert "".join([settings["APP_BASE_URL"], *settings["ALLOWED_HOSTS"]]).isascii(), own


@pytest.mark.parametrize("command", ["check", "serve"])
def test_a_refusal_is_a_line_and_no_traceback(tmp_path, command):
    file = tmp_path / "file"
    file.touch()
    own = {"serve": {"DATA_DIR": str(file)}, "check": {"EMAIL_URL": "smtp+tls://user:pass/word@host:587"}}[command]
    env = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path), "DATABASE_URL": "postgresql:///x"} | own
    run = subprocess.run(
        [sys.executable, "manage.py", command], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    assert run.returncode == 1
    assert run.stderr.startswith(f"Regulars can't start. {next(iter(own))} ")
    assert run.stderr.count("\n") == 1
