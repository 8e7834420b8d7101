"""An item's options in one cell of a menu's CSV file.

    How done [1-1]: rare, medium, well done | Sides [0-2]: chips +3.50, salad +4.00 (contains milk; sold out)

A group's name alone refers to a group of the menu, or of another row. Names with one of the signs that mean something
are in quotation marks. Groups of the same name are told apart by a number: `Sides #2`.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from restaurant.menu.models import OptionGroup
from restaurant.menu.services import menu_cells

MAX_CELL = 100_000  # characters
MAX_GROUPS = 40  # of an item
MAX_CHOICES = 40  # of a group: the admin's form has 21 fields for each, and Django takes 1,000
_MAX_PIECE = 600
_SIGNS = re.compile(r'[\[\]():;,|+"#\n]')
# Words and what stands between them: nothing that is taken is given back, so that a cell is read in one pass.
_WORD = r'[^"\[\](+#\s]++'
_NAME = rf'(?P<name>"(?:[^"]|"")*+"|{_WORD}(?:\s++{_WORD})*+)'
_BOUNDS = r"(?:\s*\[(?P<least>[0-9]{1,3})(?:\s*[-–]\s*(?P<most>[0-9]{1,3}))?\])?"
_HEAD = re.compile(_NAME + r"(?:\s*#(?P<number>[1-9][0-9]?))?" + _BOUNDS)
_CHOICE = re.compile(_NAME + r"(?:\s*\+\s*(?P<price>[0-9][0-9.,]*))?(?:\s*\((?P<notes>[^()]*)\))?")


@dataclass(frozen=True, slots=True)
class ChoiceText:
    name: str
    price: Decimal = Decimal("0.00")
    available: bool = True
    allergens: dict[str, str] = field(default_factory=dict)

    @property
    def details(self) -> str:
        notes = [] if self.available else ["sold out"]
        words = "; ".join([*notes, menu_cells.write_declaration(self.allergens)] if self.allergens else notes)
        return " ".join(filter(None, [f"+{self.price:.2f}" if self.price else "", f"({words})" if words else ""]))

    def __str__(self) -> str:
        return f"{_quoted(self.name)} {self.details}".strip()


@dataclass(frozen=True, slots=True)
class GroupText:
    """A group as a cell names it. `choices` is None where it is only referred to, `bounds` where they are left out."""

    name: str
    number: int | None = None  # of those of this name
    bounds: tuple[int, int] | None = None
    choices: tuple[ChoiceText, ...] | None = None

    @property
    def reference(self) -> str:
        return _quoted(self.name) + (f" #{self.number}" if self.number else "")

    def __str__(self) -> str:
        bounds = f" [{self.bounds[0]}-{self.bounds[1]}]" if self.bounds else ""
        choices = "" if self.choices is None else f": {', '.join(map(str, self.choices))}"
        return f"{self.reference}{bounds}{choices}"

    @classmethod
    def of(cls, group: OptionGroup, number: int | None = None) -> "GroupText":
        """Needs its choices to be prefetched."""
        choices = tuple(
            ChoiceText(each.name, each.price, each.available, each.allergens) for each in group.choices.all()
        )
        return cls(group.name, number, (group.min_choices, group.max_choices), choices)


def numbered(groups: list[OptionGroup]) -> dict[object, GroupText]:
    """By key, each as text. Groups of one name are numbered by what they say, so that files stay comparable."""
    by_name: dict[str, list[OptionGroup]] = {}
    for group in groups:
        by_name.setdefault(group.name, []).append(group)
    texts: dict[object, GroupText] = {}
    for same in by_name.values():
        same.sort(key=lambda group: (str(GroupText.of(group)), str(group.pk)))
        for number, group in enumerate(same, 1):
            texts[group.pk] = GroupText.of(group, number if len(same) > 1 else None)
    return texts


def write(groups: list[GroupText], written: set[str]) -> str:
    """`written`: the groups that rows before this one have described, to which those of this cell are added."""
    texts = []
    for group in groups:
        texts.append(group.reference if group.reference in written else str(group))
        written.add(group.reference)
    return " | ".join(texts)


# --- reading --------------------------------------------------------------------------------------


def read(cell: str) -> list[GroupText]:
    """Raises ValidationError."""
    if len(cell) > MAX_CELL:
        raise ValidationError(_("This is too long: at most %(most)d characters.") % {"most": MAX_CELL})
    texts = [each for each in _split(cell, "|;\n") if each]
    if len(texts) > MAX_GROUPS:
        raise ValidationError(_("An item has at most %(most)d groups of options.") % {"most": MAX_GROUPS})
    groups = [_group(each) for each in texts]
    if twice := _twice(group.reference for group in groups):
        raise ValidationError(_("“%(name)s” is named twice.") % {"name": twice})
    return groups


def _twice(names: Iterable[str]) -> str | None:
    """The first that comes more than once."""
    return next((name for name, count in Counter(names).items() if count > 1), None)


def _group(text: str) -> GroupText:
    head, *rest = _split(text, ":", most=1)
    found = _HEAD.fullmatch(head) if len(head) <= _MAX_PIECE else None
    if found is None:
        raise ValidationError(
            _("“%(text)s” can't be read as a group such as “Sides [0-2]: chips +3.50, salad +4.00”.")
            % {"text": text[:60]}
        )
    name = _unquoted(found["name"])
    bounds = None
    if found["least"]:
        bounds = (int(found["least"]), int(found["most"] or found["least"]))
        if not 1 <= bounds[1] >= bounds[0]:
            raise ValidationError(_("“%(name)s”: at most can't be less than at least, or 0.") % {"name": name})
    choices = tuple(_choice(each, name) for each in _prices_joined(_split(rest[0], ","))) if rest else None
    if len(choices or ()) > MAX_CHOICES:
        sentence = _("“%(name)s” has too many choices: at most %(most)d.")
        raise ValidationError(sentence % {"name": name, "most": MAX_CHOICES})
    if twice := _twice(each.name for each in choices or ()):
        raise ValidationError(_("“%(name)s” has the choice “%(choice)s” twice.") % {"name": name, "choice": twice})
    number = int(found["number"]) if found["number"] else None
    return GroupText(name, number, bounds, choices)


def _choice(text: str, group: str) -> ChoiceText:
    found = _CHOICE.fullmatch(text) if len(text) <= _MAX_PIECE else None
    if found is None:
        sentence = _(
            "“%(name)s”: “%(text)s” can't be read as a choice such as “chips +3.50”. "
            "A name with a sign such as + or ( needs quotation marks."
        )
        raise ValidationError(sentence % {"name": group, "text": text[:60]})
    available, notes = True, []
    for note in filter(None, (each.strip() for each in (found["notes"] or "").split(";"))):
        if note.casefold() in {"sold out", _("sold out").casefold()}:
            available = False
        else:
            notes.append(note)
    price = menu_cells.price(found["price"]) if found["price"] else Decimal("0.00")
    allergens = menu_cells.declaration("; ".join(notes)) if notes else {}
    return ChoiceText(_unquoted(found["name"]), price, available, allergens)


def _split(text: str, marks: str, most: int = -1) -> list[str]:
    """At these marks, unless in quotation marks or parentheses."""
    parts: list[str] = []
    depth, quoted, begin = 0, False, 0
    for place, letter in enumerate(text):
        if letter == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif letter == "(":
            depth += 1
        elif letter == ")":
            depth -= 1
        elif letter in marks and depth == 0 and len(parts) != most:
            parts.append(text[begin:place].strip())
            begin = place + 1
    return [*parts, text[begin:].strip()]


def _prices_joined(pieces: list[str]) -> list[str]:
    """A comma between euros and cents does not separate choices."""
    joined: list[str] = []
    for piece in pieces:
        if joined and re.search(r"\+\s*[0-9]{1,6}$", joined[-1][-12:]) and re.match(r"[0-9]{2}\s*(\(|$)", piece):
            joined[-1] += f".{piece}"
        else:
            joined.append(piece)
    return joined


def _quoted(name: str) -> str:
    if _SIGNS.search(name) or name != name.strip():
        doubled = name.replace('"', '""')
        return f'"{doubled}"'
    return name


def _unquoted(name: str) -> str:
    name = name.strip()
    return name[1:-1].replace('""', '"') if name.startswith('"') else name
