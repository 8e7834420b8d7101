"""Locations and their check-in codes."""

from loyalty.members.services import codes
from loyalty.points.models import Location


def create_code(*, location: Location) -> None:
    """Create the location's code if it has none, and reload `location`. Raises gateway.QRServiceError.

    When two processes do so at once, one code is stored and the other disabled.
    """
    if location.earn_qr_analytics_id:
        return
    code = codes.create_for_location(location.pk, location.name)
    without_code = Location.objects.filter(pk=location.pk, earn_qr_analytics_id="")
    is_stored = without_code.update(
        earn_qr_analytics_id=code.analytics_id, qr_code_url=code.qr_code_url, short_url=code.short_url
    )
    if not is_stored:
        codes.disable(code)
    location.refresh_from_db()
