"""Searching as people type: what the server and its database compare, and which telephone numbers are one."""

import pytest
from django.contrib.auth.models import User
from django.db import connection

from tests.conftest import make_item
from tests.web.texts_as_typed import WRITTEN
from web.searching import digits_of, marked_where, plain, terms_of


def test_accents_case_and_apostrophes_do_not_count():
    assert [(text, plain(text)) for text, _ in WRITTEN] == WRITTEN


@pytest.mark.django_db
def test_the_database_compares_the_same():
    with connection.cursor() as cursor:
        texts = [text for text, _ in WRITTEN]
        cursor.execute("SELECT array_agg(plain_text(each)) FROM unnest(%s::text[]) AS each", [texts])
        assert cursor.fetchone()[0] == [written for _, written in WRITTEN]


def test_a_search_has_words_phrases_and_telephone_numbers():
    assert terms_of(" Zoë  Krämer ") == ["Zoë", "Krämer"]
    assert terms_of("O'Brien D'Arcy \"Anna Murphy\" 'b c'") == ["O'Brien", "D'Arcy", "Anna Murphy", "b c"]
    assert terms_of("murphy +49 (0)170 12-34 anna") == ["murphy", "+49 (0)170 12-34", "anna"]
    assert terms_of("' ’ \"") == ['"']


def test_a_number_is_compared_without_what_depends_on_where_one_calls_from():
    assert digits_of("0170 12-34") == digits_of("170/1234") == ["1701234"]
    assert digits_of("+49 170 1234") == digits_of("0049 (0)170 1234") == ["491701234", "\n01701234", "\n1701234"]
    assert digits_of("+353 20 91")[1:] == ["\n02091", "\n2091"]
    assert digits_of("+49 1") == ["491"]
    assert digits_of("table 7") == []


def test_what_is_found_is_marked_as_it_is_written():
    assert (
        marked_where("Weißwurst & <Ei>", "wurs|ss|i")
        == "We<mark>i</mark><mark>ß</mark><mark>wurs</mark>t &amp; &lt;E<mark>i</mark>&gt;"
    )
    assert marked_where("Zoe\u0308 Krämer", "zoe|kram") == "<mark>Zoe\u0308</mark> <mark>Kräm</mark>er"


@pytest.mark.django_db
def test_the_admins_lists_and_the_list_of_staff_are_searched_so(owners_browser):
    sausage, bun = make_item("Weißwurst", description="Chef’s choice"), make_item("Smørrebrød")
    for typed, items in {"WEISSWURST": [sausage], "choice chef's": [sausage], "smorre": [bun], "br": [bun]}.items():
        page = owners_browser.get("/admin/restaurant/menuitem/", {"q": typed})
        assert list(page.context["cl"].result_list) == items, typed
    zoe = User.objects.create_user("z.k", first_name="Zoë", last_name="Krämer")
    page = owners_browser.get("/admin/auth/user/", {"q": "kramer zoe"})
    assert list(page.context["cl"].result_list) == [zoe]
    page = owners_browser.get("/staff", {"q": "KRAMER zoe"}, headers={"Accept": "text/html"})
    assert [person.user for person in page.context["active_staff"]] == [zoe]
