"""How style sheets are written: layers, few of them on a page, three widths, tokens, components left alone."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib import admin

from tests.screenshots import components

ROOT = Path(__file__).resolve().parents[2]
CSS, TEMPLATES = ROOT / "static/css", ROOT / "templates"
LAYERS = ["reset", "tokens", "base", "layout", "components", "areas", "utilities"]
IMPORT = re.compile(r'@import url\("([\w/.-]+)"\) layer\((\w+)\);')
MOST = 5  # sheets of a page
PARENTS = re.compile(r"""{% (?:extends|include) ["']([^"']+)["']""")
# Of two sheets that exclude each other the first counts.
STATIC = r"""static ["']css/([\w/]+)\.css["']"""
LINK = re.compile(rf"""<link rel="stylesheet" href="(?:{{% if [^%]+ %}})?{{% (?:{STATIC}|url 'accent'[^%]*) %}}""")


def text_of(path: Path) -> str:
    return re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)


def outermost(text: str) -> Iterator[str]:
    """What stands before the block of each outermost rule, and the statements between them."""
    depth = 0
    for part in re.findall(r"[^{};]*[{};]", text):
        if depth == 0 and part.strip() != "}":
            yield part.strip()
        depth += {"{": 1, "}": -1, ";": 0}[part[-1]]


@pytest.fixture(scope="module")
def sheets() -> dict[str, str]:
    """Their text by their path in the folder, without those of Django's admin: its own sheets are in no layer."""
    paths = [path.relative_to(CSS) for path in CSS.rglob("*.css")]
    return {str(path): text_of(CSS / path) for path in paths if path.parts[0] != "admin"}


@pytest.fixture(scope="module")
def imported(sheets) -> dict[str, str]:
    """The layer of each sheet that another one imports."""
    return {name: layer for text in sheets.values() for name, layer in IMPORT.findall(text)}


def test_every_rule_is_in_a_layer(sheets, imported):
    assert next(outermost(sheets["core.css"])) == f"@layer {', '.join(LAYERS)};"
    wrong = []
    for name, text in sheets.items():
        for rule in outermost(text):
            is_layer = rule.startswith("@layer ") and rule.removeprefix("@layer ").rstrip(" {") in LAYERS
            if name not in imported and not (is_layer or IMPORT.fullmatch(rule) or rule.startswith("@layer reset,")):
                wrong.append((name, rule))
    assert wrong == []


def test_imported_sheets_are_there_and_import_nothing(sheets, imported):
    assert set(imported.values()) <= set(LAYERS)
    assert imported.keys() <= sheets.keys()
    assert [name for name in imported if "@import" in sheets[name]] == []
    # Production puts them into the sheet above, from where a relative URL would lead elsewhere.
    assert [name for name in imported if "/" in name and re.search(r"url\((?![\"']?(?:data:|/))", sheets[name])] == []


def closure(name: str) -> set[str]:
    """The template, what it extends and what it includes."""
    names, left = set(), [name]
    while left:
        if (one := left.pop()) not in names and (TEMPLATES / one).exists():
            names.add(one)
            left += PARENTS.findall((TEMPLATES / one).read_text(encoding="utf-8"))
    return names


def test_no_line_of_a_template_is_longer_than_140_characters():
    lines = [
        f"{path.relative_to(TEMPLATES)}:{number}"
        for path in TEMPLATES.rglob("*.html")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > 140
    ]
    assert lines == []


def test_a_page_links_few_sheets_and_none_that_is_imported(imported):
    pages = {str(path.relative_to(TEMPLATES)): path for path in TEMPLATES.rglob("*.html")}
    pages = {name: path for name, path in pages.items() if not name.startswith("admin/") and path.name[0] != "_"}
    links = {name: [LINK.findall((TEMPLATES / one).read_text()) for one in closure(name)] for name in pages}
    linked = {name: [f"{sheet or '/accent'}.css" for each in some for sheet in each] for name, some in links.items()}
    of_base = {name: some for name, some in linked.items() if "core.css" in some}
    assert len(of_base) > 40
    assert {name: some for name, some in of_base.items() if len(some) > MOST} == {}
    assert {name: some for name, some in of_base.items() if imported.keys() & set(some)} == {}


CLASSES = re.compile(r"""\bclass="((?:[^"{]|{%.*?%}|{{.*?}})*)\"""", re.DOTALL)


def test_every_class_of_a_template_is_known():
    """To a sheet, a script, a test, or to Django's admin. tests/test_styles.py has the classes of sheets."""
    folders = [ROOT / "static/js", ROOT / "static/css", ROOT / "tests", *map(Path, admin.__path__)]
    known = {
        name
        for folder in folders
        for path in folder.rglob("*")
        if path.suffix in {".css", ".js", ".py", ".html"} and path != Path(__file__)
        for name in re.findall(r"[A-Za-z][\w-]*", path.read_text(encoding="utf-8"))
    }
    scripts = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "static/js").rglob("*.js"))
    prefixes = tuple(re.findall(r"\.([\w-]+-)\$\{", scripts))  # `.ticket-${name}`
    unknown = set()
    for path in TEMPLATES.rglob("*.html"):
        for value in CLASSES.findall(path.read_text(encoding="utf-8")):
            names = re.sub(r"{%.*?%}|[\w-]*{{.*?}}[\w-]*", " ", value).split()
            unknown |= {(str(path.relative_to(TEMPLATES)), name) for name in names if name not in known}
    unknown = {(path, name) for path, name in unknown if not name.startswith(prefixes)}
    assert unknown == set()


