"""The venue's logo and its cover picture."""

from config import queries
from web.picture_view import PictureView


class VenuePicture(PictureView):
    def find(self, digest: str) -> tuple[bytes, str] | None:
        return queries.venue_picture(digest)
