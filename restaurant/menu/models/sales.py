"""What was sold on days that are over, summed up: what reports over many days add together."""

from django.db import models

from restaurant.menu.models.menu import MenuItem
from web.money import MoneyField


class SalesDay(models.Model):
    """A day of UTC whose orders `services.sales` has summed up. Delete it to have them counted again."""

    day = models.DateField(primary_key=True)
    # Orders that were changed since are in the sums as they were before.
    summed_at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.day}"


class SalesOfItem(models.Model):
    """What `queries.counted` counts of an item on a day."""

    day = models.ForeignKey(SalesDay, on_delete=models.CASCADE, related_name="items", db_index=False)
    menu_item = models.ForeignKey(MenuItem, on_delete=models.CASCADE, related_name="+", db_index=False)
    lines = models.PositiveIntegerField()
    portions = models.PositiveIntegerField()
    revenue = MoneyField(max_digits=15)

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["day", "menu_item"], name="sales_of_item_once_a_day")]

    def __str__(self) -> str:
        return f"{self.day_id} {self.menu_item_id}"


class SalesOfQuarter(models.Model):
    """The orders that were placed in a quarter of an hour of a day, and their totals."""

    day = models.ForeignKey(SalesDay, on_delete=models.CASCADE, related_name="quarters", db_index=False)
    quarter = models.DateTimeField()  # a time in it
    orders = models.PositiveIntegerField()
    revenue = MoneyField(max_digits=15)

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["day", "quarter"], name="sales_of_quarter_once_a_day")]

    def __str__(self) -> str:
        return f"{self.quarter}"
