"""Options, allergens, stock, order and categories in the menu's CSV file."""

import itertools
import sys
import time as clock_of_this_process
from datetime import UTC, datetime, time
from decimal import Decimal

import pytest

from restaurant.models import (
    Allergen,
    Category,
    ItemOptionGroup,
    MenuItem,
    MenuVersion,
    Option,
    OptionGroup,
    Station,
)
from restaurant.services import menu_import
from restaurant.services.menu_csv import Row
from tests.conftest import make_item
from tests.restaurant.admin.conftest import with_permissions
from tests.restaurant.admin.pages import (
    EXPORT,
    changes,
    confirm,
    exported,
    preview,
    refusals,
    totals,
    upload,
    words_of,
    written,
)

HEAD = "name,price,category,options\n"


def make_group(name: str, least: int, most: int, *choices: tuple) -> OptionGroup:
    group = OptionGroup.objects.create(name=name, min_choices=least, max_choices=most)
    for position, (choice, price, *more) in enumerate(choices, 1):
        values = more[0] if more else {}
        Option.objects.create(group=group, name=choice, price=Decimal(price), position=position, **values)
    return group


def attach(item: MenuItem, *groups: OptionGroup) -> None:
    for position, group in enumerate(groups):
        ItemOptionGroup.objects.create(item=item, group=group, position=position)


@pytest.fixture
def menu(db) -> list[MenuItem]:
    """Everything that a file can carry, with names made to hinder it."""
    grill = Station.objects.create(name="The grill", slug="the-grill")
    steak = make_item("Steak", "24.00", category="Grill", position=2, vat_rate=Decimal("7.50"), portions=6, cost="6.20")
    steak.allergens = {"milk": "contains", "gluten": "contains", "nuts": "may_contain", "eggs": "free"}
    steak.save()
    roast = make_item("Roast", "19.00", category="Grill", position=1, diet="vegan")
    tea = make_item("Tea", "3.00", category="", available=False)
    tea.sold_out_until = datetime(2031, 5, 31, 16, 5, 44, tzinfo=UTC)
    tea.allergens = dict.fromkeys(Allergen.values, "free")
    tea.save()
    Category.objects.filter(name="Grill").update(
        position=1, station=grill, vat_rate=Decimal("19.00"), weekdays=[0, 1, 2, 4], opens=time(18), closes=time(1)
    )
    Category.objects.filter(name="Other").update(opens=time(8, 30))
    done = make_group("How done?", 1, 1, ("rare", "0"), ("well done", "0", {"available": False}))
    sides = make_group(
        "Sides", 0, 2,
        ("chips", "3.50", {"allergens": {"celery": "may_contain"}}),
        ("7+1 [small], \"house\" (new); x|y: z #2", "4.00", {"allergens": {"milk": "contains"}, "available": False}),
        ("=SUM(A1)", "0"),
    )  # fmt: skip
    others = make_group("Sides", 1, 1, ("rice", "0"))
    odd = make_group('Milk: yes; or | no, "please" [1-2] #3', 0, 1, ("oat", "0.30"))
    attach(steak, done, sides)
    attach(roast, sides, odd)
    attach(tea, others)
    return [steak, roast, tea]


def everything() -> dict:
    def group(each: OptionGroup) -> tuple:
        choices = [(c.name, c.price, c.available, c.allergens) for c in each.choices.all()]
        return each.name, each.min_choices, each.max_choices, choices

    columns = ("id", "price", "category", "position", "vat_rate", "portions", "available", "diet", "allergens", "cost")
    items = {
        item.name: (
            *(getattr(item, column) for column in columns),
            item.sold_out_until and item.sold_out_until.replace(second=0),
            [group(each.group) for each in item.item_groups.all()],
        )
        for item in MenuItem.objects.all()
    }
    categories = {
        each.name: (each.position, str(each.station), each.vat_rate, each.weekdays, each.opens, each.closes)
        for each in Category.objects.all()
    }
    return {"items": items, "categories": categories, "groups": sorted(map(group, OptionGroup.objects.all()), key=str)}


# --- there and back -------------------------------------------------------------------------------


def test_what_was_exported_changes_nothing(manager, menu):
    before = everything()
    shown = upload(manager, manager.get(EXPORT).content).context
    assert totals(shown) == (0, 0, 3)
    assert (shown["plan"].groups, shown["plan"].categories, shown["confirm"]) == ([], [], None)
    rows = exported(manager)
    rows[0]["price"] = "18.00"
    confirm(manager, preview(manager, written(rows)))
    after = everything()
    assert after["items"].pop("Roast")[1] == Decimal("18.00")
    assert before["items"].pop("Roast")[1] == Decimal("19.00")
    assert after == before
    assert MenuItem.objects.get(name="Tea").sold_out_until.second == 44


