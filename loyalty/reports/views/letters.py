"""Noting who was written to, to win them back. See "Member reports" in docs/behaviour/loyalty.md."""

from typing import Any

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from loyalty.messages.services import win_back_emails
from loyalty.reports.serializers import LettersBody, LettersNoted, LettersUndone, MembersBody
from web.forms import form_fields, notify, valid
from web.templatetags.reports import shown
from web.views import FormResponse, PageView


class Letters(PageView):
    """Note that members were written to, so that nobody is written to twice in 30 days."""

    access = "loyalty.view_reports"

    @extend_schema(request=LettersBody, responses={200: LettersNoted})
    def post(self, request: Request) -> Response:
        values = valid(LettersBody(data=_body(request)))
        count = win_back_emails.record(
            member_ids=values["members"],
            offer=values["offer"],
            recorded_by=request.user.get_username(),
        )
        noted = ngettext(
            "%(count)s member is marked as written to.", "%(count)s members are marked as written to.", count
        ) % {"count": shown(count, "number")}
        _tell(request, values, noted if count else _("They were marked as written to already."))
        return FormResponse(LettersNoted({"noted": count}).data, redirect_to=_page(request, values))


class UndoLetters(PageView):
    """Take back what was noted of members in the last 24 hours."""

    access = "loyalty.view_reports"

    @extend_schema(request=MembersBody, responses={200: LettersUndone})
    def post(self, request: Request) -> Response:
        values = valid(MembersBody(data=_body(request)))
        count = win_back_emails.undo(member_ids=values["members"])
        undone = ngettext(
            "%(count)s member is not marked any more.", "%(count)s members are not marked any more.", count
        ) % {"count": shown(count, "number")}
        _tell(request, values, undone if count else _("None of them was marked in the last 24 hours."))
        return FormResponse(LettersUndone({"undone": count}).data, redirect_to=_page(request, values))


def _body(request: Request) -> Any:
    """A form has the members in one field: a thousand fields would be refused."""
    form = form_fields(request)
    return request.data if form is None else {**form, "members": form.get("members", "").split()}


def _tell(request: Request, values: dict[str, Any], sentence: str) -> None:
    """Above the list, of which a single member is a row, else at the head of the report."""
    notify(request, sentence, about="list" if len(values["members"]) == 1 else "")


def _page(request: Request, values: dict[str, Any]) -> str:
    """The report as it was filtered; of a single member its list, whose rows they may have left."""
    query = QueryDict((form_fields(request) or {}).get("query", "")).urlencode()
    anchor = "#targets-title" if len(values["members"]) == 1 else ""
    return f"{reverse('re_engagement_report')}{'?' if query else ''}{query}{anchor}"
