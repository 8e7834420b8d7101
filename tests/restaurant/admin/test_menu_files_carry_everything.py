"""Options, allergens, stock, order and categories in the menu's CSV file."""

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
from tests.conftest import make_item
from tests.restaurant.admin.pages import (
    EXPORT,
    IMPORT,
    changes,
    confirm,
    exported,
    preview,
    refusals,
    totals,
    upload,
    with_permissions,
    words_of,
    written,
)
from web import venue
from web.venue import Venue

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
    offer("de", "ar")
    MenuItem.objects.filter(pk=steak.pk).update(words={
        "de": {"name": "Rumpsteak; (rosa)", "description": "=1", "drafts": ["description"]}, "ar": {"name": "ستيك"},
        "ja": {"name": "ステーキ"},
    })  # fmt: skip
    Category.objects.filter(name="Grill").update(words={"de": {"name": "Vom Rost", "drafts": ["name"]}})
    OptionGroup.objects.filter(pk__in=[sides.pk, odd.pk]).update(
        words={"de": {"name": "Bei: lagen", "drafts": ["name"]}}
    )
    Option.objects.filter(name__in=["oat", "well done"]).update(words={"de": {"name": "|,+ «x»"}, "tr": {"name": "x"}})
    return [steak, roast, tea]


def offer(*languages: str) -> None:
    venue.remember(Venue(menu_languages=languages))


def in_menu(words: dict) -> dict:
    """The words in the menu's languages, which are what a file has."""
    return {code: own for code, own in words.items() if code in {"de", "ar"}}


def everything() -> dict:
    def group(each: OptionGroup) -> tuple:
        choices = [(c.name, c.price, c.available, c.allergens, in_menu(c.words)) for c in each.choices.all()]
        return each.name, each.min_choices, each.max_choices, choices, in_menu(each.words)

    columns = ("id", "price", "category", "position", "vat_rate", "portions", "available", "diet", "allergens", "cost")
    items = {
        item.name: (
            *(getattr(item, column) for column in columns),
            item.sold_out_until and item.sold_out_until.replace(second=0),
            [group(each.group) for each in item.item_groups.all()],
            in_menu(item.words),
        )
        for item in MenuItem.objects.all()
    }
    categories = {
        each.name: (
            each.position,
            str(each.station),
            each.vat_rate,
            each.weekdays,
            each.opens,
            each.closes,
            in_menu(each.words),
        )
        for each in Category.objects.all()
    }
    return {"items": items, "categories": categories, "groups": sorted(map(group, OptionGroup.objects.all()), key=str)}


# --- there and back -------------------------------------------------------------------------------


def test_what_was_exported_changes_nothing(managers_browser, menu):
    before = everything()
    shown = upload(managers_browser, managers_browser.get(EXPORT).content).context
    assert totals(shown) == (0, 0, 3)
    assert (shown["plan"].groups, shown["plan"].categories, shown["confirm"]) == ([], [], None)
    rows = exported(managers_browser)
    rows[0]["price"] = "18.00"
    confirm(managers_browser, preview(managers_browser, written(rows)))
    after = everything()
    assert after["items"].pop("Roast")[1] == Decimal("18.00")
    assert before["items"].pop("Roast")[1] == Decimal("19.00")
    assert after == before
    assert MenuItem.objects.get(name="Tea").sold_out_until.second == 44
    assert MenuItem.objects.get(name="Steak").words["ja"] == {"name": "ステーキ"}
    assert Option.objects.get(name="oat").words["tr"] == {"name": "x"}


def test_a_menu_that_was_lost_comes_back_with_all_that_it_had(managers_browser, menu):
    file, before = managers_browser.get(EXPORT).content, everything()
    for model in (MenuItem, OptionGroup, Category, Station):
        model.objects.all().delete()
    confirm(managers_browser, preview(managers_browser, file))
    assert everything() == before
    assert Station.objects.get().slug == "the-grill"
    assert totals(upload(managers_browser, managers_browser.get(EXPORT).content).context) == (0, 0, 3)


def test_the_cells_can_be_read(managers_browser, menu):
    roast, steak, tea = exported(managers_browser)  # in the menu's order
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


def test_the_file_is_the_same_in_every_language(managers_browser, menu, written_in):
    before = managers_browser.get(EXPORT).content
    for language in ("en-de", "en-se"):
        written_in(language)
        assert managers_browser.get(EXPORT).content == before, language
        assert totals(upload(managers_browser, before).context) == (0, 0, 3), language


