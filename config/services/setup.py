"""Stores the steps that managers confirm, and sends the test mail."""

import smtplib
import socket
import ssl
from typing import Any

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from config import doctor
from config.errors import MailNotSent
from config.models import Setup
from loyalty import mail
from web import venue

PATIENCE = 15.0  # seconds for the whole conversation with the mail server
MAX_REPLY = 200  # characters of what the mail server says

# Specific errors before general ones.
_FAILURES: list[tuple[type[Exception], Any]] = [
    (smtplib.SMTPAuthenticationError, _lazy("%(server)s refuses the user name or the password of EMAIL_URL.")),
    (smtplib.SMTPRecipientsRefused, _lazy("%(server)s does not take mail for this address.")),
    (smtplib.SMTPSenderRefused, _lazy("%(server)s takes no mail from %(sender)s, see DEFAULT_FROM_EMAIL.")),
    (smtplib.SMTPResponseException, _lazy("%(server)s does not take the mail.")),
    (smtplib.SMTPNotSupportedError, _lazy("%(server)s does not offer the encryption or the sign-in of EMAIL_URL.")),
    (smtplib.SMTPServerDisconnected, _lazy("%(server)s has ended the connection. Is it the right port, and TLS?")),
    (ssl.SSLError, _lazy("No encrypted connection to %(server)s: its certificate or the kind of TLS is wrong.")),
    (socket.gaierror, _lazy("There is no mail server at %(server)s: nobody knows this name.")),
    (TimeoutError, _lazy("%(server)s does not respond: the port is wrong, or a firewall is in the way.")),
    (ConnectionRefusedError, _lazy("Nobody listens at %(server)s. Is the port right?")),
]
_FAILURE = _lazy("The mail can't be sent to %(server)s (%(kind)s).")


def change(*, cards_printed: bool | None = None, **flags: bool) -> None:
    """Change the values that are not None; `flags` are those of the row."""
    changes: dict[str, object] = {**flags}
    if cards_printed is not None:
        changes["cards_printed_at"] = timezone.now() if cards_printed else None
    if changes:
        Setup.objects.update_or_create(pk=1, defaults=changes)


def send_test_mail(*, to: str) -> None:
    """Send a test mail. Raises MailNotSent, whose sentence says what the mail server did."""
    problem = doctor.mail()
    if problem:
        raise MailNotSent(problem)
    subject = _("Test mail from %(venue)s") % {"venue": venue.name()}
    text = _("Mail works: this is the test that was sent from %(address)s.") % {"address": settings.APP_BASE_URL}
    sending = mail.send(mail.compose(subject=subject, paragraphs=[text], to=to))
    try:
        is_sent = mail.wait(sending, at_most=PATIENCE)
    except Exception as error:  # whatever a mail backend raises
        raise MailNotSent(_why(error)) from error
    if not is_sent:
        raise MailNotSent(_("The mail server has taken no mail after %(count)d seconds.") % {"count": PATIENCE})
    mail.note_success()
    Setup.objects.update_or_create(pk=1, defaults={"mail_tested_at": timezone.now()})


def _why(error: Exception) -> str:
    """Return a sentence about the error, without the secrets in EMAIL_URL."""
    template = next((sentence for kind, sentence in _FAILURES if isinstance(error, kind)), _FAILURE)
    sentence = template % {
        "server": f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}",
        "sender": settings.DEFAULT_FROM_EMAIL,
        "kind": type(error).__name__,
    }
    reply = _reply(error)
    return f"{sentence} {_('It says: %(reply)s') % {'reply': reply}}" if reply else sentence


def _reply(error: Exception) -> str:
    """Return the mail server's reply in one short line, but not about passwords, which it may repeat."""
    code: int
    text: bytes | str
    match error:
        case smtplib.SMTPAuthenticationError():
            return ""
        case smtplib.SMTPRecipientsRefused():
            code, text = next(iter(error.recipients.values()))
        case smtplib.SMTPResponseException():
            code, text = error.smtp_code, error.smtp_error
        case _:
            return ""
    reply = text.decode(errors="replace") if isinstance(text, bytes) else text
    for secret in (settings.EMAIL_HOST_PASSWORD, settings.EMAIL_HOST_USER):
        reply = reply.replace(secret, "…") if secret else reply
    printable = "".join(character if character.isprintable() else " " for character in f"{code} {reply}")
    return " ".join(printable.split())[:MAX_REPLY]
