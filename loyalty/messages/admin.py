from django.contrib import admin
from django.utils.translation import gettext_lazy

from loyalty.exports import ExportAdmin
from loyalty.messages.models import Notification
from web.admin import ReadOnlyAdmin


@admin.register(Notification)
class NotificationAdmin(ExportAdmin, ReadOnlyAdmin):
    list_display = ["title", "customer", "created_at", "sent_at", "attempts"]
    list_filter = [("sent_at", admin.EmptyFieldListFilter)]
    list_select_related = ["customer"]
    ordering = ["-created_at", "-pk"]
    search_fields = ["customer__name__typed", "customer__email__typed", "title__typed"]
    search_help_text = gettext_lazy("Name or email of the member, or title")
    fields = ["title", "message", "customer", "created_at", "sent_at", "attempts"]
