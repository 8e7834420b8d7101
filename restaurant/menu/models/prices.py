"""Prices by time."""

from decimal import Decimal

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from restaurant.menu.models.hours import EVERY_DAY, Window, weekdays_field
from restaurant.menu.models.menu import Category, MenuItem
from web.money import MoneyField, rounded


class PriceRule(models.Model):
    """Another price at some times, of an item or of all items of a category. That of an item goes before."""

    category = models.ForeignKey(
        Category, on_delete=models.CASCADE, null=True, blank=True, related_name="+", verbose_name=_("category")
    )
    item = models.ForeignKey(
        MenuItem, on_delete=models.CASCADE, null=True, blank=True, related_name="+", verbose_name=_("menu item")
    )
    weekdays = weekdays_field()
    opens = models.TimeField(_("from"), null=True, blank=True)
    closes = models.TimeField(_("until"), null=True, blank=True, help_text=_("May be after midnight."))
    percent = models.DecimalField(
        _("percent off"),
        max_digits=5,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal("0.01")), MaxValueValidator(Decimal(100))],
    )
    price = MoneyField(_("price"), null=True, blank=True, validators=[MinValueValidator(Decimal(0))])

    class Meta:
        verbose_name = _("price by time")
        verbose_name_plural = _("prices by time")
        ordering = ["category", "item", "opens"]
        constraints = [
            models.CheckConstraint(
                condition=Q(category=None, item__isnull=False) | Q(category__isnull=False, item=None),
                name="price_rule_of_one",
                violation_error_message=_("Please choose a category or a menu item, one of the two."),
            ),
            models.CheckConstraint(
                condition=Q(percent=None, price__gte=0) | Q(percent__gt=0, percent__lte=100, price=None),
                name="price_rule_percent_or_price",
                violation_error_message=_("Please give a percentage or a price, one of the two."),
            ),
        ]

    def __str__(self) -> str:
        return str(self.item or self.category)

    @property
    def window(self) -> Window:
        return Window(self.opens, self.closes, frozenset(self.weekdays) or EVERY_DAY)

    def price_of(self, regular: Decimal) -> Decimal:
        return rounded(regular * (100 - (self.percent or 0)) / 100) if self.price is None else self.price
