from decimal import Decimal

import pytest

from restaurant.models import Allergen, ItemOptionGroup, MenuVersion, Option, OptionGroup
from tests.conftest import own_queries
from tests.reading import read
from tests.restaurant.admin.pages import GROUPS, form_of, found, page_of, text_of, words_of


def form(least: int, most: int, *choices: dict, **more) -> dict:
    """The form of a new group."""
    sent = {"name": "Sides", "min_choices": least, "max_choices": most, "choices-TOTAL_FORMS": len(choices),
            "choices-INITIAL_FORMS": 0}  # fmt: skip
    for number, choice in enumerate(choices):
        values = {"price": "0", "position": number + 1, "available": "on", **choice}
        sent |= {f"choices-{number}-{name}": value for name, value in values.items() if value is not None}
    return sent | more


def add(client, *of_form, **more):
    return client.post(f"{GROUPS}add/", form(*of_form, **more), follow=True)


@pytest.fixture
def sides(db) -> OptionGroup:
    group = OptionGroup.objects.create(name="Sides", min_choices=1, max_choices=2)
    for position, name in enumerate(("chips", "salad"), 1):
        Option.objects.create(group=group, name=name, position=position, price=Decimal("3.50"))
    return group


def test_a_group_is_made_with_its_choices(managers_browser):
    allergens = {"allergens-milk": "contains", "allergens-nuts": "may_contain", "allergens-fish": ""}
    response = add(
        managers_browser, 0, 2, {"name": "chips", "price": "3.50"}, {"name": "salad", "available": None, **allergens}
    )
    assert "was added successfully" in words_of(response)
    chips, salad = Option.objects.all()
    assert (chips.name, chips.price, chips.allergens) == ("chips", Decimal("3.50"), {})
    assert (salad.available, salad.position, salad.allergens) == (False, 2, {"milk": "contains", "nuts": "may_contain"})


def test_what_is_not_declared_becomes_free_by_a_box_of_its_own(managers_browser):
    add(managers_browser, 0, 1, {"name": "a", "allergens-milk": "contains", "allergens-rest": "free"}, {"name": "b"})
    first, second = Option.objects.all()
    assert first.allergens == dict.fromkeys(Allergen.values, "free") | {"milk": "contains"}
    assert second.allergens == {}


def test_a_forged_allergen_is_refused(managers_browser):
    page = words_of(add(managers_browser, 0, 1, {"name": "a", "allergens-milk": "perhaps"}))
    assert "Please choose one of the four for each allergen." in page
    assert not Option.objects.exists()


def test_numbers_that_make_no_sense_are_refused_and_those_that_can_not_be_met_are_warned_about(managers_browser, soup):
    page = words_of(add(managers_browser, 3, 2, {"name": "chips"}))
    assert "At most can't be less than at least." in page
    assert not OptionGroup.objects.exists()
    page = words_of(add(managers_browser, 2, 3, {"name": "chips"}, {"name": "salad", "available": None}))
    assert "at least 2 of “Sides”, but only 1 can be chosen" in page
    assert "“Sides” allows 3, but has 2" in page
    group = OptionGroup.objects.get()
    ItemOptionGroup.objects.create(item=soup, group=group)
    page = words_of(managers_browser.post(page_of(group), form_of(managers_browser, page_of(group)), follow=True))
    assert "“Ribollita” can't be ordered until there are enough." in page
    assert "2 to 3 can't be met" in words_of(managers_browser.get(GROUPS))
    assert found(managers_browser, GROUPS, met="no") == [group]
    Option.objects.update(available=True)
    assert found(managers_browser, GROUPS, met="no") == []


def test_rows_without_a_position_come_last_and_empty_rows_are_none(managers_browser, sides):
    sent = form_of(managers_browser, page_of(sides)) | {"choices-TOTAL_FORMS": 5}
    for number, entered in ((2, {"name": "rice"}), (3, {"name": "peas"}), (4, {})):
        values = {"price": "0", "position": "0", "available": "on", **entered}
        sent |= {f"choices-{number}-{name}": value for name, value in values.items()}
    assert managers_browser.post(page_of(sides), sent).status_code == 302
    assert list(sides.choices.values_list("name", flat=True)) == ["chips", "salad", "rice", "peas"]


