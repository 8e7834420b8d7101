"""Filters of the list of members."""

from datetime import timedelta

from django.contrib import admin
from django.contrib.admin.options import ModelAdmin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from loyalty.members.models import Member
from loyalty.reports import segments
from loyalty.reports.segments.page import SEGMENTS


class LastActiveFilter(admin.SimpleListFilter):
    """Filters by the last award: what members spend does not count as activity."""

    title = gettext_lazy("last earned")
    parameter_name = "active"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        return [
            ("30", _("in the last 30 days")),
            ("90", _("30 to 90 days ago")),
            ("180", _("90 to 180 days ago")),
            ("older", _("over 180 days ago")),
            ("never", _("never")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Member]) -> QuerySet[Member]:
        now = timezone.now()
        month, quarter, half = (now - timedelta(days=days) for days in (30, 90, 180))
        periods = {
            "30": Q(last_activity_at__gte=month),
            "90": Q(last_activity_at__gte=quarter, last_activity_at__lt=month),
            "180": Q(last_activity_at__gte=half, last_activity_at__lt=quarter),
            "older": Q(last_activity_at__lt=half),
            "never": Q(last_activity_at=None),
        }
        return queryset.filter(periods.get(self.value() or "", Q()))


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


class OffersFilter(admin.SimpleListFilter):
    title = gettext_lazy("offers by email")
    parameter_name = "offers"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        return [("yes", _("agreed")), ("no", _("not agreed"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Member]) -> QuerySet[Member]:
        if self.value() not in {"yes", "no"}:
            return queryset
        return queryset.filter(offers_agreed_at__isnull=self.value() == "no")
