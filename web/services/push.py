"""Messages to phones that are locked. See "Messages to phones" in docs/behaviour/common.md."""

import hashlib
import logging
import threading
import uuid
from collections import Counter, deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from web.errors import Unknown
from web.push import sending
from web.push.models import Push, PushKey, Subscription
from web.push.sending import Answer

log = logging.getLogger(__name__)

KEPT = 5  # phones of an order, and of one of the staff: the latest
GUESTS_KEPT = timedelta(days=1)
TTL = timedelta(minutes=5)  # then nobody needs to hear of it any more
LEASE = timedelta(seconds=30)  # until another process sends what this one has claimed: it has died
AT_ONCE = 8  # messages on their way to one service, so that a slow one holds up no other
AT_ONCE_TO_ALL = 32
TRIAL = "trial"

_Key = tuple[str, str, str, datetime]


class NotSubscribed(Unknown):
    default_detail = gettext_lazy("This phone is not subscribed. Please turn it on again.")


@dataclass(frozen=True, slots=True)
class Due:
    """What to tell whom until when: staff, by their ids, or the guest of an order. `text` names nobody, and no dish."""

    kind: str
    subject: str
    since: datetime
    until: datetime
    text: str
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


def private_key() -> str:
    """Return the installation's key, made when it is first needed; of two that make one at once, one counts."""
    if not PushKey.objects.exists():
        PushKey.objects.bulk_create([PushKey(pk=1, private=sending.new_key())], ignore_conflicts=True)
    return PushKey.objects.get().private


def endpoints(user: Any) -> list[str]:
    """Return those of the user's phones."""
    return list(Subscription.objects.filter(user=user.pk).values_list("endpoint", flat=True)) if user.pk else []


def subscribe(
    *, endpoint: str, p256dh: str, auth: str, user: Any = None, order: uuid.UUID | None = None
) -> tuple[Subscription, bool]:
    """Subscribe a phone of one of the staff, or of the guest of an order. Return it, and whether it is new."""
    whose: dict[str, Any] = {"order": order} if order else {"user": user}
    values = {"p256dh": p256dh, "auth": auth, "created_at": timezone.now(), **whose}
    with transaction.atomic():
        subscription, is_new = Subscription.objects.update_or_create(endpoint=endpoint, defaults=values)
        others = Subscription.objects.filter(**whose).order_by("-created_at", "-pk")
        _end(Subscription.objects.filter(pk__in=list(others.values_list("pk", flat=True)[KEPT:])), *whose)
    return subscription, is_new


def end(*, endpoint: str, of: str) -> None:
    """End what a phone hears as `user` or for its `order`. Again changes nothing."""
    _end(Subscription.objects.filter(endpoint=endpoint), of)


def end_of_session(subscription_id: int) -> None:
    """End what one of the staff subscribed in a session that is over."""
    _end(Subscription.objects.filter(pk=subscription_id), "user")


def end_orders(order_ids: Iterable[uuid.UUID]) -> None:
    _end(Subscription.objects.filter(order__in=order_ids), "order")


def is_wanted() -> bool:
    return Subscription.objects.exists()


def tidy(now: datetime) -> int:
    """Delete what was sent, and subscriptions of guests, of more than a day ago; return the number of messages."""
    old = now - GUESTS_KEPT
    _end(Subscription.objects.filter(order__isnull=False, created_at__lt=old), "order")
    return Push.objects.filter(since__lt=old).delete()[0]


def _end(subscriptions: QuerySet[Subscription], whose: str) -> None:
    with transaction.atomic():
        subscriptions.update(**{whose: None})
        Subscription.objects.filter(user=None, order=None).delete()


def try_out(*, endpoint: str, user: Any) -> None:
    """Send a message to this phone of the user. Raises NotSubscribed."""
    subscription = Subscription.objects.filter(endpoint=endpoint, user=user).first()
    if subscription is None:
        raise NotSubscribed
    Push.objects.create(subscription=subscription, kind=TRIAL, since=timezone.now())


