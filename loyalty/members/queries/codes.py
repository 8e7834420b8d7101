"""Codes as they are typed."""


def normalized_code(code: str) -> str:
    """A redemption code as it is stored: case and surrounding space don't matter."""
    return code.strip().upper().replace("\0", "")
