"""Guards all lists of the admin: they ignore invalid filters and search for a few words only."""

import logging
from collections.abc import Callable
from itertools import islice
from typing import Any

from django.contrib import messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ERROR_FLAG, SEARCH_VAR
from django.db import DataError, ProgrammingError
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse
from django.utils.text import smart_split
from django.utils.translation import gettext as _

log = logging.getLogger(__name__)

View = Callable[..., Any]

MOST_WORDS = 10  # each is looked for in every row, and in every column that is searched
LONGEST = 200  # characters
# Raised by Python, Django and PostgreSQL for a value that a column can't be compared with.
_INVALID_VALUE_ERRORS = (IncorrectLookupParameters, ValueError, TypeError, ArithmeticError, DataError, ProgrammingError)
_LISTS = ("changelist_view", "export_view")
_SEARCHED = dict.fromkeys(_LISTS, SEARCH_VAR) | {"autocomplete_view": "term"}


def guarded(view: View) -> View:
    """Wrap the view of a list, its export or a field's suggestions; return others as they are."""
    name = getattr(view, "__name__", "")
    if name not in _SEARCHED:
        return view

    def guarded_view(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        is_shortened = _shorten_search(request, _SEARCHED[name])
        if is_shortened and name == "changelist_view":
            sentence = _(
                "Only the beginning was searched for: at most %(words)d words of %(letters)d letters together."
            )
            messages.warning(request, sentence % {"words": MOST_WORDS, "letters": LONGEST})
        try:
            response = view(request, *args, **kwargs)
            if hasattr(response, "render"):
                response.render()  # here, as it can read rows
        except _INVALID_VALUE_ERRORS as error:
            if request.method != "GET" or not request.GET.keys() - {ERROR_FLAG} or name not in _LISTS:
                raise
            log.warning("A list was asked for with a filter that it can't take (%s).", type(error).__name__)
            return _unfiltered(request, view)
        is_refusal = isinstance(response, HttpResponseRedirect) and response.url == f"{request.path}?{ERROR_FLAG}=1"
        return _unfiltered(request, view) if is_refusal else response

    return guarded_view


def few_words(text: str) -> str:
    """Return the first words of a search; a quoted phrase counts as one."""
    return " ".join(islice(smart_split(text[:LONGEST]), MOST_WORDS))


def _shorten_search(request: HttpRequest, name: str) -> bool:
    query = request.GET.get(name, "")
    short = few_words(query)
    if len(short.split()) == len(query.split()) and len(query) <= LONGEST:
        return False
    shortened = request.GET.copy()
    shortened[name] = short
    request.GET = shortened  # type: ignore[assignment]
    return True


def _unfiltered(request: HttpRequest, view: View) -> HttpResponseRedirect:
    opts = view.__self__.opts  # type: ignore[attr-defined]
    messages.warning(request, _("This list can't be filtered like that, so you see it without filters."))
    return HttpResponseRedirect(reverse(f"admin:{opts.app_label}_{opts.model_name}_changelist") + f"?{ERROR_FLAG}=1")
