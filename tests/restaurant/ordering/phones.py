"""A guest's browser without JavaScript."""

from django.test import Client

from tests.reading import read

CART, ORDER = "/table/7/cart", "/table/7/order"


class Phone:
    """At table 7, whose menu it opens. `page` is what it shows, `response` what it got last."""

    def __init__(self, browser: Client) -> None:
        self.browser = browser
        self.open("/table/7")

    def open(self, address: str = CART) -> "Phone":
        return self._show(self.browser.get(address, follow=True))

    def post(self, address: str, **fields) -> "Phone":
        response = self.browser.post(address, fields)
        return self.open(response["Location"]) if response.status_code == 303 else self._show(response)

    def send(self, address: str = CART, **entered) -> "Phone":
        """The cart's form, which has lists: of many lines."""
        return self.post(address, **(self.form() | entered))

    def form(self) -> dict[str, list[str]]:
        """What the cart's form sends, also for the lines that can't be had; nothing where there is no such form."""
        forms = [form for form in self.page.all("form") if form.get("action") == ORDER]
        return forms[0].lists() if forms else {}

    def lines(self) -> list[str]:
        return self.form().get("line", [])

    def _show(self, response) -> "Phone":
        self.response, self.page = response, read(response)
        return self
