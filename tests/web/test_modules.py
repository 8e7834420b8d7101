"""Pages load the modules that their script imports all at once."""

import re
from pathlib import Path

from django.contrib.staticfiles import finders

from tests.servers import ROOT
from web.templatetags.modules import imports, module

USED = re.compile(r"""{% module ["'](js/[\w/]+\.js)["'] %}""")


def entries() -> set[str]:
    pages = (Path(ROOT) / "templates").rglob("*.html")
    return {name for page in pages for name in USED.findall(page.read_text(encoding="utf-8"))}


def test_a_script_comes_with_links_to_what_it_imports_directly_and_through_others():
    assert set(imports("js/sold_out.js")) == {"js/http.js", "js/polling.js"}
    assert {"js/words.js", "js/polling.js", "vendor/idiomorph/idiomorph-0.8.0.esm.js"} <= set(imports("js/order.js"))
    assert module("js/sold_out.js").count('rel="modulepreload"') == 2
    assert module("js/sold_out.js").endswith('<script type="module" src="/static/js/sold_out.js"></script>')
    # What is loaded where it is needed stays away until then.
    assert "js/menu/dish.js" not in imports("js/menu/menu.js")


def test_every_module_is_of_some_page():
    named = entries()
    assert len(named) > 20
    assert {name for name in named if finders.find(name) is None} == set()
    used = named | {each for name in named for each in imports(name)} | {"js/menu/dish.js", "js/menu/goes_with.js"}
    static = Path(ROOT) / "static"
    ours = {path.relative_to(static).as_posix() for path in (static / "js").rglob("*.js") if "admin_" not in path.name}
    assert ours - used == set()
