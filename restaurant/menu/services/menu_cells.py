"""What the cells of a menu's CSV file say: each function reads what the one before it writes.

Reading raises ValidationError with a sentence for whoever wrote the file. What is written is the same in every
language; reading also takes the words of the present one.
"""

import re
from datetime import datetime, time
from decimal import Decimal

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from restaurant.menu.models import EVERY_DAY, Allergen, Declaration, Diet, Presence, Weekday

_PRICES = (
    r"[0-9]+([.,][0-9]{1,2})?",
    r"[0-9]{1,3}(,[0-9]{3})+\.[0-9]{2}",
    r"[0-9]{1,3}(\.[0-9]{3})+,[0-9]{2}",
)
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_VERBS = {Presence.CONTAINS: "contains", Presence.MAY_CONTAIN: "may contain", Presence.FREE: "free from"}
_SHOWN = 40  # characters of a cell that is wrong


def _shown(text: str) -> dict[str, str]:
    return {"text": text[:_SHOWN]}


# --- numbers --------------------------------------------------------------------------------------


def price(cell: str) -> Decimal:
    """Accepts `9.50` and `9,50`, and refuses what could be read in two ways."""
    text = "".join(cell.split())
    if not text:
        raise ValidationError(_("A price is needed, such as 9.50."))
    if not any(re.fullmatch(each, text, re.ASCII) for each in _PRICES):
        raise ValidationError(_("“%(text)s” is not a price such as 9.50 or 9,50.") % _shown(cell))
    whole, cents = re.fullmatch(r"(.*?)(?:[.,]([0-9]{1,2}))?", text).groups()  # type: ignore[union-attr]
    return Decimal(re.sub("[.,]", "", whole) + "." + (cents or "").ljust(2, "0"))


def price_if_any(cell: str) -> Decimal | None:
    return price(cell) if cell else None


def write_number(number: int | None) -> str:
    return "" if number is None else str(number)


def number(cell: str) -> int | None:
    if not cell:
        return None
    if not re.fullmatch("[0-9]{1,9}", cell):
        raise ValidationError(_("“%(text)s” is not a whole number.") % _shown(cell))
    return int(cell)


def write_rate(rate: Decimal | None) -> str:
    return "" if rate is None else f"{rate.normalize():f}"


def rate(cell: str) -> Decimal | None:
    text = cell.removesuffix("%").strip()
    if not cell:
        return None
    if not re.fullmatch("[0-9]{1,3}([.,][0-9]{1,2})?", text):
        raise ValidationError(_("“%(text)s” is not a VAT rate such as 7 or 7.5.") % _shown(cell))
    return Decimal(text.replace(",", ".")).quantize(Decimal("0.01"))


# --- words ----------------------------------------------------------------------------------------


def write_yes_or_no(value: bool) -> str:
    return "yes" if value else "no"


def yes_or_no(cell: str, default: bool) -> bool:
    text = cell.casefold()
    if text in {"yes", "true", "1", _("yes").casefold()}:
        return True
    if text in {"no", "false", "0", _("no").casefold()}:
        return False
    if text:
        raise ValidationError(_("“%(text)s” is neither yes nor no.") % _shown(cell))
    return default


def diet(cell: str) -> str:
    for value, label in Diet.choices:
        if cell.casefold() in {value.casefold(), str(label).casefold()}:
            return value
    raise ValidationError(_("“%(text)s” is not a diet: vegetarian, vegan or nothing.") % _shown(cell))


# --- times ----------------------------------------------------------------------------------------


def write_moment(moment: datetime | None) -> str:
    return "" if moment is None else f"{timezone.localtime(moment):%Y-%m-%d %H:%M}"


def moment(cell: str) -> datetime | None:
    if not cell:
        return None
    try:
        parsed = parse_datetime(cell)
    except ValueError:
        parsed = None
    if parsed is None:
        raise ValidationError(_("“%(text)s” is not a time such as 2026-05-31 18:00.") % _shown(cell))
    return parsed if timezone.is_aware(parsed) else timezone.make_aware(parsed)


def write_hours(opens: time | None, closes: time | None) -> str:
    if opens is None and closes is None:
        return ""
    return f"{opens or time.min:%H:%M}-" + ("24:00" if closes is None else f"{closes:%H:%M}")


