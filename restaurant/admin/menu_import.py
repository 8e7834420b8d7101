"""What a file's rows would change on the menu, and changing it: one step, all or nothing."""

import hashlib
import json
import re
import uuid
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from import_export import fields, resources, widgets
from import_export.instance_loaders import BaseInstanceLoader
from import_export.resources import Diff
from tablib import Dataset

from restaurant.admin.menu_csv import COLUMNS
from restaurant.models import MenuItem
from restaurant.services import menu

_PRICES = (
    r"[0-9]+([.,][0-9]{1,2})?",
    r"[0-9]{1,3}(,[0-9]{3})+\.[0-9]{2}",
    r"[0-9]{1,3}(\.[0-9]{3})+,[0-9]{2}",
)


class MenuHasChanged(Exception):
    """Since the preview that was confirmed."""


@dataclass(frozen=True)
class Change:
    """What becomes of one column of an item. `old` is None where the item is new."""

    column: str
    old: str | None
    new: str


# --- cells ----------------------------------------------------------------------------------------


class PriceWidget(widgets.Widget):
    """`9.50` and `9,50` are the same; anything of which that can't be said is refused."""

    def clean(self, value: str, row: Any = None, **kwargs: Any) -> Decimal:
        text = "".join(value.split())
        if not text:
            raise ValueError(_("A price is needed, such as 9.50."))
        if not any(re.fullmatch(each, text, re.ASCII) for each in _PRICES):
            raise ValueError(_("“%(text)s” is not a price such as 9.50 or 9,50.") % {"text": value[:40]})
        whole, cents = re.fullmatch(r"(.*?)(?:[.,]([0-9]{1,2}))?", text).groups()  # type: ignore[union-attr]
        return Decimal(re.sub("[.,]", "", whole) + "." + (cents or "").ljust(2, "0"))

    def render(self, value: Decimal | None, obj: Any = None, **kwargs: Any) -> str:
        return "" if value is None else f"{value:.2f}"


class YesNoWidget(widgets.Widget):
    def clean(self, value: str, row: Any = None, **kwargs: Any) -> bool | None:
        text = value.casefold()
        if text in {"yes", "true", "1", _("yes").casefold()}:
            return True
        if text in {"no", "false", "0", _("no").casefold()}:
            return False
        if text:
            raise ValueError(_("“%(text)s” is neither yes nor no.") % {"text": value[:40]})
        return None

    def render(self, value: bool | None, obj: Any = None, **kwargs: Any) -> str:
        return "yes" if value else "no"


class _TextField(fields.Field):
    """Lines may end in another way in the file: that changes nothing."""

    def save(self, instance: MenuItem, row: dict[str, str], is_m2m: bool = False, **kwargs: Any) -> None:
        new, old = row[self.column_name], getattr(instance, self.attribute)
        if _one_way(new) != _one_way(old):
            setattr(instance, self.attribute, new)


