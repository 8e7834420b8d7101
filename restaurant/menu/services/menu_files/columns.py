"""The columns of a menu file: how a value is written into a cell, and read from it.

What is written is the same in every language; reading also takes the words of the active one.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, time
from decimal import Decimal
from functools import partial
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import TextChoices
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.dates import WEEKDAYS
from django.utils.functional import Promise, lazy
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from restaurant.menu.models import (
    ALLERGENS,
    EVERY_DAY,
    MAX_TEXT,
    Allergen,
    Category,
    Diet,
    MenuItem,
    Presence,
    days_in_words,
)
from restaurant.menu.services.menu_files import amounts, local_words, words
from web import languages
from web.imports.reading import key
from web.money import decimals, no_decimals, unit

_HOURS = r"([0-9]{1,2})[:.]([0-9]{2})\s*[-–]\s*([0-9]{1,2})[:.]([0-9]{2})"
_DAYS = dict(enumerate(("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")))
_VERBS = {Presence.CONTAINS: "contains", Presence.MAY_CONTAIN: "may contain", Presence.FREE: "free from"}
_REST = {"the rest", "all the rest", "everything else"}


def _plain(value: Any) -> str:
    return "" if value is None else str(value)


@dataclass(frozen=True, slots=True)
class Column:
    """`value_of` raises ValueError for a cell that it can't read, or ValidationError with a sentence of its own."""

    value_of: Callable[[str], Any] = str
    refusal: str | Promise = ""  # the sentence for whoever wrote `%(text)s` into the file
    write: Callable[[Any], str] = _plain
    is_optional: bool = False  # an empty cell is None

    def read(self, cell: str) -> Any:
        """Raises ValidationError."""
        if self.is_optional and not cell:
            return None
        try:
            return self.value_of(cell)
        except ValueError as error:
            raise ValidationError(str(self.refusal) % {"text": cell[:40]}) from error


def _match(pattern: str, text: str) -> re.Match[str]:
    match = re.fullmatch(pattern, text)
    if match is None:
        raise ValueError(text)
    return match


def _separated(text: str, separators: str) -> list[str]:
    """Return what is between the separators, each text once."""
    return [piece for piece in dict.fromkeys(map(str.strip, re.split(separators, text))) if piece]


# --- numbers --------------------------------------------------------------------------------------


def _price(cell: str) -> Decimal:
    """Return the price of `9.50` or `9,50`; what could be read in two ways is refused."""
    places = decimals()
    pattern = r"[0-9]+|[0-9]{1,3}((,[0-9]{3})+|(\.[0-9]{3})+)"
    if places:
        pattern = r"[0-9]+([.,][0-9]{1,P})?|[0-9]{1,3}(,[0-9]{3})+\.[0-9]{P}|[0-9]{1,3}(\.[0-9]{3})+,[0-9]{P}"
    *parts, last = re.split("[.,]", _match(pattern.replace("P", str(places)), amounts.plain(cell)[0])[0])
    whole, cents = ("".join(parts), last) if parts and places else ("".join([*parts, last]), "")
    return Decimal(f"{whole}.{cents:0<{places}}")


def _not_a_price() -> str:
    if not decimals():
        return f"{_('“%(text)s” is not a price such as 950.')} {no_decimals()}"
    example = str(950 * unit())
    values = {"text": "%(text)s", "point": example, "comma": example.replace(".", ",")}
    return _("“%(text)s” is not a price such as %(point)s or %(comma)s.") % values


def _number(cell: str) -> int:
    return int(_match("[0-9]{1,9}", cell)[0])


def _rate(cell: str) -> Decimal:
    text = _match("[0-9]{1,3}([.,][0-9]{1,2})?", cell.removesuffix("%").strip())[0]
    rate = Decimal(text.replace(",", ".")).quantize(Decimal("0.01"))
    if 0 < rate < 1:  # 0.19 for 19 %
        raise ValueError(cell)
    return rate


def _rate_of_category(cell: str) -> Decimal:
    rate = _rate(cell)
    if rate > 100:
        raise ValueError(cell)
    return rate


def _write_rate(rate: Decimal | None) -> str:
    return "" if rate is None else f"{rate.normalize():f}"


# --- words ----------------------------------------------------------------------------------------


def _is_yes(cell: str) -> bool:
    word = words.TRUTH.get(key(cell) or cell)
    if word is None:
        raise ValueError(cell)
    return word == "yes"


def _write_yes_or_no(value: bool) -> str:
    return "yes" if value else "no"


