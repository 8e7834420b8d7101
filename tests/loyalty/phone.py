"""A phone without JavaScript: pages by links and forms alone."""

import html
import re

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

    def form(self, action):
        """The fields of the form that leads to `action`, as they are filled in."""
        forms = re.findall(rf'<form[^>]* action="{re.escape(action)}">(.*?)</form>', self.source, re.DOTALL)
        assert len(forms) == 1, f"{len(forms)} forms lead to {action}"
        inputs = [dict(re.findall(r'([a-z]+)="([^"]*)"', each)) for each in re.findall(r"<input[^>]*>", forms[0])]
        return {each["name"]: html.unescape(each.get("value", "")) for each in inputs}

    def send(self, action, **typed):
        form = self.form(action)
        assert typed.keys() <= form.keys()
        return self._show(self.client.post(action, form | typed))
