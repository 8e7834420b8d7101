"""The order in which the menu lists categories, and items within their category."""

from typing import Any

from django.db.models import F
from django.db.models.functions import Collate

ORDER_OF_CATEGORIES: list[Any] = [F("position").asc(nulls_last=True), Collate("name", "C")]
ORDER_OF_ITEMS: list[Any] = [F("position").asc(nulls_last=True), "name", "pk"]  # of a category
