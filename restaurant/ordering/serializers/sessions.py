"""Table sessions."""

from django.utils.translation import gettext_lazy, ngettext
from rest_framework import serializers

from restaurant.ordering.models import TableSession
from web.fields import Identifier, Money

_NOT_A_SESSION_ID = gettext_lazy("This is not the id of a table session.")


class SessionIdentifier(Identifier):
    default_error_messages = {"invalid": _NOT_A_SESSION_ID, "not_an_id": _NOT_A_SESSION_ID}


class CloseBody(serializers.Serializer):
    sessionId = SessionIdentifier()


class SessionSummary(serializers.Serializer):
    id = serializers.UUIDField()
    startedAt = serializers.DateTimeField(source="started_at")


class SessionMetrics(serializers.Serializer):
    sessionId = serializers.UUIDField(source="id")
    tableNumber = serializers.IntegerField(source="table.table_number")
    duration = serializers.SerializerMethodField()
    totalScans = serializers.IntegerField(source="total_scans")
    totalOrders = serializers.IntegerField(source="total_orders")
    totalRevenue = Money(source="total_revenue")

    def get_duration(self, session: TableSession) -> str:
        return ngettext("%(minutes)s minute", "%(minutes)s minutes", session.minutes) % {"minutes": session.minutes}


# Of a session that `TableSessionQuerySet.with_open_orders` has annotated.
class SessionState(SessionMetrics):
    section = serializers.CharField(source="table.section", allow_blank=True)
    startedAt = serializers.DateTimeField(source="started_at")
    endedAt = serializers.DateTimeField(source="ended_at", allow_null=True)
    openOrders = serializers.IntegerField(source="open_orders")
