"""Recording scans (decision 3.5)."""

from qrservice import devices
from qrservice.models import Code, Scan


def record(*, code: Code, user_agent: str) -> None:
    """Count one scan, unless it was made by a program that nobody looks at."""
    device = devices.of(user_agent)
    if not device.is_bot:
        Scan.objects.create(code=code, device_type=device.device_type)
