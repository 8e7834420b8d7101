"""The page that imports members from a file."""

from typing import Any

from django.contrib import messages
from django.contrib.admin.models import ADDITION, LogEntry
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from loyalty.cards.services import member_files
from loyalty.cards.services.member_files import Plan
from web.imports.pages import ImportAdmin
from web.imports.table import Contents
from web.templatetags.reports import shown


class MemberImportAdmin(ImportAdmin):
    import_template = "admin/loyalty/member/import.html"
    import_title = gettext_lazy("Import members")
    import_answers = "dates|namesakes"

    def has_import_permission(self, request: HttpRequest) -> bool:
        """Points come onto cards, too: adding members is not enough."""
        return self.has_add_permission(request) and self.has_change_permission(request)

    def read_file(self, data: bytes, answers: dict[str, str]) -> Contents:
        return member_files.read(data, answers)

    def plan_of(self, request: HttpRequest, file: Contents) -> Plan:
        return member_files.plan(file, by=request.user.get_username())

    def carry_out(self, request: HttpRequest, file: Contents, fingerprint: str) -> None:
        added, error = member_files.carry_out(file, fingerprint=fingerprint, by=request.user.get_username())
        user: Any = request.user.pk
        LogEntry.objects.log_actions(user, added, ADDITION, change_message=_("Imported from a file."))
        number, left = len(added), len(file.rows) - len(added)
        sentence = ngettext("%(number)s member imported.", "%(number)s members imported.", number)
        if left:
            sentence += " " + ngettext("%(left)s row left out.", "%(left)s rows left out.", left)
        messages.success(request, sentence % {"number": shown(number, "number"), "left": shown(left, "number")})
        if error is not None:
            again = _("Import the file again later for the rest: nobody is added twice.")
            messages.warning(request, f"{error.sentence} {again}")
