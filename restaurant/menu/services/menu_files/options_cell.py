"""An item's options in one cell of a menu file.

    How done [1-1]: rare, medium, well done | Sides [0-2]: chips +3.50, salad +4.00 (contains milk; sold out)

A group's name alone refers to a group of the menu, or of another row. Names with a sign that has a meaning here are in
quotation marks. Groups of the same name are told apart by a number: `Sides #2`.
"""

import re
import uuid
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import pairwise

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from restaurant.menu.models import Option, OptionGroup
from restaurant.menu.services.menu_files.columns import DECLARATION, PRICE
from restaurant.menu.services.menu_files.local_words import written
from web.money import NOTHING, decimals, rounded

MAX_CELL = 100_000  # characters
MAX_GROUPS = 40  # of an item
MAX_CHOICES = 40  # of a group: the admin's form has 21 fields for each, and Django takes 1,000
_MAX_PIECE = 600
# What would be a choice for nothing, named "small -1.50" or "chips 3.50 €".
_AMOUNT = re.compile(r"\s[-−–]\s?[0-9][0-9.,]*\Z|[€£$¥]\s?[0-9]|[0-9]\s?[€£$¥]")
_SIGNS = re.compile(r'[\[\]():;,|+"#\n]')
# The possessive quantifiers give nothing back, so that a cell is read in one pass.
_WORD = r'[^"\[\](+#\s]++'
_NAME = rf'(?P<name>"(?:[^"]|"")*+"|{_WORD}(?:\s++{_WORD})*+)'
_BOUNDS = r"(?:\s*\[(?P<least>[0-9]{1,3})(?:\s*[-–]\s*(?P<most>[0-9]{1,3}))?\])?"
_HEAD = re.compile(_NAME + r"(?:\s*#(?P<number>[1-9][0-9]?))?" + _BOUNDS)
_CHOICE = re.compile(_NAME + r"(?:\s*\+\s*(?P<price>[0-9][0-9.,]*))?(?:\s*\((?P<notes>[^()]*)\))?")


@dataclass(frozen=True, slots=True)
class GroupEntry:
    """A group as a cell has it. `choices` is None where it is only referred to, `bounds` where they are left out."""

    name: str
    number: int | None  # of those of this name
    bounds: tuple[int, int] | None
    choices: list[Option] | None  # without their group

    @property
    def reference(self) -> str:
        return quoted(self.name) + (f" #{self.number}" if self.number else "")


# --- writing --------------------------------------------------------------------------------------


def write_groups(groups: Iterable[OptionGroup], references: dict[uuid.UUID, str], described: set[uuid.UUID]) -> str:
    """Return the cell of these groups, whose choices have to be prefetched.

    Those that rows before it have described it only refers to; the others are added to `described`.
    """
    texts = []
    for group in groups:
        reference = references[group.pk]
        texts.append(reference if group.pk in described else _group_text(group, reference))
        described.add(group.pk)
    return " | ".join(texts)


def write_names(groups: Iterable[OptionGroup], code: str, described: Collection[uuid.UUID]) -> str:
    """Return the cell with the names of these groups in another language, and those of choices not described yet."""
    names = [names_text(group, () if group.pk in described else group.choices.all(), code) for group in groups]
    return " | ".join(names) if any(names) else ""


def names_text(group: OptionGroup, choices: Iterable[Option], code: str) -> str:
    rows: list[OptionGroup | Option] = [group, *choices]
    name, *others = (quoted(written(each.words, code)) for each in rows)
    return f"{name}: {', '.join(others)}" if any(others) else name


def references_of(groups: Iterable[OptionGroup]) -> dict[uuid.UUID, str]:
    """Return the references by id. Groups of one name are numbered by their texts, so that files stay comparable."""
    by_name: defaultdict[str, list[OptionGroup]] = defaultdict(list)
    for group in groups:
        by_name[group.name].append(group)
    references = {}
    for name, namesakes in by_name.items():
        namesakes.sort(key=lambda group: (_group_text(group, quoted(group.name)), str(group.pk)))
        for number, group in enumerate(namesakes, 1):
            references[group.pk] = quoted(name) + (f" #{number}" if len(namesakes) > 1 else "")
    return references


def _group_text(group: OptionGroup, reference: str) -> str:
    choices = ", ".join(map(choice_text, group.choices.all()))
    return f"{reference} [{group.min_choices}-{group.max_choices}]: {choices}"


def choice_text(choice: Option) -> str:
    """Return the whole choice as a cell has it; equal for choices that differ in nothing but their position."""
    return f"{quoted(choice.name)} {choice_details(choice)}".strip()


def choice_details(choice: Option) -> str:
    notes = [] if choice.available else ["sold out"]
    if choice.allergens:
        notes.append(DECLARATION.write(choice.allergens))
    price = f"+{rounded(choice.price)}" if choice.price else ""
    return " ".join(filter(None, [price, f"({'; '.join(notes)})" if notes else ""]))


def quoted(name: str) -> str:
    """Return the name, in quotation marks where it needs them."""
    if _SIGNS.search(name) or _AMOUNT.search(name) or name != name.strip():
        doubled = name.replace('"', '""')
        return f'"{doubled}"'
    return name


# --- reading --------------------------------------------------------------------------------------


