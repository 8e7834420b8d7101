"""The form on which staff take orders.

A dish has the field `quantity-<id>`, and `note-<id>` once it is chosen. One with choices has any number of variants,
each with a number of its own: `variant-<number>` is the dish's id, `variantQuantity-<number>`, `variantNote-<number>`
and `choice-<number>-<group's id>` are the rest. `later-<id>` and `variantLater-<number>` keep it for later.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from django.http import QueryDict

from restaurant.ordering.models import Order
from restaurant.ordering.services.cart import MAX_NOTE
from web.fields import FormText

_VARIANT = re.compile(r"variant-([0-9]{1,6})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Line:
    """Quantity as it was entered, note, and whether it is sent later."""

    quantity: str
    note: str
    later: bool = False


@dataclass(frozen=True, slots=True)
class Variant:
    """A dish with its choices. `choices`: their ids."""

    number: int
    item_id: str
    quantity: str
    note: str = ""
    choices: Sequence[str] = ()
    later: bool = False


@dataclass(frozen=True, slots=True)
class Entered:
    """What was entered, without what was left at 0. `simple`: by the item's id."""

    simple: Mapping[str, Line] = field(default_factory=dict)
    variants: Sequence[Variant] = ()
    allergies: Sequence[str] = ()

    @property
    def item_ids(self) -> list[str]:
        return list(dict.fromkeys((*self.simple, *(variant.item_id for variant in self.variants))))


def entered(form: QueryDict) -> Entered:
    simple = {
        item_id: Line(text.strip(), _note(form, f"note-{item_id}"), f"later-{item_id}" in form)
        for item_id, text in _quantities(form)
        if not _is_nothing(text)
    }
    numbers = sorted(int(match[1]) for match in map(_VARIANT.fullmatch, form) if match)
    variants = [
        Variant(
            number=number,
            item_id=form.get(f"variant-{number}", ""),
            quantity=form.get(f"variantQuantity-{number}", "1").strip(),
            note=_note(form, f"variantNote-{number}"),
            choices=[each for name in form if name.startswith(f"choice-{number}-") for each in form.getlist(name)],
            later=f"variantLater-{number}" in form,
        )
        for number in numbers
        if not _is_nothing(form.get(f"variantQuantity-{number}", "1"))
    ]
    return Entered(simple, variants, form.getlist("allergies"))


def _quantities(form: QueryDict) -> Iterator[tuple[str, str]]:
    for name, text in form.items():
        if name.startswith("quantity-"):
            yield name.removeprefix("quantity-"), str(text)


def again(order: Order) -> Entered:
    """What an order has once more, without what was cancelled of it."""
    simple: dict[str, Line] = {}
    variants = []
    for number, item in enumerate(each for each in order.items.all() if each.remaining):
        item_id, note = str(item.menu_item_id), item.special_instructions
        if item.options:
            choices = [option["id"] for option in item.options]
            variants.append(Variant(number, item_id, str(item.remaining), note, choices))
            continue
        before = simple.get(item_id, Line("0", ""))
        notes = " / ".join(filter(None, (before.note, note)))[:MAX_NOTE]
        simple[item_id] = Line(str(int(before.quantity) + item.remaining), notes)
    return Entered(simple, variants, order.allergies)


def items(entered: Entered) -> list[dict[str, Any]]:
    """The entries of an order as JSON would have them."""
    simple = [
        {
            "menuItemId": item_id,
            "quantity": FormText(line.quantity),
            "specialInstructions": line.note,
            "later": line.later,
        }
        for item_id, line in entered.simple.items()
    ]
    variants = [
        {
            "menuItemId": each.item_id,
            "quantity": FormText(each.quantity),
            "specialInstructions": each.note,
            "options": list(each.choices),
            "later": each.later,
        }
        for each in entered.variants
    ]
    return [*simple, *variants]


def sections(
    menu: Mapping[str, Sequence[Mapping[str, Any]]], entered: Entered, *, only_chosen: bool, another: str
) -> list[dict[str, Any]]:
    """The menu with what was entered. `another`: the id of a dish that gets one more variant."""
    found = []
    numbers = count(max((each.number for each in entered.variants), default=-1) + 1)
    for category, dishes in menu.items():
        shown = [_dish(each, entered, another, numbers) for each in dishes]
        if only_chosen:
            shown = [each for each in shown if each.get("quantity") or each["variants"]]
        if shown:
            found.append({"category": category, "dishes": shown})
    return found


def with_sold_out(sections: list[dict[str, Any]], off: Mapping[str, Sequence[str]]) -> list[dict[str, Any]]:
    """`off`: names by category. What guests ask for is found there, and said to be sold out."""
    shown = [{**section, "sold_out": off.get(section["category"], ())} for section in sections]
    known = {section["category"] for section in sections}
    others = [category for category in off if category not in known]
    return shown + [{"category": each, "dishes": [], "sold_out": off[each]} for each in others]


def _dish(dish: Mapping[str, Any], entered: Entered, another: str, numbers: Iterator[int]) -> dict[str, Any]:
    """`numbers`: for variants that have none yet."""
    variants = [each for each in entered.variants if each.item_id == dish["id"]]
    line = entered.simple.get(dish["id"])
    if not dish.get("options"):
        return {
            **dish,
            "variants": [],
            **({"quantity": line.quantity, "note": line.note, "later": line.later} if line else {}),
        }
    if line:
        variants.append(Variant(next(numbers), dish["id"], line.quantity, line.note, later=line.later))
    if another == dish["id"]:
        variants.append(Variant(next(numbers), dish["id"], "1"))
    return {**dish, "variants": [_variant(dish, each) for each in variants]}


def _variant(dish: Mapping[str, Any], variant: Variant) -> dict[str, Any]:
    groups = [
        {**group, "choices": [{**each, "is_chosen": each["id"] in variant.choices} for each in group["choices"]]}
        for group in dish["options"]
    ]
    chosen = {"quantity": variant.quantity, "note": variant.note, "later": variant.later}
    return {"number": variant.number, **chosen, "groups": groups}


def _is_nothing(text: str) -> bool:
    return re.fullmatch("0*", text.strip()) is not None


def _note(form: QueryDict, name: str) -> str:
    """Browsers send a line break as two characters, and count it as one."""
    return str(form.get(name, "")).replace("\r\n", "\n")
