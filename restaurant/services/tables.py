"""Tables and their codes."""

from django.conf import settings
from django.db import IntegrityError, transaction

from qrservice import gateway
from restaurant import queries
from restaurant.errors import TableNumberTaken
from restaurant.models import Table


def new_code(*, table_number: int, section: str) -> gateway.NewCode:
    """A code that leads to the table's menu. Raises gateway.QRServiceError."""
    return gateway.create_code(
        redirect_url=f"{settings.APP_BASE_URL}/table/{table_number}",
        metadata={"table_number": table_number, "section": section, "type": "restaurant_table"},
    )


def create(*, table_number: int, section: str = "", capacity: int | None = None) -> Table:
    """Store a table with its code. Raises TableNumberTaken, gateway.QRServiceError; then nothing was stored."""
    if Table.objects.filter(table_number=table_number).exists():
        raise TableNumberTaken
    code = new_code(table_number=table_number, section=section)
    try:
        with transaction.atomic():
            return Table.objects.create(
                table_number=table_number,
                section=section,
                capacity=capacity,
                qr_analytics_id=code.analytics_id,
                qr_code_url=code.qr_code_url,
                short_url=code.short_url,
            )
    except IntegrityError as error:  # it was created since the check
        raise TableNumberTaken from error


def give_code(*, table: Table) -> None:
    """Make the table's code if it has none yet: after a save in the admin. Raises gateway.QRServiceError."""
    if table.qr_analytics_id:
        return
    code = new_code(table_number=table.table_number, section=table.section)
    table.qr_analytics_id, table.qr_code_url, table.short_url = code.analytics_id, code.qr_code_url, code.short_url
    table.save(update_fields=["qr_analytics_id", "qr_code_url", "short_url"])


def replace_code(*, table_number: int) -> Table:
    """Give the table a new code; the old one leads nowhere any more. Raises TableUnknown, gateway.QRServiceError."""
    table = queries.table(table_number)
    code = new_code(table_number=table.table_number, section=table.section)
    if table.qr_analytics_id:
        gateway.update_code(analytics_id=table.qr_analytics_id, status="disabled")
    table.qr_analytics_id, table.qr_code_url, table.short_url = code.analytics_id, code.qr_code_url, code.short_url
    table.save(update_fields=["qr_analytics_id", "qr_code_url", "short_url"])
    return table
