"""The accent colour's field in the admin: text, the browser's colour picker, and a preview.

Without JavaScript the one that was changed of text and picker counts.
"""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

USUAL = "#7a2848"  # as in static/css/tokens.css
SWATCHES = {
    USUAL: gettext_lazy("Plum"),
    "#a83a2a": gettext_lazy("Brick"),
    "#a8620c": gettext_lazy("Amber"),
    "#3c6b2f": gettext_lazy("Basil"),
    "#17656b": gettext_lazy("Sea"),
    "#27509b": gettext_lazy("Blue"),
    "#3b3a3f": gettext_lazy("Slate"),
}
_SWATCH = (
    '<button type="button" data-colour="{}" aria-label="{}"><svg viewBox="0 0 1 1" aria-hidden="true">'
    '<path fill="{}" d="M0 0h1v1H0z"/></svg></button>'
)


class AccentInput(forms.TextInput):
    class Media:
        js = [forms.Script("js/admin_accent.js", type="module")]

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> Any:
        text = super().render(
            name, value, {**(attrs or {}), "spellcheck": "false", "placeholder": _("Not set")}, renderer
        )
        swatches = format_html_join("", _SWATCH, ((colour, label, colour) for colour, label in SWATCHES.items()))
        return format_html(
            '<div class="accent-choice">{}<input type="color" name="{}" value="{}" data-usual="{}" aria-label="{}">'
            '<input type="hidden" name="{}" value="{}"></div>'
            '<p class="accent-unset">{}</p>'
            '<p class="accent-swatches" role="group" aria-label="{}" hidden>{}</p>'
            '<div class="accent-shown" role="img" aria-label="{}">{}{}</div>',
            text, f"{name}_chosen", _colour(value), USUAL, _("Choose the accent colour"), f"{name}_was", value or "",
            _("No colour of your own yet: pages are in the usual plum."),
            _("Colours to begin with"), swatches,
            _("Buttons and links on light and on dark screens"),
            _sample("light", _("On a light screen")), _sample("dark", _("On a dark screen")),
        )  # fmt: skip

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        text = super().value_from_datadict(data, files, name)
        was, chosen = data.get(f"{name}_was"), data.get(f"{name}_chosen")
        if chosen and was is not None and text == was and chosen != _colour(was):
            return chosen
        return text


def _colour(value: Any) -> str:
    """Return a value that the browser's colour picker accepts, which can't be empty."""
    text = str(value or "").lower()
    is_colour = len(text) == len(USUAL) and text[0] == "#" and all(digit in "0123456789abcdef" for digit in text[1:])
    return text if is_colour else USUAL


def _sample(scheme: str, title: str) -> str:
    return format_html(
        '<div class="accent-paper is-{}" aria-hidden="true"><small>{}</small><span class="accent-button">{}</span>'
        '<span class="accent-link">{}</span><span class="accent-mark">{}</span></div>',
        scheme, title, _("Add"), _("A link"), _("Chosen"),
    )  # fmt: skip
