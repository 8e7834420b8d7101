from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AdminIntegerFieldWidget, AdminTextareaWidget, AdminTextInputWidget
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from loyalty.exports import ExportAdmin
from loyalty.rewards.models import Reward
from loyalty.rules import MAX_POINTS
from web.admin import HistoryAdmin, RowForm, number_column, with_values

PERCENT, ITEM = "discount_percent", "item"  # the keys of a reward value


def _value_of(reward: Reward) -> dict[str, Any]:
    return reward.reward_value if isinstance(reward.reward_value, dict) else {}


class RewardForm(forms.ModelForm):
    """`reward_value` has two fields here, of which a reward needs one."""

    points_required = forms.IntegerField(
        label=gettext_lazy("Points required"), min_value=1, max_value=MAX_POINTS, widget=AdminIntegerFieldWidget
    )
    percentage = forms.IntegerField(
        label=gettext_lazy("Percentage off"),
        help_text=gettext_lazy("For a discount: a whole number from 1 to 100. Otherwise empty."),
        min_value=1,
        max_value=100,
        required=False,
        widget=AdminIntegerFieldWidget,
    )
    item = forms.CharField(
        label=gettext_lazy("What the guest gets"),
        help_text=gettext_lazy(
            "For a free item or an experience, such as: Cappuccino. Otherwise empty. "
            "What is called like a dish of the menu comes off the bill with the code."
        ),
        max_length=255,
        required=False,
        widget=AdminTextInputWidget,
    )

    class Meta:
        model = Reward
        fields = ["name", "description", "points_required", "reward_type", "available"]
        widgets = {"description": AdminTextareaWidget(attrs={"rows": 3})}
        help_texts = {"available": gettext_lazy("Only available rewards are listed and can be redeemed.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        value = _value_of(self.instance)
        self.initial.update({"percentage": value.get(PERCENT), "item": value.get(ITEM)})

    def clean(self) -> dict[str, Any] | None:
        values = super().clean() or {}
        kind = values.get("reward_type")
        if kind == Reward.Type.DISCOUNT:
            self._check_pair("percentage", "item", kind=Reward.Type.DISCOUNT)
        elif kind:
            self._check_pair("item", "percentage", kind=Reward.Type(kind))
        return values

    def _check_pair(self, wanted: str, other: str, *, kind: Reward.Type) -> None:
        names = {"type": kind.label, "wanted": self.fields[wanted].label, "other": self.fields[other].label}
        if wanted not in self.errors and not self.cleaned_data.get(wanted):
            self.add_error(wanted, _("A reward of the type “%(type)s” needs this.") % names)
        if self.cleaned_data.get(other):
            sentence = _("A reward of the type “%(type)s” only has “%(wanted)s”: please leave “%(other)s” empty.")
            self.add_error(other, sentence % names)

    def save(self, commit: bool = True) -> Any:
        if {"percentage", "item"} & set(self.changed_data):
            percentage = self.cleaned_data["percentage"]
            self.instance.reward_value = {PERCENT: percentage} if percentage else {ITEM: self.cleaned_data["item"]}
        return super().save(commit)


@admin.register(Reward)
class RewardAdmin(ExportAdmin, HistoryAdmin):
    form = RewardForm
    list_display = ["name", "value", "available", "price", "reward_type", "redeemed"]
    list_editable = ["available"]
    plain = {"price": "points_required"}
    price = number_column("points_required", gettext_lazy("points required"))
    list_filter = ["reward_type", "available"]
    search_fields = ["name__typed", "description__typed"]
    ordering = ["points_required", "name", "pk"]
    fieldsets = [
        (None, {"fields": ["name", "description", "points_required", "available"]}),
        (gettext_lazy("What it is worth"), {"fields": ["reward_type", "percentage", "item"]}),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Reward]:
        return super().get_queryset(request).annotate(times_redeemed=Count("redemptions"))

    def get_changelist_form(self, request: HttpRequest, **kwargs: Any) -> Any:
        return super().get_changelist_form(request, form=RowForm, **kwargs)

    def construct_change_message(self, request: HttpRequest, form: Any, formsets: Any, add: bool = False) -> Any:
        message = super().construct_change_message(request, form, formsets, add)
        shapes = {"points_required": _("points from %(was)s to %(now)s")}
        return message if add else with_values(message, form, shapes)

    @admin.display(description=gettext_lazy("value"))
    def value(self, reward: Reward) -> str | None:
        value = _value_of(reward)
        discount = _("%s%% off") % value[PERCENT] if value.get(PERCENT) else ""
        return ", ".join(filter(None, [discount, str(value.get(ITEM) or "")])) or None

    @admin.display(description=gettext_lazy("redeemed"), ordering="times_redeemed")
    def redeemed(self, reward: Any) -> int:
        return int(reward.times_redeemed)

    def has_history(self, row: Reward) -> bool:
        return row.redemptions.exists()

    def changed_fields(self, form: Any) -> list[str]:
        names = {"percentage": "reward_value", "item": "reward_value"}
        return list({names.get(name, name) for name in form.changed_data})
