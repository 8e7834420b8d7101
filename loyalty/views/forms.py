"""Requests that come as JSON from programs and as forms from pages."""

import hashlib
import json
import uuid
from typing import Any

from django.contrib import messages
from django.http import QueryDict
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from loyalty.serializers import FormText
from loyalty.services.points import Key

MAX_KEY_LENGTH = 100


def fields(request: Request) -> dict[str, str] | None:
    """The fields of a form; None for JSON."""
    return {name: str(text) for name, text in request.data.items()} if isinstance(request.data, QueryDict) else None


def is_page(request: Request) -> bool:
    return bool(request.accepted_renderer.format == "html")


def body_of(request: Request, *, numbers: tuple[str, ...] = ()) -> Any:
    """The body as JSON would have it; of a form, the fields that are `numbers` there are marked as typed in."""
    form = fields(request)
    if form is None:
        return request.data
    return {name: FormText(text) if name in numbers else text for name, text in form.items()}


def idempotency_key(request: Request, *asked: object) -> Key | None:
    """The header of decision 1.7, or the field of a page's form, which can't send a header.

    `asked` is what the call asks for: the same for two bodies that ask for the same, however they were written.
    """
    text: str = request.headers.get("Idempotency-Key", "") or (fields(request) or {}).get("idempotencyKey", "")
    if len(text) > MAX_KEY_LENGTH or "\0" in text:
        raise ValidationError({"Idempotency-Key": f"At most {MAX_KEY_LENGTH} characters, please."})
    digest = hashlib.sha256(json.dumps([str(each) for each in asked]).encode()).hexdigest()
    return Key(text, digest) if text else None


def new_key() -> str:
    """For a form's field: whatever happens to its answer, it counts once."""
    return uuid.uuid4().hex


def tell(request: Request, sentence: str, level: int = messages.SUCCESS, *, about: str = "") -> None:
    """Say this on the next page, if there is one; at the till only on that of the member it is `about`."""
    if is_page(request):
        messages.add_message(request._request, level, sentence, extra_tags=about)
