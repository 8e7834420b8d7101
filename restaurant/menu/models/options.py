"""What a guest chooses with an item: how a steak is done, or two sides."""

import uuid
from decimal import Decimal

from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from restaurant.menu.models.allergens import declaration_field
from restaurant.menu.models.words import Worded, words_field
from web.money import MoneyField


class OptionGroup(Worded, models.Model):
    """A group of choices, of which a guest takes from `min_choices` to `max_choices`. Items may share it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(
        _("name"), max_length=100, help_text=_("What guests read, such as “How would you like it?”")
    )
    words = words_field()
    min_choices = models.PositiveSmallIntegerField(_("at least"), default=0)
    max_choices = models.PositiveSmallIntegerField(_("at most"), default=1, validators=[MinValueValidator(1)])

    class Meta:
        verbose_name = _("option group")
        verbose_name_plural = _("option groups")
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(
                condition=Q(max_choices__gte=1) & Q(max_choices__gte=F("min_choices")), name="option_group_bounds"
            )
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        if self.min_choices is not None and self.max_choices is not None and self.min_choices > self.max_choices:
            raise ValidationError({"max_choices": _("At most can't be less than at least.")})


class Option(Worded, models.Model):
    """A choice of a group, and what it adds to the price."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    group = models.ForeignKey(OptionGroup, on_delete=models.CASCADE, related_name="choices", verbose_name=_("group"))
    name = models.CharField(_("name"), max_length=100)
    words = words_field()
    price = MoneyField(
        _("extra price"), max_digits=9, default=Decimal("0"), validators=[MinValueValidator(Decimal("0"))]
    )
    available = models.BooleanField(_("available"), default=True)
    position = models.PositiveIntegerField(_("position"), default=0)
    allergens = declaration_field()

    class Meta:
        verbose_name = _("option")
        verbose_name_plural = _("options")
        ordering = ["position", "name"]
        constraints = [
            models.CheckConstraint(condition=Q(price__gte=0), name="option_price_is_not_negative"),
            models.UniqueConstraint(fields=["group", "name"], name="option_once_in_its_group"),
        ]

    def __str__(self) -> str:
        return self.name
