"""What is done on a page before it is looked at, by its name in tests/screenshots/pages.py."""

import io
import re
from collections.abc import Callable

from PIL import Image
from playwright.sync_api import Page, Response

from tests.screenshots import pages

REFUSED = {"nothing-here": 404, "no-such-table": 404, "no-such-code": 404, "till-code-used": 400}
OLIVES = "Nocellara Olives"


def open_page(page: Page, name: str, address: str, *, done: bool = True) -> Response:
    if name == "till":
        page.add_init_script(pages.CAMERA)
    page.context.set_offline(False)
    response = page.goto(address)
    assert response.status == REFUSED.get(name, 200), f"{name}: {response.status} {address}"
    if done and name in STEPS:
        STEPS[name](page)
    return response


def fill_cart(page: Page) -> None:
    """For this page, and for that of the cart."""
    for number, button in enumerate(page.locator(".category .add").all()[:3], 1):
        button.click()
        page.locator("#cart-count", has_text=f"{number} item").wait_for()


def begin_order(page: Page) -> None:
    """Staff take it: five dishes, and one with its choices."""
    chosen = {"Aperitivi": (0, 2, 2), "Bites & Small Plates": (1, 6), "Charcoal Grill": (2, 0)}
    for category, places in chosen.items():
        page.locator("#jumps a").get_by_text(category, exact=True).click()
        for place in places:
            page.locator(".add:visible").nth(place).click()
    page.locator(".variant .choice").first.click()


def add(page: Page, name: str) -> None:
    page.get_by_role("button", name=f"Add {name}", exact=True).click()


def remove_again(page: Page) -> None:
    add(page, OLIVES)
    page.get_by_role("button", name=f"Remove {OLIVES}").click()
    page.get_by_role("button", name="Undo").wait_for()


def open_sheet(page: Page) -> None:
    page.locator(".item", has_text="Flat Iron Steak").get_by_role("link", name=re.compile("^Add")).click()
    page.locator("#sheet .choice").first.wait_for()


def refuse_sheet(page: Page) -> None:
    open_sheet(page)
    page.get_by_role("button", name="Make your choice").click()
    page.locator("#sheet .group-error:visible").first.wait_for()


def choose_on_sheet(page: Page) -> None:
    open_sheet(page)
    for group in page.locator("#sheet fieldset").all():
        group.locator(".choice").first.click()
    page.get_by_text("What it's free from").click()


def call(page: Page) -> None:
    button = page.locator("button[name=kind]").first
    if not button.is_visible():
        page.locator("summary", has_text="Need something?").click()
    button.click()
    page.locator(".calls-sent").first.wait_for()


def place_order(page: Page) -> None:
    page.get_by_role("button", name="Place order").click()
    page.wait_for_url("**/orders/*")


def empty_cart(page: Page) -> None:
    add(page, OLIVES)
    page.locator("#cart-bar").click()
    page.get_by_role("button", name=f"Remove {OLIVES}").click()
    page.get_by_text("Your order is empty").wait_for()


def go_offline(page: Page) -> None:
    """Until the next page is opened."""
    page.context.set_offline(True)
    page.get_by_text(re.compile("offline|connection", re.IGNORECASE)).locator("visible=true").first.wait_for()


def unfold_all(page: Page) -> None:
    page.evaluate("document.querySelectorAll('main details').forEach((part) => { part.open = true; })")


def on_ticket(name: str) -> Callable[[Page], None]:
    def press_there(page: Page) -> None:
        page.wait_for_selector(".ticket")
        page.get_by_role("button", name=name).first.click()

    return press_there


def start(page: Page) -> None:
    """The bar that takes it back stands in the page: it would cover a button until one scrolls."""
    on_ticket("Start")(page)
    page.locator("#undo-bar").evaluate("(bar) => { bar.style.position = 'static'; }")


def on_tools(name: str) -> Callable[[Page], None]:
    """Of a kitchen display, which a phone has behind one button."""

    def press_there(page: Page) -> None:
        page.wait_for_selector(".ticket")
        page.get_by_role("button", name="Tools").click()
        page.get_by_role("button", name=re.compile(f"^{name}")).locator("visible=true").first.click()

    return press_there


def refuse_dish(page: Page) -> None:
    page.get_by_role("searchbox").fill("Flat Iron Steak")
    page.get_by_role("button", name=re.compile("^Add Flat Iron Steak")).click()
    page.get_by_role("button", name="Done").locator("visible=true").click()
    page.get_by_role("alert").locator("visible=true").first.wait_for()


def open_running(page: Page) -> None:
    begin_order(page)
    page.get_by_role("button", name="This order").click()


def share_bill(page: Page) -> None:
    page.get_by_text("Divide", exact=True).click()
    page.get_by_role("button", name="3", exact=True).click()
    page.get_by_role("radio", name="2 of 3").check()
    page.get_by_label("Cash").check()


def send(page: Page, button: str, answer: str) -> None:
    """Until the page has come that says this."""
    page.get_by_role("button", name=button, exact=True).click()
    page.get_by_text(answer).locator("visible=true").first.wait_for()
    page.wait_for_load_state()


def ask_for_points(amount: str, answer: str) -> Callable[[Page], None]:
    def ask(page: Page) -> None:
        page.locator("#orderTotal").fill(amount)
        send(page, "Add points", answer)

    return ask


