"""Sentences of `/setup`, with settings, commands and addresses as code."""

import re
from collections.abc import Iterator

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()

# NAME_OF_A_SETTING=value, an address, a command, a folder: without the punctuation of the sentence.
CODE = re.compile(
    r"(?:[A-Z]+(?:_[A-Z]+)+(?:=\S+?)?|[a-z+]+://\S+?|manage\.py \w+|deploy/\w*)(?:\.{3}|…)?(?=[.,:;)]*(?:\s|$))"
)
INLINE, BLOCK = "<code>{}</code>", '<code class="code-block" tabindex="0">{}</code>'


@register.filter
def inline_code(text: str) -> SafeString:
    return format_html_join("", "{}", ((segment,) for segment in _segments(text, INLINE)))


@register.filter
def block_code(text: str) -> SafeString:
    """Put addresses on lines of their own, which scroll and don't break."""
    return format_html_join("", "{}", ((segment,) for segment in _segments(text, BLOCK)))


@register.filter
def first_sentence(text: str) -> str:
    first, stop, _others = text.partition(". ")
    return f"{first}." if stop else first


@register.filter
def other_sentences(text: str) -> str:
    return text.partition(". ")[2]


def _segments(text: str, address: str) -> Iterator[str]:
    """Yield the text with its code as HTML. `address` is the HTML around addresses."""
    end = 0
    for match in CODE.finditer(text):
        is_address = "://" in match[0]
        yield text[end : match.start()]
        yield format_html(address if is_address else INLINE, match[0])
        end = match.end()
        if is_address and address == BLOCK:  # it ends the line by itself
            end = len(text) - len(text[end:].lstrip(".,:;"))
    yield text[end:]
