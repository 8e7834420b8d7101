"""Deletes old scans. Off by default, because reports and totals count them."""

from datetime import datetime

from qrservice.models import Scan
from web import tidying


def delete_scans(*, before: datetime) -> int:
    return tidying.delete(Scan.objects.filter(scanned_at__lt=before))
