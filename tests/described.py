"""The OpenAPI description with an example of every id, and a venue that has what these name."""

import uuid
from datetime import timedelta
from decimal import Decimal

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator

from config.models import StaffToken, Venue
from loyalty.members.views import member_session
from loyalty.models import Confirmation, Location, Member, PointTransaction, Redemption, Reward
from qrservice.services import codes, keys
from restaurant.billing.services import drawers
from restaurant.models import CashDrawer, Order, OrderItem, Payment, TableCall, TableSession
from tests.conftest import make_item, make_table, make_user


def _id(number: int) -> str:
    return str(uuid.UUID(int=number, version=4))


RICH, POOR, CHEAP, DEAR, HERE, CONFIRMED, ITEM, SESSION, ORDER, CALL, PAYMENT = map(_id, range(1, 12))
CODES = ["RWD-ACTIVE", "RWD-USED00", "RWD-LATE00"]
TABLE = 7
DRAWER, Z = 1, 1
ANALYTICS_ID = "an-analytics-id"

# What exists, by the names of the parameters and fields that can mean it.
KNOWN = {
    "customer": ([RICH, POOR], ["path.customer_id", "query.customerId", "query.member", "body.customerId"]),
    "location": ([HERE], ["path.location_id", "query.location", "body.locationId"]),
    "reward": ([CHEAP, DEAR], ["path.reward_id"]),
    "code": (CODES, ["path.code"]),
    "confirmation": ([CONFIRMED], ["path.confirmation_id"]),
    "table": ([str(TABLE)], ["path.table_number"]),
    "session": ([SESSION], ["query.sessionId", "body.sessionId"]),
    "order": ([ORDER], ["path.order_id"]),
    "call": ([CALL], ["path.call_id"]),
    "payment": ([PAYMENT], ["path.payment_id"]),
    "drawer": ([str(DRAWER)], ["path.drawer_id"]),
    "z": ([str(Z)], ["path.number"]),
    "day": (["2026-03-07", "2026-03-08"], ["query.date", "query.from", "query.to"]),
    "item": ([ITEM], ["body.menuItemId", "body.items[*].menuItemId"]),
    "analytics": ([ANALYTICS_ID], ["path.analytics_id"]),
}


def description() -> dict:
    """As it is served, with an example of every id: where one value is tried out, the others are good."""
    described = SchemaGenerator().get_schema(public=True)
    examples = {path.replace("items[*].", ""): values[0] for values, paths in KNOWN.values() for path in paths}
    operations = [operation for path in described["paths"].values() for operation in path.values()]
    parameters = [parameter for operation in operations for parameter in operation.get("parameters", ())]
    fields = [(f"{parameter['in']}.{parameter['name']}", parameter) for parameter in parameters]
    for component in described["components"]["schemas"].values():
        fields += [(f"body.{name}", field) for name, field in component.get("properties", {}).items()]
    for path, field in fields:
        if path in examples:
            field["example"] = examples[path]
    return described


def make_venue() -> None:
    """Something of everything, under the ids above."""
    location = Location.objects.create(pk=HERE, name="Corner")
    rich = Member.objects.create(pk=RICH, email="rich@example.com", name="Rosa", points_balance=9000)
    Member.objects.create(pk=POOR, email="poor@example.com", name="Paul")
    PointTransaction.objects.create(customer=rich, type="earn", points=9000, location=location, order_total=9000)
    cheap = Reward.objects.create(pk=CHEAP, name="Espresso", points_required=1, reward_value={"item": "Espresso"})
    Reward.objects.create(pk=DEAR, name="Dinner", points_required=2_000_000_000)
    now = timezone.now()
    common = {"customer": rich, "reward": cheap, "points_spent": 1, "expires_at": now + timedelta(days=1)}
    redemption = Redemption.objects.create(redemption_code=CODES[0], **common)
    Redemption.objects.create(redemption_code=CODES[1], status="used", used_at=now, **common)
    Redemption.objects.create(redemption_code=CODES[2], status="expired", **common)
    Confirmation.objects.create(pk=CONFIRMED, redemption=redemption, message="Confirmed", found="active")
    soup, table = make_item(pk=ITEM), make_table(TABLE)
    session = TableSession.objects.create(pk=SESSION, table=table, total_orders=1, total_revenue=soup.price)
    Venue.objects.create(location=location)
    order = Order.objects.create(pk=ORDER, table=table, session=session, total=9.5, collector=RICH)
    OrderItem.objects.create(order=order, menu_item=soup, name=soup.name, price=soup.price, quantity=1)
    TableCall.objects.create(pk=CALL, session=session, kind="waiter")
    Payment.objects.create(pk=PAYMENT, session=session, method="cash", amount=1)
    drawer = CashDrawer.objects.create(pk=DRAWER, name="Bar")
    drawers.open_day(drawer_id=drawer.pk, float=Decimal(0), user_name="")
    drawers.close_day(drawer_id=drawer.pk, counted=Decimal(0), user_name="")
    drawers.open_day(drawer_id=drawer.pk, float=Decimal(0), user_name="")


def make_credentials() -> dict[str, str]:
    """A manager's, and an API key's whose account has the code ANALYTICS_ID."""
    account = keys.account_named("Trattoria")
    code = codes.create(account=account, redirect_url="https://example.com", metadata={})
    type(code).objects.filter(pk=code.pk).update(analytics_id=ANALYTICS_ID)
    _, token = StaffToken.objects.create(user=make_user("Managers"))
    return {"Authorization": f"Token {token}", "X-API-Key": keys.create(account=account)[1]}


def member_cookies() -> dict[str, str]:
    """Those of a phone that is signed in to the card of RICH."""
    response = HttpResponse()
    member_session.sign_in(HttpRequest(), response, Member.objects.get(pk=RICH))
    return {name: cookie.value for name, cookie in response.cookies.items()}
