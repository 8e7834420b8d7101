"""What views set and override is what their base classes read: a misspelt name would fail silently."""

from tests.web.addresses import addresses
from web.views import JSONView, PageView, ReportView

METHODS = {"get", "head", "post", "put", "patch", "delete", "options"}
BASES = (ReportView, PageView, JSONView)


def views() -> set[type]:
    return {address.view for address in addresses() if issubclass(address.view, JSONView)}


def unknown_names(view: type) -> set[str]:
    """The public names of a view that its base does not know."""
    base = next(base for base in BASES if issubclass(view, base))
    own = {name for each in view.__mro__ if each not in base.__mro__ for name in vars(each) if name[0] != "_"}
    declared = {name for parent in base.__mro__ for name in vars(parent).get("__annotations__", {})}
    return own - set(dir(base)) - declared - METHODS


def test_every_public_name_of_a_view_is_one_that_its_base_knows():
    assert {view.__name__: unknown_names(view) for view in views() if unknown_names(view)} == {}
    assert len(views()) > 70


def test_pages_have_a_template():
    no_pages = {view.__name__ for view in views() if issubclass(view, PageView) and not view.template_name}
    assert no_pages == {"SignOut", "Letters", "UndoLetters", "Data"}  # forms alone, and a file
