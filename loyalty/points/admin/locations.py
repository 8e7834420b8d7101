from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.widgets import AdminTextareaWidget
from django.db.models import TextField
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from loyalty.exports import ExportAdmin
from loyalty.points.models import Location, PointTransaction
from loyalty.points.services import locations
from loyalty.rewards.models import Confirmation
from qrservice import gateway
from web.admin import HistoryAdmin, code_panel


@admin.register(Location)
class LocationAdmin(ExportAdmin, HistoryAdmin):
    """A new location gets its check-in code when it is saved."""

    list_display = ["name", "address", "has_code"]
    search_fields = ["name__typed", "address__typed"]
    search_help_text = gettext_lazy("Name or address")
    readonly_fields = ["code"]
    formfield_overrides = {TextField: {"widget": AdminTextareaWidget(attrs={"rows": 3})}}

    @admin.display(boolean=True, description=gettext_lazy("has a code"))
    def has_code(self, location: Location) -> bool:
        return bool(location.earn_qr_analytics_id)

    def has_history(self, row: Location) -> bool:
        history = PointTransaction.objects.filter(location=row), Confirmation.objects.filter(location=row)
        return any(rows.exists() for rows in history)

    def get_fields(self, request: HttpRequest, obj: Location | None = None) -> Any:
        return ["name", "address", "code"] if obj else ["name", "address"]

    @admin.display(description=gettext_lazy("check-in code"))
    def code(self, location: Location) -> str:
        """Return the code, where it leads, and links to print it."""
        if not location.earn_qr_analytics_id:
            return _("This location has no check-in code yet. Save it again to create one.")
        check_in = settings.APP_BASE_URL + reverse("checkin", args=[location.pk])
        cards = reverse("location_cards", args=[location.pk])
        links = [(check_in, check_in), (location.short_url, location.short_url), (_("Poster, tents or cards"), cards)]
        return code_panel(location.image_url(size=512), location.image_url(size=2048), name=location.name, links=links)

    def changeform_view(self, request: HttpRequest, object_id: str | None = None, *args: Any, **kwargs: Any) -> Any:
        response = super().changeform_view(request, object_id, *args, **kwargs)
        # After the admin's own transaction: the code service is never called inside one.
        saved = getattr(request, "saved_location", None)
        if saved is not None:
            self._create_code(request, saved)
        return response

    def save_model(self, request: HttpRequest, obj: Location, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        request.saved_location = obj  # type: ignore[attr-defined]

    def _create_code(self, request: HttpRequest, location: Location) -> None:
        try:
            locations.create_code(location=location)
        except gateway.QRServiceError:
            sentence = _("Saved without a check-in code, because the QR code service failed. Save it again to retry.")
            messages.warning(request, sentence)
