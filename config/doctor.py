"""Checks of the installation, for `manage.py doctor` and for `serve` at its start.

Each check returns a problem and its solution as text, or "".
"""

import ipaddress
import os
import shutil
import urllib.error
import urllib.request
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Min
from django.http.request import validate_host
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config.serving import notifying
from loyalty.messages.queries import failing_mail
from restaurant.kitchen import printing
from restaurant.kitchen.queries import late_dockets
from web.hosts import own_host
from web.proxies import is_trusted, untrusted_proxy_note
from web.templatetags.moments import recent_time

WEEK = timedelta(days=7)
MIN_FREE_SHARE = 0.1
MIN_FREE_BYTES = 2_000_000_000  # so much is enough, however large the disk
WEAK_KEY = 50  # characters; as Django's own check
PATIENCE = 10  # seconds for the address that guests use
MAIL_TO_NOBODY = {"console", "dummy", "filebased", "locmem"}


def is_public() -> bool:
    """Return whether APP_BASE_URL is more than an address of this machine or its network: then this is no trial run."""
    host = own_host()
    try:
        return not ipaddress.ip_address(host).is_private
    except ValueError:
        return "." in host and not host.endswith((".local", ".localhost"))


# --- checks ---------------------------------------------------------------------------------------


def debug() -> str:
    if settings.DEBUG and os.environ.get("DEBUG"):  # unset, `serve` switches it off
        return "DEBUG is on: whoever causes an error reads settings and data of the restaurant. Set DEBUG=false."
    return ""


def secret_key() -> str:
    key = settings.SECRET_KEY
    if len(key) >= WEAK_KEY and len(set(key)) >= 5 and not key.startswith("django-insecure-"):
        return ""
    return (
        "SECRET_KEY is short or an example, so sign-ins could be forged. Set it to 50 random characters: "
        'python3 -c "import secrets; print(secrets.token_urlsafe(50))"'
    )


def https() -> str:
    if settings.APP_BASE_URL.startswith("https://"):
        return ""
    return _(
        "Guests use %(address)s without HTTPS: others in the same network can read what they send. Put a "
        "proxy with a certificate in front (see deploy/), and set APP_BASE_URL=https://..."
    ) % {"address": settings.APP_BASE_URL}


def host() -> str:
    name = own_host()
    if validate_host(name, settings.ALLOWED_HOSTS):
        return ""
    sentence = _("Every page at %(address)s is refused (400): add %(host)s to ALLOWED_HOSTS.")
    return sentence % {"address": settings.APP_BASE_URL, "host": name}


def proxy() -> str:
    if settings.APP_BASE_URL.startswith("https://") and not settings.TRUSTED_PROXY_NETWORKS:
        return _(
            "No proxy is believed, so all guests count as one, and the limits refuse them together. Set "
            "TRUSTED_PROXIES to the proxy's address, such as 127.0.0.1."
        )
    return ""


def forwarded() -> str:
    """Report a peer whose forwarded headers the servers have ignored lately."""
    note = untrusted_proxy_note()
    if not note.exists() or _age(note) > WEEK:
        return ""
    peer = note.read_text()
    if not peer or is_trusted(peer):
        return ""
    return (
        f"{peer} forwards requests for others, and is not believed. If it is your proxy, add {peer} to "
        f"TRUSTED_PROXIES; if not, remove the file {note}."
    )


def mail() -> str:
    if settings.EMAIL_BACKEND.split(".")[-2] not in MAIL_TO_NOBODY:
        return ""
    return _(
        "Mails are written to the terminal and reach nobody, while guests read that a link is on its way. Set "
        "EMAIL_URL to your mail server, such as smtp+tls://user:password@mail.example.com:587."
    )


def unsent_mail() -> str:
    failure = failing_mail(timezone.now())
    if failure is None:
        return ""
    sentence = ngettext(
        "%(count)d mail could not be sent since %(time)s (%(error)s). Send a test mail at %(page)s: it says what the "
        "mail server does.",
        "%(count)d mails could not be sent since %(time)s (%(error)s). Send a test mail at %(page)s: it says what the "
        "mail server does.",
        failure.count,
    )
    page, since = f"{settings.APP_BASE_URL}/setup", recent_time(failure.since)
    return sentence % {"count": failure.count, "time": since, "error": failure.error, "page": page}


