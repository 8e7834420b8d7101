"""Messages to phones that are locked. See "Messages to phones" in docs/behaviour/common.md."""

import hashlib
import logging
import threading
import uuid
from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from web.errors import Unknown
from web.push import sending
from web.push.models import Push, PushKey, Subscription

log = logging.getLogger(__name__)

KEPT = 5  # phones of an order, and of one of the staff: the latest
DAY = timedelta(days=1)
TTL = timedelta(minutes=5)  # then nobody needs to hear of it any more
LEASE = timedelta(seconds=30)  # until another process sends what this one has claimed: it has died
AT_ONCE = 8  # messages on their way to one service, so that a slow one holds up no other
AT_ONCE_TO_ALL = 32
TRIAL = "trial"

_Key = tuple[str, str, str, datetime]


@dataclass(frozen=True, slots=True)
class Due:
    """What to tell whom until when: staff, by their ids, or the guest of an order.

    `text` is a sentence in the active language, which names nobody and no dish.
    """

    kind: str
    subject: str
    since: datetime
    until: datetime
    text: Callable[[], str]
    url: str  # the page to open
    stage: str = ""
    users: frozenset[int] = frozenset()
    order: uuid.UUID | None = None

    @property
    def key(self) -> _Key:
        return self.kind, self.subject, self.stage, self.since

    def is_for(self, subscription: Subscription) -> bool:
        return subscription.user_id in self.users or (self.order is not None and subscription.order == self.order)


# --- subscriptions ------------------------------------------------------------------------------------


def key() -> PushKey:
    """Return the installation's key, made when it is first needed; of two that are made at once, one counts."""
    if not PushKey.objects.exists():
        PushKey.objects.bulk_create([sending.new_key()], ignore_conflicts=True)
    return PushKey.objects.get()


def is_wanted() -> bool:
    return Subscription.objects.exists()


def endpoints(user: Any) -> list[str]:
    """Return those of the user's phones."""
    return list(Subscription.objects.filter(user=user.pk).values_list("endpoint", flat=True)) if user.pk else []


def subscribe(*, endpoint: str, keys: dict[str, str], device: Any = None, **whose: Any) -> tuple[Subscription, bool]:
    """Subscribe a phone of a `user`, or of the guest of an `order`. Return it, and whether it is new."""
    values = {**keys, "created_at": timezone.now(), "device": device, "language": get_language(), **whose}
    subscription, is_new = Subscription.objects.update_or_create(endpoint=endpoint, defaults=values)
    latest = Subscription.objects.filter(**whose).order_by("-created_at", "-pk").values_list("pk", flat=True)
    end(*whose, pk__in=list(latest[KEPT:]))
    return subscription, is_new


def end(of: str, **which: Any) -> None:
    """End what these phones hear as `user` or for their `order`. Again changes nothing."""
    with transaction.atomic():
        Subscription.objects.filter(**which).update(**{of: None})
        Subscription.objects.filter(user=None, order=None).delete()


def hand_over(*, device: Any, user: Any) -> None:
    Subscription.objects.filter(device=device).exclude(user=None).update(user=user)


def tidy(now: datetime) -> int:
    """Delete what was sent, and subscriptions of guests, of more than a day ago; return the number of messages."""
    end("order", order__isnull=False, created_at__lt=now - DAY)
    return Push.objects.filter(since__lt=now - DAY).delete()[0]


def try_out(*, endpoint: str, user: Any) -> None:
    """Send a message to this phone of the user. Raises Unknown."""
    phone = Subscription.objects.filter(endpoint=endpoint, user=user).first()
    if phone is None:
        raise Unknown(_("This phone is not subscribed. Please turn it on again."))
    Push.objects.create(subscription=phone, kind=TRIAL, since=timezone.now())


# --- sending ------------------------------------------------------------------------------------------


class Sender:
    """Sends what is due, each message in a thread of its own, which knows no database."""

    def __init__(self) -> None:
        self.running: dict[Push, str] = {}  # and their services
        self.answers: deque[tuple[Push, int, int]] = deque()  # with what `sending.send` returns

    def send(self, due: Iterable[Due]) -> None:
        """Begin to send what is due and was not sent, and note what has become of what is on its way."""
        self.settle()
        messages = {each.key: each for each in due}
        _plan(messages.values())
        for push, message in _claim(messages, self.running):
            self.running[push] = push.subscription.service
            threading.Thread(target=self._send, args=(push, message, key()), daemon=True).start()

    def _send(self, push: Push, message: Due, signed_with: PushKey) -> None:
        answer = 0, 0
        topic = hashlib.sha256(f"{push.kind} {push.subject}".encode()).hexdigest()[:32]
        with override(push.subscription.language):
            payload = {"title": message.text(), "url": message.url, "tag": topic}
        left = max(1, int((message.until - timezone.now()).total_seconds()))
        try:
            answer = sending.send(push.subscription, signed_with, payload, ttl=left, topic=topic)
        except Exception:
            log.exception("A message to a phone can't be made")
        self.answers.append((push, *answer))

    def settle(self) -> None:
        while self.answers:
            _settle(*self.answers[0])
            del self.running[self.answers.popleft()[0]]


def _plan(messages: Iterable[Due]) -> None:
    """Store a message for each phone that has none about this."""
    phones = [phone for phone in Subscription.objects.all() if sending.is_known(phone.endpoint)]
    rows = (
        Push(subscription=phone, kind=each.kind, subject=each.subject, stage=each.stage, since=each.since)
        for each in messages
        for phone in phones
        if each.is_for(phone)
    )
    Push.objects.bulk_create(rows, ignore_conflicts=True)


def _claim(messages: dict[_Key, Due], running: dict[Push, str]) -> list[tuple[Push, Due]]:
    """Return what this process is to send now. What is not due any more, such as a call that was taken, stays."""
    now, busy, claimed = timezone.now(), Counter(running.values()), []
    may_be_due = Q(subject__in={each.subject for each in messages.values()}) | Q(kind=TRIAL, since__gt=now - TTL)
    with transaction.atomic():
        waiting = Push.objects.filter(may_be_due, next_at__lte=now).select_related("subscription")
        for push in waiting.select_for_update(skip_locked=True, of=("self",)).order_by("next_at", "pk"):
            phone = push.subscription
            message = _trial(push) if push.kind == TRIAL else messages.get(push.key)
            is_free = busy[phone.service] < AT_ONCE and busy.total() < AT_ONCE_TO_ALL
            if message and message.is_for(phone) and is_free and push not in running:
                busy[phone.service] += 1
                push.tries, push.next_at = push.tries + 1, now + LEASE
                claimed.append((push, message))
        Push.objects.bulk_update([push for push, _message in claimed], ["tries", "next_at"])
    return claimed


def _trial(push: Push) -> Due:
    users = frozenset({push.subscription.user_id or 0})
    return Due(TRIAL, "", push.since, push.since + TTL, _trial_text, "/account", users=users)


def _trial_text() -> str:
    return _("It works: calls reach this phone.")


def _settle(push: Push, status: int, retry_after: int) -> None:
    if status in (404, sending.GONE):
        push.subscription.delete()
    elif status in (0, 429) or status >= 500:
        pause = timedelta(seconds=max(2**push.tries, retry_after))
        Push.objects.filter(pk=push.pk).update(next_at=timezone.now() + pause)
    else:
        if status >= 300:
            log.warning("The push service %s refuses a message: %s", push.subscription.service, status)
        Push.objects.filter(pk=push.pk).update(next_at=None)
