"""The form that adds or removes points. See "Giving and taking points" in docs/behaviour.md."""

from django import forms
from django.contrib.admin.widgets import AdminIntegerFieldWidget, AdminRadioSelect, AdminTextareaWidget
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from loyalty.errors import NotEnoughPoints, TooManyPoints
from loyalty.models import Member, PointTransaction
from loyalty.rules import MAX_POINTS
from loyalty.services import points
from web.idempotency import Key, KeyReused, digest_of, new_key


class TakeBackForm(forms.Form):
    note = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("The member sees it on their card."),
        max_length=500,
        required=False,
        widget=AdminTextareaWidget(attrs={"rows": 3}),
    )


class PointsForm(forms.Form):
    class Direction(models.TextChoices):
        GIVE = "give", gettext_lazy("Add")
        TAKE = "take", gettext_lazy("Remove")

    direction = forms.ChoiceField(
        label=gettext_lazy("Change"),
        choices=Direction.choices,
        initial=Direction.GIVE,
        widget=AdminRadioSelect(attrs={"class": "radiolist inline"}),
    )
    points = forms.IntegerField(
        label=gettext_lazy("Points"),
        min_value=1,
        max_value=MAX_POINTS,
        widget=AdminIntegerFieldWidget(attrs={"autocomplete": "off"}),
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("The member sees it on their card."),
        max_length=500,
        widget=AdminTextareaWidget(attrs={"rows": 3}),
    )
    key = forms.CharField(max_length=100, required=False, widget=forms.HiddenInput)

    def clean_key(self) -> str:
        return self.cleaned_data["key"] or new_key()

    def apply(self, *, member: Member, staff_id: str) -> tuple[PointTransaction, bool] | None:
        """The transaction, and whether it is new. None, with an error on the form, if it was refused.

        Raises MemberUnknown.
        """
        values = self.cleaned_data
        number = values["points"] if values["direction"] == self.Direction.GIVE else -values["points"]
        key = Key(values["key"], digest_of(number, values["reason"]))
        try:
            return points.adjust(member=member, points=number, reason=values["reason"], staff_id=staff_id, key=key)
        except NotEnoughPoints as error:
            balance = values["points"] - error.extra["pointsNeeded"]
            sentence = _("%(name)s has only %(points)d points.")
            self.add_error("points", sentence % {"name": member.name, "points": balance})
        except TooManyPoints as error:
            self.add_error("points", str(error.detail))
        except KeyReused:
            self._renew_key()
            sentence = _("This form was already sent with other values, which were saved. Send it again to add these.")
            self.add_error(None, sentence)
        return None

    def _renew_key(self) -> None:
        self.data = {name: self.data[name] for name in self.data} | {"key": new_key()}
