"""Every class in the style sheets is that of something, and every file that a page names is there."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from django.contrib import admin
from django.contrib.staticfiles import finders

ROOT = Path(__file__).resolve().parents[1]
OURS = ("config", "loyalty", "qrservice", "restaurant", "static/js", "templates", "web")
ENDINGS = {".html", ".js", ".py", ".svg"}
# What Django's admin makes of the name of a field, of a column or of a model; such a name stands in our admin.
OF_THE_ADMIN = re.compile(r"(?:field|column|model)-(\w+)")
# A class whose end is filled in: `chip-{{ kind }}`, `is-${state}`, f"tile-{kind}", "model-%s".
PREFIX = re.compile(r"([a-zA-Z][\w-]*-)(?=\{|\$\{|%s|[\"'`] ?[+~])")


def sources(folders: Iterable[Path]) -> str:
    paths = [
        path
        for folder in folders
        for path in folder.rglob("*")
        if path.suffix in ENDINGS and "vendor" not in path.parts
    ]
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def names(text: str) -> set[str]:
    return set(re.findall(r"[a-zA-Z_][\w-]*", text))


@pytest.fixture(scope="module")
def selectors() -> list[str]:
    sheets = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "static/css").rglob("*.css"))
    return re.findall(r"[^{};]*(?=\{)", re.sub(r"/\*.*?\*/", "", sheets, flags=re.DOTALL))


@pytest.fixture(scope="module")
def classes(selectors) -> set[str]:
    return set(re.findall(r"\.(-?[a-zA-Z_][\w-]*)", " ".join(selectors)))


def test_every_class_is_used(classes):
    ours = sources(ROOT / name for name in OURS)
    known = names(ours) | names(sources(map(Path, admin.__path__)))
    prefixes = set(PREFIX.findall(ours))
    in_admin = names(sources(path for name in OURS for path in (ROOT / name).rglob("admin*") if path.is_dir()))
    in_admin |= names("\n".join(path.read_text() for name in OURS for path in (ROOT / name).rglob("*admin*.py")))

    def is_used(name: str) -> bool:
        if name in known:
            return True
        if found := OF_THE_ADMIN.fullmatch(name):
            return found[1] in in_admin
        ends = [name.removeprefix(prefix) for prefix in prefixes if name.startswith(prefix)]
        return any(end in known or end.isdigit() for end in ends)

    assert {name for name in classes if not is_used(name)} == set()


BY_PERMISSION = {"sorting", "unsorted", "available"}  # columns that get_list_display adds


def test_every_column_of_the_admin_that_has_a_style_is_in_a_list(selectors):
    of_lists = " ".join(selector for selector in selectors if "#result_list" in selector)
    styled = set(re.findall(r"\.(?:field|column)-(\w+)", of_lists))
    listed = {str(name) for page in admin.site._registry.values() for name in page.list_display}
    assert len(listed) > 50
    assert styled - listed - BY_PERMISSION == set()


NAMED = re.compile(r"""{% static ["']([^"']+)["'] %}|["']((?:css|js|fonts|img)/[\w/.-]+\.\w+)["']""")


def test_every_static_file_that_is_named_is_there():
    named = {page or code for page, code in NAMED.findall(sources(ROOT / name for name in OURS))}
    assert len(named) > 40
    assert {name for name in named if finders.find(name) is None} == set()
