"""A browser at the counter."""

import re
from html import unescape

from django.test import Client

from loyalty.models import PointTransaction
from tests.reading import Part, read


def hidden(page: str, name: str) -> str:
    return read(page).field(name)["value"]


class Till:
    """A browser at the counter. `page` is the text that it shows, and `at` the address."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def open(self, address: str) -> "Till":
        return self._show(self.client.get(address, follow=True), address)

    def send(self, address: str, **fields: str) -> "Till":
        fields = {"csrfmiddlewaretoken": hidden(self.page, "csrfmiddlewaretoken"), **fields}
        response = self.client.post(address, fields)
        if response.status_code == 303:
            return self.open(response["Location"])
        return self._show(response, address)

    def _show(self, response, address: str) -> "Till":
        self.response, self.status = response, response.status_code
        hops = getattr(response, "redirect_chain", [])
        self.at = hops[-1][0] if hops else address
        self.page = unescape(response.content.decode())
        return self

    @property
    def seen(self) -> Part:
        """The page by roles, names and texts."""
        return read(self.response)

    def give(self, total: str, **fields: str) -> "Till":
        form = {name: hidden(self.page, name) for name in ("customerId", "idempotencyKey")}
        return self.send("/earn", **{**form, "locationId": self.location, "orderTotal": total, **fields})

    @property
    def location(self) -> str:
        """The location that the page would send: the chosen option, the only location there is, or none."""
        control = read(self.page).field("locationId")
        chosen = [option["value"] for option in control.all("option") if option.get("selected") is not None]
        return (chosen or [control.get("value") or ""])[0]


def take_backs(part: Part) -> list[str]:
    """Return the addresses of the forms that take points back."""
    actions = [form.get("action") or "" for form in part.all("form")]
    return [action for action in actions if re.fullmatch("/transactions/[^/]+/reverse", action)]


def purchases() -> list[int]:
    return list(PointTransaction.objects.filter(order_total__isnull=False).values_list("points", flat=True))
