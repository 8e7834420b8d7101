"""Who may import whom: the table of the architecture, kept by reading every import of the tree."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OURS = {"config", "qrservice", "loyalty", "restaurant"}
MAY_IMPORT = {
    "config": OURS,
    "qrservice": {"qrservice"},
    "loyalty": {"loyalty", "qrservice.gateway"},
    "restaurant": {"restaurant", "qrservice.gateway"},
}
# Inside an app, downward only. A layer may import itself and what stands right of the arrow.
DOWNWARD = {
    "models": {"models"},
    "errors": {"errors"},
    "tiers": set(),  # loyalty's rules, pure
    "events": {"events"},
    "queries": {"queries", "models", "errors", "tiers"},
    "reports": {"reports", "queries", "models", "errors"},
    "services": {"services", "queries", "models", "errors", "events", "tiers"},
    "serializers": {"serializers", "services", "queries", "models", "errors"},
    "views": {"views", "services", "queries", "reports", "serializers", "errors", "tiers"},
    "listener": {"listener", "queries", "events"},
    "consumers": {"consumers", "listener", "queries", "services", "errors"},
    "routing": {"consumers"},
    "admin": {"admin", "services", "queries", "models", "errors"},
    "management": {"services", "queries"},
    "front": {"views", "services", "queries", "errors"},
    "urls": {"views"},
    "apps": set(),
    "migrations": set(),
}
# The same for qrservice, whose rooms are others. `v1` is the wire: its serializers describe models.
DOWNWARD_QR = {
    "addresses": set(),
    "devices": set(),
    "geo": set(),
    "images": set(),
    "models": {"addresses"},
    "queries": {"addresses", "backends.base", "models"},
    "services": {"services", "queries", "addresses", "devices", "geo", "models"},
    "backends": {"backends", "services", "queries", "addresses", "models", "v1"},
    "gateway": {"backends"},
    "fastpath": {"services"},
    "views": {"fastpath", "services", "queries"},
    "image_views": {"addresses", "images", "queries"},
    "v1": {"v1", "services", "queries", "addresses", "models", "backends.base"},
    "admin": {"admin", "services", "queries", "addresses", "models"},
    "management": {"services"},
    "urls": {"views", "image_views"},
    "apps": set(),
}
TABLES = {"loyalty": DOWNWARD, "restaurant": DOWNWARD, "qrservice": DOWNWARD_QR}
ONLY_IN = {"requests": "qrservice/backends/client.py", "zxingcpp": "qrservice/images.py"}


def sources(app: str) -> list[Path]:
    return [path for path in (ROOT / app).rglob("*.py") if "migrations" not in path.parts]


def imports(path: Path) -> Iterator[str]:
    """Full names: `from restaurant import queries` is `restaurant.queries`."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import hides what it means"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_allowed(name: str, allowed: set[str]) -> bool:
    return any(name == each or name.startswith(f"{each}.") for each in allowed)


@pytest.mark.parametrize("app", sorted(OURS))
def test_an_app_imports_what_it_may(app):
    files = sources(app)
    assert files
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in files
        for name in imports(path)
        if name.split(".")[0] in OURS and not is_allowed(name, MAY_IMPORT[app])
    ]
    assert wrong == []


@pytest.mark.parametrize("app", sorted(TABLES))
def test_inside_an_app_imports_point_downward(app):
    wrong = []
    for path in sources(app):
        layer = path.relative_to(ROOT / app).parts[0].removesuffix(".py")
        if layer == "__init__":
            continue
        downward = TABLES[app]
        assert layer in downward, f"{layer} has no place in the house yet: say here what it may import"
        allowed = {f"{app}.{each}" for each in downward[layer]} | {"qrservice.gateway"} - {f"{app}.gateway"}
        wrong += [
            f"{path.relative_to(ROOT)} imports {name}"
            for name in imports(path)
            if name.split(".")[0] in OURS and not is_allowed(name, allowed)
        ]
    assert wrong == []


@pytest.mark.parametrize("library", sorted(ONLY_IN))
def test_a_library_is_imported_where_it_belongs_and_nowhere_else(library):
    found = {
        str(path.relative_to(ROOT)) for app in OURS for path in sources(app) for name in imports(path)
        if name.split(".")[0] == library
    }  # fmt: skip
    assert found <= {ONLY_IN[library]}


def test_transactions_begin_in_services_alone():
    found = [
        str(path.relative_to(ROOT))
        for app in ("qrservice", "loyalty", "restaurant")
        for path in sources(app)
        if "atomic(" in path.read_text() and "services" not in path.parts
    ]
    assert found == []
