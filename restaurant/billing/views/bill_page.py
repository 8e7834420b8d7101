"""The context of the page of a bill."""

import re
from collections import defaultdict
from decimal import Decimal
from string import ascii_uppercase
from typing import Any

from django.conf import settings
from django.core.signing import Signer
from django.utils.crypto import constant_time_compare
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from rest_framework.request import Request

from loyalty import gateway as loyalty
from qrservice import gateway
from restaurant import staff
from restaurant.billing import fiscal
from restaurant.billing.models import Adjustment, BillPart, Payment, Refund
from restaurant.billing.queries import Bill, Part, bill_of, reward_on_bill, session_of, shares
from restaurant.billing.serializers import METHODS, PAPERS
from restaurant.billing.services import drawers
from restaurant.billing.views.bill_entries import entries_of
from restaurant.ordering.models import Order, TableSession
from restaurant.ordering.queries.orders import (
    SessionOrders,
    first_names,
    orders_for_guest,
    orders_of_session,
    phone_key,
)
from restaurant.ordering.queries.sessions import NOTHING, open_reward_calls, session_of_staff
from restaurant.ordering.views import guests, order_points
from restaurant.rules import OrderingRules
from restaurant.tables.queries import parse_table_number
from web import idempotency
from web.errors import sentence_of
from web.forms import form_fields
from web.money import pieces_for
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


def context(request: Request, bill: Bill) -> dict[str, Any]:
    is_staff = staff.may(request, staff.TAKE_PAYMENT)
    return {
        "may_void": staff.may(request, staff.VOID_PAYMENT),
        "may_close": staff.may(request, staff.CLOSE_SESSION),
        "is_open": bill.session.is_open if is_staff else guests.is_open_to(request, bill.session),
        **sheet_context(request, bill),
        **(_for_staff(request, bill) if is_staff else _for_guest(request, bill)),
    }


def sheet_context(request: Request, sheet: Bill) -> dict[str, Any]:
    """Return what is on paper, where each dish and tax has the letter of its rate."""
    is_staff, bill = staff.may(request, staff.TAKE_PAYMENT), sheet.whole or sheet
    paper = request.query_params.get("paper", "")
    taxes = sheet.sums.taxes
    letters: dict[Decimal | None, str] = dict(zip((tax.rate for tax in taxes), ascii_uppercase, strict=False))
    return {
        "is_staff": is_staff,
        "bill": bill,
        "sheet": sheet,
        "signatures": fiscal.signatures(sheet.standing),
        "lines": [(line, letters.get(line.vat_rate, "")) for line in sheet.lines],
        "taxes": [(tax, letters.get(tax.rate, "")) for tax in taxes],
        "taxes_total": {name: sum((getattr(tax, name) for tax in taxes), NOTHING) for name in ("net", "tax", "gross")},
        # A phone saves a page, not a roll.
        "paper": paper if paper in PAPERS else PAPERS[0 if is_staff else 1],
        "papers": [("80mm", _("80 mm")), ("a4", _("A4 or Letter"))],
        "printed": request.query_params.get("printed", ""),
        "is_to_print": "print" in request.query_params,
        "printers": list(drawers.receipt_printers()) if is_staff else [],
        **_of_orders(bill),
    }


def refused(request: Request, error: dict[str, Any], *, table_number: str = "", **of: str) -> Page | None:
    """Show the bill again, with what was entered in the refused form: in `entered`, by the end of its address.

    It is that of the table, else `of` a payment or an adjustment. Raises what `readable_session` and `session_of` do.
    """
    form = form_fields(request)
    if form is None:
        return None
    session = readable_session(request, table_number, form.get("sessionId")) if table_number else session_of(**of)
    shown = context(request, bill_of(session))
    *_start, subject, name = request.path.split("/")
    entered = shown["entered"] | {name: {**shown["entered"].get(name, {}), **form, "of": subject}}
    return Page(TEMPLATE, shown | {"entered": entered, "wrong": sentence_of(error)})