# --- sending ------------------------------------------------------------------------------------------


class Sender:
    """Sends what is due, each message in a thread of its own, which knows no database."""

    def __init__(self) -> None:
        self._running: dict[Push, str] = {}  # and their services
        self._answers: deque[tuple[Push, Answer]] = deque()

    def send(self, due: Iterable[Due]) -> None:
        """Begin to send what is due and was not sent, and note what has become of what is on its way."""
        self.settle()
        messages = {each.key: each for each in due}
        _plan(messages.values())
        for push, message in _claim(messages, self._running):
            self._running[push] = push.subscription.service
            threading.Thread(target=self._send, args=(push, message, private_key()), daemon=True).start()

    def _send(self, push: Push, message: Due, private: str) -> None:
        answer = Answer(0)
        topic = hashlib.sha256(f"{push.kind} {push.subject}".encode()).hexdigest()[:32]
        payload = {"title": message.text, "url": message.url, "tag": topic}
        left = max(1, int((message.until - timezone.now()).total_seconds()))
        try:
            answer = sending.send(push.subscription, private, payload, ttl=left, topic=topic)
        except Exception:
            log.exception("A message to a phone can't be made")
        self._answers.append((push, answer))

    def settle(self) -> None:
        while self._answers:
            push, answer = self._answers[0]
            _settle(push, answer)
            self._answers.popleft()
            del self._running[push]


def _plan(messages: Collection[Due]) -> None:
    """Store a message for each phone that has none about this."""
    if not messages:
        return
    known = set(
        Push.objects.filter(subject__in={each.subject for each in messages}).values_list(
            "subscription", "kind", "subject", "stage", "since"
        )
    )
    phones = list(Subscription.objects.all())
    Push.objects.bulk_create(
        (
            Push(subscription=phone, kind=each.kind, subject=each.subject, stage=each.stage, since=each.since)
            for each in messages
            for phone in phones
            if each.is_for(phone) and (phone.pk, *each.key) not in known
        ),
        ignore_conflicts=True,
    )


def _claim(messages: dict[_Key, Due], sent: dict[Push, str]) -> list[tuple[Push, Due]]:
    """Return what this process is to send now. What is not due any more, such as a call that was taken, stays."""
    now, running, claimed = timezone.now(), Counter(sent.values()), []
    may_be_due = Q(subject__in={each.subject for each in messages.values()}) | Q(kind=TRIAL, since__gt=now - TTL)
    with transaction.atomic():
        waiting = Push.objects.filter(may_be_due, next_at__lte=now).select_related("subscription")
        for push in waiting.select_for_update(skip_locked=True, of=("self",)).order_by("next_at", "pk"):
            phone = push.subscription
            message = _trial(push) if push.kind == TRIAL else messages.get(push.key)
            is_free = running[phone.service] < AT_ONCE and running.total() < AT_ONCE_TO_ALL
            if message and message.is_for(phone) and is_free and push not in sent:
                running[phone.service] += 1
                push.tries, push.next_at = push.tries + 1, now + LEASE
                claimed.append((push, message))
        Push.objects.bulk_update([push for push, _message in claimed], ["tries", "next_at"])
    return claimed


def _trial(push: Push) -> Due:
    whom = frozenset(filter(None, [push.subscription.user_id]))
    return Due(TRIAL, "", push.since, push.since + TTL, _("It works: calls reach this phone."), "/account", users=whom)


def _settle(push: Push, answer: Answer) -> None:
    if answer.is_gone:
        push.subscription.delete()
        return
    next_at = None
    if answer.may_work_later:
        next_at = timezone.now() + timedelta(seconds=max(2**push.tries, answer.retry_after))
    elif answer.status >= 300:
        log.warning("The push service %s refuses a message: %s", push.subscription.service, answer.status)
    Push.objects.filter(pk=push.pk).update(next_at=next_at)
