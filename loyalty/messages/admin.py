from typing import Any

from django.contrib import admin
from django.contrib.admin.options import ModelAdmin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from loyalty.exports import ExportAdmin
from loyalty.messages.models import Notification
from web.admin import ReadOnlyAdmin, change_link, moment_column
from web.templatetags.moments import recent


class SentFilter(admin.SimpleListFilter):
    title = gettext_lazy("mail")
    parameter_name = "sent"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        return [("yes", _("sent")), ("no", _("not sent yet"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Notification]) -> QuerySet[Notification]:
        return queryset.filter(sent_at__isnull=self.value() == "no") if self.value() in {"yes", "no"} else queryset


@admin.register(Notification)
class NotificationAdmin(ExportAdmin, ReadOnlyAdmin):
    list_display = ["title", "member", "created", "sent", "attempts"]
    plain = {"member": "customer", "created": "created_at", "sent": "sent_in_file"}
    list_filter = [SentFilter]
    list_select_related = ["customer"]
    ordering = ["-created_at", "-pk"]
    search_fields = ["customer__name", "customer__email", "title"]
    search_help_text = gettext_lazy("Name or email of the member, or title")
    fields = ["title", "message", "member", "created", "sent", "attempts"]
    readonly_fields = ["member", "created", "sent"]
    created = moment_column("created_at", gettext_lazy("created"))

    @admin.display(description=gettext_lazy("member"), ordering="customer__name")
    def member(self, notification: Notification) -> str:
        return change_link(notification.customer)

    @admin.display(description=gettext_lazy("sent"), ordering="sent_at")
    def sent(self, notification: Notification) -> Any:
        return recent(notification.sent_at) if notification.sent_at else _("not yet")

    def sent_in_file(self, notification: Notification) -> Any:
        return notification.sent_at or _("not yet")
