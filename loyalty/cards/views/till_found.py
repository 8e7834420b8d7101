"""Guests that the till found, as its list shows them."""

import re
from typing import NamedTuple

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from loyalty.members.models import Member
from web.templatetags.lookup import marked_where


class Row(NamedTuple):
    """What matches is marked. Of an email and a phone there is no more than tells two guests apart, unless it alone
    is what was found."""

    member: Member
    name: SafeString
    email: SafeString
    phone: SafeString | str


def rows(members: list[Member], text: str) -> list[Row]:
    return [Row(each, _name(each.name, text), _email(each, text), _phone(each.phone, text)) for each in members]


def begins(name: str, text: str) -> bool:
    """Whether a word of the name begins with what was typed. As `queries.members_named` asks the database."""
    return re.search(_beginning(text), name, re.IGNORECASE) is not None


def _beginning(text: str) -> str:
    return rf"(?<!\w){re.escape(text)}"


def _name(name: str, text: str) -> SafeString:
    return marked_where(name, _beginning(text) if begins(name, text) else re.escape(text))


def _email(member: Member, text: str) -> SafeString:
    typed = text.casefold()
    if typed in member.email.casefold() and typed not in member.name.casefold():
        return marked_where(member.email, re.escape(text))
    return format_html("{}", member.masked_email)


def _phone(phone: str, text: str) -> SafeString | str:
    if not phone or text in phone:
        return marked_where(phone, re.escape(text))
    return format_html('<span class="found-word">{}</span> …{}', _("Phone"), phone[-4:])
