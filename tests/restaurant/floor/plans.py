"""What tests of `/floor/plan` share: its form, and what is stored of it."""

from django.test import Client

from restaurant.models import RoomFeature, Table
from tests.restaurant.ordering.forms import form_of

PLAN = "/floor/plan"
FEATURE = ("kind", "column", "row", "width", "height", "text")


def fields(page) -> dict[str, str]:
    """Those of the form, as a browser would send them."""
    return form_of(page, PLAN).fields()


def marked(page) -> list[str]:
    """The names of the fields that are wrong."""
    return [each["name"] for each in form_of(page, PLAN).all("field") if each.get("aria-invalid") == "true"]


def entered(form: dict[str, str]) -> dict[str, str]:
    """Without Django's token and the row for one more feature, which are others each time."""
    row = tuple(f"{name}-{blank(form)}" for name in FEATURE) if "" in kinds(form).values() else ()
    return {name: text for name, text in form.items() if name not in ("csrfmiddlewaretoken", *row)}


def opened(client: Client, section: str = "Window") -> dict[str, str]:
    return fields(client.get(PLAN, {"section": section}))


def blank(form: dict[str, str]) -> str:
    """The id of the row for one more feature."""
    return next(pk for pk, kind in kinds(form).items() if not kind)


def kinds(form: dict[str, str]) -> dict[str, str]:
    return {name[5:]: kind for name, kind in form.items() if name.startswith("kind-")}


def with_feature(form: dict[str, str], pk: str, text: str) -> dict[str, str]:
    """`text`: "bar,1,4,2,1,The bar"; empty takes it off."""
    values = zip(FEATURE, text.split(",", 5) if text else [""] * 6, strict=True)
    return form | {f"{name}-{pk}": value for name, value in values}


def features() -> dict[str, str]:
    return {str(pk): ",".join(map(str, rest)) for pk, *rest in RoomFeature.objects.values_list("pk", *FEATURE)}


def places() -> dict[int, tuple[int, int] | None]:
    rows = Table.objects.values_list("table_number", "plan_column", "plan_row")
    return {number: (column, row) if column else None for number, column, row in rows}


def put(form: dict[str, str], **at: str) -> dict[str, str]:
    """`t1="3,2"`: the form with table 1 there."""
    moved = dict(form)
    for name, place in at.items():
        moved[f"column-{name[1:]}"], moved[f"row-{name[1:]}"] = place.split(",")
    return moved


def seats() -> list[int | None]:
    return list(Table.objects.order_by("table_number").values_list("capacity", flat=True))