def _one_way(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


# --- rows -----------------------------------------------------------------------------------------


class OnTheMenu(BaseInstanceLoader):
    """Finds a row's item by its id, or else by its name and category. Reads the menu once."""

    def __init__(self, resource: "MenuResource", dataset: Dataset | None = None) -> None:
        super().__init__(resource, dataset)
        self.by_id = {item.pk: item for item in MenuItem.objects.all()}
        self.by_name: dict[tuple[str, str], list[MenuItem]] = {}
        for item in self.by_id.values():
            self.by_name.setdefault((item.name, item.category), []).append(item)
        self.seen: dict[object, int] = {}

    def get_instance(self, row: dict[str, str]) -> MenuItem | None:
        """Raises ValidationError where it can't be said which item is meant."""
        given = row.get("id", "")
        found, key = self._by_id(given, row) if given else self._by_name(row)
        number = self.resource.number
        if self.seen.setdefault(key, number) != number:
            raise ValidationError(_("Row %(number)d is about the same item.") % {"number": self.seen[key]})
        return found

    def _by_id(self, given: str, row: dict[str, str]) -> tuple[MenuItem | None, object]:
        try:
            key = uuid.UUID(given)
        except ValueError as error:
            sentence = _("“%(id)s” is not an item's id. Leave it empty for a new item.") % {"id": given[:40]}
            raise ValidationError({"id": sentence}) from error
        found = self.by_id.get(key)
        if found is None and (row.get("name", ""), row.get("category", "")) in self.by_name:
            sentence = _("This item is on the menu with another id. Leave the id empty to change it.")
            raise ValidationError({"id": sentence})
        return found, found.pk if found else key

    def _by_name(self, row: dict[str, str]) -> tuple[MenuItem | None, object]:
        if "name" not in row or "category" not in row:
            raise ValidationError({"id": _("Without an id, the columns “name” and “category” are needed.")})
        name = (row["name"], row["category"])
        found = self.by_name.get(name, [])
        if len(found) > 1:
            sentence = _("%(number)d items have this name and category: say by the id which one is meant.")
            raise ValidationError(sentence % {"number": len(found)})
        return (found[0], found[0].pk) if found else (None, name if name[0] else object())


class Differences(Diff):
    """Columns as they were and as they will be; the library's own comparison needs inline styles."""

    def __init__(self, resource: "MenuResource", instance: MenuItem, new: bool) -> None:
        super().__init__(resource, instance, new)
        self.columns = [field.column_name for field in resource.get_import_fields()]

    def as_html(self) -> list[Change]:
        rows = zip(self.columns, self.left, self.right, strict=True)
        if self.new:
            return [Change(column, None, new) for column, _old, new in rows if new and column != "id"]
        return [Change(column, old, new) for column, old, new in rows if old != new]


class MenuResource(resources.ModelResource):
    """`expected` is the fingerprint of the preview that was confirmed: what would not do just that does nothing."""

    id = fields.Field(attribute="id", column_name="id")
    name = _TextField(attribute="name", column_name="name")
    description = _TextField(attribute="description", column_name="description")
    price = fields.Field(attribute="price", column_name="price", widget=PriceWidget())
    category = _TextField(attribute="category", column_name="category")
    image_url = _TextField(attribute="image_url", column_name="image_url")
    available = fields.Field(
        attribute="available", column_name="available", widget=YesNoWidget(), saves_null_values=False
    )

    class Meta:
        model = MenuItem
        fields = COLUMNS
        instance_loader_class = OnTheMenu
        clean_model_instances = True
        skip_unchanged = True
        use_transactions = True
        use_bulk = True

    def __init__(self, *, may_add: bool = False, may_change: bool = False, expected: str | None = None) -> None:
        super().__init__()
        self.may_add, self.may_change, self.expected = may_add, may_change, expected
        self.number = 0  # of the row in the file
        self.fingerprint = ""

    @classmethod
    def get_diff_class(cls) -> type[Diff]:
        return Differences

    def before_import(self, dataset: Dataset, **kwargs: Any) -> None:
        self.rows_in_file: list[int] = dataset.rows_in_file
        if self.expected is not None:
            menu.renew_version()  # other changes of the menu wait until this one is committed

    def before_import_row(self, row: dict[str, str], **kwargs: Any) -> None:
        self.number = self.rows_in_file[kwargs["row_number"] - 1]

    def get_instance(self, instance_loader: OnTheMenu, row: dict[str, str]) -> MenuItem | None:
        return instance_loader.get_instance(row)

    def init_instance(self, row: dict[str, str] | None = None) -> MenuItem:
        given = (row or {}).get("id")
        return MenuItem(id=uuid.UUID(given)) if given else MenuItem()

    def import_field(self, field: fields.Field, instance: MenuItem, row: Any, *args: Any, **kwargs: Any) -> None:
        if field.attribute != "id":
            super().import_field(field, instance, row, *args, **kwargs)

    def validate_instance(self, instance: MenuItem, import_validation_errors: Any = None, *args: Any) -> None:
        """As a form would, without asking the database about every row."""
        errors = dict(import_validation_errors or {})
        if instance.price is None and "price" not in errors:
            errors["price"] = ValidationError(_("A price is needed, such as 9.50."))
        try:
            instance.full_clean(exclude=set(errors), validate_unique=False, validate_constraints=False)
        except ValidationError as error:
            errors = error.update_error_dict(errors)
        if errors:
            raise ValidationError(errors)

    def before_save_instance(self, instance: MenuItem, row: Any, **kwargs: Any) -> None:
        if instance._state.adding and not self.may_add:
            raise ValidationError(_("You may not add items to the menu."))
        if not instance._state.adding and not self.may_change:
            raise ValidationError(_("You may not change items of the menu."))

    def bulk_create(self, using_transactions: bool, dry_run: bool, *args: Any, **kwargs: Any) -> None:
        if dry_run:
            self.create_instances.clear()
        super().bulk_create(using_transactions, dry_run, *args, **kwargs)

    def bulk_update(self, using_transactions: bool, dry_run: bool, *args: Any, **kwargs: Any) -> None:
        if dry_run:
            self.update_instances.clear()
        super().bulk_update(using_transactions, dry_run, *args, **kwargs)

    def after_import(self, dataset: Dataset, result: Any, **kwargs: Any) -> None:
        """Number the rows as the file does, and see whether this is what was confirmed. Raises MenuHasChanged."""
        numbers = self.rows_in_file
        for row, number in zip(result.rows, numbers, strict=True):
            row.number = number
        for invalid in result.invalid_rows:
            invalid.number = numbers[invalid.number - 1]
        # An item is told by its id; a new one has none yet, but its name.
        done = [
            [row.number, row.import_type, "" if row.is_new() else str(row.object_id), *map(str, row.diff or [])]
            for row in result.rows
        ]
        self.fingerprint = hashlib.sha256(json.dumps(done).encode()).hexdigest()
        if self.expected is not None and self.expected != self.fingerprint:
            raise MenuHasChanged