def _for_guest(request: Request, bill: Bill) -> dict[str, Any]:
    guest = guests.guest_of(request)
    ordered = orders_for_guest(bill.session, guest)
    others = ordered.total - ordered.own_total
    # Whoever only was shown the page's address must not call for this table.
    can_ask = bool(ordered.linked) and bill.session.ended_at is None and bill.due > 0
    calls = {call.part_id: call for call in bill.session.calls.filter(done_at=None, kind="bill")} if can_ask else {}
    own = next((part for part in bill.parts if part.part.made_by_phone == phone_key(guest)), None)
    return {
        "ordered_by_phone": ordered.own_total if others else None,
        "held": ordered.held,
        "kept": ordered.kept,
        **_waiting(request, ordered),
        **(_rewards(request, bill) if can_ask else {}),
        "can_ask": can_ask,
        "asked_at": calls[None].created_at if None in calls else None,
        "own": own,
        "own_call": calls.get(own.part.pk) if own else None,
        "entered": {"parts": {"name": own.part.name if own else ""}},
        **_ways(request, bill, own, phone_key(guest), can_ask=can_ask),
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


def _ways(request: Request, bill: Bill, own: Part | None, phone: str, *, can_ask: bool) -> dict[str, Any]:
    """Return the ways to pay, which is shown first (`?way=` or `?people=`), and the dishes with this guest's ticked."""
    by_people = any(part.part.by == BillPart.By.PEOPLE for part in bill.parts)
    # Once something is paid of an undivided bill, nobody knows for which dishes.
    has_own = can_ask and not by_people and (bool(bill.parts) or not bill.paid) and not (own and own.paid)
    ways = {"mine": _("My part")} if has_own else {}
    ways |= {"equally": _("Equally"), "together": _("Together")} if not bill.parts else {}
    text = request.query_params.get("people", "")
    people = min(int(text), MAX_PEOPLE) if re.fullmatch(r"[0-9]{1,3}", text, re.ASCII) else 2
    way = "equally" if text else request.query_params.get("way", "")
    entries = entries_of(request, bill, own, phone) if has_own else []
    return {
        "ways": list(ways.items()),
        "way": way if way in ways else next(iter(ways), ""),
        "people": people,
        "counts": range(2, 13),
        "shares": shares(bill.due, people) if people > 1 else [],
        "entries": entries,
        "payable": any(entry.sizes for entry in entries),
        "mine": own.due
        if own and form_fields(request) is None
        else sum((entry.chosen_total for entry in entries), NOTHING),
    }


def _for_staff(request: Request, bill: Bill) -> dict[str, Any]:
    ordered = orders_of_session(bill.session)
    may_adjust = staff.may(request, staff.ADJUST_BILL)
    limit = None if may_adjust else OrderingRules.current().discount_up_to
    return {
        "may_adjust": may_adjust,
        "adjusts_up_to": limit,
        "kinds": Adjustment.Kind.choices,
        "reasons": Adjustment.Reason.choices,
        "refund_reasons": Refund.Reason.choices,
        "entries": entries_of(request, bill, in_shares=False),
        "dishes": entries_of(request, bill),
        "by_dishes": not any(part.part.by == BillPart.By.PEOPLE for part in bill.parts),
        "is_part_paid": any(part.paid for part in bill.parts),
        "phones": len({item.order.phone_key for item in bill.items if item.order.phone_key}),
        "counts": range(2, 13),
        "notes": pieces_for(min((part.due for part in bill.parts if part.due), default=bill.due)),
        "done": _payment(request, bill),
        "held": ordered.held,
        "kept": ordered.kept,
        "code": _code(bill),
        # What waits for the phones that ordered, on the page that the code leads to.
        "has_points_to_collect": loyalty.collects_at_tables()
        and any(order.is_counted and not order.placed_by and not order.collector for order in ordered.orders),
        # The till must not give points for these as well.
        "collecting": ordered.collecting_total,
        "methods": METHODS,
        # For the payment that this page may take: sent twice, it is one payment.
        "idempotency_key": idempotency.new_key(),
        "entered": {"payments": {"amount": "" if bill.parts else bill.due}},
    }


def _code(bill: Bill) -> str:
    """Return a QR symbol of the bill's page, as SVG."""
    page = f"{bill.session.bill_url}&printed={paper_signature(str(bill.session.pk))}"
    return mark_safe(gateway.symbol(f"{settings.APP_BASE_URL}{page}"))  # noqa: S308 (drawn here)


def _of_orders(bill: Bill) -> dict[str, Any]:
    """Return who served, which is whoever took the orders, else the money; and what the orders earn on cards."""
    counted = list({item.order_id: item.order for item in bill.items}.values())
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


def _payment(request: Request, bill: Bill) -> Payment | None:
    """Return the payment that was taken or voided just now: `?payment=`."""
    payment_id = request.query_params.get("payment", "").lower()
    return next((payment for payment in bill.payments if str(payment.pk) == payment_id), None)


def readable_session(request: Request, table_number: str, session_id: str | None) -> TableSession:
    """Return the session whose bill is asked for. Raises TableUnknown, SessionUnknown, NotScanned."""
    number = parse_table_number(table_number)
    if staff.may(request, staff.TAKE_PAYMENT):
        return session_of_staff(number, session_id)
    session = guests.session_of(request, number, session_id)
    if not is_from_paper(request):
        guests.require_scan(request, session)
    return session
