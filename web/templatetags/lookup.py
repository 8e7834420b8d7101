"""What Django's template language has no word for: values by a variable key, numbers for programs, addresses."""

import re
from collections.abc import Mapping
from typing import Any

from django import template
from django.template.defaultfilters import floatformat
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from web.mailto import mailto

register = template.Library()
register.filter("mailto", mailto)

LETTERS = (5, 6, 8, 10, 12, 14, 17, 20, 24, 30, 40, 60)  # each is a class of code_cards.css
BETWEEN = " ,–-·:"  # the name of a house and of one of its places


@register.filter
def lookup(mapping: Mapping[str, Any], key: Any) -> Any:
    return mapping.get(str(key)) if mapping else None


@register.filter
def unlocalized(number: Any) -> str:
    """A number as programs write it, whatever the page's language."""
    return str(number)


@register.filter
def trimmed(number: Any) -> str:
    """With as many decimals as it needs, two at most: 10, 12.5, 12.25."""
    one, two = floatformat(number, "-1g"), floatformat(number, "-2g")
    return one if two == f"{one}0" else two


@register.filter
def without_start(text: str, start: str) -> str:
    """What stands after a name that everybody knows already: of `Fig & Fennel Market Stall` the `Market Stall`."""
    rest = text.removeprefix(start)
    return rest.lstrip(BETWEEN) or text if rest[:1] in set(BETWEEN) else text


@register.filter
def without_scheme(address: str) -> str:
    """An address as it is printed and typed: of `https://fig.example/r/4kT` the `fig.example/r/4kT`."""
    return address.partition("://")[2] or address


@register.filter
def breakable(address: str) -> SafeString:
    """An address that a narrow line breaks after a slash, and not within a name or a code."""
    return format_html_join(mark_safe("/<wbr>"), "{}", ((part,) for part in address.split("/")))


@register.filter
def letters(text: str) -> int:
    """For how many letters a line needs room to break no word of the text: one of LETTERS. Capitals are wide."""
    longest = max((len(word) + sum(map(str.isupper, word)) // 4 for word in re.split(r"[\s-]", text)), default=0)
    return next((step for step in LETTERS if longest <= step), LETTERS[-1])


@register.filter
def marked(text: str, sought: str) -> SafeString:
    """The text with <mark> around each place where `sought`, or one of its words, stands, in any case."""
    parts = sorted({sought.strip(), *sought.split()} - {""}, key=len, reverse=True)
    return marked_where(text, "|".join(map(re.escape, parts))) if parts else format_html("{}", text)


def marked_where(text: str, pattern: str) -> SafeString:
    """The text with <mark> around each match of a regular expression without groups, in any case."""
    pieces = re.split(f"({pattern})", text, flags=re.IGNORECASE)
    written = (format_html("<mark>{}</mark>", each) if number % 2 else each for number, each in enumerate(pieces))
    return format_html_join("", "{}", ((each,) for each in written))