def hours(cell: str) -> tuple[time | None, time | None]:
    if not cell:
        return None, None
    found = re.fullmatch(r"([0-9]{1,2})[:.]([0-9]{2})\s*[-–]\s*([0-9]{1,2})[:.]([0-9]{2})", cell)
    try:
        if found is None:
            raise ValueError
        first, second, third, fourth = map(int, found.groups())
        return time(first, second), None if (third, fourth) == (24, 0) else time(third, fourth)
    except ValueError as error:
        raise ValidationError(_("“%(text)s” are not hours such as 12:00-15:00.") % _shown(cell)) from error


def write_days(days: list[int]) -> str:
    """Runs of three and more are shortened: `Mon-Wed, Sat`."""
    if not days or set(days) == EVERY_DAY:
        return ""
    runs: list[list[int]] = []
    for day in sorted(set(days)):
        if runs and runs[-1][-1] == day - 1:
            runs[-1].append(day)
        else:
            runs.append([day])
    return ", ".join(
        f"{_DAYS[run[0]]}-{_DAYS[run[-1]]}" if len(run) > 2 else ", ".join(_DAYS[day] for day in run) for run in runs
    )


def days(cell: str) -> list[int]:
    if cell.casefold() in {"every day", _("every day").casefold()}:
        return []
    found: set[int] = set()
    parts = re.split("[,; ]+", re.sub(" ?[-–] ?", "-", " ".join(cell.split())))
    for part in filter(None, dict.fromkeys(parts)):  # each once, however often it is there
        first, _dash, last = part.partition("-")
        begin, end = _day(first, cell), _day(last or first, cell)
        found |= {day % 7 for day in range(begin, end + 1 if end >= begin else end + 8)}
    return [] if found == EVERY_DAY else sorted(found)


def _day(text: str, cell: str) -> int:
    names = {str(day.label).casefold(): int(day) for day in Weekday}
    short = {name.casefold(): day for day, name in enumerate(_DAYS)}
    word = text.casefold().removesuffix(".")
    if word in names:
        return names[word]
    if word[:3] in short and len(word) <= 9:
        return short[word[:3]]
    raise ValidationError(_("“%(text)s” are not days such as Mon-Fri or Sat, Sun.") % _shown(cell))


# --- allergens ------------------------------------------------------------------------------------


def write_declaration(declared: dict[str, str]) -> str:
    """Such as `contains milk, gluten; may contain nuts; free from eggs`."""
    declaration = Declaration.of(declared)
    parts = (
        (Presence.CONTAINS, declaration.contains),
        (Presence.MAY_CONTAIN, declaration.may_contain),
        (Presence.FREE, declaration.free),
    )
    return "; ".join(f"{_VERBS[presence]} {', '.join(these)}" for presence, these in parts if these)


def declaration(cell: str) -> dict[str, str]:
    """`free from the rest` declares what the cell does not name."""
    declared: dict[str, str] = {}
    rest = False
    for part in filter(None, dict.fromkeys(each.strip() for each in re.split(r"[;\n]", cell))):
        presence, names = _presence(part)
        for name in filter(None, dict.fromkeys(each.strip() for each in names.split(","))):
            if name.casefold() in {"the rest", "all the rest", "everything else"} and presence is Presence.FREE:
                rest = True
                continue
            allergen = _allergen(name)
            if declared.setdefault(allergen, presence.value) != presence.value:
                raise ValidationError(_("%(name)s is named twice.") % {"name": allergen})
    if rest:
        declared = {each: declared.get(each, Presence.FREE.value) for each in Allergen.values}
    return {each: declared[each] for each in Allergen.values if each in declared}


def _presence(part: str) -> tuple[Presence, str]:
    text = part.casefold()
    verbs = [(verb, presence) for presence, verb in _VERBS.items()]
    verbs += [(str(presence.label).casefold(), presence) for presence in Presence]
    for verb, presence in sorted(verbs, key=lambda each: -len(each[0])):
        if text.startswith(f"{verb} "):
            return presence, part[len(verb) :].lstrip(" :")
    sentence = _("“%(text)s” should begin with “contains”, “may contain” or “free from”.")
    raise ValidationError(sentence % _shown(part))


def _allergen(name: str) -> str:
    for value, label in Allergen.choices:
        if name.casefold() in {value, str(label).casefold()}:
            return value
    sentence = _("“%(name)s” is none of the allergens: %(known)s.")
    raise ValidationError(sentence % {"name": name[:_SHOWN], "known": ", ".join(Allergen.values)})
