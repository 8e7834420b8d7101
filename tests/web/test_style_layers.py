"""Every rule of a page's style sheets is in a cascade layer, and a page links few of them."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib import admin

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
