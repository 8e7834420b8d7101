"""Requests that may be sent twice, with the header `Idempotency-Key` or a form field of that name.

See "Idempotent requests" in docs/behaviour/common.md.
"""

import hashlib
import json
import uuid
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from web.errors import Conflict
from web.forms import form_fields

Row = TypeVar("Row", bound=Model)
MAX_LENGTH = 100
OURS = " "  # begins keys that no client has sent: around a client's, spaces are taken off
PARAMETER = OpenApiParameter("Idempotency-Key", {"type": "string", "maxLength": MAX_LENGTH}, OpenApiParameter.HEADER)


@dataclass(frozen=True, slots=True)
class Key:
    """The client's key, and a digest of the request's content."""

    text: str
    digest: str

    @property
    def second(self) -> "Key":
        """The key for a second row that the same request makes."""
        return Key(OURS + digest_of("second", self.text), self.digest)


class KeyReused(Conflict):
    """The same key with another body."""

    default_detail = _("This key belongs to another request. Nothing was done; please send this one with a new key.")


def key_of(request: Request, *content: object) -> Key | None:
    """Return the request's key, or None. `content` is what it asks for, however the body was written.

    A form can't send a header, so it has the field `idempotencyKey`. Raises ValidationError.
    """
    text: str = request.headers.get("Idempotency-Key", "") or (form_fields(request) or {}).get("idempotencyKey", "")
    text = text.strip()
    if len(text) > MAX_LENGTH or "\0" in text:
        raise ValidationError({"Idempotency-Key": _("At most %(count)d characters, please.") % {"count": MAX_LENGTH}})
    return Key(text, digest_of(*content)) if text else None


def described(body: Any, answer: Any) -> Any:
    """Describe a POST that makes something, and nothing more if it is sent twice."""
    return extend_schema(request=body, parameters=[PARAMETER], responses={201: answer})


def earlier_of(rows: QuerySet[Row], key: Key | None, sentence: str | None = None) -> Row | None:
    """Return the one of these rows that a request with this key has made. Raises KeyReused with this sentence."""
    row: Any = rows.filter(idempotency_key=key.text).first() if key else None
    if row is not None and key and row.request_digest != key.digest:
        raise KeyReused(sentence)
    return row


def columns_of(key: Key | None) -> dict[str, str]:
    """Return what a row has of the key of its request."""
    return {"idempotency_key": key.text, "request_digest": key.digest} if key else {}


def digest_of(*content: object) -> str:
    return hashlib.sha256(json.dumps([str(part) for part in content]).encode()).hexdigest()


def new_key() -> str:
    """Return a key for a page's form, which counts once even if it is sent twice."""
    return uuid.uuid4().hex
