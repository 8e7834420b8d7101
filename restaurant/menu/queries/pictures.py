from restaurant.menu.models import PictureVersion


def version(digest: str) -> tuple[bytes, str] | None:
    """Return the bytes and the content type of the picture with this hash."""
    picture = PictureVersion.objects.filter(digest=digest).first()
    return (bytes(picture.data), picture.content_type) if picture else None
