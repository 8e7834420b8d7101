"""Reading who makes the dishes."""

from django.db.models import CharField, Exists, OuterRef, Q, Value
from django.db.models.functions import Coalesce, NullIf

from restaurant.menu.models import OTHER, Category, Station


def category_name(column: str | OuterRef) -> Coalesce:
    """Return `MenuItem.category_name` for a query."""
    return Coalesce(NullIf(column, Value("")), Value(OTHER), output_field=CharField())


_MADE = Category.objects.filter(name=category_name(OuterRef("category")), station__isnull=False)
# Of dishes that no station makes, where there are stations.
WITHOUT_STATION = Q(~Exists(_MADE), Exists(Station.objects.all()), station=None)