# --- options --------------------------------------------------------------------------------------


def test_options_are_made_by_a_file_and_shared_by_their_name(managers_browser, db):
    text = "How done [1]: rare, medium | Sides [0-2]: chips +3,50, salad +4 (contains nuts; sold out)"
    file = f'{HEAD}Steak,24,Mains,"{text}"\nChop,22,Mains,Sides; How done\n'
    shown = preview(managers_browser, file)
    assert changes(shown)[1][2]["Options"] == (None, "Sides | How done")
    assert [(each.instance.name, [(c.label, c.new) for c in each.changes]) for each in shown["plan"].groups] == [
        ("How done", [("Guests choose", "1–1"), ("New choice", "rare"), ("New choice", "medium")]),
        ("Sides", [("Guests choose", "0–2"), ("New choice", "chips +3.50"),
                   ("New choice", "salad +4.00 (sold out; contains nuts)")]),
    ]  # fmt: skip
    assert "2 groups of options changed" in words_of(confirm(managers_browser, shown))
    chop, steak = MenuItem.objects.order_by("name")
    assert [str(each) for each in chop.item_groups.all()] == ["Sides", "How done"]
    assert [str(each) for each in steak.item_groups.all()] == ["How done", "Sides"]
    salad = Option.objects.get(name="salad")
    assert (salad.price, salad.available, salad.allergens) == (Decimal("4.00"), False, {"nuts": "contains"})


def test_a_change_of_options_is_shown_and_made_and_keeps_their_ids(managers_browser, soup):
    group = make_group("Sides", 0, 1, ("chips", "3.50"), ("salad", "4"), ("peas", "2"))
    attach(soup, group)
    ids = dict(group.choices.values_list("name", "id"))
    before = MenuVersion.objects.get().number
    shown = preview(managers_browser, f'{HEAD}Ribollita,9.50,Soups,"Sides [0-2]: salad +4, chips +3.80, rice"\n')
    assert totals(shown) == (0, 0, 1)
    assert [(each.label, each.old, each.new) for each in shown["plan"].groups[0].changes] == [
        ("Guests choose", "0–1", "0–2"),
        ("chips", "+3.50", "+3.80"),
        ("New choice", None, "rice"),
        ("Without", "peas +2.00", ""),
        ("Order", "chips, salad, peas", "salad, chips, rice"),
    ]
    confirm(managers_browser, shown)
    assert list(group.choices.values_list("name", "price")) == [
        ("salad", Decimal("4.00")), ("chips", Decimal("3.80")), ("rice", Decimal("0.00")),
    ]  # fmt: skip
    assert dict(group.choices.exclude(name="rice").values_list("name", "id")).items() < ids.items()
    assert MenuVersion.objects.get().number > before


def test_an_empty_cell_takes_an_items_options_away_and_a_missing_column_does_not(managers_browser, soup):
    attach(soup, make_group("Sides", 0, 1, ("chips", "3.50")))
    assert totals(preview(managers_browser, "name,price,category\nRibollita,9.50,Soups\n")) == (0, 0, 1)
    shown = preview(managers_browser, f"{HEAD}Ribollita,9.50,Soups,\n")
    assert changes(shown) == [(2, "Ribollita", {"Options": ("Sides", "")})]
    confirm(managers_browser, shown)
    assert not soup.item_groups.exists()
    assert OptionGroup.objects.exists()


def test_two_rows_that_describe_a_group_differently_are_both_named(managers_browser, db):
    file = f"{HEAD}Steak,24,Mains,Sides: chips\nChop,22,Mains,Sides: salad\n"
    assert "Row 2 describes “Sides” in another way." in refusals(preview(managers_browser, file))[3]


# --- the item's other columns ---------------------------------------------------------------------


def test_cells_are_read_as_people_write_them(managers_browser, soup):
    file = (
        "name;price;category;vat_rate;diet;allergens;category_weekdays;category_hours\n"
        'Ribollita;9,50;Soups;7,5 %;Vegan;"Contains Milk; free from the rest";Sat - Mon;9.00 – 24:00\n'
    )
    confirm(managers_browser, preview(managers_browser, file))
    soup.refresh_from_db()
    category = Category.objects.get(name="Soups")
    assert (soup.vat_rate, soup.diet) == (Decimal("7.50"), "vegan")
    assert soup.allergens == dict.fromkeys(Allergen.values, "free") | {"milk": "contains"}
    assert (category.weekdays, category.opens, category.closes) == ([0, 5, 6], time(9), None)


