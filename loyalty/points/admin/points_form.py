"""The forms that add, remove or take back points. See "Giving and taking points" in docs/behaviour/loyalty.md."""

from typing import Any

from django import forms
from django.contrib.admin.widgets import AdminIntegerFieldWidget, AdminRadioSelect, AdminTextareaWidget
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from loyalty.errors import NotEnoughPoints, TooManyPoints
from loyalty.members.models import Member
from loyalty.points.models import PointTransaction
from loyalty.points.services import points
from loyalty.rules import MAX_POINTS
from web.idempotency import Key, KeyReused, digest_of, new_key

MOST_FOR_ALL = 10_000  # points that several members get at once


def _points_field(label: Any, *, most: int) -> forms.IntegerField:
    widget = AdminIntegerFieldWidget(attrs={"autocomplete": "off"})
    return forms.IntegerField(label=label, min_value=1, max_value=most, widget=widget)


def _reason_field(label: Any, help_text: Any, *, required: bool = True) -> forms.CharField:
    widget = AdminTextareaWidget(attrs={"rows": 3})
    return forms.CharField(label=label, help_text=help_text, max_length=500, required=required, widget=widget)


class TakeBackForm(forms.Form):
    note = _reason_field(gettext_lazy("Reason"), gettext_lazy("The member sees it on their card."), required=False)


class KeyedForm(forms.Form):
    """A form that counts once, however often it is sent."""

    key = forms.CharField(max_length=100, required=False, widget=forms.HiddenInput)

    def clean_key(self) -> str:
        return self.cleaned_data["key"] or new_key()

    def warn_of_reuse(self) -> None:
        """Give the form a new key, so that it counts if it is sent again."""
        self.data = {name: self.data[name] for name in self.data} | {"key": new_key()}
        sentence = _("This form was already sent with other values, which were saved. Send it again to add these.")
        self.add_error(None, sentence)

    def key_for(self, number: int) -> Key:
        return Key(self.cleaned_data["key"], digest_of(number, self.cleaned_data["reason"]))

    def adjust(self, member: Member, number: int, *, staff_id: str) -> tuple[PointTransaction, bool]:
        """Return the transaction, and whether it is new. Raises what `points.adjust` raises."""
        reason = self.cleaned_data["reason"]
        return points.adjust(member=member, points=number, reason=reason, staff_id=staff_id, key=self.key_for(number))


class PointsForm(KeyedForm):
    class Direction(models.TextChoices):
        GIVE = "give", gettext_lazy("Add")
        TAKE = "take", gettext_lazy("Remove")

    direction = forms.ChoiceField(
        label=pgettext_lazy("of points", "Change"),
        choices=Direction.choices,
        initial=Direction.GIVE,
        widget=AdminRadioSelect(attrs={"class": "radiolist inline"}),
    )
    points = _points_field(gettext_lazy("Points"), most=MAX_POINTS)
    reason = _reason_field(gettext_lazy("Reason"), gettext_lazy("The member sees it on their card."))

    def apply(self, *, member: Member, staff_id: str) -> tuple[PointTransaction, bool] | None:
        """Return the transaction, and whether it is new. None, with an error on the form, if it was refused.

        Raises MemberUnknown.
        """
        number = self.cleaned_data["points"]
        is_gift = self.cleaned_data["direction"] == self.Direction.GIVE
        try:
            return self.adjust(member, number if is_gift else -number, staff_id=staff_id)
        except NotEnoughPoints as error:
            balance = number - error.extra["pointsNeeded"]
            sentence = ngettext("%(name)s has only %(points)d point.", "%(name)s has only %(points)d points.", balance)
            self.add_error("points", sentence % {"name": member.name, "points": balance})
        except TooManyPoints as error:
            self.add_error("points", str(error.detail))
        except KeyReused:
            self.warn_of_reuse()
        return None


class PointsForAllForm(KeyedForm):
    """The same number of points for each of several members."""

    points = _points_field(gettext_lazy("Points for each"), most=MOST_FOR_ALL)
    reason = _reason_field(gettext_lazy("Note"), gettext_lazy("Each of them sees it on their card."))

    def check_key(self, members: list[Member]) -> None:
        """Raises KeyReused if one of them got other points by this form."""
        key = self.key_for(self.cleaned_data["points"])
        given = PointTransaction.objects.filter(customer__in=members, idempotency_key=key.text)
        if given.exclude(request_digest=key.digest).exists():
            raise KeyReused
