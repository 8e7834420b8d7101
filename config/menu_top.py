"""What a guest sees first of the menu, for the small picture of it on the venue's form."""

from django.db.models import F, OuterRef, Subquery

from restaurant.models import Category, MenuItem


def first_dish() -> MenuItem | None:
    """The first of the first category that has any, in the menu's order; None while there are no dishes."""
    position = Category.objects.filter(name=OuterRef("category")).values("position")[:1]
    dishes = MenuItem.objects.annotate(category_position=Subquery(position))
    in_order = (F("category_position").asc(nulls_last=True), "category", F("position").asc(nulls_last=True), "name")
    return dishes.order_by(*in_order).first()
