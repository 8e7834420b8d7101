"""A filter of the lists by member."""

from django.utils.translation import gettext_lazy

from loyalty.members.models import Member
from web.admin import LinkedFilter
from web.fields import is_uuid


class MemberFilter(LinkedFilter):
    title = gettext_lazy("member")
    parameter_name = "member"
    field = "customer"

    @staticmethod
    def find(member_id: str) -> Member | None:
        return Member.objects.filter(pk=member_id, erased_at=None).first() if is_uuid(member_id) else None
