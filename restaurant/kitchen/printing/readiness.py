"""Whether printers can print, for those who look after the installation."""

from concurrent.futures import ThreadPoolExecutor

from restaurant.kitchen.printing.device import Device, Patience, Trouble
from restaurant.ordering.models import Printer


def unready_printers(patience: Patience | None = None) -> dict[str, str]:
    """Active printers that can't print, by name, each with what is wrong. All are asked at the same time."""
    printers = list(Printer.objects.filter(active=True))
    if not printers:
        return {}
    devices = [Device(each.host, each.port, patience or Patience()) for each in printers]
    with ThreadPoolExecutor(min(len(devices), 16)) as pool:
        found = list(pool.map(_trouble, devices))
    return {printer.name: trouble for printer, trouble in zip(printers, found, strict=True) if trouble}


def _trouble(device: Device) -> str:
    try:
        device.open()
    except Trouble as trouble:
        return str(trouble)
    finally:
        device.close()
    return ""