def _value_named(choices: type[TextChoices], known: Mapping[str, str], name: str) -> str:
    """Return the value that has this name in one of the languages of menu files. Raises ValueError."""
    for value, label in choices.choices:
        if name.casefold() in {value.casefold(), str(label).casefold()}:
            return value
    if key(name) in known:
        return known[key(name)]
    raise ValueError(name)


def _station_name(cell: str) -> str:
    if len(cell) > 50:
        raise ValueError(cell)
    return cell


def _local_words(cell: str) -> str:
    if len(cell) > MAX_TEXT:
        raise ValidationError(_("This is too long: at most %(most)d characters.") % {"most": MAX_TEXT})
    return cell


# --- times ----------------------------------------------------------------------------------------


def _moment(cell: str) -> datetime:
    moment = parse_datetime(cell)
    if moment is None:
        raise ValueError(cell)
    return moment if timezone.is_aware(moment) else timezone.make_aware(moment)


def _write_moment(moment: datetime | None) -> str:
    return "" if moment is None else f"{timezone.localtime(moment):%Y-%m-%d %H:%M}"


def _hours(cell: str) -> tuple[time | None, time | None]:
    if not cell:
        return None, None
    opens_hour, opens_minute, closes_hour, closes_minute = map(int, _match(_HOURS, cell).groups())
    is_midnight = (closes_hour, closes_minute) == (24, 0)
    return time(opens_hour, opens_minute), None if is_midnight else time(closes_hour, closes_minute)


def _write_hours(hours: tuple[time | None, time | None]) -> str:
    opens, closes = hours
    if opens is None and closes is None:
        return ""
    return f"{opens or time.min:%H:%M}-" + ("24:00" if closes is None else f"{closes:%H:%M}")


def _weekdays(cell: str) -> list[int]:
    """Return the days in order; none for every day."""
    if cell.casefold() in {"every day", _("every day").casefold()}:
        return []
    days: set[int] = set()
    for span in _separated(re.sub(" ?[-–] ?", "-", " ".join(cell.split())), "[,; ]+"):
        first, _dash, last = span.partition("-")
        begin, end = _weekday(first), _weekday(last or first)
        days |= {day % 7 for day in range(begin, begin + (end - begin) % 7 + 1)}
    return [] if days == EVERY_DAY else sorted(days)


def _weekday(text: str) -> int:
    name = text.casefold().removesuffix(".")
    for day, label in WEEKDAYS.items():
        if name == str(label).casefold() or (len(name) <= 9 and name[:3] == _DAYS[day].casefold()):
            return day
    raise ValueError(text)


def _write_weekdays(days: list[int]) -> str:
    return "" if not days or set(days) == EVERY_DAY else days_in_words(days, _DAYS, "-")


# --- allergens ------------------------------------------------------------------------------------


def _write_declaration(declared: dict[str, str]) -> str:
    """Return a text such as `contains milk, gluten; may contain nuts; free from eggs`."""
    statements = []
    for presence, verb in _VERBS.items():
        allergens = [allergen for allergen in ALLERGENS if declared.get(allergen) == presence]
        if allergens:
            statements.append(f"{verb} {', '.join(allergens)}")
    return "; ".join(statements)


def _declaration(cell: str) -> dict[str, str]:
    """Return the presence of each allergen that is declared; `free from the rest` declares all that are not named."""
    declared: dict[str, str] = {}
    is_rest_free = False
    has_verb = False
    for statement in _separated(cell, r"[;\n]"):
        presence, names = _presence(statement, is_alone=not has_verb)
        has_verb = has_verb or names != statement
        for name in _separated(names, "[,/、，،]"):
            if presence is Presence.FREE and name.casefold() in _REST:
                is_rest_free = True
                continue
            allergen = _allergen(name)
            if declared.setdefault(allergen, presence.value) != presence.value:
                raise ValidationError(_("%(name)s is named twice.") % {"name": allergen})
    named = ALLERGENS if is_rest_free else [allergen for allergen in ALLERGENS if allergen in declared]
    return {allergen: declared.get(allergen, Presence.FREE.value) for allergen in named}


def _presence(statement: str, *, is_alone: bool) -> tuple[Presence, str]:
    """Return what the statement says, and of which allergens. Names alone are what a dish contains."""
    own = [(str(presence.label).casefold(), presence.value) for presence in _VERBS]
    for verb, presence in [*words.PRESENCE, *own]:
        rest = statement[len(verb) :]
        if statement.casefold().startswith(verb) and (rest[:1] in {" ", ":", "："} or not verb.isascii()):
            return Presence(presence), rest.lstrip(" :：")
    if is_alone and key(re.split("[,/、，،]", statement)[0]) in words.ALLERGENS:
        return Presence.CONTAINS, statement
    sentence = _("“%(text)s” should begin with “contains”, “may contain” or “free from”.")
    raise ValidationError(sentence % {"text": statement[:40]})


