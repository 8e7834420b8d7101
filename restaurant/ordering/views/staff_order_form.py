"""The form on which staff take orders.

A dish has the field `quantity-<id>`, and `note-<id>` once it is chosen. One with choices has any number of variants,
each with a number of its own: `variant-<number>` is the dish's id, `variantQuantity-<number>`, `variantNote-<number>`
and `choice-<number>-<group's id>` are the rest. `course-<id>` and `variantCourse-<number>` are courses, 0 at once;
`later` keeps all for later.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from restaurant.ordering.models import Order
from restaurant.ordering.services.cart import MAX_NOTE
from web.fields import FormText

_VARIANT = re.compile(r"variant-([0-9]{1,6})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Line:
    """A dish as it was entered. One with choices is a variant: it has a `number`, and the ids of its `choices`."""

    item_id: str
    quantity: str
    note: str = ""
    course: str = ""  # empty: that of its category
    number: int | None = None
    choices: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Entered:
    """The dishes and allergies that were entered, without dishes that were left at 0."""

    lines: Sequence[Line]
    allergies: Sequence[str]


def entered(form: QueryDict) -> Entered:
    simple = [
        Line(
            item_id=item_id,
            quantity=form.get(f"quantity-{item_id}", "").strip(),
            note=_note(form, f"note-{item_id}"),
            course=form.get(f"course-{item_id}", ""),
        )
        for item_id in (name.removeprefix("quantity-") for name in form if name.startswith("quantity-"))
    ]
    variants = [
        Line(
            item_id=form.get(f"variant-{number}", ""),
            quantity=form.get(f"variantQuantity-{number}", "1").strip(),
            note=_note(form, f"variantNote-{number}"),
            course=form.get(f"variantCourse-{number}", ""),
            number=number,
            choices=[choice for name in form if name.startswith(f"choice-{number}-") for choice in form.getlist(name)],
        )
        for number in sorted(int(match[1]) for match in map(_VARIANT.fullmatch, form) if match)
    ]
    chosen = [line for line in (*simple, *variants) if not re.fullmatch("0*", line.quantity)]
    return Entered(chosen, form.getlist("allergies"))


def again(order: Order) -> Entered:
    """The dishes of an order, to be ordered once more, without those that were cancelled."""
    simple: dict[str, Line] = {}
    variants = []
    for number, item in enumerate(item for item in order.items.all() if item.remaining):
        item_id, note, course = str(item.menu_item_id), item.special_instructions, str(item.course or 0)
        if item.options:
            choices = [option["id"] for option in item.options]
            variants.append(Line(item_id, str(item.remaining), note, course, number, choices))
            continue
        before = simple.get(item_id, Line(item_id, "0"))
        notes = " / ".join(filter(None, (before.note, note)))[:MAX_NOTE]
        simple[item_id] = Line(item_id, str(int(before.quantity) + item.remaining), notes, course)
    return Entered([*simple.values(), *variants], order.allergies)


def items(entered: Entered) -> list[dict[str, Any]]:
    """The entries of an order in the shape of JSON."""
    return [
        {
            "menuItemId": line.item_id,
            "quantity": FormText(line.quantity),
            "specialInstructions": line.note,
            "options": list(line.choices),
            **({"course": FormText(line.course)} if line.course else {}),
        }
        for line in entered.lines
    ]


def _note(form: QueryDict, name: str) -> str:
    """Browsers send a line break as two characters, and count it as one."""
    return str(form.get(name, "")).replace("\r\n", "\n")
