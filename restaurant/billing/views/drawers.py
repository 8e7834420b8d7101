"""Cash drawers: the X of an open one, and the Z that closes it."""

from typing import Any

from django.urls import reverse
from django.utils import translation
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from restaurant import staff
from restaurant.billing import printing
from restaurant.billing.models import DrawerDay
from restaurant.billing.queries import drawers as queries
from restaurant.billing.serializers import drawers as serializers
from restaurant.billing.services import drawers as services
from restaurant.errors import DrawerClosed
from restaurant.rules import OrderingRules
from web import idempotency, languages
from web.errors import sentence_of
from web.fields import ErrorResponse, FormText
from web.forms import body_of, form_fields, valid
from web.money import pieces
from web.templatetags.money import format_money, whole_money
from web.views import FormResponse, ObjectResponse, Page, PageView

TEMPLATE = "restaurant/billing/drawer.html"
PIECE = "piece-"  # begins the names of a form's fields for notes and coins


class Drawers(PageView):
    """`GET /drawers`"""

    access = staff.WORK_DRAWER
    template_name = "restaurant/billing/drawers.html"
    context_object_name = "drawers"

    @extend_schema(operation_id="drawers_list", responses={200: serializers.DrawerList})
    def get(self, request: Request) -> Response:
        return ObjectResponse(serializers.DrawerList(queries.drawers()))


class _OfDrawer(PageView):
    access = staff.WORK_DRAWER
    template_name = TEMPLATE
    context_object_name = "drawer"

    def page_context(self, drawer: queries.Drawer) -> dict[str, Any]:
        return {
            "sections": printing.sections(drawer.figures) if drawer.day else [],
            "is_blind": OrderingRules.current().counts_blind,
            "kinds": serializers.BY_HAND,
            "pieces": [(piece, whole_money(int(piece)) if piece >= 1 else format_money(piece)) for piece in pieces()],
            "printer": services.printer_of(drawer.day),
            # For the movement that this page may note: sent twice, it is one.
            "idempotency_key": idempotency.new_key(),
        }

    def error_page(self, error: dict[str, Any], status: int) -> Page | None:
        """Show the drawer again, with what was entered in the form that was refused."""
        drawer, form = queries.drawer(self.kwargs["drawer_id"]), form_fields(self.request)
        if form is None:
            return None
        entered = {self.request.path.rpartition("/")[2]: form}
        shown = {"drawer": drawer, **self.page_context(drawer), "entered": entered, "counted": _pieces(form)}
        return Page(TEMPLATE, {**shown, "wrong": sentence_of(error)})


class Drawer(_OfDrawer):
    """`GET /drawers/{drawerId}`: its X."""

    @extend_schema(responses={200: serializers.Drawer})
    def get(self, request: Request, drawer_id: int) -> Response:
        return ObjectResponse(serializers.Drawer(queries.drawer(drawer_id)))


class Open(_OfDrawer):
    """`POST /drawers/{drawerId}/open`: again changes nothing."""

    @extend_schema(request=serializers.FloatBody, responses={200: serializers.Drawer})
    def post(self, request: Request, drawer_id: int) -> Response:
        values = valid(serializers.FloatBody(data=body_of(request, numbers=("float",))))
        services.open_day(drawer_id=drawer_id, **values, user_name=staff.name_of(request))
        return FormResponse(serializers.Drawer(queries.drawer(drawer_id)), redirect_to=_page(drawer_id))


class Movements(_OfDrawer):
    """`POST /drawers/{drawerId}/movements`: cash that is put in or taken out, besides payments."""

    _body: type[Serializer] = serializers.MovementBody

    @extend_schema(
        request=serializers.MovementBody,
        parameters=[idempotency.PARAMETER],
        responses={201: serializers.Movement},
    )
    def post(self, request: Request, drawer_id: int) -> Response:
        values = valid(self._body(data=body_of(request, numbers=("amount",))))
        key = idempotency.key_of(request, drawer_id, *values.values())
        movement = services.move(drawer_id=drawer_id, **values, user=request.user, key=key)
        return FormResponse(serializers.Movement(movement), status=201, redirect_to=_page(drawer_id))


@extend_schema_view(post=extend_schema(request=serializers.KickBody))
class Kick(Movements):
    """`POST /drawers/{drawerId}/kick`: opens it by hand, and keeps why."""

    _body = serializers.KickBody


class Close(_OfDrawer):
    """`POST /drawers/{drawerId}/close`: the Z. Of a closed drawer it is the last one."""

    @extend_schema(request=serializers.CountBody, responses={200: serializers.Z, 409: ErrorResponse})
    def post(self, request: Request, drawer_id: int) -> Response:
        counted = valid(serializers.CountBody(data=_counted_body(request)))
        day = services.close_day(
            drawer_id=drawer_id, counted=counted.amount, coins=counted.coins, user_name=staff.name_of(request)
        )
        return FormResponse(serializers.Z(day), redirect_to=reverse("drawer_z", args=[drawer_id, day.number]))


class ZOfDrawer(PageView):
    """`GET /drawers/{drawerId}/z/{number}`"""

    access = staff.WORK_DRAWER
    template_name = "restaurant/billing/drawer_z.html"
    context_object_name = "z"

    @extend_schema(responses={200: serializers.Z})
    def get(self, request: Request, drawer_id: int, number: int) -> Response:
        return ObjectResponse(serializers.Z(queries.z(drawer_id, number)))

    def page_context(self, z: DrawerDay) -> dict[str, Any]:
        return {"sections": printing.sections(z.figures, z=z), "printer": services.printer_of(z)}


class PrintDrawer(_OfDrawer):
    """`POST /drawers/{drawerId}/print`, and `/drawers/{drawerId}/z/{number}/print`: on the receipt printer."""

    @extend_schema(request=None, responses={200: serializers.Printed, 409: ErrorResponse})
    def post(self, request: Request, drawer_id: int, number: int | None = None) -> Response:
        page = _page(drawer_id)
        if number is None:
            drawer = queries.drawer(drawer_id)
            day, figures = drawer.day, drawer.figures
        else:
            day = queries.z(drawer_id, number)
            figures, page = day.figures, reverse("drawer_z", args=[drawer_id, number])
        if day is None:
            raise DrawerClosed
        printer = services.printer_of(day)
        if printer is not None:
            with translation.override(languages.of_papers()):
                printing.print_drawer(printer, day, figures)
        data = serializers.Printed({"printer": printer.name if printer else None})
        return FormResponse(data, redirect_to=f"{page}?printed=1")


def _page(drawer_id: int) -> str:
    return reverse("drawer", args=[drawer_id])


def _pieces(form: dict[str, str]) -> dict[str, str]:
    return {name.removeprefix(PIECE): text for name, text in form.items() if name.startswith(PIECE)}


def _counted_body(request: Request) -> Any:
    """Return the body in the shape of JSON: a form has a field for each note and coin, and one for the sum."""
    form = form_fields(request)
    if form is None:
        return request.data
    filled = {name: text for name, text in form.items() if text.strip()}
    coins = {piece: FormText(text) for piece, text in _pieces(filled).items()}
    amount = {"amount": FormText(filled["amount"])} if "amount" in filled else {}
    return {**({"counted": coins} if coins else {}), **amount}