def _allergen(name: str) -> str:
    try:
        return _value_named(Allergen, words.ALLERGENS, name)
    except ValueError as error:
        sentence = _("“%(name)s” is none of the allergens: %(known)s.")
        raise ValidationError(sentence % {"name": name[:40], "known": ", ".join(ALLERGENS)}) from error


# --- the columns ----------------------------------------------------------------------------------

_NOT_A_RATE = gettext_lazy("“%(text)s” is not a VAT rate such as 7 or 7.5.")
TEXT = Column()
LOCAL_WORDS = Column(_local_words)
NUMBER = Column(_number, gettext_lazy("“%(text)s” is not a whole number."), is_optional=True)
PRICE = Column(_price, lazy(_not_a_price, str)(), is_optional=True)
STATION = Column(_station_name, gettext_lazy("A station's name has at most 50 letters."))
DECLARATION = Column(_declaration, write=_write_declaration)
# Named like the model's fields.
ITEM_COLUMNS = {
    "id": TEXT,
    "name": TEXT,
    "description": TEXT,
    "price": PRICE,
    "category": TEXT,
    "image_url": TEXT,
    "available": Column(_is_yes, gettext_lazy("“%(text)s” is neither yes nor no."), _write_yes_or_no),
    "sold_out_until": Column(
        _moment, gettext_lazy("“%(text)s” is not a time such as 2026-05-31 18:00."), _write_moment, is_optional=True
    ),
    "portions": NUMBER,
    "position": NUMBER,
    "vat_rate": Column(_rate, _NOT_A_RATE, _write_rate, is_optional=True),
    "diet": Column(
        partial(_value_named, Diet, words.DIETS),
        gettext_lazy("“%(text)s” is not a diet: vegetarian, vegan or nothing."),
    ),
    "allergens": DECLARATION,
    "cost": PRICE,
    "station": STATION,
}
# Of the item's category: the same in each of its rows.
CATEGORY_COLUMNS = {
    "category_position": NUMBER,
    "category_weekdays": Column(
        _weekdays, gettext_lazy("“%(text)s” are not days such as Mon-Fri or Sat, Sun."), _write_weekdays
    ),
    "category_hours": Column(_hours, gettext_lazy("“%(text)s” are not hours such as 12:00-15:00."), _write_hours),
    "category_station": STATION,
    "category_vat_rate": Column(_rate_of_category, _NOT_A_RATE, _write_rate, is_optional=True),
    "category_late_after": NUMBER,
    "category_course": NUMBER,
}
COLUMNS = (*ITEM_COLUMNS, "options", *CATEGORY_COLUMNS)
_LABELS = {
    "options": gettext_lazy("Options"),
    "category_position": gettext_lazy("Position of the category"),
    "category_weekdays": gettext_lazy("Days of the category"),
    "category_hours": gettext_lazy("Hours of the category"),
    "category_station": gettext_lazy("Station of the category"),
    "category_vat_rate": gettext_lazy("VAT of the category in percent"),
    "category_late_after": gettext_lazy("Minutes until the category is late"),
    "category_course": gettext_lazy("Course of the category"),
}


def label_of(column: str) -> str:
    if ":" in column:
        column, _colon, code = column.partition(":")
        return f"{label_of(column)}: {languages.NAMES[code]}"
    if column in _LABELS:
        return str(_LABELS[column])
    return capfirst(str(MenuItem._meta.get_field(column).verbose_name))  # type: ignore[union-attr]


def item_cells(item: MenuItem) -> dict[str, str]:
    cells = {name: column.write(getattr(item, name)) for name, column in ITEM_COLUMNS.items()}
    return cells | local_words.cells_of(item.words, local_words.ITEM_PARTS)


def category_cells(category: Category) -> dict[str, str]:
    hours = (category.opens, category.closes)
    values = (category.position, category.weekdays, hours, category.station, category.vat_rate, category.late_after)
    columns = zip(CATEGORY_COLUMNS.items(), (*values, category.course), strict=True)
    cells = {name: column.write(value) for (name, column), value in columns}
    return cells | local_words.cells_of(category.words, local_words.CATEGORY_PARTS)
