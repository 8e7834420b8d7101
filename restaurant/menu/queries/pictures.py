from restaurant.menu.models import PictureVersion


def version(digest: str) -> tuple[bytes, str] | None:
    """The bytes and the content type of the picture with this hash."""
    found = PictureVersion.objects.filter(digest=digest).values_list("data", "content_type")[:1]
    return next(((bytes(data), content_type) for data, content_type in found), None)
