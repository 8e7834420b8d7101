"""A member's card, or staff's pages, on the home screen of a phone: web app manifests, and the venue's icons."""

import hashlib
import uuid
from functools import lru_cache

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from config import icons, queries
from web import venue
from web.permissions import PUBLIC
from web.throttling import LimitedView

_FOREVER = "public, max-age=31536000, immutable"
_FIVE_MINUTES = "public, max-age=300"
_PAPER = "#faf6ef"  # as --paper in static/css/tokens.css


class Manifest(LimitedView):
    """`GET /member/{id}/card.webmanifest`. It says nothing of the member but the id, which is in its address.

    `GET /staff.webmanifest`: on iPhones only what is on the home screen hears of things while it is locked.
    """

    access = PUBLIC
    throttle_scope = "picture"  # browsers read it with every card
    http_method_names = ["get", "head"]

    def get(self, request: HttpRequest, customer_id: uuid.UUID | None = None) -> HttpResponse:
        start = reverse("member", args=[customer_id]) if customer_id else reverse("front_page")
        manifest = {
            "id": start,
            "start_url": start,
            "scope": "/",
            "name": _("%(venue)s card") % {"venue": venue.name()} if customer_id else venue.name(),
            "short_name": venue.name(),
            "lang": get_language(),
            "display": "standalone",
            "background_color": _PAPER,
            "theme_color": venue.current().theme,
            "icons": [
                {"src": _address(kind, size), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
                for kind, purpose in (("icon", "any"), ("maskable", "maskable"))
                for size in (192, 512)
            ],
        }
        return JsonResponse(
            manifest, content_type="application/manifest+json", headers={"Cache-Control": _FIVE_MINUTES}
        )


class Icon(LimitedView):
    """`GET /venue/icons/{kind}-{size}.png`. With `v`, which says how the venue looks, it is cached for good."""

    access = PUBLIC
    throttle_scope = "picture"
    http_method_names = ["get", "head"]

    def get(self, request: HttpRequest, kind: str, size: str) -> HttpResponse:
        version = _version()
        is_named = request.GET.get("v") == version
        headers = {"Cache-Control": _FOREVER if is_named else _FIVE_MINUTES}
        return HttpResponse(_icon(version, kind, int(size)), content_type="image/png", headers=headers)


def _address(kind: str, size: int) -> str:
    return f"{reverse('venue_icon', args=[kind, size])}?v={_version()}"


def _version() -> str:
    """Return a hash of what an icon is drawn from."""
    current = venue.current()
    appearance = f"{current.logo} {current.theme}"
    return hashlib.sha256(appearance.encode()).hexdigest()[:12]


@lru_cache(maxsize=16)
def _icon(version: str, kind: str, size: int) -> bytes:
    """Draw the icon; `version` is a key of the cache."""
    current = venue.current()
    logo = queries.logo() if current.logo else None
    ground = current.logo.ground if current.logo else ""
    return icons.draw(kind, size, logo=logo, ground=ground, theme=current.theme)
