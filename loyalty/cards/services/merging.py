"""Making one card of two. See "Merging two cards" in docs/behaviour/loyalty.md."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from loyalty import rules
from loyalty.errors import MemberErased, MemberUnknown, TooManyPoints
from loyalty.members.models import Member
from loyalty.points.models import PointTransaction
from loyalty.points.queries.programme import current_programme
from loyalty.restaurant import restaurant
from web import journal

DETAILS = ("name", "email", "phone")
_SUMS = ("points_balance", "lifetime_points", "awards", "spend")


def merge(pair: set[UUID], *, taken: Mapping[str, UUID], by: str) -> tuple[Member, Member] | None:
    """Make one card of two; return the one that is kept, and the one that leads to it from now on, as they were.

    `taken` says from which of both each of DETAILS is; the other's stay with the card that leads there. None, and
    nothing changes, where it is one card already. Raises MemberUnknown, MemberErased, TooManyPoints.

    Kept is the card with the larger id: so whoever follows a card to the other locks rows in the order of their ids,
    as all do who lock several.
    """
    with transaction.atomic():
        rows = Member.objects.select_for_update(no_key=True).filter(Q(pk__in=pair) | Q(merged_into__in=pair))
        cards = {row.pk: row for row in rows.order_by("pk")}
        if not pair <= cards.keys():
            raise MemberUnknown
        gone, kept = (cards[pk] for pk in sorted(pair))
        if gone.merged_into_id == kept.pk:
            return None
        if gone.erased_at or kept.erased_at:
            raise MemberErased
        sums = {name: getattr(gone, name) + getattr(kept, name) for name in _SUMS}
        if max(sums["points_balance"], sums["lifetime_points"]) > rules.MAX_POINTS:
            raise TooManyPoints
        _move_history(gone, kept)
        _merge_cards(gone, kept, taken, sums)
        journal.write("cards_merged", gone.pk, by=by, into=kept.pk, points=gone.points_balance)
    return kept, gone


def _move_history(gone: Member, kept: Member) -> None:
    # A form for several members has one key for all of them.
    same = PointTransaction.objects.filter(
        customer=kept, type=OuterRef("type"), idempotency_key=OuterRef("idempotency_key")
    )
    gone.transactions.filter(Exists(same)).update(idempotency_key=None, request_digest="")
    for rows in (gone.transactions, gone.redemptions, gone.notifications, gone.win_back_emails):
        rows.update(customer=kept)
    gone.merged.filter(merged_key=gone.card_key).update(merged_key=kept.card_key)
    gone.merged.update(merged_into=kept)
    restaurant().merge_cards(gone=str(gone.pk), kept=str(kept.pk))


def _merge_cards(gone: Member, kept: Member, taken: Mapping[str, UUID], sums: dict[str, Any]) -> None:
    cards = {gone.pk: gone, kept.pk: kept}
    others = {gone.pk: kept, kept.pk: gone}
    # What is empty is kept of neither, where the other has it.
    taken = {name: pk if getattr(cards[pk], name) else others[pk].pk for name, pk in taken.items()}
    details = {name: getattr(cards[taken[name]], name) for name in DETAILS}
    left = {name: getattr(others[taken[name]], name) for name in DETAILS}
    owner = cards[taken["email"]]  # agreement and links were about the address
    Member.objects.filter(pk=gone.pk).update(
        **left | {"email": ""},  # an address belongs to one card at every moment
        **dict.fromkeys(sums, 0),
        tier=Member.Tier.BRONZE,
        note="",
        offers_agreed_at=None,
        new_email="",
        new_email_asked_at=None,
        erased_at=timezone.now(),
        merged_into=kept,
        merged_key=kept.card_key,
    )
    Member.objects.filter(pk=kept.pk).update(
        **details,
        **sums,
        tier=current_programme().tier_of(sums["lifetime_points"]),
        note="\n".join(filter(None, (kept.note, gone.note))),
        created_at=min(gone.created_at, kept.created_at),
        last_activity_at=max(filter(None, (gone.last_activity_at, kept.last_activity_at)), default=None),
        offers_agreed_at=owner.offers_agreed_at,
        signed_in_at=owner.signed_in_at,
        language=kept.language or gone.language,
    )
    Member.objects.filter(pk=gone.pk).update(email=left["email"])
