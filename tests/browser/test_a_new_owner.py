"""From an empty installation to the first paid order with points: by links, forms and codes that are scanned."""

import re
import signal
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Page, expect

from tests import decoder
from tests.browser.conftest import Windows
from tests.browser.walk import look
from tests.servers import Installation, free_port

pytestmark = pytest.mark.browser

PASSWORD = "harbour lights at nine"
# As README says, without its questions.
FIRST_USER = f"""
import os
from django.core.management import call_command
os.environ["DJANGO_SUPERUSER_PASSWORD"] = {PASSWORD!r}
call_command("createsuperuser", username="owner", email="owner@example.com", interactive=False, verbosity=0)
"""
DISHES = [("Ribollita", "9.50", "Soups"), ("Tagliatelle al ragù", "14.00", "Pasta"), ("Panna cotta", "6.50", "Sweets")]


@pytest.fixture
def shop(tmp_path_factory, used):
    settings = {"EMAIL_URL": f"smtp://127.0.0.1:{free_port()}"}
    folder = tmp_path_factory.mktemp("new") / "d"
    made = Installation(folder, options=(), environment=settings).copy_data(used).start()
    made.shell(FIRST_USER)
    yield made
    made.stop(signal.SIGTERM)


@pytest.fixture
def windows(chromium, shop):
    opened = Windows(chromium, shop.base)
    yield opened
    for context in opened.contexts:
        context.close()


def sign_in(page: Page, base: str, username: str, password: str) -> None:
    page.goto(base)
    page.get_by_role("link", name="Staff sign-in").click()
    page.get_by_label("User name").fill(username)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


def step(page: Page, title: str, link: str) -> None:
    """Follow the link of the step that is next."""
    expect(page.locator("#progress")).to_contain_text(f"Next: {title}.")
    page.locator(".step-next").get_by_role("link", name=link).click()


def back(page: Page) -> None:
    """From the admin."""
    page.locator(".venue").click()
    page.get_by_role("link", name="Go on with the setup").click()


def save(page: Page, *fields: tuple[str, str], button: str = "Save") -> None:
    """A form of the admin."""
    for label, text in fields:
        page.get_by_label(f"{label}:", exact=True).fill(text)
    page.get_by_role("button", name=button, exact=True).click()


def scanned(page: Page, image: str) -> str:
    """Where the code in this picture leads, as a phone's camera reads it."""
    address = urljoin(page.url, page.locator(image).first.get_attribute("src"))
    png = page.context.request.get(address).body()
    return decoder.read(decoder.picture(png))


def name_and_menu(owner: Page) -> None:
    step(owner, "Name and look", "Name the restaurant")
    save(owner, ("Name", "Trattoria Sole"))
    back(owner)
    expect(owner.locator("#step-name")).to_contain_text("Trattoria Sole")
    step(owner, "Menu", "Add a dish")
    for number, (name, price, category) in enumerate(DISHES, 1):
        fields = ("Name", name), ("Price", price), ("Or a new category", category)
        save(owner, *fields, button="Save" if number == len(DISHES) else "Save and add another")
    back(owner)
    expect(owner.locator("#step-menu")).to_contain_text("3 dishes")


def tables_and_cards(owner: Page) -> str:
    """What table 3's card says to a phone."""
    step(owner, "Tables", "Add tables")
    owner.get_by_label("From number").fill("1")
    owner.get_by_label("To number").fill("5")
    owner.get_by_label("Seats at each").fill("4")
    owner.get_by_role("button", name="Add tables").click()
    expect(owner.get_by_role("status")).to_contain_text("Added: tables 1–5.")
    owner.get_by_role("link", name="Setup", exact=True).click()
    step(owner, "Table cards, which wait for the address", "Print the cards")
    card = scanned(owner, ".place img[alt='Code of table 3']")
    owner.locator(".masthead .venue").click()
    owner.get_by_role("link", name="Go on with the setup").click()
    owner.get_by_role("button", name="They are printed").click()
    return card


def send_a_test_mail(owner: Page) -> None:
    expect(owner.get_by_label("Your mail address")).to_have_value("owner@example.com")
    owner.get_by_role("button", name="Send a test mail").click()
    expect(owner.get_by_role("alert")).to_contain_text("Nobody listens at 127.0.0.1:")