def test_a_menu_that_was_lost_comes_back_with_all_that_it_had(manager, menu):
    file, before = manager.get(EXPORT).content, everything()
    for model in (MenuItem, OptionGroup, Category, Station):
        model.objects.all().delete()
    confirm(manager, preview(manager, file))
    assert everything() == before
    assert Station.objects.get().slug == "the-grill"
    assert totals(upload(manager, manager.get(EXPORT).content).context) == (0, 0, 3)


def test_the_cells_can_be_read(manager, menu):
    roast, steak, tea = exported(manager)  # in the menu's order
    assert steak["allergens"] == "contains gluten, milk; may contain nuts; free from eggs"
    assert steak["options"] == "How done? [1-1]: rare, well done (sold out) | Sides #1"
    assert roast["options"].startswith("Sides #1 [0-2]: chips +3.50 (may contain celery), ")
    assert tea["options"] == "Sides #2 [1-1]: rice"
    assert (steak["vat_rate"], steak["portions"], steak["position"], roast["diet"]) == ("7.5", "6", "2", "vegan")
    assert (steak["cost"], roast["cost"]) == ("6.20", "")
    assert (tea["available"], tea["sold_out_until"]) == ("no", "2031-05-31 16:05")
    assert {name: steak[f"category_{name}"] for name in ("position", "weekdays", "hours", "station", "vat_rate")} == {
        "position": "1", "weekdays": "Mon-Wed, Fri", "hours": "18:00-01:00", "station": "The grill", "vat_rate": "19",
    }  # fmt: skip
    assert tea["category_hours"] == "08:30-24:00"


@pytest.mark.parametrize("language", ["de", "pt-br"])
def test_the_file_is_the_same_in_every_language(manager, menu, written_in, language):
    before = manager.get(EXPORT).content
    written_in(language)
    assert manager.get(EXPORT).content == before
    assert totals(upload(manager, before).context) == (0, 0, 3)


# --- options --------------------------------------------------------------------------------------


def test_options_are_made_by_a_file_and_shared_by_their_name(manager, db):
    text = "How done [1]: rare, medium | Sides [0-2]: chips +3,50, salad +4 (contains nuts; sold out)"
    file = f'{HEAD}Steak,24,Mains,"{text}"\nChop,22,Mains,Sides; How done\n'
    shown = preview(manager, file)
    assert changes(shown)[1][2]["Options"] == (None, "Sides | How done")
    assert [(each.name, [(c.label, c.new) for c in each.changes]) for each in shown["plan"].groups] == [
        ("How done", [("Guests choose", "1–1"), ("New choice", "rare"), ("New choice", "medium")]),
        ("Sides", [("Guests choose", "0–2"), ("New choice", "chips +3.50"),
                   ("New choice", "salad +4.00 (sold out; contains nuts)")]),
    ]  # fmt: skip
    assert "2 groups of options changed" in words_of(confirm(manager, shown))
    chop, steak = MenuItem.objects.order_by("name")
    assert [str(each) for each in chop.item_groups.all()] == ["Sides", "How done"]
    assert [str(each) for each in steak.item_groups.all()] == ["How done", "Sides"]
    salad = Option.objects.get(name="salad")
    assert (salad.price, salad.available, salad.allergens) == (Decimal("4.00"), False, {"nuts": "contains"})


def test_a_change_of_options_is_shown_and_made_and_keeps_their_ids(manager, soup):
    group = make_group("Sides", 0, 1, ("chips", "3.50"), ("salad", "4"), ("peas", "2"))
    attach(soup, group)
    ids = dict(group.choices.values_list("name", "id"))
    before = MenuVersion.objects.get().number
    shown = preview(manager, f'{HEAD}Ribollita,9.50,Soups,"Sides [0-2]: salad +4, chips +3.80, rice"\n')
    assert totals(shown) == (0, 0, 1)
    assert [(each.label, each.old, each.new) for each in shown["plan"].groups[0].changes] == [
        ("Guests choose", "0–1", "0–2"),
        ("chips", "+3.50", "+3.80"),
        ("New choice", None, "rice"),
        ("Without", "peas +2.00", ""),
        ("Order", "chips, salad, peas", "salad, chips, rice"),
    ]
    confirm(manager, shown)
    assert list(group.choices.values_list("name", "price")) == [
        ("salad", Decimal("4.00")), ("chips", Decimal("3.80")), ("rice", Decimal("0.00")),
    ]  # fmt: skip
    assert dict(group.choices.exclude(name="rice").values_list("name", "id")).items() < ids.items()
    assert MenuVersion.objects.get().number > before


