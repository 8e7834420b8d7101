"""The menu's words in several languages: guests read theirs, the kitchen and bills the venue's."""

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from lxml import html

from restaurant.models import Category, ClosedDay, MenuItem, Option, OptionGroup, TableSession
from tests.conftest import PAGE, make_item, order_body
from tests.restaurant.admin.pages import form_of, page_of
from tests.restaurant.menu.menus import add_group
from web import venue
from web.venue import Venue

GERMAN = {"accept": PAGE, "accept-language": "de"}
DISH = {"de": {"name": "Toskanische Suppe", "description": "Mit Schwarzkohl"}}


def offer(*languages: str) -> None:
    venue.remember(Venue(menu_languages=languages))


def test_guests_read_the_menu_in_their_language_and_else_as_it_was_written(client, table):
    offer("de", "fr")
    make_item("Ribollita", description="With kale", words=DISH)
    make_item("Minestrone")
    Category.objects.update(words={"de": {"name": "Suppen"}})
    page = html.fromstring(client.get("/table/7", headers=GERMAN).content)
    names = {name.text_content(): name.xpath(".//bdi/@lang") for name in page.xpath("//*[@class='item-name']")}
    assert names == {"Toskanische Suppe": [], "Minestrone": ["en-gb"]}
    assert "Mit Schwarzkohl" in page.text_content()
    assert [each.text_content() for each in page.xpath("//section/h2")] == ["Suppen"]
    french = client.get("/table/7", headers=GERMAN | {"accept-language": "fr"}).content.decode()
    assert '<bdi lang="en-gb">Ribollita</bdi>' in french
    offer("fr")  # German was struck off, and shows at once
    assert "Toskanische Suppe" not in client.get("/table/7", headers=GERMAN).content.decode()


def test_why_the_house_is_closed_is_marked_as_the_venue_has_written_it(client, table, soup):
    ClosedDay.objects.create(date=timezone.localdate(), reason="Wedding")
    assert '<bdi lang="en-gb">Wedding</bdi>' in client.get("/table/7", headers=GERMAN).content.decode()


def test_programs_read_it_in_the_language_that_they_ask_for(client, table):
    offer("de")
    steak = make_item("Steak", category="Grill", words={"de": {"name": "Rumpsteak"}})
    make_item("Chop", category="Coals", words={"de": {"name": "Kotelett"}})
    Category.objects.filter(name__in=["Grill", "Coals"]).update(words={"de": {"name": "Vom Grill"}})
    add_group(steak, "How done?", 1, 1, ("Rare", "0"))
    OptionGroup.objects.update(words={"de": {"name": "Wie gebraten?"}})
    Option.objects.update(words={"de": {"name": "blutig"}})
    assert set(client.get("/table/7").json()["menu"]) == {"Grill", "Coals"}
    answer = client.get("/table/7", headers={"accept-language": "de"})
    assert answer["Content-Language"] == "de"
    dishes = answer.json()["menu"]["Vom Grill"]  # two categories with one name there
    assert {dish["name"] for dish in dishes} == {"Rumpsteak", "Kotelett"}
    group = next(dish["options"][0] for dish in dishes if "options" in dish)
    assert (group["name"], group["choices"][0]["name"]) == ("Wie gebraten?", "blutig")


def test_a_draft_is_shown_to_guests_once_somebody_has_read_it(managers_browser, client, table, soup):
    offer("de")
    MenuItem.objects.update(words={"de": {"name": "Suppe", "drafts": ["name"]}, "tr": {"name": "Çorba"}})
    assert "Suppe" not in client.get("/table/7", headers=GERMAN).content.decode()
    sent = form_of(managers_browser, page_of(soup))
    assert (sent["words-de-name"], sent["words-de-drafts"]) == ("Suppe", "name")
    managers_browser.post(page_of(soup), sent | {"words-de-description": "Sehr heiß"})
    soup.refresh_from_db()
    assert soup.words["de"] == {"name": "Suppe", "description": "Sehr heiß", "drafts": ["name"]}
    managers_browser.post(page_of(soup), form_of(managers_browser, page_of(soup)) | {"words-de-read": "1"})
    soup.refresh_from_db()
    # Words in a language that the menu has no more are kept.
    assert soup.words == {"de": {"name": "Suppe", "description": "Sehr heiß"}, "tr": {"name": "Çorba"}}
    assert "Suppe" in client.get("/table/7", headers=GERMAN).content.decode()


def test_categories_and_options_have_words_beside_their_names(managers_browser, soup):
    offer("de")
    (choice,) = add_group(soup, "Size", 0, 1, ("Large", "2"))
    group, category = OptionGroup.objects.get(), Category.objects.get()
    for row, values in (
        (category, {"words-de-name": "Suppen"}),
        (group, {"words-de-name": "Größe", "choices-0-words-de-name": "groß"}),
    ):
        sent = form_of(managers_browser, page_of(row)) | values
        assert managers_browser.post(page_of(row), sent).status_code == 302
    read = [
        row.words["de"]["name"] for row in (Category.objects.get(), OptionGroup.objects.get(), Option.objects.get())
    ]
    assert read == ["Suppen", "Größe", "groß"]
    offer()
    assert "words-kept" not in form_of(managers_browser, page_of(category))
    assert choice.words == {}


