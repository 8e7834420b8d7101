"""QR codes of the demonstration's tables, locations, members and redemptions, and their scans."""

import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from config.demo.crowd import Sighting
from config.demo.plan import Plan
from loyalty.members.services import codes as loyalty_codes
from loyalty.models import Location, Member, Redemption
from qrservice import gateway
from qrservice.models import Code, Scan
from restaurant.models import Table
from restaurant.tables.services import tables

Owner = Table | Location | Member | Redemption


@dataclass(frozen=True, slots=True)
class Made:
    """A new code, its owner, and when the owner would have received it."""

    owner: Owner
    since: datetime
    code: gateway.NewCode


def owners(plan: Plan) -> list[tuple[Owner, datetime]]:
    """Return everything that has a code, and since when."""
    return [
        *((table, plan.opened) for table in plan.diary.tables),
        *((location, plan.opened) for location in plan.book.locations),
        *((member, member.created_at) for member in plan.book.members),
        *((redemption, redemption.created_at) for redemption in plan.book.redemptions),
    ]


def make(plan: Plan) -> Iterator[Made]:
    """Create the codes one by one and set them on their owners. Must not be called inside a transaction.

    Raises gateway.QRServiceError.
    """
    for owner, since in owners(plan):
        code = _new_code(owner)
        owner.qr_code_url, owner.short_url = code.qr_code_url, code.short_url
        if isinstance(owner, Location):
            owner.earn_qr_analytics_id = code.analytics_id
        else:
            owner.qr_analytics_id = code.analytics_id
        yield Made(owner, since, code)


def _new_code(owner: Owner) -> gateway.NewCode:
    match owner:
        case Table():
            return tables.new_code(table_number=owner.table_number, section=owner.section)
        case Location():
            return loyalty_codes.of_location(owner.pk, owner.name)
        case Member():
            return loyalty_codes.of_member(owner)
        case Redemption():
            return loyalty_codes.of_redemption(
                owner.redemption_code, redemption_id=owner.pk, member_id=owner.customer_id, reward_id=owner.reward_id
            )


def delete(made: Iterable[Made]) -> None:
    """Delete the codes of an interrupted load. A hosted service keeps its own, which does no harm."""
    Code.objects.filter(analytics_id__in=[item.code.analytics_id for item in made]).delete()


def stored(made: Iterable[Made]) -> dict[uuid.UUID, Code]:
    """Return the rows of the codes by owner, backdated; none with a hosted service."""
    by_analytics_id = {item.code.analytics_id: item for item in made}
    rows: dict[uuid.UUID, Code] = {}
    for row in Code.objects.filter(analytics_id__in=by_analytics_id):
        item = by_analytics_id[row.analytics_id]
        row.created_at = item.since
        rows[item.owner.pk] = row
    return rows


def scans(sightings: Iterable[Sighting], rows: dict[uuid.UUID, Code]) -> list[Scan]:
    """Return the scans as rows, oldest first."""
    return [
        Scan(
            code=rows[sighting.owner_id],
            scanned_at=sighting.at,
            device_type=sighting.device_type,
            city=sighting.city,
            country=sighting.country,
        )
        for sighting in sorted(sightings, key=lambda sighting: sighting.at)
        if sighting.owner_id in rows
    ]
