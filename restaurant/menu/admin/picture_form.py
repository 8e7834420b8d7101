"""The part of an item's form that uploads and crops its picture."""

from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from restaurant.menu.models import MenuItem, Picture, picture_path
from restaurant.menu.services import pictures
from restaurant.menu.services.pictures import Crop
from web.admin import change_url, picture_input
from web.pictures import UnusablePicture, Version

SLIDERS = ("picture_zoom", "picture_x", "picture_y")


def fieldsets_of(item: MenuItem | None, *, may_change: bool) -> list[Any]:
    """Return the fieldset of the uploaded picture, and the one of a link, which is folded: few have one."""
    has_link = item is not None and bool(item.image_url)
    now = ["preview", "picture_remove"] if has_link or (item is not None and item.picture is not None) else []
    fields: list[Any] = [*now, "picture_file", SLIDERS, "picture_description"] if may_change else ["preview"]
    if not (may_change or has_link):
        return [(_("Picture"), {"fields": fields})]
    folded = [] if has_link else ["collapse"]
    return [
        (_("Picture"), {"fields": fields}),
        (_("Picture from another website"), {"fields": ["image_url"], "classes": folded}),
    ]


def _slider(label: Any, low: int, high: int, usual: int) -> forms.IntegerField:
    widget = forms.NumberInput(attrs={"type": "range", "class": "crop-slider", "min": low, "max": high})
    return forms.IntegerField(label=label, required=False, initial=usual, min_value=low, max_value=high, widget=widget)


def _crop(cleaned: dict[str, Any]) -> Crop:
    values = {name: cleaned.get(f"picture_{name}") for name in ("x", "y", "zoom")}
    return Crop(**{name: value for name, value in values.items() if value is not None})


class PictureForm(forms.ModelForm):
    picture_file = forms.FileField(
        label=gettext_lazy("Choose a picture"),
        required=False,
        widget=picture_input(),
        help_text=gettext_lazy("JPEG, PNG, WebP or AVIF, at most 10 MB; cut to 4 by 3."),
    )
    picture_zoom = _slider(gettext_lazy("Zoom"), 100, 400, 100)
    picture_x = _slider(gettext_lazy("Left to right"), 0, 100, 50)
    picture_y = _slider(gettext_lazy("Top to bottom"), 0, 100, 50)
    picture_description = forms.CharField(
        label=gettext_lazy("What it shows"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("Read out to guests who can't see it."),
        widget=forms.TextInput(attrs={"class": "vTextField"}),
    )
    picture_remove = forms.BooleanField(label=gettext_lazy("Remove this picture"), required=False)

    versions: list[Version] | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        picture = self.instance.picture
        self.fields["picture_description"].widget.attrs["placeholder"] = self.instance.name
        self.fields["picture_file"].widget.attrs |= {  # for admin_picture.js
            "data-label": _("The part that guests see: {x} % from the left, {y} % from the top, {zoom} % zoom."),
            "data-hint": _("This is what guests see. Drag the picture, or use the sliders."),
            "data-unreadable": _("This browser can't show the picture. It is checked when you save."),
        }
        if picture is None:
            self.fields["picture_remove"].widget = forms.HiddenInput()
        else:
            self.fields["picture_file"].label = _("Choose another")
            self.fields["picture_description"].initial = picture.description

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        file = cleaned.get("picture_file")
        if file:
            try:
                self.versions = pictures.versions(file, _crop(cleaned))
            except UnusablePicture as error:
                self.add_error("picture_file", str(error))
        return cleaned

    def save_picture(self, item: MenuItem) -> None:
        description = self.cleaned_data["picture_description"]
        if self.versions:
            pictures.attach(item, self.versions, description)
        elif self.cleaned_data["picture_remove"]:
            pictures.remove(item)
        elif "picture_description" in self.changed_data:
            pictures.describe(item, description)


def thumbnail(item: MenuItem) -> str:
    """Return a small picture for a list; without a picture, a frame that leads to where one is added."""
    address = item.image_url or (picture_path(item.picture.widths[0]["digest"]) if item.picture else "")
    if not address:
        label = _("Add a picture of %(name)s") % {"name": item.name}
        frame = '<a class="menu-thumbnail" href="{}#id_picture_file" aria-label="{}" title="{}"></a>'
        return format_html(frame, change_url(item), label, label)
    return format_html('<img class="menu-thumbnail" src="{}" alt="" width="56" height="42" loading="lazy">', address)


def preview(item: MenuItem) -> str:
    picture: Picture | None = item.picture
    if item.image_url:
        link = format_html('<img class="menu-picture" src="{}" alt="{}" loading="lazy">', item.image_url, item.name)
        note = _("From the link below, which wins over an uploaded picture.") if picture else ""
        return format_html("{}{}", link, note)
    if picture is None:
        return _("none yet")
    return format_html(
        '<img class="menu-picture" src="{}" alt="{}" width="{}" height="{}">',
        picture_path(picture.widths[-1]["digest"]),
        picture.description or item.name,
        picture.width,
        picture.height,
    )
