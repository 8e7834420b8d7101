"""The menu: categories and items."""

import uuid
from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from restaurant.menu.models.allergens import Declaration, Diet, declaration_field
from restaurant.menu.models.hours import EVERY_DAY, Window, weekdays_field
from restaurant.menu.models.options import OptionGroup
from restaurant.menu.models.pictures import Picture
from restaurant.menu.models.stations import Station
from restaurant.menu.models.words import Worded, words_field
from restaurant.rules import vat_rate_field
from web.money import MoneyField

OTHER = "Other"  # the category of items without one
LAST_COURSE = 9


def position_field() -> "models.PositiveIntegerField[Any, Any]":
    return models.PositiveIntegerField(
        _("position"), null=True, blank=True, help_text=_("Lower comes first. Empty: after those with one, by name.")
    )


class Category(Worded, models.Model):
    """A category of the menu. `MenuItem.category` has its name."""

    name = models.CharField(_("name"), max_length=100, unique=True)
    words = words_field()
    position = position_field()
    station = models.ForeignKey(
        Station,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="categories",
        verbose_name=_("station"),
        help_text=_("The part of the kitchen that makes it."),
    )
    vat_rate = vat_rate_field(_("Included in the price. Empty: the rate of the ordering rules."))
    late_after = models.PositiveSmallIntegerField(
        _("late after"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("Minutes until the kitchen is late with it. Empty: as everywhere."),
    )
    course = models.PositiveSmallIntegerField(
        _("course"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(LAST_COURSE)],
        help_text=_("1 comes first; the kitchen makes later ones when the floor says so. Empty: at once."),
    )
    opens = models.TimeField(_("from"), null=True, blank=True, help_text=_("For sale from this time on."))
    closes = models.TimeField(_("until"), null=True, blank=True, help_text=_("May be after midnight."))
    weekdays = weekdays_field()

    class Meta:
        verbose_name = _("category")
        verbose_name_plural = _("categories")
        ordering = [F("position").asc(nulls_last=True), "name"]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Rename the category of its items with it."""
        before = Category.objects.filter(pk=self.pk).values_list("name", flat=True).first() if self.pk else None
        super().save(*args, **kwargs)
        if before is not None and before != self.name:
            MenuItem.objects.filter(category=before).update(category=self.name)
            if before == OTHER:
                MenuItem.objects.filter(category="").update(category=self.name)

    @property
    def window(self) -> Window:
        return Window(self.opens, self.closes, frozenset(self.weekdays) or EVERY_DAY)


class MenuItem(Worded, models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(_("name"), max_length=255)
    description = models.TextField(_("description"), blank=True, default="")
    words = words_field()
    price = MoneyField(_("price"), max_digits=11, validators=[MinValueValidator(Decimal("0"))])
    cost = MoneyField(
        _("food cost"), max_digits=11, null=True, blank=True, validators=[MinValueValidator(Decimal("0"))]
    )
    category = models.CharField(_("category"), max_length=100, blank=True, default="")
    station = models.ForeignKey(
        Station,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("station"),
        help_text=_("Empty: that of its category."),
    )
    position = position_field()
    image_url = models.URLField(_("picture"), max_length=500, blank=True, default="")
    picture = models.OneToOneField(
        Picture, on_delete=models.SET_NULL, null=True, blank=True, editable=False, related_name="item"
    )
    available = models.BooleanField(_("available"), default=True)
    # Only while it is not available: from then on it is again, by itself.
    sold_out_until = models.DateTimeField(_("sold out until"), null=True, blank=True)
    portions = models.PositiveIntegerField(
        _("portions left"), null=True, blank=True, help_text=_("Orders take from it. Empty: unlimited.")
    )
    vat_rate = vat_rate_field(_("Included in the price. Empty: the rate of the category, or of the ordering rules."))
    allergens = declaration_field()
    diet = models.CharField(_("diet"), max_length=20, choices=Diet, blank=True, default="")
    option_groups = models.ManyToManyField(
        OptionGroup, through="ItemOptionGroup", related_name="items", verbose_name=_("options"), blank=True
    )
    goes_with = models.ManyToManyField("self", symmetrical=False, blank=True, verbose_name=_("goes well with"))
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("menu item")
        verbose_name_plural = _("menu items")
        ordering = ["category", F("position").asc(nulls_last=True), "name"]
        constraints = [models.CheckConstraint(condition=Q(price__gte=0), name="menu_price_is_not_negative")]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        super().save(*args, **kwargs)
        add_categories([self])

    # Of an item that a rule gives another price at a moment: see `Catalogue.at_price`. Such a one is never saved.
    regular_price: Decimal | None = None

    @property
    def price_before(self) -> Decimal | None:
        """The regular price where it is reduced."""
        return self.regular_price if self.regular_price and self.regular_price > self.price else None

    @property
    def category_name(self) -> str:
        return self.category or OTHER

    @property
    def declaration(self) -> Declaration:
        return Declaration.of(self.allergens)

    def is_available_at(self, now: datetime) -> bool:
        """Return whether it is for sale, whatever its category's hours and its options."""
        is_on_menu = self.available or (self.sold_out_until is not None and self.sold_out_until <= now)
        return is_on_menu and self.portions != 0

    @property
    def is_available_now(self) -> bool:
        return self.is_available_at(timezone.now())


WITHOUT_PICTURE = Q(picture=None, image_url="")


def sold_out_at(now: datetime) -> Q:
    """Return the condition of a query that is the opposite of `MenuItem.is_available_at`."""
    is_off_menu = Q(available=False) & (Q(sold_out_until=None) | Q(sold_out_until__gt=now))
    return is_off_menu | Q(portions=0)


def add_categories(items: Iterable[MenuItem]) -> None:
    """Add a row for each category of the items that has none. Bulk writes have to call it themselves."""
    names = {item.category_name for item in items}
    missing = names - set(Category.objects.filter(name__in=names).values_list("name", flat=True))
    Category.objects.bulk_create([Category(name=name) for name in sorted(missing)], ignore_conflicts=True)


class ItemOptionGroup(models.Model):
    """A group of options that an item has, at a position among the item's groups."""

    item = models.ForeignKey(MenuItem, on_delete=models.CASCADE, related_name="item_groups")
    group = models.ForeignKey(
        OptionGroup, on_delete=models.CASCADE, related_name="item_groups", verbose_name=_("group of options")
    )
    position = models.PositiveIntegerField(_("position"), default=0)

    class Meta:
        verbose_name = _("group of options")
        verbose_name_plural = _("options")
        ordering = ["position", "pk"]
        constraints = [models.UniqueConstraint(fields=["item", "group"], name="option_group_once_for_each_item")]

    def __str__(self) -> str:
        return str(self.group)


class MenuVersion(models.Model):
    """One row, whose number grows with every change of the menu. Cached menus have it in their keys."""

    number = models.PositiveBigIntegerField(default=1)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return str(self.number)
