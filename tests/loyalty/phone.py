"""A phone without JavaScript: pages by links and forms alone."""

import html

from tests.reading import read

ADA = {"name": "Ada Byrne", "email": "ada@example.com"}


class Phone:
    """Shows a page, and sends the forms that stand on it, with all of their fields. `page` is what it shows."""

    def __init__(self, client):
        self.client = client

    def open(self, address):
        self.address = address
        return self._show(self.client.get(address))

    def _show(self, response):
        if response.status_code in {302, 303}:
            return self.open(response["Location"])
        self.response, self.source = response, response.content.decode()
        self.page = html.unescape(self.source)
        return self

    @property
    def seen(self):
        """The page by roles, names and texts."""
        return read(self.response)

    def form(self, action):
        """The fields of the form that leads to `action`, as they are filled in, and every box as if it was ticked."""
        forms = [form for form in read(self.source).all("form") if form["action"] == action]
        assert len(forms) == 1, f"{len(forms)} forms lead to {action}"
        boxes = {box["name"]: box["value"] for box in forms[0].all("checkbox")}
        return forms[0].fields() | boxes

    def send(self, action, **typed):
        form = self.form(action)
        assert typed.keys() <= form.keys()
        return self._show(self.client.post(action, form | typed))
