"""The categories of the menu's page, with their dishes as the page shows them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from babel.dates import format_time
from django.utils.dates import WEEKDAYS_ABBR
from django.utils.translation import gettext as _

from restaurant.menu.models import EVERY_DAY, MenuItem, Window, days_in_words, picture_path
from restaurant.menu.queries import Catalogue, Dish, Section
from restaurant.menu.views.declarations import diet, summary_of_dish, why_apart
from web.formats import locale

EAGER_PICTURES = 4  # are loaded without waiting for the guest to scroll
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
    """Return what guests can have now, and after that the categories outside their hours."""
    pages: list[SectionOnPage] = []
    eager = EAGER_PICTURES
    menu_declares = any(dish.item.allergens for dish in menu.dishes.values())
    for section, offered in menu.offered(now):
        dishes = []
        for dish in offered:
            dishes.append(on_page(dish, without, is_lazy=eager <= 0, menu_declares=menu_declares))
            eager -= dishes[-1].picture is not None
        pages.append(_section(len(pages) + 1, section, dishes))
    for section in menu.closed(now):
        available = [dish for dish in section.dishes if dish.is_available_at(now)]
        dishes = [on_page(dish, without, is_lazy=True, menu_declares=menu_declares) for dish in available]
        pages.append(_section(len(pages) + 1, section, dishes, hours=hours(section.category.window)))
    return pages


def names(menu: Catalogue, now: datetime) -> list[str]:
    """Return the names of `sections`."""
    return [section.local_name for section in (*(section for section, _dishes in menu.offered(now)), *menu.closed(now))]


def _section(number: int, section: Section, dishes: Iterable[DishOnPage], hours: str = "") -> SectionOnPage:
    fitting: list[DishOnPage] = []
    apart: list[DishOnPage] = []
    for dish in dishes:
        (apart if dish.why_apart else fitting).append(dish)
    return SectionOnPage(number, section.local_name, fitting, apart, hours)


def on_page(dish: Dish, without: Sequence[str], *, is_lazy: bool, menu_declares: bool = False) -> DishOnPage:
    reason = why_apart(dish, without)
    return DishOnPage(
        item=dish.item,
        picture=list_picture(dish.item),
        diet=diet(dish.item.diet),
        allergens=summary_of_dish(dish, menu_declares=menu_declares and not reason),
        has_choices=bool(dish.groups),
        why_apart=reason,
        is_lazy=is_lazy,
    )


def list_picture(item: MenuItem) -> PictureLinks | None:
    """Return the item's picture in the widths of a list."""
    picture = item.picture
    alt = (picture.description if picture else "") or item.local_name
    if item.image_url:
        return PictureLinks(item.image_url, alt)
    if picture is None:
        return None
    paths = {version["width"]: picture_path(version["digest"]) for version in picture.widths}
    fitting = [width for width in LIST_WIDTHS if width in paths]
    srcset = ", ".join(f"{paths[width]} {LIST_WIDTHS[width]}" for width in fitting)
    return PictureLinks(paths[min(fitting or paths)], alt, srcset if len(fitting) > 1 else "")


def large_picture(item: MenuItem) -> PictureLinks | None:
    """Return the item's picture in every width, for a page that shows the dish alone."""
    picture = item.picture
    if item.image_url or picture is None:
        return list_picture(item)
    paths = {version["width"]: picture_path(version["digest"]) for version in picture.widths}
    srcset = ", ".join(f"{path} {width}w" for width, path in paths.items())
    return PictureLinks(
        paths[max(paths)], picture.description or item.local_name, srcset, picture.width, picture.height
    )


# --- hours in words -----------------------------------------------------------------------------------


def hours(window: Window) -> str:
    """Return the days, unless it is every day, and from when until when."""
    days = "" if window.weekdays == EVERY_DAY else days_in_words(window.weekdays, WEEKDAYS_ABBR)
    return " ".join(filter(None, (days, _span(window))))


def _span(window: Window) -> str:
    opens, closes = (time and format_time(time, "short", locale=locale()) for time in (window.opens, window.closes))
    if opens and closes:
        return f"{opens}–{closes}"
    if opens:
        return _("from %(time)s") % {"time": opens}
    return _("until %(time)s") % {"time": closes} if closes else ""
