"""Forms of pages, sent as a browser without JavaScript does."""

from django.http import HttpResponseBase

from tests.reading import Part, read

Page = Part | HttpResponseBase | str


def form_of(page: Page, action: str) -> Part:
    """The first form that is sent to this address."""
    forms = (page if isinstance(page, Part) else read(page)).all("form")
    found = [form for form in forms if form.get("action") == action]
    assert found, f"no form for {action}; there are {[form.get('action') for form in forms]}"
    return found[0]


def submit(client, page: Page, action: str, **entered: str):
    """Send the form as it is on the page, but for what is entered, or the name and value of its button."""
    return client.post(action, form_of(page, action).lists() | entered)


def hidden(page: Page, name: str) -> str:
    return (page if isinstance(page, Part) else read(page)).field(name)["value"]
