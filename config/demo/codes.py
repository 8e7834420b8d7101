"""QR codes of the demonstration's tables, locations, members and redemptions, and their scans."""

from collections.abc import Iterator

from config.demo.history import History
from loyalty.models import Location, Member, Redemption
from loyalty.points.services import enrolment, locations
from loyalty.rewards.services import redemptions
from qrservice import gateway
from qrservice.models import Code, Scan
from restaurant.models import Table
from restaurant.tables.services import tables

Owner = Table | Location | Member | Redemption


def owners(history: History) -> list[Owner]:
    return [*history[Table], *history[Location], *history[Member], *history[Redemption]]


def make(history: History) -> Iterator[Owner]:
    """Create the codes one by one and set them on their owners. Must not be called inside a transaction.

    Raises gateway.QRServiceError.
    """
    for owner in owners(history):
        code = _new_code(owner)
        history.codes[owner.pk] = code.analytics_id
        owner.qr_code_url, owner.short_url = code.qr_code_url, code.short_url
        if isinstance(owner, Location):
            owner.earn_qr_analytics_id = code.analytics_id
        else:
            owner.qr_analytics_id = code.analytics_id
        yield owner


def _new_code(owner: Owner) -> gateway.NewCode:
    match owner:
        case Table():
            return tables.new_code(owner)
        case Location():
            return locations.make_qr_code(owner)
        case Member():
            return enrolment.make_qr_code(owner)
        case Redemption():
            return redemptions.make_qr_code(owner)


def delete(history: History) -> None:
    """Delete the codes of an interrupted load. A hosted service keeps its own, which does no harm."""
    Code.objects.filter(analytics_id__in=history.codes.values()).delete()


def scans(history: History) -> list[Scan]:
    """Backdate the codes, and return the scans as rows, oldest first; none with a hosted service."""
    codes = Code.objects.in_bulk(list(history.codes.values()), field_name="analytics_id")
    if not codes:
        return []
    for owner in owners(history):
        code = codes[history.codes[owner.pk]]
        code.created_at = history.opened if isinstance(owner, Location) else owner.created_at
        for scan in history.scans[owner.pk]:
            scan.code = code
    Code.objects.bulk_update(codes.values(), ["created_at"], batch_size=2000)
    return sorted((scan for scans in history.scans.values() for scan in scans), key=lambda scan: scan.scanned_at)