def test_an_empty_cell_takes_an_items_options_away_and_a_missing_column_does_not(manager, soup):
    attach(soup, make_group("Sides", 0, 1, ("chips", "3.50")))
    assert totals(preview(manager, "name,price,category\nRibollita,9.50,Soups\n")) == (0, 0, 1)
    shown = preview(manager, f"{HEAD}Ribollita,9.50,Soups,\n")
    assert changes(shown) == [(2, "Ribollita", {"Options": ("Sides", "")})]
    confirm(manager, shown)
    assert not soup.item_groups.exists()
    assert OptionGroup.objects.exists()


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("Sides", "There is no group of options named “Sides”"),
        ("Sides [0-2]", "after the numbers in brackets, please list the choices"),
        ("Sides [2-1]: chips", "at most can't be less than at least"),
        ("Sides [0-0]: chips", "at most can't be less than at least"),
        ("Sides [x]: chips", "can't be read as a group"),
        ("Sides: 7+1 roll", "“7+1 roll” can't be read as a choice"),
        ("Sides: chips +x", "can't be read as a choice"),
        ("Sides: chips, chips", "has the choice “chips” twice"),
        ("Sides: chips | Sides: chips", "“Sides” is named twice"),
        ("Sides: chips (contains cheese)", "“cheese” is none of the allergens: celery,"),
        ("Sides: chips (hot)", "should begin with “contains”"),
        ("Sides: chips +12345678", "no more than"),
        ("Sides: " + "x" * 101, "at most 100 characters"),
        ("Sides: " + ", ".join(map(str, range(41))), "has too many choices: at most 40"),
        (" | ".join(f"g{n}: a" for n in range(41)), "An item has at most 40 groups of options."),
        ("Sides: ,", "can't be read as a choice"),
        (": chips", "can't be read as a group"),
        ('Sides: "chips', "can't be read as a choice"),
        ("Twins", "There are several groups named “Twins”: write “Twins #1”"),
    ],
)
def test_options_that_make_no_sense_are_named_with_row_and_column(manager, soup, cell, words):
    make_group("Twins", 0, 1, ("a", "0")), make_group("Twins", 0, 1, ("b", "0"))
    quoted = cell.replace('"', '""')
    found = refusals(preview(manager, f'{HEAD}Ribollita,9.50,Soups,"{quoted}"\n'))
    assert found[2].startswith("Options: ")
    assert words in found[2]


def test_two_rows_that_describe_a_group_differently_are_both_named(manager, db):
    file = f"{HEAD}Steak,24,Mains,Sides: chips\nChop,22,Mains,Sides: salad\n"
    assert "Row 2 describes “Sides” in another way." in refusals(preview(manager, file))[3]


SPACES = "a" + " " * 590 + "b"


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        *(("options", cell) for cell in ("(" * 100_000, ":" * 100_000, "a " * 50_000, '"' * 100_000)),
        ("options", "x: " + "," * 100_000),
        ("options", "x: " + ", ".join(f"{n}{SPACES}" for n in range(40))),
        ("options", "|".join(f"{n}{SPACES}]" for n in range(40))),
        ("category_weekdays", "Mon" + " " * 100_000 + "Tue"),
        ("category_weekdays", "Mon," * 25_000),
        ("allergens", "contains milk;" * 7_000),
    ],
)
def test_a_cell_that_is_made_to_take_long_does_not(manager, soup, column, cell):
    began = clock_of_this_process.thread_time()
    quoted = cell.replace('"', '""')
    file = f'name,price,category,{column}\nRibollita,9.50,Soups,"{quoted}"\n'
    assert upload(manager, file).status_code == 200
    assert clock_of_this_process.thread_time() - began < 3


def test_twice_the_rows_with_groups_of_their_own_are_twice_the_work(db):
    def calls(rows: int) -> int:
        """How many functions are called to plan them."""
        cell = " | ".join(f"g{{0}}-{n}: a, b" for n in range(20))
        cells = [{"name": f"D{n}", "price": "1", "category": "C", "options": cell.format(n)} for n in range(rows)]
        counted = itertools.count()
        sys.setprofile(lambda *_event: next(counted))
        try:
            plan = menu_import.plan([Row(n, each) for n, each in enumerate(cells)], allowed=menu_import.Allowed())
        finally:
            sys.setprofile(None)
        assert len(plan.groups) == 20 * rows
        return next(counted)

    calls(1)  # what is done once in a process
    assert calls(60) < 2.05 * calls(30)


