"""Views that serve one URL to programs (JSON) and to people (a page)."""

import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import timezone
from django.utils.encoding import iri_to_uri
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.views import APIView

from web import choices, venue
from web.authentication import SHARED_DEVICE
from web.error_pages import error_context, seconds_until_again, sign_in_again_context
from web.negotiation import prefers_page
from web.permissions import Access
from web.reporting import local_zone
from web.windows import PREVIOUS, YEAR_BEFORE, Period, calendar, rolling

MAX_DAYS = 365  # of a report
MAX_CALENDAR_DAYS = 366  # from the first to the last
FIRST_YEAR, LAST_YEAR = 1970, 9998  # of a day in a request


@dataclass(frozen=True, slots=True)
class Page:
    """A template and its context."""

    template: str
    context: dict[str, Any] = field(default_factory=dict)


class ObjectResponse(Response):
    """The object of a serializer. A program gets it serialized; a page's template gets the object itself."""

    def __init__(self, data: Any, *, status: int | None = None, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(status=status, headers=headers)
        # Afterwards: REST framework's constructor refuses serializers.
        self.data = data


class FormResponse(ObjectResponse):
    """The response to an accepted POST: `data` for a program, a redirect (303) for a browser."""

    def __init__(
        self, data: Any, *, redirect_to: str, status: int | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(data, status=status, headers=headers)
        self.redirect_to = redirect_to


class JSONView(APIView):
    """A URL for programs."""

    formats: frozenset[str] = frozenset({"json"})
    access: Access
    # `staff` where the page is public and for them all the same: `LanguageMiddleware` reads it.
    audience: str = ""
    # A key of settings.RATE_LIMITS; empty for no limit.
    throttle_scope: str = ""
    # Another, by which the client's address is counted besides `throttle_identity`.
    throttle_scope_of_address: str = ""

    def throttle_identity(self, request: Request) -> str:
        """Return the key by which requests are counted; "" to count by the client's address."""
        return ""

    def throttle_identity_exists(self, identity: str) -> bool:
        """Return whether the identity exists. Requests for one that does not are counted by address."""
        return True

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """Keep the response out of shared caches, and have browsers ask again, unless the view says otherwise."""
        final = super().finalize_response(request, response, *args, **kwargs)
        final.headers.setdefault("Cache-Control", "private, no-cache")
        return final


class PageView(JSONView):
    """A URL that is JSON and a page.

    The method returns an `ObjectResponse` or a `FormResponse`. All queries run before the page is rendered.
    """

    formats = JSONView.formats | {"html"}
    template_name: str = ""
    # The name in the template for the object of an `ObjectResponse`.
    context_object_name: str = "object"
    sign_in_url: str = settings.LOGIN_URL
    # For these, `error_page` may replace the plain error page.
    error_statuses: frozenset[int] = frozenset({400, 409})
    # Set for the renderer; None is a redirect.
    page: Page | None = None

    def page_context(self, shown: Any) -> dict[str, Any]:
        """Return what the page shows besides the object."""
        return {}

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        """Return a page in place of the plain error page, such as the form with what was entered, or None.

        `error` is the JSON body.
        """
        return None

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        final = super().finalize_response(request, response, *args, **kwargs)
        if isinstance(final, Response) and self._needs_page(request, final):
            self._prepare_page(request, final)
        elif isinstance(final, Response) and isinstance(final.data, BaseSerializer):
            final.data = final.data.data
        return final

    @staticmethod
    def _needs_page(request: Request, response: Response) -> bool:
        """Return True for pages, for CSV files, which have their figures, and for a browser's refused CSV file."""
        format = response.accepted_renderer.format
        return format == "html" or (format == "csv" and (not response.exception or prefers_page(request._request)))

    def _prepare_page(self, request: Request, response: Response) -> None:
        if response.exception:
            self.page = self._error_page(request, response)
        elif isinstance(response, FormResponse):
            # It may contain what was entered: a line break would end the header.
            response.status_code, response["Location"] = 303, iri_to_uri(response.redirect_to)
        else:
            shown = response.data.instance
            self.page = Page(self.template_name, {self.context_object_name: shown, **self.page_context(shown)})

    def _error_page(self, request: Request, response: Response) -> Page | None:
        error, status = response.data or {}, response.status_code
        if status == 401 and request.method == "GET":
            response.status_code = 302
            is_shared = SHARED_DEVICE in request.COOKIES and self.sign_in_url == settings.LOGIN_URL
            sign_in_url = settings.SWITCH_URL if is_shared else self.sign_in_url
            response["Location"] = f"{sign_in_url}?{urlencode({'next': request.get_full_path()})}"
            return None
        if status == 401:
            # Not a redirect: a script that sends the page's form must not take it for success.
            return Page("web/error.html", sign_in_again_context(request, self.sign_in_url))
        page = None
        if status in self.error_statuses:
            with suppress(APIException):  # the object of the form does not exist: the plain page says what was refused
                page = self.error_page(error, status)
        if page is not None:
            return Page(page.template, {**page.context, "refusal": error})
        again = seconds_until_again(request.method, response)
        return Page("web/error.html", error_context(status, error.get("error", ""), again=again))


class ReportView(PageView):
    """A report: JSON, page and CSV (`?format=csv`) on one URL.

    `get` reads the report and passes it to `respond`. What only page and CSV show is read in `page_context`. The
    default template shows the tiles and tables; one with charts extends it.
    """

    formats = PageView.formats | {"csv"}
    template_name = "web/report.html"
    context_object_name = "report"
    serializer_class: type[BaseSerializer[Any]]
    # The period of a request that names none. None: the report is as of now, unless it overrides `default_period`.
    default_days: int | None = None
    file_name: str = ""  # the name of the CSV file, before the period

    @cached_property
    def now(self) -> datetime:
        """Return the end of the report's window."""
        return timezone.now()

    @property
    def for_page(self) -> bool:
        """Return whether a page or a CSV file is wanted, which show more than JSON."""
        return self.request.accepted_renderer.format != "json"

    @cached_property
    def period(self) -> Period:
        """Return the period of `?days=`, or of `?from=&to=`, with `?compare=year`. Raises ValidationError."""
        zone, parameters = local_zone(), self.request.query_params
        compare = YEAR_BEFORE if parameters.get("compare") == YEAR_BEFORE else PREVIOUS
        if "days" in parameters:
            return rolling(self._days(), self.now, zone, compare)
        if self.names_period:
            return calendar(*self._first_and_last(), self.now, zone, compare)
        default = self.default_period(zone, compare)
        if default is None:
            raise TypeError(f"{type(self).__name__} is as of now.")
        return default

    def default_period(self, zone: ZoneInfo, compare: str) -> Period | None:
        """Return the period of a request that names none; None if the report is as of now."""
        return rolling(self.default_days, self.now, zone, compare) if self.default_days else None

    @property
    def names_period(self) -> bool:
        return not self.request.query_params.keys().isdisjoint({"days", "from", "to"})

    def _first_and_last(self) -> tuple[date, date]:
        last = min(self.day("to"), timezone.localdate(self.now))
        first = self.day("from") if "from" in self.request.query_params else last
        if last < first:
            raise ValidationError({"to": _("The last day is before the first.")})
        if (last - first).days >= MAX_CALENDAR_DAYS:
            raise ValidationError({"from": _("At most %(most)s days can be shown.") % {"most": MAX_CALENDAR_DAYS}})
        return first, last

    def has_data_until(self, moment: datetime) -> bool:
        """Return whether the page offers to compare with a period that ended at this time."""
        return False

    def _prepare_page(self, request: Request, response: Response) -> None:
        super()._prepare_page(request, response)
        if self.page is not None and not response.exception:
            self.page.context.update(self._period_context())

    def _period_context(self) -> dict[str, Any]:
        if self.default_period(local_zone(), PREVIOUS) is None:
            parameters = self.request.query_params
            return {"kept": choices.kept(parameters), "kept_values": choices.kept_values(parameters)}
        is_page = self.request.accepted_renderer.format == "html"
        has_last_year = is_page and self.has_data_until(self.period.last_year.until)
        return choices.context(self.period, self.request.query_params, has_last_year=has_last_year)

    def respond(self, report: Any) -> Response:
        return ObjectResponse(self.serializer_class(report))

    def csv_name(self, report: Any) -> str:
        """Return the name of the CSV file, without its extension."""
        return self.named(self.file_name)

    def _days(self) -> int:
        text = self.request.query_params["days"]
        if not re.fullmatch(r"[0-9]{1,9}", text) or not 1 <= int(text) <= MAX_DAYS:
            raise ValidationError({"days": _("A whole number from 1 to %(most)s is needed.") % {"most": MAX_DAYS}})
        return int(text)

    def day(self, name: str) -> date:
        """Return the day of `?name=YYYY-MM-DD`, by default today. Raises ValidationError."""
        text = self.request.query_params.get(name)
        return venue.day_of(self.now) if text is None else parse_day(name, text)

    def dated(self, name: str) -> str:
        """Return a file name with the day of the report."""
        return f"{name}-{timezone.localdate(self.now)}"

    def named(self, name: str) -> str:
        """Return a file name with the report's period, and with the day if the period ends now."""
        dated = f"{name}-{self.period.slug}"
        return dated if self.period.window.is_calendar else self.dated(dated)


def parse_day(name: str, text: str) -> date:
    """Parse `YYYY-MM-DD`. Raises ValidationError for the field of this name."""
    try:
        day = date.fromisoformat(text) if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text) else None
    except ValueError:
        day = None
    if day is None or not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise ValidationError({name: _("A day is needed, such as %(today)s.") % {"today": timezone.localdate()}})
    return day


def parse_choice(name: str, text: str, choices: Collection[str]) -> str:
    """Return one of the choices, the first for an empty text. Raises ValidationError for the field of this name."""
    text = text.lower() or next(iter(choices))
    if text not in choices:
        sentence = _("The %(name)s must be one of %(all)s.") % {"name": name, "all": ", ".join(choices)}
        raise ValidationError({name: sentence})
    return text
