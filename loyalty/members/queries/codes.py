"""Codes as they are shown and typed."""

from qrservice import gateway


def image_url(qr_code_url: str, *, size: int | None = None) -> str:
    """The address of a code's image; empty where there is no code. `size` is in pixels."""
    return gateway.image_url(qr_code_url, size=size) if qr_code_url else ""


def normalized_code(code: str) -> str:
    """A redemption code as it is stored: case and surrounding space don't matter."""
    return code.strip().upper().replace("\0", "")