def test_a_groups_page_says_in_a_sentence_how_many_guests_choose(managers_browser, sides):
    for least, most, sentence in (
        (0, 3, "Guests may choose up to 3."),
        (0, 1, "Guests may choose one."),
        (1, 1, "Guests choose one."),
        (2, 2, "Guests choose exactly 2."),
        (1, 3, "Guests choose 1 to 3."),
    ):
        OptionGroup.objects.update(min_choices=least, max_choices=most)
        assert sentence in words_of(managers_browser.get(page_of(sides))), (least, most)


def test_a_choices_allergens_are_named_in_short(managers_browser, sides):
    free = dict.fromkeys(Allergen.values, "free")
    for declared, words in (
        ({}, "Nothing declared"),
        (free, "Free from all 14"),
        ({"milk": "free"}, "Free from milk; 13 not declared"),
        (free | {"milk": "contains"}, "Contains milk"),
        (
            {"milk": "contains", "nuts": "may_contain", "fish": "free"},
            "Contains milk; may contain nuts; 11 not declared",
        ),
    ):
        Option.objects.filter(name="chips").update(allergens=declared)
        assert words in read(managers_browser.get(page_of(sides))).names("details"), words


def test_two_choices_of_one_name_are_refused(managers_browser, sides):
    assert "Please correct the duplicate" in words_of(add(managers_browser, 0, 1, {"name": "chips"}, {"name": "chips"}))
    sent = form_of(managers_browser, page_of(sides)) | {"choices-1-name": "chips"}
    assert "Please correct" in words_of(managers_browser.post(page_of(sides), sent))


def test_a_group_is_changed_and_says_who_uses_it(managers_browser, sides, soup):
    ItemOptionGroup.objects.create(item=soup, group=sides)
    assert f'href="{page_of(soup)}"' in text_of(managers_browser.get(page_of(sides)))
    assert "Sides 1 to 2 chips, salad Ribollita" in words_of(managers_browser.get(GROUPS))
    before = MenuVersion.objects.get().number
    sent = form_of(managers_browser, page_of(sides)) | {"choices-0-position": "2", "choices-1-position": "1",
                                               "choices-1-DELETE": "", "choices-0-price": "4.00"}  # fmt: skip
    assert managers_browser.post(page_of(sides), sent).status_code == 302
    assert list(sides.choices.values_list("name", "price")) == [
        ("salad", Decimal("3.50")),
        ("chips", Decimal("4.00")),
    ]
    assert MenuVersion.objects.get().number > before


def test_an_item_gets_groups_in_an_order(managers_browser, sides, soup):
    other = OptionGroup.objects.create(name="How done")
    sent = form_of(managers_browser, page_of(soup)) | {
        "item_groups-TOTAL_FORMS": 2,
        "item_groups-0-group": sides.pk, "item_groups-0-position": "2",
        "item_groups-1-group": other.pk, "item_groups-1-position": "1",
    }  # fmt: skip
    assert managers_browser.post(page_of(soup), sent).status_code == 302
    assert [each.group for each in soup.item_groups.all()] == [other, sides]


def test_a_longer_list_takes_no_more_queries(managers_browser, sides, soup):
    def number() -> int:
        with own_queries() as queries:
            managers_browser.get(GROUPS)
        return len(queries)

    few = number()
    for each in range(10):
        group = OptionGroup.objects.create(name=f"Group {each}")
        Option.objects.create(group=group, name="a")
        ItemOptionGroup.objects.create(item=soup, group=group)
    assert number() == few


def test_the_largest_group_can_be_saved(managers_browser, sides):
    for number in range(38):
        Option.objects.create(group=sides, name=f"choice {number}", position=number + 3)
    assert managers_browser.post(page_of(sides), form_of(managers_browser, page_of(sides))).status_code == 302
    assert sides.choices.count() == 40
