"""Rendering responses as JSON or a page, and parsing JSON bodies. CSV is in `web.spreadsheets`."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from django.template import loader
from django.utils.translation import gettext as _
from rest_framework import exceptions, parsers, renderers
from rest_framework.utils.encoders import JSONEncoder

from web.money import decimals
from web.negotiation import HTML


def utc_text(moment: datetime) -> str:
    """ISO 8601 in UTC, as every timestamp of the JSON interface is written."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


class Encoder(JSONEncoder):
    """Money as a number, times in UTC."""

    def default(self, obj: Any) -> Any:
        if isinstance(obj, Decimal):
            # Computed in decimals; a float's shortest text repeats up to 15 digits exactly, and money has 10.
            return int(obj) if not decimals() and obj == int(obj) else float(obj)
        if isinstance(obj, datetime):
            return utc_text(obj)
        return super().default(obj)


class JSONRenderer(renderers.JSONRenderer):
    encoder_class = Encoder


class JSONParser(parsers.JSONParser):
    """Says where a body is not JSON, and refuses one that is nested too deeply to parse."""

    def parse(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().parse(*args, **kwargs)
        except RecursionError as error:
            raise exceptions.ParseError(_("This JSON is nested too deeply.")) from error
        except exceptions.ParseError as error:
            cause = error.__context__
            sentence = _("The body is not JSON in UTF-8.")
            if isinstance(cause, json.JSONDecodeError):
                place = {"line": cause.lineno, "column": cause.colno}
                sentence = _("The body is not JSON: see line %(line)d, column %(column)d.") % place
            raise exceptions.ParseError(sentence) from error


class PageRenderer(renderers.BaseRenderer):
    """The page that the view has prepared: see `web.views.PageView`. Rendering reads and writes nothing."""

    media_type = HTML
    format = "html"
    charset = "utf-8"

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> str:
        context = renderer_context or {}
        view, request = context["view"], context["request"]
        if view.page is None:  # a redirect
            return ""
        return loader.render_to_string(view.page.template, {**view.page.context, "view": view}, request=request)
