"""Pictures of the menu."""

from restaurant.menu.queries import pictures
from web.picture_view import PictureView


class Picture(PictureView):
    def find(self, digest: str) -> tuple[bytes, str] | None:
        return pictures.version(digest)
