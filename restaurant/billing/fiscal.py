"""The place of a fiscal device, which some countries ask for. See docs/fiscal.md.

`settings.FISCAL_DEVICE` is the path of a class such as `Device`; "none" is no device. It signs after the entry is
committed and sealed, so nobody who orders or pays waits for it.
"""

import logging
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Protocol

from django.conf import settings
from django.utils import timezone
from django.utils.module_loading import import_string

from web.journal import JournalEntry

log = logging.getLogger(__name__)

Signature = str  # what the device answers, as it has to be printed
LATE = timedelta(minutes=1)
FIRST = timedelta(hours=1)  # a new device begins with what is younger


class Device(Protocol):
    kinds: Collection[str]  # of the entries that it signs

    def sign(self, entry: JournalEntry) -> Signature:
        """Raises OSError where it does not answer; then it is asked for the same entry again."""
        ...


class _Missing:
    """A device whose class is not there never answers, which is an alarm."""

    kinds: Collection[str] = ("payment",)

    def sign(self, entry: JournalEntry) -> Signature:
        raise OSError("FISCAL_DEVICE is no class that can be imported")


@cache
def _device(path: str) -> Device | None:
    try:
        made: Device | None = None if path == "none" else import_string(path)()
    except ImportError:
        return _Missing()
    return made


def _waiting(device: Device) -> Any:
    """Return the sealed entries that it has yet to sign, in their order."""
    signed = JournalEntry.objects.exclude(signature="").order_by("-number").first()
    sealed = JournalEntry.objects.filter(kind__in=device.kinds, signature="", number__isnull=False)
    new = sealed.filter(number__gt=signed.number) if signed else sealed.filter(at__gt=timezone.now() - FIRST)
    return new.order_by("number")


def sign() -> int:
    """Have the device sign what is sealed, and return how many entries; it ends where the device does not answer."""
    device, count = _device(settings.FISCAL_DEVICE), 0
    for entry in _waiting(device)[:100] if device else ():
        try:
            signature = device.sign(entry) if device else ""
        except OSError as error:
            log.error("The fiscal device does not answer: %s", error)
            break
        JournalEntry.objects.filter(pk=entry.pk, signature="").update(signature=signature)
        count += 1
    return count


def unsigned_since() -> tuple[int, datetime] | None:
    """Return how many entries wait for the device, and since when, if that is long; else None."""
    device = _device(settings.FISCAL_DEVICE)
    first = _waiting(device).first() if device else None
    if device is None or first is None or first.at > timezone.now() - LATE:
        return None
    return _waiting(device).count(), first.at


def signatures(payments: Iterable[Any]) -> list[Signature]:
    """Return what has to be printed on the receipt of these payments; nothing without a device."""
    if settings.FISCAL_DEVICE == "none":
        return []
    entries = JournalEntry.objects.filter(kind="payment", subject__in=[str(payment.pk) for payment in payments])
    return list(entries.exclude(signature="").order_by("number").values_list("signature", flat=True))
