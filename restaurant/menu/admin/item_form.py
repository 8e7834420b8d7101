"""The form of an item of the menu."""

from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from restaurant.menu.admin.menu_filters import category_names
from restaurant.menu.admin.picture_form import PictureForm
from restaurant.menu.models import OTHER, Category, MenuItem
from restaurant.rules import OrderingRules
from web.templatetags.reports import shown


class ItemForm(PictureForm):
    new_category = forms.CharField(label=gettext_lazy("Or a new category"), required=False, max_length=100)

    class Meta:
        labels = {"vat_rate": gettext_lazy("VAT rate"), "image_url": gettext_lazy("Web address of the picture")}
        help_texts = {
            "cost": gettext_lazy("Of a portion, without VAT. For the menu's report: guests don't see it."),
            "goes_with": gettext_lazy("Up to three dishes that guests are offered with it, such as a wine or a side."),
            "available": gettext_lazy("Guests see only what is available."),
            "sold_out_until": gettext_lazy(
                "Then it is for sale again by itself; without a time, once somebody makes it available."
            ),
            "portions": gettext_lazy("Each order takes from them."),
            "image_url": gettext_lazy("Used instead of an uploaded one, and loaded from that site."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "vat_rate" in self.fields:
            self.fields["vat_rate"].help_text = _vat_in_words(self.instance, _usual_rate(self.instance))
        if "category" in self.fields:
            names = [(name, name) for name in category_names() if name != OTHER]
            self.fields["category"].widget.choices = [("", _("Other")), *names]
        if "goes_with" in self.fields:
            others = MenuItem.objects.exclude(pk=self.instance.pk)
            self.fields["goes_with"].queryset = others.order_by("name")  # type: ignore[attr-defined]

    def clean_category(self) -> str:
        name: str = self.cleaned_data["category"]
        if name not in {"", OTHER, self.instance.category, *category_names()}:
            raise ValidationError(_("Please choose one that there is, or write a new one beside it."))
        return name

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        cleaned["category"] = cleaned.get("new_category") or cleaned.get("category", "")
        if cleaned.get("available") and cleaned.get("sold_out_until"):
            cleaned["sold_out_until"] = None
        until = cleaned.get("sold_out_until")
        if "sold_out_until" in self.changed_data and until and until <= timezone.now():
            self.add_error("sold_out_until", _("This time is over. Please choose a later one, or none."))
        return cleaned


def _usual_rate(item: MenuItem) -> Decimal | None:
    """Return the rate of an item without one of its own; None also for a new one, whose category is not known."""
    if item._state.adding:
        return None
    rates = Category.objects.filter(name=item.category_name).values_list("vat_rate", flat=True)
    return OrderingRules.current().rate_of(*rates)


def _vat_in_words(item: MenuItem, usual: Decimal | None) -> str:
    if item._state.adding:
        return _("Included in the price; that of its category unless you write another.")
    if usual is None:
        return _("Included in the price.")
    return _("Included in the price; %(rate)s unless you write another.") % {
        "rate": shown(usual.normalize(), "percent")
    }
