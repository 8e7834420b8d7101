"""The menu's page, put together from parts that are kept.

To write out 200 items by a template takes 40 ms, to count a scan 1 ms; and one phone's page differs from another's in
a few places only. So the items are written once for each state of the menu, and what stands around them once for each
table and sum in the cart. Each answer gets its own form token, and the counts of its cart.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.middleware.csrf import get_token
from django.template import loader
from django.utils.cache import patch_vary_headers
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from rest_framework.request import Request

from restaurant import queries
from restaurant.views.packed import Part, fresh, gzipped, kept, takes_gzip

# Where the token and the items go. Nothing that was typed by anyone can look like it: it would be escaped.
_TOKEN, _SECTIONS = SafeString("<!-- token -->"), SafeString("<!-- sections -->")
_COUNT = re.compile(rb'(?<=<span class="add-count">)(?=</span>)')


def page(
    request: Request, *, menu: queries.Menu, table: dict[str, Any], has_ordered: bool, chosen: Mapping[str, int]
) -> HttpResponse:
    parts = parts_of(menu=menu, table=table, has_ordered=has_ordered, chosen=chosen, token=_token(request))
    if takes_gzip(request):
        response = HttpResponse(gzipped(parts), headers={"Content-Encoding": "gzip"})
    else:
        response = HttpResponse(b"".join(part.plain for part in parts))
    patch_vary_headers(response, ["Accept-Encoding", "Cookie"])
    return response


def _token(request: Request) -> str:
    """The form's token: where it is compressed here, as the phone's cookie has it if there is one.

    `{% csrf_token %}` would disguise it, lest its length under compression give it away; but it is sent uncompressed
    (see `fresh`), on a page that repeats nothing of what was asked. What others may compress on the way is disguised.
    """
    as_it_is = request.META.get("CSRF_COOKIE") if takes_gzip(request) else None
    return str(as_it_is or get_token(request._request))


def parts_of(
    *, menu: queries.Menu, table: dict[str, Any], has_ordered: bool, chosen: Mapping[str, int], token: str
) -> list[Part]:
    kind = _Kind(
        language=get_language(),
        currency=settings.CURRENCY,
        venue_name=settings.VENUE_NAME,
        table=(table["number"], table["section"]),
        has_ordered=has_ordered,
        count=sum(chosen.values()),
        total=sum((menu.prices[item] * count for item, count in chosen.items() if item in menu.prices), Decimal(0)),
        categories=tuple(menu.by_category),
    )
    before, between, after = _around(kind)
    if not kind.categories:
        return [before]  # the page that says so: it has no form, and so no place for a token
    items = _items(menu, kind.language, kind.currency).with_counts(chosen)
    return [before, fresh(token.encode()), between, *items, after]


# --- what stands around the items ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Kind:
    """All that makes a page look different, but for the items and what is one phone's own."""

    language: str | None
    currency: str
    venue_name: str
    table: tuple[int, str]
    has_ordered: bool
    count: int
    total: Decimal
    categories: tuple[str, ...]


@lru_cache(maxsize=512)
def _around(kind: _Kind) -> tuple[Part, Part, Part]:
    """The page before its token, from there to the items, and after these."""
    context = {
        "venue_name": kind.venue_name,
        "currency": kind.currency,
        "table": {"number": kind.table[0], "section": kind.table[1]},
        "has_ordered": kind.has_ordered,
        "cart": {"count": kind.count, "total": kind.total},
        "categories": kind.categories,
        "token": _TOKEN,
        "sections": _SECTIONS,
    }
    before, _, rest = loader.render_to_string("restaurant/menu.html", context).partition(_TOKEN)
    between, _, after = rest.partition(_SECTIONS)
    return kept(before.encode()), kept(between.encode()), kept(after.encode())


# --- the items ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Section:
    """A category with its items, and where the count of each item belongs."""

    part: Part
    places: dict[str, int]

    def with_counts(self, counts: Mapping[str, int]) -> Part:
        places = sorted((self.places[item], count) for item, count in counts.items() if item in self.places)
        if not places:
            return self.part
        html, pieces, start = self.part.plain, [], 0
        for place, count in places:
            pieces += [html[start:place], str(count).encode()]
            start = place
        return fresh(b"".join([*pieces, html[start:]]))


@dataclass(frozen=True, slots=True)
class _Items:
    sections: list[_Section]
    whole: Part  # a quarter smaller than all of these

    def with_counts(self, counts: Mapping[str, int]) -> list[Part]:
        return [each.with_counts(counts) for each in self.sections] if counts else [self.whole]


@lru_cache(maxsize=8)
def _items(menu: queries.Menu, language: str | None, currency: str) -> _Items:
    sections = []
    for number, (category, items) in enumerate(menu.by_category.items(), 1):
        context = {"number": number, "category": category, "items": items}
        html = loader.render_to_string("restaurant/_menu_section.html", context).encode()
        places = zip(items, _COUNT.finditer(html), strict=True)
        sections.append(_Section(kept(html), {str(item["id"]): found.start() for item, found in places}))
    return _Items(sections, kept(b"".join(each.part.plain for each in sections)))
