"""Every address of the URL map, for what is true of all of them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import get_resolver
from django.urls.resolvers import URLPattern, URLResolver

from tests.conftest import unknown_id
from tests.described import KNOWN
from web.permissions import PUBLIC, needed

UNSAFE = ("post", "put", "patch", "delete")
VERBS = ("get", *UNSAFE)
# What stands for the names in a pattern; an id that nothing has for all others.
PARTS = {"slug": "bar", "app": "1", "username": "nobody", "position": "0", "token": "x"}
PARTS |= {
    place.removeprefix("path."): values[0]
    for values, places in KNOWN.values()
    for place in places
    if place.startswith("path.")
}


@dataclass(frozen=True)
class Address:
    pattern: str
    view: type

    @property
    def path(self) -> str:
        """One that the pattern matches, and that names what `tests.described.make_venue` makes."""
        return "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda part: PARTS.get(part[1], unknown_id()), self.pattern)

    @property
    def methods(self) -> list[str]:
        return [verb for verb in VERBS if hasattr(self.view, verb)]

    @property
    def is_of_the_framework(self) -> bool:
        """Whether REST framework answers. The others are pictures, files, and the pages that people sign in on."""
        return hasattr(self.view, "authentication_classes")

    def is_public(self, method: str) -> bool:
        return needed(self.view, method.upper()) == PUBLIC


def view_class(pattern: URLPattern) -> type | None:
    return getattr(pattern.callback, "cls", None) or getattr(pattern.callback, "view_class", None)


def _patterns(resolver: URLResolver, prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    for pattern in resolver.url_patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield path, pattern
        else:
            yield from _patterns(pattern, path)


def patterns() -> dict[str, URLPattern]:
    """Without those of Django's admin, which checks for itself."""
    return {path: pattern for path, pattern in sorted(_patterns(get_resolver())) if not path.startswith("admin/")}


def patterns_of_the_admin() -> list[str]:
    return [path for path, _pattern in _patterns(get_resolver()) if path.startswith("admin/")]


def addresses() -> list[Address]:
    return [Address(path, view_class(pattern)) for path, pattern in patterns().items()]