# --- words in other languages ---------------------------------------------------------------------


def test_words_in_other_languages_come_by_a_file(managers_browser, soup):
    offer("de", "fr")
    attach(soup, make_group("Sides", 0, 1, ("chips", "3.50"), ("salad", "4")))
    file = (
        "name,price,category,options,name_de,Beschreibung (DE),category:de,options:de,category:FR\n"
        'Ribollita,9.50,Soups,Sides,Eintopf,Mit Kohl,Suppen,"Beilagen [0-1]: Pommes +3,50, Salat (sold out)",\n'
        'Goulash,8,Soups,"Sides | Hot [1]: yes, no",Gulasch,,,"|: ja,",Soupes\n'
    )
    shown = preview(managers_browser, file)
    assert changes(shown)[0][2] == {"Name: Deutsch": ("", "Eintopf"), "Description: Deutsch": ("", "Mit Kohl")}
    assert [(each.label, each.old, each.new) for each in shown["plan"].groups[1].changes] == [
        ("Options: Deutsch", "", "Beilagen: Pommes, Salat")
    ]
    confirm(managers_browser, shown)
    soup.refresh_from_db()
    assert soup.words == {"de": {"name": "Eintopf", "description": "Mit Kohl"}}
    assert Category.objects.get().words == {"de": {"name": "Suppen"}, "fr": {"name": "Soupes"}}
    assert {each.name: each.words.get("de", {}).get("name") for each in OptionGroup.objects.all()} == {
        "Sides": "Beilagen", "Hot": None
    }  # fmt: skip
    assert dict(Option.objects.values_list("name", "words__de__name")) == {
        "chips": "Pommes", "salad": "Salat", "yes": "ja", "no": None
    }  # fmt: skip
    assert totals(upload(managers_browser, managers_browser.get(EXPORT).content).context) == (0, 0, 2)
    # Without the column `options` they are those of the menu, and an empty cell takes an item's words away.
    file = "name,category,name:de,options:de\nRibollita,Soups,,Dazu\nGoulash,Soups,Gulasch,\n"
    confirm(managers_browser, preview(managers_browser, file))
    soup.refresh_from_db()
    assert soup.words == {"de": {"description": "Mit Kohl"}}
    assert OptionGroup.objects.get(name="Sides").words == {"de": {"name": "Dazu"}}
    assert Option.objects.get(name="chips").words == {"de": {"name": "Pommes"}}


def test_a_draft_is_read_once_a_file_has_it_without_its_mark(managers_browser, soup):
    offer("de")
    MenuItem.objects.update(
        words={"de": {"name": "Suppe", "description": "Mit Kohl", "drafts": ["name", "description"]}}
    )
    (row,) = exported(managers_browser)
    assert (row["name:de"], row["description:de"]) == ("[draft] Suppe", "[draft] Mit Kohl")
    for own, draft in (
        ({"name:de": "Suppe"}, {"drafts": ["description"]}),
        ({"name:de": "[Draft] Eintopf", "description:de": "Mit Kohl"}, {"drafts": ["name"]}),
        ({"name:de": "Eintopf", "description:de": "Mit Kohl"}, {}),
    ):
        confirm(managers_browser, preview(managers_browser, written([row | own])))
        soup.refresh_from_db()
        assert {name: text for name, text in soup.words["de"].items() if name == "drafts"} == draft, own
    assert soup.words["de"] == {"name": "Eintopf", "description": "Mit Kohl"}


def test_words_that_fit_nothing_are_refused_with_a_sentence(managers_browser, soup):
    offer("de")
    attach(soup, make_group("Sides", 0, 1, ("chips", "3.50"), ("salad", "4")))
    head = "name,price,category,name:de,category:de,options:de\n"
    other = make_item("Goulash", category="Soups")
    attach(other, OptionGroup.objects.get())
    for cells, sentence in (
        ("Ribollita,9,Soups,,,A | B\n", "Options: Deutsch: The item has another number of groups: 1, not 2."),
        ('Ribollita,9,Soups,,,"A: b, c, d"\n', "“Sides” has another number of choices: 2, not 3."),
        ("Ribollita,9,Soups,,,a (b\n", "“a (b” can't be read as a name."),
        (f"Ribollita,9,Soups,{'x' * 5001},,\n", "Name: Deutsch: This is too long: at most 5000 characters."),
        ("Goulash,9,Soups,,Suppen,A\nRibollita,9,Soups,,Eintöpfe,A\n", "Row 2 says something else of the category"),
        ("Goulash,9,Soups,,,A\nRibollita,9,Soups,,,B\n", "Row 2 describes “Sides” in another way."),
    ):
        assert sentence in " ".join(refusals(preview(managers_browser, head + cells)).values()), cells