# --- the item's other columns ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "cell", "words"),
    [
        ("position", "first", "Position: “first” is not a whole number."),
        ("portions", "-1", "Portions left: “-1” is not a whole number."),
        ("cost", "-1", "Food cost: “-1” is not a price"),
        ("vat_rate", "lots", "VAT in percent: “lots” is not a VAT rate"),
        ("vat_rate", "101", "VAT in percent: Ensure this value is less than or equal to 100"),
        ("diet", "paleo", "Diet: “paleo” is not a diet"),
        ("allergens", "milk", "Allergens: “milk” should begin with “contains”"),
        ("allergens", "contains milk; free from milk", "Allergens: milk is named twice."),
        ("sold_out_until", "tomorrow", "Sold out until: “tomorrow” is not a time such as"),
        ("sold_out_until", "2026-13-45 10:00", "Sold out until: “2026-13-45 10:00” is not a time such as"),
        ("category_position", "x", "Position of the category: “x” is not a whole number."),
        ("category_weekdays", "Moonday", "Days of the category: “Moonday” are not days"),
        ("category_hours", "noon", "Hours of the category: “noon” are not hours"),
        ("category_hours", "25:00-26:00", "Hours of the category: “25:00-26:00” are not hours"),
        ("category_vat_rate", "200", "VAT of the category in percent: “200” is not a VAT rate"),
        ("category_station", "x" * 51, "Station of the category: A station's name has at most 50 letters."),
    ],
)
def test_a_cell_that_makes_no_sense_is_named_with_row_and_column(manager, soup, column, cell, words):
    found = refusals(preview(manager, f'name,price,category,{column}\nRibollita,9.50,Soups,"{cell}"\n'))
    assert words in found[2]


def test_cells_are_read_as_people_write_them(manager, soup):
    file = (
        "name;price;category;vat_rate;diet;allergens;category_weekdays;category_hours\n"
        'Ribollita;9,50;Soups;7,5 %;Vegan;"Contains Milk; free from the rest";Sat - Mon;9.00 – 24:00\n'
    )
    confirm(manager, preview(manager, file))
    soup.refresh_from_db()
    category = Category.objects.get(name="Soups")
    assert (soup.vat_rate, soup.diet) == (Decimal("7.50"), "vegan")
    assert soup.allergens == dict.fromkeys(Allergen.values, "free") | {"milk": "contains"}
    assert (category.weekdays, category.opens, category.closes) == ([0, 5, 6], time(9), None)


# --- categories -----------------------------------------------------------------------------------


def test_rows_that_contradict_each_other_about_their_category_are_both_named(manager, db):
    file = "name,price,category,category_position\nSteak,24,Mains,1\nTea,3,,\nChop,22,Mains,2\n"
    found = refusals(preview(manager, file))
    assert found == {4: "Position of the category: Row 2 says something else of the category “Mains”."}


def test_an_empty_cell_leaves_a_category_to_its_other_rows(manager, db):
    head = "name,price,category,category_position,category_station\n"
    shown = preview(manager, f"{head}Steak,24,Mains,,\nChop,22,Mains,2,Grill\nTea,3,,,\n")
    assert [each.name for each in shown["plan"].categories] == ["Mains"]
    page = words_of(upload(manager, f"{head}Steak,24,Mains,,\nChop,22,Mains,2,Pause\n"))
    assert "The kitchen gets a new station: Pause." in page
    assert "The menu gets a new category: Mains." in page
    confirm(manager, shown)
    mains = Category.objects.get(name="Mains")
    assert (mains.position, str(mains.station)) == (2, "Grill")
    shown = preview(manager, f"{head}Steak,24,Mains,2,\nChop,22,Mains,2,\n")
    assert [(each.label, each.old, each.new) for each in shown["plan"].categories[0].changes] == [
        ("Station of the category", "Grill", "")
    ]


def test_a_new_station_gets_an_address_of_its_own(manager, db):
    head = "name,price,category,category_station\n"
    confirm(manager, preview(manager, f"{head}Steak,24,Mains,Pause\nTea,3,Drinks,pausé\nCake,3,Cakes,吧台\n"))
    assert sorted(Station.objects.values_list("slug", flat=True)) == ["pause-2", "pause-3", "station"]


def test_who_may_not_change_categories_or_options_is_told_so(soup):
    person = with_permissions("view_menuitem", "add_menuitem", "change_menuitem")
    head = "name,price,category,options,category_position\n"
    found = refusals(preview(person, f"{head}Ribollita,9.50,Soups,Sides: chips,1\n"))
    assert found[2] in {"You may not change options.", "You may not change categories."}
    assert totals(preview(person, f"{head}Ribollita,9.60,Soups,,\n")) == (0, 1, 0)


def test_a_large_menu_is_imported_with_few_queries(manager, django_assert_max_num_queries):
    groups = [f"Group {n} [0-1]: a +1, b +2 (contains milk), c" for n in range(200)]
    file = "name,price,category,options,category_position\n" + "".join(
        f'Dish {n},{n},Category {n % 20},"{groups[n]}",{n % 20}\n' for n in range(200)
    )
    with django_assert_max_num_queries(20):
        shown = preview(manager, file)
    with django_assert_max_num_queries(150):
        confirm(manager, shown)
    assert (Option.objects.count(), ItemOptionGroup.objects.count()) == (600, 200)
    with django_assert_max_num_queries(20):
        manager.get(EXPORT)
