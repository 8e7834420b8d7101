"""The built-in service, called in-process."""

from typing import Any
from urllib.parse import urlsplit

from qrservice import addresses
from qrservice.backends.base import Backend, BadRequest, NewCode
from qrservice.services import codes


class EmbeddedBackend(Backend):
    def create_code(self, *, redirect_url: str, metadata: dict[str, Any]) -> NewCode:
        try:
            code = codes.create(account=codes.built_in_account(), redirect_url=redirect_url, metadata=metadata)
        except codes.InvalidCode as error:
            raise BadRequest(str(error)) from error
        return NewCode(
            analytics_id=code.analytics_id,
            qr_code_url=addresses.image_url(code.slug),
            short_url=addresses.short_url(code.slug),
        )

    def image_url(self, qr_code_url: str, *, size: int | None) -> str:
        # The slug is for ever, the address in front of it is not: the installation may have moved.
        slug = urlsplit(qr_code_url).path.rpartition("/")[2]
        return addresses.image_url(slug) + (f"?size={size}" if size else "")
