"""The demonstration venue's row, with its logo and cover picture."""

import io
from pathlib import Path

from PIL import Image

from config.demo import VENUE_NAME
from config.models import Venue
from config.services import branding
from loyalty.models import Location
from web.pictures import Version

_FOLDER = Path(__file__).resolve().parent / "venue"


def store(location: Location) -> None:
    """Store the location of the tables; and name and pictures unless the venue has a name or a logo already."""
    venue = Venue.objects.first() or Venue()
    is_branded = bool(venue.name or venue.logo)
    venue.location = location
    if not is_branded:
        venue.name, venue.vat_number = VENUE_NAME, "IE1234567T"
        venue.address, venue.phone = "12 Orchard Row\nDublin 8", "+353 1 555 0142"  # a number that belongs to nobody
    venue.save()
    if not is_branded:
        logo, mail_logo = read_picture(_FOLDER / "logo.webp"), read_picture(_FOLDER / "logo-for-mails.png")
        branding.set_logo(venue, branding.LogoVersions(logo, mail_logo, "light"))
        branding.set_cover(venue, [read_picture(_FOLDER / f"cover-{width}.webp") for width in branding.COVER_BYTES])


def read_picture(path: Path) -> Version:
    data = path.read_bytes()
    with Image.open(io.BytesIO(data)) as picture:
        return Version(*picture.size, data, Image.MIME[str(picture.format)])
