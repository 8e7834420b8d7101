"""The admin's form of the venue, with its logo and its cover picture."""

from datetime import time
from typing import Any

from django import forms
from django.conf import settings
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config.models import Venue
from config.services import branding
from web import languages
from web.admin import picture_input
from web.pictures import UnusablePicture, Version

_PARTS = [("middle", gettext_lazy("Middle")), ("top", gettext_lazy("Top")), ("bottom", gettext_lazy("Bottom"))]
_PERCENT = {"top": 0, "middle": 50, "bottom": 100}


USUAL = "#7a2848"  # as in static/css/tokens.css


class AccentInput(forms.TextInput):
    """The browser's choice of a colour, in which the usual one stands for none."""

    input_type = "color"

    def format_value(self, value: Any) -> str:
        return str(value or USUAL)

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        value = super().value_from_datadict(data, files, name)
        return "" if value == USUAL else value


def _file(label: Any, help_text: Any) -> forms.FileField:
    return forms.FileField(label=label, required=False, widget=picture_input(), help_text=help_text)


class VenueForm(forms.ModelForm):
    kitchen_language = forms.ChoiceField(
        label=gettext_lazy("Language"),
        choices=lambda: [("", _("The venue's")), *((code, languages.NAMES[code]) for code in languages.FOR_STAFF)],
        required=False,
        help_text=gettext_lazy("Of the kitchen's displays and dockets."),
    )
    menu_languages = forms.MultipleChoiceField(
        label=gettext_lazy("Languages"),
        choices=lambda: [(code, name) for code, name in languages.NAMES.items() if code != languages.own()],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy(
            "In which the menu has its words besides the venue's. What has no words in one of them is shown as it is."
        ),
    )
    logo_file = _file(
        gettext_lazy("Choose a logo"),
        gettext_lazy("PNG, WebP, JPEG or AVIF, at most 10 MB. Best without a background, at least 500 pixels wide."),
    )
    logo_remove = forms.BooleanField(label=gettext_lazy("Remove the logo"), required=False)
    cover_file = _file(
        gettext_lazy("Choose a cover picture"),
        gettext_lazy(
            "JPEG, PNG, WebP or AVIF, at most 10 MB. Guests see a wide strip of it, sharp from 1,600 pixels in width."
        ),
    )
    cover_part = forms.ChoiceField(
        label=gettext_lazy("Part that guests see"),
        choices=_PARTS,
        required=False,
        help_text=gettext_lazy("Of a new picture that is taller than the strip."),
    )
    cover_remove = forms.BooleanField(label=gettext_lazy("Remove the cover picture"), required=False)

    class Meta:
        widgets = {"accent": AccentInput}
        help_texts = {
            "name": gettext_lazy("As guests read it: on the menu, in mails and on bills."),
            "accent": gettext_lazy("The colour of buttons and links, in shades that are easy to read."),
            "logo_has_name": gettext_lazy("The name is then not written beside the logo."),
        }
        labels = {"logo_has_name": gettext_lazy("The logo has our name in it")}

    logo: branding.LogoVersions | None = None
    cover: list[Version] | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("logo", "cover"):
            if getattr(self.instance, name):
                self.fields[f"{name}_file"].label = _("Choose another")
            else:
                self.fields[f"{name}_remove"].widget = forms.HiddenInput()
        self.fields["name"].widget.attrs["placeholder"] = settings.VENUE_NAME
        for name in ("day_ends_at", "lock_after"):  # empty: at midnight, after five minutes
            self.fields[name].required = False

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        cleaned["day_ends_at"] = cleaned.get("day_ends_at") or time.min
        cleaned["lock_after"] = cleaned.get("lock_after") or Venue.lock_after.field.default
        if file := cleaned.get("logo_file"):
            try:
                self.logo = branding.logo(file)
            except UnusablePicture as error:
                self.add_error("logo_file", str(error))
        if file := cleaned.get("cover_file"):
            try:
                self.cover = branding.cover(file, _PERCENT.get(cleaned.get("cover_part", ""), 50))
            except UnusablePicture as error:
                self.add_error("cover_file", str(error))
        return cleaned

    def save_pictures(self, venue: Venue) -> None:
        """Store pictures and remove those ticked. A new picture wins over a tick at "Remove"."""
        if self.logo or self.cleaned_data["logo_remove"]:
            branding.set_logo(venue, self.logo)
        if self.cover or self.cleaned_data["cover_remove"]:
            branding.set_cover(venue, self.cover or [])


def logo_preview(venue: Venue) -> str:
    """Return the logo on its background."""
    if not venue.logo:
        return _("none yet")
    return _image(f"venue-logo venue-logo-{venue.logo['ground'] or 'own'}", venue.logo, _("The logo"))


def cover_preview(venue: Venue) -> str:
    return _image("venue-cover", venue.cover[-1], _("The cover picture")) if venue.cover else _("none yet")


def _image(kind: str, stored: dict[str, Any], alt: str) -> str:
    address = reverse("venue_picture", args=[stored["digest"]])
    return format_html(
        '<img class="{}" src="{}" alt="{}" width="{}" height="{}">',
        kind, address, alt, stored["width"], stored["height"],
    )  # fmt: skip
