"""What the pages of the loyalty reports show, and their CSV: tiles, tables, notes. One module per report."""

from collections.abc import Iterable
from uuid import UUID

from django.urls import reverse
from django.utils.text import capfirst

from loyalty.members.models import Member


def tier_name(tier: str) -> str:
    labels = dict(Member.Tier.choices)
    return capfirst(str(labels.get(tier, tier)))


def links(ids: Iterable[UUID]) -> list[str]:
    """The addresses of the members' reports."""
    return [reverse("member_report", args=[each]) for each in ids]
