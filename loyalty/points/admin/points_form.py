"""The form that adds or removes points. See "Giving and taking points" in docs/behaviour/loyalty.md."""

from django import forms
from django.contrib.admin.widgets import AdminIntegerFieldWidget, AdminRadioSelect, AdminTextareaWidget
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from loyalty.errors import NotEnoughPoints, TooManyPoints
from loyalty.members.models import Member
from loyalty.points.models import PointTransaction
from loyalty.points.services import points
from loyalty.rules import MAX_POINTS
from web.idempotency import Key, KeyReused, digest_of, new_key

MOST_FOR_ALL = 10_000  # points that several members get at once


class TakeBackForm(forms.Form):
    note = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("The member sees it on their card."),
        max_length=500,
        required=False,
        widget=AdminTextareaWidget(attrs={"rows": 3}),
    )


class KeyedForm(forms.Form):
    """A form that counts once, however often it is sent."""

    key = forms.CharField(max_length=100, required=False, widget=forms.HiddenInput)

    def clean_key(self) -> str:
        return self.cleaned_data["key"] or new_key()

    def warn_of_reuse(self) -> None:
        """Gives the form a new key, so that it counts if it is sent again."""
        self.data = {name: self.data[name] for name in self.data} | {"key": new_key()}
        sentence = _("This form was already sent with other values, which were saved. Send it again to add these.")
        self.add_error(None, sentence)


class PointsForm(KeyedForm):
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
            self.warn_of_reuse()
        return None


class PointsForAllForm(KeyedForm):
    """The same number for each of several members."""

    points = forms.IntegerField(
        label=gettext_lazy("Points for each"),
        min_value=1,
        max_value=MOST_FOR_ALL,
        widget=AdminIntegerFieldWidget(attrs={"autocomplete": "off"}),
    )
    reason = forms.CharField(
        label=gettext_lazy("Note"),
        help_text=gettext_lazy("Each of them sees it on their card."),
        max_length=500,
        widget=AdminTextareaWidget(attrs={"rows": 3}),
    )

    @property
    def _key(self) -> Key:
        return Key(self.cleaned_data["key"], digest_of(self.cleaned_data["points"], self.cleaned_data["reason"]))

    def check_key(self, members: list[Member]) -> None:
        """Raises KeyReused if one of them got other points by this form."""
        given = PointTransaction.objects.filter(customer__in=members, idempotency_key=self._key.text)
        if given.exclude(request_digest=self._key.digest).exists():
            raise KeyReused

    def give(self, *, member: Member, staff_id: str) -> tuple[PointTransaction, bool]:
        """The transaction, and whether it is new. Raises MemberUnknown, TooManyPoints, KeyReused."""
        number, reason = self.cleaned_data["points"], self.cleaned_data["reason"]
        return points.adjust(member=member, points=number, reason=reason, staff_id=staff_id, key=self._key)
