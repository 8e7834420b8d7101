"""What views set and override is what their base classes read: a misspelt name would fail silently."""

import pytest
from django.urls import get_resolver

from tests.web.test_permissions_are_declared import all_patterns, view_class
from web.views import JSONView, PageView, ReportView

METHODS = {"get", "head", "post", "put", "patch", "delete", "options"}
VIEWS = sorted(
    {view for _path, pattern in all_patterns(get_resolver()) if issubclass(view := view_class(pattern), JSONView)},
    key=lambda view: f"{view.__module__}.{view.__name__}",
)


def base_of(view: type) -> type:
    return next(base for base in (ReportView, PageView, JSONView) if issubclass(view, base))


def own_names(view: type) -> set[str]:
    bases = set(base_of(view).__mro__)
    return {name for each in view.__mro__ if each not in bases for name in vars(each) if not name.startswith("_")}


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.__name__)
def test_every_public_name_of_a_view_is_one_that_its_base_knows(view):
    declared = {name for base in base_of(view).__mro__ for name in vars(base).get("__annotations__", {})}
    assert own_names(view) <= set(dir(base_of(view))) | declared | METHODS


def test_pages_have_a_template():
    no_pages = {view.__name__ for view in VIEWS if issubclass(view, PageView) and not view.template_name}
    assert no_pages == {"SignOut", "Letters", "UndoLetters", "Data"}  # forms alone, and a file
