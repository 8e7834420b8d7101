"""Tags of `templates/web/_shell.html`, for every template that knows the user, the admin's included."""

from django import template
from django.db import Error
from django.template import Context

from web import shell

register = template.Library()


@register.simple_tag(takes_context=True)
def shell_nav_items(context: Context) -> list[shell.NavItem]:
    return [item for item in shell.nav_items(context["user"]) if item.is_main]


@register.simple_tag(takes_context=True)
def signed_in(context: Context) -> bool:
    """Return whether the user is signed in; False without the database, because the page of an error must not fail."""
    user = context.get("user")
    try:
        return user is not None and bool(user.is_authenticated)
    except Error:
        return False


@register.simple_tag(takes_context=True)
def shell_attention(context: Context) -> shell.Attention | None:
    """Return the attention that the view has read, or read it now."""
    known: shell.Attention | None = context.get("attention")
    return known or shell.attention(context["user"])
