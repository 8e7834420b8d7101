"""The demonstration venue's logo, cover picture and address."""

import io
from pathlib import Path

from PIL import Image

from config.demo.place import ADDRESS, PHONE, VAT_NUMBER, VENUE_NAME
from config.models import Venue
from config.services import branding
from web.pictures import Version

_FOLDER = Path(__file__).resolve().parent / "venue"
LOGO, MAIL_LOGO = _FOLDER / "logo.webp", _FOLDER / "logo-for-mails.png"


def cover_path(width: int) -> Path:
    return _FOLDER / f"cover-{width}.webp"


def dress() -> None:
    """Store them unless the venue has a name or a logo already."""
    venue = Venue.objects.first() or Venue()
    if venue.name or venue.logo:
        return
    venue.name, venue.address, venue.phone, venue.vat_number = VENUE_NAME, ADDRESS, PHONE, VAT_NUMBER
    venue.save()
    branding.set_logo(venue, branding.MadeLogo(_version(LOGO), _version(MAIL_LOGO), "light"))
    branding.set_cover(venue, [_version(cover_path(width)) for width in branding.COVER_BYTES])


def _version(path: Path) -> Version:
    data = path.read_bytes()
    with Image.open(io.BytesIO(data)) as opened:
        return Version(*opened.size, data, Image.MIME[str(opened.format)])
