"""Redacts what other apps store of an erased member. See "Privacy" in docs/behaviour/loyalty.md."""

import json
import uuid
from typing import Any

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.admin.models import LogEntry
from django.contrib.admin.options import get_content_type_for_model
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db.models import Q

from loyalty.cards.services.privacy import Person
from loyalty.models import Member
from qrservice.models import Code
from restaurant.billing.services import privacy as restaurant
from restaurant.ordering.queries.points import orders_collected_by
from restaurant.ordering.serializers.orders import GuestOrder
from web import redaction
from web.usernames import fold


def orders_of(*, member_id: uuid.UUID, **_kwargs: Any) -> dict[str, Any]:
    """Receives `member_stored`."""
    return {"orders": GuestOrder(orders_collected_by(str(member_id)), many=True).data}


def redact_member(*, person: Person, **_kwargs: Any) -> None:
    """Receives `member_erased`, in the erasure's transaction."""
    _delete_sign_ins(person)
    _redact_history(person)
    _delete_messages(person)
    # Codes of tables, cards and rewards, of which there are many, name nobody.
    codes = Code.objects.exclude(metadata__has_key="type")
    redaction.redact(codes, "redirect_url", "metadata", words=person.distinctive_details)
    restaurant.redact(words=person.distinctive_details)


def _delete_sign_ins(person: Person) -> None:
    """Delete a guest's attempts to sign in as staff with their own address or name."""
    own = Q()
    for detail in person.details:
        own |= Q(username__iexact=detail) | Q(username=fold(detail))
    # Failures are stored with the folded name.
    words = {*person.distinctive_details, *map(fold, person.distinctive_details)}
    texts = ("username", "user_agent", "path_info", "http_accept")
    for model in (AccessLog, AccessFailureLog):
        model.objects.filter(own | redaction.containing(words, *texts)).delete()
    AccessAttempt.objects.filter(own | redaction.containing(words, *texts, "get_data", "post_data")).delete()


def _redact_history(person: Person) -> None:
    """Redact the admin's history: who did something and when stays."""
    of_member = LogEntry.objects.filter(
        content_type=get_content_type_for_model(Member), object_id=str(person.member_id)
    )
    of_member.update(object_repr=redaction.REDACTED, change_message="")
    redaction.redact(LogEntry.objects.all(), "object_repr", "change_message", words=person.distinctive_details)


def _delete_messages(person: Person) -> None:
    """Drop sentences that staff's browsers have not shown yet and that were too long for a cookie."""
    details = [detail.casefold().replace("\\", "") for detail in person.details]
    for session in Session.objects.iterator():
        data = session.get_decoded()
        if "_messages" in data and any(detail in _text_of(data["_messages"]) for detail in details):
            del data["_messages"]
            Session.objects.filter(pk=session.pk).update(session_data=SessionStore().encode(data))


def _text_of(messages: str) -> str:
    return json.dumps(json.loads(messages), ensure_ascii=False).replace("\\", "").casefold()
