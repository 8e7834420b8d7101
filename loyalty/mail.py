"""Composing mails, and sending them without waiting for a slow mail server.

A worker has few threads, and a mail server may take half a minute for one message. Messages are therefore sent by
threads of their own.
"""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from email.mime.image import MIMEImage
from smtplib import SMTPRecipientsRefused
from uuid import UUID, uuid4

from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.db import connection, models
from django.template.loader import render_to_string
from django.utils import timezone, translation

from web import venue

log = logging.getLogger(__name__)

MAX_WAIT = 0.25  # seconds
PAUSE = 0.1  # seconds
MAX_WAITING = 1000  # messages of `send_later`, whose senders get no word of a failure anyway
_executor = ThreadPoolExecutor(max_workers=4, thread_name_prefix="mail")
_free_slots = threading.BoundedSemaphore(MAX_WAITING)
_LOGO_ID = "logo@venue"  # of the attached picture, for the HTML part


class FailedMail(models.Model):
    """A mail that could not be sent. Once another one is sent, the mail server works again, and none is left."""

    # The id of the notification, which is tried several times.
    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    failed_at = models.DateTimeField(default=timezone.now)
    error = models.CharField(max_length=100)  # the name of its class

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.error


def compose(*, subject: str, paragraphs: list[str], to: str, link: str = "", link_label: str = "") -> EmailMessage:
    """Return a mail with the venue's name, colour, logo and address.

    The paragraph with the link is a button in the HTML part.
    """
    address = venue.address()
    plain = "\n\n".join(paragraphs) + "\n"
    if address:
        plain += "\n".join(["", "-- ", venue.name(), *address, ""])
    message = EmailMultiAlternatives(subject=subject, body=plain, to=[to])
    logo = venue.mail_logo()
    context = {
        "subject": subject,
        "venue": venue.current(),
        "venue_name": venue.name(),
        "address": address,
        "paragraphs": [None if link and link in paragraph else paragraph for paragraph in paragraphs],
        "link": link,
        "link_label": link_label,
        "logo": logo is not None,
        "logo_id": _LOGO_ID,
        "logo_width": logo.width // 2 if logo else 0,
        "logo_height": logo.height // 2 if logo else 0,
    }
    message.attach_alternative(render_to_string("loyalty/mail.html", context), "text/html")
    if logo is not None:
        # Django's own, which its documentation leaves out: the picture is a part of the text, not a file beside it.
        message.mixed_subtype = "related"  # type: ignore[attr-defined]
        message.attach(_inline(logo))
    return message


def _inline(logo: venue.MailLogo) -> MIMEImage:
    picture = MIMEImage(logo.data, "png")
    picture.add_header("Content-ID", f"<{_LOGO_ID}>")
    picture.add_header("Content-Disposition", "inline", filename="logo.png")
    return picture


def send(message: EmailMessage) -> "Future[int]":
    """Start sending a mail. The future raises whatever the mail backend raises."""
    return _executor.submit(message.send)


def wait(sending: "Future[int]", *, at_most: float | None) -> bool:
    """Return whether it is sent within so many seconds. Raises what the mail backend raises."""
    try:
        sending.result(timeout=at_most)
    except TimeoutError:
        if not sending.done():
            return False
        raise  # the mail server's own timeout
    return True


def send_later(compose: Callable[[], EmailMessage | None], *, language: str = "") -> None:
    """Compose a message and send it, once the response has left: its time tells nothing about the message.

    `language` is that of the message; empty: that of the page which causes it.

    A failure is logged: nobody waits for it.
    """
    if _free_slots.acquire(blocking=False):
        _executor.submit(_send_in_thread, compose, language or translation.get_language())
    else:
        log.error("A mail is not sent: %s others are waiting for the mail server.", MAX_WAITING)


def _send_in_thread(compose: Callable[[], EmailMessage | None], language: str) -> None:
    try:
        time.sleep(PAUSE)
        send_now(compose, language=language)
    finally:
        connection.close()  # of this thread
        _free_slots.release()


def send_now(compose: Callable[[], EmailMessage | None], *, language: str = "") -> None:
    """Compose a message and send it. A failure is logged, without the address that its text may contain."""
    try:
        with translation.override(language or translation.get_language()):
            message = compose()
        if message is not None:
            message.send()
    except Exception as error:  # whatever a mail backend raises
        log.warning("A mail could not be sent: %s", type(error).__name__)
        note_failure(error)
        return
    if message is not None:
        note_success()


# --- whether mails can be sent ------------------------------------------------------------------------


def note_failure(error: BaseException, *, of: UUID | None = None) -> None:
    """Store that a mail was not sent. `of`: the id of its notification, if it was one."""
    if isinstance(error, SMTPRecipientsRefused):
        return  # one guest's address is wrong, and the mail server works
    FailedMail.objects.bulk_create([FailedMail(pk=of or uuid4(), error=type(error).__name__)], ignore_conflicts=True)


def note_success() -> None:
    FailedMail.objects.all().delete()
