"""The page of a dish, as a guest opens and sends it."""

from restaurant.models import CartLine, MenuItem
from tests.reading import Part, read


def page_of(phone, dish: MenuItem, query: str = "") -> Part:
    return read(phone.get(f"/table/7/dishes/{dish.pk}{query}"))


def can_add(page: Part) -> bool:
    """Whether the dish can be put into the cart."""
    return "specialInstructions" in page.fields()


def chosen_on(page: Part) -> set[str]:
    """The ids of the options that are ticked."""
    return {value for name, values in page.lists().items() if name.startswith("options.") for value in values}


def fields(item: MenuItem, *options, **more) -> dict:
    """What the form sends: radio buttons under a name of their group."""
    names = {}
    for option in options:
        names.setdefault(f"options.{option.group_id}", []).append(str(option.pk))
    return {"addDish": "1", "menuItemId": str(item.pk), "quantity": "1", "specialInstructions": "", **names, **more}


def line() -> tuple[str, set[str], int, str]:
    one = CartLine.objects.select_related("menu_item").get()
    return one.menu_item.name, set(map(str, one.options)), one.quantity, one.special_instructions
