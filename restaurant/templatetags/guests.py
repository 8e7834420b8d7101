"""A guest's table, for pages of other apps."""

from django import template
from django.db import Error
from django.template import Context

from restaurant.ordering.views import guests

register = template.Library()


@register.simple_tag(takes_context=True)
def table_of_guest(context: Context) -> int | None:
    """Return the number of the table to whose menu an error's page or a member's card leads back.

    None also where the database can't be read: an error's page must not end in another.
    """
    request = context.get("request")
    try:
        return guests.table_of(request) if request is not None else None
    except Error:
        return None
