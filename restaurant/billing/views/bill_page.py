"""The context of the page of a bill."""

import re
from collections import defaultdict
from decimal import Decimal
from string import ascii_uppercase
from typing import Any

from django.conf import settings
from django.core.signing import Signer
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from rest_framework.request import Request

from loyalty import gateway as loyalty
from qrservice import gateway
from restaurant import staff
from restaurant.billing.models import Payment
from restaurant.billing.queries import Bill, bill_of, reward_on_bill, shares
from restaurant.billing.serializers import METHODS, PAPERS
from restaurant.billing.services import parts
from restaurant.errors import OnlyYourPart, SessionUnknown, TableUnknown
from restaurant.ordering.models import Order, TableSession
from restaurant.ordering.queries.orders import (
    SessionOrders,
    first_names,
    orders_for_guest,
    orders_of_session,
    phone_key,
)
from restaurant.ordering.queries.sessions import open_call_times, open_reward_calls, session_of_staff
from restaurant.ordering.views import guests, order_points
from restaurant.tables.queries import parse_table_number
from web import idempotency
from web.errors import sentence_of
from web.fields import FormText
from web.forms import body_of, form_fields
from web.views import Page

TEMPLATE = "restaurant/billing/bill.html"
MAX_PEOPLE = 30


def is_from_paper(request: Request) -> bool:
    """Return whether the address is that of the code on the printed bill, which is as good as a scan of the table's."""
    named, signature = (request.query_params.get(name, "") for name in ("sessionId", "printed"))
    return constant_time_compare(signature, paper_signature(named))


def paper_signature(session_id: str) -> str:
    """Return a short signature, so that the symbol stays coarse on a roll of paper."""
    return Signer(salt="restaurant.bill_on_paper").signature(session_id)[:16]


def context(request: Request, bill: Bill, *, is_staff: bool) -> dict[str, Any]:
    # Guests who divide are two at least, and a phone saves a page, not a roll.
    people = _people(request, 1 if is_staff else 2)
    paper = request.query_params.get("paper", "")
    return {
        "is_staff": is_staff,
        "may_void": staff.may(request, staff.VOID_PAYMENT),
        "may_close": staff.may(request, staff.CLOSE_SESSION),
        "is_open": bill.session.is_open if is_staff else guests.is_open_to(request, bill.session),
        "now": timezone.localtime(),
        **_rates(bill),
        "paper": paper if paper in PAPERS else PAPERS[0 if is_staff else 1],
        "papers": [("80mm", _("80 mm")), ("a4", _("A4 or Letter"))],
        "people": people,
        "fewer": max(people - 1, 1),
        "more": min(people + 1, MAX_PEOPLE),
        "shares": shares(bill.due, people) if people > 1 else [],
        "done": _payment(request, bill) if is_staff else None,
        **(_for_staff(request, bill) if is_staff else _for_guest(request, bill)),
    }


def error_page(request: Request, session: TableSession | None, error: dict[str, Any], **entered: Any) -> Page | None:
    """Show the bill again, with what was entered in a form that was refused."""
    if session is None:
        return None
    bill = bill_of(session)
    shown = context(request, bill, is_staff=True)
    shown |= {"bill": bill, "entered": {**shown["entered"], **entered}, "wrong": sentence_of(error)}
    return Page(TEMPLATE, shown)


def _rates(bill: Bill) -> dict[str, Any]:
    """Return the lines and the taxes, each with the letter of its rate, and the sums of the taxes."""
    letters: dict[Decimal | None, str] = dict(zip((tax.rate for tax in bill.taxes), ascii_uppercase, strict=False))
    return {
        "lines": [(line, letters.get(line.vat_rate, "")) for line in bill.lines],
        "taxes": [(tax, letters.get(tax.rate, "")) for tax in bill.taxes],
        "taxes_total": {
            name: sum((getattr(tax, name) for tax in bill.taxes), Decimal("0.00")) for name in ("net", "tax", "gross")
        },
    }


def _people(request: Request, default: int) -> int:
    """Read `?people=`; without it return the default, and 1 for anything that is no number of people."""
    return _count(request.query_params.get("people", str(default)), MAX_PEOPLE) or 1


def _for_guest(request: Request, bill: Bill) -> dict[str, Any]:
    ordered = orders_for_guest(bill.session, guests.guest_of(request))
    others = ordered.total - ordered.own_total
    # Whoever only was shown the page's address must not call for this table.
    can_ask = bool(ordered.linked) and bill.session.ended_at is None and bill.due > 0
    return {
        "own": ordered.own_total if others else None,
        "held": ordered.held,
        "kept": ordered.kept,
        **_of_orders(bill, ordered.orders),
        **_waiting(request, ordered),
        **(_rewards(request, bill) if can_ask else {}),
        "can_ask": can_ask,
        **_ways(request, bill),
        "printed": request.query_params.get("printed", ""),
        "asked_at": open_call_times(bill.session).get("bill") if can_ask else None,
    }


def _waiting(request: Request, ordered: SessionOrders) -> dict[str, Any]:
    """Return the latest order of this phone that no card collects, and the points that its page offers for it."""
    own = [order for order in ordered.orders if order.pk in ordered.linked and not order.collector and order.is_counted]
    order = own[-1] if own else None
    return {"waiting": order_points.order_context(request, order).get("offered") if order else None}


def _rewards(request: Request, bill: Bill) -> dict[str, Any]:
    """Return what the phone's card holds for this bill, and the codes that it has asked to use."""
    card = loyalty.card_of_phone(request)
    held = loyalty.rewards_to_use(card) if card else []
    on_bill = [reward for reward in held if any(reward_on_bill(bill.session, reward.value))]
    return {"rewards": on_bill, "asked_for": open_reward_calls(bill.session) if on_bill else []}


