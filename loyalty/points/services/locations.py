"""Locations and their check-in codes."""

from loyalty.members.services import codes
from loyalty.points.models import Location
from qrservice import gateway


def make_qr_code(location: Location) -> gateway.NewCode:
    """Raises gateway.QRServiceError."""
    metadata = {"location_id": str(location.pk), "location_name": location.name, "type": "earn_points"}
    return codes.create(f"checkin/{location.pk}", metadata)


def create_code(*, location: Location) -> None:
    """Create the location's code if it has none, and reload `location`. Raises gateway.QRServiceError.

    When two processes do so at once, one code is stored and the other disabled.
    """
    if location.earn_qr_analytics_id:
        return
    code = make_qr_code(location)
    without_code = Location.objects.filter(pk=location.pk, earn_qr_analytics_id="")
    is_stored = without_code.update(
        earn_qr_analytics_id=code.analytics_id, qr_code_url=code.qr_code_url, short_url=code.short_url
    )
    if not is_stored:
        codes.disable(code)
    location.refresh_from_db()
