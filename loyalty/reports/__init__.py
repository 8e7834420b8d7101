"""The reports on the loyalty programme.

See "Reports" in docs/behaviour/common.md, and CONTRIBUTING.md for how to add one.

Each is a package: `read` returns what was counted, `page` the tiles and tables of its page and its CSV.
"""

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
    return [reverse("member_report", args=[member_id]) for member_id in ids]
