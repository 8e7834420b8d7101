"""Locations and their check-in codes."""

from loyalty.models import Location
from loyalty.services import codes


def give_code(*, location: Location) -> None:
    """Make the location's code if it has none yet (document 2, decision 4.3). Raises gateway.QRServiceError.

    Two at once: the first one's stays, `location` has it afterwards, and the other is switched off.
    """
    if location.earn_qr_analytics_id:
        return
    code = codes.of_location(location)
    without = Location.objects.filter(pk=location.pk, earn_qr_analytics_id="")
    made = without.update(
        earn_qr_analytics_id=code.analytics_id, qr_code_url=code.qr_code_url, short_url=code.short_url
    )
    if not made:
        codes.drop(code)
    location.refresh_from_db()
