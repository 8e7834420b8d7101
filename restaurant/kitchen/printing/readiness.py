"""Printers that can't print, for those who look after the installation."""

from concurrent.futures import ThreadPoolExecutor

from restaurant.kitchen.printing.device import Device, Patience, Trouble
from restaurant.ordering.models import Printer


def unready_printers(patience: Patience | None = None) -> dict[str, str]:
    """The troubles of active printers that can't print, by the printer's name. All are checked at the same time."""
    printers = list(Printer.objects.filter(active=True))
    if not printers:
        return {}
    devices = [Device(printer.host, printer.port, patience or Patience()) for printer in printers]
    with ThreadPoolExecutor(min(len(devices), 16)) as pool:
        troubles = list(pool.map(_trouble, devices))
    return {printer.name: trouble for printer, trouble in zip(printers, troubles, strict=True) if trouble}


def _trouble(device: Device) -> str:
    try:
        device.open()
    except Trouble as trouble:
        return str(trouble)
    finally:
        device.close()
    return ""
