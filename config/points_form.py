"""The admin's form of the programme, with the venue's setting for points."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from config.models import Venue
from loyalty.models import Location, Programme


class PointsAndTiersForm(forms.ModelForm):
    location = forms.ModelChoiceField(
        Location.objects.order_by("name"),
        label=gettext_lazy("Location for points"),
        required=False,
        help_text=gettext_lazy("Orders at the tables earn points here. Without one they earn none."),
    )

    class Meta:
        model = Programme
        fields: tuple[str, ...] = ()  # the admin names them

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial.setdefault("location", Venue.objects.values_list("location", flat=True).first())