def give_many_points(page: Page) -> None:
    ask_for_points("625.90", "€625.90?")(page)
    page.get_by_role("button", name=re.compile("^Give")).click()
    page.get_by_role("button", name="Undo").wait_for()
    page.wait_for_load_state()


def press(name: str) -> Callable[[Page], None]:
    return lambda page: page.get_by_role("button", name=name).first.click()


def save_account(name: str, answer: str) -> Callable[[Page], None]:
    def save(page: Page) -> None:
        page.get_by_label("Name").fill(name)
        send(page, "Save", answer)

    return save


def sign_up_wrongly(page: Page) -> None:
    page.get_by_label("Your name").fill("Ada")
    page.get_by_label("Email").fill("ada@nowhere")
    send(page, "Get my card", "Enter a valid email address.")


def add_staff(username: str, answer: str) -> Callable[[Page], None]:
    def hire(page: Page) -> None:
        if not page.get_by_label("Name", exact=True).is_visible():
            page.get_by_text("Add somebody").click()
        page.get_by_label("Name", exact=True).fill("Benedetta Maria Grazia Montanari-Castellucci della Rovere")
        page.get_by_label("User name", exact=True).fill(username)
        page.get_by_role("checkbox", name="Floor Kitchen, tables, orders").check()
        send(page, "Add", answer)

    return hire


def add_tables(page: Page) -> None:
    for label, number in (("From number", "901"), ("To number", "903"), ("Seats at each", "4")):
        page.get_by_label(label).fill(number)
    send(page, "Add tables", "Added: tables")


def choose_file(page: Page, field: str, name: str, kind: str, content: bytes) -> None:
    page.set_input_files(field, {"name": name, "mimeType": kind, "buffer": content})


def preview_import(page: Page) -> None:
    rows = "name;price;category;available\nA dish with a long name that has to wrap;12,50;;no\n"
    choose_file(page, "[name=import_file]", "menu.csv", "text/csv", rows.encode())
    page.get_by_role("button", name="Show what would change").click()
    page.get_by_role("button", name="Confirm import").wait_for()


def crop(page: Page) -> None:
    file = io.BytesIO()
    Image.new("RGB", (2000, 600), "firebrick").save(file, "JPEG")
    choose_file(page, "#id_picture_file", "dish.jpg", "image/jpeg", file.getvalue())
    page.locator(".crop-view").wait_for()


def change_price(page: Page) -> None:
    page.locator("#id_form-0-price").fill("8.75")


STEPS: dict[str, Callable[[Page], object]] = {
    "menu": fill_cart,
    "staff-order": begin_order,
    "floor-plan": lambda page: page.locator(".spot").last.click(),
    "kitchen": lambda page: page.wait_for_selector(".ticket"),
    "station": lambda page: page.wait_for_selector(".ticket"),
    "menu-searched": lambda page: page.get_by_role("searchbox").fill("no such dish"),
    "menu-allergies": lambda page: page.locator("#filter summary").click(),
    "menu-removed": remove_again,
    "sheet": open_sheet,
    "sheet-refused": refuse_sheet,
    "sheet-chosen": choose_on_sheet,
    "cart-noted": lambda page: page.locator("summary", has_text="Note").first.click(),
    "cart-called": call,
    "order-placed": place_order,
    "cart-emptied": empty_cart,
    "sign-up-refused": sign_up_wrongly,
    "order-called": call,
    "order-offline": go_offline,
    "bill-equally": lambda page: page.get_by_role("radio", name="Equally").check(),
    "bill-together": lambda page: page.get_by_role("radio", name="Together").check(),
    "account-saved": save_account("Ada King", "Your details are saved."),
    "account-refused": save_account(" ", "Nothing was saved."),
    "redeem-another": lambda page: page.get_by_text("One more for").click(),
    "sign-in-shown": press("Show the password"),
    "header-needs": lambda page: page.locator("[popovertarget=shell-needs]").click(),
    "header-person": lambda page: page.locator("[popovertarget=shell-person]").click(),
    "header-places": press("Go to another place"),
    "floor-unfolded": unfold_all,
    "floor-table-unfolded": unfold_all,
    "cancel-order-unfolded": unfold_all,
    "staff-order-searched": lambda page: page.get_by_role("searchbox").fill("nothing like it"),
    "staff-order-refused": refuse_dish,
    "staff-order-running": open_running,
    "sold-out-opened": lambda page: page.locator("summary:visible", has_text="Take off").first.click(),
    "kitchen-dialog": on_ticket("Sold out or cancel…"),
    "kitchen-recall": on_tools("Recall"),
    "kitchen-sold-out": on_tools("Sold out"),
    "kitchen-started": start,
    "till-refused": ask_for_points("1,234", "without a thousands separator"),
    "till-question": ask_for_points("625.90", "€625.90?"),
    "till-added": give_many_points,
    "bill-shared": share_bill,
    "staff-refused": add_staff("FLOOR", "Somebody has this user name already"),
    "staff-password": add_staff("benedetta", "Copy the password"),
    "tables-added": add_tables,
    "admin-menu-changed": change_price,
    "admin-menu-previewed": preview_import,
    "admin-dish-cropped": crop,
    "admin-choice-removed": lambda page: page.locator("[name$=-DELETE]").first.check(),
}
