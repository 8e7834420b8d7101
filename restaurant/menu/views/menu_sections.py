"""The categories of the menu's page, with their dishes as the page shows them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.utils import formats
from django.utils.dates import WEEKDAYS_ABBR
from django.utils.translation import gettext as _

from restaurant.menu.models import MenuItem, Window
from restaurant.menu.queries import Catalogue, Dish, Section
from restaurant.menu.views import declarations

AT_ONCE = 4  # pictures that are loaded without waiting for the guest to scroll
# Pictures are 4:3, and fill a square of 108 pixels in the list: these widths are 1.2 and 2.5 times what it needs.
LIST_WIDTHS = {176: "1.2x", 360: "2.5x"}


@dataclass(frozen=True, slots=True)
class PictureLinks:
    """An `<img>`. `srcset` is empty where there is only one address."""

    src: str
    alt: str
    srcset: str = ""
    width: int = 4  # as an aspect ratio, unless it is known
    height: int = 3


@dataclass(frozen=True, slots=True)
class DishOnPage:
    item: MenuItem
    picture: PictureLinks | None
    diet: str
    allergens: str  # what it contains and may contain, in words; or that it has none, or to ask
    has_choices: bool
    why_apart: str  # from what a guest with allergies can have
    is_lazy: bool

    @property
    def needs_page(self) -> bool:
        """Whether it is added on its own page, and not with one tap."""
        return self.has_choices or bool(self.why_apart)


@dataclass(frozen=True, slots=True)
class SectionOnPage:
    """`hours` is set where it can't be ordered from now. `apart`: what conflicts with the guest's allergies."""

    number: int
    name: str
    dishes: list[DishOnPage]
    apart: list[DishOnPage] = field(default_factory=list)
    hours: str = ""

    @property
    def is_open(self) -> bool:
        return not self.hours

    @property
    def has_pictures(self) -> bool:
        return any(dish.picture for dish in (*self.dishes, *self.apart))


def sections(menu: Catalogue, now: datetime, without: Sequence[str]) -> list[SectionOnPage]:
    """What guests can have now, and after that the categories outside their hours."""
    found: list[SectionOnPage] = []
    at_once = AT_ONCE
    some_say = any(dish.item.allergens for dish in menu.dishes.values())
    for section, dishes in menu.offered(now):
        shown = []
        for dish in dishes:
            shown.append(on_page(dish, without, is_lazy=at_once <= 0, others_say=some_say))
            at_once -= shown[-1].picture is not None
        found.append(_section(len(found) + 1, section, shown))
    for section in menu.closed(now):
        here = [dish for dish in section.dishes if dish.is_available_at(now)]
        shown = [on_page(dish, without, is_lazy=True, others_say=some_say) for dish in here]
        found.append(_section(len(found) + 1, section, shown, hours=hours(section.category.window)))
    return found


def names(menu: Catalogue, now: datetime) -> list[str]:
    """Of `sections`."""
    return [section.name for section in (*(each for each, _dishes in menu.offered(now)), *menu.closed(now))]


def _section(number: int, section: Section, dishes: Iterable[DishOnPage], hours: str = "") -> SectionOnPage:
    fitting: list[DishOnPage] = []
    apart: list[DishOnPage] = []
    for dish in dishes:
        (apart if dish.why_apart else fitting).append(dish)
    return SectionOnPage(number, section.name, fitting, apart, hours)


def on_page(dish: Dish, without: Sequence[str], *, is_lazy: bool, others_say: bool = False) -> DishOnPage:
    item, why_apart = dish.item, declarations.why_apart(dish, without)
    return DishOnPage(
        item=item,
        picture=list_picture(item),
        diet=declarations.diet(item.diet),
        allergens=declarations.on_menu(dish, others_say=others_say and not why_apart),
        has_choices=bool(dish.groups),
        why_apart=why_apart,
        is_lazy=is_lazy,
    )


def list_picture(item: MenuItem) -> PictureLinks | None:
    versions = item.picture.widths if item.picture else []
    alt = (item.picture.description if item.picture else "") or item.name
    if item.image_url:
        return PictureLinks(item.image_url, alt)
    if not versions:
        return None
    fitting = {version["width"]: address(version["digest"]) for version in versions if version["width"] in LIST_WIDTHS}
    if not fitting:
        return PictureLinks(address(versions[0]["digest"]), alt)
    each = [f"{link} {LIST_WIDTHS[width]}" for width, link in fitting.items()]
    return PictureLinks(min(fitting.items())[1], alt, ", ".join(each) if len(each) > 1 else "")


def large_picture(item: MenuItem) -> PictureLinks | None:
    """With every width, for a page that shows the dish alone."""
    small = list_picture(item)
    if small is None or item.image_url or not item.picture:
        return small
    each = [f"{address(version['digest'])} {version['width']}w" for version in item.picture.widths]
    widest = address(item.picture.widths[-1]["digest"])
    return PictureLinks(widest, small.alt, ", ".join(each), item.picture.width, item.picture.height)


def address(digest: str) -> str:
    return f"/pictures/{digest}.webp"


# --- hours in words -----------------------------------------------------------------------------------


def hours(window: Window) -> str:
    """The days, and from when until when."""
    return " ".join(filter(None, (_days(sorted(window.weekdays)), _span(window))))


def _span(window: Window) -> str:
    opens, closes = (formats.time_format(each, "H:i") if each else "" for each in (window.opens, window.closes))
    if opens and closes:
        return f"{opens}–{closes}"
    if opens:
        return _("from %(time)s") % {"time": opens}
    return _("until %(time)s") % {"time": closes} if closes else ""


def _days(weekdays: Sequence[int]) -> str:
    """Three days or more in a row as a span; empty for every day."""
    if len(weekdays) == 7:
        return ""
    rows: list[list[int]] = []
    for day in weekdays:
        if rows and rows[-1][-1] == day - 1:
            rows[-1].append(day)
        else:
            rows.append([day])
    words = []
    for row in rows:
        first, last = (str(WEEKDAYS_ABBR[each]) for each in (row[0], row[-1]))
        words += [f"{first}–{last}"] if len(row) > 2 else [str(WEEKDAYS_ABBR[each]) for each in row]
    return ", ".join(words)
