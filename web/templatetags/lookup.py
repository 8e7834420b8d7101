"""A dictionary's value by a variable key, which Django's template language has no word for."""

from collections.abc import Mapping
from typing import Any

from django import template

register = template.Library()


@register.filter
def lookup(mapping: Mapping[str, Any], key: Any) -> Any:
    return mapping.get(str(key)) if mapping else None


@register.filter
def unlocalized(number: Any) -> str:
    """A number as programs write it, whatever the page's language."""
    return str(number)
