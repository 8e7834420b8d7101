"""`/design`: what the style sheets promise, shown and computed. Only for those who develop."""

import html
import itertools
import re
from pathlib import Path

import pytest
from django.test import Client

from config import colours, design, design_guide, design_purposes
from web import venue

pytestmark = pytest.mark.django_db

EVERY_PART = [*design_guide.PARTS, *design_guide.PRODUCTS]


@pytest.fixture(autouse=True)
def _debug(settings):
    settings.DEBUG = True


@pytest.mark.parametrize("path", ["/design", "/design/styles.css"])
def test_it_is_there_only_with_debug(client: Client, settings, path):
    assert client.get(path).status_code == 200
    assert client.get(f"{path}?accent=red").status_code == 404
    settings.DEBUG = False
    assert client.get(path).status_code == 404


def test_every_component_is_shown_on_light_and_on_dark_pages(client: Client):
    page = client.get("/design").content.decode()
    styles = client.get("/design/styles.css").content.decode()
    for name in design.COMPONENTS:
        assert f"css/components/{name}.css" in page
        assert any(part.sheet.endswith(f"/{name}") for part in design_guide.PARTS)
    for scheme in ("light", "dark"):
        shown = [part for part in EVERY_PART if scheme in part.schemes]
        assert page.count(f'class="scheme-{scheme} pane"') == len(shown) >= len(design_guide.PARTS)
        assert f".scheme-{scheme} {{\n  color-scheme: {scheme};" in styles
    assert ".button.is-hover" in styles
    assert 'chip-bad">needs' not in page


def test_every_component_has_an_anchor_and_markup_to_copy(client: Client):
    page = client.get("/design").content.decode()
    shown = [
        html.unescape(re.sub(r"<[^>]*>", "", code)) for code in re.findall(r"<pre><code>(.*?)</code>", page, re.DOTALL)
    ]
    assert shown == [part.markup for part in [*design_guide.PRODUCTS, *design_guide.PARTS]]
    for part in EVERY_PART:
        assert f'href="#{part.name}"' in page
        assert f'id="{part.name}"' in page


def test_the_guide_names_no_class_that_no_style_sheet_has(settings):
    styles = "".join(sheet.read_text() for sheet in Path(settings.BASE_DIR, "static/css").rglob("*.css"))
    known = set(re.findall(r"\.(-?[a-z][\w-]*)", styles))
    for part in EVERY_PART:
        written = {name for names in re.findall(r'class="([^"]*)"', part.markup) for name in names.split()}
        assert written | set(part.classes) <= known, part.name


def test_the_accent_is_that_of_the_address_or_of_the_venue(client: Client):
    venue.remember(venue.Venue(accent="#0B7285"))
    assert "--accent: #0b7285;" in client.get("/design/styles.css").content.decode()
    red = colours.css(colours.on_light(colours.parse("e01e37")).accent)
    assert f"--accent: {red};" in client.get("/design/styles.css?accent=e01e37").content.decode()


def test_whatever_the_accent_every_text_and_edge_has_the_contrast_that_it_needs():
    accents = ["", *("{:02x}{:02x}{:02x}".format(*each) for each in itertools.product(range(0, 256, 85), repeat=3))]
    for accent in accents:
        for pair in design.pairs(*design.tokens(accent)):
            assert pair.is_enough, (accent, pair)


def test_every_colour_says_what_it_is_for_and_can_be_read_in_the_kitchen_too(client: Client):
    light, dark = design.tokens()
    told = [name for group in design_purposes.COLOURS.values() for name in group]
    assert sorted(told) == sorted(design.colours_of(light)) == sorted(design.colours_of(dark))
    own = {name for name in design.colours_of(light | design.kitchen()) if name not in light}
    assert set(design_purposes.KITCHEN_COLOURS) == own
    assert all(pair.is_enough for pair in design.kitchen_pairs()), design.kitchen_pairs()
    page, styles = (client.get(f"/design{path}").content.decode() for path in ("", "/styles.css"))
    for name in (*told, *own):
        assert f'class="swatch-{name}"' in page
        assert f".swatch-{name} {{" in styles


def test_the_products_own_parts_are_drawn_by_their_pages_style_sheets(client: Client):
    page, styles = (client.get(f"/design{path}").content.decode() for path in ("", "/styles.css"))
    assert [part.name for part in design_guide.PRODUCTS] == sorted(design.PRODUCT_SHEETS, key=page.index)
    for part in design_guide.PRODUCTS:
        assert part.sheet in design.PRODUCT_SHEETS[part.name]
        assert f"@scope (.{part.name}) {{" in styles
    for drawn in ('<h3 class="item-name"><a href="#parts/dishes/', "tile tile-calling", "pass pass-gold"):
        assert page.count(drawn) >= 2, drawn