def _ways(request: Request, bill: Bill) -> dict[str, Any]:
    """Return the ways to divide, which is shown (`?way=` or `?people=`), and what this guest had (`?line-0=2`)."""
    # Once something is paid, nobody knows for which dishes.
    lines = bill.lines if bill.due > 0 and not bill.paid else []
    counts = [_count(request.query_params.get(f"line-{i}", ""), line.quantity) for i, line in enumerate(lines)]
    ways = {"together": _("Together"), "equally": _("Equally"), **({"had": _("What I had")} if lines else {})}
    way = "equally" if "people" in request.query_params else request.query_params.get("way", "")
    return {
        "ways": list(ways.items()),
        "way": way if way in ways else "together",
        "had": [(line, range(line.quantity + 1), count) for line, count in zip(lines, counts, strict=True)],
        "part": sum((line.price * count for line, count in zip(lines, counts, strict=True)), Decimal("0.00")),
    }


def _count(text: str, most: int) -> int:
    return min(int(text), most) if re.fullmatch(r"[0-9]{1,3}", text, re.ASCII) else 0


def _for_staff(request: Request, bill: Bill) -> dict[str, Any]:
    ordered = orders_of_session(bill.session)
    return {
        "held": ordered.held,
        "kept": ordered.kept,
        **_of_orders(bill, ordered.orders),
        "code": _code(bill),
        # What waits for the phones that ordered, on the page that the code leads to.
        "has_points_to_collect": loyalty.collects_at_tables()
        and any(order.is_counted and not order.placed_by and not order.collector for order in ordered.orders),
        "is_to_print": "print" in request.query_params,
        # The till must not give points for these as well.
        "collecting": ordered.collecting_total,
        "methods": METHODS,
        # For the payment that this page may take: sent twice, it is one payment.
        "idempotency_key": idempotency.new_key(),
        "entered": {"method": "", "amount": _amount_to_take(request, bill.due), "tip": ""},
    }


def _code(bill: Bill) -> str:
    """Return a QR symbol of the bill's page, as SVG."""
    page = f"{bill.session.bill_url}&printed={paper_signature(str(bill.session.pk))}"
    return mark_safe(gateway.symbol(f"{settings.APP_BASE_URL}{page}"))  # noqa: S308 (drawn here)


def _of_orders(bill: Bill, orders: list[Order]) -> dict[str, Any]:
    """Return who served, which is whoever took the orders, else the money; and what the orders earn on cards."""
    counted = [order for order in orders if order.is_counted]
    took_money = [payment.taken_by_name for payment in bill.standing]
    names = [order.placed_by for order in counted if order.placed_by] or [name for name in took_money if name]
    return {"served_by": first_names(names), "points": _points(counted)}


def _points(orders: list[Order]) -> int:
    """Return the points of all cards that collect, given already or when the table is closed."""
    to_come: dict[str, list[Decimal]] = defaultdict(list)
    for order in orders:
        if order.collector and order.collected_at is None:
            to_come[order.collector].append(order.earns_on)
    given = sum(order.points_collected or 0 for order in orders)
    if not loyalty.collects_at_tables():
        return given
    cards = {reference: loyalty.card(reference) for reference in to_come}
    return given + sum(loyalty.points_for(to_come[reference], card) for reference, card in cards.items() if card)


def _amount_to_take(request: Request, due: Decimal) -> Decimal:
    """Read `?amount=`, one person's share; without it return what is due."""
    text = request.query_params.get("amount", "")
    share = Decimal(text) if re.fullmatch(r"[0-9]{1,8}\.[0-9]{2}", text, re.ASCII) else due
    return share if 0 < share <= due else due


def _payment(request: Request, bill: Bill) -> Payment | None:
    """Return the payment that was taken or voided just now: `?payment=`."""
    payment_id = request.query_params.get("payment", "").lower()
    return next((payment for payment in bill.payments if str(payment.pk) == payment_id), None)


def refused(request: Request, table_number: str, error: dict[str, Any]) -> Page | None:
    """Show the bill again to staff whose form was refused."""
    form = form_fields(request)
    if form is None or not staff.may(request, staff.TAKE_PAYMENT):
        return None
    try:
        session = session_of_staff(parse_table_number(table_number), form.get("sessionId"))
    except (TableUnknown, SessionUnknown):
        return None
    return error_page(request, session, error)


def parts_body(request: Any) -> Any:
    """Return the body in the shape of JSON. Of a form, boxes `item` are one part: `order:position[:quantity|:1/3]`."""
    if form_fields(request) is None:
        return request.data
    body = body_of(request, numbers=("count",), optional=("sessionId", "count", "name"))
    entries = []
    for text in request.data.getlist("item"):
        order, _colon, rest = text.partition(":")
        position, _colon, much = rest.partition(":")
        entry = {"orderId": order, "position": FormText(position)}
        if "/" in much:
            entry["share"] = much
        elif much:
            entry["quantity"] = FormText(much)
        entries.append(entry)
    if body.get("by") == "items":
        body["parts"] = [{"name": body.pop("name", ""), "items": entries}]
    return body


def take_own_part(
    request: Request, number: int, session: TableSession, by: str, new: list[parts.NewPart]
) -> TableSession:
    """Make the part of the phone that asks. Raises OnlyYourPart, and what `parts.take_own` raises."""
    guest = guests.guest_of(request)
    if by != "items" or len(new) != 1 or not guest:
        raise OnlyYourPart
    name = new[0].name or _("Guest")
    divided, _part = parts.take_own(
        table_number=number, session_id=str(session.pk), phone=phone_key(guest), name=name, items=new[0].items
    )
    return divided
