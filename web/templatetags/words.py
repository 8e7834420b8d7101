"""The languages of pages, and words for scripts that count."""

from functools import cache, lru_cache
from typing import Any

from babel.numbers import format_decimal
from django import template
from django.conf import settings
from django.template.defaultfilters import stringfilter
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext

from web import languages
from web.formats import capfirst, comma, listed, locale

register = template.Library()

_decimal = lru_cache(maxsize=4096)(format_decimal)


register.filter("base_language", languages.base)
register.simple_tag(comma)
register.filter("listed", listed)
register.filter("capfirst", stringfilter(capfirst), is_safe=True)


@register.filter
def of_venue(text: str) -> str:
    """Return what the venue has written, marked where the page is in another language and perhaps direction."""
    if not text or isinstance(text, languages.Translated) or not languages.other_than_own():
        return text
    return format_html('<bdi lang="{}">{}</bdi>', settings.LANGUAGE_CODE, text)


@register.simple_tag(takes_context=True)
def language_choices(context: Any) -> list[tuple[str, str]]:
    """Return the languages that this reader may choose."""
    return languages.choices(context["request"])


@register.filter
def grouped(number: int | None) -> str:
    """Return such as `1,200`, with the separators of amounts: Django's differ in some languages."""
    return "" if number is None else str(_decimal(number, locale=locale()))


@register.simple_tag
def plural_forms(one: str, many: str) -> SafeString:
    """Return attributes `data-one`, `data-other` and the like with the forms that the language has, and # for a number.

    `counted` of static/js/words.js chooses among them.
    """
    forms = {category: ngettext(one, many, number) for category, number in _examples(get_language()).items()}
    return format_html_join(" ", 'data-{}="{}"', forms.items())


@cache
def _examples(_language: str | None) -> dict[str, int]:
    """Return a number for each of the language's plural categories."""
    plural_form = locale().plural_form
    return {plural_form(number): number for number in range(200, -1, -1)}
