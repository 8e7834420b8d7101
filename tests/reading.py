"""A page as somebody reads it: by roles, names and texts, not by classes.

page = read(client.get("/table/7"))
page.region("Your usual").names("link")         # ["Ribollita", "Sourdough"]
page.one("link", "Rewards")["href"]             # fails unless exactly one link is called that
page.one("form", "Redeem").fields()             # {"key": "...", "points": "200"}
page.one("table").rows()                        # [["Dish", "Sold"], ["Ribollita", "12"]]
"""

import re
from collections.abc import Iterator

from django.http import HttpResponseBase
from lxml import html

ROLES = {
    "alert": "//*[@role='alert']",
    "article": "//article",
    "button": "//button | //input[@type='submit' or @type='button'] | //*[@role='button']",
    "checkbox": "//input[@type='checkbox']",
    "definition": "//dd",
    "details": "//details",
    "dialog": "//dialog",
    "field": "//input[not(@type='hidden' or @type='submit' or @type='button')] | //select | //textarea",
    "figure": "//figure",
    "form": "//form",
    "group": "//fieldset | //*[@role='group']",
    "heading": "//h1 | //h2 | //h3 | //h4 | //h5 | //h6",
    "image": "//img | //svg[@role='img' or @aria-label] | //*[@role='img']",
    "item": "//li",
    "link": "//a[@href]",
    "list": "//ul | //ol",
    "main": "//main",
    "navigation": "//nav",
    "option": "//option",
    "radio": "//input[@type='radio']",
    "row": "//tr",
    "section": "//section",
    "status": "//*[@role='status'] | //output",
    "table": "//table",
    "term": "//dt",
    "time": "//time",
}
UNREAD = ("head", "script", "style", "template")
HOLDERS = "ancestor::*[self::section|self::article|self::li|self::dialog|self::details|self::form|self::div]"


class Part:
    """A page or an element of it."""

    def __init__(self, element: html.HtmlElement) -> None:
        self.element = element

    def __repr__(self) -> str:
        return html.tostring(self.element, encoding="unicode")[:400]

    def __getitem__(self, attribute: str) -> str:
        """An attribute's value; an absent one raises KeyError."""
        return self.element.attrib[attribute]

    def __contains__(self, text: str) -> bool:
        return text in self.text

    def get(self, attribute: str) -> str | None:
        return self.element.get(attribute)

    @property
    def text(self) -> str:
        """What is to be read here, without what is hidden from everybody or is no text; words stand one space apart."""
        return _text(self.element)

    @property
    def name(self) -> str:
        """As a screen reader would call it: its label, its alternative text, or what is written in it."""
        return _name(self.element)

    def all(self, role: str, name: str | re.Pattern[str] | None = None) -> list["Part"]:
        """In the order of the page; `name` is the whole name, or a pattern to be found in it."""
        found = [Part(each) for each in self.element.xpath("|".join(f".{path}" for path in ROLES[role].split(" | ")))]
        shown = [part for part in found if not any(map(_is_unread, (part.element, *part.element.iterancestors())))]
        if isinstance(name, re.Pattern):
            return [part for part in shown if name.search(part.name)]
        return [part for part in shown if name is None or part.name == name]

    def one(self, role: str, name: str | re.Pattern[str] | None = None) -> "Part":
        found = self.all(role, name)
        assert len(found) == 1, f"{len(found)} × {role} {name or ''}; there are {self.names(role)}"
        return found[0]

    def names(self, role: str) -> list[str]:
        return [part.name for part in self.all(role)]

    def texts(self, role: str) -> list[str]:
        return [part.text for part in self.all(role)]

    def links(self) -> list[tuple[str, str]]:
        """Names and addresses."""
        return [(part.name, part["href"]) for part in self.all("link")]

    def region(self, heading: str | re.Pattern[str]) -> "Part":
        """The smallest part that holds this heading and more than it."""
        title = self.one("heading", heading)
        for holder in reversed(title.element.xpath(HOLDERS)):
            if _text(holder) != title.text:
                return Part(holder)
        return self

    def addresses(self) -> list[str]:
        """Where its links lead."""
        return [part["href"] for part in self.all("link")]

    def field(self, name: str) -> "Part":
        """The control that is sent under this name."""
        found = self.element.xpath(".//*[@name=$name]", name=name)
        assert found, f"no control {name!r}; there are {sorted(set(self.element.xpath('.//@name')))}"
        return Part(found[0])

    def fields(self) -> dict[str, str]:
        """Names and values of what a browser would send of this form, or of all forms here, without its buttons."""
        return dict(_sent(self.element))

    def lists(self) -> dict[str, list[str]]:
        """As `fields`, for names that are sent several times."""
        found: dict[str, list[str]] = {}
        for name, value in _sent(self.element):
            found.setdefault(name, []).append(value)
        return found

    def rows(self) -> list[list[str]]:
        """The texts of a table's cells, its head included."""
        return [[_text(cell) for cell in row.xpath("./th | ./td")] for row in self.element.xpath(".//tr")]

    def sorting(self) -> list[tuple[str, str]]:
        """Heads of tables that say how their columns are sorted: "ascending" or "descending"."""
        heads = self.element.xpath(".//*[@aria-sort]")
        return [(_text((head.xpath(".//a") or [head])[0]), head.get("aria-sort")) for head in heads]

    def facts(self) -> dict[str, str]:
        """Terms of description lists here, and what is said of each."""
        return {
            _text(term): _text(term.getnext()) for term in self.element.xpath(".//dt") if term.getnext() is not None
        }


