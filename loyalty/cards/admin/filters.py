"""A filter of the list of members."""

from django.contrib import admin
from django.contrib.admin.options import ModelAdmin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy

from loyalty.members.models import Member
from loyalty.reports import segments
from loyalty.reports.segments.page import SEGMENTS


class SegmentFilter(admin.SimpleListFilter):
    """The report "Segments" leads here, to the members and their CSV."""

    title = gettext_lazy("segment")
    parameter_name = "segment"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        return [(name, str(segment.label)) for name, segment in SEGMENTS.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Member]) -> QuerySet[Member]:
        name = self.value()
        if name not in SEGMENTS:
            return queryset
        return queryset.filter(pk__in=segments.members(name, now=timezone.now()).values("pk"))
