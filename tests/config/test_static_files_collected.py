"""`serve` collects static files again only where there is something to collect."""

import re
from pathlib import Path

import pytest

from config.serving import static_files
from tests.servers import ROOT


@pytest.fixture
def root(settings, tmp_path) -> Path:
    """Return the folder that is served. The source has one style sheet."""
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STATICFILES_DIRS = [tmp_path / "source"]
    settings.STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": "config.serving.sheets.SheetsWithImports"}}
    write(tmp_path, "a { color: red }")
    static_files.collect()
    return tmp_path / "static"


def write(folder: Path, text: str, name: str = "page.css") -> None:
    path = folder / "source" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def hashed(root: Path) -> dict[str, int]:
    """When each style sheet with a hash in its name was written."""
    return {path.name: path.stat().st_mtime_ns for path in root.glob("page.*.css")}


def test_the_same_files_are_collected_once(root):
    first = hashed(root)
    assert len(first) == 1
    static_files.collect()
    assert hashed(root) == first


def test_a_file_that_was_changed_is_served_anew(root, tmp_path):
    first = hashed(root)
    write(tmp_path, "a { color: green }")
    static_files.collect()
    [new] = hashed(root).keys() - first.keys()
    assert (root / new).read_text() == "a { color: green }"
    assert new in (root / "staticfiles.json").read_text()


def test_what_was_deleted_is_made_again(root):
    [name] = hashed(root)
    (root / name).unlink()
    static_files.collect()
    assert list(hashed(root)) == [name]


def test_nothing_else_is_in_the_folder_that_is_served(root):
    names = {path.name for path in root.iterdir()} - hashed(root).keys()
    assert names == {"staticfiles.json"}


def test_a_sheet_is_served_with_those_that_it_imports(root, tmp_path):
    write(tmp_path, "/* Few words. */\nb { color: blue }\n", "parts/bold.css")
    write(tmp_path, "i { background: url(dot.svg) }\n", "italic.css")
    write(tmp_path, "<svg/>", "dot.svg")
    first = '@import url("parts/bold.css") layer(components);\n@import url("italic.css") layer(areas);\n'
    write(tmp_path, f"@layer components, areas;\n{first}@layer areas {{ a {{ color: red }} }}\n")
    before = hashed(root)
    static_files.collect()
    [name] = hashed(root).keys() - before.keys()
    [dot] = (path.name for path in root.glob("dot.*.svg"))
    assert (root / name).read_text().split() == (
        "@layer components, areas; @layer components { b { color: blue } }"
        f' @layer areas {{ i {{ background: url("{dot}") }} }} @layer areas {{ a {{ color: red }} }}'
    ).split()
    # Another word in an imported sheet is another name of the sheet that is served.
    write(tmp_path, "b { color: black }\n", "parts/bold.css")
    static_files.collect()
    [new] = hashed(root).keys() - before.keys() - {name}
    assert "color: black" in (root / new).read_text()


IMPORTED = re.compile(r"""(?:\bfrom|\bimport)\s*\(?["'](\.[^"']+)["']""")


def test_modules_import_what_they_need_by_its_hashed_name(root, tmp_path):
    write(tmp_path, 'import { a } from "./a.js";\nimport "../js/b.js";\nimport("./areas/c.js");\n', "js/first.js")
    write(tmp_path, 'import * as c from "./areas/c.js";\nexport const a = 1;\n', "js/a.js")
    write(tmp_path, 'export { a } from "./a.js";\n', "js/b.js")
    write(tmp_path, '/* Few\n   words. */\n//# kept\n// No more.\nexport const c = "// 1";\n', "js/areas/c.js")
    static_files.collect()
    first = module_names(root)
    [of_c] = (root / "js" / "areas").glob("c.*.js")
    assert of_c.read_text() == '//# kept\nexport const c = "// 1";\n'
    assert not_found(root) == []
    assert {name.split(".")[0] for name in first} == {"js/first", "js/a", "js/b", "js/areas/c"}
    # Whatever imports a module that has changed has another name too.
    write(tmp_path, "export const c = 2;\n", "js/areas/c.js")
    static_files.collect()
    assert not_found(root) == []
    assert len(module_names(root) - first) == 4


def test_every_module_of_ours_imports_a_module_that_is_served(root, settings, tmp_path):
    settings.STATICFILES_DIRS = [Path(ROOT) / "static"]
    static_files.collect()
    assert not_found(root) == []
    modules = (Path(ROOT) / "static" / "js").rglob("*.js")
    assert sum(len(IMPORTED.findall(path.read_text())) for path in modules) > 100


def module_names(root: Path) -> set[str]:
    return {path.relative_to(root).as_posix() for path in root.rglob("*.js")}


def not_found(root: Path) -> list[tuple[str, str]]:
    """Imports that name no file, or one without a hash."""
    wrong = []
    for path in root.rglob("*.js"):
        for name in IMPORTED.findall(path.read_text()):
            if not (path.parent / name).is_file() or not re.search(r"\.[0-9a-f]{12}\.js$", name):
                wrong.append((path.name, name))
    return wrong
