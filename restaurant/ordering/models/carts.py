"""Carts."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone

from restaurant.menu.models import MenuItem
from restaurant.ordering.models.sessions import TableSession


class CartLine(models.Model):
    """An item with its options that one phone at a table has chosen and not ordered yet."""

    session = models.ForeignKey(TableSession, on_delete=models.CASCADE, related_name="cart_lines")
    guest = models.CharField(max_length=64)  # the phone's sessionId cookie
    menu_item = models.ForeignKey(MenuItem, on_delete=models.CASCADE)
    # The ids of the chosen options, sorted.
    options = ArrayField(models.UUIDField(), default=list, db_default=[], blank=True)
    quantity = models.PositiveSmallIntegerField(default=1)
    special_instructions = models.CharField(max_length=500, blank=True, default="")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["session", "guest", "menu_item", "options"], name="cart_line_once_per_choice"
            ),
            models.CheckConstraint(condition=Q(quantity__gte=1, quantity__lte=99), name="cart_quantity_in_bounds"),
        ]

    def __str__(self) -> str:
        return f"{self.quantity} x {self.menu_item_id}"
