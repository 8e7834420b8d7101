"""The admin's pages about the restaurant: their addresses, and what is read and done there."""

import csv
import io
import re

from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tests.conftest import browser_of
from tests.reading import Part, read

MENU = reverse("admin:restaurant_menuitem_changelist")
CATEGORIES = reverse("admin:restaurant_category_changelist")
GROUPS = reverse("admin:restaurant_optiongroup_changelist")
HOURS = reverse("admin:restaurant_openinghours_changelist")
STATIONS = reverse("admin:restaurant_station_changelist")
PRINTERS = reverse("admin:restaurant_printer_changelist")
DOCKETS = reverse("admin:restaurant_printjob_changelist")
IMPORT = reverse("admin:restaurant_menuitem_import")
CONFIRM = reverse("admin:restaurant_menuitem_process_import")
EXPORT = reverse("admin:restaurant_menuitem_export")
TABLES = reverse("admin:restaurant_table_changelist")
ORDERS = reverse("admin:restaurant_order_changelist")
SESSIONS = reverse("admin:restaurant_tablesession_changelist")


def with_permissions(*codenames: str) -> Client:
    user = User.objects.create_user("somebody")
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    return browser_of(user)


def page_of(row) -> str:
    return reverse(f"admin:restaurant_{row._meta.model_name}_change", args=[row.pk])


def text_of(response) -> str:
    assert response.status_code == 200, response.status_code
    return response.content.decode()


def words_of(response) -> str:
    return read(text_of(response)).text


def found(client: Client, address: str, **by) -> list:
    """The rows that a list shows."""
    response = client.get(address, by)
    assert response.status_code == 200, response.headers
    return list(response.context["cl"].result_list)


def act(client: Client, address: str, action: str, *chosen, **more):
    data = {"action": action, "_selected_action": [str(each.pk) for each in chosen], "index": 0}
    return client.post(address, data | more, follow=True)


# --- the menu's form ------------------------------------------------------------------------------


def form_of(client: Client, address: str) -> dict[str, str]:
    """What a browser would send of the page's main form, its submit buttons left out."""
    return main_form(client.get(address)).fields()


def main_form(page: HttpResponse) -> Part:
    forms = read(page).all("form")
    return next(form for form in forms if (form.get("id") or "").endswith(("changelist-form", "_form")))


def switch_of(client: Client, item, **by) -> tuple[str, dict[str, str]]:
    """Where the item's button in the list sends its form, and what."""
    button = read(client.get(MENU, by)).one("button", re.compile(f"^{item.name}: "))
    return button["formaction"], {"available": button["value"]}


# --- files ----------------------------------------------------------------------------------------


def upload(client: Client, content: str | bytes, name: str = "menu.csv"):
    data = content if isinstance(content, bytes) else content.encode()
    return client.post(IMPORT, {"import_file": SimpleUploadedFile(name, data, "text/csv")})


def preview(client: Client, content: str | bytes):
    """The context of the page: `plan`, and `confirm`, the text that the confirming form sends."""
    response = upload(client, content)
    assert response.status_code == 200
    assert not response.context["form"].errors, response.context["form"].errors
    return response.context


def changes(shown) -> list[tuple]:
    """(row, name, {column: (old, new)}) of each row that would change something."""
    return [
        (change.row.number, change.instance.name, {cell.label: (cell.old, cell.new) for cell in change.changes})
        for change in shown["plan"].items
    ]


def totals(shown) -> tuple[int, int, int]:
    """New, changed and unchanged items."""
    plan = shown["plan"]
    return len(plan.new_items), len(plan.changed_items), plan.unchanged


def refusals(shown) -> dict[int, str]:
    return {refusal.row.number: " ".join(refusal.sentences) for refusal in shown["plan"].refusals}


def confirm(client: Client, shown, **changed):
    return client.post(CONFIRM, {"file": shown["confirm"], **changed}, follow=True)


def exported(client: Client, **by) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(client.get(EXPORT, by).content.decode("utf-8-sig"), newline="")))


def written(rows: list[dict[str, str]], delimiter: str = ",") -> str:
    file = io.StringIO()
    writer = csv.DictWriter(file, rows[0], delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()