# --- components, widths and tokens --------------------------------------------------------------------

WIDTHS = {"36rem", "48rem", "75rem", "35.99rem", "47.99rem", "74.99rem"}
SHARED = {"core.css", "reset.css", "tokens.css", "base.css", "layout.css", "utilities.css"}
ON_PAPER = ("paper.css", "_80mm.css", "_a4.css")  # linked for print alone
CLASS = re.compile(r"\.([a-zA-Z][\w-]*)")
# Says which element it is, and is no part of it.
ASIDE = re.compile(r":(?:has|not|nth-[\w-]+)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")
COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl)a?\(")
TOKEN = re.compile(r"url\([^)]*\)|var\([^()]*(?:\([^()]*\))?[^()]*\)")


def on_screens(text: str) -> str:
    """The text of a sheet without its blocks for print."""
    while found := re.search(r"@media print[^{]*\{", text):
        depth, end = 1, found.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        text = text[: found.start()] + text[end:]
    return text


def selectors(text: str) -> Iterator[str]:
    for rule in re.findall(r"([^{};]+)\{", text):
        if not rule.strip().startswith("@"):
            yield from re.split(r",(?![^()]*\))", ASIDE.sub("", rule))


def styled(selector: str) -> set[str]:
    """The classes of the element that a selector is about."""
    return set(CLASS.findall(re.split(r"\s*[>+~]\s*|\s+(?![^(]*\))", selector.strip())[-1]))


def test_no_area_restyles_a_component_of_its_pages(sheets):
    own = {name: {each for one in selectors(text) for each in CLASS.findall(one)} for name, text in sheets.items()}
    shared = {each for name in SHARED & own.keys() for each in own[name]}
    of_core = IMPORT.findall(sheets["core.css"])
    found = []
    for area, text in sheets.items():
        if "/" not in area and area not in SHARED and not area.endswith(ON_PAPER):
            components_there = [name for name, layer in of_core + IMPORT.findall(text) if layer == "components"]
            theirs = {each for name in components_there for each in own[name]} - shared
            assert len(theirs) > 50
            subjects = [(selector.strip(), styled(selector)) for selector in selectors(on_screens(text))]
            found += [(area, selector) for selector, of in subjects if of & theirs and not of - theirs]
    assert found == []


def test_conditions_on_the_width_of_a_window_know_three(sheets):
    conditions = [(name, each) for name, text in sheets.items() for each in re.findall(r"@media[^{]*", text)]
    widths = [(name, width) for name, each in conditions for width in re.findall(r"(?:min|max)-width: ([\w.]+)", each)]
    assert len(widths) > 40
    assert [(name, width) for name, width in widths if width not in WIDTHS] == []


# margin-left, border-top-left-radius, right
PHYSICAL = re.compile(r"(?!--)(?:[\w-]+-)?(?:left|right)(?:-(?:width|style|color|radius))?")


def test_sheets_say_start_and_end_where_a_language_may_stand_from_right_to_left():
    """Also those of the admin. What is drawn, such as the marks on paper to be cut, has no such properties."""
    wrong = []
    for path in CSS.rglob("*.css"):
        for name, value in re.findall(r"[{;\s]([\w-]+):\s*([^;{}]+)[;}]", text_of(path)):
            is_side = value.strip() in {"left", "right"} and name in {"text-align", "float", "clear"}
            if is_side or PHYSICAL.fullmatch(name):
                wrong.append((path.name, name, value))
    assert wrong == []


def declarations(sheets: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    """Sheet, property and value without its tokens; not of paper, which is white and has millimetres."""
    for name, text in sheets.items():
        if name != "tokens.css" and not name.endswith(ON_PAPER):
            for declared, value in re.findall(r"([\w-]+):\s*([^;{}]+);", on_screens(text)):
                yield name, declared, TOKEN.sub("", value)


def test_colours_and_sizes_of_letters_are_tokens(sheets):
    found = [each for each in declarations(sheets) if not each[1].startswith("--")]  # which makes a token of an area
    assert [each for each in found if COLOUR.search(each[2])] == []
    # The kitchen's displays are read from two metres: their letters grow with the ticket.
    letters = [each for each in found if each[1] in {"font", "font-size"} and each[0] != "kitchen.css"]
    assert [each for each in letters if re.search(r"\d(?:px|rem)\b", each[2])] == []


def test_the_document_of_components_is_as_their_sheets_begin():
    assert (ROOT / "docs/components.md").read_text(encoding="utf-8") == components.document()
    pictures = {path.stem for path in components.FOLDER.glob("*.png")}
    assert pictures == set(components.PARTS)