def read_groups(cell: str) -> list[GroupEntry]:
    """Raises ValidationError."""
    if len(cell) > MAX_CELL:
        raise ValidationError(_("This is too long: at most %(most)d characters.") % {"most": MAX_CELL})
    texts = [text for text in _split(cell, "|;\n") if text]
    if len(texts) > MAX_GROUPS:
        raise ValidationError(_("An item has at most %(most)d groups of options.") % {"most": MAX_GROUPS})
    groups = [_read_group(text) for text in texts]
    if twice := _first_repeated(group.reference for group in groups):
        raise ValidationError(_("“%(name)s” is named twice.") % {"name": twice})
    return groups


def read_names(cell: str) -> list[list[str]]:
    """Return the name of each group and those of its choices, empty ones too. Raises ValidationError.

    What else `options` says of them is passed over.
    """
    groups = []
    for text in _split(cell[:MAX_CELL], "|;\n"):
        head, *rest = _split(text, ":", most=1)
        choices = _with_whole_prices(_split(rest[0], ",")) if rest else []
        groups.append([_read_name(_HEAD, head), *(_read_name(_CHOICE, piece) for piece in choices)])
    return groups


def _read_name(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.fullmatch(text) if len(text) <= _MAX_PIECE else None
    if text and match is None:
        sentence = _("“%(text)s” can't be read as a name. One with a sign such as + or ( needs quotation marks.")
        raise ValidationError(sentence % {"text": text[:60]})
    return _unquoted(match["name"]) if match else ""


def _first_repeated(names: Iterable[str]) -> str | None:
    return next((name for name, count in Counter(names).items() if count > 1), None)


def _read_group(text: str) -> GroupEntry:
    head, *rest = _split(text, ":", most=1)
    match = _HEAD.fullmatch(head) if len(head) <= _MAX_PIECE else None
    if match is None:
        raise ValidationError(
            _("“%(text)s” can't be read as a group such as “Sides [0-2]: chips +3.50, salad +4.00”.")
            % {"text": text[:60]}
        )
    name = _unquoted(match["name"])
    number = int(match["number"]) if match["number"] else None
    bounds = None
    if match["least"]:
        bounds = (int(match["least"]), int(match["most"] or match["least"]))
        if not 1 <= bounds[1] >= bounds[0]:
            raise ValidationError(_("“%(name)s”: at most can't be less than at least, or 0.") % {"name": name})
    return GroupEntry(name, number, bounds, _read_choices(rest[0], name) if rest else None)


def _read_choices(text: str, group: str) -> list[Option]:
    choices = [_read_choice(piece, group) for piece in _with_whole_prices(_split(text, ","))]
    if len(choices) > MAX_CHOICES:
        sentence = _("“%(name)s” has too many choices: at most %(most)d.")
        raise ValidationError(sentence % {"name": group, "most": MAX_CHOICES})
    if twice := _first_repeated(choice.name for choice in choices):
        raise ValidationError(_("“%(name)s” has the choice “%(choice)s” twice.") % {"name": group, "choice": twice})
    return choices


def _read_choice(text: str, group: str) -> Option:
    match = _CHOICE.fullmatch(text) if len(text) <= _MAX_PIECE else None
    if match is None:
        sentence = _(
            "“%(name)s”: “%(text)s” can't be read as a choice such as “chips +3.50”. "
            "A name with a sign such as + or ( needs quotation marks."
        )
        raise ValidationError(sentence % {"name": group, "text": text[:60]})
    if _AMOUNT.search(match["name"]) and not match["name"].startswith('"'):
        sentence = _("“%(name)s”: what is “%(text)s”? A choice costs nothing or more, written “chips +3.50”; "
                     "a name with an amount needs quotation marks.")  # fmt: skip
        raise ValidationError(sentence % {"name": group, "text": text[:60]})
    notes = [note.strip() for note in (match["notes"] or "").split(";")]
    declared = [note for note in notes if note.casefold() not in {"sold out", _("sold out").casefold()}]
    return Option(
        name=_unquoted(match["name"]),
        price=PRICE.read(match["price"]) if match["price"] else NOTHING,
        available=declared == notes,
        allergens=DECLARATION.read("; ".join(declared)),
    )


def _split(text: str, separators: str, most: int | None = None) -> list[str]:
    """Split the text, at the first `most` separators that are not in quotation marks or parentheses."""
    outside = re.sub(r'"[^"]*"|\([^()]*\)', lambda match: "_" * len(match[0]), text)
    ends = [match.start() for match in re.finditer(f"[{separators}]", outside)][:most]
    return [text[before + 1 : end].strip() for before, end in pairwise([-1, *ends, len(text)])]


def _with_whole_prices(pieces: list[str]) -> list[str]:
    """Join pieces that were split at the comma between euros and cents."""
    joined: list[str] = []
    cents = rf"[0-9]{{{decimals() or 3}}}\s*(\(|$)"  # without cents it is the comma of a thousand
    for piece in pieces:
        if joined and re.search(r"\+\s*[0-9]{1,6}$", joined[-1][-12:]) and re.match(cents, piece):
            joined[-1] += f".{piece}"
        else:
            joined.append(piece)
    return joined


def _unquoted(name: str) -> str:
    return name[1:-1].replace('""', '"') if name.startswith('"') else name
