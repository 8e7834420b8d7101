"""Requests that programs send as JSON and pages as forms."""

from typing import Any

from django.contrib import messages
from django.http import QueryDict
from rest_framework.request import Request
from rest_framework.serializers import BaseSerializer

from web.fields import FormText


def is_page(request: Request) -> bool:
    return bool(request.accepted_renderer.format == "html")


def form_fields(request: Request) -> dict[str, str] | None:
    """Return the fields of a form; None for JSON."""
    return {name: str(text) for name, text in request.data.items()} if isinstance(request.data, QueryDict) else None


def body_of(request: Request, *, numbers: tuple[str, ...] = (), optional: tuple[str, ...] = ()) -> Any:
    """Return the body in the shape of JSON. `numbers` are the form fields that are numbers in JSON.

    Empty fields of `optional` are left out.
    """
    form = form_fields(request)
    if form is None:
        return request.data
    sent = {name: text for name, text in form.items() if text.strip() or name not in optional}
    return {name: FormText(text) if name in numbers else text for name, text in sent.items()}


def valid(serializer: BaseSerializer[Any]) -> Any:
    """Return the values of a request. Raises ValidationError."""
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data


def notify(request: Request, sentence: str, level: int = messages.SUCCESS, *, about: str = "") -> None:
    """Show a message on the browser's next page; at the till only on that of the member whose id is `about`."""
    if is_page(request):
        messages.add_message(request._request, level, sentence, extra_tags=about)
