"""What `/setup` says, with settings, commands and addresses as code."""

import re

from django import template
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

# NAME_OF_A_SETTING=value, an address, a command, a folder: without the punctuation of the sentence.
CODE = re.compile(r"(?:[A-Z]+(?:_[A-Z]+)+(?:=\S+?)?|[a-z+]+://\S+?|manage\.py \w+|deploy/\w*)(?=[.,:;)]*(?:\s|$))")
MAY_BREAK = re.compile("//|(?=@)")


@register.filter
def code_words(sentence: str) -> SafeString:
    """Long addresses break after `//` and before `@` first."""
    parts = []
    end = 0
    for found in CODE.finditer(sentence):
        words = "<wbr>".join(MAY_BREAK.sub(lambda each: f"{each[0]}\n", conditional_escape(found[0])).split("\n"))
        parts += [conditional_escape(sentence[end : found.start()]), f"<code>{words}</code>"]
        end = found.end()
    return mark_safe("".join([*parts, conditional_escape(sentence[end:])]))  # noqa: S308
