"""`/design`: the tokens and every component in every state, for whoever develops. 404 unless DEBUG."""

import re
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.decorators import method_decorator
from django.views.decorators.cache import cache_control
from django.views.generic import TemplateView, View

from config import design, design_guide, design_purposes, design_samples
from web import venue
from web.permissions import PUBLIC

ACCENTS = {"": "The venue's", "f4d35e": "Very light", "101820": "Very dark", "e01e37": "Red", "0b7285": "Teal"}


# Of other templates, which draw one for each of these names.
SIGNS = [
    ("loyalty/_till_sign.html", ["good", "warn", "bad"]),
    ("web/_layout_sign.html", ["card", "tent", "sticker", "page"]),
]


def _accent(request: HttpRequest) -> str:
    """Raises Http404, also without DEBUG."""
    accent = request.GET.get("accent", "").lower()
    if not settings.DEBUG or not re.fullmatch(r"([0-9a-f]{6})?", accent):
        raise Http404
    return accent


def _colour(name: str, purpose: str, light: design.Tokens, dark: design.Tokens) -> tuple[str, str, str, str]:
    return name, purpose, design.resolved(light, name), design.resolved(dark, name)


def _measures(light: design.Tokens, prefix: str) -> list[tuple[str, str, str]]:
    """Each with its value and what it is for."""
    return [(name, value, design_purposes.MEASURES[name]) for name, value in design.named(light, prefix).items()]


def _kitchen_colours() -> list[tuple[str, str, str]]:
    """Those that it has otherwise than other pages, and then those that it alone has."""
    own = design.kitchen()
    purposes = {name: purpose for names in design_purposes.COLOURS.values() for name, purpose in names.items()}
    found = {name: purposes[name] for name in own if name in purposes} | design_purposes.KITCHEN_COLOURS
    return [(name, purpose, own[name]) for name, purpose in found.items()]


@method_decorator(cache_control(private=True, no_cache=True), name="dispatch")
class Design(TemplateView):
    access = PUBLIC
    template_name = "web/design/page.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        accent = _accent(self.request)
        light, dark = design.tokens(accent or venue.accent())
        return super().get_context_data(
            **kwargs,
            accent=accent,
            accents=ACCENTS.items(),
            sheets=[*(f"components/{name}" for name in design.COMPONENTS), *design.REPORT_SHEETS, *design.STAFF_SHEETS],
            parts=design_guide.PARTS,
            samples=design_samples.PLOTS,
            schemes=["light", "dark"],
            pairs=design.pairs(light, dark),
            kitchen_pairs=design.kitchen_pairs(),
            colours=[
                (group, [_colour(name, purpose, light, dark) for name, purpose in names.items()])
                for group, names in design_purposes.COLOURS.items()
            ],
            kitchen_colours=_kitchen_colours(),
            products=design_guide.PRODUCTS,
            drawn=design_samples.samples(),
            rules=design_guide.RULES,
            steps=_measures(light, "step"),
            spaces=_measures(light, "space"),
            radii=_measures(light, "radius"),
            shadows=[
                (name, re.split(r"(?<=\)), ", value), purpose) for name, value, purpose in _measures(light, "shadow")
            ],
            icons=design.icons(),
            signs=SIGNS,
            motion=[(name, light[name]) for name in ("quick", "calm", "ease")],
        )


@method_decorator(cache_control(private=True, no_cache=True), name="dispatch")
class DesignStyles(View):
    """The tokens of both schemes as classes."""

    access = PUBLIC

    def get(self, request: HttpRequest) -> HttpResponse:
        light, dark = design.tokens(_accent(request) or venue.accent())
        return HttpResponse(design.css(light, dark), content_type="text/css; charset=utf-8")