def read(page: HttpResponseBase | str | bytes) -> Part:
    if isinstance(page, HttpResponseBase):
        assert page["Content-Type"].startswith("text/html"), page["Content-Type"]
        page = page.getvalue() if page.streaming else page.content
    return Part(html.fromstring(page.decode() if isinstance(page, bytes) else page))


def _text(element: html.HtmlElement) -> str:
    return " ".join("".join(_texts(element)).split())


def _texts(element: html.HtmlElement) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        around = "" if child.tag == "bdi" else " "  # which only isolates a direction
        yield around
        if not _is_unread(child):
            yield from _texts(child)
        yield around + (child.tail or "")


def _is_unread(element: html.HtmlElement) -> bool:
    return (
        element.tag in UNREAD  # comments have a function instead of a tag
        or not isinstance(element.tag, str)
        or "hidden" in element.attrib
        or element.get("aria-hidden") == "true"
    )


def _name(element: html.HtmlElement) -> str:
    root = element.getroottree()
    if label := element.get("aria-label"):
        return " ".join(label.split())
    if identifiers := element.get("aria-labelledby"):
        return " ".join(_text(each) for name in identifiers.split() for each in root.xpath("//*[@id=$id]", id=name))
    if element.tag in ("input", "select", "textarea"):
        if element.get("type") in ("submit", "button"):
            return element.get("value", "")
        labels = root.xpath("//label[@for=$id]", id=element.get("id", "")) if element.get("id") else []
        return " ".join(map(_text, labels or element.xpath("ancestor::label"))) or element.get("placeholder", "")
    if element.tag == "img":
        return element.get("alt", "")
    if element.tag in ("fieldset", "table", "details", "figure", "svg"):
        titles = element.xpath("./legend | ./caption | ./summary | ./figcaption | ./title")
        return _text(titles[0]) if titles else ""
    if element.tag in ("form", "section", "article", "dialog", "nav"):
        titles = element.xpath("(.//h1 | .//h2 | .//h3 | .//h4)[1] | self::form//button[not(@hidden)][1]")
        return _text(titles[0]) if titles else ""
    alternatives = [image.get("alt") for image in element.xpath(".//img[@alt]")]
    return _text(element) or " ".join(filter(None, alternatives)) or element.get("title", "")


def _sent(form: html.HtmlElement) -> Iterator[tuple[str, str]]:
    for control in form.xpath(".//*[self::input or self::select or self::textarea][@name][not(@disabled)]"):
        kind = control.get("type", "text")
        if control.tag == "select":
            chosen = control.xpath(".//option[@selected]") or control.xpath("(.//option)[1]")
            yield from ((control.get("name"), each.get("value", _text(each))) for each in chosen)
        elif control.tag == "textarea":
            yield control.get("name"), (control.text or "").removeprefix("\n")
        elif kind in ("checkbox", "radio"):
            if "checked" in control.attrib:
                yield control.get("name"), control.get("value", "on")
        elif kind not in ("submit", "button", "image", "file"):
            yield control.get("name"), control.get("value", "")
