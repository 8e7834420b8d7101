"""Tags of the admin's templates."""

import json
import re
from collections.abc import Iterator
from itertools import chain, repeat
from typing import Any

from django import template
from django.utils.html import escape, strip_tags
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst

from config import admin_words

register = template.Library()

_NOTHING = re.compile(r"<td[^>]*>(?:-|–|)</td>")


@register.simple_tag
def words(opts: Any) -> admin_words.Words:
    """Return title and description of a model's `_meta`, which templates can't access."""
    return admin_words.words(opts)


@register.filter
def holds(section: dict[str, Any], path: str) -> bool:
    """Return whether the page at this path belongs to the section."""
    return any(model.get("admin_url") and path.startswith(model["admin_url"]) for model in section["models"])


@register.filter
def formset_data(inline: Any) -> str:
    """Return the data of Django's script for inline rows, with the inline's own text for adding one."""
    data = json.loads(inline.inline_formset_data())
    if own := getattr(inline.opts, "add_label", ""):
        data["options"]["addText"] = str(own)
    return json.dumps(data)


@register.filter
def headings(headers: list[dict[str, Any]]) -> list[str]:
    """Return the headings of a list's columns as text; "" for the column of checkboxes."""
    texts = (str(header["text"]) for header in headers)
    return ["" if "<" in text else capfirst(text) for text in texts]


@register.filter
def labelled(row: list[str], headings: list[str]) -> Iterator[SafeString]:
    """Yield a row's cells with their column's heading, which a narrow phone shows beside them."""
    for cell, heading in zip(row, chain(headings, repeat("")), strict=False):
        label = "" if _begins_with(str(cell), heading) else heading  # "Table 12" says so itself
        empty = " data-empty" if _NOTHING.fullmatch(str(cell)) else ""
        attributes = (f' data-label="{escape(label)}"' if label else "") + empty
        # `cell` is Django's own HTML, which begins with its tag, and `label` is escaped.
        yield mark_safe(f"{cell[:3]}{attributes}{cell[3:]}")  # noqa: S308


def _begins_with(cell: str, heading: str) -> bool:
    sought = heading.casefold()
    return sought in cell.casefold() and strip_tags(cell).strip().casefold().startswith(sought)
