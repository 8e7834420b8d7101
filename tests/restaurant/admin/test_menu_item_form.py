"""One item's page: its picture, its allergens, and how long it is sold out."""

import io
import re
from datetime import UTC, datetime, timedelta

from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from PIL import Image

from restaurant.models import Allergen, Category, MenuItem, MenuVersion, Order, OrderingRules, Picture
from tests.conftest import make_item, make_table
from tests.reading import Part, read
from tests.restaurant.admin.pages import (
    MENU,
    form_of,
    main_form,
    page_of,
    switch_of,
    text_of,
    with_permissions,
    words_of,
)
from web.money_field import MoneyInput


def file_of(kind: str = "JPEG", size: tuple[int, int] = (1600, 900), name: str = "dish.jpg") -> SimpleUploadedFile:
    file = io.BytesIO()
    picture = Image.new("RGB", size, "firebrick")
    picture.paste("navy", (size[0] // 2, 0, *size))
    picture.save(file, kind)
    return SimpleUploadedFile(name, file.getvalue())


def save(client, item: MenuItem, **values):
    sent = form_of(client, page_of(item)) | values
    return client.post(page_of(item), {name: value for name, value in sent.items() if value is not None})


# --- pictures -------------------------------------------------------------------------------------


def test_a_picture_is_uploaded_cropped_described_and_removed(managers_browser, client, soup):
    before = MenuVersion.objects.get().number
    values = {"picture_file": file_of(), "picture_x": "0", "picture_description": "A bowl", "picture_zoom": "200"}
    assert save(managers_browser, soup, **values).status_code == 302
    soup.refresh_from_db()
    picture = soup.picture
    assert (picture.description, [each["width"] for each in picture.widths]) == ("A bowl", [176, 360])
    assert MenuVersion.objects.get().number > before
    shown = read(managers_browser.get(page_of(soup))).one("image", "A bowl")
    assert shown["width"] == "360"
    address = shown["src"]
    assert re.fullmatch(r"/pictures/\w+\.webp", address)
    served = Image.open(io.BytesIO(client.get(address).content))
    assert served.getpixel((355, 135))[0] > 100  # all of it is from the red left half

    save(managers_browser, soup, picture_description="A red bowl")
    assert Picture.objects.get().description == "A red bowl"
    save(managers_browser, soup, picture_file=file_of(size=(800, 600)))
    assert Picture.objects.get().width == 720
    assert Picture.objects.get().description == "A red bowl"
    save(managers_browser, soup, picture_remove="on")
    soup.refresh_from_db()
    assert soup.picture is None
    assert not Picture.objects.exists()
    assert client.get(address).status_code == 404


def test_a_new_item_may_come_with_its_picture(managers_browser):
    add = f"{MENU}add/"
    sent = form_of(managers_browser, add) | {"name": "Tea", "price": "3", "picture_file": file_of("AVIF")}
    assert managers_browser.post(add, sent).status_code == 302
    assert MenuItem.objects.get().picture.widths[-1]["width"] == 960


def test_a_file_that_is_no_picture_is_refused_and_the_rest_of_what_was_entered_stays(managers_browser, soup):
    for file, words in (
        (SimpleUploadedFile("a.png", b"\x89PNG\r\n\x1a\n" + b"\0" * 100), "This is not a picture"),
        (SimpleUploadedFile("a.jpg", b"<svg/>"), "SVG drawings are not taken."),
        (file_of("GIF"), "GIF pictures are not taken."),
        (SimpleUploadedFile("a.jpg", file_of(size=(900, 800)).read()[:-900]), "damaged or cut short"),
        (SimpleUploadedFile("a.jpg", b"\xff\xd8" + b"x" * (10 * 1024 * 1024)), "too large: at most 10 MB"),
    ):
        entered = {"description": "With kale.", "allergens-milk": "contains"}
        page = save(managers_browser, soup, picture_file=file, **entered)
        assert words in read(page)
        assert main_form(page).fields().items() >= entered.items(), words
    soup.refresh_from_db()
    assert (soup.picture, soup.description) == (None, "")


def test_a_body_that_is_too_large_is_refused_with_a_sentence(managers_browser, soup):
    file = SimpleUploadedFile("a.jpg", b"x" * 11 * 1024 * 1024)
    response = save(managers_browser, soup, picture_file=file)
    assert response.status_code == 413
    assert "This file is too large: at most 10 MB." in response.content.decode()


def test_a_link_wins_over_an_uploaded_picture(managers_browser, soup):
    save(managers_browser, soup, picture_file=file_of(), image_url="https://pictures.example/a.jpg")
    page = read(managers_browser.get(page_of(soup)))
    assert "https://pictures.example/a.jpg" in [each["src"] for each in page.all("image")]
    assert "wins over an uploaded picture" in page


def test_a_dish_can_be_seen_as_guests_see_it(managers_browser, soup):
    assert "View on site" not in words_of(managers_browser.get(page_of(soup)))  # there is no table yet
    make_table(7)
    make_table(3)
    address = f"/table/3/dishes/{soup.pk}"
    assert read(managers_browser.get(page_of(soup))).one("link", "View on site")["href"] == address
    assert "Ribollita" in words_of(managers_browser.get(address))
    MenuItem.objects.update(available=False)
    assert "Ribollita" in words_of(managers_browser.get(address))


def test_the_page_says_how_a_dish_sells(managers_browser, session, soup, bread):
    page = page_of(soup)
    assert "Not sold in the last 30 days." in words_of(managers_browser.get(page))
    for days, quantity in ((1, 2), (6, 1), (8, 4), (31, 9)):
        order = Order.objects.create(session=session, table=session.table, total=0, status="completed")
        Order.objects.filter(pk=order.pk).update(created_at=timezone.now() - timedelta(days=days))
        order.items.create(menu_item=soup, quantity=quantity, price=10)
    assert "Sold 7 in the last 30 days, for €70.00." in words_of(managers_browser.get(page))
    assert "Not sold" in words_of(managers_browser.get(page_of(bread)))
    assert "Sales" not in words_of(with_permissions("change_menuitem").get(page))


def signs_at(page: Part, name: str) -> tuple[str | None, str | None]:
    """What is to be seen right before a field and right after it."""
    around = page.field(name).element.getprevious(), page.field(name).element.getnext()
    before, after = (None if each is None else each.text for each in around)
    return before, after


def test_a_price_has_the_sign_of_its_currency(managers_browser, soup, settings, written_in):
    assert signs_at(read(managers_browser.get(page_of(soup))), "price") == ("€", None)
    settings.CURRENCY = "GBP"
    assert signs_at(read(managers_browser.get(page_of(soup))), "price") == ("£", None)
    written_in("en-de")
    assert signs_at(read(MoneyInput().render("price", "1")), "price") == (None, "£")


def test_a_rate_of_vat_stands_beside_what_counts_without_it(managers_browser, soup):
    page = read(managers_browser.get(page_of(soup)))
    assert "Included in the price. " in page
    OrderingRules.objects.update_or_create(pk=1, defaults={"default_vat_rate": "13.50"})
    assert "Included in the price; 13.5% unless you write another." in words_of(managers_browser.get(page_of(soup)))
    save(managers_browser, soup, new_category="Wine")
    Category.objects.filter(name="Wine").update(vat_rate="23.00")
    assert "Included in the price; 23% unless you write another." in words_of(managers_browser.get(page_of(soup)))
    save(managers_browser, soup, vat_rate="0")
    soup.refresh_from_db()
    assert soup.vat_rate == 0
    assert "that of its category unless you write another" in words_of(managers_browser.get(f"{MENU}add/"))


def test_a_picture_elsewhere_is_folded_until_there_is_one(managers_browser, soup):
    folded = ("details", "Picture from another website")
    assert read(managers_browser.get(page_of(soup))).one(*folded).get("open") is None
    save(managers_browser, soup, image_url="https://pictures.example/a.jpg")
    page = read(managers_browser.get(page_of(soup)))
    assert page.all(*folded) == []
    assert page.field("image_url")["value"] == "https://pictures.example/a.jpg"


# --- allergens ------------------------------------------------------------------------------------


def test_a_category_that_is_new_is_told_with_a_link_to_it(managers_browser, soup):
    """A typing error would make one without a word."""
    address = page_of(soup)
    assert "New category" not in words_of(
        managers_browser.post(address, form_of(managers_browser, address), follow=True)
    )
    page = managers_browser.post(address, form_of(managers_browser, address) | {"new_category": "Startes"}, follow=True)
    assert "New category “Startes” was made." in words_of(page)
    assert page_of(Category.objects.get(name="Startes")) in read(page).addresses()
    page = managers_browser.post(address, form_of(managers_browser, address) | {"category": ""}, follow=True)
    assert "New category" not in words_of(page)


def test_allergens_are_declared_and_nothing_becomes_free_by_itself(managers_browser, soup):
    save(
        managers_browser, soup, **{"allergens-milk": "contains", "allergens-nuts": "may_contain", "diet": "vegetarian"}
    )
    soup.refresh_from_db()
    assert (soup.allergens, soup.diet) == ({"milk": "contains", "nuts": "may_contain"}, "vegetarian")
    save(managers_browser, soup, description="With kale.")
    save(managers_browser, soup, **{"allergens-rest": "free", "allergens-milk": ""})
    soup.refresh_from_db()
    assert soup.allergens == dict.fromkeys(Allergen.values, "free") | {"nuts": "may_contain"}
    assert "allergens-rest" not in text_of(managers_browser.get(page_of(soup)))  # there is no rest


def test_an_old_page_does_not_undo_what_was_declared_since(managers_browser, soup):
    sent = form_of(managers_browser, page_of(soup))
    MenuItem.objects.update(allergens={"milk": "contains"}, portions=3)
    managers_browser.post(page_of(soup), sent | {"description": "With kale."})
    soup.refresh_from_db()
    assert (soup.description, soup.allergens, soup.portions) == ("With kale.", {"milk": "contains"}, 3)


# --- sold out -------------------------------------------------------------------------------------


def test_an_item_is_sold_out_until_a_time_or_until_its_portions_are_there(managers_browser, soup, clock):
    clock(datetime(2026, 5, 31, 12, tzinfo=UTC))
    save(managers_browser, soup, available=None, sold_out_until="2026-05-31T18:00")
    soup.refresh_from_db()
    assert soup.sold_out_until == datetime(2026, 5, 31, 18, tzinfo=UTC)
    assert "Ribollita: Sold out until 18:00" in words_of(managers_browser.get(MENU))
    clock(datetime(2026, 5, 31, 18, 1, tzinfo=UTC))
    assert "Ribollita: Available" in words_of(managers_browser.get(MENU))
    assert switch_of(managers_browser, soup)[1]["available"] == "no"
    save(managers_browser, soup, portions="0")
    assert "Ribollita: Sold out" in words_of(managers_browser.get(MENU))
    save(managers_browser, soup, portions="4", available="on")
    soup.refresh_from_db()
    assert (soup.available, soup.sold_out_until) == (True, None)
    assert "Ribollita: Available 4 left" in words_of(managers_browser.get(MENU))


def test_a_time_that_is_over_is_refused_and_one_that_was_set_with_seconds_stays(managers_browser, soup):
    page = words_of(save(managers_browser, soup, available=None, sold_out_until="2020-05-31T18:00"))
    assert "This time is over." in page
    until = datetime(2036, 5, 31, 18, 5, 44, tzinfo=UTC)
    MenuItem.objects.update(available=False, sold_out_until=until)
    save(managers_browser, soup, description="With kale.")
    soup.refresh_from_db()
    assert (soup.description, soup.sold_out_until) == ("With kale.", until)


def test_diets_begin_with_a_capital_as_other_choices_do(managers_browser, soup):
    offered = read(managers_browser.get(page_of(soup))).field("diet").all("option")
    assert [each["value"] for each in offered] == ["", "vegetarian", "vegan"]
    assert offered[2].text == "Vegan"


# --- what goes well with it -----------------------------------------------------------------------


def goes_with(client, item: MenuItem, *chosen: MenuItem):
    return save(client, item, goes_with=[str(each.pk) for each in chosen])


def test_up_to_three_dishes_are_named_as_going_well_with_it(managers_browser, soup):
    others = [make_item(name) for name in ("Bread", "Wine", "Salad", "Tea")]
    lists = read(managers_browser.get(page_of(soup))).all("field", re.compile("^Goes well with"))
    offered = ["Add a dish", "Bread", "Salad", "Tea", "Wine"]  # and not the dish itself
    assert [each.texts("option") for each in lists] == [offered] * 3
    before = MenuVersion.objects.get().number
    assert goes_with(managers_browser, soup, *others[:3]).status_code == 302
    assert set(soup.goes_with.all()) == set(others[:3])
    assert MenuVersion.objects.get().number > before
    chosen = read(managers_browser.get(page_of(soup))).lists()["goes_with"]
    assert set(chosen) == {str(each.pk) for each in others[:3]}
    save(managers_browser, soup, name="Minestrone", goes_with=[str(each.pk) for each in others[:3]])
    assert soup.goes_with.count() == 3
    assert list(others[0].goes_with.all()) == []
    save(managers_browser, soup, goes_with=["", "", str(others[1].pk)])
    assert list(soup.goes_with.all()) == [others[1]]
    save(managers_browser, soup, goes_with=["", "", ""])
    assert not soup.goes_with.exists()


def test_more_than_three_dishes_or_the_dish_itself_are_refused(managers_browser, soup):
    others = [make_item(name) for name in ("Bread", "Wine", "Salad", "Tea")]
    assert "At most 3 dishes." in words_of(goes_with(managers_browser, soup, *others))
    assert "Select a valid choice." in words_of(goes_with(managers_browser, soup, soup))
    assert not soup.goes_with.exists()


def test_a_dish_that_goes_well_with_others_can_be_deleted(managers_browser, soup):
    bread = make_item("Bread")
    soup.goes_with.add(bread)
    assert managers_browser.post(f"{page_of(bread).removesuffix('change/')}delete/", {"post": "yes"}).status_code == 302
    assert not soup.goes_with.exists()
    assert MenuItem.objects.get() == soup
