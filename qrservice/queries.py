"""Reading codes."""

from qrservice.addresses import normalise_slug
from qrservice.models import Code


def code_by_slug(slug: str) -> Code | None:
    return Code.objects.filter(slug=normalise_slug(slug)).first()
