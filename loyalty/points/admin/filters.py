"""A filter of the lists by member."""

from django.utils.translation import gettext_lazy

from loyalty.errors import MemberUnknown
from loyalty.members.models import Member
from loyalty.members.queries import member_by_id
from web.admin import LinkedFilter


def _member(member_id: str) -> Member | None:
    try:
        return member_by_id(member_id)
    except MemberUnknown:
        return None


class MemberFilter(LinkedFilter):
    title = gettext_lazy("member")
    parameter_name = "member"
    field = "customer"
    find = staticmethod(_member)