def time_zone() -> str:
    if settings.TIME_ZONE != "UTC":
        return ""
    return "Days begin at midnight in UTC, in reports too. Set TIME_ZONE to the venue's, such as Europe/Lisbon."


def backup() -> str:
    last = last_backup()
    days = (timezone.now() - last).days if last else _age_of_database().days
    if days < WEEK.days:
        return ""
    sentence = _("There has been no backup yet. Run manage.py backup every day: deploy/systemd has a timer for it.")
    if last:
        sentence = _(
            "There has been no backup for %(days)d days. Run manage.py backup every day: deploy/systemd has a timer "
            "for it."
        )
    return sentence % {"days": days}


def disk() -> str:
    folder = next(path for path in (settings.DATA_DIR, *settings.DATA_DIR.parents) if path.exists())
    usage = shutil.disk_usage(folder)
    if usage.free > min(usage.total * MIN_FREE_SHARE, MIN_FREE_BYTES):
        return ""
    return (
        f"The disk of {folder} is nearly full: {usage.free / 1e9:.1f} GB of {usage.total / 1e9:.0f} are "
        "free. Without space no order can be stored. Delete something, old backups first, or get a larger disk."
    )


def reachable() -> str:
    """Request the front page as a guest would, through the proxy."""
    address = f"{settings.APP_BASE_URL}/"
    try:
        with urllib.request.urlopen(address, timeout=PATIENCE):  # noqa: S310 (our own address, http or https)
            return ""
    except urllib.error.HTTPError as error:
        return _http_failure(address, error)
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        return f"{address} can't be reached from this machine ({reason}). If guests can, leave this out with --offline."


def _http_failure(address: str, error: urllib.error.HTTPError) -> str:
    if error.code == 400:
        return f"{address} is refused (400): the proxy has to pass the name on. For nginx: proxy_set_header Host $host;"
    if error.code in {301, 302, 303, 307, 308}:
        return f"{address} leads back to itself: the proxy has to set X-Forwarded-Proto. For nginx: $scheme."
    return f"{address} answers with {error.code}. The logs of the proxy and of serve say why."


def dockets() -> str:
    late = late_dockets(timezone.now())
    if not late:
        return ""
    queues = ", ".join(f"{row.count} for {row.printer}{f' ({row.error})' if row.error else ''}" for row in late)
    return (
        f"Dockets have waited for more than half a minute: {queues}. Look after the printer; if it is fine, "
        "manage.py print_tickets does not run: serve runs it, other set-ups have to."
    )


def printers() -> str:
    unready = printing.unready_printers()
    if not unready:
        return ""
    troubles = " ".join(f"{name}: {trouble}" for name, trouble in unready.items())
    return f"Not every printer can print. {troubles} Set one that is not used to inactive in the admin."


CHECKS = (debug, secret_key, https, host, proxy, forwarded, mail, unsent_mail, time_zone, backup, disk, dockets)


def findings(*, offline: bool = True, with_printers: bool = False) -> list[str]:
    """Return the problems. `with_printers` asks each printer, which takes some seconds where one is off."""
    checks = [*CHECKS, *([printers] if with_printers else []), *([] if offline else [notifying.trouble, reachable])]
    return [sentence for check in checks if (sentence := _outcome(check))]


def _outcome(check: Callable[[], str]) -> str:
    try:
        return check()
    except DatabaseError:  # while the database is away, the other checks still tell something
        return ""


def write_findings(write: Callable[[str], object]) -> None:
    """Write the problems at the start of `serve`."""
    with translation.override("en"):  # as all that commands write
        sentences = findings()
    if sentences:
        write("Wrong with this installation:" if is_public() else "Fine for a trial, but not for guests:")
    for sentence in sentences:
        write(f"  - {sentence}")


# --- ages -----------------------------------------------------------------------------------------


def last_backup_note() -> Path:
    """Return the empty file whose modification time is that of the last backup."""
    return settings.DATA_DIR / "last_backup"


def last_backup() -> datetime | None:
    note = last_backup_note()
    return datetime.fromtimestamp(note.stat().st_mtime, UTC) if note.exists() else None


def _age(file: Path) -> timedelta:
    return timezone.now() - datetime.fromtimestamp(file.stat().st_mtime, UTC)


def _age_of_database() -> timedelta:
    """Return the time since the first migration."""
    first = MigrationRecorder.Migration.objects.aggregate(at=Min("applied"))["at"]
    return timezone.now() - first if first else timedelta(0)
