"""A filter of the lists by member."""

from django.utils.translation import gettext_lazy

from loyalty import queries
from loyalty.errors import MemberUnknown
from loyalty.models import Member
from web.admin import LinkedFilter


def _member(member_id: str) -> Member | None:
    try:
        return queries.member(member_id)
    except MemberUnknown:
        return None


class MemberFilter(LinkedFilter):
    title = gettext_lazy("member")
    parameter_name = "member"
    field = "customer"
    find = staticmethod(_member)