def test_a_language_that_the_menu_does_not_have_is_named(managers_browser, soup):
    offer("de")
    head = "name,price,category,name:de,name:fr,Description (FR),description\n"
    file = f"{head}Ribollita,9.50,Soups,Eintopf,Soupe,Bon,Good\n"
    first = upload(managers_browser, file)
    again = managers_browser.post(IMPORT, {"file": first.context["file"], "column_4": "", "column_5": ""})
    for page in (first, again):
        assert "and their columns are left out: Français." in words_of(page)
        assert "not known" not in words_of(page)
    page = managers_browser.post(IMPORT, {"file": first.context["file"], "column_3": ""})
    assert "The column name:de is not known and is left out." in words_of(page)
    # What names the only description in its heading is the dish's own, as ever.
    file = "name,price,category,Description (FR)\nRibollita,9.50,Soups,Bon\n"
    assert changes(preview(managers_browser, file))[0][2] == {"Description": ("", "Bon")}


# --- categories -----------------------------------------------------------------------------------


def test_rows_that_contradict_each_other_about_their_category_are_both_named(managers_browser, db):
    file = "name,price,category,category_position\nSteak,24,Mains,1\nTea,3,,\nChop,22,Mains,2\n"
    found = refusals(preview(managers_browser, file))
    assert found == {4: "Position of the category: Row 2 says something else of the category “Mains”."}


def test_an_empty_cell_leaves_a_category_to_its_other_rows(managers_browser, db):
    head = "name,price,category,category_position,category_station\n"
    shown = preview(managers_browser, f"{head}Steak,24,Mains,,\nChop,22,Mains,2,Grill\nTea,3,,,\n")
    assert [each.instance.name for each in shown["plan"].categories] == ["Mains"]
    page = words_of(upload(managers_browser, f"{head}Steak,24,Mains,,\nChop,22,Mains,2,Pause\n"))
    assert "The kitchen gets a new station: Pause." in page
    assert "The menu gets a new category: Mains." in page
    confirm(managers_browser, shown)
    mains = Category.objects.get(name="Mains")
    assert (mains.position, str(mains.station)) == (2, "Grill")
    shown = preview(managers_browser, f"{head}Steak,24,Mains,2,\nChop,22,Mains,2,\n")
    assert [(each.label, each.old, each.new) for each in shown["plan"].categories[0].changes] == [
        ("Station of the category", "Grill", "")
    ]


def test_a_new_station_gets_an_address_of_its_own(managers_browser, db):
    head = "name,price,category,category_station\n"
    confirm(
        managers_browser,
        preview(managers_browser, f"{head}Steak,24,Mains,Pause\nTea,3,Drinks,pausé\nCake,3,Cakes,吧台\n"),
    )
    assert sorted(Station.objects.values_list("slug", flat=True)) == ["pause-2", "pause-3", "station"]


def test_who_may_not_change_categories_or_options_is_told_so(soup):
    person = with_permissions("view_menuitem", "add_menuitem", "change_menuitem")
    head = "name,price,category,options,category_position\n"
    found = refusals(preview(person, f"{head}Ribollita,9.50,Soups,Sides: chips,1\n"))
    assert found[2] in {"You may not change options.", "You may not change categories."}
    assert totals(preview(person, f"{head}Ribollita,9.60,Soups,,\n")) == (0, 1, 0)


def test_a_large_menu_is_imported_with_few_queries(managers_browser, django_assert_max_num_queries):
    groups = [f"Group {n} [0-1]: a +1, b +2 (contains milk), c" for n in range(200)]
    file = "name,price,category,options,category_position\n" + "".join(
        f'Dish {n},{n},Category {n % 20},"{groups[n]}",{n % 20}\n' for n in range(200)
    )
    with django_assert_max_num_queries(20):
        shown = preview(managers_browser, file)
    with django_assert_max_num_queries(150):
        confirm(managers_browser, shown)
    assert (Option.objects.count(), ItemOptionGroup.objects.count()) == (600, 200)
    with django_assert_max_num_queries(20):
        managers_browser.get(EXPORT)
