"""The form with which points are given or taken (decision 4.11)."""

import hashlib
import json
import uuid

from django import forms
from django.contrib.admin.widgets import AdminIntegerFieldWidget, AdminRadioSelect, AdminTextareaWidget
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from loyalty.errors import NotEnoughPoints, TooManyPoints
from loyalty.models import Member, PointTransaction
from loyalty.services import points
from loyalty.services.points import MAX_POINTS
from web.idempotency import Key, KeyReused


def new_key() -> str:
    """For one form on one page: sent twice, it counts once."""
    return uuid.uuid4().hex


class PointsForm(forms.Form):
    class Direction(models.TextChoices):
        GIVE = "give", gettext_lazy("Give")
        TAKE = "take", gettext_lazy("Take")

    direction = forms.ChoiceField(
        label=gettext_lazy("What to do"),
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
        help_text=gettext_lazy("The member reads it in the activity on their card."),
        max_length=500,
        widget=AdminTextareaWidget(attrs={"rows": 3}),
    )
    key = forms.CharField(max_length=100, required=False, widget=forms.HiddenInput)

    def clean_key(self) -> str:
        return self.cleaned_data["key"] or new_key()

    def carry_out(self, *, member: Member, staff_id: str) -> tuple[PointTransaction, bool] | None:
        """The ledger's new row, and whether it is new; None, with the form saying why, if it was refused.

        Raises MemberUnknown.
        """
        values = self.cleaned_data
        number = values["points"] if values["direction"] == self.Direction.GIVE else -values["points"]
        asked = hashlib.sha256(json.dumps([number, values["reason"]]).encode()).hexdigest()
        key = Key(values["key"], asked)
        try:
            return points.adjust(member=member, points=number, reason=values["reason"], staff_id=staff_id, key=key)
        except NotEnoughPoints as error:
            has = values["points"] - error.extra["pointsNeeded"]
            sentence = _("%(name)s has %(points)d points: more can't be taken.")
            self.add_error("points", sentence % {"name": member.name, "points": has})
        except TooManyPoints as error:
            self.add_error("points", str(error.detail))
        except KeyReused:
            self._renew_key()
            sentence = _("This form was sent before, with other values, and they counted. Send it again to add these.")
            self.add_error(None, sentence)
        return None

    def _renew_key(self) -> None:
        self.data = {name: self.data[name] for name in self.data} | {"key": new_key()}
