"""What `templates/web/_shell.html` shows, in any template that knows the user: the admin's, too."""

from django import template
from django.db import Error
from django.template import Context

from web import shell

register = template.Library()


@register.simple_tag(takes_context=True)
def shell_places(context: Context) -> list[shell.Place]:
    return [place for place in shell.places(context["user"]) if place.is_main]


@register.simple_tag(takes_context=True)
def signed_in(context: Context) -> bool:
    """For an error's page, which must not end in another: where the database fails, nobody is."""
    user = context.get("user")
    try:
        return user is not None and bool(user.is_authenticated)
    except Error:
        return False


@register.simple_tag(takes_context=True)
def shell_attention(context: Context) -> shell.Attention | None:
    """What the view has read already, or else now."""
    known: shell.Attention | None = context.get("attention")
    return known or shell.attention(context["user"])