def test_words_that_nobody_can_store_are_refused(managers_browser, soup):
    offer("de")
    for texts in ({"words-de-name": "a\0b"}, {"words-kept": '{"xx": {"name": "?"}}'}):
        answer = managers_browser.post(page_of(soup), form_of(managers_browser, page_of(soup)) | texts)
        assert "These words could not be read." in answer.content.decode()
        soup.refresh_from_db()
        assert soup.words == {}
    for kept in ('{"de": 5}', '{"de": {"name": "Suppe", "drafts": 5}}', '{"de": {"name": 5}}', "[[]]"):
        answer = managers_browser.post(page_of(soup), form_of(managers_browser, page_of(soup)) | {"words-kept": kept})
        assert answer.status_code in (200, 302), kept
        soup.refresh_from_db()
        assert soup.words == {}


def test_an_order_keeps_the_venues_words_and_shows_the_guest_theirs(client, table, floor):
    offer("de", "ja")
    steak = make_item("Steak", "24.00", words={"ja": {"name": "ステーキ"}, "de": {"name": "Rumpsteak"}})
    (rare,) = add_group(steak, "How done?", 1, 1, ("Rare", "0"))
    Option.objects.update(words={"ja": {"name": "レア"}})
    phone, japanese = Client(), {"accept": PAGE, "accept-language": "ja"}
    phone.get("/table/7", headers=japanese)
    entry = {"menuItemId": str(steak.pk), "quantity": 1, "options": [str(rare.pk)]}
    phone.post("/table/7/cart", entry | {"addDish": "1"}, headers=japanese)
    cart = phone.get("/table/7/cart", headers=japanese).content.decode()
    assert "ステーキ" in cart
    assert "レア" in cart
    placed = phone.post(
        "/table/7/order",
        order_body(TableSession.objects.get()) | {"items": [entry]},
        content_type="application/json",
        headers={"accept-language": "ja"},
    )
    assert placed.status_code == 200, placed.content.decode()
    placed = placed.json()
    assert (placed["items"][0]["name"], placed["items"][0]["options"][0]["name"]) == ("ステーキ", "レア")
    Option.objects.all().delete()  # it is not on the menu any more; the order shows it as it was
    here = f"/orders/{placed['orderId']}"
    for path in (here, "/table/7/bill"):
        page = phone.get(path, headers=japanese).content.decode()
        assert "ステーキ" in page, path
        assert "レア" in page, path
    assert set(phone.get(here).json()["items"][0]["options"][0]) == {"id", "name", "price"}
    # Staff read it as the kitchen does, whatever their language.
    kitchen = floor.get("/kitchen", headers={"accept-language": "de"}).json()
    assert "Steak" in str(kitchen)
    assert "Rumpsteak" not in str(kitchen)
    bill = floor.get("/table/7/bill", headers=GERMAN).content.decode()
    assert "Rare" in bill
    assert "Rumpsteak" not in bill
    # Under another name it is another dish.
    MenuItem.objects.update(name="Entrecôte")
    assert "ステーキ" not in phone.get(here, headers=japanese).content.decode()


def test_a_refused_order_names_dishes_in_the_language_of_the_guest(client, session):
    offer("de")
    steak = make_item("Steak", "24.00", portions=1, words={"de": {"name": "Rumpsteak"}})
    for count, total, status in ((2, 48.0, 400), (1, 20.0, 409)):  # too few portions, and another price
        body = order_body(session, (steak, count)) | {"expectedTotal": total}
        headers = {"accept-language": "de"}
        answer = client.post("/table/7/order", body, content_type="application/json", headers=headers)
        assert answer.status_code == status
        assert "Rumpsteak" in answer.content.decode()


def test_how_meat_is_done_is_in_the_language_of_the_guest_whatever_the_menu_has_words_in(session):
    steak = make_item("Steak", "24.00")
    done = add_group(steak, "How done?", 1, 1, ("Rare", "0"), ("Well done ", "0"), ("As grandma did", "0"))
    add_group(steak, "Size", 0, 1, ("Small", "0"), ("Medium", "2"))
    headers = {"accept-language": "fr"}
    phone, path = Client(), f"/table/7/dishes/{steak.pk}"
    groups = phone.get(path, headers=headers).json()["item"]["options"]
    names = [[choice["name"] for choice in group["choices"]] for group in groups]
    assert names == [["saignant", "bien cuit", "As grandma did"], ["Small", "Medium"]]
    body = order_body(session) | {"items": [{"menuItemId": str(steak.pk), "quantity": 1, "options": [str(done[0].pk)]}]}
    placed = phone.post("/table/7/order", body, content_type="application/json", headers=headers).json()
    assert placed["items"][0]["options"][0]["name"] == "saignant"
    english = phone.get(f"/orders/{placed['orderId']}", headers={"accept-language": "en"}).json()
    assert english["items"][0]["options"][0]["name"] == "Rare"


def test_the_menu_in_another_language_takes_no_more_queries(session):
    offer("de", "ja")
    for number in range(20):
        make_item(f"Soup {number}", words={code: {"name": f"{code} {number}"} for code in ("de", "ja")})
    counts = {}
    for language in ("fr", "en", "de", "ja"):  # the first is for what is read once
        with CaptureQueriesContext(connection) as queries:
            assert Client().get("/table/7", headers=GERMAN | {"accept-language": language}).status_code == 200
        counts[language] = len(queries)
    assert counts["en"] == counts["de"] == counts["ja"]
