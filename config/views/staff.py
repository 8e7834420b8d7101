"""`/staff`: managers add people, say what they may do, and end their access."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any, cast

from django.conf import settings
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from config import queries
from config.groups import GROUPS, MANAGE_STAFF
from config.queries import Person
from config.serializers import ChangedPerson, NewPerson, NewPersonBody, PersonBody, StaffList
from config.services import staff
from loyalty.reports.queries import guests_by_staff
from restaurant.reports.queries.sales import StaffWork, work_by_staff
from web.fields import ErrorResponse
from web.forms import body_of, form_fields, notify, valid
from web.reporting import local_zone
from web.searching import has_terms
from web.templatetags.money import money
from web.views import FormResponse, ObjectResponse, Page, PageView
from web.windows import today

MAX_WITHOUT_SEARCH = 10  # people: of more one is looked for by name
NO_STORE = {"Cache-Control": "private, no-store"}


class Staff(PageView):
    """Superusers are not listed: they are changed in the admin, by one another."""

    access = MANAGE_STAFF
    template_name = "config/staff.html"

    @extend_schema(responses={200: StaffList})
    def get(self, request: Request) -> Response:
        return ObjectResponse(StaffList({"staff": queries.people()}))

    @extend_schema(request=NewPersonBody, responses={201: NewPerson, **dict.fromkeys((400, 409), ErrorResponse)})
    def post(self, request: Request) -> Response:
        values = valid(NewPersonBody(data=_body(request)))
        added = staff.add(**values, by=_user(request))
        # Not a redirect for browsers either: the password is shown in this response and stored nowhere.
        self.template_name = "config/staff_password.html"
        return ObjectResponse(NewPerson(added), status=201, headers=NO_STORE)

    def page_context(self, shown: dict[str, list[Person]] | staff.Change) -> dict[str, Any]:
        if isinstance(shown, staff.Change):
            return _password_context(is_new=True)
        return _list_context(self.request, shown["staff"])

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        return _refused_page(self.request, entered=form_fields(self.request))


class StaffMember(PageView):
    """Fields that are left out keep their values. Deactivating ends sessions, tokens and sockets."""

    access = MANAGE_STAFF
    template_name = "config/staff_password.html"

    @extend_schema(
        operation_id="staff_change",
        request=PersonBody,
        responses={200: ChangedPerson, **dict.fromkeys((400, 404), ErrorResponse)},
    )
    def post(self, request: Request, username: str) -> Response:
        values = valid(PersonBody(data=_body(request)))
        changed = staff.change(username=username, **values, by=_user(request))
        if changed.password or changed.pin:
            return ObjectResponse(ChangedPerson(changed), headers=NO_STORE)
        notify(request, _("Saved: %(name)s.") % {"name": changed.user.get_full_name() or changed.user.username})
        return FormResponse(ChangedPerson(changed), redirect_to=reverse("staff"))

    def page_context(self, changed: staff.Change) -> dict[str, Any]:
        return _password_context(is_new=False)

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        return _refused_page(self.request, entered=None)


def _body(request: Request) -> Any:
    """Return the body in the shape of JSON: the boxes of a form that are ticked are `groups`."""
    body = body_of(request, numbers=("active", "resetPassword", "resetPin", "removePin", "removeSecondStep"))
    ticked = _ticked(request)
    return {**{name: body[name] for name in body if name != "group"}, "groups": ticked} if ticked else body


def _ticked(request: Any) -> list[str]:
    return [name for name in request.data.getlist("group") if name] if form_fields(request) is not None else []


def _user(request: Request) -> User:
    return cast("User", request.user)


def _list_context(request: Request, people: list[Person]) -> dict[str, Any]:
    query = request.query_params.get("q", "").strip()
    job = request.query_params.get("job", "")
    matching = [person for person in people if _matches(person, query, job)]
    groups = [group.name for group in queries.assignable_groups(_user(request))]
    return {
        "done_today": done_today(timezone.now()) if request.user.has_perm("restaurant.view_reports") else None,
        "active_staff": [person for person in matching if person.user.is_active],
        "former_staff": [person for person in matching if not person.user.is_active],
        "is_long": len(people) > MAX_WITHOUT_SEARCH or bool(query or job),
        "query": query,
        "job": job,
        "by_job": _numbers_by_job(people),
        "number_active": sum(person.user.is_active for person in people),
        "groups": groups,
        "jobs": [name for name in groups if name in GROUPS],
        "own_username": request.user.get_username(),
    }


def _matches(person: Person, text: str, job: str) -> bool:
    names = f"{person.user.get_full_name()} {person.user.username}"
    return has_terms(names, text.split()) and (not job or job in person.works_as)


def _numbers_by_job(people: list[Person]) -> list[tuple[str, int]]:
    """Return the groups that have active members, with their numbers."""
    return sorted(Counter(job for person in people if person.user.is_active for job in person.works_as).items())


def _refused_page(request: Request, *, entered: dict[str, str] | None) -> Page:
    return Page(
        "config/staff.html",
        {**_list_context(request, queries.people()), "entered": entered, "ticked": _ticked(request)},
    )


def _password_context(*, is_new: bool) -> dict[str, Any]:
    return {"is_new": is_new, "sign_in_address": f"{settings.APP_BASE_URL}{reverse('sign_in')}"}


# --- what they did today -----------------------------------------------------------------------------------


BETWEEN = "\N{NO-BREAK SPACE}· "  # no line begins with the dot


def done_today(now: datetime) -> dict[str, str]:
    """Return by user name, for those who did something: "12 orders · €340.00 taken · points for 5 guests"."""
    window = today(now, local_zone()).window
    work, guests = work_by_staff(window), guests_by_staff(window)
    names = {*work, *guests}
    return {name: BETWEEN.join(_sentences(work.get(name, StaffWork()), guests.get(name, 0))) for name in names}


def _sentences(work: StaffWork, guests: int) -> Iterator[str]:
    if work.orders:
        yield ngettext("%(orders)s order", "%(orders)s orders", work.orders) % {"orders": work.orders}
    if work.paid:
        yield _("%(amount)s taken") % {"amount": money(work.paid)}
    if guests:
        yield ngettext("points for %(guests)s guest", "points for %(guests)s guests", guests) % {"guests": guests}
