"""`/setup`: what is done before the doors open, and what is next."""

from typing import Any, cast

from django.conf import settings
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from config import doctor, queries, setup
from config.groups import SET_UP
from config.serializers import Checklist, SetupBody, TestMailBody
from config.services.setup import change, send_test_mail
from web.fields import ErrorResponse, SuccessResponse
from web.forms import body_of, form_fields, notify, valid
from web.hosts import is_own_host_local
from web.mailto import mailto
from web.views import FormResponse, ObjectResponse, Page, PageView


class Setup(PageView):
    """The checklist of setting up. Fields that a POST leaves out keep their values."""

    access = SET_UP
    template_name = "config/setup.html"
    context_object_name = "checklist"

    @extend_schema(responses={200: Checklist})
    def get(self, request: Request) -> Response:
        return ObjectResponse(Checklist(setup.checklist(_user(request))))

    @extend_schema(request=SetupBody, responses={200: Checklist, 400: ErrorResponse})
    def post(self, request: Request) -> Response:
        values = valid(SetupBody(data=body_of(request, numbers=("cardsPrinted", "hintHidden", "withoutSecondStep"))))
        change(**values)
        hides = values.get("hint_hidden")
        if hides:
            notify(request, _("Hidden. What is left stays under “Setup”."))
        checklist = Checklist(setup.checklist(_user(request)))
        return FormResponse(checklist, redirect_to=reverse("front_page" if hides else "setup"))

    def page_context(self, data: setup.Checklist) -> dict[str, Any]:
        return _page_context(self.request, data)


class TestMail(PageView):
    """A mail to an address of one's own. 409 says what the mail server did."""

    access = SET_UP
    template_name = "config/setup.html"
    throttle_scope = "test_mail"

    def throttle_identity(self, request: Request) -> str:
        return str(request.user.pk)

    @extend_schema(request=TestMailBody, responses={200: SuccessResponse, **dict.fromkeys((400, 409), ErrorResponse)})
    def post(self, request: Request) -> Response:
        values = valid(TestMailBody(data=body_of(request)))
        send_test_mail(to=values["to"])
        sentence = _("The mail server has taken the mail to %(address)s. Look whether it arrived, also among the spam.")
        notify(request, sentence % {"address": values["to"]})
        # Browsers go on to the part of the page that the form's address names, and the sentence is above it.
        return FormResponse(SuccessResponse({"success": True}).data, redirect_to=f"{reverse('setup')}#main")

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        checklist = setup.checklist(_user(self.request))
        context = _page_context(self.request, checklist)
        to = (form_fields(self.request) or {}).get("to", "")
        return Page(self.template_name, {"checklist": checklist, **context, "to": to})


def _page_context(request: Request, checklist: setup.Checklist) -> dict[str, Any]:
    left = checklist.left
    is_loopback = is_own_host_local()
    steps = {step.name: step for step in checklist.steps}
    on_server = [steps[name] for name in setup.SERVER_STEPS]
    before_opening = [step for step in checklist.steps if step not in on_server]
    mailto_server = _mailto(on_server)
    if is_loopback:
        # Without an address that phones can open no guest can order: then it has to be set before the doors open, too,
        # and before the cards whose codes lead there.
        on_server.remove(steps["address"])
        before_opening.insert(before_opening.index(steps["cards"]), steps["address"])
    to_print_again = is_loopback and steps["cards"].done
    return {
        "before_opening": before_opening,
        "on_server": on_server,
        "done_on_server": sum(step.done for step in on_server),
        "done_before_opening": sum(step.done for step in before_opening) - to_print_again,
        "to_print_again": to_print_again,
        "next_title": left[0].title if left else "",
        "cards_wait": setup.wait_for_address(left),
        "mailto_server": mailto_server,
        "mail_problem": doctor.mail(),
        "base_url": settings.APP_BASE_URL,
        "is_loopback": is_loopback,
        "address_problem": not steps["address"].done,
        "to": _user(request).email,
    }


def _mailto(steps: list[setup.Step]) -> str:
    """Return a mailto: link that lists what is left to do of these steps; "" if nothing is."""
    left = "\r\n\r\n".join(f"{step.title}\r\n{step.fact}" for step in steps if not step.done)
    subject = _("To set up: %(venue)s") % {"venue": queries.venue().name or settings.VENUE_NAME}
    return mailto(subject=subject, body=left) if left else ""


def _user(request: Request) -> User:
    return cast("User", request.user)