def hire_a_waiter(owner: Page) -> str:
    """The password to pass on."""
    step(owner, "Staff", "Add staff")
    owner.get_by_label("Name", exact=True).fill("Dora Maar")
    owner.get_by_label("User name").fill("dora")
    owner.get_by_label("Floor").check()
    owner.get_by_role("button", name="Add", exact=True).click()
    password = owner.get_by_label("Password").input_value()
    owner.get_by_role("link", name="Done").click()
    owner.locator(".masthead .venue").click()
    owner.get_by_role("link", name="Go on with the setup").click()
    return password


def points_and_rewards(owner: Page) -> None:
    step(owner, "Points and rewards", "Add a location")
    save(owner, ("Name", "Trattoria Sole"))
    back(owner)
    step(owner, "Points and rewards", "Add a reward")
    owner.get_by_label("Type:", exact=True).select_option(label="free item")
    save(owner, ("Name", "Espresso"), ("Points required", "120"), ("What the guest gets", "Espresso"))
    back(owner)
    step(owner, "Points and rewards", "Choose the location")
    owner.get_by_label("Location for points").select_option(label="Trattoria Sole")
    save(owner)
    owner.locator(".venue").click()
    expect(owner.get_by_role("link", name="Go on with the setup")).to_have_count(0)
    owner.get_by_role("link", name="Setup", exact=True).click()


def order(guest: Page, card: str) -> None:
    guest.goto(card)
    expect(guest.get_by_role("heading", name="Table 3")).to_be_visible()
    guest.locator(".add").nth(0).tap()
    guest.locator(".add").nth(1).tap()
    expect(guest.locator("#cart-count")).to_have_text(re.compile("^2 items"))
    guest.locator("#cart-bar").tap()
    guest.get_by_role("button", name="Place order").tap()
    expect(guest.locator("#order")).to_be_visible()


def take_the_payment(waiter: Page, base: str, password: str) -> None:
    sign_in(waiter, base, "dora", password)
    for label in ("New password", "New password again"):
        waiter.get_by_label(label, exact=True).fill("lanterns at the pier")
    waiter.get_by_role("button", name="Save").click()
    waiter.get_by_role("link", name=re.compile("^Tables with guests")).click()
    waiter.locator("#tile-3 a").first.click()
    waiter.get_by_role("link", name=re.compile("[Bb]ill")).first.click()
    waiter.locator("[name=method][value=cash]").check()
    waiter.get_by_role("button", name="Take payment").click()
    expect(waiter.locator("#pay-name")).to_have_text("This bill is paid")


def enrol(guest: Page, base: str) -> str:
    """What the new card's code says to the till."""
    guest.goto(base)
    guest.get_by_role("link", name="Become a regular").tap()
    guest.get_by_label("Your name").fill("Ada")
    guest.get_by_label("Email").fill("ada@example.com")
    guest.get_by_role("button", name="Get my card").tap()
    expect(guest.locator("main")).to_contain_text("100")
    return scanned(guest, "main img")


def test_by_setup_alone(windows, shop):
    owner = windows.open(java_script_enabled=False)
    sign_in(owner, shop.base, "owner", PASSWORD)
    expect(owner).to_have_url(f"{shop.base}/setup")
    name_and_menu(owner)
    card = tables_and_cards(owner)
    send_a_test_mail(owner)
    windows.complaints.clear()  # of the refusal
    password = hire_a_waiter(owner)
    points_and_rewards(owner)
    expect(owner.locator("main")).to_contain_text("No phone can open this address yet.")
    beside = windows.open(storage_state=owner.context.storage_state())  # inspecting a page needs JavaScript
    beside.goto(owner.url)
    assert list(look(beside, widths=(320, 1280), dark=True)) == []

    guest, waiter = windows.phone(), windows.phone()
    order(guest, card)
    take_the_payment(waiter, shop.base, password)
    member = enrol(guest, shop.base)
    owner.get_by_role("link", name="Open the till").click()
    owner.goto(member)
    owner.get_by_label("Bill").fill("23.50")
    owner.get_by_role("button", name="Add points").click()
    expect(owner.locator(".result")).to_contain_text("New balance: 123")
    assert windows.complaints == []
