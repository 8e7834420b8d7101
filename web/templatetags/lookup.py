"""Filters for values by a variable key, numbers for programs, and addresses."""

import re
from collections.abc import Mapping
from typing import Any

from django import template
from django.template.defaultfilters import floatformat
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe

from web.mailto import mailto

register = template.Library()
register.filter("mailto", mailto)

LETTERS = (5, 6, 8, 10, 12, 14, 17, 20, 24, 30, 40, 60)  # each is a class of setup_cards.css
BETWEEN = " ,–-·:"  # the name of a house and of one of its places


@register.filter
def lookup(mapping: Mapping[str, Any], key: Any) -> Any:
    return mapping.get(str(key)) if mapping else None


@register.filter
def unlocalized(number: Any) -> str:
    """Return a number as programs write it, whatever the page's language."""
    return str(number)


@register.filter
def trimmed(number: Any) -> str:
    """Return the number with as many decimals as it needs, two at most: 10, 12.5, 12.25."""
    one, two = floatformat(number, "-1g"), floatformat(number, "-2g")
    return one if two == f"{one}0" else two


@register.filter
def without_start(text: str, start: str) -> str:
    """Cut a known name from the beginning: `Market Stall` for `Fig & Fennel Market Stall`."""
    rest = text.removeprefix(start)
    return rest.lstrip(BETWEEN) or text if rest[:1] in set(BETWEEN) else text


@register.filter
def without_scheme(address: str) -> str:
    """Return an address as it is printed: `fig.example/r/4kT` for `https://fig.example/r/4kT`."""
    return address.partition("://")[2] or address


@register.filter
def breakable(address: str) -> SafeString:
    """Let an address break after slashes, and not within a name or a code."""
    return format_html_join(mark_safe("/<wbr>"), "{}", ((part,) for part in address.split("/")))


@register.filter
def letters(text: str) -> int:
    """Return the smallest of LETTERS at which a line breaks no word of the text. Capitals count more."""
    longest = max((len(word) + sum(map(str.isupper, word)) // 4 for word in re.split(r"[\s-]", text)), default=0)
    return next((step for step in LETTERS if longest <= step), LETTERS[-1])
